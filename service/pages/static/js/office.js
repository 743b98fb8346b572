// What the pages beside the tables share: one place for faults and for what was done, signing out, words for times.

import { Refused, send, toSignIn } from "./api.js";

const fault = document.getElementById("fault");
const done = document.getElementById("done");

/** Does something with the service, and says what came of it. What was refused gives null. */
export async function attempt(work, words = "") {
  fault.hidden = true;
  done.hidden = true;
  try {
    const answer = await work();
    tell(done, words);
    return answer ?? true;
  } catch (error) {
    if (error.status === 401) toSignIn();
    tell(fault, error instanceof Refused ? error.message : "The service does not answer. Try again.");
    return null;
  }
}

/** "18 Nov 21:14:05" in the time of this device. */
export function timeWords(stamp) {
  const time = new Date(stamp);
  const day = time.toLocaleDateString("en-GB", { day: "numeric", month: "short" });
  return `${day} ${time.toLocaleTimeString("en-GB")}`;
}

/** "ann" of "account/ann"; programs and the service itself keep their kind. */
export function whoWords(actor) {
  return actor.startsWith("account/") ? actor.slice("account/".length) : actor.replace("/", " ");
}

/** Exact cents, as text, in dollars: "1875/2" is "$9.375". */
export function dollars(cents) {
  const [over, under = "1"] = String(cents).split("/");
  const amount = Number(over) / Number(under) / 100;
  const digits = Number.isInteger(amount) ? 0 : 2;
  return amount.toLocaleString("en-US", { style: "currency", currency: "USD", minimumFractionDigits: digits, maximumFractionDigits: 4 });
}

/** Whole cents of what a person typed in dollars, or null. */
export function centsOf(text) {
  const found = /^\$?(\d{1,9})(?:\.(\d{1,2}))?$/.exec(text.trim().replaceAll(",", ""));
  return found ? Number(found[1]) * 100 + Number((found[2] ?? "0").padEnd(2, "0")) : null;
}

function tell(place, words) {
  place.textContent = words.slice(0, 1).toUpperCase() + words.slice(1);
  place.hidden = !words;
  if (words) place.scrollIntoView({ block: "nearest" });
}

document.getElementById("sign-out").addEventListener("click", () => send("POST", "/api/v1/sign-out").finally(toSignIn));
