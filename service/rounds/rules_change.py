"""A new version of a table's rules: with the next round, or at once where the open round has not begun."""

from dataclasses import replace

from service.rounds.ending import meter_for
from service.rounds.facts import RulesApplied
from service.rounds.outcome import By, Outcome
from service.rounds.rules import RulesVersion
from service.rounds.state import TableState


def has_begun(state: TableState) -> bool:
    """Whether anything was bet, dealt or declared in the open round."""
    round_ = state.round
    is_touched = any(seat.wagers is not None or seat.takes_part for seat in round_.seats)
    return is_touched or round_.dealing or round_.locked or round_.closed_by is not None or round_.void is not None


def rules_changed(state: TableState, version: RulesVersion, by: By) -> Outcome:
    """The state with the version in its place."""
    at_once = not has_begun(state)
    fact = RulesApplied(round=state.round.number, by=by.label, version=version.number, at_once=at_once)
    if not at_once:
        return Outcome(replace(state, next_version=version), (fact,))
    changed = replace(state, next_version=None, meter=meter_for(state, version)).with_round(version=version)
    return Outcome(changed, (fact,))
