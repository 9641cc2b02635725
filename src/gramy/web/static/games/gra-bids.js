// The legal bids, arranged for the picker. The server decides what is legal.

/** @typedef {{number: number, value: number, way: string | null, move: string}} LegalBid */
/** @typedef {{number: number, value: number, way: string | null}} Pick */

/**
 * Return the bids among moves.
 * @param {string[]} moves
 * @returns {LegalBid[]}
 */
export function parseBids(moves) {
  return moves.flatMap((move) => {
    const [, number, value, way] = /^bid (\d+)x(\d)(?: (left|right))?$/.exec(move) ?? [];
    return number ? [{ number: +number, value: +value, way: way ?? null, move }] : [];
  });
}

/**
 * @param {LegalBid[]} bids
 * @param {number} value
 * @returns {number[]} the numbers that may be bid on a value, ascending
 */
export const numbers = (bids, value) =>
  [...new Set(bids.filter((one) => one.value === value).map((one) => one.number))].sort((a, b) => a - b);

/**
 * @param {LegalBid[]} bids
 * @returns {number[]} the values that may be bid, ascending
 */
export const values = (bids) => [...new Set(bids.map((one) => one.value))].sort((a, b) => a - b);

/**
 * @param {LegalBid[]} bids
 * @returns {boolean} whether a bid has to name the direction of play
 */
export const needsDirection = (bids) => bids.some((one) => one.way !== null);

/**
 * @param {LegalBid[]} bids
 * @param {Pick} pick
 * @returns {LegalBid | undefined}
 */
export const findBid = (bids, pick) =>
  bids.find(
    (one) => one.number === pick.number && one.value === pick.value && (one.way === null || one.way === pick.way),
  );

/**
 * Return the bid to start from: the same value as the pick and the closest number. Without a pick, return the lowest
 * bid on the value that the player holds most, among those that can be true; if none can, among all.
 * @param {LegalBid[]} bids
 * @param {Pick | null} pick
 * @param {(value: number) => number} held
 * @param {(bid: {number: number, value: number}) => boolean} possible
 * @returns {Pick | null}
 */
export function nearestBid(bids, pick, held, possible) {
  if (!bids.length) return null;
  const legalValues = values(bids);
  if (pick && legalValues.includes(pick.value)) {
    const near = numbers(bids, pick.value).sort((a, b) => Math.abs(a - pick.number) - Math.abs(b - pick.number))[0];
    return { ...pick, number: near };
  }
  const lowest = legalValues.map((value) => ({ value, number: numbers(bids, value)[0] }));
  const open = lowest.filter(possible);
  const best = (open.length ? open : lowest).reduce((one, two) => (held(two.value) >= held(one.value) ? two : one));
  return { ...best, way: pick?.way ?? "left" };
}

/**
 * Return the neighbour of an entry in a list, or the entry itself at the end.
 * @param {number[]} list
 * @param {number} now
 * @param {1 | -1} step
 * @returns {number}
 */
export function neighbour(list, now, step) {
  return list[Math.min(list.length - 1, Math.max(0, list.indexOf(now) + step))] ?? now;
}

/**
 * Return how many cards show a value.
 * @param {number[]} faces
 * @param {number} value
 * @param {boolean} jokers whether ones count for every value
 */
export const countFaces = (faces, value, jokers) =>
  faces.filter((face) => face === value || (jokers && face === 1)).length;
