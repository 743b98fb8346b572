// What the dealer tapped and the service has not answered yet. Each tap has an id of its own and is sent again under
// the same id until there is an answer, so that it counts once however often it arrives. Taps go out in their order.

import { Refused, Unanswered, send, toSignIn } from "./api.js";

const AGAIN_MS = 2000;

export class Outbox {
  /** `onAnswer(answer)`, `onRefused(message, tap)`, `onChange()` when what is waiting changes. */
  constructor(path, { onAnswer, onRefused, onChange }) {
    this.path = path;
    this.onAnswer = onAnswer;
    this.onRefused = onRefused;
    this.onChange = onChange;
    this.store = `foursight-taps ${path}`;
    this.taps = this.stored();
    this.isSending = false;
  }

  /** `command` is the body without its id; `label` says on the screen what is waiting. */
  add(command, label) {
    this.taps.push({ body: { id: newId(), ...command }, label, isUnanswered: false });
    this.keep();
    this.onChange();
    this.flush();
  }

  /** Whether a tap of this kind is on its way. */
  has(command, seat = null) {
    return this.taps.some(({ body }) => body.command === command && (seat === null || body.seat === seat));
  }

  async flush() {
    if (this.isSending) return;
    this.isSending = true;
    try {
      while (this.taps.length) await this.sendFirst();
    } catch (error) {
      if (!(error instanceof Unanswered)) throw error;
      setTimeout(() => this.flush(), AGAIN_MS);
    } finally {
      this.isSending = false;
      this.onChange();
    }
  }

  async sendFirst() {
    const tap = this.taps[0];
    try {
      this.onAnswer(await send("POST", this.path, tap.body), tap);
    } catch (error) {
      if (error instanceof Unanswered) {
        tap.isUnanswered = true;
        this.onChange();
        throw error;
      }
      if (!(error instanceof Refused)) throw error;
      if (error.status === 401) {
        toSignIn();
        throw new Unanswered("the session ended");
      }
      this.onRefused(error, tap);
    }
    this.taps.shift();
    this.keep();
  }

  keep() {
    try {
      sessionStorage.setItem(this.store, JSON.stringify(this.taps));
    } catch {
      // storage may be full or switched off; the taps are still held here
    }
  }

  stored() {
    try {
      return JSON.parse(sessionStorage.getItem(this.store) ?? "[]");
    } catch {
      return [];
    }
  }
}

/** A random UUID; `crypto.randomUUID` is missing where the service is reached without TLS. */
export function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const digits = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
