// Talking to the service: one shape of error, the CSRF token on everything that changes something, and a time limit.

const ANSWER_MS = 8000;

/** What the service answered instead of doing it; `message` is for the person. */
export class Refused extends Error {
  constructor(status, code, message) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** No answer: the connection, the time limit, or a service that is starting. Worth sending again. */
export class Unanswered extends Error {}

export async function send(method, path, body) {
  const headers = { Accept: "application/json", "X-CSRF-Token": csrfToken() };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const options = { method, headers, body: body && JSON.stringify(body), cache: "no-store" };
  const response = await answered(path, options);
  const content = await contentOf(response);
  if (response.ok) return content;
  if (response.status >= 500) throw new Unanswered(messageOf(content, response));
  throw new Refused(response.status, content?.error?.code ?? "refused", messageOf(content, response));
}

/** A response of any status, or `Unanswered`. */
export async function answered(path, options = {}, limitMs = ANSWER_MS) {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), limitMs);
  try {
    return await fetch(path, { credentials: "same-origin", signal: limit.signal, ...options });
  } catch {
    throw new Unanswered("no answer from the service");
  } finally {
    clearTimeout(timer);
  }
}

export function toSignIn() {
  window.location.assign(`/sign-in?next=${encodeURIComponent(window.location.pathname)}`);
}

function csrfToken() {
  const found = document.cookie.split("; ").find((pair) => pair.startsWith("foursight_csrf="));
  return found ? decodeURIComponent(found.slice("foursight_csrf=".length)) : "";
}

async function contentOf(response) {
  try {
    return await response.json();
  } catch {
    return null;
  }
}

function messageOf(content, response) {
  return content?.error?.message ?? `the service answered ${response.status}`;
}
