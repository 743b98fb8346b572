// Pages are drawn as a whole from what is known, then the document is changed only where it differs, so that focus, a
// finger that is down and scroll positions survive an update that arrives in that moment.

const SVG = "http://www.w3.org/2000/svg";

/** An element. Attributes that are null or false are left out; children may be nested lists, null is skipped. */
export function h(tag, attributes, ...children) {
  const element = ["svg", "path", "use"].includes(tag)
    ? document.createElementNS(SVG, tag)
    : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value !== null && value !== undefined && value !== false) {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined && child !== false) {
      element.append(child);
    }
  }
  return element;
}

/** Makes the children of `current` like `wanted`. Elements with the same `data-key` are the same element. */
export function show(current, ...wanted) {
  const next = document.createElement(current.tagName);
  next.append(...wanted.flat(Infinity).filter((child) => child));
  matchChildren(current, next);
}

function matchChildren(current, next) {
  const keyed = new Map();
  for (const child of current.children) {
    if (child.dataset?.key) keyed.set(child.dataset.key, child);
  }
  let at = current.firstChild;
  for (const wanted of [...next.childNodes]) {
    const key = wanted.dataset?.key;
    let found = key ? keyed.get(key) : at;
    if (found && !isSameKind(found, wanted)) found = null;
    if (!found) {
      current.insertBefore(wanted, at);
      continue;
    }
    if (found === at) at = at.nextSibling;
    else current.insertBefore(found, at);
    matchNode(found, wanted);
  }
  while (at) {
    const after = at.nextSibling;
    at.remove();
    at = after;
  }
}

function isSameKind(one, other) {
  if (one.nodeType !== other.nodeType) return false;
  if (one.nodeType !== Node.ELEMENT_NODE) return true;
  return one.tagName === other.tagName && (one.dataset.key ?? "") === (other.dataset.key ?? "");
}

function matchNode(current, wanted) {
  if (current.nodeType === Node.TEXT_NODE) {
    if (current.data !== wanted.data) current.data = wanted.data;
    return;
  }
  if (current.dataset.own !== undefined) return; // drawn by somebody else, as the live picture is
  for (const { name } of [...current.attributes]) {
    if (!wanted.hasAttribute(name)) current.removeAttribute(name);
  }
  for (const { name, value } of wanted.attributes) {
    if (current.getAttribute(name) !== value) current.setAttribute(name, value);
  }
  matchChildren(current, wanted);
}
