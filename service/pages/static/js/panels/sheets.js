// What takes the decision's place for a moment. Each sheet is drawn from the view and from what was tapped so far.

import { RANKS, SUITS, cardClass, cardFace, cardSign, cardWords, rankSign, suitShape, isRed } from "../cards.js";
import { h } from "../dom.js";
import { alertNotice } from "./frame.js";
import { handCards } from "./hand.js";
import { centsText } from "../money.js";
import { foldButton, playButton, sendButton } from "./seat.js";

const REASONS = ["Entered wrongly", "The player asked for it", "Chips were miscounted", "The supervisor decided it"];
const VOID_REASONS = [
  ["wrong_card_count", "Wrong number of cards"],
  ["duplicate_card", "A card is there twice"],
  ["foreign_card", "A card of another deck"],
  ["exposed_card", "A card was exposed"],
  ["shuffler", "The shuffler failed"],
  ["other", "Another reason"],
];

/** The sheet that is open, or null. */
export function openSheet(view, page) {
  const draw = SHEETS[page.sheet?.kind];
  return draw ? draw(view, page, page.sheet) : null;
}

const SHEETS = { card, hand, pick, play, help, voiding, reason, alerts, checklist, copy, link, duty };

function heading(words, aside = null) {
  return h(
    "div",
    { class: "title", "data-key": "title" },
    h("h1", {}, words),
    h("div", { class: "aside" }, aside, h("button", { "data-key": "close", "data-do": "close" }, "Close", h("kbd", {}, "Esc"))),
  );
}

function zoneWords(zone) {
  return zone === "dealer" ? "DEALER" : zone.replace("-", " ").toUpperCase();
}

function handOf(view, zone) {
  return zone === "dealer" ? view.dealer : view.seats.find((seat) => seat.zone === zone).hand;
}

function cardKeys(sheet, taken) {
  return [
    h(
      "div",
      { class: "keys ranks", "data-key": "ranks" },
      RANKS.map((rank) =>
        h(
          "button",
          { "data-key": `rank-${rank}`, "data-do": "rank", "data-rank": rank, class: sheet.rank === rank ? "chosen" : "", "aria-pressed": String(sheet.rank === rank) },
          rankSign(rank),
        ),
      ),
    ),
    h(
      "div",
      { class: "keys suits", "data-key": "suits" },
      SUITS.map((suit) => {
        const isTaken = sheet.rank && taken.has(sheet.rank + suit);
        return h(
          "button",
          {
            "data-key": `suit-${suit}`,
            "data-do": "suit",
            "data-suit": suit,
            class: `${isRed(suit) ? "red-suit" : ""} ${isTaken ? "taken" : ""}`,
            disabled: !sheet.rank,
            "aria-label": cardWords(`A${suit}`).replace("ace of ", ""),
          },
          suitShape(suit),
        );
      }),
    ),
  ];
}

/** Every card that is known in this round: a second one is most likely a slip. */
function knownCards(view) {
  const hands = [view.dealer, ...view.seats.map((seat) => seat.hand)];
  return new Set(hands.flatMap((each) => each.cards.map((one) => one.card)).filter(Boolean));
}

/** One card is another: rank, then suit. */
function card(view, page, sheet) {
  const shown = handOf(view, sheet.zone).cards.find((each) => each.position === sheet.position);
  return [
    heading(zoneWords(sheet.zone)),
    h("p", { class: "ask", "data-key": "ask" }, "What is this card really? Rank, then suit."),
    h(
      "div",
      { class: "hand-cards", "data-key": "which" },
      h("div", { class: cardClass(shown?.card ?? null) }, cardFace(shown?.card ?? null)),
      h("span", { class: "ask" }, sheet.rank ? `→ ${rankSign(sheet.rank)} of …` : "→ ?"),
    ),
    ...cardKeys(sheet, knownCards(view)),
    shown?.machine && h("p", { class: "quiet", "data-key": "machine" }, `The camera read ${cardSign(shown.machine)}; that stays in the record.`),
  ];
}

/** Which card of the hand is wrong. */
function pick(view, page, sheet) {
  return [
    heading(zoneWords(sheet.zone)),
    h("p", { class: "ask", "data-key": "ask" }, "Tap the card that is wrong."),
    handCards(handOf(view, sheet.zone)),
    h("div", { class: "grow", "data-key": "grow" }),
    h("button", { "data-key": "enter", "data-do": "enter", "data-zone": sheet.zone }, "Enter the whole hand by hand"),
  ];
}

/** A whole hand typed in. */
function hand(view, page, sheet) {
  const count = sheet.zone === "dealer" ? 6 : 5;
  const slots = Array.from({ length: count }, (_, number) => sheet.cards[number] ?? null);
  const next = sheet.cards.length;
  const body = { command: "enter_hand", round: view.round, zone: sheet.zone, cards: sheet.cards };
  const upCard = sheet.zone === "dealer" && !view.dealer.up_card ? { up_card: sheet.cards[0] ?? null } : {};
  return [
    heading(zoneWords(sheet.zone), "by hand"),
    h(
      "div",
      { class: "hand-cards small", "data-key": "slots" },
      slots.map((each, number) =>
        h(
          "button",
          { class: each ? cardClass(each) : `card missing ${number === next ? "chosen" : ""}`, "data-key": `slot-${number}`, "data-do": "unslot", "data-number": number, "aria-label": each ? `${cardWords(each)}: take it out` : "still to come" },
          each ? cardFace(each) : h("span", {}, number === next ? (sheet.rank ? rankSign(sheet.rank) : "?") : ""),
        ),
      ),
    ),
    sheet.zone === "dealer" && !view.dealer.up_card && h("p", { class: "quiet", "data-key": "up" }, "The first card is the one that lay face up."),
    ...cardKeys(sheet, new Set(sheet.cards)),
    h("div", { class: "grow", "data-key": "grow" }),
    h(
      "button",
      {
        class: "big go",
        "data-key": "enter-hand",
        "data-primary": true,
        "data-do": "send",
        "data-then": "close",
        "data-body": JSON.stringify({ ...body, ...upCard }),
        "data-label": `Enter ${zoneWords(sheet.zone).toLowerCase()}'s hand`,
        disabled: sheet.cards.length !== count || page.isStale,
      },
      sheet.cards.length === count ? "ENTER THIS HAND" : `${count - sheet.cards.length} MORE CARD${count - sheet.cards.length > 1 ? "S" : ""}`,
    ),
  ];
}

/** What a seat does: fold, play one, two or three times the ante, or an amount between. */
function play(view, page, sheet) {
  const seat = view.seats.find((each) => each.seat === sheet.seat);
  const body = { command: "set_decision", round: view.round, seat: seat.seat, decision: "play", play: sheet.cents };
  return [
    heading(`SEAT ${seat.seat}`, seat.decision && `${seat.decision}${seat.play ? ` ${seat.play.text}` : ""} now`),
    h(
      "div",
      { class: "row wide", "data-key": "choices" },
      seat.play_choices.map((choice) => playButton(view, seat, choice, { "data-then": "close" })),
      foldButton(view, seat, { "data-then": "close" }),
    ),
    h("p", { class: "ask", "data-key": "ask" }, "Another amount lies there? Tap its chips."),
    h(
      "div",
      { class: "chips", "data-key": "play-chips" },
      view.chips.map((chip) =>
        h("button", { class: "chip", "data-key": `play-chip-${chip.cents}`, "data-do": "play-chip", "data-cents": chip.cents, "aria-label": `add ${chip.text}` }, chip.text),
      ),
    ),
    h("div", { class: "row wide", "data-key": "again" }, h("button", { "data-key": "play-clear", "data-do": "play", "data-seat": seat.seat, disabled: !sheet.cents }, "Clear")),
    h("div", { class: "grow", "data-key": "grow" }),
    h(
      "button",
      {
        class: "big go",
        "data-key": "play-send",
        "data-primary": true,
        "data-do": "send",
        "data-then": "close",
        "data-body": JSON.stringify(body),
        "data-label": `Seat ${seat.seat} plays ${centsText(sheet.cents)}`,
        disabled: !sheet.cents || page.isStale,
      },
      sheet.cents ? `PLAY ${centsText(sheet.cents)}` : "PLAY …",
    ),
  ];
}

/** What a dealer may need besides the next payout. */
function help(view, page, sheet) {
  const seat = sheet.seat ?? view.current_seat;
  const round = view.round;
  const zone = seat ? `seat-${seat}` : "dealer";
  const isDealt = ["dealing", "decisions", "settling", "envy", "void"].includes(view.phase);
  return [
    heading("NEEDS HELP"),
    h(
      "div",
      { class: "columns", "data-key": "help-columns" },
      sendButton("call", { command: "call_supervisor", round, seat: seat ?? null }, "Call the supervisor", { "data-then": "close", class: "go" }),
      isDealt && sendButton("recount", { command: "recount", round, zone }, `Look again at ${zone.replace("-", " ")}`, { "data-then": "close" }),
      isDealt && h("button", { "data-key": "enter", "data-do": "enter", "data-zone": zone }, `Enter ${zone.replace("-", " ")} by hand`),
      isDealt && h("button", { "data-key": "enter-dealer-help", "data-do": "enter", "data-zone": "dealer" }, "Enter the dealer's hand"),
      h("button", { "data-key": "wagers", "data-do": "wagers", "data-seat": seat }, "Change wagers"),
      view.can.includes("end_game") && sendButton("end", { command: "end_game", round }, "End game", { "data-then": "close" }),
      view.cannot_end && view.can.includes("void_round") &&
        h("button", { "data-key": "end-anyway", "data-do": "ask-reason", "data-body": JSON.stringify({ command: "end_game", round }), "data-label": "End game", "data-ask": `End the game though ${view.cannot_end}: why?` }, "End game anyway…"),
      view.can.includes("void_round") && h("button", { class: "danger", "data-key": "void", "data-do": "voiding" }, "Void the round…"),
    ),
    h("p", { class: "ask", "data-key": "ask" }, seat ? `Enter in the record, for seat ${seat}:` : "Enter in the record:"),
    h(
      "div",
      { class: "columns", "data-key": "kinds" },
      view.irregularity_kinds.map((each) =>
        sendButton(`kind-${each.kind}`, { command: "declare_irregularity", round, kind: each.kind, seat: seat ?? null }, each.title, { "data-then": "close" }),
      ),
    ),
  ];
}

function voiding(view) {
  return [
    heading("VOID THE ROUND"),
    h("p", { class: "ask", "data-key": "ask" }, "Every hand is void and every wager goes back. Why?"),
    h(
      "div",
      { class: "choices", "data-key": "reasons" },
      VOID_REASONS.map(([reason, words]) =>
        sendButton(`void-${reason}`, { command: "void_round", round: view.round, reason }, words, { "data-then": "close", class: "danger" }),
      ),
    ),
  ];
}

/** The same command again, with why. */
function reason(view, page, sheet) {
  return [
    heading("WHY?"),
    h("p", { class: "ask", "data-key": "ask" }, sheet.message),
    h(
      "div",
      { class: "choices", "data-key": "reasons" },
      REASONS.map((words) =>
        h("button", { "data-key": `why-${words}`, "data-do": "reason", "data-reason": words }, words),
      ),
    ),
    h(
      "form",
      { class: "row", "data-key": "own", "data-do-submit": "reason" },
      h("input", { name: "reason", maxlength: "500", placeholder: "or in your own words", "aria-label": "reason in your own words", autocomplete: "off" }),
      h("button", { class: "slim go", "data-key": "own-send", type: "submit" }, "Send"),
    ),
  ];
}

function alerts(view, page) {
  return [
    heading("ALERTS"),
    h("div", { class: "choices", "data-key": "all-alerts" }, view.alerts.map(alertNotice), !view.alerts.length && h("p", { class: "ask" }, "None.")),
  ];
}

function checklist(view, page, sheet) {
  const found = view.irregularities.find((each) => each.number === sheet.number);
  if (!found) return [heading("CHECKLIST"), h("p", { class: "ask" }, "It is closed.")];
  const round = view.round;
  return [
    heading(found.title.toUpperCase()),
    h("p", { class: "quiet", "data-key": "rule" }, found.rule),
    h(
      "div",
      { class: "choices", "data-key": "steps" },
      found.steps.map((step) =>
        sendButton(
          `step-${step.step}`,
          { command: "check_step", round, irregularity: found.number, step: step.step, done: !step.done },
          `${step.done ? "✓" : "○"}  ${step.text}`,
          { "aria-pressed": String(step.done) },
        ),
      ),
    ),
    h("div", { class: "grow", "data-key": "grow" }),
    sendButton("close-irregularity", { command: "close_irregularity", round, irregularity: found.number }, "Dealt with", { "data-then": "close", class: "go big" }),
  ];
}

function copy(view, page, sheet) {
  const others = view.seats.filter((seat) => seat.seat !== sheet.seat && seat.wagers.some((wager) => wager.amount && wager.amount.cents !== "0"));
  return [
    heading(`SEAT ${sheet.seat}`),
    h("p", { class: "ask", "data-key": "ask" }, others.length ? "The same wagers as:" : "No other seat has wagers yet."),
    h(
      "div",
      { class: "choices", "data-key": "from" },
      others.map((seat) =>
        sendButton(
          `from-${seat.seat}`,
          { command: "copy_wagers", round: view.round, seat: sheet.seat, from_seat: seat.seat },
          `Seat ${seat.seat}: ${seat.wagers.filter((wager) => wager.amount && wager.amount.cents !== "0").map((wager) => `${wager.title} ${wager.amount.text}`).join(", ")}`,
          { "data-then": "close" },
        ),
      ),
    ),
  ];
}

/** Seats of one player. */
function link(view, page, sheet) {
  const seats = [...sheet.seats].sort();
  return [
    heading("ONE PLAYER"),
    h("p", { class: "ask", "data-key": "ask" }, "Tap every seat that the player holds."),
    h(
      "div",
      { class: "columns", "data-key": "seats" },
      view.order.map((number) =>
        h("button", { "data-key": `link-${number}`, "data-do": "link-seat", "data-seat": number, "aria-pressed": String(seats.includes(number)) }, `Seat ${number}`),
      ),
    ),
    h("div", { class: "grow", "data-key": "grow" }),
    h(
      "button",
      { class: "big go", "data-key": "link-send", "data-do": "send", "data-then": "close", "data-primary": true, "data-body": JSON.stringify({ command: "link_player", round: view.round, seats }), "data-label": "Link seats", disabled: !seats.length },
      seats.length > 1 ? `SEATS ${seats.join(" AND ")}` : `SEAT ${seats[0] ?? "?"} ALONE`,
    ),
  ];
}

function duty(view, page) {
  const name = view.on_duty?.name;
  const isMine = name === page.name;
  return [
    heading(name ? `${name.toUpperCase()} DEALS` : "NOBODY DEALS"),
    h("p", { class: "ask", "data-key": "ask" }, isMine ? `You have the table since ${page.time(view.on_duty.since)}.` : `Signed in here: ${page.name}.`),
    !isMine && sendButton("relieve", { command: "relieve_dealer" }, name ? `TAKE OVER FROM ${name.toUpperCase()}` : "I DEAL HERE", { class: "big go", "data-then": "close", "data-primary": true }),
    h("div", { class: "grow", "data-key": "grow" }),
    h(
      "div",
      { class: "row wide", "data-key": "leave" },
      h("a", { class: "button", href: `/sign-in?next=/tables/${view.table}` }, "Another dealer signs in"),
      h("a", { class: "button", href: "/" }, "All tables"),
      h("a", { class: "button", href: `/tables/${view.table}/placard` }, "Placard"),
      h("button", { "data-key": "sign-out", "data-do": "sign-out" }, "Sign out"),
    ),
  ];
}
