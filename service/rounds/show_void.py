"""The void screen: what is doubted or void, the rule, and everything that goes back."""

from fractions import Fraction

from game.references import reference
from service.rounds.ending import returns
from service.rounds.money import amount_view, shown
from service.rounds.state import Doubt, TableState, Undo, Void
from service.rounds.view import Amount, LineView, UndoView, VoidView
from service.rounds.words import WAGER_TITLES

_RULE_OF = {"duplicate_card": "duplicate_card", "foreign_card": "duplicate_card"}


def void_view(state: TableState) -> VoidView | None:
    """The screen, while the deal is in doubt or void."""
    void, doubt = state.round.void, state.round.doubt
    if void is not None:
        return _declared(state, void)
    if doubt is None:
        return None
    return _screen(state, doubt, doubt.advice or "Void the round, or count the cards again")


def _screen(state: TableState, doubt: Doubt, advice: str) -> VoidView:
    rule = reference(state.round.version.rules.game, _RULE_OF.get(doubt.reason, "miscount"))
    return VoidView(
        pending=True, reason=doubt.reason, words=doubt.words, zone=doubt.zone, expected=doubt.expected, seen=doubt.seen,
        rule=str(rule), advice=advice, evidence=doubt.evidence, undo=(), returns=(), undo_total=None, by=None, at=None,
    )  # fmt: skip


def _declared(state: TableState, void: Void) -> VoidView:
    advice = "Give and take back what is listed, reshuffle, then end the game"
    screen = _screen(state, void.doubt, advice)
    return VoidView(
        pending=False, reason=screen.reason, words=screen.words, zone=screen.zone, expected=screen.expected,
        seen=screen.seen, rule=screen.rule, advice=screen.advice, evidence=screen.evidence,
        undo=tuple(_undo_view(undo) for undo in void.undo), returns=_returns(state), undo_total=_net(void.undo),
        by=void.by, at=void.at,
    )  # fmt: skip


def _returns(state: TableState) -> tuple[LineView, ...]:
    return tuple(_at_seat(line, seat) for seat, line in returns(state))


def _at_seat(line: LineView, seat: int) -> LineView:
    """The line with its seat in words: the list is over all seats."""
    return LineView(
        line.wager, line.title, line.stake, line.result, line.result_words, line.move, line.move_words, line.odds,
        line.amount, line.hand, f"seat {seat}", line.rule,
    )  # fmt: skip


def _undo_view(undo: Undo) -> UndoView:
    title = WAGER_TITLES[undo.wager]
    if undo.taken is not None:
        words = f"give back {shown(undo.taken).text} taken on {title.lower()}"
    elif undo.paid is not None:
        words = f"take back {shown(undo.paid).text} paid on {title.lower()}"
    else:
        words = f"undo what was paid or taken on {title.lower()}"
    return UndoView(undo.seat, undo.wager, title, amount_view(undo.paid), amount_view(undo.taken), words)


def _net(undo: tuple[Undo, ...]) -> Amount | None:
    """What comes back to the tray in all."""
    if not undo or any(each.paid is None and each.taken is None for each in undo):
        return None
    return shown(sum(((each.paid or 0) - (each.taken or 0) for each in undo), Fraction(0)))
