// The rules of a table: everything chosen from lists, checked by the service at each change, set as a new version.

import { send } from "./api.js";
import { h, show } from "./dom.js";
import { attempt, centsOf, dollars, timeWords, whoWords } from "./office.js";

const AMOUNTS = [100, 300, 500, 1000, 1500, 2500, 5000, 10_000, 20_000, 30_000, 50_000, 100_000, 250_000, 500_000, 1_000_000];
const CHIPS = [25, 50, 100, 250, 500, 1000, 2000, 2500, 5000, 10_000, 50_000, 100_000];
const ROLES = { fcp: "Bonus and Aces Up", bad_beat_bonus: "Bad Beat Bonus", bad_beat: "Bad Beat", progressive: "Progressive", aces_baby: "Aces Baby", prime: "Prime" };
const WAGERS = { ante: "Ante", play: "Play", raise: "Raise", aces_up: "Aces Up", bad_beat_bonus: "Bad Beat", aces_baby: "Aces Baby", prime: "Prime" };
const MONEY = ["payout_unit_cents", "cap_per_hand", "cap_per_round"];
const METER = [
  ["name", "Name; tables that name the same meter share it"],
  ["seed", "After a full award it starts at, dollars"],
  ["denomination", "One bet, dollars"],
  ["contribution_rate", "Share of a bet that raises it, such as 13/50"],
  ["reserve_rate", "Share of a bet for the reserve"],
];

const { table, maySet } = document.body.dataset;
const path = `/api/v1/tables/${encodeURIComponent(table)}/rules`;
const form = document.getElementById("rules");
const isReader = maySet === undefined;
let choice = null; // what there is to choose from
let state = null; // the versions in force
let rules = null; // the draft
let found = { problems: [], warnings: [] };
let checks = 0;

async function begin() {
  const [profiles, payTables, houseRules] = await Promise.all(["profiles", "pay-tables", "house-rules"].map((name) => send("GET", `/api/v1/${name}`)));
  choice = { profiles, payTables, houseRules };
  await reload();
}

async function reload() {
  state = await send("GET", path);
  rules = structuredClone((state.next ?? state.current).rules);
  found = { problems: [], warnings: (state.next ?? state.current).warnings };
  document.getElementById("version").textContent = versionWords();
  draw();
  showVersions(await send("GET", `${path}/versions`));
}

function versionWords() {
  const now = `Version ${state.current.version} is in play.`;
  return state.next ? `${now} Version ${state.next.version}, below, takes effect with the next round.` : now;
}

function latest() {
  return (state.next ?? state.current).version;
}

// --- the form, drawn from the draft

function draw() {
  const profile = choice.profiles.find((each) => each.name === rules.profile);
  show(
    form,
    group("profile", "Rules of play", profileFields(profile), h("p", { class: "quiet" }, `${profile.source}${profile.legal_maximum ? ` · the law allows ${dollars(profile.legal_maximum)} a wager` : ""}`)),
    group("tables", "Pay tables", Object.entries(profile.offers).map(([role, names]) => payTable(role, names))),
    group("limits", "Table limits", limitFields(profile)),
    group("chips", "Chips of the tray", h("div", { class: "toggles" }, CHIPS.map(chip)), toggle("live", "Real money: what is paid must be payable in these chips", rules.live)),
    rules.meter && group("meter", "Progressive meter", METER.map(([key, words]) => field(`meter.${key}`, words, meterText(key)))),
    group("house", "House rules", h("p", { class: "quiet" }, "Where the rules of play differ or are silent; “usual” is how this profile has it."), choice.houseRules.filter((each) => each.key !== "wager_order").map((each) => houseRule(profile, each))),
    !isReader && verdict(),
  );
  for (const control of form.querySelectorAll("select, input")) followDraft(control);
}

/** A control that somebody has used no longer follows its attributes; the draft may have changed by another one. */
function followDraft(control) {
  if (control.type === "checkbox") control.checked = control.hasAttribute("checked");
  else if (control.tagName === "SELECT") control.selectedIndex = Math.max(0, [...control.options].findIndex((each) => each.hasAttribute("selected")));
  else control.value = control.getAttribute("value");
}

function group(key, words, ...parts) {
  return h("fieldset", { class: "panel", "data-key": key, disabled: isReader }, h("legend", {}, words), h("div", { class: "fields" }, parts));
}

function select(name, words, options, chosen, note = null) {
  return h(
    "label",
    { "data-key": name },
    words,
    h("select", { name }, options.map(([value, text]) => h("option", { value, selected: value === chosen }, text))),
    note && h("span", { class: "quiet" }, note),
  );
}

function field(name, words, value) {
  return h("label", { "data-key": name }, words, h("input", { name, value, required: true, spellcheck: "false" }));
}

function toggle(name, words, isOn) {
  return h("label", { class: "toggle wide", "data-key": name }, h("input", { type: "checkbox", name, checked: isOn }), words);
}

function profileFields(profile) {
  const same = choice.profiles.filter((each) => each.game === profile.game);
  return select("profile", "Profile", same.map((each) => [each.name, each.title]), profile.name);
}

function payTable(role, names) {
  const isNeeded = role === "fcp";
  const options = [...(isNeeded ? [] : [["", "not offered"]]), ...names.map((name) => [name, name])];
  const note = names.length ? scheduleWords(rules.tables[role]) : "this profile offers none";
  return select(`tables.${role}`, ROLES[role] ?? role, options, rules.tables[role] ?? "", note);
}

/** The odds of a pay table on one line, as people tell pay tables apart. */
function scheduleWords(name) {
  const { schedules } = choice.payTables.find((each) => each.name === name) ?? {};
  if (!schedules) return null;
  return Object.entries(schedules).map(([title, rows]) => `${title.replaceAll("_", " ")}: ${rows.map((row) => row.odds.replace(/ (to|for) 1$/, "")).join(" · ")}`).join("; ");
}

function limitFields(profile) {
  const offered = Object.keys(WAGERS).filter((wager) => isPlaced(profile, wager));
  return [
    offered.map((wager) => [amount(`limits.minimum.${wager}`, `${WAGERS[wager]}, least`, rules.limits.minimum[wager], profile), amount(`limits.maximum.${wager}`, `${WAGERS[wager]}, most`, rules.limits.maximum[wager], profile)]),
    amount("limits.maximum_aggregate", "Most that one table pays in a round", rules.limits.maximum_aggregate),
  ];
}

function isPlaced(profile, wager) {
  if (profile.game === "PRIME") return ["ante", "raise"].includes(wager) || (["aces_baby", "prime"].includes(wager) && Boolean(rules.tables[wager]));
  return ["ante", "play", "aces_up"].includes(wager) || (wager === "bad_beat_bonus" && Boolean(rules.tables.bad_beat_bonus));
}

function amount(name, words, cents, profile = null) {
  const ceiling = Number(profile?.legal_maximum ?? Infinity);
  const sums = [...new Set([...AMOUNTS.filter((each) => each <= ceiling), ...(cents ? [cents] : [])])].sort((one, other) => one - other);
  return select(name, words, [["", "no limit of its own"], ...sums.map((each) => [String(each), dollars(each)])], cents ? String(cents) : "");
}

function chip(cents) {
  const isThere = rules.chips.includes(cents);
  return h("label", { class: "toggle", "data-key": `chip-${cents}` }, h("input", { type: "checkbox", name: `chip.${cents}`, checked: isThere }), dollars(cents));
}

function meterText(key) {
  const value = rules.meter[key];
  return ["seed", "denomination"].includes(key) ? String(value / 100) : value;
}

function houseRule(profile, { key, title, default: usual, values }) {
  const standard = profile.house_rules[key] ?? usual;
  const own = rules.house_rules[key];
  const list = MONEY.includes(key) ? [...(key === "payout_unit_cents" ? ["1"] : []), ...AMOUNTS.map(String)] : values;
  const all = own === undefined || own === null || list.includes(String(own)) ? list : [...list, String(own)];
  const options = [["", `${ruleWords(key, standard)} (usual)`], ...all.filter((value) => value !== String(standard)).map((value) => [value, ruleWords(key, value)])];
  return select(`house.${key}`, title, options, own === undefined || String(own) === String(standard) ? "" : String(own));
}

function ruleWords(key, value) {
  if (value === null) return "no cap";
  if (MONEY.includes(key)) return dollars(value);
  return { true: "yes", false: "no" }[String(value)] ?? String(value).replaceAll("_", " ");
}

function verdict() {
  const isChanged = JSON.stringify(rules) !== JSON.stringify((state.next ?? state.current).rules);
  const words = isChanged ? `Set version ${latest() + 1}: it takes effect with the next round` : "Nothing is changed";
  return h(
    "div",
    { class: "verdict", "data-key": "verdict", role: "status" },
    found.problems.map((each) => h("p", { class: "fault" }, each)),
    found.warnings.map((each) => h("p", { class: "warning" }, each)),
    h("div", { class: "buttons" }, h("button", { class: "go", type: "submit", disabled: !isChanged || found.problems.length > 0 }, words), isChanged && h("button", { type: "button", id: "undo" }, "Undo the changes")),
  );
}

// --- what a choice changes

function choose(name, control) {
  const [part, ...keys] = name.split(".");
  const value = control.type === "checkbox" ? control.checked : control.value;
  if (part === "profile") chooseProfile(value);
  if (part === "tables") chooseTable(keys[0], value || null);
  if (part === "live") rules.live = value;
  if (part === "chip") rules.chips = CHIPS.concat(rules.chips.filter((each) => !CHIPS.includes(each))).filter((each) => (each === Number(keys[0]) ? value : rules.chips.includes(each)));
  if (part === "limits") chooseLimit(keys, value);
  if (part === "meter") rules.meter[keys[0]] = ["seed", "denomination"].includes(keys[0]) ? (centsOf(value) ?? 0) : value.trim();
  if (part === "house") chooseHouseRule(keys[0], value);
}

function chooseProfile(name) {
  const profile = choice.profiles.find((each) => each.name === name);
  rules = { ...rules, profile: name, tables: { ...profile.choice } };
  if (!rules.tables.progressive) rules.meter = null;
  else chooseTable("progressive", rules.tables.progressive);
}

function chooseTable(role, name) {
  rules.tables[role] = name;
  if (role === "progressive") rules.meter = name ? (rules.meter ?? { name: table, seed: 250_000, denomination: 100, contribution_rate: "0", reserve_rate: "0" }) : null;
  for (const side of ["minimum", "maximum"]) if (!name) delete rules.limits[side][role];
}

function chooseLimit([side, wager], value) {
  if (side === "maximum_aggregate") rules.limits.maximum_aggregate = value ? Number(value) : null;
  else if (value) rules.limits[side][wager] = Number(value);
  else delete rules.limits[side][wager];
}

function chooseHouseRule(key, value) {
  if (value === "") delete rules.house_rules[key];
  else if (MONEY.includes(key)) rules.house_rules[key] = Number(value);
  else rules.house_rules[key] = { true: true, false: false }[value] ?? value;
}

async function check() {
  const number = (checks += 1);
  const answer = await attempt(() => send("POST", `${path}/check`, { rules }));
  if (number !== checks) return; // another change came meanwhile
  found = answer ?? { problems: ["The service could not check this."], warnings: [] };
  draw();
}

form.addEventListener("change", (event) => {
  choose(event.target.name, event.target);
  draw();
  check();
});

form.addEventListener("click", (event) => {
  if (event.target.id === "undo") attempt(reload);
});

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const words = "The new version is in the record, and takes effect with the next round.";
  if (await attempt(() => send("POST", path, { expected: latest(), rules }), words)) await reload();
});

// --- the record

function showVersions(versions) {
  const rows = versions.map((each, number) =>
    h(
      "tr",
      { "data-key": String(each.version) },
      h("th", { scope: "row" }, each.version),
      h("td", {}, timeWords(each.made_at)),
      h("td", {}, whoWords(each.made_by)),
      h("td", {}, differences(versions[number + 1]?.rules, each.rules)),
    ),
  );
  const head = h("thead", {}, h("tr", {}, ["Version", "Made", "By", "What changed"].map((each) => h("th", { scope: "col" }, each))));
  show(document.getElementById("versions"), head, h("tbody", {}, rows));
}

function differences(before, after) {
  if (!before) return "the first";
  const [old, fresh] = [flat(before), flat(after)];
  const keys = [...new Set([...Object.keys(old), ...Object.keys(fresh)])].filter((key) => old[key] !== fresh[key]);
  return keys.map((key) => `${key.replaceAll("_", " ")}: ${old[key] ?? "–"} → ${fresh[key] ?? "–"}`).join("; ") || "nothing";
}

function flat(value, prefix = "") {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return { [prefix]: Array.isArray(value) ? value.join(" ") : value };
  return Object.assign({}, ...Object.entries(value).map(([key, inner]) => flat(inner, prefix ? `${prefix} ${key}` : key)));
}

attempt(begin);
