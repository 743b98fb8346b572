"""An evening at one table, three filmed rounds, at two tablets: the tests follow the film and come in its order."""

import pytest
from playwright.sync_api import expect

from tests.service.browser.tablet import PATIENCE_S, UNSEEN_MS

pytestmark = pytest.mark.browser

# What the players of the film do (datasets/demo/truth.jsonl).
FIRST = {5: ("Jc Js 5s 5d Kh", 7500), 2: ("As Ad 7c 5h 2s", 3000)}
DEALER = "Kd Tc 9c 8h 4s 3c"


def bet(tablet, seat, *chips):
    tablet.seat(seat).click()
    for cents in chips:
        tablet.tap(f"chip-{cents}")


def seat_of(view, number):
    return next(seat for seat in view["seats"] if seat["seat"] == number)


def cards_of(view, number):
    return [card["card"] for card in seat_of(view, number)["hand"]["cards"]]


def film_waits(tablet):
    """The filmed round is over: nothing changes but what is tapped."""
    expect(tablet.page.locator("#top")).to_contain_text("the film waits", timeout=PATIENCE_S * 1000)


def enter_hand(tablet, seat, cards):
    """A whole hand, whatever the camera was sure of."""
    expect(tablet.key("slot-0")).to_be_visible()
    for _ in range(tablet.page.locator('[data-key^="slot-"]:not(.missing)').count()):
        tablet.tap("slot-0")
    tablet.type_hand(cards)
    tablet.until(lambda view: sorted(cards_of(view, seat)) == sorted(cards.split()), "the hand was not entered")


def ready(tablet, seat, cards, play):
    """A seat's turn: its hand is entered where the networks are not sure of it, and what it plays is tapped."""
    expect(tablet.title).to_have_text(f"SEAT {seat}")
    if tablet.key("enter-big").is_visible():
        tablet.press("enter-big")
        enter_hand(tablet, seat, cards)
    if seat_of(tablet.view(), seat)["play"] is None:
        tablet.tap(f"play-{seat}-{play}")
    expect(tablet.key("confirm")).to_be_enabled()


def test_wagers_are_entered_with_chips_and_seen_at_the_other_tablet(ann, sam):
    ann.tap("relieve-now")
    expect(sam.key("duty")).to_have_text("Ann")
    bet(ann, 5, 2500)
    ann.tap("spot-aces_up")
    ann.tap("chip-500")
    ann.tap("chip-500")
    ann.tap("spot-ante")
    bet(ann, 3, 500, 500, 500)
    bet(ann, 2, 500, 500)
    expect(ann.seat(5).locator(".status")).to_have_text("$35")
    expect(sam.seat(5).locator(".status")).to_have_text("$35")
    expect(sam.seat(2).locator(".status")).to_have_text("$10")
    ann.looks_right()
    ann.page.keyboard.press("Enter")  # the big button
    expect(sam.page.locator("#top")).to_contain_text("NO MORE BETS", ignore_case=True)


def test_folds_are_seen_and_play_wagers_are_tapped(ann):
    view = ann.until(lambda view: view["phase"] in ("decisions", "settling"), "no cards were seen")
    if view["phase"] == "decisions":
        expect(ann.title).to_have_text("FOLD OR PLAY")
        for seat, (_, play) in FIRST.items():
            ann.tap(f"play-{seat}-{play}")
    ann.looks_right()
    ann.until(lambda view: seat_of(view, 3)["decision"] == "fold", "the fold was not seen")


def test_the_dealers_hand_is_read_and_a_misread_is_corrected(ann, sam):
    film_waits(ann)
    read = [card["card"] for card in ann.view()["dealer"]["cards"]]
    assert sorted(read) == sorted(DEALER.split())
    card = f"card-dealer-{read.index('9c')}"
    ann.tap(card)
    ann.tap("rank-Q")
    ann.tap("suit-c")
    for tablet in (ann, sam):
        expect(tablet.key(card)).to_contain_text("read 9♣")
        expect(tablet.key("dealer")).to_contain_text("king high, queen")
    ann.tap(card)
    ann.page.keyboard.type("9c")  # and back, by keys
    expect(ann.key(card)).not_to_contain_text("read")
    ann.looks_right()


def test_a_hand_is_entered_by_hand_whatever_was_read(ann, sam):
    ann.seat(2).click()
    ann.tap("help")
    ann.tap("enter")
    enter_hand(ann, 2, FIRST[2][0])
    expect(sam.seat(2)).not_to_contain_text("cannot be read")
    ann.page.keyboard.press("Escape")  # back to whose turn it is


def test_every_seat_is_confirmed_once_and_the_round_ends(ann, sam):
    for seat, (cards, play) in FIRST.items():
        ready(ann, seat, cards, play)
        proposal = seat_of(ann.view(), seat)["proposal"]
        expect(ann.page.locator(".total .sum")).to_have_text(proposal["total"]["text"])
        ann.looks_right()
        ann.page.wait_for_timeout(UNSEEN_MS)
        ann.key("confirm").dblclick()  # a nervous finger pays once
        expect(ann.seat(seat)).to_contain_text("✓")
        expect(sam.seat(seat)).to_contain_text("✓")
    paid = [payout["by"] for seat in FIRST for payout in seat_of(ann.view(), seat)["payouts"]]
    assert paid == ["Ann", "Ann"]
    ann.press("big-end_game")
    expect(ann.page.locator("#top")).to_contain_text("round 2")
    expect(sam.page.locator("#top")).to_contain_text("round 2")


def test_the_connection_drops_and_comes_back(ann):
    bet(ann, 2, 500)
    expect(ann.seat(2).locator(".status")).to_have_text("$5")
    ann.context.set_offline(True)
    expect(ann.page.locator("#stale")).to_contain_text("No connection")
    expect(ann.key("big-no_more_bets")).to_be_disabled()
    ann.context.set_offline(False)
    expect(ann.page.locator("#stale")).to_be_hidden()
    expect(ann.key("big-no_more_bets")).to_be_enabled()


def test_a_tap_that_was_not_answered_is_sent_again_and_counts_once(ann, sam):
    path = "**/api/v1/tables/table-12/commands"
    bodies = []

    def lose_the_answer(route):
        bodies.append(route.request.post_data_json)
        route.fetch()  # it arrives, and the answer is lost on its way back
        route.abort()

    ann.page.route(path, lose_the_answer, times=1)
    bet(ann, 2, 500)
    expect(ann.key("waiting")).to_contain_text("Ante of seat 2")
    expect(ann.key("waiting")).to_be_hidden()
    expect(sam.seat(2).locator(".status")).to_have_text("$10")
    assert len(bodies) == 1
    assert ann.view()["round"] == 2


def test_a_dealer_voids_the_round_and_everything_goes_back(ann, sam):
    ann.press("big-no_more_bets")
    ann.until(lambda view: view["phase"] in ("decisions", "settling"), "no cards were seen")
    ann.tap("help")
    ann.tap("void")
    ann.tap("void-exposed_card")
    for tablet in (ann, sam):
        expect(tablet.key("void")).to_contain_text("ROUND VOID")
        expect(tablet.key("void")).to_contain_text("goes back to the players")
        tablet.looks_right()
    ann.press("big-end_game")  # what the film still shows of this round no longer counts
    expect(ann.page.locator("#top")).to_contain_text("round 3")
    expect(sam.key("void")).to_be_hidden()


@pytest.mark.parametrize("size", [(1280, 800), (1920, 1080)])
@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_the_page_fits_the_screen_dark_and_light(ann, size, scheme):
    ann.page.set_viewport_size({"width": size[0], "height": size[1]})
    ann.page.emulate_media(color_scheme=scheme)
    expect(ann.page.locator("html")).to_have_attribute("data-theme", scheme)
    for sheet in ("help", "copy", "link", "duty"):
        ann.tap(sheet)
        ann.looks_right()
        ann.page.keyboard.press("Escape")
    ann.looks_right()
