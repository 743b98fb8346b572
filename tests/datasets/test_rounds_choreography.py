"""Rounds on the table: nothing jumps, nothing is lost, and what is to be read lies still and uncovered."""

from itertools import pairwise

import numpy as np
import pytest

from datasets.cameras import camera_preset
from datasets.errors import DatasetError
from datasets.footage.choreography import FAST_ROUND_S, READ_S, Performance, is_clear, perform
from datasets.footage.faults import FAULT_KINDS, Fault
from datasets.footage.houses import TABLE_GAMES, random_house
from datasets.footage.motion import FACE_UP_DEG, Key, Pose, Track, card_corners_mm
from datasets.footage.play import fold_is_left, is_revealed
from datasets.footage.rounds import random_round, random_seats
from vision.events import KINDS
from vision.table import Table, default_table

CARD_MM = (63.0, 88.0)
PROFILES = ("south-dakota", "washington", "prime", "nemacolin")
READ_KINDS = ("player_hand", "dealer_hand", "miscount", "unreadable", "up_card", "exposed_card")
CAMERA = camera_preset("overhead").camera()


def table_for(game: str, seats: int = 6) -> Table:
    return default_table(TABLE_GAMES[game], seats, "south-dakota", CAMERA)


def make_performance(
    index: int, *faults: Fault, pace: str = "fast", seats: int = 6, taken: tuple[int, ...] | None = None
) -> Performance:
    rng = np.random.default_rng([51, index])
    house = random_house(PROFILES[index % len(PROFILES)], rng)
    if taken is not None:
        round_ = random_round(index + 1, house, taken, faults, rng)
        return perform(round_, table_for(house.game, seats), CARD_MM, pace, (51, index))
    taken = random_seats(seats, rng)
    if len(taken) < 2:
        taken = (2, 3)
    round_ = random_round(index + 1, house, taken, faults, rng)
    return perform(round_, table_for(house.game, seats), CARD_MM, pace, (51, index))


@pytest.fixture(scope="module")
def performances() -> list[Performance]:
    table_faults = [fault for fault in Fault if FAULT_KINDS[fault].of != "camera"]
    plain = [make_performance(index) for index in range(12)]
    faulty = [make_performance(100 + index, fault) for index, fault in enumerate(table_faults)]
    return [*plain, *faulty, make_performance(3, pace="real"), make_performance(7, seats=7)]


def test_no_card_jumps(performances: list[Performance]) -> None:
    for performance in performances:
        for card, track in performance.scene.cards.values():
            for before, after in pairwise(track.keys):
                assert after.time_s >= before.time_s
                if before.pose != after.pose:
                    assert after.time_s - before.time_s >= 0.02, (card.text, before, after)
            times = np.arange(track.start_s, track.end_s, 0.01)
            places = np.array([track.at(time_s).xy_mm for time_s in times])
            assert np.linalg.norm(np.diff(places, axis=0), axis=1).max(initial=0) < 150


def test_every_dealt_card_comes_from_the_shuffler_or_the_deck_and_ends_out_of_play(
    performances: list[Performance],
) -> None:
    for performance in performances:
        round_ = performance.round
        dealt = {card.number for card in round_.dealer} | {c.number for plan in round_.seats for c in plan.cards}
        shown = set(performance.scene.cards)
        rest = {card.number for card in round_.rest}
        assert dealt <= shown
        assert shown - dealt <= rest
        assert dealt | rest == set(range(52))
        for _, track in performance.scene.cards.values():
            assert track.end_s < performance.scene.end_s
            start, end = track.keys[0].pose, track.keys[-1].pose
            assert start.y_mm < 220  # the shuffler's mouth or the dealer's hands
            assert end.y_mm < 220  # the rack or the shuffler
            assert not end.is_face_up


def test_a_fast_round_fits_and_what_is_revealed_is_left_alone(performances: list[Performance]) -> None:
    for performance in performances:
        if performance.round.number != 4:
            assert performance.scene.end_s <= FAST_ROUND_S or performance.scene.end_s > 30  # the one at real pace
        for one in performance.happenings:
            if one.kind in READ_KINDS[:4]:
                for time_s in np.arange(one.time_s, one.time_s + READ_S, 0.04):
                    assert is_clear(performance.scene, one.numbers, float(time_s), CARD_MM, margin_mm=0), one


def test_a_real_round_takes_its_time() -> None:
    assert 30 < make_performance(3, pace="real").scene.end_s < 100


def test_revealed_hands_lie_face_up_in_their_zone(performances: list[Performance]) -> None:
    for performance in performances:
        table = table_for(performance.round.house.game, 7 if performance.round.number == 8 else 6)
        for one in performance.happenings:
            if one.kind not in ("player_hand", "dealer_hand") or one.zone is None:
                continue
            if performance.round.number == 8:
                continue
            for number in one.numbers:
                pose = performance.scene.cards[number][1].at(one.time_s)
                assert pose.flip_deg == FACE_UP_DEG
                assert table.zones[one.zone].contains_mm(pose.xy_mm), (one.zone, pose)


def test_cards_are_dealt_from_the_dealers_left_to_right(performances: list[Performance]) -> None:
    for performance in performances:
        seats = [one.zone for one in performance.happenings if one.kind == "cards_dealt" and one.zone != "dealer"]
        firsts = {
            plan.name: min(performance.scene.cards[card.number][1].start_s for card in plan.cards)
            for plan in performance.round.seats
        }
        assert sorted(seats) == sorted(firsts)
        assert list(firsts.values()) == sorted(firsts.values())
        dealer = min(performance.scene.cards[card.number][1].start_s for card in performance.round.dealer)
        assert dealer > max(firsts.values())


def test_hands_are_turned_from_the_dealers_right_and_every_one_that_should_be() -> None:
    for index in range(12):
        performance = make_performance(index)
        told = [one.zone for one in performance.happenings if one.kind == "player_hand"]
        due = [plan.name for plan in reversed(performance.round.seats) if is_revealed(performance.round, plan)]
        assert told == due


def test_happenings_are_in_order_and_known_to_the_event_language(performances: list[Performance]) -> None:
    for performance in performances:
        times = [one.time_s for one in performance.happenings]
        assert times == sorted(times)
        kinds = [one.kind for one in performance.happenings]
        assert set(kinds) <= set(KINDS)
        assert kinds[0] == "round_started"
        assert kinds[-1] in ("round_ended", "bet_spot_changed")
        assert kinds.count("round_started") == kinds.count("round_ended") == 1


TABLE_FAULTS = [
    pytest.param(fault, kind.event, id=str(fault))
    for fault, kind in FAULT_KINDS.items()
    if kind.of != "camera" and kind.event
]


@pytest.mark.parametrize(("fault", "event"), TABLE_FAULTS)
def test_every_fault_of_the_table_is_told(fault: Fault, event: str) -> None:
    for index in range(3):
        performance = make_performance(200 + index, fault)
        told = [one for one in performance.happenings if one.kind == event]
        assert told, fault
        plan = performance.round.fault(fault)
        assert plan is not None
        assert plan.zone in {one.zone for one in told} or fault is Fault.CARD_TWICE
        assert fault is not Fault.LATE_WAGER or any(one.fields["late"] for one in told)


def test_a_good_round_tells_of_no_fault() -> None:
    events = {kind.event for kind in FAULT_KINDS.values()} - {"bet_spot_changed"}
    for index in range(8):
        kinds = {one.kind for one in make_performance(index).happenings}
        assert not kinds & events
        assert "round_void" not in kinds


def test_a_miscount_is_told_early_when_the_backs_lie_apart() -> None:
    early, late = 0, 0
    for index in range(300, 330):
        performance = make_performance(index, Fault.PLAYER_LONG)
        (miscount,) = (one for one in performance.happenings if one.kind == "miscount")
        void = next(one for one in performance.happenings if one.kind == "round_void")
        assert void.time_s <= miscount.time_s + 0.2
        assert miscount.fields["expected"] == 5
        assert miscount.fields["seen"] == 6
        is_early = not any(one.kind == "dealer_hand" for one in performance.happenings if one.time_s < miscount.time_s)
        assert is_early == performance.round.manner.apart
        early, late = early + is_early, late + (not is_early)
    assert early > 3
    assert late > 3


def test_folds_go_where_the_documents_say() -> None:
    left: set[str] = set()
    for index in range(30):
        performance = make_performance(index)
        for plan in performance.round.seats:
            if plan.decision != "fold":
                continue
            (fold,) = (o for o in performance.happenings if o.kind == "fold" and o.zone == plan.name)
            assert fold.fields["left"] == fold_is_left(performance.round, plan)
            left.add(str(fold.fields["left"]))
    assert left == {"taken", "sensor", "bonus", "kept"}


@pytest.mark.parametrize("index", [pytest.param(0, id="cards taken"), pytest.param(11, id="left by the sensor")])
def test_the_dealers_hand_can_be_read_though_everybody_folded(index: int) -> None:
    performance = make_performance(index, taken=(2,))
    assert [plan.decision for plan in performance.round.seats] == ["fold"]
    assert performance.round.manner.settle == "lay-and-pay"
    (shown,) = (one for one in performance.happenings if one.kind == "dealer_hand")
    for time_s in np.arange(shown.time_s, shown.time_s + READ_S, 0.04):
        assert is_clear(performance.scene, shown.numbers, float(time_s), CARD_MM, margin_mm=0)
    assert performance.happenings[-1].kind == "round_ended"


def test_progressive_chips_are_off_and_the_sensor_lit_before_the_deal(performances: list[Performance]) -> None:
    for performance in performances:
        started = next(one.time_s for one in performance.happenings if one.kind == "round_started")
        for plan in performance.round.seats:
            if "progressive" in plan.wagers:
                on_s, off_s = performance.scene.lights[plan.name]
                assert on_s < started < off_s
                pile = next(pile for pile in performance.scene.piles if pile.name == f"{plan.name}:sensor")
                assert pile.track.end_s < started


def test_an_unknown_pace_is_refused() -> None:
    with pytest.raises(DatasetError, match="'slow' is no pace; choose real or fast"):
        make_performance(1, pace="slow")


def test_a_track_rests_between_its_moves() -> None:
    there = Pose(10.0, 0.0)
    track = Track((Key(0.0, Pose(0.0, 0.0)), Key(1.0, there), Key(2.0, there), Key(3.0, Pose(10.0, 5.0))))
    assert track.rests() == ((1.0, 2.0),)
    assert [track.is_at_rest(time_s) for time_s in (0.5, 1.5, 2.5)] == [False, True, False]
    assert track.at(0.5) == Pose(5.0, 0.0)
    assert not track.is_present(3.0)


def test_a_card_face_up_is_seen_clockwise_and_face_down_the_other_way() -> None:
    for flip_deg, sign in ((FACE_UP_DEG, 1), (0.0, -1)):
        corners, heights = card_corners_mm(Pose(100.0, 200.0, 0.0, 30.0, flip_deg), CARD_MM)
        x, y = CAMERA.mm_to_px(corners, heights).T
        area = np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y)
        assert np.sign(area) == sign
        assert np.allclose(np.linalg.norm(corners[1] - corners[0]), 63)
        assert np.allclose(corners.mean(axis=0), (100, 200))
