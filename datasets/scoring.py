"""Score what was read of a labelled picture.

In: a label and a `Sighting` of the same picture. Out: a `Score`, counts that add up over pictures.

Right is a true card stated with its identity at its place; a refusal is a miss. Wrong is a stated card that is not
there, or is there once and stated twice. Cards of which no index can be seen whole are not demanded; stating them is
no fault if they are what they are said to be.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, fields

import numpy as np
from numpy.typing import NDArray

from datasets.stills.labels import LabelledCard, StillLabel
from vision.reader import SeenCard, Sighting

WHOLE = 0.98  # of an index visible: a person would read it without a doubt
PLACE = 0.25  # of the card's height: how far the middle of a stated card may lie from the true one's
BACK_PLACE = 0.15


@dataclass(frozen=True, slots=True)
class Score:
    """Counts over any number of pictures."""

    pictures: int = 0
    cards: int = 0  # demanded
    right: int = 0  # of those demanded
    wrong: int = 0  # stated, and not there
    refused: int = 0  # of those demanded: seen, and said to be unreadable
    stated: int = 0
    backs: int = 0
    backs_found: int = 0
    backs_wrong: int = 0
    exact_count: int = 0  # pictures whose number of physical cards is right
    mistakes: tuple[str, ...] = field(default=(), repr=False)  # "picture: stated Ks, there lies Kc"

    def __add__(self, other: "Score") -> "Score":
        return Score(*(getattr(self, each.name) + getattr(other, each.name) for each in fields(Score)))

    @property
    def right_share(self) -> float:
        """Of the cards demanded."""
        return self.right / self.cards if self.cards else float("nan")

    @property
    def wrong_share(self) -> float:
        """Wrong statements for each card demanded."""
        return self.wrong / self.cards if self.cards else float("nan")


def total(scores: Iterable[Score]) -> Score:
    """All of them together."""
    result = Score()
    for score in scores:
        result = result + score
    return result


def is_demanded(card: LabelledCard, heights_px: tuple[float, float] = (0.0, np.inf)) -> bool:
    """Whether a card must be read: face up, of this height, an index of it whole."""
    return (
        card.face == "up"
        and heights_px[0] <= card.height_px < heights_px[1]
        and any(patch.index_visibility >= WHOLE for patch in card.patches)
    )


def score_picture(
    label: StillLabel, sighting: Sighting, heights_px: tuple[float, float] = (0.0, np.inf), name: str | None = None
) -> Score:
    """One picture."""
    name = name or label.image
    faces = [card for card in label.cards if card.face == "up"]
    owner, mistakes = _matched(faces, sighting.stated, name)
    demanded = [place for place, card in enumerate(faces) if is_demanded(card, heights_px)]
    right = [place for place in demanded if place in owner]
    refused = [place for place in demanded if place not in owner and _lies_at(faces[place], sighting.unreadable)]
    backs = [card for card in label.cards if card.face == "down" and card.visibility >= WHOLE]
    found, backs_wrong = _backs(label, backs, sighting)
    return Score(
        1,
        len(demanded),
        len(right),
        len(mistakes),
        len(refused),
        len(sighting.stated),
        len(backs),
        found,
        backs_wrong,
        int(len(sighting.cards) == len(faces)),
        tuple(mistakes),
    )


def _middle(quad: NDArray[np.floating]) -> NDArray[np.floating]:
    return np.asarray(quad.mean(axis=0))


def _matched(faces: list[LabelledCard], stated: tuple[SeenCard, ...], name: str) -> tuple[set[int], list[str]]:
    """The true cards that were stated, and a line for each statement that is wrong."""
    owner: set[int] = set()
    mistakes = []
    for seen in sorted(stated, key=lambda each: -each.verdict.confidence):
        middle = _middle(seen.quad_px)
        near = sorted(
            (float(np.linalg.norm(_middle(card.quad_px) - middle)) / card.height_px, place)
            for place, card in enumerate(faces)
        )
        same = [place for apart, place in near if apart < PLACE and faces[place].card == seen.card]
        free = [place for place in same if place not in owner]
        if free:
            owner.add(free[0])
            continue
        lies = ", ".join(f"{faces[place].card}" for apart, place in near[:3] if apart < PLACE) or "nothing"
        twice = " again" if same else ""
        mistakes.append(f"{name}: stated {seen.card}{twice} ({seen.verdict.confidence:.4f}), there lies {lies}")
    return owner, mistakes


def _lies_at(card: LabelledCard, seen: tuple[SeenCard, ...]) -> bool:
    middle = _middle(card.quad_px)
    return any(np.linalg.norm(_middle(each.quad_px) - middle) < PLACE * card.height_px for each in seen)


def _backs(label: StillLabel, backs: list[LabelledCard], sighting: Sighting) -> tuple[int, int]:
    """How many of the whole backs were found, and how many were stated where no back lies."""
    found = sum(
        any(
            np.linalg.norm(_middle(b.quad_px) - _middle(card.quad_px)) < BACK_PLACE * card.height_px
            for b in sighting.backs
        )
        for card in backs
    )
    down = [card for card in label.cards if card.face == "down"]
    wrong = sum(
        not any(np.linalg.norm(_middle(b.quad_px) - _middle(card.quad_px)) < PLACE * card.height_px for card in down)
        for b in sighting.backs
    )
    return found, wrong
