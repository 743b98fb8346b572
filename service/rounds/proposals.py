"""What a seat is paid, as a proposal: lines from the game's settlement, a digest of all it rests on, what comes first.

A proposal never pays anything. `digest` changes with anything a person was shown: cards, wagers, amounts, odds.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from fractions import Fraction
from typing import Any

from game.actions import Action, dealer_actions
from game.money import money_text, spoken_money
from game.references import reference
from game.results import Envy, SeatResult, Settlement
from service.rounds.commands import Part
from service.rounds.money import amount_view, shown
from service.rounds.state import Seat, TableState
from service.rounds.view import LineView
from service.rounds.words import COMPARISONS, MOVE_WORDS, RESULT_WORDS, WAGER_TITLES, hand_words, seats_words

_PLAYS = ("play", "raise")


@dataclass(frozen=True)
class Proposal:
    """What a seat is to be paid; nothing is, before a person confirms it."""

    part: Part
    lines: tuple[LineView, ...]
    comparison: str | None
    total: Fraction | None  # paid out of the tray
    taken: Fraction | None
    odds_only: bool
    from_meter: bool  # an award that a supervisor verifies
    basis: Mapping[str, Any] = field(hash=False)
    blocked: str | None = None

    @property
    def digest(self) -> str:
        """Changes with anything the proposal rests on."""
        return _hash(self.basis)

    @property
    def settled(self) -> str:
        """Changes with what is paid or taken, alone."""
        return _hash({"lines": self.basis["lines"]})

    @property
    def words(self) -> str:
        """The proposal in a line, to tell two apart."""
        amounts = ", ".join(f"{line.title} {_line_words(line)}" for line in self.lines) or "nothing"
        total = "odds only" if self.total is None else f"total {spoken_money(self.total)}"
        return f"{total} ({amounts}; cards {' '.join(self.basis['cards']) or '-'})"


def _line_words(line: LineView) -> str:
    return f"{line.move} {line.amount.text}" if line.amount else f"{line.move} {line.odds or ''}".strip()


def _hash(content: Mapping[str, Any]) -> str:
    text = json.dumps(content, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:24]


def hand_proposal(
    state: TableState,
    seat: Seat,
    result: SeatResult,
    settlement: Settlement,
    *,
    odds_only: bool = False,
    play_unknown: bool = False,
) -> Proposal:
    """The proposal for a seat's hand. Amounts that nobody knows are left out: then only odds are shown."""
    actions = [action for action in dealer_actions(settlement) if action.seat == seat.seat and action.wager != "envy"]
    hidden = {action.wager for action in actions} if odds_only else set(_PLAYS) if play_unknown else set()
    lines = tuple(_line(action, result, is_hidden=action.wager in hidden) for action in actions)
    is_known = not (odds_only or play_unknown)
    awards = settlement.progressive.awards if settlement.progressive else ()
    from_meter = any(award.seat == seat.seat and award.odds.kind == "percent" for award in awards)
    return Proposal(
        "hand",
        lines,
        COMPARISONS.get(result.comparison or ""),
        _sum(actions, "pay") if is_known else None,
        _sum(actions, "take") if is_known else None,
        odds_only,
        from_meter,
        _basis(state, seat, "hand", lines),
    )


def envy_proposal(state: TableState, seat: Seat, envy: Sequence[Envy]) -> Proposal:
    """What a seat collects for the hands of others."""
    rule = str(reference(state.round.version.rules.game, "envy"))
    lines = tuple(
        LineView(
            "envy", WAGER_TITLES["envy"], None, "win", RESULT_WORDS["win"], "pay", MOVE_WORDS["pay"], None,
            shown(each.amount), hand_words(each.hand), f"seat {each.from_seat}'s {hand_words(each.hand)}", rule,
        )
        for each in envy
    )  # fmt: skip
    total = sum((each.amount for each in envy), Fraction(0))
    return Proposal("envy", lines, None, total, Fraction(0), False, False, _basis(state, seat, "envy", lines))


def _sum(actions: Sequence[Action], move: str) -> Fraction:
    return sum((action.amount for action in actions if action.move == move), Fraction(0))


def _line(action: Action, result: SeatResult, *, is_hidden: bool) -> LineView:
    wager = result.wagers[action.wager]
    note = None
    if action.wager == "progressive":
        note = "the wager is not returned" if action.move == "pay" else "collected when it was locked"
    return LineView(
        action.wager,
        WAGER_TITLES[action.wager],
        None if is_hidden else amount_view(action.stake),
        wager.outcome,
        RESULT_WORDS[wager.outcome],
        action.move,
        MOVE_WORDS[action.move],
        action.odds.text if action.odds else None,
        None if is_hidden else amount_view(action.amount),
        hand_words(wager.hand),
        note,
        str(action.rule),
    )


def _basis(state: TableState, seat: Seat, part: Part, lines: Sequence[LineView]) -> dict[str, Any]:
    """Everything a person was shown, and everything the amounts rest on."""
    dealer = state.round.dealer
    return {
        "table": state.table,
        "round": state.round.number,
        "rules_version": state.round.version.number,
        "seat": seat.seat,
        "part": part,
        "player": seat.player,
        "dealer": list(dealer.cards),
        "dealer_machine": list(dealer.machine),
        "up_card": dealer.up_card,
        "cards": list(seat.hand.cards),
        "machine": list(seat.hand.machine),
        "wagers": None if seat.wagers is None else [[wager.name, wager.amount] for wager in seat.wagers],
        "decision": seat.decision,
        "play": seat.play,
        "lines": [asdict(line) for line in lines],
        "taken_back": sum(payout.taken_back for payout in seat.payouts if payout.part == part),
    }


def blocked(
    state: TableState, seat: Seat, proposal: Proposal, order: Sequence[int], done: Mapping[int, bool]
) -> str | None:
    """What has to happen before this proposal can be confirmed; None when nothing has to."""
    seats = {each.seat: each for each in state.round.seats}
    earlier = [number for number in order[: order.index(seat.seat)] if not done[number]]
    if state.round.doubt is not None:
        return f"the deal is in doubt: {state.round.doubt.words}; void the round or recount"
    if any(each.amount("progressive") for each in state.round.seats) and not state.round.locked:
        return "progressive bets are not locked yet; press Start game"
    if waiting := [number for number in earlier if not seats[number].skipped]:
        return f"{seats_words(waiting)} before: settle first, or skip"
    if proposal.from_meter and (reason := _award_blocked(state, seat, [seats[number] for number in earlier])):
        return reason
    return _cap_blocked(state, seat, proposal, earlier, [number for number in order if not done[number]])


def _award_blocked(state: TableState, seat: Seat, earlier: Sequence[Seat]) -> str | None:
    """An award from the meter: in order, with the hand button, verified by a supervisor."""
    rules = state.round.version.rules.house
    bettors = [each.seat for each in earlier if each.amount("progressive")]
    if bettors and rules.multi_jackpot == "sequential":
        return f"{seats_words(bettors)} with a progressive bet comes first: the meter is paid in order"
    if not seat.hand_button:
        return "an award from the meter: press the hand button and call a supervisor"
    return None if seat.verified_by else "a supervisor verifies the hand before the award is paid"


def _cap_blocked(
    state: TableState, seat: Seat, proposal: Proposal, earlier: Sequence[int], unsettled: Sequence[int]
) -> str | None:
    """A maximum that a whole round shares is known when every hand that shares it is."""
    rules = state.round.version.rules
    is_shared = rules.house.cap_per_round is not None or rules.limits.maximum_aggregate is not None
    if rules.game != "PRIME" or not is_shared:
        return None
    pays_bonus = any(line.move == "pay" and line.wager not in (*_PLAYS, "ante") for line in proposal.lines)
    if not pays_bonus and not any(line.result == "bad_beat" for line in proposal.lines):
        return None
    sharing = earlier if rules.house.cap_method == "sequential" else unsettled
    unknown = [number for number in sharing if number != seat.seat and not _is_turned(state, number)]
    return f"{seats_words(unknown)} shares the round's maximum; turn the hand first" if unknown else None


def _is_turned(state: TableState, number: int) -> bool:
    seat = state.seat(number)
    return seat is not None and seat.hand.is_known


def payout_basis(proposal: Proposal) -> dict[str, Any]:
    """What goes into the record with a confirmed payout."""
    return {**proposal.basis, "digest": proposal.digest, "total": _text(proposal.total), "taken": _text(proposal.taken)}


def _text(amount: Fraction | None) -> str | None:
    return None if amount is None else money_text(amount)
