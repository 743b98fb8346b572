// What one tablet knows besides the table's view: which seat is looked at, which sheet is open, what is on its way.

const FRESH_PICTURE_MS = 3000;

export class PageState {
  constructor({ table, name, role, demo }) {
    this.table = table;
    this.name = name;
    this.role = role;
    this.demo = demo ? JSON.parse(demo) : null;
    this.seat = null; // the seat somebody tapped; null follows the table
    this.betSeat = null;
    this.betSpot = null;
    this.sheet = null;
    this.refusals = [];
    this.isStale = true;
    this.taps = [];
    this.cameraWords = "";
    this.roundsSeen = 0;
    this.pictureAge = null;
    this.clock = "";
    this.shownSeat = null;
  }

  get isSupervisor() {
    return ["supervisor", "manager"].includes(this.role);
  }

  get mayDeal() {
    return ["dealer", "supervisor"].includes(this.role);
  }

  get isPictureFresh() {
    return this.pictureAge !== null && this.pictureAge < FRESH_PICTURE_MS;
  }

  /** Labels of taps that were sent at least once without an answer. */
  get waiting() {
    return this.taps.filter((tap) => tap.isUnanswered || this.isStale).map((tap) => tap.label);
  }

  isWaiting(command, seat = null) {
    return this.taps.some(({ body }) => body.command === command && (seat === null || body.seat === seat));
  }

  /** A wager as it stands with all taps that are on their way. */
  amountOf(seat, wager) {
    const tapped = this.taps.findLast(({ body }) => body.command === "set_wager" && body.seat === seat.seat && body.wager === wager);
    if (tapped) return tapped.body.amount;
    return Number(seat.wagers.find((each) => each.wager === wager)?.amount?.cents ?? 0);
  }

  spot(view) {
    const open = view.spots.filter((spot) => spot.fixed === null);
    return open.some((spot) => spot.wager === this.betSpot) ? this.betSpot : open[0]?.wager;
  }

  evidencePath(name) {
    return `/api/v1/evidence/${encodeURIComponent(name)}`;
  }

  time(stamp) {
    return new Date(stamp).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  }
}
