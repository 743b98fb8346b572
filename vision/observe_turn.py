"""One view's work on the observer's state: what it becomes, and the events told on the way.

Used by the steps of `observe` alone; the fold's caller never sees it.
"""

from dataclasses import dataclass, field, replace
from typing import Any, Final

from game.cards import Card
from game.deal import expected_cards
from vision.decide import REASONS
from vision.events import Event
from vision.layout import DEALER
from vision.round_state import ObserverState, ZoneState
from vision.view import READ_FRAMES, PlaceView, SeenFace, TableView

# What helps, by reason; {place} is "the cards on seat 4" or "the dealer's cards".
ADVICE: Final = {
    "small": "move the camera closer to read {place}",
    "covered": "spread {place}",
    "blurred": "hold {place} still",
    "glare": "turn {place} out of the glare",
    "dark": "give more light on {place}",
    "unclear": "spread {place}",
    "contradiction": "spread {place}",
    "unsettled": "set the best four in front, apart from the other two",
}


@dataclass(slots=True)
class Turn:
    """The state as it becomes while a view is worked on."""

    state: ObserverState
    view: TableView
    events: list[Event] = field(default_factory=list)

    @property
    def time_s(self) -> float:
        """Of the view."""
        return self.view.time_s

    def zone(self, name: str) -> ZoneState:
        """A zone as it is now."""
        return self.state.zone(name)

    def put(self, zone: ZoneState) -> ZoneState:
        """A zone as it becomes."""
        self.state = self.state.with_zone(zone)
        return zone

    def tell(
        self,
        kind: str,
        zone: str | None = None,
        *,
        look: PlaceView | None = None,
        extra: dict[str, Any] | None = None,
        **fields: Any,  # noqa: ANN401 (the fields of any event)
    ) -> None:
        """Tell an event of this round; `look`: the one it was seen in, which gives the numbers of its frames."""
        more = dict(extra or {})
        if look is not None:
            first = max(0, self.view.frame - look.look * READ_FRAMES + 1)
            more["frames"] = (first, self.view.frame)
        self.events.append(
            Event(
                kind,
                self.time_s,
                self.view.frame,
                round=self.state.round,
                zone=zone,
                extra=tuple(more.items()),
                **fields,
            )
        )

    def ask(self, zone: ZoneState, reason: str, faces: tuple[SeenFace, ...], look: PlaceView | None) -> ZoneState:
        """Say that a hand cannot be read, why, and what would help; once for the same trouble."""
        trouble = (reason, len(faces))
        if zone.asked == trouble:
            return zone
        place = "the dealer's cards" if zone.zone == DEALER else f"the cards on seat {zone.zone.removeprefix('seat-')}"
        unread = tuple(face.at_mm for face in faces if face.card is None)
        extra: dict[str, Any] = {"read": tuple(str(card) for card in stated(faces))}
        if unread:
            extra["unread_mm"] = unread
        self.tell(
            "unreadable",
            zone.zone,
            look=look,
            reason=reason if reason in REASONS else "unclear",
            advice=ADVICE[reason].format(place=place),
            seen=len(faces),
            expected=expected_cards(zone.zone),
            extra=extra,
        )
        return self.put(replace(zone, asked=trouble))


def stated(faces: tuple[SeenFace, ...]) -> tuple[Card, ...]:
    """The cards that are certain, in the order in which they were seen."""
    return tuple(face.card for face in faces if face.card is not None)
