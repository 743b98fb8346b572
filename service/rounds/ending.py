"""How a round ends: void, with everything that goes back, or closed; and how the next one begins."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

from game.actions import dealer_actions
from game.meter import Meter, coin_in
from game.money import parse_exact
from game.open_round import settle_open
from game.references import reference
from game.results import Settlement
from game.settlement import void
from service.rounds.assess import Assessment, assess
from service.rounds.cases import case_of, seat_case, to_round
from service.rounds.commands import EndGame, VoidRound
from service.rounds.errors import AlreadyDoneError, NeedsReasonError, WrongPhaseError
from service.rounds.facts import Fact, PayoutTakenBack, RoundClosed, RoundOpened, RoundVoided
from service.rounds.meter import meter_after_void, move_meter
from service.rounds.money import amount_view
from service.rounds.outcome import By, Outcome
from service.rounds.rules import RulesVersion
from service.rounds.state import Doubt, MeterState, Round, Seat, TableState, Undo, Void, Wager, new_round
from service.rounds.view import Amount, LineView, Move
from service.rounds.words import MOVE_WORDS, RESULT_WORDS, WAGER_TITLES, seats_words

VOID_WORDS = {
    "wrong_card_count": "a hand has the wrong number of cards",
    "duplicate_card": "a card is on the table twice",
    "foreign_card": "a card does not belong to the deck",
    "exposed_card": "a card was exposed",
    "shuffler": "the shuffler failed",
    "other": "declared void",
}


# --- void


def void_round(state: TableState, command: VoidRound, by: By) -> Outcome:
    """Every hand is void: all wagers go back, and what was settled is undone, line by line."""
    round_ = state.round
    if round_.void is not None:
        raise AlreadyDoneError(f"round {round_.number} was declared void by {round_.void.by} already")
    if not any(seat.takes_part for seat in round_.seats) and not round_.dealing:
        raise WrongPhaseError("nothing was bet or dealt in this round; there is nothing to void")
    found = round_.doubt if round_.doubt is not None and round_.doubt.reason == command.reason else None
    doubt = found or Doubt(command.reason, VOID_WORDS[command.reason])
    undo = tuple(each for seat in round_.seats for each in _undo(state, seat))
    standing = [(seat, payout) for seat in round_.seats for payout in seat.payouts if not payout.taken_back]
    settled = tuple(seat.seat for seat in round_.seats if seat.standing("hand") is not None)
    taken_back = [
        replace(seat, payouts=tuple(replace(payout, taken_back=True) for payout in seat.payouts))
        for seat in round_.seats
    ]
    void_ = Void(doubt, command.note, by.name, by.now, undo, settled)
    voided = state.with_seats(taken_back).with_round(void=void_, doubt=None)
    fact = RoundVoided(
        round=round_.number, by=by.label, reason=command.reason, words=doubt.words, note=command.note,
        undo=tuple(_undo_json(each) for each in undo), returns=tuple(_line_json(each) for each in returns(voided)),
    )  # fmt: skip
    undone = tuple(
        PayoutTakenBack(
            round=round_.number, by=by.label, seat=seat.seat, part=payout.part, payout=payout.id,
            total=None if payout.total is None else str(payout.total), reason=f"the round is void: {doubt.words}",
        )
        for seat, payout in standing
    )  # fmt: skip
    return meter_after_void(Outcome(voided, (fact, *undone)), void_settlement(voided), by)


def void_settlement(state: TableState) -> Settlement:
    """The round as `game` voids it."""
    rules, reason = state.round.version.rules, _void_reason(state)
    cases = [seat_case(seat, cards=()) for seat in state.round.seats if seat.wagers]
    sentence = str(reference(rules.game, "miscount"))
    return void(to_round(case_of(state, cases, limits=False)), reason, sentence)


def _void_reason(state: TableState) -> str:
    return state.round.void.doubt.reason if state.round.void else "other"


def _undo(state: TableState, seat: Seat) -> Iterator[Undo]:
    """What goes back of a seat whose payouts stand: what was paid is taken, what was taken is given."""
    is_bet_kept = not state.round.version.rules.house.void_refunds_progressive
    for payout in seat.payouts:
        for line in payout.lines if not payout.taken_back else ():
            if line.move == "pay":
                yield Undo(seat.seat, line.wager, _cents(line.amount), None)
            is_collected = line.move == "take" or (line.wager == "progressive" and line.stake is not None)
            if is_collected and not (is_bet_kept and line.wager == "progressive"):
                yield Undo(seat.seat, line.wager, None, _cents(line.amount if line.move == "take" else line.stake))


def _cents(amount: Amount | None) -> Fraction | None:
    return None if amount is None else parse_exact(amount.cents)


def returns(state: TableState) -> tuple[tuple[int, LineView], ...]:
    """Every wager that goes back of seats that were not settled, and every bet that stays, by seat."""
    settled = state.round.void.settled if state.round.void else ()
    actions = dealer_actions(void_settlement(state))
    actions = tuple(action for action in actions if action.seat not in settled or action.move == "leave")
    lines = [
        (action.seat, _return_line(action.wager, action.move, str(action.rule), amount_view(action.amount)))
        for action in actions
    ]
    unknown = [seat for seat in state.round.seats if seat.wagers is None and seat.takes_part]
    rule = str(reference(state.round.version.rules.game, "miscount"))
    lines += [(seat.seat, _return_line("all", "return", rule, None)) for seat in unknown if seat.seat not in settled]
    return tuple(lines)


def _return_line(wager: str, move: Move, rule: str, amount: Amount | None) -> LineView:
    result = "carried" if move == "leave" else "void"
    title = "All wagers" if wager == "all" else WAGER_TITLES[wager]
    words, move_words = RESULT_WORDS[result], MOVE_WORDS[move]
    return LineView(wager, title, amount, result, words, move, move_words, None, amount, None, None, rule)


def _undo_json(undo: Undo) -> dict[str, Any]:
    paid, taken = (None if each is None else str(each) for each in (undo.paid, undo.taken))
    return {"seat": undo.seat, "wager": undo.wager, "paid": paid, "taken": taken}


def _line_json(line: tuple[int, LineView]) -> dict[str, Any]:
    seat, content = line
    amount = content.amount.cents if content.amount else None
    return {"seat": seat, "wager": content.wager, "amount": amount, "result": content.result}


# --- end


def cannot_end(state: TableState, assessment: Assessment) -> str | None:
    """Why the round should not be closed yet; a reason overrides it."""
    round_ = state.round
    if round_.void is not None:
        return None
    if round_.doubt is not None:
        return f"the deal is in doubt: {round_.doubt.words}; void the round or recount"
    if not round_.dealing and not any(seat.takes_part for seat in round_.seats):
        return "nothing was bet or dealt yet"
    if unsettled := assessment.unsettled(state):
        verb = "is" if len(unsettled) == 1 else "are"
        return f"{seats_words(unsettled)} {verb} not settled"
    if differing := differing_seats(state, assessment):
        return f"{seats_words(differing)}: the payout differs from what is due now; take it back and confirm again"
    if any(seat.amount("progressive") for seat in round_.seats) and not round_.locked:
        return "progressive bets were never locked; press Start game"
    return None


def differing_seats(state: TableState, assessment: Assessment) -> tuple[int, ...]:
    """Seats whose standing payout is not what the table says now."""
    return tuple(number for number in assessment.order if _differs(state, assessment, number))


def _differs(state: TableState, assessment: Assessment, number: int) -> bool:
    seat, standing = state.seat(number), assessment.seats[number]
    if seat is None or state.round.void is not None:
        return False
    pairs = ((seat.standing("hand"), standing.proposal), (seat.standing("envy"), standing.envy))
    return any(
        payout is not None and (proposal is None or proposal.settled != payout.settled) for payout, proposal in pairs
    )


def end_game(state: TableState, command: EndGame, by: By) -> Outcome:
    """Close the round and open the next, with the rules that hold from then on."""
    assessment = assess(state)
    round_ = state.round
    if not round_.dealing and round_.void is None and not any(seat.takes_part for seat in round_.seats):
        raise WrongPhaseError("nothing was bet or dealt yet; there is no game to end")
    refusal = cannot_end(state, assessment)
    if refusal and not command.reason:
        raise NeedsReasonError(f"{refusal}; settle it, or end the game with a reason", field="reason")
    outcome = Outcome(state)
    if round_.void is None:
        outcome = move_meter(outcome, by, "coin_in", at_end=True)
    closed = _closed(outcome.state, assessment, command, by)
    outcome = outcome.then(outcome.state, closed)
    following = _following(outcome.state, by)
    opened = RoundOpened(round=following.round.number, by=by.label, rules_version=following.round.version.number)
    return outcome.then(following, opened)


def _closed(state: TableState, assessment: Assessment, command: EndGame, by: By) -> Fact:
    round_ = state.round
    case = case_of(state, [seat_case(seat) for seat in round_.seats if seat.wagers])
    status = "void" if round_.void is not None else "closed"
    settlement = void_settlement(state) if round_.void is not None else _final(state, assessment)
    return RoundClosed(
        round=round_.number, by=by.label, status=status, reason=command.reason,
        unsettled=() if round_.void is not None else assessment.unsettled(state),
        case=case, settlement=None if settlement is None else settlement.to_json(),
    )  # fmt: skip


def _final(state: TableState, assessment: Assessment) -> Settlement | None:
    """The settlement of everything that was confirmed, and of the hands that were folded and lost."""
    if assessment.dealer_four is None:
        return None
    cases = [
        seat_case(seat, cards=None if seat.standing("hand") is not None else ())
        for seat in state.round.seats
        if seat.wagers
    ]
    return settle_open(to_round(case_of(state, cases)))


def _following(state: TableState, by: By) -> TableState:
    """The table with its next round open."""
    round_ = state.round
    version = state.next_version or round_.version
    numbers = [seat.seat for seat in round_.seats]
    following = new_round(round_.number + 1, version, numbers, by.now)
    players = {seat.seat: seat.player for seat in round_.seats}
    seats = tuple(replace(seat, player=players[seat.seat]) for seat in following.seats)
    last = {
        seat.seat: tuple(replace(each, late=False, reason="") for each in seat.wagers or ()) for seat in round_.seats
    }
    state = replace(
        state,
        round=replace(following, seats=seats),
        next_version=None,
        meter=meter_for(state, version),
        last_wagers=tuple((seat, wagers) for seat, wagers in last.items() if wagers) or state.last_wagers,
        last_observer_round=round_.observer_round if round_.observer_round is not None else state.last_observer_round,
        irregularities=tuple(each for each in state.irregularities if not each.closed),
    )
    return _with_carried(state, round_) if _carries(round_) else state


def meter_for(state: TableState, version: RulesVersion) -> MeterState | None:
    """The meter under a version of the rules; a meter that is new to the table starts at the seed."""
    setting, before = version.rules.meter, state.round.version.rules.meter
    if version.rules.terms is None or setting is None:
        return None
    is_same = before is not None and before.name == setting.name
    return state.meter if is_same and state.meter is not None else MeterState(version.rules.terms.seed, Fraction(0))


def _carries(round_: Round) -> bool:
    return round_.void is not None and not round_.version.rules.house.void_refunds_progressive


def _with_carried(state: TableState, before: Round) -> TableState:
    """Progressive bets of a void round that stay for the re-deal, with the coin-in that is in the meter already."""
    terms = state.round.version.rules.terms
    bets = {seat.seat: Fraction(seat.amount("progressive")) for seat in before.seats if seat.amount("progressive")}
    if terms is None or not bets:
        return state
    kept = [
        replace(seat, carried=True, wagers=(Wager("progressive", int(bets[seat.seat]), "last_bet"),))
        for seat in state.round.seats
        if seat.seat in bets
    ]
    counted = [bets[seat.seat] for seat in before.seats if seat.seat in bets and (before.locked or seat.carried)]
    came_in = coin_in(Meter(Fraction(0), Fraction(0)), terms, sum(counted, Fraction(0)))
    return state.with_seats(kept).with_round(moved=(came_in.amount, came_in.reserve))
