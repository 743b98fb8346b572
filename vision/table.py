"""A table: its game, its camera and its zones, as `table.toml` says it; read, checked, written.

In: a `table.toml`, or a game, a number of seats and a camera. Out: `Table`. A table with a zone that would see
nothing (zones that overlap, leave the felt or the picture, or name a seat that is not there) is refused with
the zone's name.
"""

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from types import MappingProxyType
from typing import Self
from urllib.parse import parse_qsl, quote, urlsplit, urlunsplit

import numpy as np

from vision.camera import Camera
from vision.errors import TableFileError, VisionError
from vision.layout import (
    DEALER,
    DEALER_SPOTS,
    FELT_MM,
    FIXTURES,
    REQUIRED_SPOTS,
    SEAT_SPOTS,
    Zone,
    layout_zones,
    verify_game_and_seats,
)
from vision.places import CARDS, SIDE, SPOT, WORK, places_of
from vision.section import Points, Section

_SECRET_WORDS = ("password", "passwd", "pwd", "pass", "token", "secret")
_TOUCHING_MM2 = 1.0  # neighbours may share an edge
_PLACE_WORDS = {
    WORK: "the work area",
    CARDS: "the place where cards are dealt",
    SIDE: "the place where a folded hand is left",
    SPOT: "the circle of spot",
}


@dataclass(frozen=True, slots=True)
class CameraSettings:
    """What a table file says of its camera."""

    source: str  # device, address, file or recording; never with a password
    size_wh: tuple[int, int]
    corners_px: Points  # where the reference points are seen
    distortion: tuple[float, float, float, float, float]
    corners_mm: Points  # the reference points; usually the felt's corners
    focal_px: float | None = None  # the distortion belongs to it; the picture's width when left out
    password_env: str | None = None  # the environment variable that holds the source's password

    @classmethod
    def from_camera(
        cls,
        camera: Camera,
        source: str,
        felt_mm: tuple[float, float] = FELT_MM,
        password_env: str | None = None,
    ) -> Self:
        """What a camera's file has to say for `to_camera` to give it back."""
        corners_mm = felt_corners_mm(felt_mm)
        corners_px = camera.mm_to_px(corners_mm).round(4)
        if not np.isfinite(corners_px).all():
            raise VisionError(f"this camera does not see the felt's corners {corners_mm}; move it back")
        lens = tuple(float(value) for value in camera.distortion)
        return cls(
            source=source,
            size_wh=camera.size_wh,
            corners_px=_pairs(corners_px.tolist()),
            distortion=lens,  # type: ignore[arg-type]
            corners_mm=corners_mm,
            focal_px=float(camera.matrix[0, 0]),
            password_env=password_env,
        )

    def to_camera(self) -> Camera:
        """The camera that sees the reference points there."""
        return Camera.from_corners(self.corners_mm, self.corners_px, self.size_wh, self.distortion, self.focal_px)

    def source_address(self, environment: Mapping[str, str]) -> str:
        """The source with its password put in, for opening; never for showing or storing."""
        if self.password_env is None:
            return self.source
        if self.password_env not in environment:
            raise VisionError(f"the camera's password is expected in {self.password_env}, which is not set")
        parts = urlsplit(self.source)
        user, _, host = parts.netloc.rpartition("@")
        secret = quote(environment[self.password_env], safe="")
        return urlunsplit(parts._replace(netloc=f"{user}:{secret}@{host}"))


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """One table. `zones` is in the order of the file, by name."""

    name: str
    game: str
    profile: str
    seats: int
    camera: CameraSettings
    zones: Mapping[str, Zone]
    felt_mm: tuple[float, float] = FELT_MM

    def __post_init__(self) -> None:
        object.__setattr__(self, "zones", MappingProxyType(dict(self.zones)))
        _verify_table(self)

    def seat(self, number: int) -> Zone:
        """A seat's zone by its number; 1 is at the dealer's far left."""
        if not 1 <= number <= self.seats:
            raise VisionError(f"seat {number} is not at table {self.name!r}, which has seats 1 to {self.seats}")
        return self.zones[f"seat-{number}"]

    @property
    def dealer(self) -> Zone:
        """The dealer's zone."""
        return self.zones[DEALER]

    def with_camera(self, camera: Camera, source: str | None = None) -> Self:
        """The same table seen by another camera."""
        source = self.camera.source if source is None else source
        return replace(self, camera=CameraSettings.from_camera(camera, source, self.felt_mm))

    def to_toml(self) -> str:
        """The table file; `parse_table` gives the same table back."""
        lines = [
            "[table]",
            f"name = {_quoted(self.name)}",
            f"game = {_quoted(self.game)}",
            f"profile = {_quoted(self.profile)}",
            f"seats = {self.seats}",
            f"felt_mm = {_listed(self.felt_mm)}",
            "",
            *_camera_lines(self.camera),
        ]
        for zone in self.zones.values():
            lines += ["", "[[zone]]", f"name = {_quoted(zone.name)}", f"work = {_listed(zone.work.tolist())}"]
            if zone.spots:
                spots = ", ".join(f"{name} = {_listed(spot)}" for name, spot in zone.spots.items())
                lines.append(f"spots = {{ {spots} }}")
        return "\n".join(lines) + "\n"


def default_table(
    game: str,
    seats: int,
    profile: str,
    camera: Camera,
    *,
    name: str = "Table 1",
    source: str = "recording",
    felt_mm: tuple[float, float] = FELT_MM,
) -> Table:
    """A table with the usual layout, seen by this camera."""
    return Table(
        name=name,
        game=game,
        profile=profile,
        seats=seats,
        camera=CameraSettings.from_camera(camera, source, felt_mm),
        zones={zone.name: zone for zone in layout_zones(game, seats, felt_mm)},
        felt_mm=felt_mm,
    )


def load_table(path: str | Path) -> Table:
    """Read and check a table file."""
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise TableFileError(f"{path}: cannot be read ({error}); give the path of a table.toml") from error
    return parse_table(text, str(path))


def parse_table(text: str, where: str = "table.toml") -> Table:
    """Read and check the text of a table file; `where` names it in messages."""
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise TableFileError(f"{where}: is not TOML: {error}") from error
    root = Section(where, content)
    head, camera, zones = root.section("table"), root.section("camera"), root.sections("zone")
    root.verify_nothing_left()
    felt_mm = head.pair("felt_mm", FELT_MM)
    try:
        table = Table(
            name=head.text("name"),
            game=head.text("game"),
            profile=head.text("profile"),
            seats=head.whole("seats"),
            camera=_read_camera(camera, felt_mm),
            zones=_read_zones(zones, where),
            felt_mm=felt_mm,
        )
        _verify_places(table)
    except TableFileError:
        raise
    except VisionError as error:
        raise TableFileError(f"{where}: {error}") from error
    head.verify_nothing_left()
    return table


def felt_corners_mm(felt_mm: tuple[float, float]) -> Points:
    """The usual reference points: dealer's edge at the dealer's right, left; players' edge left, right."""
    half, depth = felt_mm[0] / 2, felt_mm[1]
    return ((half, 0.0), (-half, 0.0), (-half, depth), (half, depth))


def _read_camera(section: Section, felt_mm: tuple[float, float]) -> CameraSettings:
    size = section.numbers("size_wh", 2)
    if any(side != int(side) for side in size):
        raise TableFileError(f"{section.where}: size_wh = {size} is wrong; write whole numbers of pixels")
    k1, k2, p1, p2, k3 = section.numbers("distortion", 5, (0.0, 0.0, 0.0, 0.0, 0.0))
    settings = CameraSettings(
        source=section.text("source"),
        size_wh=(int(size[0]), int(size[1])),
        corners_px=section.points("corners_px"),
        distortion=(k1, k2, p1, p2, k3),
        corners_mm=section.points("corners_mm", felt_corners_mm(felt_mm)),
        focal_px=section.number("focal_px") if "focal_px" in section else None,
        password_env=section.text("password_env") if "password_env" in section else None,
    )
    section.verify_nothing_left()
    try:
        settings.to_camera()
    except VisionError as error:
        raise TableFileError(f"{section.where}: {error}") from error
    return settings


def _read_zones(sections: list[Section], where: str) -> dict[str, Zone]:
    zones: dict[str, Zone] = {}
    for section in sections:
        name = section.text("name")
        place = Section(f"{where}: zone {name}", section.content)
        if name in zones:
            raise TableFileError(f"{place.where}: is there twice; keep one")
        spots = place.section("spots") if "spots" in place else Section(place.where, {})
        found = {spot: spots.pair(spot) for spot in tuple(spots.content)}
        zones[name] = Zone(name, np.array(place.points("work"), float).reshape(-1, 2), found)
        place.verify_nothing_left()
    return zones


def _verify_table(table: Table) -> None:
    verify_game_and_seats(table.game, table.seats)
    if min(table.felt_mm) <= 0:
        raise VisionError(f"felt_mm = {table.felt_mm}: write width and depth of the felt in millimetres")
    _verify_source(table.camera)
    for zone in table.zones.values():
        _verify_name(zone, table)
        _verify_spots(zone, table)
        _verify_on_felt(zone, table.felt_mm)
    for name in (DEALER, *(f"seat-{number}" for number in range(1, table.seats + 1))):
        if name not in table.zones:
            raise VisionError(f"zone {name}: is missing; add it, or change the number of seats ({table.seats})")
    _verify_apart(table)
    camera = table.camera.to_camera()
    for zone in table.zones.values():
        _verify_in_picture(zone, camera)


def _verify_source(camera: CameraSettings) -> None:
    parts = urlsplit(camera.source)
    secret_keys = [key for key, _ in parse_qsl(parts.query) if key.lower() in _SECRET_WORDS]
    if (parts.scheme and ":" in parts.netloc.rpartition("@")[0]) or secret_keys:
        raise VisionError(
            f"[camera] source of {parts.hostname} carries a password; take it out, put it into a variable of the "
            "environment and write that variable's name as password_env"
        )
    if camera.password_env is not None and "@" not in parts.netloc:
        raise VisionError(f"[camera] source = {camera.source!r} has no user for password_env; write rtsp://user@host/…")


def _verify_name(zone: Zone, table: Table) -> None:
    known = (DEALER, *FIXTURES)
    if zone.name in known or zone.name in {f"seat-{number}" for number in range(1, table.seats + 1)}:
        return
    if zone.seat is not None:
        raise VisionError(f"zone {zone.name}: unknown seat; the table has seat-1 to seat-{table.seats}")
    raise VisionError(f"zone {zone.name}: unknown name; write seat-N or one of {', '.join(known)}")


def _verify_spots(zone: Zone, table: Table) -> None:
    allowed: tuple[str, ...] = ()
    required: tuple[str, ...] = ()
    if zone.seat is not None:
        allowed, required = SEAT_SPOTS[table.game], REQUIRED_SPOTS[table.game]
    elif zone.name == DEALER:
        allowed = DEALER_SPOTS
    for spot in zone.spots:
        if spot not in allowed:
            choice = f"write one of {', '.join(allowed)}" if allowed else "it has none"
            raise VisionError(f"zone {zone.name}: unknown spot {spot!r}; {choice}")
    if missing := [spot for spot in required if spot not in zone.spots]:
        raise VisionError(f"zone {zone.name}: spot {missing[0]!r} is missing; add it to spots")
    for spot, point in zone.spots.items() if zone.seat is not None else ():
        if zone.contains_mm(point):
            raise VisionError(f"zone {zone.name}: spot {spot} at {_listed(point)} lies in its own work area; move it")


def _verify_on_felt(zone: Zone, felt_mm: tuple[float, float]) -> None:
    half, depth = felt_mm[0] / 2, felt_mm[1]
    places = [("work", point) for point in zone.work.tolist()]
    places += [(f"spot {name}", list(spot)) for name, spot in zone.spots.items()]
    for what, (x, y) in places:
        if not (-half <= x <= half and 0 <= y <= depth):
            raise VisionError(
                f"zone {zone.name}: {what} at [{x:g}, {y:g}] mm leaves the felt, which is x {-half:g} to "
                f"{half:g}, y 0 to {depth:g}; move it or correct felt_mm"
            )


def _verify_apart(table: Table) -> None:
    for one, other in combinations(table.zones.values(), 2):
        if (area := one.overlap_mm2(other)) > _TOUCHING_MM2:
            raise VisionError(f"zone {one.name}: work overlaps zone {other.name} by {area:.0f} mm²; move one of them")
        for zone, owner in ((one, other), (other, one)):
            for spot, point in owner.spots.items():
                if zone.contains_mm(point):
                    raise VisionError(
                        f"zone {owner.name}: spot {spot} at {_listed(point)} lies in the work area of "
                        f"{zone.name}; move it"
                    )


def _verify_in_picture(zone: Zone, camera: Camera) -> None:
    outline = np.vstack([zone.outline_mm(), np.array(list(zone.spots.values()), float).reshape(-1, 2)])
    seen = camera.mm_to_px(outline)
    outside = np.flatnonzero(~camera.contains_px(seen))
    if outside.size:
        x, y = outline[outside[0]]
        raise VisionError(
            f"zone {zone.name}: [{x:.0f}, {y:.0f}] mm leaves the picture of {camera.size_wh} pixels, it would "
            f"be at {seen[outside[0]].round(1).tolist()}; turn the camera or correct corners_px"
        )


def _verify_places(table: Table) -> None:
    """What is watched around a spot is larger than the spot, and has to be in the picture too.

    Of a table file alone: a camera that was bumped is followed even where it cuts such a place off.
    """
    camera = table.camera.to_camera()
    for place in places_of(table):
        seen = camera.contains_px(camera.mm_to_px(place.corners_mm))
        if not seen.all():
            x, y = place.corners_mm[int(np.argmin(seen))]
            what = " ".join(filter(None, (_PLACE_WORDS[place.part], place.spot)))
            raise VisionError(
                f"zone {place.zone}: {what} reaches to [{x:.0f}, {y:.0f}] mm, which leaves the picture of "
                f"{camera.size_wh} pixels; turn the camera or correct corners_px"
            )


def _camera_lines(camera: CameraSettings) -> list[str]:
    lines = [
        "[camera]",
        f"source = {_quoted(camera.source)}",
        f"size_wh = {_listed(camera.size_wh)}",
        f"corners_px = {_listed(camera.corners_px)}",
        f"corners_mm = {_listed(camera.corners_mm)}",
        f"distortion = {_listed(camera.distortion)}",
    ]
    if camera.focal_px is not None:
        lines.append(f"focal_px = {_listed(camera.focal_px)}")
    if camera.password_env is not None:
        lines.append(f"password_env = {_quoted(camera.password_env)}")
    return lines


def _pairs(rows: list[list[float]]) -> Points:
    return tuple((float(x), float(y)) for x, y in rows)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _listed(value: object) -> str:
    """A number, or lists of numbers, as TOML; whole ones without a decimal point."""
    if isinstance(value, int | float):
        return str(int(value)) if float(value).is_integer() else repr(float(value))
    if isinstance(value, list | tuple):
        return f"[{', '.join(_listed(item) for item in value)}]"
    raise VisionError(f"{value!r} is not a number or a list of numbers")
