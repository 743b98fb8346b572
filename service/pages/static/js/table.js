// The dealer's page of one table: the view from the service, the taps of this tablet, and what they show together.

import { send, toSignIn } from "./api.js";
import { show } from "./dom.js";
import { listenToKeys } from "./keyboard.js";
import { Link } from "./link.js";
import { Outbox } from "./outbox.js";
import { PageState } from "./page.js";
import { LivePicture } from "./picture.js";
import { betsPanel, chosenSeat } from "./panels/bets.js";
import { notices, seatStrip, topLine } from "./panels/frame.js";
import { guide } from "./panels/guide.js";
import { dealerHand, handPicture } from "./panels/hand.js";
import { closedPanel, decisionsPanel, finishedPanel, waitingPanel } from "./panels/round.js";
import { seatPanel } from "./panels/seat.js";
import { openSheet } from "./panels/sheets.js";
import { voidScreen } from "./panels/void.js";

const UNSEEN_MS = 350; // a decision that has just appeared is not taken by a tap that was meant for the one before

const body = document.body;
const page = new PageState(body.dataset);
const api = `/api/v1/tables/${encodeURIComponent(page.table)}`;
const parts = Object.fromEntries(
  ["top", "stale", "below", "decision", "seats", "full", "over", "proof"].map((name) => [name, document.getElementById(name)]),
);
let view = null;
let primary = { body: null, since: 0 };
let pressed = null;

const link = new Link(`${api}/stream`, {
  onView: (fresh) => take(fresh),
  onChange: () => {
    page.isStale = !link.isUp;
    if (link.isUp) outbox.flush();
    draw();
  },
});
const outbox = new Outbox(`${api}/commands`, {
  onAnswer: (answer) => take(answer.view),
  onRefused: (error, tap) => refused(error, tap),
  onChange: () => {
    page.taps = [...outbox.taps];
    draw();
  },
});
const picture = new LivePicture(document.getElementById("picture"), `${api}/picture.jpg`, {
  onAge: (age, headers) => seen(age, headers),
  onUnanswered: () => link.lose(),
});

/** A view that is newer than what is shown; after a restart the service says which one counts. */
function take(fresh) {
  if (view && fresh.table === view.table && fresh.revision < view.revision && link.isUp) return;
  if (view && fresh.round !== view.round) {
    page.seat = null;
    page.betSeat = null;
    page.sheet = null;
  }
  if (view && (fresh.current_seat !== view.current_seat || fresh.phase !== view.phase)) page.seat = null;
  view = fresh;
  draw();
}

function refused(error, tap) {
  if (error.code === "needs_reason") page.sheet = { kind: "reason", message: error.message, body: tap.body, label: tap.label };
  else page.refusals = [...page.refusals.slice(-2), `${tap.label}: ${error.message}`];
  if (error.status === 409) send("GET", api).then(take, () => link.lose());
  draw();
}

function seen(age, headers) {
  const wasFresh = page.isPictureFresh;
  page.pictureAge = age;
  const isWaiting = headers?.get("X-Camera-State") === "waiting";
  const words = isWaiting ? "the film waits" : `camera ${headers?.get("X-Camera-Fps") ?? "?"} fps`;
  const isNew = words !== page.cameraWords;
  page.cameraWords = words;
  page.roundsSeen = Number(headers?.get("X-Rounds-Seen") ?? 0);
  if (isNew || wasFresh !== page.isPictureFresh) draw();
}

// --- drawing

let isDrawing = false;

function draw() {
  if (isDrawing) return;
  isDrawing = true;
  requestAnimationFrame(() => {
    isDrawing = false;
    if (view) drawNow();
  });
}

function drawNow() {
  const isVoid = view.void !== null && page.sheet === null;
  body.classList.toggle("stale", page.isStale);
  page.shownSeat = shownSeat();
  page.clock = new Date().toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  show(parts.top, topLine(view, page));
  parts.stale.hidden = !page.isStale;
  parts.stale.textContent = staleWords();
  show(parts.below, dealerHand(view), ...notices(view, page), guide(view, page));
  show(parts.decision, ...(openSheet(view, page) ?? decision()));
  show(parts.seats, ...seatStrip(view, page));
  show(parts.proof, proofOf());
  show(parts.full, isVoid && voidScreen(view, page));
  parts.over.hidden = page.isPictureFresh;
  parts.over.textContent = page.pictureAge === null ? "Waiting for the camera…" : "The picture has stopped";
  holdPrimary();
}

/** The hand that is being put right, large over the live picture: its cards may have been taken away already. */
function proofOf() {
  if (!["card", "hand", "pick"].includes(page.sheet?.kind)) return null;
  const { zone } = page.sheet;
  const hand = zone === "dealer" ? view.dealer : view.seats.find((seat) => seat.zone === zone).hand;
  return handPicture(hand, page);
}

function decision() {
  if (page.sheet?.kind === "bets" || view.phase === "betting") return betsPanel(view, page);
  const seat = view.seats.find((each) => each.seat === page.shownSeat);
  if (seat) return seatPanel(view, seat, page);
  if (view.phase === "closed" || view.phase === "dealing") return closedPanel(view, page);
  if (view.phase === "decisions") return decisionsPanel(view, page);
  if (view.phase === "finished") return finishedPanel(view, page);
  return waitingPanel(view, page);
}

/** The seat in the big panel: the one somebody tapped, else the one whose turn it is. */
function shownSeat() {
  if (view.phase === "betting" || page.sheet?.kind === "bets") return chosenSeat(view, page).seat;
  return page.seat ?? (["settling", "envy"].includes(view.phase) ? view.current_seat : null);
}

function staleWords() {
  const seconds = Math.round((Date.now() - link.lostAt) / 1000);
  const waiting = page.taps.length ? ` · ${page.taps.length} tap${page.taps.length > 1 ? "s" : ""} waiting to be sent` : "";
  return `No connection for ${seconds} s: what you see is old. Nothing can be confirmed until it is back.${waiting}`;
}

/** Notes when what Enter or the big button would do has changed. */
function holdPrimary() {
  const found = document.querySelector("[data-primary]:not([disabled])")?.dataset.body ?? null;
  if (found !== primary.body) primary = { body: found, since: performance.now() };
}

// --- taps

const actions = {
  send: (data) => {
    if (page.isStale) return;
    const command = JSON.parse(data.body);
    if (data.then === "close") page.sheet = null;
    if (command.command === "confirm" && page.isWaiting("confirm", command.seat)) return;
    outbox.add(command, data.label);
  },
  seat: ({ seat }) => {
    const number = Number(seat);
    if (!view.order.includes(number)) return;
    page.seat = number === view.current_seat ? null : number;
    page.betSeat = number;
    if (page.sheet?.kind !== "bets") page.sheet = null;
  },
  follow: () => {
    page.seat = null;
  },
  close: () => {
    if (page.sheet) page.sheet = null;
    else page.seat = null;
  },
  dismiss: ({ number }) => {
    page.refusals = page.refusals.filter((_, index) => index !== Number(number));
  },
  correct: ({ zone, position, was }) => {
    page.sheet = { kind: "card", zone, position: Number(position), was: was || null, rank: null };
  },
  "correct-any": ({ zone }) => {
    page.sheet = { kind: "pick", zone };
  },
  enter: ({ zone }) => {
    page.sheet = { kind: "hand", zone, cards: knownOf(zone), rank: null };
  },
  rank: ({ rank }) => {
    if (page.sheet) page.sheet = { ...page.sheet, rank };
  },
  suit: ({ suit }) => chooseSuit(suit),
  unslot: ({ number }) => {
    if (page.sheet?.kind !== "hand") return;
    const at = number === undefined ? page.sheet.cards.length - 1 : Number(number);
    page.sheet = { ...page.sheet, rank: null, cards: page.sheet.cards.filter((_, index) => index !== at) };
  },
  help: ({ seat }) => {
    page.sheet = { kind: "help", seat: seat ? Number(seat) : page.shownSeat };
  },
  voiding: () => {
    page.sheet = { kind: "voiding" };
  },
  alerts: () => {
    page.sheet = { kind: "alerts" };
  },
  checklist: ({ number }) => {
    page.sheet = { kind: "checklist", number: Number(number) };
  },
  copy: ({ seat }) => {
    page.sheet = { kind: "copy", seat: Number(seat) };
  },
  link: ({ seat }) => {
    const found = view.seats.find((each) => each.seat === Number(seat));
    page.sheet = { kind: "link", seats: [found.seat, ...found.linked_with] };
  },
  "link-seat": ({ seat }) => {
    const number = Number(seat);
    const { seats } = page.sheet;
    page.sheet = { ...page.sheet, seats: seats.includes(number) ? seats.filter((each) => each !== number) : [...seats, number] };
  },
  duty: () => {
    page.sheet = { kind: "duty" };
  },
  wagers: ({ seat }) => {
    if (seat) page.betSeat = Number(seat);
    page.sheet = view.phase === "betting" ? null : { kind: "bets" };
  },
  spot: ({ wager }) => {
    page.betSpot = wager;
  },
  chip: ({ seat, cents }) => {
    const found = view.seats.find((each) => each.seat === Number(seat));
    const wager = page.spot(view);
    setWager(found.seat, wager, page.amountOf(found, wager) + Number(cents));
  },
  play: ({ seat }) => {
    page.sheet = { kind: "play", seat: Number(seat), cents: 0 };
  },
  "play-chip": ({ cents }) => {
    if (page.sheet?.kind === "play") page.sheet = { ...page.sheet, cents: page.sheet.cents + Number(cents) };
  },
  wager: ({ seat, wager, cents }) => setWager(Number(seat), wager, Number(cents)),
  "ask-reason": ({ body: command, label, ask }) => {
    page.sheet = { kind: "reason", message: ask ?? label, body: JSON.parse(command), label };
  },
  "take-back": ({ seat, part }) => {
    const command = { command: "take_back", round: view.round, seat: Number(seat), part };
    page.sheet = { kind: "reason", message: `Why is seat ${seat}'s payout taken back?`, body: command, label: `Take back seat ${seat}` };
  },
  reason: ({ reason }) => {
    if (page.sheet?.kind !== "reason" || !reason.trim()) return;
    const { id, ...command } = page.sheet.body;
    const { label } = page.sheet;
    page.sheet = null;
    outbox.add({ ...command, reason: reason.trim() }, label);
  },
  "sign-out": () => send("POST", "/api/v1/sign-out").finally(toSignIn),
};

function setWager(seat, wager, amount) {
  if (page.isStale) return;
  const title = view.spots.find((spot) => spot.wager === wager)?.title ?? wager;
  outbox.add({ command: "set_wager", round: view.round, seat, wager, amount }, `${title} of seat ${seat}`);
}

/** Cards of a hand that are certain, where it was read in part: only the others are left to enter. */
function knownOf(zone) {
  if (zone === "dealer") {
    const { cards, up_card: up } = view.dealer;
    return cards.length ? [] : [up].filter(Boolean);
  }
  const { cards, problem } = view.seats.find((seat) => seat.zone === zone).hand;
  return problem && cards.length < 5 ? cards.map((each) => each.card).filter(Boolean) : [];
}

function chooseSuit(suit) {
  const { sheet } = page;
  if (!sheet?.rank) return;
  const card = sheet.rank + suit;
  if (sheet.kind === "card") {
    page.sheet = null;
    if (page.isStale || card === sheet.was) return;
    const { zone, position, was } = sheet;
    outbox.add({ command: "correct_card", round: view.round, zone, position, was, card }, `Correct a card of ${zone.replace("-", " ")}`);
  } else if (sheet.kind === "hand") {
    const most = sheet.zone === "dealer" ? 6 : 5;
    if (sheet.cards.length >= most || sheet.cards.includes(card)) return;
    page.sheet = { ...sheet, rank: null, cards: [...sheet.cards, card] };
  }
}

function act(name, data) {
  if (!view || !actions[name]) return;
  actions[name](data);
  draw();
}

document.addEventListener("pointerdown", (event) => {
  const control = event.target.closest("[data-do]");
  pressed = control && JSON.stringify(control.dataset);
});

document.addEventListener("click", (event) => {
  const control = event.target.closest("[data-do]");
  if (!control || control.disabled) return;
  const isTap = event.detail > 0;
  if (isTap && pressed !== JSON.stringify(control.dataset)) return; // it changed under the finger
  if (isTap) control.blur(); // so that Enter means the big button again, not the same chip once more
  const isPrimary = control.dataset.primary !== undefined;
  if (isPrimary && performance.now() - primary.since < UNSEEN_MS) return;
  act(control.dataset.do, control.dataset);
});

document.addEventListener("submit", (event) => {
  event.preventDefault();
  const form = event.target;
  if (form.dataset.doSubmit) act(form.dataset.doSubmit, { reason: new FormData(form).get("reason") ?? "" });
});

listenToKeys(page, act);
link.start();
picture.start();
setInterval(draw, 1000);
