// The progressive meter of a table: what stands there, what moved it, and a manager's adjustment.

import { send } from "./api.js";
import { h, show } from "./dom.js";
import { attempt, centsOf, dollars, timeWords, whoWords } from "./office.js";
import { newId } from "./outbox.js";

const EVERY_MS = 3000;
const KINDS = { coin_in: "bets counted in", award: "award paid", undone: "undone", set: "adjusted by hand", reset: "started anew" };
const { table } = document.body.dataset;
const path = `/api/v1/tables/${encodeURIComponent(table)}`;
const adjust = document.getElementById("adjust");
let view = null;

async function refresh() {
  view = await send("GET", path);
  const moves = view.meter ? await send("GET", `${path}/meter`) : [];
  show(document.getElementById("meter"), view.meter ? standing(view.meter) : h("p", {}, "This table has no progressive: choose a progressive pay table in its rules."));
  show(document.getElementById("moves"), heading(), h("tbody", {}, moves.length ? moves.map(move) : h("tr", {}, h("td", { colspan: 5, class: "quiet" }, "Nothing has moved it yet."))));
  if (adjust) adjust.hidden = !view.meter;
  preview();
}

function standing(meter) {
  const sensors = meter.sensors.length ? `seats ${meter.sensors.join(", ")}` : "none";
  return [
    h("p", { class: "amount" }, meter.amount.text),
    h("p", {}, `Reserve ${meter.reserve.text} · one bet is ${meter.denomination.text} · lit sensors: ${sensors}`),
    meter.locked && h("p", { class: "notice" }, "In play: the bets of this round are locked, and the meter can be adjusted after it."),
  ];
}

function heading() {
  return h("thead", {}, h("tr", {}, ["When", "What", "Before", "After", "By"].map((each) => h("th", { scope: "col" }, each))));
}

function move(each) {
  return h(
    "tr",
    { "data-key": `${each.at}-${each.amount_after}` },
    h("td", {}, timeWords(each.at)),
    h("td", {}, KINDS[each.kind] ?? each.kind, each.reason && h("span", { class: "quiet" }, ` · ${each.reason}`)),
    h("td", {}, dollars(each.amount_before)),
    h("td", {}, dollars(each.amount_after)),
    h("td", {}, whoWords(each.by)),
  );
}

function changeOf(form) {
  const cents = centsOf(form.elements.amount.value);
  return cents === null ? null : cents * Number(form.elements.sign.value);
}

function preview() {
  if (!adjust || !view?.meter) return;
  const cents = Number(view.meter.amount.cents);
  const change = changeOf(adjust);
  const isKnown = change !== null && Number.isFinite(cents);
  document.getElementById("preview").textContent = isKnown ? `${view.meter.amount.text} becomes ${dollars(cents + change)}.` : "";
  adjust.querySelector("[type=submit]").disabled = view.meter.locked;
}

adjust?.addEventListener("input", () => {
  const isWrong = changeOf(adjust) === null;
  adjust.elements.amount.setCustomValidity(isWrong ? "Dollars, such as 250 or 12.50" : "");
  preview();
});
adjust?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const change = changeOf(adjust);
  const body = { id: newId(), command: "adjust_meter", round: view.round, change, reason: adjust.elements.reason.value.trim() };
  const work = () => send("POST", `${path}/commands`, body);
  if (await attempt(work, "The meter is adjusted; the record says who and why.")) adjust.reset();
  refresh();
});

attempt(refresh);
setInterval(() => refresh().catch(() => null), EVERY_MS);
