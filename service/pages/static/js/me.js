// One's own account: a new PIN or password.

import { send, toSignIn } from "./api.js";
import { attempt } from "./office.js";

const form = document.getElementById("secret");
const { secret, again } = form.elements;

form.addEventListener("input", () => again.setCustomValidity(again.value === secret.value ? "" : "It is not the same as above"));

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const body = { old_secret: form.elements.old_secret.value, secret: secret.value };
  if (await attempt(() => send("POST", "/api/v1/me/secret", body))) toSignIn();
});
