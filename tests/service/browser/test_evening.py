"""An evening at one table, three filmed rounds, at two tablets: the tests follow the film and come in its order."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

# What the players of the film do (datasets/demo/truth.jsonl).
FIRST = {5: ("Jc Js 5s 5d Kh", 7500), 2: ("As Ad 7c 5h 2s", 3000)}
SECOND = {4: "Qs Qh Qd 8d 2c", 2: "9s 9h 9d Kc 4s"}


def type_hand(tablet, cards):
    """A hand entered by hand, as fingers do it."""
    for card in cards.split():
        tablet.tap(f"rank-{card[0]}")
        tablet.tap(f"suit-{card[1]}")
    tablet.tap("enter-hand")


def bet(tablet, seat, *chips):
    tablet.seat(seat).click()
    for cents in chips:
        tablet.tap(f"chip-{cents}")


def seat_of(view, number):
    return next(seat for seat in view["seats"] if seat["seat"] == number)


def cards_of(view, number):
    return [card["card"] for card in seat_of(view, number)["hand"]["cards"]]


def ready(tablet, seat, play):
    """Wait until a seat's hand is read and its turn has come; tap what it plays, if nobody has."""
    view = tablet.until(
        lambda view: view["current_seat"] == seat and seat_of(view, seat)["proposal"], f"seat {seat} was not read"
    )
    expect(tablet.title).to_have_text(f"SEAT {seat}")
    if seat_of(view, seat)["play"] is None:
        tablet.tap(f"play-{seat}-{play}")
    expect(tablet.key("confirm")).to_be_enabled()


def end_game(tablet):
    tablet.until(lambda view: "end_game" in view["can"], "the round cannot end")
    tablet.page.wait_for_timeout(400)
    tablet.tap("big-end_game")


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


def test_a_hand_is_read_and_a_misread_is_corrected(ann, sam):
    ann.until(lambda view: view["current_seat"] == 5 and seat_of(view, 5)["proposal"], "seat 5 was not read")
    expect(ann.title).to_have_text("SEAT 5")
    assert sorted(cards_of(ann.view(), 5)) == sorted(FIRST[5][0].split())
    before = seat_of(ann.view(), 5)["proposal"]["digest"]
    position = cards_of(ann.view(), 5).index("Kh")
    ann.tap(f"card-seat-5-{position}")
    ann.tap("rank-Q")
    ann.tap("suit-h")
    expect(ann.key(f"card-seat-5-{position}")).to_contain_text("read K♥")
    expect(sam.key(f"card-seat-5-{position}")).to_contain_text("read K♥")  # the other tablet
    assert seat_of(ann.view(), 5)["proposal"]["digest"] != before
    ann.key(f"card-seat-5-{position}").click()
    ann.page.keyboard.type("kh")  # and back, by keys
    expect(ann.key(f"card-seat-5-{position}")).not_to_contain_text("read")
    ann.looks_right()


def test_every_seat_is_confirmed_once_and_the_round_ends(ann, sam):
    for seat, (_, play) in FIRST.items():
        ready(ann, seat, play)
        proposal = seat_of(ann.view(), seat)["proposal"]
        expect(ann.page.locator(".total .sum")).to_have_text(proposal["total"]["text"])
        ann.looks_right()
        ann.page.wait_for_timeout(400)  # what has just appeared takes no tap
        ann.key("confirm").dblclick()  # a nervous finger pays once
        expect(ann.seat(seat)).to_contain_text("✓")
        expect(sam.seat(seat)).to_contain_text("✓")
    paid = [payout["by"] for seat in FIRST for payout in seat_of(ann.view(), seat)["payouts"]]
    assert paid == ["Ann", "Ann"]
    end_game(ann)
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
