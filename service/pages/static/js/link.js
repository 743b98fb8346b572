// The stream of views of one table, and whether what is shown is still true. The stream is read by hand instead of
// with EventSource, because its heartbeats tell that the service is still there, and its status that the session ended.

import { toSignIn } from "./api.js";

const SILENT_MS = 12500; // the service says something at least every ten seconds
const RETRY_MS = [300, 1000, 2000, 3000];

export class Link {
  /** `onView(view)` for each state of the table; `onChange()` when the connection comes or goes. */
  constructor(path, { onView, onChange }) {
    this.path = path;
    this.onView = onView;
    this.onChange = onChange;
    this.isUp = false;
    this.lostAt = Date.now();
    this.heardAt = 0;
    this.failures = 0;
    this.stop = null;
  }

  start() {
    window.addEventListener("offline", () => this.lose());
    window.addEventListener("online", () => this.retryNow());
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden && Date.now() - this.heardAt > SILENT_MS) this.lose();
    });
    setInterval(() => {
      if (this.isUp && Date.now() - this.heardAt > SILENT_MS) this.lose();
    }, 1000);
    this.run();
  }

  /** What is shown is stale from now on; called too when another request found nobody. */
  lose() {
    this.stop?.abort();
    this.change(false);
  }

  retryNow() {
    this.failures = 0;
    this.wake?.();
  }

  async run() {
    for (;;) {
      await this.read();
      this.change(false);
      const wait = RETRY_MS[Math.min(this.failures, RETRY_MS.length - 1)];
      this.failures += 1;
      await new Promise((resolve) => {
        this.wake = resolve;
        setTimeout(resolve, wait);
      });
    }
  }

  async read() {
    this.stop = new AbortController();
    const opening = setTimeout(() => this.stop.abort(), 5000);
    try {
      const response = await fetch(this.path, {
        headers: { Accept: "text/event-stream" },
        credentials: "same-origin",
        cache: "no-store",
        signal: this.stop.signal,
      });
      if (response.status === 401) toSignIn();
      if (!response.ok) return;
      this.heardAt = Date.now();
      await this.follow(response.body.pipeThrough(new TextDecoderStream()).getReader(), opening);
    } catch {
      // aborted, or cut: `run` opens it again
    } finally {
      clearTimeout(opening);
    }
  }

  async follow(reader, opening) {
    let text = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      clearTimeout(opening);
      this.heardAt = Date.now();
      text += value.replaceAll("\r\n", "\n");
      const parts = text.split("\n\n");
      text = parts.pop();
      for (const part of parts) this.take(part);
    }
  }

  take(part) {
    let kind = "message";
    const data = [];
    for (const line of part.split("\n")) {
      if (line.startsWith("event:")) kind = line.slice(6).trim();
      if (line.startsWith("data:")) data.push(line.slice(5).trimStart());
    }
    if (kind !== "view" || !data.length) return;
    this.failures = 0;
    this.onView(JSON.parse(data.join("\n")));
    this.change(true);
  }

  change(isUp) {
    if (isUp === this.isUp) return;
    this.isUp = isUp;
    if (!isUp) this.lostAt = Date.now();
    this.onChange();
  }
}
