// The bids and the reveal of a round, read from the log. Both are computed from the lines so far, so it does not matter
// where a replay jumps or when the user came to the table.

/** @typedef {{cards: string[], faces: number[]}} ShownHand */
/** @typedef {{seat: number, number: number, value: number}} Rung */
/**
 * @typedef {object} Reveal
 * @property {number} at the line of the log
 * @property {number} checker
 * @property {number} bidder
 * @property {number} number
 * @property {number} value
 * @property {ShownHand[]} hands one for each seat, empty for eliminated players
 * @property {number} count how many faces match the bid
 * @property {boolean} holds
 * @property {number | null} loser
 * @property {number} size the loser's new hand size
 * @property {number[]} out the seats that are eliminated
 * @property {number[] | null} tie the seats of a tie-break
 */

/**
 * @param {Line | undefined} line
 * @param {string} key
 * @returns {any} the values of an event of the line, or undefined
 */
const eventValues = (line, key) => line?.events.find((one) => one.key === key)?.values;

/**
 * Return the bids of the round up to a line, the first one first.
 * @param {Line[]} lines
 * @param {number} until
 * @returns {Rung[]}
 */
export function ladder(lines, until) {
  /** @type {Rung[]} */
  const rungs = [];
  for (let at = until - 1; at >= 0 && !eventValues(lines[at], "checked"); at--) {
    const bid = eventValues(lines[at], "bid");
    if (bid) rungs.unshift({ seat: bid.seat, number: bid.number, value: bid.value });
  }
  return rungs;
}

/**
 * Return the last reveal of the log.
 * @param {Line[]} lines
 * @returns {Reveal | null}
 */
export function lastReveal(lines) {
  const at = lines.findLastIndex((line) => eventValues(line, "revealed"));
  return at < 0 ? null : revealOf(lines[at], at);
}

/**
 * Return the first reveal from a line on.
 * @param {Line[]} lines
 * @param {number} from
 * @returns {Reveal | null}
 */
export function nextReveal(lines, from) {
  const at = lines.findIndex((line, index) => index >= from && eventValues(line, "revealed"));
  return at < 0 ? null : revealOf(lines[at], at);
}

/**
 * @param {Line} line
 * @param {number} at
 * @returns {Reveal}
 */
function revealOf(line, at) {
  const shown = eventValues(line, "revealed");
  const checked = eventValues(line, "checked");
  const lost = eventValues(line, "round_lost");
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
    tie: eventValues(line, "tie_break")?.seats ?? null,
  };
}

/**
 * Return which faces match the bid. The server's count shows whether ones counted too.
 * @param {{hands: ShownHand[], value: number, count: number}} shown
 * @returns {(face: number) => boolean}
 */
export function matchesBid({ hands, value, count }) {
  const plain = hands.flatMap((hand) => hand.faces).filter((face) => face === value).length;
  return (face) => face === value || (face === 1 && count > plain);
}

/**
 * Return the order in which hands are revealed: clockwise, the bidder last.
 * @param {{hands: ShownHand[], bidder: number}} shown
 * @returns {number[]} seats with cards
 */
export function revealOrder({ hands, bidder }) {
  const seats = hands.map((_, i) => (bidder + 1 + i) % hands.length);
  return seats.filter((seat) => hands[seat].cards.length > 0);
}
