/* The bids that the server offers, arranged for a picker. What may be bid is decided there; here it is only looked up. */

/** @typedef {{number: number, value: number, way: string | null, move: string}} Offer */
/** @typedef {{number: number, value: number, way: string | null}} Pick */

/** @param {string[]} moves @returns {Offer[]} */
export function offers(moves) {
  return moves.flatMap((move) => {
    const [, number, value, way] = /^bid (\d+)x(\d)(?: (left|right))?$/.exec(move) ?? [];
    return number ? [{ number: +number, value: +value, way: way ?? null, move }] : [];
  });
}

/** @param {Offer[]} all @param {number} value @returns {number[]} the numbers that may be bid on a value, rising */
export const numbers = (all, value) =>
  [...new Set(all.filter((one) => one.value === value).map((one) => one.number))].sort((a, b) => a - b);

/** @param {Offer[]} all @returns {number[]} the values that may be bid, rising */
export const values = (all) => [...new Set(all.map((one) => one.value))].sort((a, b) => a - b);

/** @param {Offer[]} all @returns {boolean} whether a bid has to say which way play goes */
export const directed = (all) => all.some((one) => one.way !== null);

/** @param {Offer[]} all @param {Pick} pick @returns {Offer | undefined} */
export const found = (all, pick) =>
  all.find(
    (one) => one.number === pick.number && one.value === pick.value && (one.way === null || one.way === pick.way),
  );

/**
 * The offer nearest to a pick: the same value and the closest number where there is one, otherwise the lowest of what the
 * player holds most.
 * @param {Offer[]} all @param {Pick | null} pick @param {(value: number) => number} held @returns {Pick | null}
 */
export function nearest(all, pick, held) {
  if (!all.length) return null;
  const offered = values(all);
  if (pick && offered.includes(pick.value)) {
    const near = numbers(all, pick.value).sort((a, b) => Math.abs(a - pick.number) - Math.abs(b - pick.number))[0];
    return { ...pick, number: near };
  }
  const value = offered.reduce((best, one) => (held(one) >= held(best) ? one : best));
  return { number: numbers(all, value)[0], value, way: pick?.way ?? "left" };
}

/**
 * The neighbour of an entry in a list, or the entry itself at the end.
 * @param {number[]} list @param {number} now @param {1 | -1} step @returns {number}
 */
export function neighbour(list, now, step) {
  return list[Math.min(list.length - 1, Math.max(0, list.indexOf(now) + step))] ?? now;
}

/** @param {number[]} faces @param {number} value @param {boolean} jokers whether ones count for every value */
export const holding = (faces, value, jokers) =>
  faces.filter((face) => face === value || (jokers && face === 1)).length;
