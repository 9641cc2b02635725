// Short sounds, made on the spot: no files to load. Silent until the reader has touched the page, as browsers demand.
import { sound } from "./settings.js";

/**
 * One note: which wave, from which pitch to which, when it starts, how long it lasts, how loud.
 * @typedef {{wave?: OscillatorType | "noise", from: number, to?: number, at?: number, last?: number, loud?: number}} Note
 */

/** @type {Record<string, Note[]>} */
const SOUNDS = {
  lay: [
    { wave: "noise", from: 1900, to: 700, last: 0.07, loud: 0.5 },
    { wave: "sine", from: 190, to: 120, last: 0.08, loud: 0.35 },
  ],
  trick: [660, 880, 1175].map((from, i) => ({
    wave: /** @type {const} */ ("triangle"),
    from,
    at: i * 0.06,
    last: 0.16,
    loud: 0.22,
  })),
  help: [
    { wave: "sine", from: 523, last: 0.16, loud: 0.22 },
    { wave: "sine", from: 784, at: 0.09, last: 0.22, loud: 0.2 },
  ],
  draw: [{ wave: "noise", from: 1200, to: 3200, last: 0.11, loud: 0.26 }],
  bid: [{ wave: "triangle", from: 392, to: 440, last: 0.12, loud: 0.26 }],
  check: [
    { wave: "square", from: 220, to: 147, last: 0.22, loud: 0.12 },
    { wave: "noise", from: 400, last: 0.09, loud: 0.4 },
  ],
  reveal: [0, 0.09, 0.18, 0.27].map((at, i) => ({
    wave: /** @type {const} */ ("noise"),
    from: 1500 + i * 300,
    to: 800,
    at,
    last: 0.06,
    loud: 0.36,
  })),
  win: [523, 659, 784, 1047].map((from, i) => ({
    wave: /** @type {const} */ ("triangle"),
    from,
    at: i * 0.11,
    last: 0.36,
    loud: 0.22,
  })),
  lose: [392, 330, 262].map((from, i) => ({
    wave: /** @type {const} */ ("sine"),
    from,
    at: i * 0.16,
    last: 0.4,
    loud: 0.22,
  })),
  turn: [
    { wave: "sine", from: 880, last: 0.18, loud: 0.16 },
    { wave: "sine", from: 1319, at: 0.1, last: 0.3, loud: 0.13 },
  ],
  refuse: [{ wave: "sine", from: 160, to: 120, last: 0.12, loud: 0.3 }],
};

/** @type {AudioContext | null} */
let context = null;
/** @type {AudioBuffer | null} */
let rustle = null;

function wake() {
  context ??= new AudioContext();
  if (context.state === "suspended") void context.resume();
}
for (const gesture of ["pointerdown", "keydown"]) addEventListener(gesture, wake, { once: true, passive: true });

/** @param {keyof typeof SOUNDS} name */
export function play(name) {
  if (!sound.peek() || !context || context.state !== "running") return;
  for (const note of SOUNDS[name] ?? []) sing(context, note);
}

/** @param {AudioContext} air @param {Note} note */
function sing(air, { wave = "sine", from, to = from, at = 0, last = 0.1, loud = 0.3 }) {
  const start = air.currentTime + at;
  const gain = air.createGain();
  gain.gain.setValueAtTime(0, start);
  gain.gain.linearRampToValueAtTime(loud * 0.5, start + 0.008);
  gain.gain.exponentialRampToValueAtTime(0.0001, start + last);
  gain.connect(air.destination);
  const source =
    wave === "noise" ? paper(air, from, to, start, last, gain) : tone(air, wave, from, to, start, last, gain);
  source.start(start);
  source.stop(start + last + 0.02);
}

/** @param {AudioContext} air @param {OscillatorType} wave @param {number} from @param {number} to @param {number} start @param {number} last @param {GainNode} gain */
function tone(air, wave, from, to, start, last, gain) {
  const source = air.createOscillator();
  source.type = wave;
  source.frequency.setValueAtTime(from, start);
  source.frequency.exponentialRampToValueAtTime(to, start + last);
  source.connect(gain);
  return source;
}

/** Noise through a narrow window sounds like a card. @param {AudioContext} air @param {number} from @param {number} to @param {number} start @param {number} last @param {GainNode} gain */
function paper(air, from, to, start, last, gain) {
  if (!rustle) {
    rustle = air.createBuffer(1, air.sampleRate / 2, air.sampleRate);
    const wave = rustle.getChannelData(0);
    for (let i = 0; i < wave.length; i += 1) wave[i] = Math.random() * 2 - 1;
  }
  const source = air.createBufferSource();
  source.buffer = rustle;
  const filter = air.createBiquadFilter();
  filter.type = "bandpass";
  filter.frequency.setValueAtTime(from, start);
  filter.frequency.exponentialRampToValueAtTime(to, start + last);
  source.connect(filter);
  filter.connect(gain);
  return source;
}
