from fractions import Fraction

import pytest

from game.house_rules import HouseRules
from game.meter import Hit, Meter, MeterError, MeterTerms, adjust, back_out, coin_in, meter_warnings, pay_hits
from game.paytables import Odds, PayTable, Schedule, bundled_paytables

JACKPOT, TENTH, FIXED = (Odds.parse(text) for text in ("100%", "10%", "300 for 1"))
TERMS = MeterTerms(Fraction(250_000), Fraction(100), Fraction(1, 4), Fraction(1, 20))


def hit(seat, odds):
    return Hit(seat, "hand", odds, Fraction(100))


def meter(amount=1_000_000, reserve=50_000):
    return Meter(Fraction(amount), Fraction(reserve))


def test_coin_in_feeds_meter_and_reserve():
    assert coin_in(meter(), TERMS, Fraction(600)) == meter(1_000_150, 50_030)


HITS = [
    pytest.param({}, [], 1_000_000, 50_000, [], id="none"),
    pytest.param({}, [TENTH], 900_000, 50_000, [100_000], id="a share"),
    pytest.param({}, [TENTH, TENTH], 810_000, 50_000, [100_000, 90_000], id="shares one after the other"),
    pytest.param({}, [JACKPOT], 300_000, 0, [1_000_000], id="jackpot resets to seed and reserve"),
    pytest.param({}, [JACKPOT, JACKPOT], 250_000, 0, [1_000_000, 300_000], id="second jackpot wins the new meter"),
    pytest.param({}, [FIXED], 1_000_000, 50_000, [30_000], id="fixed from the tray"),
    pytest.param({"fixed_awards_from": "meter"}, [FIXED], 970_000, 50_000, [30_000], id="fixed from the meter"),
    pytest.param({"reset_adds_reserve": False}, [JACKPOT], 250_000, 50_000, [1_000_000], id="reserve kept"),
    pytest.param({"multi_jackpot": "same_meter"}, [JACKPOT, JACKPOT], 300_000, 0, [1_000_000] * 2, id="same meter"),
    pytest.param(
        {"multi_jackpot": "same_meter"}, [TENTH, TENTH], 800_000, 50_000, [100_000] * 2, id="same meter, shares"
    ),
]


@pytest.mark.parametrize(("rules", "hits", "amount", "reserve", "paid"), HITS)
def test_hits_are_paid_in_order(rules, hits, amount, reserve, paid):
    end, awards = pay_hits(
        meter(), TERMS, HouseRules.from_mapping(rules), [hit(7 - n, odds) for n, odds in enumerate(hits)]
    )
    assert end == meter(amount, reserve)
    assert [award.amount for award in awards] == paid


def test_a_meter_that_runs_dry_stays_at_0_and_the_tray_covers_the_rest():
    end, (award,) = pay_hits(meter(20_000), TERMS, HouseRules(fixed_awards_from="meter"), [hit(1, FIXED)])
    assert (end.amount, award.amount, award.source) == (0, 30_000, "meter")


@pytest.mark.parametrize("odds", [JACKPOT, TENTH, FIXED])
def test_backing_out_undoes_an_award_whatever_came_after(odds):
    end, (award,) = pay_hits(meter(), TERMS, HouseRules(fixed_awards_from="meter"), [hit(3, odds)])
    later = coin_in(end, TERMS, Fraction(400))
    assert back_out(later, award) == coin_in(meter(), TERMS, Fraction(400))


def test_hits_on_one_meter_are_not_backed_out_singly():
    _, (award,) = pay_hits(meter(), TERMS, HouseRules(multi_jackpot="same_meter"), [hit(3, TENTH)])
    with pytest.raises(MeterError, match="adjusting it"):
        back_out(meter(), award)


def test_a_manual_adjustment_needs_a_reason_and_money():
    assert adjust(meter(), Fraction(-500), "award keyed twice") == meter(999_500)
    with pytest.raises(MeterError, match="needs a reason"):
        adjust(meter(), Fraction(500), " ")
    with pytest.raises(MeterError, match="cannot be taken off"):
        adjust(meter(100), Fraction(-500), "award keyed twice")


REFUSED = [
    pytest.param({"contribution_rate": Fraction(11, 10)}, "between 0 and 1", id="more than everything"),
    pytest.param({"contribution_rate": Fraction(-1, 10)}, "between 0 and 1", id="less than nothing"),
    pytest.param({"reserve_rate": Fraction(2)}, "between 0 and 1", id="reserve too large"),
    pytest.param({"seed": Fraction(-1)}, "use cents above 0", id="negative seed"),
    pytest.param({"denomination": Fraction(0)}, "use cents above 0", id="no denomination"),
]


@pytest.mark.parametrize(("changes", "fault"), REFUSED)
def test_terms_that_cannot_be_are_refused(changes, fault):
    with pytest.raises(MeterError, match=fault):
        MeterTerms(**({"seed": Fraction(100), "denomination": Fraction(100)} | changes))


def test_a_meter_never_goes_below_0():
    with pytest.raises(MeterError, match="below 0"):
        meter(-1)


def own_table(rate):
    """PMG-01 with a contribution that its maker has set."""
    from dataclasses import replace

    table = bundled_paytables()["PMG-01"]
    return replace(table, progressive=replace(table.progressive, contribution_rate=rate))


WARNINGS = [
    pytest.param({}, {}, None, (), id="as the maker advises"),
    pytest.param({"seed": Fraction(0)}, {}, None, ("The seed is 0",), id="no seed"),
    pytest.param({"seed": Fraction(29_999)}, {}, None, ("below the largest fixed award, $300",), id="small seed"),
    pytest.param({}, {"fixed_awards_from": "meter"}, None, ("may run dry",), id="little contributed"),
    pytest.param({"contribution_rate": Fraction(7, 10)}, {"fixed_awards_from": "meter"}, None, (), id="enough"),
    pytest.param({}, {}, Fraction(1, 5), ("above PMG-01's own 1/5",), id="raised above its own"),
    pytest.param({}, {}, Fraction(1, 4), (), id="its own"),
    pytest.param({"contribution_rate": Fraction(1)}, {}, None, ("exceed 100 %",), id="more than the wager"),
]  # fmt: skip


@pytest.mark.parametrize(("changes", "rules", "own_rate", "expected"), WARNINGS)
def test_warnings_of_the_maker(changes, rules, own_rate, expected):
    terms = {"seed": Fraction(250_000), "denomination": Fraction(100), "contribution_rate": Fraction(1, 4)}
    terms = MeterTerms(**(terms | {"reserve_rate": Fraction(1, 20)} | changes))
    warnings = meter_warnings(own_table(own_rate), terms, HouseRules.from_mapping(rules))
    assert len(warnings) == len(expected)
    assert all(words in warning for words, warning in zip(expected, warnings, strict=True))


def test_a_table_without_fixed_awards_has_no_largest_one():
    table = PayTable("X", "progressive", "s", {"pays": Schedule(())})
    assert meter_warnings(table, TERMS, HouseRules()) == ()
