"""Whatever is tapped, in whatever order: nothing is paid twice or by itself, a void undoes exactly what was paid."""

from fractions import Fraction

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from game.cards import DECK
from game.errors import GameError
from service.errors import ServiceError
from service.rounds.facts import PayoutConfirmed, PayoutTakenBack, RoundVoided
from service.rounds.rules import MeterSetting, TableRules
from tests.service.rounds.play import ANN, BOB, SUE, Table

SEATS = (3, 2, 1)
RULES = TableRules(
    "nemacolin", {"fcp": "FCP-05", "progressive": "PMG-01"}, live=False, meter=MeterSetting("m", 250_000, 100, "1/2")
)
TAPS = (
    "confirm", "confirm", "confirm", "confirm", "old_confirm", "skip", "come_back", "take_back", "hand_button",
    "verify_award", "correct_card", "set_wager", "set_decision", "start_game", "no_more_bets", "see_hand", "see_fold",
    "miscount", "recount", "void_round", "end_game", "last_bet",
)  # fmt: skip
Taps = st.lists(st.tuples(st.sampled_from(TAPS), st.sampled_from(SEATS), st.integers(0, 51)), max_size=25)


class Fingers:
    """Taps on a table, wise or not; what is refused changes nothing."""

    def __init__(self, cards):
        self.table = Table(RULES, 3)
        self.seen_digests = {seat: ["0" * 24] for seat in SEATS}
        self.cards = [str(card) for card in cards]
        for seat in SEATS:
            self.table.do("set_wager", seat=seat, wager="ante", amount=1000)
            self.table.do("set_wager", seat=seat, wager="progressive", amount=100)
        self.table.do("start_game")
        self.table.do("enter_hand", zone="dealer", cards=self.cards[:6])
        for place, seat in enumerate(SEATS):
            self.table.do("set_decision", seat=seat, decision="play", play=1000)
            self.table.do("enter_hand", zone=f"seat-{seat}", cards=self.cards[6 + 5 * place : 11 + 5 * place])

    def tap(self, kind, seat, number):
        before = self.table.state
        proposal = self.table.seat(seat).proposal
        if proposal is not None:
            self.seen_digests[seat].append(proposal.digest)
        try:
            self._do(kind, seat, number, proposal)
        except (ServiceError, GameError):
            assert self.table.state is before, "a refusal changes nothing"

    def _do(self, kind, seat, number, proposal):
        do, card = self.table.do, str(DECK[number])
        match kind:
            case "confirm" | "old_confirm":
                digest = self.seen_digests[seat][-1 if kind == "confirm" else number % len(self.seen_digests[seat])]
                part = proposal.part if proposal else "hand"
                do("confirm", BOB if number % 2 else ANN, seat=seat, part=part, digest=digest)
            case "skip" | "come_back":
                do(kind, seat=seat)
            case "take_back":
                do("take_back", SUE, seat=seat, part="envy" if number % 3 == 0 else "hand", reason="because")
            case "hand_button":
                do("hand_button", seat=seat, pressed=number % 2 == 0)
            case "verify_award":
                do("verify_award", SUE, seat=seat)
            case "correct_card":
                do("correct_card", zone="dealer" if number % 4 == 0 else f"seat-{seat}", position=number % 5, card=card)
            case "set_wager":
                do("set_wager", seat=seat, wager="ante", amount=500 * (number % 4), reason="counted again")
            case "set_decision":
                decision = ("play", 1000) if number % 3 else ("fold", None)
                do("set_decision", seat=seat, decision=decision[0], play=decision[1], reason="looked again")
            case "see_hand":
                self.table.see("player_hand", f"seat-{seat}", cards=" ".join(self.cards[20:25]), confidence=0.9)
            case "see_fold":
                self.table.see("fold", f"seat-{seat}", left="taken")
            case "miscount":
                self.table.see("miscount", f"seat-{seat}", expected=5, seen=number % 8)
            case "recount":
                do("recount", zone=f"seat-{seat}")
            case "void_round":
                do("void_round", reason="other")
            case "end_game":
                do("end_game", reason="over")
            case _:
                do(kind)


def standing(table, number):
    """Amounts paid and taken by payouts of a round that stand in the record."""
    gone = {fact.payout for fact in table.facts_of(PayoutTakenBack)}
    return [fact for fact in table.facts_of(PayoutConfirmed) if fact.round == number and fact.payout not in gone]


def is_award(line):
    """The bet of an award was collected too, and is not returned with it."""
    return line.wager == "progressive" and line.move == "pay"


@settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
@given(cards=st.permutations(DECK[:26]), taps=Taps)
def test_no_order_of_taps_pays_a_seat_twice_or_by_itself(cards, taps):
    fingers = Fingers(cards)
    for tap in taps:
        count = len(fingers.table.facts_of(PayoutConfirmed))
        fingers.tap(*tap)
        confirmed = fingers.table.facts_of(PayoutConfirmed)
        assert len(confirmed) - count <= (tap[0] in ("confirm", "old_confirm")), "only a tap on Confirm confirms"
        for number in {fact.round for fact in confirmed}:
            pairs = [(fact.seat, fact.part) for fact in standing(fingers.table, number)]
            assert len(pairs) == len(set(pairs))
    for fact in fingers.table.facts_of(PayoutConfirmed):
        assert fact.by.startswith("account/")
        assert fact.total == str(sum(Fraction(line.amount.cents) for line in fact.lines if line.move == "pay"))


@settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
@given(cards=st.permutations(DECK[:26]), taps=Taps)
def test_a_void_undoes_exactly_what_stands(cards, taps):
    fingers = Fingers(cards)
    for tap in taps:
        if tap[0] not in ("void_round", "end_game"):
            fingers.tap(*tap)
    table = fingers.table
    paid = standing(table, 1)
    table.do("void_round", reason="other")
    (fact,) = table.facts_of(RoundVoided)
    undone = {key: sum(Fraction(each[key] or 0) for each in fact.undo) for key in ("paid", "taken")}
    assert undone["paid"] == sum(Fraction(each.total) for each in paid)
    collected = sum(Fraction(line.stake.cents) for each in paid for line in each.lines if is_award(line))
    assert undone["taken"] == sum(Fraction(each.taken) for each in paid) + collected
    assert standing(table, 1) == []
    assert (table.state.meter.amount, table.state.meter.reserve) == (250_000, 0), "the meter is as it was"
    seats = {seat["seat"] for seat in fact.returns} | {each.seat for each in paid if each.part == "hand"}
    assert seats == {seat.seat for seat in table.state.round.seats if any(each.amount for each in seat.wagers)}
