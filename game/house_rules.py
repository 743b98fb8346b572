"""House rules: one key for each place where the rule documents differ or are silent, with its default.

>>> HouseRules.from_mapping({"bbb_tie": "push"}).bbb_tie
'push'
>>> HouseRules.from_mapping({"bbb_tie": "maybe"})
Traceback (most recent call last):
    ...
game.house_rules.HouseRulesError: house rule bbb_tie is 'maybe'; use 'lose', 'win' or 'push'
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from difflib import get_close_matches
from functools import cache
from typing import Literal, Self, get_args, get_origin, get_type_hints

from game.errors import GameError
from game.money import Rounding

FCP_WAGERS = ("play", "ante", "automatic_bonus", "aces_up", "bad_beat_bonus", "progressive")
PRIME_WAGERS = ("raise", "ante", "win_bonus", "aces_baby", "prime")


class HouseRulesError(GameError):
    """A house rule that does not exist or has no such value."""


@dataclass(frozen=True, slots=True)
class HouseRules:
    """Every choice a house makes. The comment beside a key says what rests on it."""

    auto_bonus_requires_play: bool = True  # the handout needs ante and play; false pays it on a fold too
    auto_bonus_paid_on_loss: bool = True  # "even if the hand loses"; the ante itself still loses
    fcp_play_whole_multiple: bool = False  # "between one and three times"
    prime_raise_whole_multiple: bool = True  # "1x, 2x, or 3x"
    bbb_tie: Literal["lose", "win", "push"] = "lose"
    bbb_on_fold: Literal["lose", "live"] = "lose"
    progressive_folded_hand_qualifies: bool = False  # true: if it carries a progressive bet
    progressive_requires: Literal["ante_or_aces_up", "ante", "none"] = "ante_or_aces_up"
    fcpp_basis: Literal["best_four", "five_cards"] = "best_four"
    envy_trigger_requires_progressive: bool = False
    envy_folded_bettor_collects: bool = True
    envy_hitter_collects_from_others: bool = True
    envy_self_is: Literal["player", "seat"] = "player"  # nobody collects from himself, also on two spots
    envy_scales_with_wager: bool = True
    multi_jackpot: Literal["sequential", "same_meter"] = "sequential"
    settle_order: Literal["right_to_left", "left_to_right"] = "right_to_left"  # the dealer's right has the highest seat
    fixed_awards_from: Literal["tray", "meter"] = "tray"
    reset_adds_reserve: bool = True
    coin_in_before_payout: bool = True
    void_refunds_progressive: bool = True  # false: the bet is carried to the re-deal, with its coin-in
    prime_misdeal_voids: bool = True  # the Prime rules are silent; false makes a misdeal invalid
    payout_rounding: Rounding = "exact"
    payout_unit_cents: int = 1
    cap_per_hand: int | None = None  # cents, on the profits of Prime's Appendices A-D
    cap_per_round: int | None = None
    cap_method: Literal["pro_rata", "sequential"] = "pro_rata"
    wager_order: tuple[str, ...] | None = None  # how a hand's wagers are settled; None: the documents' order

    def __post_init__(self) -> None:
        if self.payout_unit_cents < 1:
            raise HouseRulesError(f"house rule payout_unit_cents is {self.payout_unit_cents}; it must be 1 or more")
        for key in ("cap_per_hand", "cap_per_round"):
            cap = getattr(self, key)
            if cap is not None and cap < 0:
                raise HouseRulesError(f"house rule {key} is {cap}; use cents from 0 up, or null for no cap")
        known = set(FCP_WAGERS) | set(PRIME_WAGERS)
        if self.wager_order is not None and (strange := set(self.wager_order) - known):
            raise HouseRulesError(f"house rule wager_order names {min(strange)!r}; use {', '.join(sorted(known))}")

    @classmethod
    def from_mapping(cls, content: Mapping[str, object]) -> Self:
        """Rules from a file or a case; keys left out have their default, a key or value unknown is refused."""
        hints = _hints()
        values: dict[str, object] = {}
        for key, value in content.items():
            if key not in hints:
                near = get_close_matches(key, hints, 1) or [next(iter(hints))]
                raise HouseRulesError(f"house rule {key!r} does not exist; the nearest is {near[0]!r}")
            if not _fits(value, hints[key]):
                raise HouseRulesError(f"house rule {key} is {value!r}; use {_expected(hints[key])}")
            values[key] = tuple(value) if isinstance(value, list) else value
        return cls(**values)  # type: ignore[arg-type]  # every value was checked against its annotation

    def changed(self) -> dict[str, object]:
        """The keys that differ from their default."""
        defaults = {field.name: field.default for field in fields(self)}
        return {key: value for key, value in asdict(self).items() if value != defaults[key]}


@cache
def _hints() -> dict[str, object]:
    return get_type_hints(HouseRules)


_WHOLE = (int, int | None)


def _fits(value: object, hint: object) -> bool:
    if get_origin(hint) is Literal:
        return isinstance(value, str) and value in get_args(hint)
    if hint is bool:
        return isinstance(value, bool)
    if hint in _WHOLE:
        return (value is None and hint is not int) or (isinstance(value, int) and not isinstance(value, bool))
    return value is None or (isinstance(value, list | tuple) and all(isinstance(item, str) for item in value))


def _expected(hint: object) -> str:
    if get_origin(hint) is Literal:
        *first, last = (repr(value) for value in get_args(hint))
        return f"{', '.join(first)} or {last}"
    if hint is bool:
        return "true or false"
    if hint in _WHOLE:
        return "a whole number of cents" + ("" if hint is int else " or null")
    return "a list of wager names"
