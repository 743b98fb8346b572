"""Whether a round may be settled: the first fault found, in the order game, wagers, cards, decisions.

Each check raises `InvalidRound`; a wrong number of cards is not a fault of the round but voids it, and is returned.
"""

from collections import Counter

from game.deal import Finding, check_deal
from game.rounds import InvalidRound, Round, Seat

# The table whose absence means that a wager is not offered, by game and wager.
_OFFERED_BY: dict[str, dict[str, str | None]] = {
    "FCP": {
        "ante": "fcp",
        "aces_up": "fcp",
        "bad_beat_bonus": "bad_beat_bonus",
        "progressive": "progressive",
    },
    "PRIME": {"ante": None, "aces_baby": "aces_baby", "prime": "prime"},
}


def check_round(round_: Round) -> Finding | None:
    """Raise `InvalidRound` for the first fault; return the miscount that voids the round, or None."""
    check_wagers(round_)
    hands = {"dealer": round_.dealer_cards, **{seat.zone: seat.cards for seat in round_.seats}}
    findings = check_deal(round_.game, hands)
    for finding in findings:
        if finding.kind in ("impossible_card", "foreign_card"):
            raise InvalidRound("bad_card", finding.sentence)
        if finding.kind == "miscount":
            if round_.game == "PRIME" and not round_.rules.prime_misdeal_voids:
                raise InvalidRound("wrong_card_count", finding.sentence)
            return finding
        raise InvalidRound("duplicate_card", finding.sentence)
    _check_up_card(round_)
    check_decisions(round_)
    return None


def check_wagers(round_: Round) -> None:
    """Raise `InvalidRound` for the first fault among the wagers; the cards may still be to come."""
    for seat in round_.seats:
        _check_wagers(round_, seat)


def check_decisions(round_: Round) -> None:
    """Raise `InvalidRound` for the first fault among decisions and play wagers; the cards may still be to come."""
    for seat in round_.seats:
        _check_decision(round_, seat)


def _check_wagers(round_: Round, seat: Seat) -> None:
    where = f"seat {seat.seat}"
    if Counter(each.seat for each in round_.seats)[seat.seat] > 1:
        raise InvalidRound("duplicate_seat", f"{where} is given more than once")
    offered_by = _OFFERED_BY[round_.game]
    for name, amount in seat.wagers.items():
        if name not in offered_by:
            raise InvalidRound("unknown_wager", f"{where} has a wager {name!r}; use {', '.join(offered_by)}")
        if amount < 0:
            raise InvalidRound("negative_wager", f"{where} has {amount} cents on {name}")
    if seat.play < 0:
        raise InvalidRound("negative_wager", f"{where} has a play wager of {seat.play} cents")
    for name in seat.staked:
        role = offered_by[name]
        is_missing = role is not None and round_.tables[role] is None
        if is_missing or (name == "progressive" and round_.progressive is None):
            raise InvalidRound("wager_not_offered", f"{where} has a wager on {name}, which this table does not offer")
    _check_required(round_, seat)
    for name, amount in seat.staked.items():
        if fault := round_.limits.fault(name, amount):
            raise InvalidRound(fault, f"{where} has {amount} cents on {name}")


def _check_required(round_: Round, seat: Seat) -> None:
    """Wagers that need another wager."""
    where, staked = f"seat {seat.seat}", seat.staked
    if not staked:
        raise InvalidRound("no_wager", f"{where} has cards and no wager")
    if round_.game == "PRIME" and "ante" not in staked:
        raise InvalidRound("ante_required", f"{where} has no ante, which Four Card Prime needs")
    if "bad_beat_bonus" in staked and "ante" not in staked:
        raise InvalidRound("bad_beat_bonus_requires_ante", f"{where} has a bad beat bonus wager and no ante")
    if "progressive" not in staked or round_.progressive is None:
        return
    needed = {"ante_or_aces_up": {"ante", "aces_up"}, "ante": {"ante"}}.get(round_.rules.progressive_requires)
    if needed is not None and not needed & staked.keys():
        raise InvalidRound("progressive_requires_game_wager", f"{where} has a progressive wager alone")
    denomination = round_.progressive.terms.denomination
    if staked["progressive"] != denomination:
        raise InvalidRound(
            "progressive_wrong_denomination",
            f"{where} has {staked['progressive']} cents, the meter takes {denomination}",
        )


def _check_up_card(round_: Round) -> None:
    if round_.up_card is None:
        return
    if round_.up_card not in round_.dealer_cards:
        raise InvalidRound("upcard_not_in_dealer_hand", f"the up card {round_.up_card} is not among the dealer's six")


def _check_decision(round_: Round, seat: Seat) -> None:
    where, ante = f"seat {seat.seat}", seat.staked.get("ante")
    if ante is None:
        if seat.decision != "none" or seat.play:
            raise InvalidRound("decision_without_ante", f"{where} plays or folds without an ante")
        return
    if seat.decision == "none":
        raise InvalidRound("missing_decision", f"{where} has an ante and neither played nor folded")
    if seat.decision == "fold":
        if seat.play:
            raise InvalidRound("fold_with_play_wager", f"{where} folded and has a play wager of {seat.play} cents")
        return
    if not ante <= seat.play <= 3 * ante:
        raise InvalidRound("play_out_of_range", f"{where} plays {seat.play} cents; allowed is {ante} to {3 * ante}")
    is_fcp = round_.game == "FCP"
    whole = round_.rules.fcp_play_whole_multiple if is_fcp else round_.rules.prime_raise_whole_multiple
    if whole and seat.play % ante:
        raise InvalidRound("play_not_whole_multiple", f"{where} plays {seat.play} cents; use 1, 2 or 3 times {ante}")
    if fault := round_.limits.fault("play" if is_fcp else "raise", seat.play):
        raise InvalidRound(fault, f"{where} plays {seat.play} cents")
