// The page without a finger: arrows go to the nearest control, letters name what they do.

const RANK_KEYS = { 1: "T", 0: "T" };

/** `act(name, data)` does what a tap on that control would do; `page.sheet` says what is open. */
export function listenToKeys(page, act) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
    const isTyping = event.target.matches("input, select, textarea");
    if (event.key === "Escape") return act("close", {});
    if (isTyping) return;
    if (event.key.startsWith("Arrow") && moveFocus(event.key.slice(5))) return event.preventDefault();
    if (event.key === "Enter") return enter(event);
    if (takesCards(page.sheet)) return typeCard(event.key, act);
    shortcut(event.key.toLowerCase(), act);
  });
}

/** Enter does the big thing, unless another control has the focus. */
function enter(event) {
  const focused = document.activeElement;
  if (focused && focused !== document.body && focused.matches("button, a")) return;
  const primary = document.querySelector("[data-primary]:not([disabled])");
  if (!primary) return;
  event.preventDefault();
  primary.click();
}

function takesCards(sheet) {
  return sheet?.kind === "card" || sheet?.kind === "hand";
}

function typeCard(key, act) {
  const upper = key.toUpperCase();
  if ("AKQJT98765432".includes(upper) && key.length === 1) act("rank", { rank: upper });
  else if (RANK_KEYS[key]) act("rank", { rank: RANK_KEYS[key] });
  else if ("shdc".includes(key.toLowerCase()) && key.length === 1) act("suit", { suit: key.toLowerCase() });
  else if (key === "Backspace") act("unslot", {});
}

function shortcut(key, act) {
  if (/^[1-7]$/.test(key)) act("seat", { seat: key });
  if (key === "c") document.querySelector('[data-key="correct"]')?.click();
  if (key === "e") document.querySelector('[data-key="enter"]')?.click();
  if (key === "s") document.querySelector('[data-key="skip"]')?.click();
  if (key === "h" || key === "?") document.querySelector('[data-key="help"]')?.click();
}

/** The nearest control in a direction, by where they stand on the screen. */
function moveFocus(direction) {
  const controls = [...document.querySelectorAll("button:not([disabled]), a[href]")].filter((each) => each.offsetParent !== null || each.closest(".void"));
  const from = document.activeElement?.closest("button, a") ?? document.querySelector("[data-primary]");
  if (!from) return controls[0]?.focus() ?? false;
  if (document.activeElement === document.body) {
    from.focus();
    return true;
  }
  const here = middle(from);
  let best = null;
  for (const each of controls) {
    if (each === from) continue;
    const there = middle(each);
    const [ahead, aside] = offsets(direction, there.x - here.x, there.y - here.y);
    if (ahead <= 4) continue;
    const cost = ahead + 2.5 * Math.abs(aside);
    if (!best || cost < best.cost) best = { each, cost };
  }
  best?.each.focus();
  return best !== null;
}

function offsets(direction, dx, dy) {
  return { Left: [-dx, dy], Right: [dx, dy], Up: [-dy, dx], Down: [dy, dx] }[direction];
}

function middle(element) {
  const box = element.getBoundingClientRect();
  return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
}
