"""The observer's rules, one by one: a row is what the table shows, and what must be told."""

from dataclasses import replace

import pytest

from game.cards import parse_cards
from tests.vision.sights import (
    CHIPS,
    EMPTY_SPOT,
    Watcher,
    backs,
    deal,
    dealer_deal,
    dealer_hand,
    empty,
    hand,
    short,
    spot,
)

FRONT, REST = "Kd Kc 9c 8h", "4s 3c"  # the best four of these six
HAND, OTHER = "As Ah 7d 5c 2s", "Qs Qh Qd 6c 2d"


@pytest.fixture
def watcher():
    return Watcher()


@pytest.fixture
def settling():
    """Seats 1, 4 and 6 were dealt; the dealer's hand is turned."""
    watcher = Watcher()
    deal(watcher, 1, 4, 6)
    watcher.sees(dealer_hand(FRONT, REST))
    watcher.events.clear()
    return watcher


def turn(watcher, seat, cards, **more):
    """A seat's packet comes into its work area and is turned."""
    told = watcher.sees(empty(f"seat-{seat}", "cards"), moving=[f"seat-{seat}/work"])
    return told + watcher.sees(hand(f"seat-{seat}", cards, **more))


def collect(watcher, seat):
    return watcher.sees(empty(f"seat-{seat}"))


def test_nothing_is_told_of_nothing(watcher):
    assert watcher.sees() == []
    assert watcher.sees(empty("seat-1"), empty("dealer"), spot("seat-1", "ante")) == []
    assert watcher.waits(3) == []


def test_a_round_from_the_deal_to_its_end(watcher):
    watcher.sees(*(spot(f"seat-{seat}", "ante") for seat in (1, 4)), spot("seat-4", "play", EMPTY_SPOT))
    assert short(watcher.sees(backs("seat-1"))) == []
    assert short(watcher.sees(backs("seat-4"))) == ["round_started"]
    told = watcher.sees(dealer_deal("Kd"))
    assert short(told) == ["cards_dealt seat-1", "cards_dealt seat-4", "cards_dealt dealer", "up_card dealer"]
    watcher.sees(spot("seat-4", "play"))
    assert short(watcher.waits(2)) == ["bet_spot_changed seat-4"]
    watcher.sees(empty("seat-1", "cards"), spot("seat-1", "ante", EMPTY_SPOT))
    assert short(watcher.waits(2)) == ["bet_spot_changed seat-1", "fold seat-1"]
    told = watcher.sees(dealer_hand(FRONT, REST))
    assert short(told) == ["dealer_hand dealer"]
    assert told[0].cards == parse_cards("Kd Kc 9c 8h 4s 3c")
    assert told[0].set_in_front == parse_cards("Kd Kc 9c 8h")
    told = turn(watcher, 4, HAND)
    assert short(told) == ["player_hand seat-4"]
    assert told[0].cards == parse_cards("As Ah 7d 5c 2s")
    assert short(collect(watcher, 4)) == ["hand_cleared seat-4"]
    (end,) = watcher.sees(empty("dealer"))
    assert (end.kind, end.extra_value("result")) == ("round_ended", "settled")
    assert {event.round for event in watcher.events} == {1}
    assert short(deal(watcher, 2)) == ["round_started", "cards_dealt seat-2", "cards_dealt dealer", "up_card dealer"]
    assert watcher.events[-1].round == 2


def test_cards_in_one_zone_alone_begin_no_round(watcher):
    assert watcher.sees(backs("seat-2")) == []
    watcher.sees(empty("seat-2", "cards"))
    assert watcher.sees(backs("seat-3")) == []


COUNTS = [
    pytest.param(5, 1, True, [], id="five side by side"),
    pytest.param(1, 1, False, [], id="a packet is not counted"),
    pytest.param(
        6, 2, True, ["miscount seat-4", "round_void seat-4"], id="six side by side in two looks void the round"
    ),
    pytest.param(6, 1, False, [], id="six in one look: one may be seen twice"),
    pytest.param(4, 3, True, ["miscount seat-4", "round_void seat-4"], id="four in three looks void the round"),
    pytest.param(4, 1, False, [], id="four in one look: one may be overlooked"),
]


@pytest.mark.parametrize(("count", "looks", "is_counted", "found"), COUNTS)
def test_cards_dealt_apart_are_counted(watcher, count, looks, is_counted, found):
    for look in range(1, looks + 1):
        watcher.sees(backs("seat-4", count, look=look))
    told = watcher.sees(dealer_deal())
    dealt = next(event for event in told if event.zone == "seat-4")
    assert (dealt.count, dealt.extra_value("apart")) == (count, is_counted)
    assert [text for text in short(told) if text.endswith("seat-4")][1:] == found


def test_a_gap_between_cards_dealt_apart_is_a_card_overlooked(watcher):
    watcher.sees(backs("seat-4", 3, step=27, look=3), backs("seat-5", 4, step=54, look=3))
    assert "miscount seat-5" not in short(watcher.sees(dealer_deal()))


def test_cards_dealt_apart_are_counted_over_several_rests(watcher):
    watcher.sees(backs("seat-4", 4))
    watcher.sees(backs("seat-4", 3, left=0.4))
    watcher.sees(backs("seat-4", 4))
    assert "miscount seat-4" in short(watcher.sees(dealer_deal()))


def test_the_dealers_cards_are_counted_to_the_end_of_their_rest(watcher):
    watcher.sees(backs("seat-4"))
    for look in (1, 2, 3):
        watcher.sees(replace(dealer_deal(count=4), look=look))
    assert short(watcher.events)[-2:] == ["miscount dealer", "round_void dealer"]
    assert watcher.events[-2].seen == 5


def test_cards_squared_and_laid_anew_are_counted_anew(watcher):
    watcher.sees(backs("seat-4", 4))
    watcher.sees(backs("seat-4", 5, step=22))
    told = watcher.sees(dealer_deal())
    assert next(event for event in told if event.zone == "seat-4").count == 5


def test_cards_that_lie_as_they_were_dealt_are_counted_after_the_deal_too(watcher):
    watcher.sees(backs("seat-4", 5))
    watcher.sees(dealer_deal())
    watcher.sees(backs("seat-4", 6))
    assert short(watcher.sees(backs("seat-4", 6, look=2))) == ["miscount seat-4", "round_void seat-4"]


def test_a_deal_after_the_dealers_cards_were_taken_is_the_next_round(watcher):
    deal(watcher, 4, 6)
    watcher.sees(empty("dealer"), empty("seat-4", "cards"))
    assert short(watcher.sees(backs("seat-4"))) == ["round_ended"]
    assert short(watcher.sees(backs("seat-6"))) == ["round_started"]


def test_something_else_beside_the_backs_makes_no_count(watcher):
    for look in (1, 2, 3):
        watcher.sees(backs("seat-4", 4, look=look, left=0.4))
    assert "miscount seat-4" not in short(watcher.sees(dealer_deal()))


def test_a_face_among_dealt_cards_is_exposed_once(watcher):
    watcher.sees(backs("seat-4", 4, exposed="7h"))
    told = watcher.sees(dealer_deal())
    assert "exposed_card seat-4" in short(told)
    assert "exposed_card seat-4" not in short(watcher.sees(backs("seat-4", 4, exposed="7h")))


def test_an_up_card_that_cannot_be_read_is_asked_for(watcher):
    (*_, told) = deal(watcher, 4, up="?glare")
    assert (told.kind, told.zone, told.reason) == ("unreadable", "dealer", "glare")


# What a work area shows look by look, and what is told.
HANDS = [
    pytest.param([(HAND, {})], ["player_hand seat-6"], id="all read at once"),
    pytest.param(
        [("As Ah 7d 5c ?unclear", {"last": False}), (HAND, {"look": 2})],
        ["player_hand seat-6"],
        id="read at the second look",
    ),
    pytest.param([("As Ah 7d 5c ?glare", {"look": 3})], ["unreadable seat-6"], id="one is never read"),
    pytest.param([("As Ah 7d 5c", {"look": 3})], ["unreadable seat-6"], id="four: one may lie under another"),
    pytest.param([(HAND, {"left": 0.5, "look": 3})], ["unreadable seat-6"], id="five, and something more"),
    pytest.param([("As Ah 7d 5c", {"left": 1.4, "look": 3})], [], id="the dealer's hand still lies there"),
    pytest.param([("As", {})], [], id="a packet being turned"),
    pytest.param([(HAND + " 9d", {})], ["miscount seat-6", "round_void seat-6"], id="six cards, all others"),
    pytest.param([(HAND + " ?unclear", {"look": 3})], ["unreadable seat-6"], id="six, one perhaps none"),
    pytest.param([("As As 7d 5c 2s", {"look": 3})], ["duplicate_card seat-6"], id="a card twice in one hand"),
    pytest.param([("As Ah 7d 5c 5c", {"left": 0.5, "look": 3})], ["unreadable seat-6"], id="one card seen as two"),
]


@pytest.mark.parametrize(("looks", "expected"), HANDS)
def test_a_hand_is_stated_when_certain(settling, looks, expected):
    for cards, more in looks:
        settling.sees(hand("seat-6", cards, **more))
    assert short(settling.events) == expected


def test_what_helps_is_said(settling):
    (told,) = turn(settling, 6, "As Ah 7d 5c", look=3)
    assert (told.reason, told.advice, told.seen) == ("covered", "spread the cards on seat 6", 4)
    assert told.extra_value("read") == ("As", "Ah", "7d", "5c")
    assert turn(settling, 6, "As Ah 7d 5c", look=3) == [], "said once"
    assert short(turn(settling, 6, HAND)) == ["player_hand seat-6"]


def test_an_arm_over_a_short_hand_changes_nothing(settling):
    turn(settling, 6, "As Ah 7d 5c", look=3)
    assert short(settling.sees(hand("seat-6", "As Ah 7d", left=0.8, look=3))) == []
    settling.sees(empty("seat-4", "cards"))
    assert short(settling.waits(2)) == ["hand_cleared seat-4", "miscount seat-6", "round_void seat-6"]


def test_a_card_without_an_index_seen_in_one_look_is_not_forgotten_in_the_next(settling):
    settling.sees(hand("seat-6", "As Ah 7d 5c", left=0.5, last=False), hand("seat-6", "As Ah 7d 5c", look=3))
    settling.sees(empty("seat-4", "cards"))
    assert short(settling.waits(2))[-1:] == ["foreign_card seat-6"]


SIX = "As Ah 7d 5c 2s ?unclear"


def test_a_sixth_card_that_is_not_read_is_asked_for_and_counted_once_spread(settling):
    assert short(turn(settling, 6, SIX, look=3)) == ["unreadable seat-6"]
    assert settling.events[-1].advice == "spread the cards on seat 6"
    told = turn(settling, 6, SIX, look=3, step=70.0)
    assert short(told) == ["miscount seat-6", "round_void seat-6"]
    assert told[0].seen == 6


def test_a_sixth_card_that_is_not_read_is_counted_when_the_dealer_breaks_off(settling):
    turn(settling, 6, SIX, look=3)
    settling.sees(empty("seat-4", "cards"))
    assert short(settling.waits(2)) == ["hand_cleared seat-4", "miscount seat-6", "round_void seat-6"]


def test_a_sixth_face_that_is_gone_once_spread_is_no_card(settling):
    turn(settling, 6, SIX, look=3)
    assert short(turn(settling, 6, HAND, look=3, step=70.0)) == ["player_hand seat-6"]


def test_a_blank_card_beside_four_is_asked_for(settling):
    assert short(turn(settling, 6, "As Ah 7d 5c", left=1.0, look=3)) == ["unreadable seat-6"]


def test_four_cards_spread_again_and_still_four_are_a_miscount(settling):
    turn(settling, 6, "As Ah 7d 5c", look=3)
    told = turn(settling, 6, "As Ah 7d 5c", look=3, step=70.0)
    assert short(told) == ["miscount seat-6", "round_void seat-6"]
    assert (told[0].expected, told[0].seen) == (5, 4)


def test_four_cards_and_a_round_broken_off_are_a_miscount(settling):
    turn(settling, 6, "As Ah 7d 5c", look=3)
    settling.sees(empty("seat-4", "cards"))
    told = settling.waits(2)
    assert short(told) == ["hand_cleared seat-4", "miscount seat-6", "round_void seat-6"]


VOID = ["miscount seat-6", "round_void seat-6"]
TAKEN_BACK = [
    pytest.param((), VOID, id="by the player: the round was broken off"),
    pytest.param(("seat-6/work",), VOID, id="by the player, after an arm passed over the hand alone"),
    pytest.param(("seat-6/work", "seat-6/spot/ante"), [], id="by the dealer, who reaches over the hand"),
]


@pytest.fixture
def four_of_five():
    """Seats 4 and 6 were dealt; seat 4's hand lies open, then seat 6 shows four cards."""
    watcher = Watcher()
    watcher.sees(*(spot(f"seat-{seat}", "ante") for seat in (4, 6)), spot("seat-6", "aces-up"))
    deal(watcher, 4, 6)
    watcher.sees(dealer_hand(FRONT, REST))
    turn(watcher, 4, OTHER)
    turn(watcher, 6, "As Ah 7d 5c", look=3)
    watcher.events.clear()
    return watcher


@pytest.mark.parametrize(("moving", "expected"), TAKEN_BACK)
def test_a_wager_taken_from_a_hand_of_four(four_of_five, moving, expected):
    four_of_five.sees(moving=moving)
    four_of_five.sees(spot("seat-6", "ante", EMPTY_SPOT))
    assert short(four_of_five.waits(2))[1:] == expected


def test_a_wager_taken_from_a_hand_of_four_that_is_collected_at_once(four_of_five):
    four_of_five.sees(spot("seat-6", "ante", EMPTY_SPOT))
    four_of_five.waits(0.3, moving=["seat-6/work"])
    collect(four_of_five, 6)
    assert short(four_of_five.waits(2))[1:] == VOID


def test_a_wager_taken_back_at_another_seat_breaks_the_round_off(four_of_five):
    four_of_five.sees(spot("seat-4", "ante", EMPTY_SPOT))
    assert short(four_of_five.waits(2))[1:] == VOID


def test_winnings_taken_with_the_wager_break_nothing_off(four_of_five):
    four_of_five.sees(spot("seat-6", "ante", (30,) * 75))
    four_of_five.waits(2)
    four_of_five.sees(spot("seat-6", "ante", EMPTY_SPOT), spot("seat-6", "aces-up", EMPTY_SPOT))
    four_of_five.waits(2)
    assert set(short(four_of_five.events)) == {"bet_spot_changed seat-6"}


def test_a_wager_taken_after_the_hand_was_collected_breaks_nothing_off(four_of_five):
    collect(four_of_five, 6)
    four_of_five.sees(spot("seat-6", "ante", EMPTY_SPOT))
    assert short(four_of_five.waits(2)) == ["bet_spot_changed seat-6"]


def test_a_hidden_card_in_a_round_that_goes_on_is_no_miscount(settling):
    turn(settling, 6, "As Ah 7d 5c", look=3)
    collect(settling, 6)
    turn(settling, 4, OTHER)
    collect(settling, 4)
    settling.sees(empty("seat-1", "cards"))
    settling.waits(2)
    settling.sees(empty("dealer"))
    assert not {"miscount seat-6", "round_void seat-6"} & set(short(settling.events))


def test_four_counted_when_dealt_and_when_turned_are_a_miscount():
    watcher = Watcher()
    for look in (1, 2):
        watcher.sees(backs("seat-6", 4, look=look))
    watcher.sees(dealer_deal())
    watcher.sees(dealer_hand(FRONT, REST))
    assert short(turn(watcher, 6, "As Ah 7d 5c", look=3)) == ["miscount seat-6", "round_void seat-6"]


def test_a_card_that_belongs_to_no_deck_stops_the_round(settling):
    turn(settling, 6, "As Ah 7d 5c ?unclear", look=3)
    settling.sees(empty("seat-4", "cards"))
    assert "foreign_card seat-6" in short(settling.waits(2))


def test_a_hand_taken_before_it_was_read_is_told(settling):
    settling.sees(hand("seat-6", "As Ah ?blurred ?blurred 2s", last=False))
    assert short(collect(settling, 6)) == ["unreadable seat-6", "hand_cleared seat-6"]


def test_the_dealers_hand_short_and_nothing_turned_after_it():
    watcher = Watcher()
    deal(watcher, 4)
    watcher.sees(dealer_hand("Kd Kc 9c 8h 4s", "", look=3))
    assert "unreadable dealer" in short(watcher.events)
    assert {"miscount dealer", "round_void dealer"} <= set(short(watcher.sees(empty("dealer"))))


SETS = [
    pytest.param("Kd Kc 9c 8h", "4s 3c", ["dealer_hand dealer"], id="best four in front"),
    pytest.param("Kd Kc 9c 4s", "8h 3c", ["dealer_hand dealer", "dealer_set_wrong dealer"], id="not the best"),
    pytest.param("Kd Kc Kh 9c", "9s 3c", ["dealer_hand dealer"], id="an equal four"),
]


@pytest.mark.parametrize(("front", "rest", "expected"), SETS)
def test_the_dealers_four_are_judged(watcher, front, rest, expected):
    deal(watcher, 4)
    told = watcher.sees(dealer_hand(front, rest))
    assert short(told) == expected
    if len(expected) > 1:
        assert told[1].cards == parse_cards("Kd Kc 9c 4s")
        assert ("Kd", "Kc", "9c", "8h") in told[1].extra_value("best_four_any_of")


def test_a_set_put_right_is_told_again(watcher):
    deal(watcher, 4)
    watcher.sees(dealer_hand("Kd Kc 9c 4s", "8h 3c"))
    told = watcher.sees(dealer_hand(FRONT, REST))
    assert short(told) == ["dealer_hand dealer"]


def test_a_duplicate_is_found_in_hands_already_collected(settling):
    turn(settling, 6, HAND)
    collect(settling, 6)
    told = turn(settling, 4, "Qs Qh Qd 6c 2s")
    assert short(told) == ["player_hand seat-4", "duplicate_card seat-4"]
    assert told[1].cards == parse_cards("2s")
    assert told[1].extra_value("first_zone") == "seat-6"


def test_the_up_card_in_the_dealers_hand_is_no_duplicate(settling):
    assert "duplicate_card dealer" not in short(settling.events)


def test_a_dealers_hand_without_the_up_card_is_not_stated(watcher):
    deal(watcher, 4, up="7h")
    (told,) = watcher.sees(dealer_hand(FRONT, REST))
    assert (told.kind, told.reason) == ("unreadable", "contradiction")


def test_a_new_round_has_all_its_cards_again(settling):
    turn(settling, 6, HAND)
    collect(settling, 6)
    for seat in (1, 4):
        settling.sees(empty(f"seat-{seat}", "cards"))
    settling.waits(2)
    settling.sees(empty("dealer"))
    deal(settling, 4)
    settling.sees(dealer_hand(FRONT, REST))
    assert "duplicate_card seat-4" not in short(turn(settling, 4, HAND))


def test_hands_come_in_any_order_and_out_of_order_is_noted(settling):
    assert short(turn(settling, 4, OTHER)) == ["out_of_order seat-4", "player_hand seat-4"]
    assert settling.events[0].extra_value("due") == "seat-6"
    assert short(turn(settling, 6, HAND)) == ["player_hand seat-6"]
    assert short(turn(settling, 1, "Js Jh 4d 4c 3s")) == ["player_hand seat-1"]


FOLDED = [
    pytest.param("nemacolin", EMPTY_SPOT, [], id="nothing of it lives"),
    pytest.param("nemacolin", CHIPS, ["out_of_order seat-4"], id="its aces up wager lives"),
    pytest.param("south-dakota", EMPTY_SPOT, ["out_of_order seat-4"], id="its progressive wager lives in this house"),
]


@pytest.mark.parametrize(("profile", "aces_up", "expected"), FOLDED)
def test_a_folded_hand_is_due_for_a_wager_that_lives(profile, aces_up, expected):
    watcher = Watcher(profile=profile)
    watcher.sees(spot("seat-6", "aces-up", aces_up))
    deal(watcher, 4, 6)
    watcher.sees(empty("seat-6", "cards"), backs("seat-6", part="side"))
    assert short(watcher.events[-1:]) == ["fold seat-6"]
    watcher.sees(dealer_hand(FRONT, REST))
    assert short(turn(watcher, 4, HAND)) == [*expected, "player_hand seat-4"]


def test_a_folded_hand_kept_for_a_bonus_is_due():
    watcher = Watcher()
    watcher.sees(spot("seat-6", "ante"))
    deal(watcher, 4, 6)
    watcher.sees(spot("seat-6", "ante", EMPTY_SPOT))
    assert short(watcher.waits(6))[-1:] == ["fold seat-6"]
    watcher.sees(dealer_hand(FRONT, REST))
    assert short(turn(watcher, 4, HAND)) == ["out_of_order seat-4", "player_hand seat-4"]


def test_left_to_right_is_the_order_of_some_houses():
    watcher = Watcher()
    rules = watcher.state.rules
    assert rules.order == tuple(f"seat-{seat}" for seat in (6, 5, 4, 3, 2, 1))


def test_an_envied_hand_stays_while_others_are_settled(settling):
    turn(settling, 6, "Ts Th Td Tc 3h")
    turn(settling, 4, OTHER)
    told = collect(settling, 4) + turn(settling, 1, HAND) + collect(settling, 1) + collect(settling, 6)
    assert short(told) == ["hand_cleared seat-4", "player_hand seat-1", "hand_cleared seat-1", "hand_cleared seat-6"]


FOLDS = [
    pytest.param("four-card-poker", "south-dakota", "sensor", id="by the sensor"),
    pytest.param("four-card-prime", "prime", "bonus", id="under the bonus wager"),
]


@pytest.mark.parametrize(("game", "profile", "left"), FOLDS)
def test_a_folded_hand_left_on_the_table_is_no_miscount(game, profile, left):
    watcher = Watcher(game, profile)
    deal(watcher, 4, 6)
    told = watcher.sees(empty("seat-4", "cards"), backs("seat-4", part="side"))
    assert [(event.kind, event.extra_value("left")) for event in told] == [("fold", left)]
    watcher.sees(dealer_hand(FRONT, REST))
    turn(watcher, 6, HAND)
    collect(watcher, 6)
    watcher.sees(empty("seat-4", "side"))
    told = watcher.waits(2)
    assert short(told) == ["hand_cleared seat-4"]


def test_an_ante_taken_from_cards_that_stay_is_a_fold_kept_for_a_bonus():
    watcher = Watcher()
    watcher.sees(spot("seat-4", "ante"))
    deal(watcher, 4, 6)
    watcher.sees(spot("seat-4", "ante", EMPTY_SPOT))
    told = watcher.waits(6)
    assert short(told) == ["bet_spot_changed seat-4", "fold seat-4"]
    assert told[1].extra_value("left") == "kept"


@pytest.mark.parametrize("wait_s", [pytest.param(1.5, id="told before"), pytest.param(0.2, id="told after")])
def test_a_hand_kept_for_a_bonus_and_turned_soon_was_folded(wait_s):
    watcher = Watcher()
    watcher.sees(spot("seat-6", "ante"))
    deal(watcher, 4, 6)
    watcher.sees(spot("seat-6", "ante", EMPTY_SPOT))
    watcher.waits(wait_s)
    watcher.sees(dealer_hand(FRONT, REST))
    turn(watcher, 6, HAND)
    watcher.waits(2)
    assert {"fold seat-6", "player_hand seat-6"} <= set(short(watcher.events))
    assert [event.extra_value("left") for event in watcher.events if event.kind == "fold"] == ["kept"]


def test_a_round_in_which_everybody_folds_is_settled_though_the_dealers_hand_is_never_turned():
    watcher = Watcher()
    watcher.sees(*(spot(f"seat-{seat}", "ante") for seat in (4, 6)))
    deal(watcher, 4, 6)
    for seat in (4, 6):
        watcher.sees(empty(f"seat-{seat}", "cards"), spot(f"seat-{seat}", "ante", EMPTY_SPOT))
    watcher.waits(2)
    (end,) = watcher.sees(empty("dealer"))
    assert (end.kind, end.extra_value("result")) == ("round_ended", "settled")


def test_a_round_taken_away_before_the_decisions_is_stopped():
    watcher = Watcher()
    watcher.sees(spot("seat-4", "ante"))
    deal(watcher, 4)
    watcher.sees(empty("dealer"))
    watcher.sees(empty("seat-4", "cards"))
    assert watcher.waits(7)[-1].extra_value("result") == "stopped"


def test_cards_in_a_players_hand_are_not_folded():
    watcher = Watcher()
    watcher.sees(spot("seat-4", "ante"))
    deal(watcher, 4, 6)
    watcher.sees(empty("seat-4", "cards"))
    assert watcher.waits(5) == []
    assert watcher.sees(backs("seat-4")) == []


SPOTS = [
    pytest.param("aces-up", True, id="a bonus wager after the deal began is late"),
    pytest.param("play", False, id="the play wager belongs there"),
]


@pytest.mark.parametrize(("name", "is_late"), SPOTS)
def test_a_spot_changed_after_the_deal_began(name, is_late):
    watcher = Watcher()
    watcher.sees(spot("seat-4", name, EMPTY_SPOT))
    deal(watcher, 4, 6)
    watcher.sees(spot("seat-4", name))
    (told,) = watcher.waits(2)
    assert (told.kind, told.extra_value("spot"), told.extra_value("change")) == ("bet_spot_changed", name, "put")
    assert told.extra_value("late") is is_late


def test_a_wager_is_late_only_when_its_spot_lay_still_as_cards_came():
    watcher = Watcher()
    watcher.sees(spot("seat-4", "aces-up", EMPTY_SPOT))
    watcher.sees(moving=["seat-4/spot/aces-up"])
    deal(watcher, 4, 6)
    watcher.sees(spot("seat-4", "aces-up"))
    assert [event.extra_value("late") for event in watcher.waits(2)] == [False]


def test_a_late_wager_is_told_late_once():
    watcher = Watcher()
    watcher.sees(spot("seat-4", "aces-up", EMPTY_SPOT))
    deal(watcher, 4, 6)
    told = []
    for texture in (CHIPS, (30,) * 75):
        watcher.sees(spot("seat-4", "aces-up", texture))
        told += watcher.waits(2)
    assert [event.extra_value("late") for event in told] == [True, False]


def test_a_hand_passing_over_a_spot_is_no_change():
    watcher = Watcher()
    watcher.sees(spot("seat-4", "ante"))
    deal(watcher, 4, 6)
    watcher.sees(spot("seat-4", "ante", (4,) * 75))
    watcher.waits(0.5)
    watcher.sees(spot("seat-4", "ante", CHIPS))
    assert watcher.waits(3) == []


def test_chips_of_the_felts_colour_are_put_and_taken():
    watcher = Watcher()
    watcher.sees(spot("seat-4", "play", EMPTY_SPOT))
    deal(watcher, 4, 6)
    green = replace(spot("seat-4", "play", (5,) * 75), is_occupied=False)
    watcher.sees(green)
    told = watcher.waits(2)
    watcher.sees(spot("seat-4", "play", EMPTY_SPOT))
    told += watcher.waits(2)
    assert [event.extra_value("change") for event in told] == ["put", "taken"]


def test_bets_before_the_deal_are_no_events(watcher):
    watcher.sees(spot("seat-4", "ante", EMPTY_SPOT))
    watcher.sees(spot("seat-4", "ante"))
    assert watcher.waits(3) == []


def test_a_prime_misdeal_voids_or_not_by_house_rule():
    watcher = Watcher("four-card-prime", "prime")
    assert watcher.state.rules.misdeal_voids


def test_a_round_whose_end_was_missed_ends_with_the_next_deal(settling):
    turn(settling, 6, HAND)
    collect(settling, 6)
    told = settling.sees(backs("seat-6")) + settling.sees(backs("seat-4"))
    assert short(told) == ["round_ended", "round_started"]
