import pytest

from game.paytables import DATA, Odds, PayTableError, bundled_paytables, load_paytable, load_paytables

GOOD = """
name = "HOUSE-1"
kind = "aces-baby"
source = "the house"
[aces_baby]
quads = "60 to 1"
pair_of_aces = "1 to 1"
"""
BROKEN = [
    pytest.param("", "name is None", id="empty"),
    pytest.param("name = ", "cannot be read", id="half written"),
    pytest.param(GOOD.replace("aces-baby", "aces-child"), "kind 'aces-child' is unknown", id="unknown kind"),
    pytest.param(GOOD.replace("quads", "quints"), r"\[aces_baby\] row 'quints': no such hand", id="unknown hand"),
    pytest.param(GOOD.replace("60 to 1", "60-1"), r"row 'quads': '60-1' are no odds", id="odds in another form"),
    pytest.param(GOOD.replace("60 to 1", "60 for 1"), r"row 'quads': '60 for 1' is not paid", id="wrong kind of odds"),
    pytest.param(GOOD.replace("60 to 1", "1 to 0"), r"row 'quads': '1 to 0' are no odds", id="to nothing"),
    pytest.param(GOOD + 'quads2 = "1 to 1"', "row 'quads2': no such hand", id="misspelt"),
    pytest.param(GOOD + 'flush = "5 to 1"', "row 'flush': must stand above 'pair_of_aces'", id="out of order"),
    pytest.param(GOOD.replace("60", "0"), "row 'pair_of_aces': pays more than 'quads'", id="worse hand pays more"),
    pytest.param(GOOD + 'quads = "1 to 1"', "cannot be read", id="row twice"),
    pytest.param(GOOD + '[aces_up]\nquads = "1 to 1"', "unknown key 'aces_up'", id="schedule of another kind"),
    pytest.param(GOOD.split("[")[0], r"\[aces_baby\] has no rows", id="no rows"),
]
PROGRESSIVE = """
name = "HOUSE-2"
kind = "progressive"
source = "the house"
base_wager = "$1"
[pays]
royal_flush = "100%"
straight = "30 for 1"
[envy]
royal_flush = "$1,000"
"""
BROKEN_PROGRESSIVES = [
    pytest.param(PROGRESSIVE.replace("100%", "110%"), "row 'royal_flush': '110%'", id="more than the meter"),
    pytest.param(PROGRESSIVE.replace("$1,000", "1000"), "write dollars", id="envy without its sign"),
    pytest.param(PROGRESSIVE + 'flush = "$5"', r"\[envy\] row 'flush': not a row of \[pays\]", id="envy for no row"),
    pytest.param(PROGRESSIVE.replace("base_wager", "base_stake"), "unknown key 'base_stake'", id="misspelt key"),
    pytest.param(PROGRESSIVE.replace('"$1"', "1.0"), "write dollars", id="a float"),
]


def test_every_table_of_the_documents_is_there():
    expected = {f"FCP-0{n}" for n in range(1, 10)} | {f"BBB-0{n}" for n in range(1, 4)}
    expected |= {f"FCPP-{n}" for n in range(1, 4)} | {"PMG-01", "PMG-02", "WIN-COPY", "PRIME-1", "PRIME-2"}
    expected |= {f"BB-{n}" for n in range(1, 5)} | {f"AB-{n}" for n in range(1, 9)}
    assert bundled_paytables().keys() == expected


@pytest.mark.parametrize(("text", "fault"), BROKEN + BROKEN_PROGRESSIVES)
def test_a_broken_table_is_refused_with_file_row_and_fault(tmp_path, text, fault):
    path = tmp_path / "house.toml"
    path.write_text(text)
    with pytest.raises(PayTableError, match=f"house.toml: .*{fault}"):
        load_paytable(path)


def test_a_casino_adds_a_table_by_adding_a_file(tmp_path):
    (tmp_path / "house.toml").write_text(GOOD)
    (tmp_path / "meter.toml").write_text(PROGRESSIVE)
    tables = load_paytables([DATA, tmp_path])
    assert tables["HOUSE-1"].schedules["aces_baby"].row_for({"quads"}).odds == Odds.parse("60 to 1")
    assert tables["HOUSE-2"].progressive.envy["royal_flush"] == 100_000


def test_a_name_used_twice_is_refused_with_both_files(tmp_path):
    (tmp_path / "mine.toml").write_text((DATA / "fcp-05.toml").read_text())
    with pytest.raises(PayTableError, match=r"mine.toml: FCP-05 is already the name of fcp-05.toml"):
        load_paytables([DATA, tmp_path])


def test_a_missing_folder_is_named(tmp_path):
    with pytest.raises(PayTableError, match="nowhere is no folder"):
        load_paytables([tmp_path / "nowhere"])


def test_only_the_highest_row_is_paid():
    schedule = bundled_paytables()["AB-1"].schedules["aces_baby"]
    assert schedule.row_for({"quads", "quad_aces"}).odds.text == "500 to 1"
    assert schedule.row_for({"pair"}) is None
