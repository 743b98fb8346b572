// All tables as tiles: their pictures, what each is doing, and what wants attention.

import { answered, send, toSignIn } from "./api.js";
import { h, show } from "./dom.js";
import { attempt, timeWords } from "./office.js";
import { newId } from "./outbox.js";

const EVERY_MS = 2000;
const LEVELS = { stop: 0, warning: 1, notice: 2 };
const tiles = [...document.querySelectorAll("[data-table]")];
const alerts = document.getElementById("alerts");
const mayAnswer = ["dealer", "supervisor", "manager"].includes(document.body.dataset.role);

async function refresh() {
  try {
    const views = await Promise.all(tiles.map((tile) => send("GET", `/api/v1/tables/${tile.dataset.table}`)));
    tiles.forEach((tile, number) => fill(tile, views[number]));
    showAlerts(views);
  } catch (error) {
    if (error.status === 401) toSignIn();
    tiles.forEach((tile) => stateOf(tile, "no connection: what you see is old"));
  }
}

function fill(tile, view) {
  const seat = view.current_seat ? ` · seat ${view.current_seat}` : "";
  const phase = view.void ? (view.void.pending ? "VOID?" : "VOID") : `${view.phase_words}${seat}`;
  stateOf(tile, `Round ${view.round.toLocaleString("en-US")} · ${phase}`);
  const dealer = view.on_duty ? `${view.on_duty.name} deals` : "nobody deals";
  const meter = view.meter ? ` · meter ${view.meter.amount.text}` : "";
  tile.querySelector("[data-more]").textContent = `${dealer} · ${view.camera.words}${meter}`;
  tile.classList.toggle("alerted", view.alerts.length > 0 || view.void !== null || pendingAwards(view).length > 0);
}

function stateOf(tile, words) {
  tile.querySelector("[data-state]").textContent = words;
}

/** The gravest on top, then the oldest; they stay until somebody acknowledges them. */
function showAlerts(views) {
  const all = views.flatMap((view) => [...pendingVoid(view), ...pendingAwards(view), ...view.alerts.map((alert) => ({ view, alert }))]);
  all.sort((one, other) => LEVELS[one.alert.level] - LEVELS[other.alert.level] || one.alert.at.localeCompare(other.alert.at));
  alerts.hidden = !all.length;
  show(alerts, all.map(({ view, alert }) => notice(view, alert)));
}

/** A void that waits for somebody's word is not acknowledged but decided, at the table. */
function pendingVoid(view) {
  if (!view.void?.pending) return [];
  return [{ view, alert: { number: 0, level: "stop", words: `void? ${view.void.words}`, advice: view.void.advice, at: "", evidence: view.void.evidence } }];
}

/** An award from the meter waits for a supervisor: the hand as it was seen, and the amount. */
function pendingAwards(view) {
  const waiting = view.seats.filter((seat) => seat.proposal?.needs_supervisor && !seat.award_verified);
  return waiting.map((seat) => {
    const words = `seat ${seat.seat} wins from the meter: ${seat.hand.words}, ${seat.proposal.total?.text ?? "by the odds"}`;
    const advice = "Verify the hand at the table before it is paid";
    return { view, alert: { number: -seat.seat, level: "stop", words, advice, at: "", evidence: seat.hand.evidence.slice(-1) } };
  });
}

function notice(view, alert) {
  const crop = alert.evidence[0];
  return h(
    "div",
    { class: alert.level === "stop" ? "notice refused" : "notice", "data-key": `${view.table}-${alert.number}`, role: "alert" },
    crop && h("img", { src: `/api/v1/evidence/${encodeURIComponent(crop)}`, alt: "what the camera saw" }),
    h("span", { class: "text" }, `${view.name}: ${alert.words}`, alert.advice && h("span", { class: "quiet" }, ` · ${alert.advice}`)),
    alert.at && h("span", { class: "when" }, timeWords(alert.at)),
    h("a", { class: "button", href: `/tables/${view.table}` }, "Look"),
    mayAnswer && alert.number > 0 && h("button", { "data-acknowledge": alert.number, "data-of": view.table }, "OK"),
  );
}

async function pictures() {
  for (const tile of tiles) {
    try {
      const response = await answered(`/api/v1/tables/${tile.dataset.table}/picture.jpg`, { cache: "no-store" }, 4000);
      if (!response.ok) continue;
      const old = tile.querySelector("img").src;
      tile.querySelector("img").src = URL.createObjectURL(await response.blob());
      if (old.startsWith("blob:")) URL.revokeObjectURL(old);
    } catch {
      // the next one comes in a moment
    }
  }
}

document.addEventListener("click", async (event) => {
  const { acknowledge, of: table } = event.target.closest("button")?.dataset ?? {};
  if (!acknowledge) return;
  const body = { id: newId(), command: "acknowledge", alert: Number(acknowledge) };
  await attempt(() => send("POST", `/api/v1/tables/${table}/commands`, body));
  refresh();
});

refresh();
pictures();
setInterval(refresh, EVERY_MS);
setInterval(pictures, EVERY_MS);
