// A void takes the whole screen: the proof, the count, the rule, and the ways on.

import { h } from "../dom.js";
import { bigButton } from "./bets.js";
import { sendButton } from "./seat.js";

export function voidScreen(view, page) {
  const { void: found } = view;
  return h(
    "section",
    { class: `void ${found.pending ? "doubtful" : ""} ${found.evidence.length ? "" : "unproven"}`, "data-key": "void", role: "alertdialog", "aria-label": "void" },
    h(
      "header",
      {},
      h("h1", {}, found.pending ? "VOID?" : "ROUND VOID"),
      page.isStale
        ? h("p", { role: "alert" }, "No connection: what you see is old")
        : h("p", {}, `${view.name} · round ${view.round}${found.by ? ` · ${found.by}` : ""}`),
    ),
    proof(found, page),
    h(
      "div",
      { class: "facts" },
      h("p", { class: "count" }, found.words.slice(0, 1).toUpperCase() + found.words.slice(1)),
      found.expected !== null && h("p", { class: "advice" }, `counted ${found.seen}, should be ${found.expected}`),
      h("blockquote", {}, found.rule),
      found.pending ? h("p", { class: "advice" }, found.advice) : undoing(found),
    ),
    found.pending ? waysOn(view, found, page) : ending(view, page),
  );
}

function proof(found, page) {
  if (!found.evidence.length) return null;
  return h(
    "figure",
    { "data-key": "proof" },
    h("img", { src: page.evidencePath(found.evidence[0]), alt: `what the camera saw: ${found.words}` }),
    h("figcaption", {}, `What the camera saw${found.zone ? ` at ${found.zone.replace("-", " ")}` : ""}`),
  );
}

function waysOn(view, found, page) {
  const round = view.round;
  const zone = found.zone ?? "dealer";
  return h(
    "div",
    { class: "ways" },
    sendButton("recount", { command: "recount", round, zone }, "Recount", { class: "first", disabled: page.isStale }),
    sendButton("call", { command: "call_supervisor", round, note: found.words }, "Call the supervisor", { disabled: page.isStale }),
    sendButton("void-it", { command: "void_round", round, reason: found.reason, note: found.words }, "Void the round", { disabled: page.isStale }),
  );
}

function undoing(found) {
  if (!found.undo.length && !found.returns.length) return h("p", { class: "advice" }, "Nothing was paid: every wager goes back.");
  const back = found.returns.filter((line) => line.move !== "leave");
  const kept = found.returns.filter((line) => line.move === "leave");
  return [
    found.undo.length > 0 && h("p", { class: "advice" }, `Already settled, take it back: ${found.undo_total?.text ?? ""}`),
    list(bySeat(found.undo, (each) => `Seat ${each.seat}`), undoWords),
    back.length > 0 && h("p", { class: "advice" }, "Not settled, goes back to the players:"),
    list(bySeat(back, seatOf), (lines) => lines.map(returnWords).join(", ")),
    kept.length > 0 && h("p", { class: "advice" }, "Stays where it is for the re-deal:"),
    list(bySeat(kept, seatOf), (lines) => lines.map(returnWords).join(", ")),
  ];
}

function list(groups, words) {
  return groups.size > 0 && h("ul", { class: "steps" }, [...groups].map(([seat, lines]) => h("li", {}, `${seat}: ${words(lines)}`)));
}

/** One line a seat: a table full of wagers stays on the screen. */
function bySeat(lines, name) {
  const groups = new Map();
  for (const line of lines) groups.set(name(line), [...(groups.get(name(line)) ?? []), line]);
  return groups;
}

function seatOf(line) {
  return line.note.slice(0, 1).toUpperCase() + line.note.slice(1);
}

function returnWords(line) {
  return line.amount ? `${line.title.toLowerCase()} ${line.amount.text}` : line.title.toLowerCase();
}

/** `take back $75 paid on play, $25 on ante; give back $1 taken on progressive` */
function undoWords(lines) {
  const some = (kind, verb, done) => {
    const found = lines.filter((line) => line[kind]);
    const parts = found.map((line, number) => `${line[kind].text} ${number ? "" : `${done} `}on ${line.title.toLowerCase()}`);
    return found.length ? `${verb} ${parts.join(", ")}` : null;
  };
  const unknown = lines.filter((line) => !line.paid && !line.taken).map((line) => line.words);
  return [some("paid", "take back", "paid"), some("taken", "give back", "taken"), ...unknown].filter(Boolean).join("; ");
}

function ending(view, page) {
  return h("div", { class: "ways" }, bigButton(view, page, "end_game", "END GAME"));
}
