// One seat, one decision: whose hand, what it is, what to pay, and one big Confirm.

import { h } from "../dom.js";
import { handCards, handPicture } from "./hand.js";
import { isMoney } from "../money.js";

export function seatPanel(view, seat, page) {
  const { proposal } = seat;
  return [
    seatTitle(seat),
    seat.hand.cards.length > 0 && handCards(seat.hand),
    proposal?.comparison && against(view, proposal),
    seat.problem && !proposal?.blocked && h("p", { class: "notice", "data-key": "problem" }, sentence(seat.problem)),
    !seat.problem && seat.hand.advice && h("p", { class: "notice", "data-key": "advice" }, seat.hand.advice),
    playChoices(view, seat),
    ...(proposal ? proposalLines(proposal) : paidLines(view, seat, page)),
    handPicture(seat.hand, page),
    proposal && confirmButton(view, seat, page),
    !proposal && seat.status === "unreadable" &&
      h("button", { class: "big", "data-key": "enter-big", "data-primary": true, "data-do": "enter", "data-zone": seat.zone }, "ENTER BY HAND"),
    seatActions(view, seat, page),
  ];
}

function seatTitle(seat) {
  const player = seat.linked_with.length ? `one player with seat ${seat.linked_with.join(", ")}` : null;
  return h(
    "div",
    { class: "title", "data-key": "title" },
    h("h1", {}, `SEAT ${seat.seat}`),
    h("p", { class: "hand-words" }, handWords(seat), player && h("span", { class: "quiet" }, ` · ${player}`)),
  );
}

function handWords(seat) {
  if (seat.proposal?.part === "envy") return "Envy bonus";
  if (seat.hand.words) return seat.hand.words;
  if (seat.hand.problem) return "Not read yet";
  if (seat.decision === "fold") return "Folded";
  if (seat.status === "empty") return "Nobody plays here";
  return seat.status === "waiting" ? "Not turned yet" : seat.status_words;
}

function against(view, proposal) {
  const word = proposal.comparison;
  const mood = /^dealer wins|^folded/.test(word) ? "loses" : "wins";
  const dealer = view.dealer.words ? ` · dealer ${view.dealer.words}` : "";
  return h("p", { class: "against", "data-key": "against" }, h("span", { class: `verdict ${mood}` }, word), dealer);
}

function proposalLines(proposal) {
  return [
    h(
      "table",
      { class: proposal.lines.length > 5 && !proposal.can_confirm ? "lines dense" : "lines", "data-key": "lines" },
      h("tbody", {}, proposal.lines.map(line)),
    ),
    h(
      "div",
      { class: "total", "data-key": "total", "aria-live": "polite" },
      proposal.total
        ? [
            h("span", { class: "word" }, "TOTAL"),
            h("span", { class: "chips" }, isMoney(proposal.total) ? proposal.chips : ""),
            h("span", { class: "sum" }, proposal.total.text),
          ]
        : h("span", { class: "ask" }, proposal.odds_only ? "No wagers entered: the odds are shown, pay by them." : ""),
    ),
  ];
}

function line(each) {
  const mood = each.move === "pay" ? "pays" : each.move === "take" ? "takes" : "";
  return h(
    "tr",
    { class: mood, title: each.rule },
    h("td", {}, each.title, each.note && h("span", { class: "quiet note" }, ` ${each.note}`)),
    h("td", { class: "stake" }, each.stake && isMoney(each.stake) ? each.stake.text : ""),
    h("td", { class: "odds" }, each.odds ? each.odds.replace(" to ", ":") : each.result_words),
    h("td", { class: "move" }, each.move_words),
    h("td", { class: "amount" }, each.amount?.text ?? "–"),
  );
}

/** A seat that is done: what was paid, when, and by whom. */
function paidLines(view, seat, page) {
  const standing = seat.payouts.filter((payout) => !payout.taken_back);
  return standing.flatMap((payout) => [
    h("table", { class: "lines", "data-key": `paid-${payout.id}` }, h("tbody", {}, payout.lines.map(line))),
    h(
      "p",
      { class: "ask", "data-key": `by-${payout.id}` },
      `✓ ${payout.total?.text ?? "paid by the odds"}, confirmed by ${payout.by} at ${clockOf(payout.at)}`,
    ),
    payout.differs && h("p", { class: "notice refused", "data-key": `differs-${payout.id}` }, payout.differs),
    page.isSupervisor &&
      view.phase !== "void" &&
      h(
        "button",
        { class: "danger", "data-key": `back-${payout.id}`, "data-do": "take-back", "data-seat": seat.seat, "data-part": payout.part },
        "Take back…",
      ),
  ]);
}

export function clockOf(stamp) {
  return new Date(stamp).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
}

function confirmButton(view, seat, page) {
  const { proposal } = seat;
  const command = {
    command: "confirm", round: view.round, seat: seat.seat, part: proposal.part, digest: proposal.digest,
  };
  const isSent = page.isWaiting("confirm", seat.seat);
  const words = isSent ? "SENDING…" : proposal.can_confirm ? "CONFIRM" : sentence(proposal.blocked ?? "not yet");
  return h(
    "button",
    {
      class: proposal.can_confirm ? "big go" : "big blocked",
      "data-key": "confirm",
      "data-primary": true,
      "data-do": "send",
      "data-body": JSON.stringify(command),
      "data-label": `Confirm seat ${seat.seat}${proposal.total ? `, ${proposal.total.text}` : ""}`,
      disabled: !proposal.can_confirm || isSent || page.isStale,
    },
    words,
    proposal.can_confirm && !isSent && h("kbd", {}, "Enter"),
  );
}

function sentence(words) {
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

function playChoices(view, seat) {
  const isDue = seat.status === "needs_play" || (seat.proposal?.odds_only === false && seat.decision === null);
  if (!isDue || !seat.play_choices.length) return null;
  return h(
    "div",
    { class: "row wide", "data-key": "choices" },
    seat.play_choices.map((choice) => playButton(view, seat, choice)),
    foldButton(view, seat),
  );
}

export function playButton(view, seat, choice, more = {}) {
  const isChosen = seat.decision === "play" && seat.play?.cents === String(choice.cents);
  const body = { command: "set_decision", round: view.round, seat: seat.seat, decision: "play", play: choice.cents };
  return h(
    "button",
    {
      "data-key": `play-${seat.seat}-${choice.cents}`,
      "data-do": "send",
      "data-body": JSON.stringify(body),
      "data-label": `Seat ${seat.seat} plays ${choice.text}`,
      "aria-pressed": isChosen ? "true" : "false",
      ...more,
    },
    choice.text,
  );
}

export function foldButton(view, seat, more = {}) {
  const body = { command: "set_decision", round: view.round, seat: seat.seat, decision: "fold" };
  return h(
    "button",
    {
      "data-key": `fold-${seat.seat}`,
      "data-do": "send",
      "data-body": JSON.stringify(body),
      "data-label": `Seat ${seat.seat} folds`,
      "aria-pressed": seat.decision === "fold" ? "true" : "false",
      ...more,
    },
    "Fold",
  );
}

function seatActions(view, seat, page) {
  const round = view.round;
  const isRead = seat.hand.cards.length === 5;
  const isOpen = ["dealing", "decisions", "settling", "envy"].includes(view.phase);
  const isSkipped = seat.status === "skipped";
  const isDue = ["ready", "blocked", "unreadable", "needs_play", "fault"].includes(seat.status);
  return h(
    "div",
    { class: "row wide", "data-key": "actions" },
    isRead && seat.status !== "confirmed" &&
      h("button", { "data-key": "correct", "data-do": "correct-any", "data-zone": seat.zone }, "Correct a card"),
    view.current_seat !== null && view.current_seat !== seat.seat &&
      h("button", { "data-key": "back", "data-do": "follow" }, `Back to seat ${view.current_seat}`),
    isOpen && !isRead && !["empty", "unreadable"].includes(seat.status) &&
      h("button", { "data-key": "enter", "data-do": "enter", "data-zone": seat.zone }, "Enter by hand"),
    isOpen && seat.play_choices.length > 0 && seat.status !== "confirmed" &&
      h("button", { "data-key": "play", "data-do": "play", "data-seat": seat.seat }, "Fold or play…"),
    handButton(round, seat),
    page.isSupervisor && seat.proposal?.needs_supervisor && !seat.award_verified &&
      sendButton("verify", { command: "verify_award", round, seat: seat.seat }, "Verify the award"),
    isSkipped && sendButton("come-back", { command: "come_back", round, seat: seat.seat }, "Settle it now"),
    isOpen && isDue && sendButton("skip", { command: "skip", round, seat: seat.seat }, "Skip"),
    h("button", { "data-key": "help", "data-do": "help", "data-seat": seat.seat }, "Needs help"),
  );
}

function handButton(round, seat) {
  if (!seat.proposal?.needs_supervisor && !seat.hand_button) return null;
  const body = { command: "hand_button", round, seat: seat.seat, pressed: !seat.hand_button };
  return sendButton("hand-button", body, seat.hand_button ? "Hand button off" : "Hand button");
}

export function sendButton(key, body, label, more = {}) {
  return h("button", { "data-key": key, "data-do": "send", "data-body": JSON.stringify(body), "data-label": label, ...more }, label);
}

/** How a seat stands, without its number. */
export function stripWords(seat) {
  return seat.status_words.replace(new RegExp(`^${seat.seat}\\b\\s*`), "") || seat.status;
}
