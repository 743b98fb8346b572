// The live picture: fetched one after the other, so that a slow network gives fewer pictures instead of late ones.

import { answered, toSignIn } from "./api.js";

const EVERY_MS = 150;
const LIMIT_MS = 4000;

export class LivePicture {
  /** `onAge(ageMs or null, headers)`: how old what the canvas shows is; `onUnanswered()` when nobody answered. */
  constructor(canvas, path, { onAge, onUnanswered }) {
    this.canvas = canvas;
    this.path = path;
    this.onAge = onAge;
    this.onUnanswered = onUnanswered;
    this.shownAt = null;
    this.tag = null;
    this.headers = null;
  }

  async start() {
    for (;;) {
      const began = Date.now();
      if (!document.hidden) await this.next();
      this.onAge(this.shownAt === null ? null : Date.now() - this.shownAt, this.headers);
      await new Promise((resolve) => setTimeout(resolve, Math.max(20, EVERY_MS - (Date.now() - began))));
    }
  }

  async next() {
    let response;
    try {
      const headers = this.tag ? { "If-None-Match": this.tag } : {};
      response = await answered(this.path, { headers, cache: "no-store" }, LIMIT_MS);
    } catch {
      this.onUnanswered();
      await new Promise((resolve) => setTimeout(resolve, 700));
      return;
    }
    if (response.status === 401) toSignIn();
    if (response.ok || response.status === 304) this.headers = response.headers;
    if (!response.ok) {
      if (response.status === 304 && response.headers.get("X-Camera-State") === "waiting") this.shownAt = Date.now();
      if (response.status !== 304) await new Promise((resolve) => setTimeout(resolve, 700));
      return;
    }
    try {
      const bitmap = await createImageBitmap(await response.blob());
      this.draw(bitmap);
      bitmap.close();
    } catch {
      return; // cut off on the way
    }
    this.tag = response.headers.get("ETag");
    this.shownAt = Date.now();
  }

  draw(bitmap) {
    if (this.canvas.width !== bitmap.width || this.canvas.height !== bitmap.height) {
      this.canvas.width = bitmap.width;
      this.canvas.height = bitmap.height;
    }
    this.canvas.getContext("2d").drawImage(bitmap, 0, 0);
  }
}
