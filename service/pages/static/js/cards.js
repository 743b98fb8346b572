// Cards as people see them. A card is text like "As" or "Td".

import { h } from "./dom.js";

export const RANKS = ["A", "K", "Q", "J", "T", "9", "8", "7", "6", "5", "4", "3", "2"];
export const SUITS = ["s", "h", "d", "c"];

const RANK_WORDS = {
  A: "ace", K: "king", Q: "queen", J: "jack", T: "ten", 9: "nine", 8: "eight",
  7: "seven", 6: "six", 5: "five", 4: "four", 3: "three", 2: "two",
};
const SUIT_WORDS = { s: "spades", h: "hearts", d: "diamonds", c: "clubs" };
const SUIT_SIGNS = { s: "♠", h: "♥", d: "♦", c: "♣" };
const SUIT_SHAPES = {
  s: "M50 4C60 26 92 38 92 64a21 21 0 0 1-36 15c1 8 4 13 12 17H32c8-4 11-9 12-17A21 21 0 0 1 8 64C8 38 40 26 50 4z",
  h: "M50 94C40 74 6 58 6 32A23 23 0 0 1 50 22a23 23 0 0 1 44 10C94 58 60 74 50 94z",
  d: "M50 3L86 50 50 97 14 50z",
  c: "M50 5a21 21 0 0 1 18 32 21 21 0 1 1-11 36c1 11 4 17 12 22H31c8-5 11-11 12-22A21 21 0 1 1 32 37 21 21 0 0 1 50 5z",
};

/** "ace of spades". */
export function cardWords(card) {
  return `${RANK_WORDS[card[0]]} of ${SUIT_WORDS[card[1]]}`;
}

/** "A♠". */
export function cardSign(card) {
  return `${rankSign(card[0])}${SUIT_SIGNS[card[1]]}`;
}

/** "10" for "T", as cards show it. */
export function rankSign(rank) {
  return rank === "T" ? "10" : rank;
}

export function isRed(suit) {
  return suit === "h" || suit === "d";
}

export function suitShape(suit) {
  return h("svg", { class: "suit", viewBox: "0 0 100 100", "aria-hidden": "true" }, h("path", { d: SUIT_SHAPES[suit] }));
}

/** What a card's face shows: rank over suit, or a question mark. */
export function cardFace(card) {
  return card ? [h("span", {}, rankSign(card[0])), suitShape(card[1])] : [h("span", {}, "?")];
}

/** The class that colours a card. */
export function cardClass(card, more = "") {
  return `card ${card ? (isRed(card[1]) ? "red-suit" : "black-suit") : "unread"} ${more}`.trim();
}
