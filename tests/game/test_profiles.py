import pytest

from game.house_rules import HouseRules, HouseRulesError
from game.limits import LimitError, TableLimits
from game.paytables import bundled_paytables
from game.profiles import DATA, ProfileError, bundled_profiles, load_profile, load_profiles

OFFERS = [
    pytest.param("south-dakota", {"fcp": 7, "bad_beat_bonus": 0, "progressive": 5}, id="south-dakota"),
    pytest.param("washington", {"fcp": 9, "bad_beat_bonus": 3, "progressive": 2}, id="washington"),
    pytest.param("handout", {"fcp": 1, "bad_beat_bonus": 0, "progressive": 0}, id="handout"),
    pytest.param("nemacolin", {"fcp": 1, "bad_beat_bonus": 0, "progressive": 1}, id="nemacolin"),
    pytest.param("prime", {"bad_beat": 4, "aces_baby": 8, "prime": 2}, id="prime"),
]
CHANGED = [
    (
        "south-dakota",
        {"progressive_folded_hand_qualifies": True, "progressive_requires": "none", "fcpp_basis": "five_cards"},
    ),
    ("washington", {}),
    ("handout", {}),
    ("nemacolin", {}),
    ("prime", {}),
]
BROKEN = [
    pytest.param('game = "FCP"', 'game = "POKER"', "game is 'POKER'", id="unknown game"),
    pytest.param('fcp = ["FCP-05"]', 'fcp = ["FCP-77"]', "'FCP-77', which is no pay table", id="unknown table"),
    pytest.param('fcp = ["FCP-05"]', 'fcp = ["AB-1"]', "AB-1, a table of kind aces-baby", id="wrong kind"),
    pytest.param(
        '[choice]\nfcp = "FCP-05"', '[choice]\nfcp = "FCP-01"', "not among its offers", id="choice not offered"
    ),
    pytest.param("[choice]", "[choices]", "unknown key 'choices'", id="misspelt section"),
    pytest.param("[choice]", '[house_rules]\nbbb_tie = "draw"\n[choice]', "bbb_tie is 'draw'", id="no such value"),
    pytest.param("[choice]", "[house_rules]\nbbb_ties = 1\n[choice]", "'bbb_ties' does not exist", id="no such rule"),
    pytest.param(
        "[choice]",
        '[legal]\nmaximum_wager = 100\nsource = "the code"\n[limits.maximum]\nante = 200\n[choice]',
        "above the legal 100",
        id="limit above the law",
    ),
]


@pytest.mark.parametrize(("name", "offers"), OFFERS)
def test_a_profile_offers_what_its_document_offers(name, offers):
    assert {role: len(tables) for role, tables in bundled_profiles()[name].offers.items()} == offers


@pytest.mark.parametrize(("name", "changed"), CHANGED)
def test_a_profile_changes_only_what_its_document_says(name, changed):
    assert bundled_profiles()[name].house_rules.changed() == changed


@pytest.mark.parametrize(("old", "new", "fault"), BROKEN)
def test_a_broken_profile_is_refused_with_its_fault(tmp_path, old, new, fault):
    path = tmp_path / "mine.toml"
    text = (DATA / "handout.toml").read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    with pytest.raises(ProfileError, match=f"mine.toml: .*{fault}"):
        load_profile(path, bundled_paytables())


def test_two_profiles_of_one_name_are_refused(tmp_path):
    (tmp_path / "again.toml").write_text((DATA / "prime.toml").read_text())
    with pytest.raises(ProfileError, match="a profile named prime is there already"):
        load_profiles([DATA, tmp_path], bundled_paytables())


def test_a_table_that_is_not_offered_is_refused():
    with pytest.raises(ProfileError, match="does not offer FCP-08 as fcp"):
        bundled_profiles()["south-dakota"].verify_offers("fcp", "FCP-08")


def test_every_key_of_the_rules_has_its_default():
    assert HouseRules().changed() == {}
    assert HouseRules.from_mapping({}) == HouseRules()


BAD_RULES = [
    pytest.param({"payout_unit_cents": 0}, "1 or more", id="no unit"),
    pytest.param({"payout_unit_cents": 1.5}, "whole number of cents", id="half a unit"),
    pytest.param({"auto_bonus_requires_play": 1}, "true or false", id="number for a switch"),
    pytest.param({"cap_per_hand": -1}, "from 0 up", id="negative cap"),
    pytest.param({"wager_order": ["ante", "insurance"]}, "insurance", id="unknown wager"),
    pytest.param({"wager_order": "ante"}, "list of wager names", id="no list"),
]


@pytest.mark.parametrize(("rules", "fault"), BAD_RULES)
def test_a_rule_that_cannot_be_is_refused(rules, fault):
    with pytest.raises(HouseRulesError, match=fault):
        HouseRules.from_mapping(rules)


BAD_LIMITS = [
    pytest.param({"minimum": {"ante": 500}, "maximum": {"ante": 400}}, "above its maximum", id="minimum above maximum"),
    pytest.param({"minimum": {"ante": 5.0}}, "whole number of cents", id="a float"),
    pytest.param({"least": {}}, "unknown limit 'least'", id="misspelt"),
    pytest.param({"maximum": 500}, "cents by wager", id="no wager named"),
]


@pytest.mark.parametrize(("limits", "fault"), BAD_LIMITS)
def test_limits_that_cannot_be_are_refused(limits, fault):
    with pytest.raises(LimitError, match=fault):
        TableLimits.from_mapping(limits)
