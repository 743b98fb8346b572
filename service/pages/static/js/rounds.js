// Past rounds of a table, the latest first: what was read and seen, corrected, paid and taken back, and by whom.

import { send } from "./api.js";
import { cardSign } from "./cards.js";
import { h, show } from "./dom.js";
import { attempt, dollars, timeWords, whoWords } from "./office.js";

const PAGE = 30;
const { table } = document.body.dataset;
const path = `/api/v1/tables/${encodeURIComponent(table)}/rounds`;
const list = document.getElementById("rounds");
const more = document.getElementById("more");
const filter = document.getElementById("filter");
const opened = new Map(); // rounds that somebody looked into, by number
let rounds = [];

async function read({ isAnew }) {
  const query = new URLSearchParams({ limit: String(PAGE) });
  const { value: status } = filter.elements.status;
  if (status) query.set("status", status);
  if (!isAnew) query.set("before", String(rounds.at(-1).round));
  const found = await send("GET", `${path}?${query}`);
  rounds = isAnew ? found : [...rounds, ...found];
  more.hidden = found.length < PAGE;
  draw();
}

function draw() {
  show(list, rounds.length ? rounds.map(round) : h("li", { class: "quiet" }, "No round."));
}

function round(each) {
  const whole = opened.get(each.round);
  return h(
    "li",
    { "data-key": String(each.round) },
    h(
      "details",
      { "data-round": each.round, open: whole !== undefined },
      h(
        "summary",
        {},
        h("span", { class: "number" }, each.round.toLocaleString("en-US")),
        h("span", {}, timeWords(each.opened_at)),
        h("strong", {}, each.status === "void" ? "VOID" : each.status),
        h("span", {}, each.reason ? each.reason.replaceAll("_", " ") : ""),
        h("span", { class: "quiet" }, each.rules_version ? `rules ${each.rules_version}` : ""),
      ),
      whole && parts(whole),
    ),
  );
}

function parts(whole) {
  return [
    part("Paid", whole.payouts.map(payout)),
    part("Void: what goes back", [...whole.undo.map(undone), ...whole.returns.map(returned)]),
    part("Corrected or entered by hand", whole.corrections.map(correction)),
    part("Alerts", whole.alerts.map((each) => h("li", {}, `${timeWords(each.at)}: ${each.message}`, each.acknowledged_by && h("span", { class: "quiet" }, ` · ${whoWords(each.acknowledged_by)}`)))),
    part("Seen by the camera", whole.readings.map(reading)),
  ];
}

function part(words, rows) {
  return rows.length > 0 && [h("h3", {}, words), h("ul", { class: "facts" }, rows)];
}

function payout(each) {
  const lines = each.lines.map((line) => `${line.title} ${line.move_words} ${line.amount?.text ?? ""}`.trim()).join(" · ");
  const back = each.taken_back_at && h("strong", {}, ` Taken back by ${whoWords(each.taken_back_by)} at ${timeWords(each.taken_back_at)}: ${each.taken_back_reason}`);
  return h("li", {}, h("strong", {}, `Seat ${each.seat}: ${each.amount?.text ?? "by the odds"}`), ` ${lines}`, h("span", { class: "quiet" }, ` · ${whoWords(each.by)}, ${timeWords(each.at)}`), back);
}

function undone(each) {
  const paid = each.paid && `take back ${dollars(each.paid)} paid`;
  const taken = each.taken && `give back ${dollars(each.taken)} taken`;
  return h("li", {}, `Seat ${each.seat}, ${each.wager.replaceAll("_", " ")}: ${[paid, taken].filter(Boolean).join(", ")}`);
}

function returned(each) {
  const way = each.result === "carried" ? "stays for the next deal" : "goes back";
  return h("li", {}, `Seat ${each.seat}, ${each.wager.replaceAll("_", " ")}: ${each.amount ? `${dollars(each.amount)} ` : ""}${way}`);
}

function correction(each) {
  const machine = each.machine.length ? `read ${signs(each.machine)}` : "not read";
  return h("li", {}, h("strong", {}, `${where(each.zone)}: ${signs(each.person)}`), ` ${machine}`, h("span", { class: "quiet" }, ` · ${whoWords(each.by)}, ${timeWords(each.at)}`));
}

function reading(each) {
  const cards = each.cards ? ` ${signs(each.cards)}` : "";
  const sure = each.confidence === null ? "" : ` · ${(100 * each.confidence).toFixed(2)} %`;
  return h(
    "li",
    { class: "reading" },
    h("span", {}, h("strong", {}, `${each.zone ? `${where(each.zone)}: ` : ""}${each.kind.replaceAll("_", " ")}`), cards, h("span", { class: "quiet" }, `${sure} · ${timeWords(each.at)}`)),
    each.evidence.map((name) => h("img", { src: `/api/v1/evidence/${encodeURIComponent(name)}`, alt: `${each.kind.replaceAll("_", " ")} as the camera saw it`, loading: "lazy" })),
  );
}

function signs(cards) {
  return cards.map(cardSign).join(" ");
}

function where(zone) {
  return zone === "dealer" ? "Dealer" : zone.replace("seat-", "Seat ");
}

list.addEventListener(
  "toggle",
  async ({ target }) => {
    const number = Number(target.dataset.round);
    if (!target.open) opened.delete(number);
    else if (!opened.has(number)) {
      const whole = await attempt(() => send("GET", `${path}/${number}`));
      if (whole) opened.set(number, whole);
    }
    draw();
  },
  true,
);
more.addEventListener("click", () => attempt(() => read({ isAnew: false })));
filter.addEventListener("change", () => attempt(() => read({ isAnew: true })));
attempt(() => read({ isAnew: true }));
