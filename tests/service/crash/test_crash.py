"""`kill -9` at random moments, a few of them here; `python -m tests.figures service` does two hundred."""

from tests.service.crash.harness import crash


def test_no_payout_is_lost_or_doubled_and_the_round_goes_on(store_settings):
    outcome = crash(store_settings, kills=4, seed=1)
    assert outcome.faults == []
    assert outcome.kills == 4
    assert outcome.payouts > 0
    assert outcome.readings > 0
    assert outcome.rounds >= 2
