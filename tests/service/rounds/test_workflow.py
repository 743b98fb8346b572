"""A round at the table, rule by rule: what a command or an event does, and what is refused."""

from dataclasses import replace

import pytest

from service.rounds.errors import (
    AlreadyDoneError,
    BadCommand,
    NeedsReasonError,
    RoundError,
    StaleError,
    WrongPhaseError,
)
from service.rounds.facts import (
    AlertRaised,
    DealerRelieved,
    PayoutConfirmed,
    PayoutTakenBack,
    PlayersLinked,
    RoundClosed,
    RoundMissed,
    RoundVoided,
    WagersClosed,
    WagerSet,
)
from service.rounds.placard import placard
from service.rounds.rules import Limits, MeterSetting, RulesVersion, TableRules
from service.rounds.rules_change import rules_changed
from tests.service.rounds.play import BOB, CHIPS, SUE, Table, settle_all

DEALER = "Ks Kh Ad Tc 5c 2d"
NINES = "9s 9h 9d Kc 4d"
PAIR = "As Ac 7h 6c 3s"
ROYAL = "Ah Kd Qh Jh Th"
METER = MeterSetting("meter", 250_000, 100, "1/2")


def table(live=False, **tables):
    rules = TableRules("washington", {"fcp": "FCP-05", "bad_beat_bonus": "BBB-01", **tables}, live=live)
    return Table(rules)


def progressive(profile="nemacolin", name="PMG-01", **house):
    return Table(TableRules(profile, {"fcp": "FCP-05", "progressive": name}, house, live=False, meter=METER))


def bet(at, seat, **wagers):
    for name, amount in (wagers or {"ante": 1000}).items():
        at.do("set_wager", seat=seat, wager=name, amount=amount)


def settling(at, hands, dealer=DEALER, play=1000, lock=False):
    """Wagers are closed, hands are typed in, everybody plays."""
    at.do("no_more_bets")
    if lock:
        at.do("start_game")
    at.do("enter_hand", zone="dealer", cards=dealer.split())
    for seat, cards in hands.items():
        at.do("set_decision", seat=seat, decision="play", play=play)
        at.do("enter_hand", zone=f"seat-{seat}", cards=cards.split())
    return at


def one_seat(**wagers):
    at = table()
    bet(at, 4, **wagers)
    return settling(at, {4: NINES})


# --- wagers


def test_a_wager_after_no_more_bets_needs_a_reason_and_stays_marked():
    at = table()
    bet(at, 4)
    at.do("no_more_bets")
    with pytest.raises(NeedsReasonError, match="closed by Ann"):
        at.do("set_wager", seat=4, wager="ante", amount=2000)
    at.do("set_wager", seat=4, wager="ante", amount=2000, reason="miscounted stack")
    (wager,) = at.seat(4).wagers
    assert (wager.amount.text, wager.late, wager.reason) == ("$20", True, "miscounted stack")
    assert at.facts_of(WagerSet)[-1].late


def test_wagers_are_reopened_with_a_reason_until_a_card_is_dealt():
    at = table()
    at.do("no_more_bets")
    at.do("reopen_wagers", reason="a player came back")
    assert at.view.phase == "betting"
    at.see("round_started")
    at.see("cards_dealt", "seat-4", count=1, apart=False)
    assert at.facts_of(WagersClosed)[-1].by == "system/observer"
    with pytest.raises(WrongPhaseError, match="cards were dealt"):
        at.do("reopen_wagers", reason="x")


def test_the_bets_of_the_round_before_and_of_a_neighbour_are_repeated():
    at = one_seat(ante=1000, aces_up=500)
    settle_all(at)
    at.do("end_game")
    at.do("last_bet")
    at.do("copy_wagers", seat=2, from_seat=4)
    assert [(wager.wager, wager.amount.cents, wager.source) for wager in at.seat(2).wagers] == [
        ("ante", "1000", "copied"),
        ("aces_up", "500", "copied"),
    ]
    at.do("clear_wagers", seat=4)
    assert at.seat(4).status == "empty"
    with pytest.raises(RoundError, match="seat 1 has a bet of the round before"):
        at.do("last_bet", seat=1)


def test_a_progressive_bet_of_another_denomination_is_not_repeated():
    at = progressive("washington", "FCPP-1")
    bet(at, 4, ante=1000, progressive=100)
    settling(at, {4: NINES}, lock=True)
    settle_all(at)
    dearer = replace(at.state.round.version.rules, meter=replace(METER, denomination=500))
    at.state = rules_changed(at.state, RulesVersion(2, dearer), SUE).state
    at.do("end_game")
    at.do("last_bet")
    assert [(wager.wager, wager.fault) for wager in at.seat(4).wagers] == [("ante", None)]


REFUSED_WAGERS = [
    pytest.param({"wager": "progressive", "amount": 100}, "does not offer Progressive", id="not offered"),
    pytest.param({"wager": "ante", "amount": 100, "seat": 7}, "has no seat 7", id="no such seat"),
]


@pytest.mark.parametrize(("fields", "words"), REFUSED_WAGERS)
def test_wagers_that_cannot_be_placed(fields, words):
    with pytest.raises(RoundError, match=words):
        table().do("set_wager", **({"seat": 4} | fields))


@pytest.mark.parametrize("amount", ["10", 10.5, True, -5, None])
def test_an_amount_is_a_whole_number_of_cents(amount):
    with pytest.raises(BadCommand, match="amount"):
        table().do("set_wager", seat=4, wager="ante", amount=amount)


UNPAYABLE = [
    pytest.param(
        "set_wager", {"wager": "ante", "amount": 10}, r"\$0.10 .* smallest of which is \$1", id="dollars as cents"
    ),
    pytest.param("set_wager", {"wager": "ante", "amount": 1050}, r"\$10.50 cannot be made", id="half a dollar"),
    pytest.param("set_decision", {"decision": "play", "play": 1250}, r"\$12.50 cannot be made", id="a play wager"),
]


@pytest.mark.parametrize(("command", "fields", "words"), UNPAYABLE)
def test_money_that_no_chips_make_lies_on_no_live_spot(command, fields, words):
    house = {"payout_rounding": "down", "payout_unit_cents": 100}
    at = Table(TableRules("washington", {"fcp": "FCP-05"}, house))
    bet(at, 4)
    if command == "set_decision":
        at.do("no_more_bets")
    with pytest.raises(RoundError, match=words):
        at.do(command, seat=4, **fields)


def test_a_wager_outside_the_limits_is_shown_and_blocks_its_payout():
    rules = TableRules("washington", {"fcp": "FCP-05"}, {}, Limits({"ante": 500}, {"ante": 10_000}), live=False)
    at = Table(rules)
    bet(at, 4, ante=200)
    assert "has 200 cents on ante" in at.seat(4).wagers[0].fault
    settling(at, {4: NINES}, play=200)
    assert at.seat(4).status == "fault"
    with pytest.raises(WrongPhaseError, match="200 cents on ante"):
        at.do("confirm", seat=4, digest="0" * 8)
    spots = {spot.wager: spot for spot in at.view.spots}
    assert (spots["ante"].maximum.text, spots["aces_up"].maximum.text) == ("$100", "$300"), (
        "the law's where it has none"
    )


def test_unknown_wagers_show_odds_instead_of_amounts():
    at = table()
    settling(at, {})
    at.do("enter_hand", zone="seat-4", cards=NINES.split())
    proposal = at.seat(4).proposal
    assert (proposal.odds_only, proposal.total, proposal.can_confirm) == (True, None, True)
    assert [(line.wager, line.move, line.odds, line.amount) for line in proposal.lines] == [
        ("play", "pay", "1 to 1", None),
        ("ante", "pay", "1 to 1", None),
        ("automatic_bonus", "pay", "2 to 1", None),
        ("aces_up", "pay", "8 to 1", None),
        ("bad_beat_bonus", "take", None, None),
    ]
    at.confirm(4)
    assert at.facts_of(PayoutConfirmed)[0].total is None
    at.do("end_game")


def test_seats_of_one_player_are_linked_and_stay_so():
    at = table()
    at.do("link_player", seats=[3, 2])
    assert at.seat(2).linked_with == (3,)
    bet(at, 2)
    settling(at, {2: NINES})
    settle_all(at)
    at.do("end_game")
    assert at.seat(3).player == "seats 2 and 3"
    at.do("link_player", seats=[2])
    assert (at.seat(2).linked_with, at.seat(3).linked_with) == ((), ())


def test_a_seat_that_is_given_up_leaves_the_players_other_seats_linked():
    at = progressive("washington", "FCPP-1")
    at.do("link_player", seats=[2, 3, 5])
    at.do("link_player", seats=[5])
    assert [at.seat(number).linked_with for number in (2, 3, 5)] == [(3,), (2,), ()]
    at.do("link_player", seats=[3, 4])
    assert [at.seat(number).linked_with for number in (2, 3, 4)] == [(), (4,), (3,)]
    assert [fact.player for fact in at.facts_of(PlayersLinked)][-2:] == ["seats 3 and 4", "seat 2"]


# --- hands


def test_a_misread_card_is_corrected_and_the_machines_reading_stays_beside_it():
    at = table()
    bet(at, 4)
    settling(at, {})
    at.do("set_decision", seat=4, decision="play", play=1000)
    at.see("player_hand", "seat-4", cards="9s 9h 8d Kc 4d", confidence=0.97)
    at.do("correct_card", zone="seat-4", position=2, was="8d", card="9d")
    card = at.seat(4).hand.cards[2]
    assert (card.card, card.machine, card.corrected, card.confidence) == ("9d", "8d", True, None)
    assert at.seat(4).hand.machine == ("9s", "9h", "8d", "Kc", "4d")
    at.see("player_hand", "seat-4", cards="9s 9h 8d Kc 4d", confidence=0.98)
    assert at.seat(4).hand.cards[2].card == "9d", "a person's word stands"
    assert at.view.alerts[0].kind == "reading_changed"


REFUSED_CARDS = [
    pytest.param({"position": 5, "card": "2c"}, RoundError, "has 5 cards", id="no such place"),
    pytest.param({"position": 0, "was": "9c", "card": "2c"}, StaleError, "is 9s by now", id="another card is there"),
    pytest.param({"position": 0, "card": "Kc"}, RoundError, "Kc is in this hand already", id="twice in the hand"),
    pytest.param({"position": 0, "card": "1x"}, BadCommand, "card", id="no card"),
]


@pytest.mark.parametrize(("fields", "error", "words"), REFUSED_CARDS)
def test_corrections_that_are_refused(fields, error, words):
    with pytest.raises(error, match=words):
        one_seat().do("correct_card", zone="seat-4", **fields)


def test_a_hand_that_was_read_in_part_is_entered_and_never_called_a_miscount():
    at = table()
    bet(at, 4)
    at.see("round_started")
    at.see("unreadable", "seat-4", reason="covered", advice="spread", read=["9s", "9h", "9d", "Kc"], seen=5)
    with pytest.raises(RoundError, match="seat 4 shows 4 of 5 cards; enter the whole hand"):
        at.do("correct_card", zone="seat-4", position=0, was="9s", card="8s")
    assert at.seat(4).status == "unreadable"
    at.see("player_hand", "seat-4", cards=NINES)
    assert [card.card for card in at.seat(4).hand.cards] == NINES.split()


def test_an_unreadable_hand_is_typed_in():
    at = table()
    bet(at, 4)
    at.see("round_started")
    at.see("dealer_hand", "dealer", cards=DEALER, set_in_front=DEALER.split()[:4], confidence=0.99)
    at.see("unreadable", "seat-4", reason="covered", advice="spread the cards on seat 4", read=["9s", "9h"], seen=4)
    seat = at.seat(4)
    assert (seat.status, seat.hand.advice) == ("unreadable", "spread the cards on seat 4")
    assert [card.card for card in seat.hand.cards] == ["9s", "9h"]
    at.do("enter_hand", zone="seat-4", cards=NINES.split())
    assert at.seat(4).status == "needs_play"
    assert [choice.text for choice in at.seat(4).play_choices] == ["1× $10", "2× $20", "3× $30"]
    proposal = at.seat(4).proposal
    assert (proposal.can_confirm, proposal.lines[0].amount, proposal.lines[1].amount.text) == (False, None, "$10")
    at.do("set_decision", seat=4, decision="play", play=3000)
    assert at.seat(4).proposal.total.text == "$60"


def test_a_card_that_lies_twice_blocks_both_hands_and_is_never_a_pair():
    at = table()
    bet(at, 4)
    bet(at, 2)
    settling(at, {4: NINES, 2: "9s Qd 7h 6c 3s"})
    assert [at.seat(number).status for number in (4, 2)] == ["fault", "fault"]
    assert "9s was seen 2 times: seat-2, seat-4" in at.seat(4).problem
    at.do("correct_card", zone="seat-2", position=0, card="9c")
    assert at.seat(4).status == "ready"


def test_the_dealers_hand_with_a_card_of_a_player_settles_nobody():
    at = table()
    bet(at, 4)
    settling(at, {4: "Ks 9h 9d Kc 4d"})
    assert at.view.dealer.problem.startswith("Ks was seen 2 times")
    assert at.seat(4).proposal is None


def test_decisions_that_break_a_rule_are_refused_in_words():
    at = table()
    bet(at, 4)
    bet(at, 2, aces_up=500)
    with pytest.raises(WrongPhaseError, match="wagers are still open"):
        at.do("set_decision", seat=4, decision="fold")
    at.do("no_more_bets")
    with pytest.raises(RoundError, match="allowed is 1000 to 3000"):
        at.do("set_decision", seat=4, decision="play", play=4000)
    with pytest.raises(RoundError, match="seat 2 has no ante"):
        at.do("set_decision", seat=2, decision="play", play=500)


def test_a_decision_changed_after_the_dealers_hand_is_open_needs_a_reason():
    at = one_seat()
    with pytest.raises(NeedsReasonError, match="the dealer's hand is open"):
        at.do("set_decision", seat=4, decision="play", play=3000)
    at.do("set_decision", seat=4, decision="play", play=3000, reason="two stacks were there")
    assert at.seat(4).play.text == "$30"


def test_the_camera_sees_folds_and_plays_and_a_person_overrules_it():
    at = table()
    for number in (5, 4, 2):
        bet(at, number)
    at.see("round_started")
    at.see("up_card", "dealer", cards="Ad")
    at.see("bet_spot_changed", "seat-4", spot="play", change="put", phase="decision", by="player")
    at.see("fold", "seat-5", left="taken")
    at.see("fold", "seat-2", left="taken")
    assert [(at.seat(number).decision, at.seat(number).decision_from) for number in (5, 4, 2)] == [
        ("fold", "camera"),
        ("play", "camera"),
        ("fold", "camera"),
    ]
    assert at.seat(5).status == "folded"
    at.do("set_decision", seat=2, decision="play", play=1000)
    at.see("fold", "seat-2", left="taken")
    assert at.seat(2).decision == "play"
    assert at.view.alerts[0].kind == "decision_differs"


def test_a_folded_hand_with_a_live_wager_is_turned_in_its_turn():
    at = table()
    bet(at, 4, ante=1000, aces_up=500)
    at.do("no_more_bets")
    at.do("enter_hand", zone="dealer", cards=DEALER.split())
    at.do("set_decision", seat=4, decision="fold")
    assert at.seat(4).status == "waiting"
    at.do("enter_hand", zone="seat-4", cards=PAIR.split())
    lines = {line.wager: (line.move, line.amount.text) for line in at.seat(4).proposal.lines}
    assert lines == {"ante": ("take", "$10"), "aces_up": ("pay", "$5")}


# --- payouts


def test_nothing_is_paid_before_a_person_confirms_and_then_once():
    at = one_seat()
    assert at.seat(4).payouts == ()
    digest = at.seat(4).proposal.digest
    with pytest.raises(RoundError, match="a program confirms nothing"):
        at.do("confirm", CHIPS, seat=4, digest=digest)
    at.confirm(4)
    with pytest.raises(AlreadyDoneError, match="confirmed by Ann at 21:14:07"):
        at.do("confirm", BOB, seat=4, digest=digest)
    assert len(at.facts_of(PayoutConfirmed)) == 1
    basis = at.facts_of(PayoutConfirmed)[0].basis
    assert (basis["cards"], basis["dealer"], basis["wagers"]) == (NINES.split(), DEALER.split(), [["ante", 1000]])


def test_a_proposal_that_changed_since_is_refused_with_what_changed():
    at = one_seat()
    digest = at.seat(4).proposal.digest
    at.do("set_decision", seat=4, decision="play", play=2000, reason="two chips")
    with pytest.raises(StaleError, match=r"was total \$40 .* is now total \$50"):
        at.do("confirm", seat=4, digest=digest)
    with pytest.raises(StaleError, match="round 7 is over"):
        at.do("confirm", seat=4, digest=digest, round=7)


def test_seats_are_settled_from_the_dealers_right_unless_they_are_skipped():
    at = table()
    bet(at, 5)
    bet(at, 2)
    settling(at, {5: NINES, 2: PAIR})
    assert at.view.current_seat == 5
    assert at.seat(2).proposal.blocked == "seat 5 before: settle first, or skip"
    with pytest.raises(WrongPhaseError, match="seat 5 before"):
        at.confirm(2)
    at.do("skip", seat=5)
    assert (at.view.current_seat, at.seat(5).status) == (2, "skipped")
    at.confirm(2)
    assert at.view.current_seat == 5
    at.do("come_back", seat=5)
    at.confirm(5)
    assert at.view.phase == "finished"


def test_a_payout_is_taken_back_with_a_reason_and_confirmed_anew():
    at = one_seat()
    digest = at.seat(4).proposal.digest
    at.confirm(4)
    with pytest.raises(AlreadyDoneError, match="take the payout back first"):
        at.do("correct_card", zone="seat-4", position=0, card="2c")
    at.do("take_back", SUE, seat=4, reason="the four was a three")
    assert at.facts_of(PayoutTakenBack)[0].total == "4000"
    assert at.seat(4).proposal.digest != digest, "the tap that paid before pays nothing again"
    at.confirm(4)
    assert [payout.taken_back for payout in at.seat(4).payouts] == [True, False]


def test_a_dealers_card_corrected_after_a_payout_shows_what_now_differs():
    at = one_seat()
    at.confirm(4)
    at.do("enter_hand", zone="dealer", cards=["Ks", "Kh", "Kd", "Tc", "5c", "2d"])
    at.do("enter_hand", zone="dealer", cards=["Js", "Jh", "Jd", "Tc", "5c", "2d"])
    assert "now total $20" in at.seat(4).payouts[0].differs
    with pytest.raises(NeedsReasonError, match="seat 4: the payout differs"):
        at.do("end_game")
    at.do("take_back", SUE, seat=4, reason="wrong dealer's hand")
    at.confirm(4)
    at.do("end_game")


def test_a_game_with_open_seats_ends_only_with_a_reason():
    at = one_seat()
    with pytest.raises(NeedsReasonError, match="seat 4 is not settled"):
        at.do("end_game")
    at.do("end_game", reason="the player ran off")
    assert at.facts_of(RoundClosed)[0].unsettled == (4,)
    with pytest.raises(WrongPhaseError, match="nothing was bet or dealt"):
        at.do("end_game")


# --- void


def test_a_miscount_is_told_and_a_person_declares_it_void_with_everything_that_goes_back():
    at = table()
    bet(at, 5, ante=1000, aces_up=500)
    bet(at, 4)
    bet(at, 2)
    settling(at, {5: PAIR, 4: "Qd 9c 7s 4c 3d"})
    at.confirm(5)
    at.confirm(4)
    at.see("miscount", "seat-2", cards="9s 9h 9d 4s", expected=5, seen=4)
    view = at.view
    assert (view.void.pending, view.void.words) == (True, "seat 2 has 4 cards, not 5")
    assert "all hands are void" in view.void.rule
    assert view.phase == "settling", "the machine voids nothing"
    at.do("void_round", reason="wrong_card_count", note="recounted twice")
    view = at.view
    assert (view.phase, view.void.pending, view.void.by) == ("void", False, "Ann")
    paid = {(undo.seat, undo.wager): undo.words for undo in view.void.undo}
    assert paid == {
        (5, "play"): "take back $10 paid on play",
        (5, "ante"): "take back $10 paid on ante",
        (5, "aces_up"): "take back $5 paid on aces up",
        (4, "play"): "give back $10 taken on play",
        (4, "ante"): "give back $10 taken on ante",
    }
    assert view.void.undo_total.text == "$5"
    assert [(line.note, line.title, line.amount.text) for line in view.void.returns] == [("seat 2", "Ante", "$10")]
    assert {fact.seat for fact in at.facts_of(PayoutTakenBack)} == {5, 4}
    with pytest.raises(WrongPhaseError, match="round 1 is void"):
        at.do("confirm", seat=2, digest="0" * 8)
    at.do("end_game")
    assert (at.view.round, at.facts_of(RoundClosed)[0].status) == (2, "void")


def test_a_recount_sets_the_doubt_aside_until_it_is_seen_again():
    at = table()
    bet(at, 4)
    settling(at, {})
    at.see("miscount", "seat-4", cards="9s 9h 9d Kc", expected=5, seen=4)
    with pytest.raises(WrongPhaseError, match="4 cards"):
        at.do("confirm", seat=4, digest="0" * 8)
    at.do("recount", zone="seat-4")
    assert at.view.void is None
    at.do("set_decision", seat=4, decision="play", play=1000)
    at.see("player_hand", "seat-4", cards=NINES, confidence=0.99)
    assert at.seat(4).status == "ready"
    at.see("miscount", "seat-4", expected=5, seen=6)
    assert at.view.void.pending
    with pytest.raises(RoundError, match="is read and counted"):
        one_seat().do("recount", zone="seat-4")


# --- progressive and envy


def test_progressive_bets_are_locked_and_shown_as_lit_sensors():
    at = progressive()
    bet(at, 4, ante=1000, progressive=100)
    bet(at, 2)
    with pytest.raises(RoundError, match="a progressive bet is 100 cents or none"):
        at.do("set_wager", seat=2, wager="progressive", amount=500)
    at.do("start_game", CHIPS)
    assert (at.view.meter.locked, at.view.meter.sensors, at.view.meter.amount.cents) == (True, (4,), "250050")
    assert at.seat(4).sensor_lit
    for seat in (4, 2):
        with pytest.raises(WrongPhaseError, match="is locked"):
            at.do("set_wager", seat=seat, wager="progressive", amount=0, reason="x")
    with pytest.raises(WrongPhaseError, match="adjust it between rounds"):
        at.do("adjust_meter", SUE, change=100, reason="x")


def test_an_award_from_the_meter_takes_the_hand_button_and_a_supervisor():
    at = progressive()
    bet(at, 4, ante=1000, progressive=100)
    settling(at, {4: ROYAL.replace("Kd", "Kh")}, dealer="Ks Kc Ad Tc 5c 2d", lock=True)
    proposal = at.seat(4).proposal
    assert proposal.needs_supervisor
    assert "press the hand button" in proposal.blocked
    at.do("hand_button", seat=4, pressed=True)
    at.do("hand_button", seat=4, pressed=False)
    at.do("hand_button", seat=4, pressed=True)
    assert "a supervisor verifies" in at.seat(4).proposal.blocked
    at.do("verify_award", SUE, seat=4)
    at.confirm(4)
    assert at.seat(4).payouts[0].lines[-1].amount.cents == "250050"
    assert at.view.meter.amount.cents == "250000", "reseeded"
    at.do("take_back", SUE, seat=4, reason="verified wrongly")
    assert at.view.meter.amount.cents == "250050", "the award is backed out"
    assert not at.seat(4).award_verified


def test_envy_is_paid_at_the_end_and_the_hand_is_kept_until_then():
    at = progressive()
    for number in (5, 4, 2):
        bet(at, number, ante=1000, progressive=100)
    hands = {5: "9s 9h 7d Kc 4d", 4: "8h 7h 6h 5h 4h", 2: "Qs Qd 8c 3c 2s"}
    settling(at, hands, dealer="Ks Kh Ad Tc 5c 2d", lock=True)
    assert at.seat(4).hand.kept
    at.confirm(5)
    envy = at.seat(5).proposal
    assert (envy.part, envy.can_confirm) == ("envy", False)
    assert envy.blocked == "envy is paid at the end of the round: seats 4 and 2 first"
    at.do("hand_button", seat=4, pressed=True)
    at.do("verify_award", SUE, seat=4)
    at.confirm(4)
    at.confirm(2)
    assert (at.view.phase, at.view.current_seat) == ("envy", 5)
    assert at.seat(5).proposal.lines[0].note == "seat 4's straight flush"
    at.confirm(5)
    at.confirm(2)
    assert [payout.total.text for payout in at.seat(2).payouts] == ["$0", "$300"]
    assert (at.view.phase, at.seat(4).hand.kept) == ("finished", False)


def test_nobody_collects_envy_from_his_other_seat():
    at = progressive()
    for number in (5, 4):
        bet(at, number, ante=1000, progressive=100)
    at.do("link_player", seats=[4, 5])
    settling(at, {5: "9s 9h 7d Kc 4d", 4: "8h 7h 6h 5h 4h"}, lock=True)
    settle_all(at)
    assert {fact.part for fact in at.facts_of(PayoutConfirmed)} == {"hand"}


def test_a_bet_that_is_carried_to_the_re_deal_keeps_its_coin_in():
    at = progressive(void_refunds_progressive=False)
    bet(at, 4, ante=1000, progressive=100)
    at.do("start_game")
    at.see("round_started")
    at.see("miscount", "seat-4", expected=5, seen=4)
    at.do("void_round", reason="wrong_card_count")
    assert {line.wager: line.move for line in at.view.void.returns} == {"ante": "return", "progressive": "leave"}
    at.do("end_game")
    assert (at.view.meter.amount.cents, at.seat(4).wagers[0].wager) == ("250050", "progressive")
    bet(at, 4, ante=1000)
    bet(at, 2, ante=1000, progressive=100)
    at.do("start_game")
    assert at.view.meter.amount.cents == "250100"


def test_a_carried_bet_stays_when_the_re_deal_is_void_too():
    at = progressive(void_refunds_progressive=False)
    bet(at, 4, ante=1000, progressive=100)
    at.do("start_game")
    at.do("void_round", reason="shuffler")
    at.do("end_game")
    bet(at, 2, ante=1000, progressive=100)
    at.do("void_round", reason="shuffler")
    at.do("end_game")
    assert [at.seat(number).wagers[0].amount.text for number in (4, 2)] == ["$1", "$1"]
    assert at.view.meter.amount.cents == "250050"
    at.do("start_game")
    assert at.view.meter.amount.cents == "250100"


def test_a_wager_taken_away_late_leaves_no_seat_to_settle():
    at = one_seat()
    bet_late = {"seat": 1, "wager": "ante", "reason": "wrong seat"}
    at.do("set_wager", amount=500, **bet_late)
    assert at.seat(1).status != "empty"
    at.do("set_wager", amount=0, **bet_late)
    assert (at.seat(1).status, at.seat(1).wagers[0].late) == ("empty", True)
    settle_all(at)
    at.do("end_game")


def test_a_void_gives_the_coin_in_back():
    at = progressive()
    bet(at, 4, ante=1000, progressive=100)
    at.do("start_game")
    at.do("void_round", reason="shuffler")
    assert at.view.meter.amount.cents == "250000"
    assert at.facts_of(RoundVoided)[0].words == "the shuffler failed"


CARRIED = [
    pytest.param(True, [("paid", "$9"), ("taken", "$1")], "$8", [], id="given back with the award taken back"),
    pytest.param(False, [("paid", "$9")], "$9", [("seat 4", "LEAVE", "$1")], id="left for the re-deal"),
]


@pytest.mark.parametrize(("refunds", "undone", "total", "left"), CARRIED)
def test_a_void_after_an_award_undoes_the_bet_it_was_won_with(refunds, undone, total, left):
    at = progressive("washington", "FCPP-1", void_refunds_progressive=refunds)
    bet(at, 4, ante=1000, progressive=100)
    settling(at, {4: NINES}, lock=True)
    at.confirm(4)
    at.do("void_round", reason="wrong_card_count")
    void = at.view.void
    moves = [
        ("paid" if undo.paid else "taken", (undo.paid or undo.taken).text)
        for undo in void.undo
        if undo.wager == "progressive"
    ]
    assert moves == undone
    assert sum(float(undo.paid.cents) for undo in void.undo if undo.wager != "progressive" and undo.paid) == 4000
    assert void.undo_total.text == f"${40 + int(total[1:])}"
    assert [(line.note, line.move_words, line.amount.text) for line in void.returns] == left


# --- the placard


def test_the_placard_says_what_a_bonus_pays_at_most_and_what_may_be_raised():
    caps = {"cap_per_hand": 2_500_000, "cap_per_round": 5_000_000}
    rules = TableRules("prime", {"bad_beat": "BB-1", "aces_baby": "AB-1", "prime": "PRIME-1"}, caps, live=False)
    lines = placard("Table 14", RulesVersion(1, rules)).limits
    assert [words for title, words in lines if title == "Maximum payout"] == ["$25,000 a hand", "$50,000 a round"]
    assert dict(lines)["Raise"].endswith("one, two or three times the ante")
    between = placard("Table 12", RulesVersion(1, TableRules("washington", {"fcp": "FCP-05"}, live=False))).limits
    assert dict(between)["Play"].endswith("one to three times the ante")


# --- the observer and rounds


def test_what_the_camera_sees_of_the_next_round_waits_for_the_end_of_this_one():
    at = one_seat()
    at.see("round_started", round=2)
    at.see("cards_dealt", "seat-3", round=2, count=5, apart=True)
    assert (at.view.next_round_waiting, at.seat(3).status) == (True, "empty")
    settle_all(at)
    at.do("end_game")
    assert (at.view.round, at.view.phase, at.seat(3).hand.dealt) == (2, "dealing", 5)


def test_a_whole_round_that_nobody_handled_is_told():
    at = one_seat()
    at.see("round_started", round=2)
    at.see("round_started", round=3)
    assert at.facts_of(RoundMissed)[0].events == 1
    assert at.facts_of(AlertRaised)[-1].kind == "round_missed"


def test_what_still_comes_of_a_round_that_was_ended_is_over():
    at = table()
    bet(at, 4)
    at.see("round_started", round=5)
    at.see("cards_dealt", "seat-4", round=5, count=5, apart=True)
    at.do("end_game", reason="misdeal")
    at.see("player_hand", "seat-4", round=5, cards=NINES, confidence=0.9)
    at.see("round_ended", round=5)
    assert (at.view.round, at.seat(4).status) == (2, "empty")


def test_a_film_that_begins_anew_opens_the_next_round():
    at = table()
    bet(at, 4)
    at.see("round_started", round=1)
    at.see("cards_dealt", "seat-4", round=1, count=5, apart=True)
    at.do("end_game", reason="misdeal")
    at.see("round_started", round=1)
    at.see("cards_dealt", "seat-2", round=1, count=5, apart=True)
    assert (at.view.round, at.seat(2).status) == (2, "waiting")


def test_another_reading_of_a_paid_hand_is_told_and_changes_nothing():
    at = one_seat()
    at.confirm(4)
    at.see("player_hand", "seat-4", cards="9s 9h 8d Kc 4d", confidence=0.99)
    assert at.seat(4).payouts[0].differs is None
    assert (at.view.alerts[0].kind, at.view.alerts[0].level) == ("reading_changed", "warning")


def test_the_camera_is_lost_and_back():
    at = table()
    at.see("source_lost", round=None, reason="no answer")
    assert (at.view.camera.status, at.view.alerts[0].kind) == ("lost", "source_lost")
    at.see("source_back", round=None)
    assert at.view.camera.status == "live"


# --- beside the game


def test_dealers_relieve_each_other_in_mid_round():
    at = one_seat()
    at.do("relieve_dealer")
    at.do("relieve_dealer", BOB)
    at.confirm(4, BOB)
    assert at.view.on_duty.name == "Bob"
    assert [(fact.before, fact.after) for fact in at.facts_of(DealerRelieved)] == [(None, "Ann"), ("Ann", "Bob")]
    assert at.seat(4).payouts[0].by == "Bob"


def test_a_shuffler_that_fails_brings_the_documents_steps_as_a_checklist():
    at = table()
    at.do("declare_irregularity", kind="shuffler_malfunction")
    (entry,) = at.view.irregularities
    assert entry.steps[1].text == "If it goes on: turn off the shuffler"
    at.do("check_step", irregularity=entry.number, step=0)
    assert at.view.irregularities[0].steps[0].by == "Ann"
    with pytest.raises(RoundError, match="8 steps"):
        at.do("check_step", irregularity=entry.number, step=8)
    at.do("close_irregularity", irregularity=entry.number, note="guide helped")
    assert at.view.irregularities[0].closed


def test_a_call_for_the_supervisor_stands_until_it_is_acknowledged():
    at = table()
    at.do("call_supervisor", seat=4, note="dispute")
    (alert,) = at.view.alerts
    assert (alert.level, alert.words) == ("stop", "Ann asks for a supervisor at seat 4: dispute")
    at.do("acknowledge", SUE, alert=alert.number)
    assert at.view.alerts == ()


@pytest.mark.parametrize(
    ("content", "words"),
    [
        pytest.param({}, "command", id="nothing"),
        pytest.param({"command": "dance"}, "command", id="no such command"),
        pytest.param({"command": "skip"}, "seat", id="a field is missing"),
        pytest.param({"command": "skip", "seat": 4, "tip": 5}, "tip", id="a field too many"),
        pytest.param({"command": "enter_hand", "zone": "bar", "cards": ["As"]}, "zone", id="no such zone"),
    ],
)
def test_content_that_is_no_command(content, words):
    from service.rounds.commands import command_from_json

    with pytest.raises(BadCommand, match=words):
        command_from_json({"id": "x", **content})
