// Fair dealing, seen from this side: what was promised before the cards were dealt is remembered, and when the match is over the
// cards are dealt once more, here. How cards follow from a seed and everybody's word is told in gramy.fair; no rule is needed.
import { recall, remember } from "./memory.js";
import { request } from "./request.js";

/**
 * What this browser knows of a deal beforehand: the table's commitment, and the word it adds itself.
 * @typedef {{key: string, commitment?: string, clientSeed?: string}} Pledge
 * @typedef {{commitment: string, seed: string, client_seeds: string[], deals: {line: number, pool: string[], dealt: string[]}[]}} Dealing
 * @typedef {"fair" | "fair_watched" | "fair_without_us" | "fair_uncommitted"} FairVerdict
 * @typedef {FairVerdict | "commitment_broken" | "unfair" | "uncheckable"} Verdict
 * @typedef {{verdict: Verdict, line: number}} Finding `line` of the log, where a deal is not what it should be
 */

const MOST_PLEDGES = 60;
const DEALER = 6;

/** @returns {Pledge[]} newest first */
const pledges = () => recall("pledges", /** @type {Pledge[]} */ ([]));

/** @param {string} table @param {number} round @returns {Pledge} */
function pledgeOf(table, round) {
  const key = `${table} ${round}`;
  return pledges().find((pledge) => pledge.key === key) ?? { key };
}

/** @param {Pledge} pledge */
const keep = (pledge) =>
  remember("pledges", [pledge, ...pledges().filter((other) => other.key !== pledge.key)].slice(0, MOST_PLEDGES));

/** The table's commitment: the first that we hear counts, whatever is said later. @param {string} table @param {number} round @param {string | undefined} commitment */
export function promised(table, round, commitment) {
  const pledge = pledgeOf(table, round);
  if (commitment && !pledge.commitment) keep({ ...pledge, commitment });
}

/**
 * Our word in the cards: 128 random bits that the server could not know when it committed itself to its own. Before it has done
 * so it is told nothing.
 * @param {string} table @param {number} round
 */
export function clientSeedFor(table, round) {
  const pledge = pledgeOf(table, round);
  if (!pledge.commitment) return undefined;
  const clientSeed = pledge.clientSeed ?? hex(crypto.getRandomValues(new Uint8Array(16)));
  if (!pledge.clientSeed) keep({ ...pledge, clientSeed });
  return clientSeed;
}

/**
 * Deals the cards of a finished match again.
 * @param {string} table @param {number} round
 * @param {number | null} you the own seat, whose word must be among the words
 * @param {Line[]} [seen] the log as it was read while the match went on
 * @returns {Promise<Finding>}
 */
export async function checked(table, round, you, seen = []) {
  /** @type {Dealing | null} */
  const dealing = await request(`/api/deal/${encodeURIComponent(table)}/${round}`);
  // Browsers offer their hashes only to pages that came over a safe line.
  if (!dealing || !globalThis.crypto?.subtle) return { verdict: "uncheckable", line: 0 };
  const { commitment, clientSeed } = pledgeOf(table, round);
  if (hex(await sha256(written(dealing.seed))) !== (commitment ?? dealing.commitment))
    return { verdict: "commitment_broken", line: 0 };
  const key = await sha256(
    written(["gramy deal 1", dealing.seed, ...dealing.client_seeds].map((line) => `${line}\n`).join("")),
  );
  const told = seen.flatMap(({ seat }, at) => (seat === DEALER ? [at + 1] : []));
  const silent = seen.length > 0 && told.find((line, at) => dealing.deals[at]?.line !== line);
  if (silent) return { verdict: "unfair", line: silent };
  for (const [number, { line, pool, dealt }] of dealing.deals.entries()) {
    const again = await drawn(key, number, pool, dealt.length);
    const read = seen[line - 1]?.move.split(" ").slice(-dealt.length) ?? ["?"];
    const asRead = read.includes("?") || read.join() === dealt.join(); // what was dealt to others was not ours to read
    if (again.join() !== dealt.join() || !asRead) return { verdict: "unfair", line };
  }
  if (!commitment) return { verdict: "fair_uncommitted", line: 0 };
  if (you === null) return { verdict: "fair_watched", line: 0 };
  const ours = dealing.client_seeds[you] === clientSeed;
  return { verdict: ours ? "fair" : "fair_without_us", line: 0 };
}

/** So many of a pool, in its order. @param {Uint8Array} key @param {number} deal @param {string[]} pool @param {number} number */
async function drawn(key, deal, pool, number) {
  const numbers = stream(key, deal);
  const left = pool.map((_, at) => at);
  /** @type {number[]} */
  const picked = [];
  while (picked.length < number && left.length) {
    const most = BigInt(left.length);
    const limit = ((1n << 64n) / most) * most; // above it, the first cards would be a little likelier
    const { value } = await numbers.next();
    if (value < limit) picked.push(...left.splice(Number(value % most), 1));
  }
  return picked.sort((one, two) => one - two).map((at) => pool[at]);
}

/** Numbers without end. @param {Uint8Array} key @param {number} deal @returns {AsyncGenerator<bigint, never>} */
async function* stream(key, deal) {
  const source = new Uint8Array([...key, ...new Uint8Array(8)]);
  const tail = new DataView(source.buffer, key.length);
  tail.setUint32(0, deal);
  for (let block = 0; ; block += 1) {
    tail.setUint32(4, block);
    const bytes = new DataView((await sha256(source)).buffer);
    for (let at = 0; at < bytes.byteLength; at += 8) yield bytes.getBigUint64(at);
  }
}

/** @param {string} text */
const written = (text) => new TextEncoder().encode(text);

/** @param {Uint8Array<ArrayBuffer>} bytes */
const sha256 = async (bytes) => new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));

/** @param {Uint8Array} bytes */
const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
