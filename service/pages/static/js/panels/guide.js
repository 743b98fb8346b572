// What to try, on the pages of a demonstration: one sentence for what the table is at.

import { h } from "../dom.js";

const GUIDE = {
  betting: "A chip counter has entered this film's wagers through the API. Tap a seat and chips to change them; then NO MORE BETS, and the film goes on.",
  closed: "The film deals now. Each card is named in the picture as soon as it lies still.",
  dealing: "The film deals now. Each card is named in the picture as soon as it lies still.",
  decisions: "Tap what each seat plays; the camera sees who folds.",
  settling: "Compare with the picture, then CONFIRM. A card that is wrong: tap it, rank, suit. The film waits for you.",
  envy: "Envy bonuses are paid at the end. CONFIRM each.",
  finished: "All seats are settled. END GAME: the film goes on with the next round.",
  void: "The machine never voids by itself: you do, and the record says so.",
};

/** The sentence for this moment, with what the film's players do where nobody could know. */
export function guide(view, page) {
  if (!page.demo) return null;
  const isPlayed = ["decisions", "settling"].includes(view.phase) && !view.next_round_waiting && page.roundsSeen > 0;
  const hint = isPlayed ? page.demo.plays[(page.roundsSeen - 1) % page.demo.plays.length] : "";
  return h(
    "aside",
    { class: "guide", "data-key": "guide" },
    h("strong", {}, "Demonstration "),
    GUIDE[view.void?.pending ? "void" : view.phase] ?? "",
    hint && h("span", { class: "quiet" }, ` ${hint}`),
  );
}
