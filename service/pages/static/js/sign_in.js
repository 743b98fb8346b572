// Signing in: a name, and a PIN by keys that a finger hits.

import { Refused, send } from "./api.js";

const form = document.getElementById("sign-in");
const fault = document.getElementById("fault");
const { name, secret } = form.elements;

document.addEventListener("click", (event) => {
  const { digit, account, pin } = event.target.closest("button")?.dataset ?? {};
  if (account) {
    name.value = account;
    secret.value = pin;
    form.requestSubmit();
  } else if (digit === "back") {
    secret.value = secret.value.slice(0, -1);
  } else if (digit) {
    secret.value += digit;
  }
});

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  fault.hidden = true;
  form.inert = true;
  try {
    await send("POST", "/api/v1/sign-in", { name: name.value.trim(), secret: secret.value });
    window.location.assign(nextPage());
  } catch (error) {
    fault.textContent = error instanceof Refused ? error.message : "The service does not answer. Try again.";
    fault.hidden = false;
    secret.value = "";
    form.inert = false;
    secret.focus();
  }
});

/** Back to where somebody came from, if that is a page of this service. */
function nextPage() {
  const wanted = new URLSearchParams(window.location.search).get("next") ?? "/";
  return /^\/(?![/\\])/.test(wanted) ? wanted : "/";
}
