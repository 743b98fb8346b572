// What stands around the decision: the line at the top, the notices below the picture, the seats at the bottom.

import { h } from "../dom.js";
import { centsText } from "../money.js";
import { sendButton, stripWords } from "./seat.js";

const LEVELS = { stop: 0, warning: 1, notice: 2 };
const MOST_NOTICES = 3;

export function topLine(view, page) {
  return [
    h("span", { class: "name" }, view.name),
    h("span", {}, `round ${view.round.toLocaleString("en-US")}`),
    h("span", { class: "state" }, phaseWords(view)),
    view.meter && h("span", { class: "quiet" }, `meter ${view.meter.amount.text}`),
    h("span", { class: "spread" }),
    !view.live && h("span", { class: "quiet" }, "practice, no money"),
    cameraState(view, page),
    h("span", { class: "clock quiet" }, page.clock),
    h("button", { "data-key": "duty", "data-do": "duty", "aria-label": "who deals" }, view.on_duty?.name ?? "Nobody deals"),
    h("button", { "data-key": "theme", class: "plain", "data-toggle-theme": true, "aria-label": "dark or light" }, "◐"),
  ];
}

function phaseWords(view) {
  const at = view.order.indexOf(view.current_seat);
  if (["settling", "envy"].includes(view.phase) && at >= 0) return `SEAT ${view.current_seat} OF ${view.order.length}`;
  return view.phase_words.toUpperCase();
}

function cameraState(view, page) {
  const isWell = ["live", "none"].includes(view.camera.status); // "none": nothing has been said of it yet
  const isLive = isWell && page.isPictureFresh;
  const words = isLive ? page.cameraWords : isWell ? "picture late" : view.camera.words;
  const mood = isLive ? "good" : view.camera.status === "lost" ? "bad" : "doubt";
  return h("span", { class: `state camera ${mood}`, title: words }, h("span", { class: "dot", "aria-hidden": "true" }), words);
}

/** What waits, what was refused, what the table says: the gravest first. */
export function notices(view, page) {
  const alerts = [...view.alerts].sort((one, other) => LEVELS[one.level] - LEVELS[other.level] || one.number - other.number);
  const all = [
    ...page.refusals.map((text, number) => refusal(text, number)),
    page.mayDeal && view.on_duty?.name !== page.name && relief(view, page),
    page.waiting.length > 0 && waitingNotice(page.waiting),
    ...alerts.map((alert) => alertNotice(alert)),
    ...view.irregularities.filter((each) => !each.closed).map((each) => openIrregularity(each)),
  ].filter(Boolean);
  const more = all.length - MOST_NOTICES;
  if (more <= 0) return all;
  return [...all.slice(0, MOST_NOTICES - 1), h("button", { "data-key": "more", "data-do": "alerts" }, `${more + 1} more…`)];
}

function relief(view, page) {
  const name = view.on_duty?.name;
  return h(
    "div",
    { class: "notice waiting", "data-key": "relief" },
    h("span", { class: "text" }, name ? `${name} deals here.` : "Nobody deals here yet."),
    sendButton("relieve-now", { command: "relieve_dealer" }, name ? `${page.name} takes over` : `${page.name} deals`),
  );
}

function refusal(text, number) {
  return h(
    "div",
    { class: "notice refused", "data-key": `refusal-${number}`, role: "alert" },
    h("span", { class: "text" }, text),
    h("button", { "data-key": `refusal-ok-${number}`, "data-do": "dismiss", "data-number": number }, "OK"),
  );
}

function waitingNotice(waiting) {
  const words = waiting.length === 1 ? waiting[0] : `${waiting[0]} and ${waiting.length - 1} more`;
  return h("div", { class: "notice waiting", "data-key": "waiting", role: "status" }, `Waiting to be sent: ${words}`);
}

export function alertNotice(alert) {
  return h(
    "div",
    { class: `notice ${alert.level === "stop" ? "refused" : ""}`, "data-key": `alert-${alert.number}`, role: "alert" },
    h("span", { class: "text" }, alert.words, alert.advice && h("span", { class: "quiet" }, ` · ${alert.advice}`)),
    sendButton(`alert-ok-${alert.number}`, { command: "acknowledge", alert: alert.number }, "OK"),
  );
}

function openIrregularity(each) {
  const left = each.steps.filter((step) => !step.done).length;
  return h(
    "div",
    { class: "notice", "data-key": `open-${each.number}` },
    h("span", { class: "text" }, each.title, left > 0 && h("span", { class: "quiet" }, ` · ${left} steps to do`)),
    h("button", { "data-key": `open-go-${each.number}`, "data-do": "checklist", "data-number": each.number }, "Open"),
  );
}

export function seatStrip(view, page) {
  return view.order.map((number) => {
    const seat = view.seats.find((each) => each.seat === number);
    const isChosen = page.shownSeat === number;
    const mood = moodOf(seat);
    return h(
      "button",
      {
        class: `seat ${mood} ${seat.is_current ? "current" : ""}`,
        "data-key": `seat-${number}`,
        "data-do": "seat",
        "data-seat": number,
        "aria-pressed": String(isChosen),
        "aria-label": `seat ${number}: ${seat.status_words}`,
      },
      h("span", { class: "number" }, number),
      h("span", { class: "status" }, view.phase === "betting" ? betWords(seat, page) : stripWords(seat)),
    );
  });
}

function betWords(seat, page) {
  const cents = seat.wagers.reduce((sum, wager) => sum + page.amountOf(seat, wager.wager), 0);
  return cents ? centsText(cents) : "–";
}

function moodOf(seat) {
  if (seat.status === "confirmed") return "done";
  if (["empty", "folded", "void"].includes(seat.status)) return "out";
  return ["unreadable", "fault", "needs_play"].includes(seat.status) ? "doubt" : "";
}
