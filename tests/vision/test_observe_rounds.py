"""The observer over whole simulated rounds, seen without pictures by readers good and poor: never wrong.

The same rounds cut and stored anywhere give the same events.
"""

import numpy as np
import pytest

from datasets.footage.faults import FaultChoice
from datasets.footage.played import play_rounds
from datasets.footage.score import score_rounds
from datasets.footage.simulate import FootageSettings
from datasets.footage.views import NOISY, PERFECT
from vision.observe import observe
from vision.round_state import ObserverState

SEED, ROUNDS = 2, 12
# What no picture can tell: a card of another deck with a face of its own, a card under another in the last hand turned.
UNSEEN = {"foreign-card", "hidden-card", "player-short"}
FAULTS = (
    "player-long,wrong-set,card-twice,exposed-card,dealer-long,out-of-order,late-wager,"
    "hidden-card,player-short,dealer-short,camera-shake,dropped-frames"
)


def play(model, faults, profile="south-dakota", rounds=ROUNDS, seed=SEED):
    settings = FootageSettings(
        seed=seed, rounds=rounds, faults=FaultChoice.parse(faults), profile=profile, pace="fast", seats=6
    )
    table, played = play_rounds(settings, model)
    return table, list(played)


def fold(table, played, state=None):
    state, events = state or ObserverState.start(table), []
    for round_ in played:
        for view in round_.views:
            state, told = observe(state, view)
            events += told
    return state, events


def scores(table, played):
    _, events = fold(table, played)
    truth = [event for round_ in played for event in round_.truth]
    return score_rounds(truth, [round_.line for round_ in played], events)


@pytest.fixture(scope="module")
def seen_well():
    return play(PERFECT, FAULTS)


@pytest.fixture(scope="module")
def seen_badly():
    return play(NOISY, FAULTS, rounds=5)


def verify_never_wrong(found):
    assert not [score for score in found if score.wrong]
    assert not [score for score in found if not score.is_void and any("miscount" in flag for flag in score.false)]
    assert not [score for score in found if any("duplicate" in flag for flag in score.false)]


def test_every_fault_is_found_by_a_good_reader(seen_well):
    found = scores(*seen_well)
    verify_never_wrong(found)
    assert [score for score in found if not score.is_exact and not set(score.faults) & UNSEEN] == []
    assert sum(score.right for score in found) == sum(score.hands for score in found)


def test_a_poor_reader_refuses_and_is_never_wrong(seen_badly):
    found = scores(*seen_badly)
    verify_never_wrong(found)
    hands, right = sum(score.hands for score in found), sum(score.right for score in found)
    assert right >= 0.9 * hands
    assert [score.unsaid for score in found if score.unsaid] == []


@pytest.mark.parametrize("profile", ["prime", "washington", "nemacolin"])
def test_good_rounds_of_other_houses_raise_no_flag(profile):
    table, played = play(PERFECT, "none", profile, rounds=1, seed=5)
    found = scores(table, played)
    assert [score for score in found if not score.is_exact] == []


def test_rounds_begin_and_end_once(seen_well):
    table, played = seen_well
    _, events = fold(table, played)
    kinds = [event.kind for event in events if event.kind in ("round_started", "round_ended")]
    assert kinds[:2] == ["round_started", "round_ended"]
    assert kinds.count("round_started") == kinds.count("round_ended") == len(played)


def test_a_state_stored_between_any_two_frames_goes_on_alike(seen_badly):
    table, played = seen_badly
    views = [view for round_ in played[:3] for view in round_.views]
    whole, state = [], ObserverState.start(table)
    rng = np.random.default_rng(3)
    cuts = set(rng.choice(len(views), 40, replace=False).tolist())
    stored = ObserverState.start(table)
    again = []
    for number, view in enumerate(views):
        state, told = observe(state, view)
        whole += told
        if number in cuts:
            stored = ObserverState.from_json(stored.to_json())
        stored, told = observe(stored, view)
        again += told
    assert [event.to_json() for event in again] == [event.to_json() for event in whole]
    assert stored == state


def test_what_was_observed_is_told_in_time(seen_well):
    delays = [delay for score in scores(*seen_well) for delay in score.delays_s]
    median, most = np.percentile(delays, (50, 95))
    assert median < 0.6
    assert most < 1.2
