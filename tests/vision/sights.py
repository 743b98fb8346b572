"""Builders for tests of the observer: table views written as short texts, frame by frame."""

from dataclasses import replace

from game.cards import Card
from tests.vision.test_table import make_table
from vision.observe import observe
from vision.round_state import ObserverState
from vision.view import PlaceView, SeenFace, TableView

FPS = 25
STEP_MM = 40.0
FRONT_MM, BEHIND_MM = 332.0, 205.0
UP_CARD_MM = (172.0, 330.0)
EMPTY_SPOT, CHIPS = (0,) * 75, (9,) * 75


def face(text, at_mm):
    """`As` a card that is read, `?` one that is not."""
    if text.startswith("?"):
        return SeenFace(None, 0.4, at_mm, text[1:] or "unclear")
    return SeenFace(Card.parse(text), 0.999, at_mm)


def hand(zone, cards, *, step=STEP_MM, look=1, last=True, left=0.0, part="work"):
    """A row of cards in a work area: `hand("seat-4", "As Kd ?covered")`."""
    faces = tuple(face(text, (number * step, 500.0)) for number, text in enumerate(cards.split()))
    return PlaceView(zone, part, None, faces, look=look, is_last=last, leftover=left)


def backs(zone, count=1, *, part="cards", step=27.0, look=1, left=0.0, exposed=""):
    """Cards face down: one packet, or several side by side."""
    at = tuple((number * step, 700.0) for number in range(count))
    faces = tuple(face(text, (300.0 + 27 * number, 700.0)) for number, text in enumerate(exposed.split()))
    return PlaceView(zone, part, None, faces, at, look, leftover=left)


def dealer_deal(up="Kd", count=1):
    """The dealer's packet and his up card."""
    at = tuple((number * 27.0 - 60, 260.0) for number in range(count))
    return PlaceView("dealer", "work", None, (face(up, UP_CARD_MM),) if up else (), at)


def dealer_hand(front, rest, **more):
    """Four in front, two behind."""
    faces = [face(text, (number * 66.0 - 100, FRONT_MM)) for number, text in enumerate(front.split())]
    faces += [face(text, (number * 66.0 - 33, BEHIND_MM)) for number, text in enumerate(rest.split())]
    return PlaceView("dealer", "work", None, tuple(faces), **more)


def empty(zone, part="work"):
    return PlaceView(zone, part, None)


def spot(zone, name, texture=CHIPS):
    return PlaceView(zone, "spot", name, texture=texture, is_occupied=texture != EMPTY_SPOT)


class Watcher:
    """Folds views and keeps what was told; each call is one moment, `wait` lets frames pass."""

    def __init__(self, game="four-card-poker", profile="south-dakota"):
        table = replace(make_table(game), profile=profile)
        self.state, self.frame, self.events = ObserverState.start(table), 0, []

    def sees(self, *places, moving=()):
        return self._fold(TableView(round(self.frame / FPS, 3), self.frame, places, tuple(moving)))

    def waits(self, seconds, moving=()):
        told = []
        for _ in range(round(seconds * FPS)):
            told += self.sees(moving=moving)
        return told

    def _fold(self, view):
        self.state, told = observe(self.state, view)
        self.state = ObserverState.from_json(self.state.to_json())  # nothing is lost on the way
        self.frame += 1
        self.events += told
        return list(told)


def deal(watcher, *seats, up="Kd"):
    """Packets to these seats and to the dealer."""
    watcher.sees(*(backs(f"seat-{seat}") for seat in seats))
    return watcher.sees(dealer_deal(up))


def short(events):
    """Events as texts: `player_hand seat-4`."""
    return [f"{event.kind} {event.zone}" if event.zone else event.kind for event in events]
