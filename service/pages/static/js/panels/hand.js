// A hand of cards as buttons: tapping one corrects it.

import { cardClass, cardFace, cardSign, cardWords } from "../cards.js";
import { h } from "../dom.js";

/** The cards of a hand, those that play first and the others apart. */
export function handCards(hand, { isOpen = true } = {}) {
  const playing = hand.cards.filter((card) => card.plays);
  const rest = hand.cards.filter((card) => !card.plays);
  if (!playing.length) return h("div", { class: "hand-cards" }, rest.map((card) => cardButton(hand, card, "", isOpen)), unreadCards(hand));
  return h(
    "div",
    { class: "hand-cards" },
    playing.map((card) => cardButton(hand, card, "", isOpen)),
    rest.map((card, number) => cardButton(hand, card, number ? "idle" : "idle apart", isOpen)),
  );
}

/** A place for each card that is not certain yet; tapping one enters them. */
function unreadCards(hand) {
  const count = hand.problem && hand.zone !== "dealer" ? Math.max(0, 5 - hand.cards.length) : 0;
  return Array.from({ length: count }, (_, number) =>
    h(
      "button",
      { class: cardClass(null), "data-key": `unread-${hand.zone}-${number}`, "data-do": "enter", "data-zone": hand.zone, "aria-label": "a card that is not certain: enter it" },
      cardFace(null),
    ),
  );
}

function cardButton(hand, card, more, isOpen) {
  const isWhole = hand.cards.length === (hand.zone === "dealer" ? 6 : 5);
  const words = card.card ? cardWords(card.card) : "unread card";
  const was = card.corrected ? `, read as ${card.machine ? cardSign(card.machine) : "nothing"}` : "";
  return h(
    "button",
    {
      class: cardClass(card.card, more),
      "data-key": `card-${hand.zone}-${card.position}`,
      "data-do": isWhole ? "correct" : "enter",
      "data-zone": hand.zone,
      "data-position": card.position,
      "data-was": card.card ?? "",
      "aria-label": `${words}${was}: ${isWhole ? "correct it" : "enter the hand"}`,
      disabled: !isOpen,
    },
    cardFace(card.card),
    card.corrected && h("span", { class: "was" }, card.machine ? `read ${cardSign(card.machine)}` : "not read"),
  );
}

/** What the camera saw when it read this hand: it stays when the cards are gone. */
export function handPicture(hand, page) {
  const name = hand.evidence.at(-1);
  const where = hand.zone.replace("-", " ");
  return h(
    "figure",
    { class: "grow hand-picture", "data-key": "hand-picture" },
    name && h("img", { src: page.evidencePath(name), alt: `${where} as the camera read it` }),
  );
}

/** The dealer's six below the picture. */
export function dealerHand(view) {
  const { dealer } = view;
  const words = dealer.words ?? dealer.problem ?? dealerWaits(view);
  return h(
    "section",
    { class: "dealer-hand small", "data-key": "dealer", "aria-label": "the dealer's hand" },
    dealer.cards.length ? handCards(dealer) : upCard(dealer),
    h(
      "div",
      { class: "words" },
      h("p", { class: "who" }, "Dealer"),
      h("p", { class: "hand" }, words),
      dealer.problem && dealer.advice && h("p", { class: "quiet" }, dealer.advice),
    ),
    h("span", { class: "spread" }),
    (dealer.problem || dealer.cards.length < 6) &&
      ["settling", "decisions", "dealing"].includes(view.phase) &&
      h("button", { "data-key": "enter-dealer", "data-do": "enter", "data-zone": "dealer" }, "Enter by hand"),
  );
}

function upCard(dealer) {
  if (!dealer.up_card) return null;
  return h("div", { class: "hand-cards" }, h("div", { class: cardClass(dealer.up_card) }, cardFace(dealer.up_card)));
}

function dealerWaits(view) {
  if (view.dealer.up_card) return `up card ${cardSign(view.dealer.up_card)}`;
  return ["betting", "closed", "finished"].includes(view.phase) ? "no cards yet" : "not turned yet";
}
