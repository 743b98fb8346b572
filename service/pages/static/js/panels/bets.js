// Wagers: tap a seat below, then chips. Everything adds to what is shown, also to what is still on its way.

import { h } from "../dom.js";
import { centsText, isMoney } from "../money.js";
import { sendButton } from "./seat.js";

export function betsPanel(view, page) {
  const seat = chosenSeat(view, page);
  const round = view.round;
  const isOpen = view.phase === "betting";
  return [
    h(
      "div",
      { class: "title", "data-key": "title" },
      h("h1", {}, `SEAT ${seat.seat}`),
      h("p", { class: "aside" }, isOpen ? "Wagers" : "Wagers are closed: a change needs a reason"),
    ),
    h("div", { class: "spots", "data-key": "spots" }, view.spots.map((spot) => spotButton(view, seat, spot, page))),
    h("div", { class: "chips", "data-key": "chips" }, view.chips.map((chip) => chipButton(seat, chip))),
    h(
      "div",
      { class: "row wide", "data-key": "ways" },
      sendButton("last", { command: "last_bet", round, seat: seat.seat }, "Last bet"),
      h("button", { "data-key": "copy", "data-do": "copy", "data-seat": seat.seat }, "Copy…"),
      sendButton("clear", { command: "clear_wagers", round, seat: seat.seat }, "Clear"),
      h("button", { "data-key": "link", "data-do": "link", "data-seat": seat.seat }, "Link…"),
    ),
    seat.wagers.filter((wager) => wager.fault).map((wager) => h("p", { class: "notice" }, wager.fault)),
    h("div", { class: "grow", "data-key": "grow" }),
    isOpen ? closing(view, page) : h("button", { class: "big", "data-key": "done", "data-do": "close" }, "DONE"),
  ];
}

function closing(view, page) {
  const round = view.round;
  return [
    h(
      "div",
      { class: "row wide", "data-key": "all" },
      view.can.includes("last_bet") && sendButton("all-last", { command: "last_bet", round, seat: null }, "Last bet, all seats"),
      h("button", { "data-key": "help", "data-do": "help" }, "Needs help"),
    ),
    bigButton(view, page, "no_more_bets", "NO MORE BETS"),
  ];
}

/** The one thing to do next with the round. */
export function bigButton(view, page, command, words) {
  const isSent = page.isWaiting(command);
  return h(
    "button",
    {
      class: "big go",
      "data-key": `big-${command}`,
      "data-primary": true,
      "data-do": "send",
      "data-body": JSON.stringify({ command, round: view.round }),
      "data-label": words.toLowerCase(),
      disabled: isSent || page.isStale || !view.can.includes(command),
    },
    isSent ? "SENDING…" : words,
    !isSent && h("kbd", {}, "Enter"),
  );
}

export function chosenSeat(view, page) {
  const wanted = page.seat ?? page.betSeat ?? view.order[0];
  return view.seats.find((seat) => seat.seat === wanted) ?? view.seats[0];
}

function spotButton(view, seat, spot, page) {
  const cents = page.amountOf(seat, spot.wager);
  const isFixed = spot.fixed !== null;
  const isChosen = !isFixed && page.spot(view) === spot.wager;
  const wager = seat.wagers.find((each) => each.wager === spot.wager);
  const next = cents ? 0 : Number(spot.fixed?.cents);
  return h(
    "button",
    {
      class: `spot ${isChosen ? "chosen" : ""}`,
      "data-key": `spot-${spot.wager}`,
      "data-do": isFixed ? "wager" : "spot",
      "data-wager": spot.wager,
      "data-seat": seat.seat,
      "data-cents": isFixed ? next : null,
      "aria-pressed": isFixed ? String(cents > 0) : String(isChosen),
    },
    h("span", {}, spot.title, wager?.late && h("span", { class: "quiet" }, " late")),
    h("span", { class: "quiet" }, isFixed ? `${spot.fixed.text} or nothing` : limits(spot)),
    h("span", { class: cents ? "amount" : "amount none" }, cents ? centsText(cents) : "–"),
  );
}

function limits(spot) {
  const least = isMoney(spot.minimum) ? spot.minimum.text : null;
  const most = isMoney(spot.maximum) ? spot.maximum.text : null;
  if (least && most) return `${least} to ${most}`;
  return least ? `from ${least}` : most ? `up to ${most}` : "";
}

function chipButton(seat, chip) {
  return h(
    "button",
    {
      class: "chip",
      "data-key": `chip-${chip.cents}`,
      "data-do": "chip",
      "data-seat": seat.seat,
      "data-cents": chip.cents,
      "aria-label": `add ${chip.text}`,
    },
    chip.text,
  );
}
