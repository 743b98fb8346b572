// The audit log, the newest first: what happened, who did it, what it was before and after.

import { send } from "./api.js";
import { h, show } from "./dom.js";
import { attempt, timeWords, whoWords } from "./office.js";

const PAGE = 50;
const list = document.getElementById("entries");
const more = document.getElementById("more");
const verdict = document.getElementById("verdict");
const filter = document.getElementById("filter");
let entries = [];

async function read({ isAnew }) {
  const query = new URLSearchParams({ newest_first: "true", limit: String(PAGE) });
  const subject = filter.elements.subject.value.trim();
  if (subject) query.set("subject", subject);
  if (!isAnew) query.set("before", String(entries.at(-1).sequence));
  const found = await send("GET", `/api/v1/audit?${query}`);
  entries = isAnew ? found : [...entries, ...found];
  more.hidden = found.length < PAGE;
  show(list, entries.length ? entries.map(entry) : h("li", { class: "quiet" }, "No entry."));
}

function entry(each) {
  const isPlain = each.before === null && each.after === null;
  return h(
    "li",
    { "data-key": String(each.sequence) },
    h(
      "details",
      {},
      h(
        "summary",
        {},
        h("span", { class: "number" }, each.sequence.toLocaleString("en-US")),
        h("span", {}, timeWords(each.at)),
        h("strong", {}, each.action.replaceAll("_", " ")),
        h("span", {}, each.subject),
        h("span", { class: "quiet" }, whoWords(each.actor)),
      ),
      isPlain && h("p", { class: "quiet" }, "Nothing besides."),
      each.before !== null && changed("before", each.before),
      each.after !== null && changed("after", each.after),
      h("p", { class: "hash" }, `hash ${each.hash}`),
    ),
  );
}

function changed(word, value) {
  return [h("h3", {}, word), h("pre", { tabindex: 0 }, JSON.stringify(value, null, 1))];
}

async function verify() {
  const button = document.getElementById("verify");
  button.disabled = true;
  show(verdict, h("li", { class: "quiet" }, "Hashing every entry…"));
  const result = await attempt(() => send("GET", "/api/v1/audit/verify"));
  button.disabled = false;
  const count = `${result?.entries.toLocaleString("en-US")} entries`;
  if (!result) show(verdict);
  else if (result.faults.length) show(verdict, h("li", { class: "bad" }, `${count}: the log was tampered with.`), result.faults.map((each) => h("li", { class: "bad" }, each)));
  else show(verdict, h("li", { class: "good" }, `✓ ${count}: nothing was edited, deleted, reordered or cut off.`));
}

document.getElementById("verify").addEventListener("click", verify);
more.addEventListener("click", () => attempt(() => read({ isAnew: false })));
filter.addEventListener("submit", (event) => {
  event.preventDefault();
  attempt(() => read({ isAnew: true }));
});
attempt(() => read({ isAnew: true }));
