"""Table files: what is written is read, and what would blind a zone is refused by its name."""

from dataclasses import replace
from itertools import combinations

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.camera import Camera
from vision.errors import TableFileError, VisionError
from vision.layout import FELT_MM, GAMES, SEAT_SPOTS, felt_outline_mm
from vision.places import places_of
from vision.table import Table, default_table, load_table, parse_table

OVERHEAD = Camera.from_pose((0, 560, 2700), (0, 560), 2300, (1920, 1080), 0, (-0.04, 0.004, 0, 0, 0))


def make_table(game="four-card-poker", seats=6, **more) -> Table:
    return default_table(game, seats, "south-dakota", OVERHEAD, **more)


def changed(old: str, new: str) -> str:
    text = make_table().to_toml()
    assert old in text
    return text.replace(old, new, 1)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seats", range(1, 8))
def test_what_is_written_is_read(game, seats, tmp_path):
    table = make_table(game, seats)
    path = tmp_path / "table.toml"
    path.write_text(table.to_toml())
    again = load_table(path)
    assert again.to_toml() == table.to_toml()
    assert (again.name, again.game, again.profile, again.seats) == ("Table 1", game, "south-dakota", seats)
    assert again.camera == table.camera
    assert again.zones.keys() == table.zones.keys()
    np.testing.assert_allclose(
        again.camera.to_camera().mm_to_px(felt_outline_mm()), OVERHEAD.mm_to_px(felt_outline_mm()), atol=1e-3
    )


@settings(deadline=None)
@given(
    st.text(min_size=1).filter(lambda text: text.strip() and text.isprintable()), st.text('ab"\\\n\t\x7f é', min_size=1)
)
def test_any_name_is_written_and_read(name, profile):
    if not profile.strip():
        profile = "x"
    table = default_table("four-card-poker", 1, profile, OVERHEAD, name=name)
    again = parse_table(table.to_toml())
    assert (again.name, again.profile) == (name, profile)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seats", range(1, 8))
def test_a_layout_leaves_room(game, seats):
    table = make_table(game, seats)
    for one, other in combinations(table.zones.values(), 2):
        assert one.overlap_mm2(other) == 0, (one.name, other.name)
    for number in range(1, seats + 1):
        zone = table.seat(number)
        assert tuple(zone.spots) == SEAT_SPOTS[game]
        width = np.linalg.norm(zone.work[1] - zone.work[0])
        depth = np.linalg.norm(zone.work[2] - zone.work[1])
        assert width > 255, "five cards of 63 mm, less than a quarter covered"
        assert depth > 110
        outline = felt_outline_mm().astype(np.float32)
        for one, other in combinations(zone.spots.values(), 2):
            assert np.hypot(*np.subtract(one, other)) > 55
        assert min(felt_edge(outline, spot) for spot in zone.spots.values()) > 50


def felt_edge(outline, spot):
    return cv2.pointPolygonTest(outline, spot, True)


def test_seats_run_from_the_dealers_left_to_the_right():
    xs = [make_table().seat(number).centre_mm[0] for number in range(1, 7)]
    assert xs == sorted(xs)
    assert xs[0] < -500
    assert xs[-1] > 500


def test_seats_are_the_mirror_image_of_each_other():
    table = make_table(seats=7)
    np.testing.assert_allclose(table.seat(1).work[:, 0], -table.seat(7).work[[1, 0, 3, 2], 0], atol=1)


def test_cards_are_large_enough_overhead():
    table = make_table(seats=7)
    corners = np.concatenate([zone.work for zone in table.zones.values()])
    card_px = 88 * table.camera.to_camera().px_per_mm(corners)
    assert 70 <= card_px.min() <= card_px.max() <= 95


def test_the_sketched_file_is_read():
    """Only the keys that the design shows: reference points and felt are then the usual ones."""
    lines = [line for line in make_table().to_toml().splitlines() if not line.startswith(("felt_mm", "corners_mm"))]
    table = parse_table("\n".join(lines))
    assert table.felt_mm == FELT_MM
    assert table.to_toml() == make_table().to_toml()


BROKEN = [
    pytest.param("[table]", "[tables]", "'table' is missing", id="no table"),
    pytest.param("[table]", "[table", "is not TOML", id="no TOML"),
    pytest.param('name = "Table 1"', "", r"\[table\]: 'name' is missing; add it", id="key missing"),
    pytest.param('name = "Table 1"', "name = 7", "name = 7 is wrong; write a text", id="wrong type"),
    pytest.param("seats = 6", "seats = 6.5", "seats = 6.5 is wrong; write a whole number", id="half a seat"),
    pytest.param("seats = 6", "seats = true", "seats = True is wrong", id="a seat that is true"),
    pytest.param("seats = 6", "seats = 8", "8 seats; a table has 1 to 7", id="eight seats"),
    pytest.param("seats = 6", "seats = 5", "zone seat-6: unknown seat", id="unknown seat"),
    pytest.param("seats = 6", "seats = 7", "zone seat-7: is missing", id="seat without a zone"),
    pytest.param("seats = 6", "seats = 6\ncolour = 3", "'colour' is not a known key", id="unknown key"),
    pytest.param("four-card-poker", "three-card-poker", "game 'three-card-poker' is not known", id="other game"),
    pytest.param('name = "seat-3"', 'name = "seat-03"', "zone seat-03: unknown seat", id="seat misspelt"),
    pytest.param('name = "seat-3"', 'name = "seat-4"', "zone seat-4: is there twice", id="twice"),
    pytest.param('name = "tray"', 'name = "bar"', "zone bar: unknown name", id="unknown zone"),
    pytest.param("ante = ", "anti = ", "zone seat-1: unknown spot 'anti'", id="unknown spot"),
    pytest.param("cards = ", "sensor2 = ", "unknown spot 'sensor2'", id="another unknown spot"),
    pytest.param(
        "work = [[-225, 150], ", "work = [[-225, 150, 3], ", "zone dealer: work = .* 2 numbers", id="three numbers"
    ),
    pytest.param(
        "work = [[-225, 150], ", "work = [[-225, 1500], ", "zone dealer: .*(crossed|leaves)", id="off the felt"
    ),
    pytest.param(
        "work = [[-300, 8], [300, 8]",
        "work = [[-300, 8], [300, -8]",
        "zone tray: .* leaves the felt",
        id="behind the edge",
    ),
    pytest.param(
        "[225, 400], [-225, 400]]", "[225, 700], [-225, 700]]", "zone dealer: work overlaps zone seat-", id="overlap"
    ),
    pytest.param("[225, 400], [-225, 400]]", "[-225, 400], [225, 400]]", "zone dealer: .* crossed", id="crossed"),
    pytest.param(
        "spots = { hand = [0, 260]", "spots = { hand = [0, 60]", "spot hand .* work area of tray", id="spot in the tray"
    ),
    pytest.param("spots = { hand = [0, 260]", 'spots = { hand = "here"', "hand = 'here' is wrong", id="spot is a text"),
    pytest.param("size_wh = [1920, 1080]", "size_wh = [1920, 540]", "leaves the picture", id="outside the picture"),
    pytest.param("size_wh = [1920, 1080]", "size_wh = [1920]", "size_wh = .* 2 numbers", id="no height"),
    pytest.param(
        "corners_mm = [[1075, 0], [-1075, 0]", "corners_mm = [[-1075, 0], [1075, 0]", "crossed", id="corners crossed"
    ),
    pytest.param("focal_px = 2300", "focal_px = nan", "focal_px = nan is wrong", id="not a number"),
    pytest.param(
        'source = "recording"', 'source = "rtsp://admin:hunter2@10.0.0.12/s"', "carries a password", id="password"
    ),
    pytest.param(
        'source = "recording"', 'source = "http://cam/?user=a&pwd=b"', "carries a password", id="password in the query"
    ),
    pytest.param('source = "recording"', 'source = "cam"\npassword_env = "X"', "has no user", id="password for nobody"),
]


@pytest.mark.parametrize(("old", "new", "message"), BROKEN)
def test_refused(old, new, message):
    with pytest.raises(TableFileError, match=message) as caught:
        parse_table(changed(old, new), "pit/table-12.toml")
    assert str(caught.value).startswith("pit/table-12.toml: ")
    assert str(caught.value).count("table-12.toml") == 1
    assert "hunter2" not in str(caught.value)


def test_a_zone_bent_out_of_the_picture_is_refused():
    near = Camera.from_pose((0, 560, 2700), (0, 560), 2900, (1920, 1080))
    with pytest.raises(VisionError, match=r"zone \S+: .* leaves the picture"):
        default_table("four-card-poker", 6, "x", near)


def test_a_place_cut_off_by_the_picture_is_refused():
    """All zones and spots are in the picture, but not all of what is watched around them."""
    near = Camera.from_pose((0, 560, 2700), (0, 560), 2600, (1920, 1080))
    text = default_table("four-card-poker", 6, "x", near).to_toml()
    with pytest.raises(TableFileError, match=r"zone seat-1: the place where cards are dealt .* leaves the picture"):
        parse_table(text)


def test_a_spot_in_its_own_work_area_is_refused():
    table = make_table()
    zone = table.seat(3)
    middle = tuple(float(value) for value in zone.centre_mm)
    zones = {**table.zones, zone.name: replace(zone, spots={**zone.spots, "cards": middle})}
    with pytest.raises(VisionError, match=r"zone seat-3: spot cards .* lies in its own work area"):
        replace(table, zones=zones)


def test_a_seat_without_a_spot_for_its_cards_is_watched_where_they_usually_lie():
    table = make_table()
    bare = {
        zone.name: replace(zone, spots={name: at for name, at in zone.spots.items() if name != "cards"})
        for zone in table.zones.values()
    }
    usual = {place.name: place.corners_mm for place in places_of(table)}
    for place in places_of(replace(table, zones=bare)):
        np.testing.assert_allclose(place.corners_mm, usual[place.name], atol=2.0)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(TableFileError, match="cannot be read"):
        load_table(tmp_path / "none.toml")


def test_the_password_comes_from_the_environment():
    text = changed('source = "recording"', 'source = "rtsp://eye@10.0.0.12/s"\npassword_env = "CAM_12"')
    camera = parse_table(text).camera
    assert camera.source_address({"CAM_12": "p@ss/word"}) == "rtsp://eye:p%40ss%2Fword@10.0.0.12/s"
    with pytest.raises(VisionError, match="CAM_12, which is not set"):
        camera.source_address({})


def test_an_unknown_seat_is_asked_for():
    with pytest.raises(VisionError, match="seat 7 is not at table 'Table 1'"):
        make_table().seat(7)
