"""House rules in words: what each key decides, for the page on which a manager chooses."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

HOUSE_RULES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "auto_bonus_requires_play": "The automatic bonus needs a play wager",
        "auto_bonus_paid_on_loss": "The automatic bonus is paid when the hand loses",
        "fcp_play_whole_multiple": "Play is exactly one, two or three times the ante",
        "prime_raise_whole_multiple": "Raise is exactly one, two or three times the ante",
        "bbb_tie": "Bad Beat when player and dealer tie",
        "bbb_on_fold": "Bad Beat when the player folds",
        "progressive_folded_hand_qualifies": "A folded hand can win the progressive",
        "progressive_requires": "A progressive bet needs beside it",
        "fcpp_basis": "The progressive looks at",
        "envy_trigger_requires_progressive": "Envy needs a progressive bet of the hand that brings it",
        "envy_folded_bettor_collects": "Envy goes to players who folded too",
        "envy_hitter_collects_from_others": "Whoever brings envy collects that of other hands",
        "envy_self_is": "Nobody collects envy from the same",
        "envy_scales_with_wager": "Envy grows with the progressive bet",
        "multi_jackpot": "Several awards in one round are paid",
        "settle_order": "Seats are settled from the dealer's",
        "fixed_awards_from": "Fixed progressive awards come from the",
        "reset_adds_reserve": "The reserve is added when the meter starts anew",
        "coin_in_before_payout": "Bets raise the meter before awards are paid",
        "void_refunds_progressive": "A void gives progressive bets back",
        "prime_misdeal_voids": "A misdeal voids every hand",
        "payout_rounding": "Payouts are rounded",
        "payout_unit_cents": "Payouts are multiples of",
        "cap_per_hand": "Most that one hand wins",
        "cap_per_round": "Most that one round wins",
        "cap_method": "Where the round's cap is reached, wins are cut",
        "wager_order": "Order in which a hand's wagers are settled",
    }
)
