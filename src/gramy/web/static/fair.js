// Verifiable deals, from the client's side. Before the deal the server shows a commitment (a hash of its seed), and
// this browser adds a random client seed. After the match the cards are dealt again here. See gramy.fair.
import { request } from "./request.js";
import { load, save } from "./storage.js";

/**
 * What this browser knows about a deal before it happens.
 * @typedef {{key: string, commitment?: string, clientSeed?: string}} KnownDeal
 *
 * What the server publishes when the match is over.
 * @typedef {{line: number, pool: string[], dealt: string[]}} Deal
 * @typedef {{commitment: string, seed: string, client_seeds: string[], deals: Deal[]}} DealRecord
 *
 * @typedef {"fair" | "fair_watched" | "fair_without_us" | "fair_uncommitted"} FairVerdict
 * @typedef {FairVerdict | "commitment_broken" | "unfair" | "uncheckable"} Verdict
 *
 * `line` is the line of the log whose cards are wrong.
 * @typedef {{verdict: Verdict, line: number}} Verification
 */

const MOST_DEALS = 60;
const DEALER = 6;

/** @returns {KnownDeal[]} newest first */
const knownDeals = () => load("pledges", /** @type {KnownDeal[]} */ ([]));

/**
 * @param {string} table
 * @param {number} round
 * @returns {KnownDeal}
 */
function knownDeal(table, round) {
  const key = `${table} ${round}`;
  return knownDeals().find((deal) => deal.key === key) ?? { key };
}

/** @param {KnownDeal} deal */
const saveDeal = (deal) =>
  save("pledges", [deal, ...knownDeals().filter((other) => other.key !== deal.key)].slice(0, MOST_DEALS));

/**
 * Save the commitment of a round. The first one counts; the server cannot change it later.
 * @param {string} table
 * @param {number} round
 * @param {string | undefined} commitment
 */
export function saveCommitment(table, round, commitment) {
  const deal = knownDeal(table, round);
  if (commitment && !deal.commitment) saveDeal({ ...deal, commitment });
}

/**
 * Return this browser's client seed: 128 random bits that the server did not know when it committed to its own seed.
 * Before the server has committed, return undefined.
 * @param {string} table
 * @param {number} round
 */
export function clientSeedFor(table, round) {
  const deal = knownDeal(table, round);
  if (!deal.commitment) return undefined;
  const clientSeed = deal.clientSeed ?? hex(crypto.getRandomValues(new Uint8Array(16)));
  if (!deal.clientSeed) saveDeal({ ...deal, clientSeed });
  return clientSeed;
}

/**
 * Deal the cards of a finished match again and compare.
 * @param {string} table
 * @param {number} round
 * @param {number | null} you the user's seat, whose client seed must be among the client seeds
 * @param {Line[]} [seen] the log as this browser received it during the match
 * @returns {Promise<Verification>}
 */
export async function verifyDeal(table, round, you, seen = []) {
  /** @type {DealRecord | null} */
  const record = await request(`/api/deal/${encodeURIComponent(table)}/${round}`);
  // Browsers offer hashes only to pages from a secure origin.
  if (!record || !globalThis.crypto?.subtle) return { verdict: "uncheckable", line: 0 };
  const { commitment, clientSeed } = knownDeal(table, round);
  if (hex(await sha256(utf8(record.seed))) !== (commitment ?? record.commitment))
    return { verdict: "commitment_broken", line: 0 };
  const input = ["gramy deal 1", record.seed, ...record.client_seeds].map((text) => `${text}\n`).join("");
  const key = await sha256(utf8(input));
  const dealtLines = seen.flatMap(({ seat }, index) => (seat === DEALER ? [index + 1] : []));
  const missing = seen.length > 0 && dealtLines.find((line, index) => record.deals[index]?.line !== line);
  if (missing) return { verdict: "unfair", line: missing };
  for (const [number, { line, pool, dealt }] of record.deals.entries()) {
    const expected = await pickCards(key, number, pool, dealt.length);
    const shown = seen[line - 1]?.move.split(" ").slice(-dealt.length) ?? ["?"];
    const asShown = shown.includes("?") || shown.join() === dealt.join(); // other players' cards were hidden
    if (expected.join() !== dealt.join() || !asShown) return { verdict: "unfair", line };
  }
  if (!commitment) return { verdict: "fair_uncommitted", line: 0 };
  if (you === null) return { verdict: "fair_watched", line: 0 };
  const ours = record.client_seeds[you] === clientSeed;
  return { verdict: ours ? "fair" : "fair_without_us", line: 0 };
}

/**
 * Pick `number` cards of a pool, in the pool's order.
 * @param {Uint8Array} key
 * @param {number} deal
 * @param {string[]} pool
 * @param {number} number
 */
async function pickCards(key, deal, pool, number) {
  const numbers = randomNumbers(key, deal);
  const left = pool.map((_, index) => index);
  /** @type {number[]} */
  const picked = [];
  while (picked.length < number && left.length) {
    const most = BigInt(left.length);
    const limit = ((1n << 64n) / most) * most; // numbers above it would make the first cards slightly likelier
    const { value } = await numbers.next();
    if (value < limit) picked.push(...left.splice(Number(value % most), 1));
  }
  return picked.sort((one, two) => one - two).map((index) => pool[index]);
}

/**
 * Yield 64-bit numbers without end: SHA-256 of the key, the deal and a counter.
 * @param {Uint8Array} key
 * @param {number} deal
 * @returns {AsyncGenerator<bigint, never>}
 */
async function* randomNumbers(key, deal) {
  const source = new Uint8Array([...key, ...new Uint8Array(8)]);
  const tail = new DataView(source.buffer, key.length);
  tail.setUint32(0, deal);
  for (let block = 0; ; block += 1) {
    tail.setUint32(4, block);
    const bytes = new DataView((await sha256(source)).buffer);
    for (let offset = 0; offset < bytes.byteLength; offset += 8) yield bytes.getBigUint64(offset);
  }
}

/** @param {string} text */
const utf8 = (text) => new TextEncoder().encode(text);

/** @param {Uint8Array<ArrayBuffer>} bytes */
const sha256 = async (bytes) => new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));

/** @param {Uint8Array} bytes */
const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
