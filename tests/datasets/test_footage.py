"""Footage: labels lie on the cards they name, the truth agrees with `game`, the same seed gives the same bytes."""

import hashlib
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets.cameras import CameraPreset, camera_preset
from datasets.decks.deck import load_deck
from datasets.errors import DatasetError
from datasets.footage.choreography import READ_S
from datasets.footage.demo import SCRIPTS, scripted_round
from datasets.footage.faults import FAULT_KINDS, Fault, FaultChoice
from datasets.footage.film import blend_layers, merge_rects
from datasets.footage.outages import READ_S as LEFT_ALONE_S
from datasets.footage.outages import corrupt, gain_of, plan_outages, shift_matrix
from datasets.footage.play import Happening
from datasets.footage.simulate import FootageSettings, build_set, film_rounds, random_performances, simulate_footage
from datasets.footage.truth import CARDS, CardTruth, cards_by_frame
from datasets.picture.compose import Layer
from game.cards import Card
from game.settlement import settle_case
from vision.recording import Recording, open_recording, verify_recording

DECK = "drawn-000003"
LASTING = (Fault.CAMERA_SHIFT, Fault.EXPOSURE_JUMP)
CAMERA_FAULTS = [f for f, kind in FAULT_KINDS.items() if kind.of == "camera" and f not in LASTING] + [*LASTING]


def small(name: str, size_wh: tuple[int, int], fps: int = 25) -> CameraPreset:
    return replace(camera_preset(name), size_wh=size_wh, fps=fps)


def film(folder: Path, preset: CameraPreset, **wanted: object) -> Recording:
    settings = FootageSettings(decks=DECK, pace="fast", **wanted)  # type: ignore[arg-type]
    numbers = range(settings.rounds)
    film_rounds(folder, build_set(settings, 0, preset), random_performances(settings, numbers, 0))
    return open_recording(folder)


@pytest.fixture(scope="module")
def tilted(tmp_path_factory: pytest.TempPathFactory) -> Recording:
    """One clean round at a scale at which cards can be told apart, few frames a second."""
    folder = tmp_path_factory.mktemp("footage") / "tilted"
    return film(folder, small("tilt-30", (1280, 720), fps=10), seed=6, profile="washington")


def test_truth_settles_by_game_to_what_the_round_line_says(tilted: Recording) -> None:
    (line,) = tilted.truth_rounds
    assert settle_case(line["input"]) == line["settlement"]
    hands = {event.zone: event.cards for event in tilted.truth if event.kind == "player_hand"}
    stated = {f"seat-{seat['seat']}": seat["cards"] for seat in line["input"]["seats"]}  # type: ignore[index]
    assert hands
    for zone, cards in hands.items():
        assert sorted(str(card) for card in cards or ()) == sorted(stated[zone or ""])
    (dealer,) = (event for event in tilted.truth if event.kind == "dealer_hand")
    best = [set(four) for four in line["settlement"]["dealer"]["best_four_any_of"]]  # type: ignore[index]
    assert {str(card) for card in dealer.set_in_front or ()} in best


def test_labels_lie_on_the_cards_they_name(tilted: Recording) -> None:
    """Each revealed card, warped upright by its stated corners, looks like its own art more than like any other."""
    deck = load_deck(DECK)
    arts = {card: _thumbnail(art[..., :3]) for card, art in deck.faces.items()}
    cards = list(cards_by_frame(tilted.lines(CARDS), tilted.frame_count))
    checked = 0
    for event in tilted.truth:
        if event.kind not in ("player_hand", "dealer_hand"):
            continue
        number = event.frame + 1
        frame = next(f for f in tilted.frames(float(tilted.times_s[number])) if f.number == number)
        seen = [c for c in cards[number] if c.is_face_up and c.card in {str(x) for x in event.cards or ()}]
        assert len(seen) == len(event.cards or ())
        for truth in seen:
            assert not truth.is_moving
            if truth.visible < 0.97:
                continue
            upright = _thumbnail(_warp(frame.image_bgr, truth))
            scores = {card: _correlation(upright, art) for card, art in arts.items()}
            assert max(scores, key=lambda card: scores[card]) == Card.parse(truth.card), truth
            checked += 1
    assert checked >= 6


def _warp(picture: np.ndarray, truth: CardTruth) -> np.ndarray:
    quad = np.array(truth.quad_px, np.float32).reshape(4, 2)
    corners = np.array([[0, 0], [126, 0], [126, 176], [0, 176]], np.float32) - np.float32(0.5)
    return cv2.warpPerspective(picture, cv2.getPerspectiveTransform(quad, corners), (126, 176))


def _thumbnail(picture: np.ndarray) -> np.ndarray:
    small_picture = cv2.resize(picture, (42, 58), interpolation=cv2.INTER_AREA).astype(np.float32)
    return cv2.GaussianBlur(small_picture, (0, 0), 0.8)[2:-2, 2:-2]


def _correlation(one: np.ndarray, other: np.ndarray) -> float:
    return float(np.corrcoef(one.ravel(), other.ravel())[0, 1])


def test_revealed_hands_are_visible_in_the_picture_as_long_as_promised(tilted: Recording) -> None:
    cards = list(cards_by_frame(tilted.lines(CARDS), tilted.frame_count))
    for event in tilted.truth:
        if event.kind not in ("player_hand", "dealer_hand"):
            continue
        names = {str(card) for card in event.cards or ()}
        times = tilted.times_s
        frames = [n for n in range(len(times)) if event.time_s <= times[n] < event.time_s + READ_S]
        rows = [{c.card: (c.visible, c.quad_px) for c in cards[n] if c.card in names} for n in frames]
        assert all(row == rows[0] for row in rows), event  # nothing moves, nothing comes over it
        assert set(rows[0]) == names
        assert min(visible for visible, _ in rows[0].values()) > 0.2


def test_events_are_ordered_and_name_a_frame_at_or_after_their_time(tilted: Recording) -> None:
    times = [event.time_s for event in tilted.truth]
    assert times == sorted(times)
    for event in tilted.truth:
        assert tilted.times_s[event.frame] >= event.time_s - 1e-3
        assert tilted.times_s[event.frame] - event.time_s <= 0.1 + 1e-3


def test_noise_differs_from_frame_to_frame(tilted: Recording) -> None:
    first, second, *_ = (frame.image_bgr for frame in tilted.frames(0.0, 0.5))
    assert 0.3 < np.abs(first.astype(int) - second).mean() < 6


def test_the_same_seed_gives_the_same_bytes_and_another_does_not(tmp_path: Path) -> None:
    preset = small("glare", (320, 180), fps=3)
    digests = []
    for name, seed in (("a", 4), ("b", 4), ("c", 5)):
        film(tmp_path / name, preset, seed=seed, faults=FaultChoice.parse("random"))
        verify_recording(tmp_path / name)
        files = sorted((tmp_path / name).iterdir())
        digests.append([hashlib.sha256(path.read_bytes()).hexdigest() for path in files])
    assert digests[0] == digests[1]
    assert digests[0] != digests[2]


@pytest.fixture(scope="module")
def troubled(tmp_path_factory: pytest.TempPathFactory) -> Recording:
    """One round for each fault of the camera; what lasts is in the last two."""
    folder = tmp_path_factory.mktemp("footage") / "troubled"
    faults = FaultChoice(tuple(CAMERA_FAULTS))
    return film(folder, small("overhead", (320, 180), fps=5), seed=2, rounds=len(CAMERA_FAULTS), faults=faults)


@pytest.mark.parametrize("fault", [pytest.param(fault, id=str(fault)) for fault in CAMERA_FAULTS])
def test_every_fault_of_the_camera_is_told_and_seen(fault: Fault, troubled: Recording) -> None:
    number = CAMERA_FAULTS.index(fault) + 1
    events = [event for event in troubled.truth if event.round == number]
    (event,) = (event for event in events if event.kind == FAULT_KINDS[fault].event)
    times = troubled.times_s
    assert (times[event.frame] - times[event.frame - 1] > 0.35) == (fault is Fault.DROPPED_FRAMES)
    if FAULT_KINDS[fault].event == "source_lost":
        (back,) = (other for other in events if other.kind == "source_back")
        assert back.time_s > event.time_s
        assert back.reason == event.reason
    before, after = (f.image_bgr for f in troubled.frames(times[event.frame - 1], times[event.frame] + 0.01))
    change = float(np.abs(after.astype(int) - before).mean())
    if fault is Fault.FROZEN_FRAMES:
        assert change < 1.0
    elif fault is not Fault.DROPPED_FRAMES:
        assert change > 1.5


def test_outages_leave_hands_readable() -> None:
    reads = [Happening("player_hand", time_s) for time_s in (6.0, 8.1, 10.2)]
    for index in range(60):
        rng = np.random.default_rng(index)
        (outage,) = plan_outages([Fault.FROZEN_FRAMES], reads, 14.0, rng)
        assert 0.4 <= outage.end_s - outage.start_s <= 2.5
        for read in reads:
            assert outage.end_s <= read.time_s or outage.start_s >= read.time_s + LEFT_ALONE_S - 0.01


def test_a_lasting_shift_moves_picture_and_labels_alike() -> None:
    (outage,) = plan_outages([Fault.CAMERA_SHIFT], [], 10.0, np.random.default_rng(3))
    assert shift_matrix([outage], outage.start_s - 0.1, (1920, 1080)) is None
    matrix = shift_matrix([outage], 9e9, (1920, 1080))
    assert matrix is not None
    middle = matrix @ np.array([960, 540, 1])
    assert np.allclose(middle - (960, 540), outage.amount[:2], atol=0.01)
    assert gain_of([outage], 9e9) == 1.0


def test_corrupted_frames_differ_and_repeat_by_number() -> None:
    frame = np.full((180, 320, 3), 90, np.uint8)
    frame[::7] = 200
    assert np.array_equal(corrupt(frame, 1, 5), corrupt(frame, 1, 5))
    assert not np.array_equal(corrupt(frame, 1, 5), frame)


def test_split_gives_one_recording_a_round(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("datasets.footage.simulate.camera_preset", lambda name: small(name, (320, 180), fps=2))
    done: list[tuple[int, int]] = []
    settings = FootageSettings(seed=3, rounds=2, decks=DECK, pace="fast", profile="prime")
    folders = simulate_footage(tmp_path, settings, split=True, progress=lambda *args: done.append(args))
    assert [folder.name for folder in folders] == ["round-0001", "round-0002"]
    assert done == [(1, 2), (2, 2)]
    for folder in folders:
        assert len(open_recording(folder).truth_rounds) == 1


def test_no_rounds_and_unknown_names_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="0 rounds make no footage"):
        simulate_footage(tmp_path, FootageSettings(rounds=0))
    with pytest.raises(DatasetError, match="'periscope' is no camera preset"):
        simulate_footage(tmp_path, FootageSettings(camera="periscope"))


def test_the_demo_has_a_void_a_trips_bonus_and_a_bad_beat() -> None:
    rounds = [scripted_round(number, script) for number, script in enumerate(SCRIPTS, 1)]
    assert [one.settlement["status"] for one in rounds] == ["settled", "settled", "void"]
    loser, winner, _ = rounds[1].settlement["seats"]
    assert (winner["category"], winner["comparison"]) == ("three_of_a_kind", "player_wins")
    assert winner["wagers"]["automatic_bonus"]["profit"] == "5000"
    assert (loser["category"], loser["comparison"]) == ("three_of_a_kind", "dealer_wins")
    assert loser["wagers"]["bad_beat_bonus"]["result"] == "win"


def test_the_bundled_demo_is_whole_and_small() -> None:
    demo = Path(__file__).parents[2] / "datasets" / "demo"
    verify_recording(demo)
    recording = open_recording(demo)
    assert 80 < recording.duration_s < 100
    assert sum(path.stat().st_size for path in demo.iterdir()) < 8_000_000
    assert [line["settlement"]["status"] for line in recording.truth_rounds] == [  # type: ignore[index]
        "settled",
        "settled",
        "void",
    ]


def test_overlapping_rectangles_are_joined() -> None:
    assert merge_rects([]) == []
    joined = merge_rects([(0, 0, 4, 4), (2, 2, 6, 6), (10, 0, 12, 2), (5, 5, 11, 8)])
    assert sorted(joined) == [(0, 0, 12, 8), (10, 0, 12, 2)] or joined == [(0, 0, 12, 8)]


def test_a_moving_thing_is_the_mean_of_its_places() -> None:
    one, two = (Layer((x, 0), np.full((2, 2, 4), 200, np.uint8)) for x in (0, 2))
    mixed = blend_layers([one, two])
    assert mixed is not None
    assert mixed.bgra.shape == (2, 4, 4)
    assert (mixed.bgra == 100).all()
    assert blend_layers([]) is None
