"""The sentences of the rule documents that findings and payouts rest on.

>>> print(reference("FCP", "duplicate_card"))
South Dakota 20:18:16:15.10 (1): A single deck of cards must be used.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from game.errors import GameError

_SOUTH_DAKOTA = "South Dakota 20:18:16:15.10"
_WASHINGTON = "Washington rules of play"
_NEMACOLIN = "Nemacolin rules of play"
_PRIME = "Four Card Prime rules of play"


@dataclass(frozen=True, slots=True)
class Reference:
    """Where a rule stands and what it says."""

    source: str
    text: str

    def __str__(self) -> str:
        return f"{self.source}: {self.text}"


_BOTH: dict[str, Reference] = {
    "duplicate_card": Reference(f"{_SOUTH_DAKOTA} (1)", "A single deck of cards must be used."),
}
_FCP: dict[str, Reference] = {
    "miscount": Reference(
        f"{_SOUTH_DAKOTA} (14)",
        "If any player or dealer is dealt an incorrect number of cards, all hands are void and the cards reshuffled.",
    ),
    "win": Reference(
        f"{_WASHINGTON}, Playing Against the Dealer",
        "When player's hand beats dealer's hand, play and ante win 1 to 1.",
    ),
    "tie": Reference(
        f"{_WASHINGTON}, Playing Against the Dealer", "The player wins ties; consider the entire four-card hand."
    ),
    "lose": Reference(
        f"{_WASHINGTON}, Playing Against the Dealer",
        "When dealer's hand beats player's hand, play and ante are a loss.",
    ),
    "fold": Reference(f"{_WASHINGTON}, Playing Against the Dealer", "Player folds: ante loses."),
    "automatic_bonus": Reference(
        f"{_SOUTH_DAKOTA} (10)", "Certain player hands receive an automatic bonus, paid against the ante."
    ),
    "aces_up": Reference(
        f"{_SOUTH_DAKOTA} (11)", "A pair of aces or better wins the aces up wager, regardless of the dealer's hand."
    ),
    "bad_beat_bonus": Reference(
        f"{_WASHINGTON}, bad beat bonus 2",
        "The player loses with two pair or better, or beats the dealer's two pair or better.",
    ),
    "progressive": Reference(
        f"{_SOUTH_DAKOTA} (16)", "Progressive winners are paid by the schedule; the wager is not returned."
    ),
    "progressive_fold": Reference(
        f"{_NEMACOLIN}, progressive 7", "Folded hands do not qualify for payouts on the progressive wager."
    ),
    "envy": Reference(
        f"{_SOUTH_DAKOTA} (16)(b)",
        "Each other player who made the progressive bet wins the envy payout, at the end of the round.",
    ),
}
_PRIME_RULES: dict[str, Reference] = {
    "miscount": Reference(
        f"{_PRIME} 2", "Each player receives five cards, the dealer six; the rules are silent on a misdeal."
    ),
    "win": Reference(f"{_PRIME} 7, 8", "Player's hand wins: raise and ante are paid even money."),
    "tie": Reference(f"{_PRIME} 6", "In cases of any four card hand copies the player wins the copy result."),
    "lose": Reference(f"{_PRIME} 7, 8", "Player's hand is lower than the dealer's hand: raise and ante lose."),
    "fold": Reference(f"{_PRIME} 4", "If the player folds, the ante loses; any bonus wagers remain in action."),
    "win_bonus": Reference(
        f"{_PRIME}, Appendix A", "Trips or higher that win or copy are paid the bonus besides even money."
    ),
    "bad_beat": Reference(
        f"{_PRIME}, Appendix B", "Trips or higher that lose: the ante is not taken and is paid by the posted table."
    ),
    "aces_baby": Reference(
        f"{_PRIME}, Appendix C", "A pair of aces or better, independent of the primary game's result."
    ),
    "prime": Reference(f"{_PRIME}, Appendix D", "Four or five cards of the same colour among the player's five."),
}
REFERENCES: Mapping[str, Mapping[str, Reference]] = MappingProxyType(
    {"FCP": MappingProxyType(_BOTH | _FCP), "PRIME": MappingProxyType(_BOTH | _PRIME_RULES)}
)


def reference(game: str, rule: str) -> Reference:
    """The sentence that a rule of a game rests on."""
    try:
        return REFERENCES[game][rule]
    except KeyError:
        raise GameError(f"no rule {rule!r} of game {game!r} is on file") from None
