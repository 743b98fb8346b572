// The first manager, with the code that the service printed; then on to signing in.

import { Refused, send } from "./api.js";

const form = document.getElementById("set-up");
const fault = document.getElementById("fault");

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  fault.hidden = true;
  const { code, name, shown_name: shown, secret } = form.elements;
  const body = { code: code.value.trim(), name: name.value.trim(), secret: secret.value };
  if (shown.value.trim()) body.shown_name = shown.value.trim();
  try {
    await send("POST", "/api/v1/set-up", body);
    window.location.assign("/sign-in");
  } catch (error) {
    fault.textContent = error instanceof Refused ? error.message : "The service does not answer. Try again.";
    fault.hidden = false;
  }
});
