// People and the keys of programs: the lists, and what a manager does with each.

import { send } from "./api.js";
import { h, show } from "./dom.js";
import { attempt, timeWords, whoWords } from "./office.js";

const self = document.body.dataset.name;
const add = document.getElementById("add");
const addToken = document.getElementById("add-token");
let resetting = null; // whose PIN is being set anew

async function refresh() {
  const [people, tokens] = await Promise.all([send("GET", "/api/v1/accounts"), send("GET", "/api/v1/tokens")]);
  show(document.getElementById("accounts"), head("Signs in as", "Name", "Role", "State", ""), h("tbody", {}, people.map(person)));
  show(
    document.getElementById("tokens"),
    head("Program", "May", "Made", "Last used", "State", ""),
    h("tbody", {}, tokens.length ? tokens.map(token) : h("tr", {}, h("td", { colspan: 6, class: "quiet" }, "No other program has a key."))),
  );
}

function head(...words) {
  return h("thead", {}, h("tr", {}, words.map((each) => h("th", { scope: "col" }, each))));
}

function person(each) {
  return h(
    "tr",
    { "data-key": each.name, class: each.disabled ? "off" : "" },
    h("th", { scope: "row" }, each.name),
    h("td", {}, each.shown_name),
    h("td", {}, each.role),
    h("td", {}, stateOf(each)),
    h("td", { class: "ways" }, resetting === each.name ? newSecret(each) : ways(each)),
  );
}

function stateOf(each) {
  if (each.disabled) return "closed";
  if (each.locked_until && new Date(each.locked_until) > new Date()) return `locked until ${timeWords(each.locked_until)}`;
  return "open";
}

function ways(each) {
  const word = each.role === "dealer" ? "New PIN…" : "New password…";
  return [
    h("button", { type: "button", "data-do": "ask-secret", "data-name": each.name }, word),
    each.disabled
      ? h("button", { type: "button", "data-do": "enable", "data-name": each.name }, "Open again")
      : h("button", { type: "button", class: "danger", "data-do": "disable", "data-name": each.name, disabled: each.name === self }, "Close"),
  ];
}

function newSecret(each) {
  return h(
    "form",
    { class: "inline", "data-reset": each.name },
    h("input", { name: "secret", type: "password", autocomplete: "new-password", required: true, "aria-label": `new ${each.role === "dealer" ? "PIN" : "password"} of ${each.name}` }),
    h("button", { class: "go", type: "submit" }, "Set"),
    h("button", { type: "button", "data-do": "ask-secret", "data-name": "" }, "Cancel"),
  );
}

function token(each) {
  const isOver = each.expires_at && new Date(each.expires_at) < new Date();
  return h(
    "tr",
    { "data-key": each.name, class: each.revoked || isOver ? "off" : "" },
    h("th", { scope: "row" }, each.name),
    h("td", {}, each.scopes.join(", ")),
    h("td", {}, `${timeWords(each.made_at)} by ${whoWords(each.made_by)}`),
    h("td", {}, each.used_at ? timeWords(each.used_at) : "never"),
    h("td", {}, each.revoked ? "revoked" : isOver ? "run out" : each.expires_at ? `until ${timeWords(each.expires_at)}` : "for good"),
    h("td", { class: "ways" }, !each.revoked && h("button", { type: "button", class: "danger", "data-do": "revoke", "data-name": each.name }, "Revoke")),
  );
}

function change(name, way, words) {
  return attempt(() => send("POST", `/api/v1/accounts/${encodeURIComponent(name)}/${way}`), words);
}

const actions = {
  "ask-secret": async (name) => {
    resetting = name || null;
  },
  disable: (name) => change(name, "disable", `${name} is closed and signed out everywhere.`),
  enable: (name) => change(name, "enable", `${name} is open again, with the PIN or password it had.`),
  revoke: (name) => attempt(() => send("POST", `/api/v1/tokens/${encodeURIComponent(name)}/revoke`), `The key of ${name} stopped working.`),
};

document.addEventListener("click", async (event) => {
  const { do: name, name: whose } = event.target.closest("button")?.dataset ?? {};
  if (!actions[name]) return;
  await actions[name](whose);
  await refresh();
  document.querySelector("[data-reset] input")?.focus();
});

document.addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = event.target;
  const fields = Object.fromEntries(new FormData(form));
  if (form.dataset.reset) await reset(form.dataset.reset, fields.secret);
  if (form === add) await addPerson(fields);
  if (form === addToken) await makeKey(fields);
  refresh();
});

async function reset(name, secret) {
  const path = `/api/v1/accounts/${encodeURIComponent(name)}/reset`;
  const words = `${name} has a new PIN or password, is unlocked, and signed out everywhere.`;
  if (await attempt(() => send("POST", path, { secret }), words)) resetting = null;
}

async function addPerson({ name, shown_name: shown, role, secret }) {
  const body = { name: name.trim(), role, secret, ...(shown.trim() && { shown_name: shown.trim() }) };
  if (!(await attempt(() => send("POST", "/api/v1/accounts", body), `${body.name} can sign in now.`))) return;
  add.reset();
  describe();
}

async function makeKey({ name, scope }) {
  const made = await attempt(() => send("POST", "/api/v1/tokens", { name: name.trim(), scopes: [scope] }));
  if (!made) return;
  addToken.reset();
  await attempt(async () => true, `The key of ${made.name}, shown this once: ${made.key}`);
}

/** What the chosen role may do, and what its secret is called. */
function describe() {
  const { selectedOptions, value } = add.elements.role;
  document.getElementById("may").textContent = `A ${value} ${selectedOptions[0].dataset.may}.`;
  document.getElementById("secret-word").textContent = value === "dealer" ? "PIN" : "Password";
}

add.elements.role.addEventListener("change", describe);
describe();
attempt(refresh);
