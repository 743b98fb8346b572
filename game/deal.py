"""Checks of a deal: the right number of cards in every hand, each card of this deck, and each card once.

Hands come as zones with the cards read there, in notation; `joker`, `blank` and `other` stand for a card that is no
card of the deck. Findings come out in the order of weight: impossible cards, counts, duplicates.

>>> hands = {"dealer": "As Ad Ah Ac Kd Kc".split(), "seat-4": "2c 3c 4c 5c".split()}
>>> print(check_deal("FCP", hands)[0].sentence)
seat-4 has 4 cards, not 5
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from game.cards import Card, CardError
from game.references import Reference, reference

DEALER_CARDS = 6
PLAYER_CARDS = 5
FOREIGN = frozenset({"joker", "blank", "other"})
FindingKind = Literal["impossible_card", "foreign_card", "miscount", "duplicate_card"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault of a deal."""

    kind: FindingKind
    zone: str
    expected: str
    seen: str
    cards: tuple[str, ...]
    rule: Reference
    sentence: str

    @property
    def voids(self) -> bool:
        """Whether it voids every hand of the round."""
        return self.kind == "miscount"


def expected_cards(zone: str) -> int:
    """How many cards a zone is dealt."""
    return DEALER_CARDS if zone == "dealer" else PLAYER_CARDS


def check_deal(game: str, hands: Mapping[str, Sequence[str]]) -> tuple[Finding, ...]:
    """Everything wrong with the hands of one round; nothing is the good answer."""
    return (*_strange_cards(game, hands), *_miscounts(game, hands), *_duplicates(game, hands))


def _strange_cards(game: str, hands: Mapping[str, Sequence[str]]) -> list[Finding]:
    rule = reference(game, "duplicate_card")
    findings = []
    for zone, cards in hands.items():
        for text in cards:
            if text in FOREIGN:
                sentence = f"{zone} has a card that is not of this deck: {text}"
                findings.append(Finding("foreign_card", zone, "a card of the deck", text, (text,), rule, sentence))
            elif not _is_card(text):
                sentence = f"{zone} has {text!r}, which no deck has"
                findings.append(Finding("impossible_card", zone, "a card of the deck", text, (text,), rule, sentence))
    return findings


def _is_card(text: str) -> bool:
    try:
        Card.parse(text)
    except CardError:
        return False
    return True


def _miscounts(game: str, hands: Mapping[str, Sequence[str]]) -> list[Finding]:
    rule = reference(game, "miscount")
    return [
        Finding(
            "miscount", zone, str(expected_cards(zone)), str(len(cards)), tuple(cards), rule,
            f"{zone} has {len(cards)} card{'' if len(cards) == 1 else 's'}, not {expected_cards(zone)}",
        )
        for zone, cards in hands.items()
        if len(cards) != expected_cards(zone)
    ]  # fmt: skip


def _duplicates(game: str, hands: Mapping[str, Sequence[str]]) -> list[Finding]:
    places: dict[str, list[str]] = defaultdict(list)
    for zone, cards in hands.items():
        for text in cards:
            if _is_card(text):
                places[text].append(zone)
    return [
        Finding(
            "duplicate_card", zones[-1], "once", f"{len(zones)} times", (card,), reference(game, "duplicate_card"),
            f"{card} was seen {len(zones)} times: {', '.join(zones)}",
        )
        for card, zones in places.items()
        if len(zones) > 1
    ]  # fmt: skip
