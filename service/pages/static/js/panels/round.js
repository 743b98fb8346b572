// What the round as a whole asks for: bets closed, the deal, fold or play, the end.

import { h } from "../dom.js";
import { isMoney } from "../money.js";
import { bigButton } from "./bets.js";
import { foldButton, playButton, stripWords } from "./seat.js";

/** Bets are closed, cards come: who is in, and what may still be done. */
export function closedPanel(view, page) {
  return [
    title("NO MORE BETS"),
    h("p", { class: "ask", "data-key": "ask" }, "Deal. The seats below fill as the cards are seen."),
    seatRows(view, (seat) => betWords(seat)),
    h("div", { class: "grow", "data-key": "grow" }),
    foot(view, page),
  ];
}

/** Cards are dealt: each seat folds or plays. One tap a seat. */
export function decisionsPanel(view, page) {
  const seats = inRound(view);
  return [
    title("FOLD OR PLAY"),
    h(
      "div",
      { class: "spots", "data-key": "decisions" },
      seats.map((seat) =>
        h(
          "div",
          { class: "row decision-row", "data-key": `decide-${seat.seat}` },
          h("span", { class: "slim who" }, `${seat.seat}`),
          seat.play_choices.map((choice) => playButton(view, seat, choice)),
          !seat.play_choices.length && h("span", { class: "quiet" }, decisionWords(seat)),
          foldButton(view, seat),
        ),
      ),
    ),
    !seats.length && h("p", { class: "ask", "data-key": "ask" }, "No cards have been seen yet."),
    h("p", { class: "quiet", "data-key": "note" }, "Folds are seen by the camera. The play wager is not counted: tap it."),
    h("div", { class: "grow", "data-key": "grow" }),
    foot(view, page),
  ];
}

/** Every seat is done. */
export function finishedPanel(view, page) {
  return [
    title("ROUND SETTLED"),
    seatRows(view, (seat) => paidWords(seat)),
    view.next_round_waiting && h("p", { class: "notice", "data-key": "next" }, "The next round has begun on the table."),
    h("div", { class: "grow", "data-key": "grow" }),
    bigButton(view, page, "end_game", "END GAME"),
    h("div", { class: "row wide", "data-key": "foot" }, helpButton()),
  ];
}

/** Nothing can be settled at this moment: what is awaited. */
export function waitingPanel(view, page) {
  return [
    title(view.phase_words.toUpperCase()),
    seatRows(view, (seat) => seat.problem ?? seat.hand.words ?? stripWords(seat)),
    view.cannot_end && h("p", { class: "quiet", "data-key": "why" }, view.cannot_end),
    h("div", { class: "grow", "data-key": "grow" }),
    foot(view, page),
  ];
}

function foot(view, page) {
  const isLocking = view.can.includes("start_game") && view.seats.some((seat) => hasProgressive(seat));
  return [
    isLocking && bigButton(view, page, "start_game", "START GAME"),
    h(
      "div",
      { class: "row wide", "data-key": "foot" },
      view.can.includes("reopen_wagers") &&
        h("button", { "data-key": "reopen", "data-do": "ask-reason", "data-body": JSON.stringify({ command: "reopen_wagers", round: view.round }), "data-label": "Open the wagers again" }, "Reopen bets"),
      h("button", { "data-key": "wagers", "data-do": "wagers" }, "Wagers"),
      helpButton(),
    ),
  ];
}

/** Bets on the meter are locked before the deal; without any there is nothing to lock. */
function hasProgressive(seat) {
  return seat.wagers.some((wager) => wager.wager === "progressive" && isMoney(wager.amount));
}

function title(words) {
  return h("div", { class: "title", "data-key": "title" }, h("h1", {}, words));
}

function helpButton() {
  return h("button", { "data-key": "help", "data-do": "help" }, "Needs help");
}

function seatRows(view, words) {
  const seats = inRound(view);
  return h(
    "table",
    { class: "lines", "data-key": "rows" },
    h(
      "tbody",
      {},
      seats.map((seat) =>
        h(
          "tr",
          { "data-key": `row-${seat.seat}` },
          h("td", { class: "who" }, `${seat.seat}`),
          h("td", { class: "wide-cell" }, words(seat)),
          h("td", { class: "quiet" }, seat.sensor_lit ? "● progressive" : ""),
        ),
      ),
    ),
  );
}

function inRound(view) {
  return view.order.map((number) => view.seats.find((seat) => seat.seat === number)).filter((seat) => seat.status !== "empty");
}

function betWords(seat) {
  const bets = seat.wagers.filter((wager) => isMoney(wager.amount));
  if (!bets.length) return seat.hand.dealt ? "in the round, wagers not entered" : "no wagers";
  return bets.map((wager) => `${wager.title} ${wager.amount.text}`).join(" · ");
}

function decisionWords(seat) {
  if (seat.decision === "play") return seat.play ? `plays ${seat.play.text}` : "plays";
  return seat.decision === "fold" ? "folded" : "wagers not entered";
}

function paidWords(seat) {
  const paid = seat.payouts.filter((payout) => !payout.taken_back);
  if (!paid.length) return stripWords(seat);
  return paid.map((payout) => `✓ ${payout.total?.text ?? "by the odds"}${payout.part === "envy" ? " envy" : ""}`).join(" · ");
}
