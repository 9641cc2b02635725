// SHA-256 (FIPS 180-4). Browsers offer their own only to pages from a secure origin, and only later than now: a table
// in a home network is neither secure nor patient.

/** @type {number[]} */
const primes = [];
for (let number = 2; primes.length < 64; number += 1) if (primes.every((prime) => number % prime)) primes.push(number);

/** The first 32 bits of the fraction. @param {number} number */
const fraction = (number) => ((number % 1) * 2 ** 32) | 0;
const ROUND_CONSTANTS = primes.map((prime) => fraction(Math.cbrt(prime)));
const START = primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));

/**
 * @param {Uint8Array} bytes
 * @returns {Uint8Array<ArrayBuffer>} 32 bytes
 */
export function sha256(bytes) {
  const padded = new DataView(new ArrayBuffer(Math.ceil((bytes.length + 9) / 64) * 64));
  bytes.forEach((byte, at) => padded.setUint8(at, byte));
  padded.setUint8(bytes.length, 0x80);
  padded.setUint32(padded.byteLength - 4, bytes.length * 8);
  const state = Int32Array.from(START);
  for (let block = 0; block < padded.byteLength; block += 64) mix(state, padded, block);
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, at) => digest.setInt32(4 * at, word));
  return new Uint8Array(digest.buffer);
}

/**
 * Mix one block into the state.
 * @param {Int32Array} state
 * @param {DataView} data
 * @param {number} block
 */
function mix(state, data, block) {
  const words = new Int32Array(64);
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let at = 0; at < 64; at += 1) {
    const [w15 = 0, w2 = 0, w16 = 0, w7 = 0] = [words[at - 15], words[at - 2], words[at - 16], words[at - 7]];
    const word =
      at < 16
        ? data.getInt32(block + 4 * at)
        : (w16 + w7 + (turn(w15, 7) ^ turn(w15, 18) ^ (w15 >>> 3)) + (turn(w2, 17) ^ turn(w2, 19) ^ (w2 >>> 10))) | 0;
    words[at] = word;
    const first =
      h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + (ROUND_CONSTANTS[at] ?? 0) + word;
    const second = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, at) => (state[at] = (state[at] ?? 0) + word));
}

/**
 * Rotate to the right.
 * @param {number} word
 * @param {number} by
 */
const turn = (word, by) => (word >>> by) | (word << (32 - by));

/** @param {Uint8Array} bytes */
export const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** @param {string} text */
export const utf8 = (text) => new TextEncoder().encode(text);

/**
 * Return the hash of lines, each ended by a line feed.
 * @param {(string | number)[]} lines
 */
export const hashOfLines = (...lines) => sha256(utf8(lines.map((line) => `${line}\n`).join("")));
