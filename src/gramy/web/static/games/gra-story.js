/*
 * What the log of a match of GRA tells beyond the board: the bids of a round, and its reveal. Both are read anew from the
 * lines that have happened, so it does not matter where a replay jumps or when somebody comes to the table.
 */

/** @typedef {{cards: string[], faces: number[]}} Shown */
/** @typedef {{seat: number, number: number, value: number}} Rung */
/**
 * @typedef {object} Reveal
 * @property {number} at the line of the log
 * @property {number} checker
 * @property {number} bidder
 * @property {number} number
 * @property {number} value
 * @property {Shown[]} hands one for each seat, empty for those who are out
 * @property {number} count how many faces match, as the server counted
 * @property {boolean} holds
 * @property {number | null} loser
 * @property {number} size the loser's hand size from now on
 * @property {number[]} out who is out by this
 * @property {number[] | null} tie who plays on to break a tie
 */

/** @param {Line | undefined} line @param {string} key @returns {any} the values of an event, if the line has it */
const event = (line, key) => line?.events.find((one) => one.key === key)?.values;

/**
 * The bids of the round that is running after so many lines, the first one first.
 * @param {Line[]} lines @param {number} until @returns {Rung[]}
 */
export function ladder(lines, until) {
  /** @type {Rung[]} */
  const rungs = [];
  for (let at = until - 1; at >= 0 && !event(lines[at], "checked"); at--) {
    const bid = event(lines[at], "bid");
    if (bid) rungs.unshift({ seat: bid.seat, number: bid.number, value: bid.value });
  }
  return rungs;
}

/** The newest reveal of the log. @param {Line[]} lines @returns {Reveal | null} */
export function lastReveal(lines) {
  const at = lines.findLastIndex((line) => event(line, "revealed"));
  return at < 0 ? null : reveal(lines[at], at);
}

/** @param {Line} line @param {number} at @returns {Reveal} */
function reveal(line, at) {
  const shown = event(line, "revealed");
  const checked = event(line, "checked");
  const lost = event(line, "round_lost");
  return {
    at,
    checker: checked.seat,
    bidder: checked.bidder,
    number: shown.number,
    value: shown.value,
    hands: shown.hands,
    count: shown.count,
    holds: shown.holds,
    loser: lost?.seat ?? null,
    size: lost?.size ?? 0,
    out: line.events.filter((one) => one.key === "eliminated").map((one) => Number(one.values.seat)),
    tie: event(line, "tie_break")?.seats ?? null,
  };
}

/**
 * Which cards light up. Whether ones counted is read from the server's count, not decided here.
 * @param {{hands: Shown[], value: number, count: number}} shown
 * @returns {(face: number) => boolean}
 */
export function matching({ hands, value, count }) {
  const plain = hands.flatMap((hand) => hand.faces).filter((face) => face === value).length;
  return (face) => face === value || (face === 1 && count > plain);
}

/**
 * The order in which hands are turned over: round the table, and the one whose bid is in question last.
 * @param {{hands: Shown[], bidder: number}} shown
 * @returns {number[]} seats with cards
 */
export function turning({ hands, bidder }) {
  const seats = hands.map((_, i) => (bidder + 1 + i) % hands.length);
  return seats.filter((seat) => hands[seat].cards.length > 0);
}
