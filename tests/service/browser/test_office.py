"""The pages beside the tables: alerts, rules, meter, accounts and the audit log, as a manager uses them."""

import cv2
import numpy as np
import pytest
from playwright.sync_api import expect

from tests.service.browser.tablet import SECRETS, Tablet
from tests.service.browser.told import ANN

pytestmark = pytest.mark.browser

CROP = {"crop.jpg": cv2.imencode(".jpg", np.zeros((90, 160, 3), np.uint8))[1].tobytes()}
QUADS = ["As", "Ah", "Ad", "Ac", "5c"]


@pytest.fixture(scope="module")
def mia(browser, told):
    return Tablet(browser, told, "mia", "/")


def open_page(tablet, told, path):
    tablet.page.goto(told.address + path)
    return tablet.page


def test_alerts_stand_above_the_tables_until_somebody_acknowledges_them(mia, told):
    page = open_page(mia, told, "/")
    expect(page.locator("[data-state]")).to_have_text("Round 1 · Place your bets")
    told.sees({"event": "camera_moved", "round": 0})
    expect(page.locator("#alerts")).to_contain_text("Table 12")
    expect(page.locator(".tile.alerted")).to_be_visible()
    mia.fits()
    page.get_by_role("button", name="OK").click()
    expect(page.locator("#alerts")).to_be_hidden()


def test_rules_are_chosen_checked_and_set_as_a_new_version(mia, told):
    page = open_page(mia, told, "/tables/table-12/rules")
    expect(page.locator("#version")).to_have_text("Version 1 is in play.")
    expect(page.get_by_role("button", name="Nothing is changed")).to_be_disabled()
    page.get_by_label("Ante, least").select_option("500")
    page.get_by_label("Ante, most").select_option("300")
    expect(page.locator("#rules .fault")).to_contain_text("ante")
    page.get_by_label("Ante, most").select_option("10000")
    mia.fits()
    page.get_by_role("button", name="Set version 2").click()
    expect(page.locator("#done")).to_contain_text("next round")
    expect(page.locator("#versions")).to_contain_text("limits maximum ante: – → 10000")
    assert told.desk.state.round.version.rules.limits.maximum == {"ante": 10000}  # nothing had been bet yet


def test_the_meter_is_adjusted_with_a_reason(mia, told):
    page = open_page(mia, told, "/tables/table-12/meter")
    expect(page.locator(".meter .amount")).to_have_text("$2,500")
    page.get_by_label("Dollars").fill("12.50")
    expect(page.locator("#preview")).to_have_text("$2,500 becomes $2,512.50.")
    page.get_by_label("Reason").fill("coin counted again")
    mia.fits()
    page.get_by_role("button", name="Adjust the meter").click()
    expect(page.locator(".meter .amount")).to_have_text("$2,512.50")
    expect(page.locator("#moves")).to_contain_text("coin counted again")
    expect(page.locator("#moves")).to_contain_text("mia")


def test_people_are_added_closed_and_opened_and_given_a_new_pin(mia, told):
    page = open_page(mia, told, "/accounts")
    page.locator("#add").get_by_label("Name to sign in with").fill("eve")
    page.locator("#add").get_by_label("PIN").fill("619275")
    page.get_by_role("button", name="Add the account").click()
    row = page.locator('[data-key="eve"]')
    expect(row).to_contain_text("open")
    row.get_by_role("button", name="Close").click()
    expect(row).to_contain_text("closed")
    row.get_by_role("button", name="Open again").click()
    row.get_by_role("button", name="New PIN").click()
    row.get_by_label("new PIN of eve").fill("840163")
    row.get_by_role("button", name="Set").click()
    expect(page.locator("#done")).to_contain_text("Eve has a new PIN")
    mia.fits()


def test_a_program_is_given_a_key_that_is_shown_once(mia, told):
    page = open_page(mia, told, "/accounts")
    page.get_by_label("Name of the program").fill("chips")
    page.get_by_label("What it may do").select_option("wagers:write")
    page.get_by_role("button", name="Make the key").click()
    expect(page.locator("#done")).to_contain_text("shown this once: fs_")
    page.locator('[data-key="chips"]').get_by_role("button", name="Revoke").click()
    expect(page.locator('[data-key="chips"]')).to_contain_text("revoked")


def test_the_audit_log_is_read_the_newest_first_and_verified(mia, told):
    page = open_page(mia, told, "/audit")
    expect(page.locator("#entries summary").first).to_contain_text("token")
    page.get_by_role("button", name="Verify the log").click()
    expect(page.locator("#verdict")).to_contain_text("nothing was edited")
    page.get_by_label("Only of one subject").fill("table/table-12")
    page.get_by_role("button", name="Show").click()
    expect(page.locator("#entries summary").first).to_contain_text("table/table-12")
    page.locator("#entries summary").first.click()
    mia.fits()


def test_an_award_from_the_meter_waits_above_the_tables_with_its_hand_and_amount(mia, told):
    told.bets({5: {"ante": 2500, "progressive": 100}})
    told.does("no_more_bets", ANN)
    told.does("start_game", ANN)
    told.does("enter_hand", ANN, zone="dealer", cards=["Kd", "Tc", "9c", "8h", "4s", "3c"], up_card="Tc")
    told.does("set_decision", ANN, seat=5, decision="play", play=7500)
    told.sees({"event": "player_hand", "zone": "seat-5", "cards": QUADS, "evidence": "crop.jpg"}, evidence=CROP)
    page = open_page(mia, told, "/")
    expect(page.locator("#alerts")).to_contain_text("seat 5 wins from the meter: four of a kind, aces, $3")
    expect(page.locator("#alerts img").first).to_have_js_property("naturalWidth", 160)
    mia.fits()


def test_past_rounds_show_what_was_seen_entered_and_given_back(mia, told):
    told.does("void_round", ANN, reason="exposed_card")
    page = open_page(mia, told, "/tables/table-12/rounds")
    page.get_by_label("Which rounds").select_option("void")
    expect(page.locator("#rounds summary")).to_have_count(1)
    page.locator("#rounds summary").click()
    for words in (
        "Seat 5: player hand",
        "A♠ A♥ A♦ A♣ 5♣",
        "Dealer: K♦ 10♣ 9♣ 8♥ 4♠ 3♣",
        "ann",
        "Seat 5, ante: $25 goes back",
    ):
        expect(page.locator("#rounds")).to_contain_text(words)
    expect(page.locator(".reading img").first).to_have_js_property("naturalWidth", 160)
    mia.fits()


def test_everybody_changes_the_own_pin_and_signs_in_with_it(browser, told):
    ben = Tablet(browser, told, "ben", "/me")
    ben.page.get_by_label("Your PIN now").fill(SECRETS["ben"][1])
    ben.page.get_by_label("New PIN", exact=True).fill("573806")
    ben.page.get_by_label("New PIN, again").fill("573806")
    ben.fits()
    ben.page.get_by_role("button", name="Change it").click()
    ben.page.get_by_label("Name").fill("ben")
    ben.page.get_by_label("PIN or password").fill("573806")
    ben.page.get_by_role("button", name="Sign in").click()
    expect(ben.page.locator("h1")).to_have_text("Ben")
