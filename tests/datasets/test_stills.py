"""Stills: labels that tell the truth, even counts, the same bytes for the same seed."""

from dataclasses import replace

import numpy as np
import pytest

from datasets.decks.deck import load_deck
from datasets.errors import DatasetError
from datasets.stills.index_area import index_area
from datasets.stills.label_check import check_still
from datasets.stills.labels import StillLabel, count_cards, orientation, read_labels, targets
from datasets.stills.presets import parse_still_presets, still_preset, still_presets
from datasets.stills.scenes import ARRANGEMENTS, Lie, arrange, curl, move, reach_mm
from datasets.stills.simulate import make_still, write_stills
from game.cards import DECK

TWO_CORNERS, FOUR_CORNERS = "drawn-000035", "drawn-000063"
QUICK = """
[quick]
says = "small and cheap"
sizes_wh = [[160, 160]]
card_px = [50, 70]
tilt_deg = 20
cards = [1, 6]
backs = 0.1
others = 0.05
hands = 0.0
chips = 0.0
clutter = 0.0
harshness = 0.3
squeeze = 0.0
surfaces = "felt"
arrangements = { scatter = 1, row = 1, fan = 1 }
"""


def quick_preset(**changes):
    return replace(parse_still_presets(QUICK)["quick"], **changes)


@pytest.fixture(scope="module")
def stills():
    """A few pictures of each kind that figures are measured on, of a deck with two and a deck with four indices."""
    made = []
    for name, deck in (
        ("count", TWO_CORNERS),
        ("fans", TWO_CORNERS),
        ("bench-80", FOUR_CORNERS),
        ("bench-50-80", TWO_CORNERS),
        ("train", FOUR_CORNERS),
    ):
        preset = still_preset(name)
        made += [make_still(11, number, replace(preset, harshness=0.4), deck) for number in range(6)]
    return made


def checks(stills):
    return [check for still in stills for check in check_still(still.picture, still.label, load_deck)]


def mislabelled(still, change):
    return replace(still, label=replace(still.label, cards=tuple(change(card) for card in still.label.cards)))


def agree(found):
    """Whether a set's labels are true: almost every patch looks like its card, and more so than like any other."""
    clean = [check for check in found if check.height_px >= 30]
    likeness = np.array([check.agreement for check in clean])
    named = np.mean([check.likeliest == check.stated for check in clean])
    # Not quite all: where an index is a few pixels small, an eight and a six of a suit look the same to a correlation.
    return bool(likeness.mean() > 0.9 and np.quantile(likeness, 0.02) > 0.6 and named > 0.96)


def test_every_stated_patch_looks_like_its_decks_art(stills):
    found = checks(stills)
    assert len(found) > 150
    assert agree(found)


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(
            lambda card: card if card.card is None else replace(card, card=DECK[(card.card.index + 4) % 52]),
            id="another rank",
        ),
        pytest.param(
            lambda card: (
                card
                if card.card is None
                else replace(card, card=DECK[card.card.index // 4 * 4 + (card.card.index + 1) % 4])
            ),
            id="another suit",
        ),
        pytest.param(
            lambda card: replace(
                card,
                patches=tuple(replace(p, keypoints_px=np.roll(p.keypoints_px, 1, axis=0)) for p in card.patches),
            ),
            id="key points begin elsewhere",
        ),
        pytest.param(
            lambda card: replace(
                card, patches=tuple(replace(p, keypoints_px=p.keypoints_px[[1, 0, 3, 2]]) for p in card.patches)
            ),
            id="mirrored",
        ),
        pytest.param(
            lambda card: replace(
                card, patches=tuple(replace(p, keypoints_px=p.keypoints_px + np.array([9, 6])) for p in card.patches)
            ),
            id="shifted",
        ),
    ],
)
def test_the_check_catches_a_generator_that_mislabels(stills, change):
    assert not agree(checks([mislabelled(still, change) for still in stills]))


def test_no_order_of_points_is_mirrored(stills):
    quads = [card.quad_px for still in stills for card in still.label.cards]
    quads += [target.keypoints_px for still in stills for target in targets(still.label)]
    assert min(orientation(quad) for quad in quads) > 0


def test_patches_begin_at_the_cards_corner(stills):
    for card in (card for still in stills for card in still.label.cards):
        for patch in card.patches:
            corner = {"upper-left": 0, "upper-right": 1, "lower-right": 2, "lower-left": 3}[patch.corner]
            outer = 0 if patch.corner in ("upper-left", "lower-right") else 1
            assert patch.keypoints_px[outer] == pytest.approx(card.quad_px[corner], abs=1e-6)


def test_only_faces_have_indices(stills):
    for card in (card for still in stills for card in still.label.cards):
        assert bool(card.patches) == (card.face == "up")
        assert 0 <= card.visibility <= 1


def test_cards_to_be_counted_are_wholly_visible():
    preset = replace(still_preset("count"), chips=0.0, clutter=0.0)
    for number in range(6):
        label = make_still(3, number, preset, TWO_CORNERS).label
        assert 1 <= len(label.cards) <= 8
        for card in label.cards:
            # Cards of a row that were bent may touch; none is hidden.
            assert card.visibility > 0.9


def test_each_card_comes_up_equally_often():
    counts = count_cards(make_still(7, n, quick_preset(), TWO_CORNERS).label for n in range(208))
    assert counts.min() > 0.55 * counts.mean()
    assert counts.max() < 1.5 * counts.mean()
    random_deviation = np.sqrt(counts.mean())
    assert counts.std() < 0.75 * random_deviation


def test_a_picture_holds_no_card_twice():
    for number in range(20):
        faces = [card.card for card in make_still(9, number, quick_preset(), TWO_CORNERS).label.cards if card.card]
        assert len(set(faces)) == len(faces)


def test_same_seed_same_bytes_however_many_processes(tmp_path):
    for folder, workers in (("one", 1), ("two", 2)):
        write_stills(tmp_path / folder, 10, preset="backs", decks=TWO_CORNERS, seed=4, workers=workers)
    files = sorted(path.relative_to(tmp_path / "one") for path in (tmp_path / "one").rglob("*") if path.is_file())
    assert len(files) == 3 * 10 + 3
    for name in files:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes(), name


def test_a_written_set_reads_back_and_tells_its_progress(tmp_path):
    told = []
    write_stills(
        tmp_path / "set", 3, preset="count", decks=TWO_CORNERS, png=True, progress=lambda *done: told.append(done)
    )
    labels = list(read_labels(tmp_path / "set" / "labels.jsonl"))
    assert told[-1] == (3, 3)
    assert [label.image for label in labels] == [f"images/{n:06d}.png" for n in range(3)]
    assert all((tmp_path / "set" / label.image).exists() for label in labels)
    assert isinstance(labels[0], StillLabel)


def test_a_whole_table_is_labelled_right():
    still = make_still(1, 0, still_preset("table-1080p"), TWO_CORNERS)
    assert still.picture.shape == (1080, 1920, 3)
    heights = [card.height_px for card in still.label.cards]
    assert min(heights) > 55
    assert max(heights) < 110
    found = checks([still])
    assert len(found) > 5
    assert np.mean([check.agreement for check in found]) > 0.8


@pytest.mark.parametrize("kind", ARRANGEMENTS)
def test_arrangements_pile_upwards_about_the_origin(kind):
    lies = arrange(kind, np.random.default_rng(0), 5, (63.0, 88.0))
    assert [lie.z_mm for lie in lies] == sorted(lie.z_mm for lie in lies)
    assert np.mean([lie.at_mm for lie in lies], axis=0) == pytest.approx([0, 0], abs=1e-9)
    moved = move(lies, (10, 20), 1.0)
    assert moved[0].angle_rad == pytest.approx(lies[0].angle_rad + 1)
    assert reach_mm(lies, (63.0, 88.0)) >= np.hypot(63, 88) / 2 - 1e-9
    assert len(curl(lies, np.random.default_rng(0), 1.0)) == len(lies)


def test_a_bent_card_rises_at_its_edges_and_never_sinks():
    corners = np.array([[0.0, 0], [63, 0], [63, 88], [0, 88], [31.5, 44]])
    for lie in (Lie((0, 0), 0.3, bend_mm=4), Lie((0, 0), 0.3, bend_mm=-4), Lie((0, 0), 0, lift=(0.1, -0.1))):
        heights = lie.place(corners, (63.0, 88.0))[1]
        assert heights.min() >= -1e-9
        assert heights.max() > 3


def test_the_index_area_is_a_part_of_its_patch_on_the_outer_side():
    for name in (TWO_CORNERS, FOUR_CORNERS):
        deck = load_deck(name)
        for corner in deck.index_corners:
            left, top, right, bottom = index_area(deck, corner)
            assert 0 <= left < right <= 1
            assert 0 <= top < bottom < 0.95


BROKEN = [
    pytest.param({"preset": "nonsense"}, "no preset of stills", id="unknown preset"),
    pytest.param({"count": 0}, "1 or more", id="no pictures"),
    pytest.param({"decks": "no-such-deck"}, "no-such-deck", id="unknown deck"),
]


@pytest.mark.parametrize(("wrong", "message"), BROKEN)
def test_wrong_requests_are_refused(tmp_path, wrong, message):
    request = {"count": 2, "preset": "count", "decks": TWO_CORNERS} | wrong
    with pytest.raises(DatasetError, match=message):
        write_stills(tmp_path / "set", request.pop("count"), **request)


def test_a_folder_in_use_is_refused(tmp_path):
    (tmp_path / "note.txt").write_text("mine")
    with pytest.raises(DatasetError, match="not empty"):
        write_stills(tmp_path, 1, decks=TWO_CORNERS)


def test_presets_are_committed_and_sound():
    names = set(still_presets())
    assert {"train", "bench-80", "bench-50-80", "table-1080p", "fans", "count", "backs", "harsh"} <= names


@pytest.mark.parametrize(
    ("line", "message"),
    [
        pytest.param("colour = 1", "colour", id="unknown key"),
        pytest.param('surfaces = "sand"', "sand", id="unknown surface"),
    ],
)
def test_wrong_presets_are_refused_by_name(line, message):
    text = QUICK.replace('surfaces = "felt"', line)
    with pytest.raises(DatasetError, match=f"quick.*{message}"):
        parse_still_presets(text)
