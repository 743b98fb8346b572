// All tables as tiles: their pictures, what each is doing, and what wants attention.

import { answered, send, toSignIn } from "./api.js";
import { h, show } from "./dom.js";

const EVERY_MS = 2000;
const tiles = [...document.querySelectorAll("[data-table]")];
const alerts = document.getElementById("alerts");
const maySee = ["supervisor", "manager"].includes(document.body.dataset.role);

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
  const dealer = view.on_duty ? ` · ${view.on_duty.name}` : "";
  stateOf(tile, `round ${view.round} · ${view.phase_words}${seat}${dealer} · ${view.camera.words}`);
  tile.classList.toggle("alerted", view.alerts.length > 0 || view.void !== null);
}

function stateOf(tile, words) {
  tile.querySelector("[data-state]").textContent = words;
}

function showAlerts(views) {
  const all = views.flatMap((view) => view.alerts.map((alert) => ({ view, alert })));
  alerts.hidden = !all.length;
  show(
    alerts,
    all.map(({ view, alert }) =>
      h(
        "div",
        { class: alert.level === "stop" ? "notice refused" : "notice", "data-key": `${view.table}-${alert.number}`, role: "alert" },
        h("span", { class: "text" }, `${view.name}: ${alert.words}`),
        h("a", { class: "button", href: `/tables/${view.table}` }, "Look"),
        maySee && h("button", { "data-acknowledge": alert.number, "data-of": view.table, "data-round": view.round }, "OK"),
      ),
    ),
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
  const button = event.target.closest("button");
  if (button?.id === "sign-out") send("POST", "/api/v1/sign-out").finally(toSignIn);
  if (!button?.dataset.acknowledge) return;
  const body = { id: `${Date.now()}-${button.dataset.acknowledge}`, command: "acknowledge", alert: Number(button.dataset.acknowledge) };
  await send("POST", `/api/v1/tables/${button.dataset.of}/commands`, body).catch(() => null);
  refresh();
});

refresh();
pictures();
setInterval(refresh, EVERY_MS);
setInterval(pictures, EVERY_MS);
