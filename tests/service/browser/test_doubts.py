"""What cannot be read, and what may not stand: hands entered by hand, a count in doubt, a void; each for certain."""

import cv2
import numpy as np
import pytest
from playwright.sync_api import expect

from tests.service.browser.tablet import Tablet
from tests.service.browser.told import ANN

pytestmark = pytest.mark.browser

CROP = {"crop.jpg": cv2.imencode(".jpg", np.zeros((90, 160, 3), np.uint8))[1].tobytes()}
DEALER = "Kd Tc 9c 8h 4s 3c"
JACKS = "Jc Js 5s 5d Kh"
ACES = "As Ad 7c 5h 2s"


@pytest.fixture(scope="module")
def ann(browser, told):
    return Tablet(browser, told, "ann")


@pytest.fixture(scope="module")
def sam(browser, told):
    return Tablet(browser, told, "sam", color_scheme="light")


def dealt(told, tablet):
    """A round up to the players' decisions: seats 5 and 2 are in."""
    told.bets({5: {"ante": 2500, "aces_up": 1000}, 2: {"ante": 1000}})
    expect(tablet.seat(5)).to_contain_text("$35")
    tablet.press("big-no_more_bets")
    expect(tablet.title).to_have_text("NO MORE BETS")
    counts = [{"event": "cards_dealt", "zone": zone, "count": 5} for zone in ("seat-2", "seat-5")]
    up_card = {"event": "up_card", "zone": "dealer", "cards": ["Tc"]}
    told.sees({"event": "round_started"}, *counts, {"event": "cards_dealt", "zone": "dealer", "count": 6}, up_card)
    expect(tablet.title).to_have_text("FOLD OR PLAY")


def confirm(tablet, seat, total):
    expect(tablet.title).to_have_text(f"SEAT {seat}")
    expect(tablet.page.locator(".total .sum")).to_have_text(total)
    tablet.press("confirm")
    expect(tablet.seat(seat)).to_contain_text("✓")


def test_hands_that_cannot_be_read_are_entered_by_hand_and_paid(told, ann, sam):
    ann.tap("relieve-now")
    dealt(told, ann)
    glare = {"event": "unreadable", "reason": "glare", "advice": "tilt the cards", "evidence": "crop.jpg"}
    told.sees(glare | {"zone": "seat-5", "read": ["Jc", "Js"]}, glare | {"zone": "seat-2"}, evidence=CROP)
    ann.tap("enter-dealer")
    ann.type_hand("Kd 9c 8h 4s 3c")  # the up card is known
    expect(ann.key("dealer")).to_contain_text("king high")
    expect(ann.title).to_have_text("SEAT 5")
    expect(ann.page.locator("#decision")).to_contain_text("tilt the cards")
    ann.looks_right()
    ann.press("enter-big")
    expect(ann.key("hand-picture").locator("img")).to_be_visible()  # what the camera saw, over the live picture
    ann.type_hand("5s 5d Kh")  # the two jacks are certain
    expect(ann.page.locator(".hand-words")).to_have_text("two pair, jacks and fives")
    ann.tap("play-5-7500")
    confirm(ann, 5, "$130")
    ann.press("enter-big")
    ann.page.keyboard.type("asad7c5h2s")
    ann.press("enter-hand")
    ann.tap("play-2-1000")
    confirm(ann, 2, "$20")
    expect(sam.seat(2)).to_contain_text("✓")
    sources = {seat["seat"]: seat["hand"]["source"] for seat in ann.view()["seats"] if seat["payouts"]}
    assert sources == {5: "entered", 2: "entered"}
    ann.press("big-end_game")
    expect(ann.page.locator("#top")).to_contain_text("round 2")


def test_a_void_shows_its_proof_is_counted_again_and_lists_what_goes_back(told, ann, sam):
    dealt(told, ann)
    told.sees(
        {"event": "dealer_hand", "zone": "dealer", "cards": DEALER.split(), "set_in_front": DEALER.split()[:4]},
        {"event": "player_hand", "zone": "seat-5", "cards": JACKS.split(), "confidence": 0.9997},
    )
    ann.tap("play-5-7500")
    confirm(ann, 5, "$130")
    six = {"event": "miscount", "zone": "seat-2", "expected": 5, "seen": 6, "cards": [*ACES.split(), "8s"]}
    told.sees(six | {"evidence": "crop.jpg"}, evidence=CROP)
    for tablet in (ann, sam):
        screen = tablet.key("void")
        expect(screen).to_contain_text("VOID?")
        expect(screen).to_contain_text("Seat 2 has 6 cards, not 5")
        expect(screen).to_contain_text("counted 6, should be 5")
        expect(screen.locator("blockquote")).not_to_be_empty()
        expect(tablet.page.locator(".void img").first).to_have_js_property("naturalWidth", 160)
        tablet.looks_right()
    ann.press("recount")
    expect(ann.key("void")).to_be_hidden()
    expect(sam.key("void")).to_be_hidden()
    told.sees(six)
    ann.press("void-it")
    expect(sam.key("void")).to_contain_text("ROUND VOID")
    expect(sam.key("void")).to_contain_text("Already settled, take it back: $130")
    expect(sam.key("void")).to_contain_text("take back $75 paid on play")
    ann.looks_right()
    assert ann.view()["void"]["by"] == "Ann"
    ann.press("big-end_game")
    expect(ann.page.locator("#top")).to_contain_text("round 3")
    expect(sam.key("void")).to_be_hidden()


def test_a_play_wager_between_is_entered_changed_and_the_game_ended_with_a_reason(told, ann):
    dealt(told, ann)
    ann.tap("seat-5")
    ann.tap("play")
    for chip in (2500, 2500, 500, 500):
        ann.tap(f"play-chip-{chip}")
    expect(ann.key("play-send")).to_have_text("PLAY $60")
    ann.looks_right()
    ann.press("play-send")
    told.sees(
        {"event": "dealer_hand", "zone": "dealer", "cards": DEALER.split(), "set_in_front": DEALER.split()[:4]},
        {"event": "player_hand", "zone": "seat-5", "cards": JACKS.split(), "confidence": 0.9997},
    )
    expect(ann.page.locator(".total .sum")).to_have_text("$115")
    ann.tap("play")
    ann.tap("play-5-7500")
    expect(ann.title).to_have_text("WHY?")  # the dealer's hand is open
    ann.tap("why-Chips were miscounted")
    confirm(ann, 5, "$130")
    ann.tap("help")
    ann.tap("end-anyway")
    expect(ann.page.locator("#decision")).to_contain_text("though seat 2 is not settled")
    ann.looks_right()
    ann.tap("why-The supervisor decided it")
    expect(ann.page.locator("#top")).to_contain_text("round 4")


def test_a_void_of_a_full_table_that_was_paid_stays_on_the_screen(told, ann, sam):
    """One line a seat, with every wager that goes back."""
    deck = [rank + suit for suit in "cdhs" for rank in "23456789TJQKA"]
    hands = {seat: deck[seat * 5 : seat * 5 + 5] for seat in range(1, 7)}
    told.bets({seat: {"ante": 1000, "aces_up": 500, "bad_beat_bonus": 500, "progressive": 100} for seat in hands})
    told.does("no_more_bets", ANN)
    told.does("start_game", ANN)
    told.does("enter_hand", ANN, zone="dealer", cards=["2c", "3c", "4c", "5c", "6c", "Ks"])
    for seat, cards in hands.items():
        told.does("set_decision", ANN, seat=seat, decision="play", play=1000)
        told.does("enter_hand", ANN, zone=f"seat-{seat}", cards=cards)
    for seat in (6, 5, 4, 3):
        proposal = told.desk.view().seats[seat - 1].proposal
        told.does("confirm", ANN, seat=seat, digest=proposal.digest)
    told.does("void_round", ANN, reason="duplicate_card")
    for tablet in (ann, sam):
        lines = tablet.key("void").locator(".steps li")
        expect(lines).to_have_count(6)
        expect(lines.nth(0)).to_contain_text("Seat 3: ")
        expect(lines.nth(5)).to_have_text("Seat 2: play $10, ante $10, aces up $5, bad beat $5, progressive $1")
        tablet.looks_right()
    ann.press("big-end_game")
    expect(ann.page.locator("#top")).to_contain_text("round 5")


def test_every_amount_is_seen_where_all_wagers_and_the_meter_pay(told, ann):
    told.bets({5: {"ante": 2500, "aces_up": 1000, "bad_beat_bonus": 500, "progressive": 100}})
    told.does("no_more_bets", ANN)
    told.does("start_game", ANN)
    told.does("enter_hand", ANN, zone="dealer", cards=DEALER.split(), up_card="Tc")
    told.does("set_decision", ANN, seat=5, decision="play", play=7500)
    told.sees({"event": "player_hand", "zone": "seat-5", "cards": ["As", "Ah", "Ad", "Ac", "5c"]})
    expect(ann.key("confirm")).to_contain_text("call a supervisor")
    expect(ann.key("lines").locator(".amount")).to_have_count(6)
    ann.looks_right()


def test_long_words_in_the_top_line_push_nothing_off_the_screen(told, ann):
    told.sees({"event": "camera_moved", "round": 0})
    expect(ann.page.locator("#top")).to_contain_text("the camera was moved")
    ann.looks_right()
