// Amounts come with their exact cents and with words for people; a page shows the words.

/** Whether an amount is more than nothing. */
export function isMoney(amount) {
  return amount !== null && amount !== undefined && amount.cents !== "0";
}

/** Whole cents for people: what a page adds up itself, such as chips that were just tapped. */
export function centsText(cents) {
  const whole = Math.floor(cents / 100).toLocaleString("en-US");
  return cents % 100 ? `$${whole}.${String(cents % 100).padStart(2, "0")}` : `$${whole}`;
}
