"""A table in tests: commands by name, events by kind, and whole rounds played from the truth of a recording."""

import json
from dataclasses import replace
from fractions import Fraction
from itertools import count
from pathlib import Path

from game.house_rules import HouseRules
from service.rounds.commands import command_from_json
from service.rounds.fold import apply, observe
from service.rounds.outcome import By
from service.rounds.rules import Limits, MeterSetting, RulesVersion, TableRules
from service.rounds.show import table_view
from service.rounds.state import MeterState, new_table, state_from_json, state_to_json
from vision.events import Event

DEMO = Path(__file__).parents[3] / "datasets" / "demo" / "truth.jsonl"
GOLDEN = Path(__file__).parents[2] / "golden" / "settlements.jsonl"
NOW = "2026-11-18T21:14:07+00:00"
ANN = By("account/ann", "Ann", NOW)
BOB = By("account/bob", "Bob", NOW)
SUE = By("account/sue", "Sue", NOW)
CHIPS = By("token/chips", "chips", NOW)
CAMERA = By("system/observer", "observer", NOW)


class Table:
    """A state that commands and events move on; every state on the way goes through JSON."""

    def __init__(self, rules, seats=6, meter=None):
        self.state = new_table("table-12", "Table 12", seats, RulesVersion(1, rules), NOW)
        if meter is not None:
            self.state = replace(self.state, meter=meter)
        self.facts = []
        self._ids = count(1)

    def do(self, command, by=ANN, **fields):
        content = {"id": f"c{next(self._ids)}", "command": command, **fields}
        return self._take(apply(self.state, command_from_json(content), by))

    def see(self, kind, zone=None, round=1, cards=None, **fields):
        record = {"event": kind, "time_s": 1.0, "frame": 25} | ({"round": round} if round else {})
        record |= {"zone": zone} if zone else {}
        record |= {"cards": cards.split()} if cards else {}
        return self.watch(Event.from_record(record | fields))

    def watch(self, event):
        return self._take(observe(self.state, event, CAMERA))

    def _take(self, outcome):
        self.state = state_from_json(json.loads(json.dumps(state_to_json(outcome.state))))
        assert self.state == outcome.state
        self.facts += outcome.facts
        return outcome.facts

    @property
    def view(self):
        return table_view(self.state, 1)

    def seat(self, number):
        return self.view.seats[number - 1]

    def confirm(self, seat, by=ANN):
        proposal = self.seat(seat).proposal
        return self.do("confirm", by, seat=seat, part=proposal.part, digest=proposal.digest)

    def facts_of(self, kind):
        return [fact for fact in self.facts if isinstance(fact, kind)]


def rules_of(case):
    """A table's rules that play a case: the case's tables and house rules, not live, no limits of its own."""
    tables, meter = case["tables"], case.get("progressive")
    profile = "prime" if case["game"] == "PRIME" else "washington"
    setting = None
    if meter is not None:
        rates = {key: str(meter.get(key, 0)) for key in ("contribution_rate", "reserve_rate")}
        setting = MeterSetting("meter", meter["seed"], meter["denomination"], **rates)
    limits = case.get("limits") or {}
    own = Limits(limits.get("minimum") or {}, limits.get("maximum") or {}, limits.get("maximum_aggregate"))
    house = {**HouseRules.from_mapping(case["house_rules"]).changed()}
    return TableRules(profile, tables, house, own, live=False, meter=setting)


def meter_of(case):
    meter = case.get("progressive")
    return None if meter is None else MeterState(Fraction(meter["meter"]), Fraction(meter.get("reserve", 0)))


def bet_all(table, case):
    """Every wager of a case, from the dealer's screen, and seats of one player linked."""
    players = {}
    for seat in case["seats"]:
        players.setdefault(seat["player"], []).append(seat["seat"])
        table.do("clear_wagers", seat=seat["seat"])  # known to be none, until one is placed
        for wager, amount in seat["wagers"].items():
            table.do("set_wager", seat=seat["seat"], wager=wager, amount=amount)
    for seats in players.values():
        if len(seats) > 1:
            table.do("link_player", seats=seats)
    table.do("no_more_bets")
    if any(seat["wagers"].get("progressive") for seat in case["seats"]):
        table.do("start_game")


def decide_all(table, case):
    """What every seat does, said by the dealer where the camera has not seen it."""
    for seat in case["seats"]:
        if seat["decision"] == "play":
            table.do("set_decision", seat=seat["seat"], decision="play", play=seat["play"])
        elif seat["decision"] == "fold" and table.state.seat(seat["seat"]).decision != "fold":
            wrong = {"play": seat["play"]} if seat["play"] else {}
            table.do("set_decision", seat=seat["seat"], decision="fold", **wrong)


def settle_all(table):
    """Confirm whatever comes up, with button and supervisor where an award needs them."""
    for _ in range(40):
        view = table.view
        if view.current_seat is None:
            return
        number = view.current_seat
        seat = view.seats[number - 1]
        if seat.proposal is not None and seat.proposal.needs_supervisor and not seat.award_verified:
            table.do("hand_button", seat=number, pressed=True)
            table.do("verify_award", SUE, seat=number)
        table.confirm(number)
    raise AssertionError("settling does not come to an end")


def play_by_hand(case):
    """A whole round without a camera: every hand typed in, every proposal confirmed."""
    numbers = [seat["seat"] for seat in case["seats"]]
    table = Table(rules_of(case), max(numbers), meter_of(case))
    bet_all(table, case)
    table.do("enter_hand", zone="dealer", cards=case["dealer"]["cards"], up_card=case["dealer"]["up"])
    decide_all(table, case)
    for seat in case["seats"]:
        table.do("enter_hand", zone=f"seat-{seat['seat']}", cards=seat["cards"])
    settle_all(table)
    return table


def paid_out(table):
    """What was confirmed, as a settlement has it: by seat the profit or loss of each wager, and envy."""
    result = {}
    for seat in table.state.round.seats:
        for payout in seat.payouts:
            if payout.taken_back:
                continue
            for line in payout.lines:
                amount = Fraction(line.amount.cents)
                net = {"pay": amount, "take": -amount}.get(line.move, Fraction(0))
                if line.wager == "progressive" and line.move == "pay":
                    net -= Fraction(line.stake.cents)
                result[seat.seat] = result.get(seat.seat, Fraction(0)) + net
    return result


def golden_cases():
    return [json.loads(line) for line in GOLDEN.read_text().splitlines()]


def demo_rounds():
    """Per round of the bundled recording: its events, and what really happened."""
    events, rounds = [], []
    for line in DEMO.read_text().splitlines():
        record = json.loads(line)
        if record["event"] == "round":
            rounds.append((tuple(events), record))
            events = []
        else:
            events.append(Event.from_record(record))
    return rounds
