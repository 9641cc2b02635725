// Short sounds, synthesised: there are no files to load. Browsers allow sound only after the user has touched the page.
import { sound } from "./settings.js";

/**
 * One note: its wave, its pitch at the start and the end in hertz, when it starts, its duration and its loudness.
 * @typedef {{
 *   wave?: OscillatorType | "noise", from: number, to?: number, at?: number, duration?: number, loudness?: number
 * }} Note
 */

/**
 * @param {OscillatorType | "noise"} wave
 * @param {number} gap between the starts of two notes
 * @param {Omit<Note, "wave" | "at">[]} notes
 * @returns {Note[]}
 */
const sequence = (wave, gap, notes) => notes.map((note, i) => ({ ...note, wave, at: i * gap }));

/** @type {Record<string, Note[]>} */
const SOUNDS = {
  lay: [
    { wave: "noise", from: 1900, to: 700, duration: 0.07, loudness: 0.5 },
    { wave: "sine", from: 190, to: 120, duration: 0.08, loudness: 0.35 },
  ],
  trick: sequence(
    "triangle",
    0.06,
    [660, 880, 1175].map((from) => ({ from, duration: 0.16, loudness: 0.22 })),
  ),
  help: [
    { wave: "sine", from: 523, duration: 0.16, loudness: 0.22 },
    { wave: "sine", from: 784, at: 0.09, duration: 0.22, loudness: 0.2 },
  ],
  draw: [{ wave: "noise", from: 1200, to: 3200, duration: 0.11, loudness: 0.26 }],
  bid: [{ wave: "triangle", from: 392, to: 440, duration: 0.12, loudness: 0.26 }],
  check: [
    { wave: "square", from: 220, to: 147, duration: 0.22, loudness: 0.12 },
    { wave: "noise", from: 400, duration: 0.09, loudness: 0.4 },
  ],
  reveal: sequence(
    "noise",
    0.09,
    [1500, 1800, 2100, 2400].map((from) => ({ from, to: 800, duration: 0.06, loudness: 0.36 })),
  ),
  win: sequence(
    "triangle",
    0.11,
    [523, 659, 784, 1047].map((from) => ({ from, duration: 0.36, loudness: 0.22 })),
  ),
  lose: sequence(
    "sine",
    0.16,
    [392, 330, 262].map((from) => ({ from, duration: 0.4, loudness: 0.22 })),
  ),
  turn: [
    { wave: "sine", from: 880, duration: 0.18, loudness: 0.16 },
    { wave: "sine", from: 1319, at: 0.1, duration: 0.3, loudness: 0.13 },
  ],
  refuse: [{ wave: "sine", from: 160, to: 120, duration: 0.12, loudness: 0.3 }],
};

/** @type {AudioContext | null} */
let context = null;
/** @type {AudioBuffer | null} */
let noiseBuffer = null;

function resume() {
  context ??= new AudioContext();
  if (context.state === "suspended") void context.resume();
}
for (const gesture of ["pointerdown", "keydown"]) addEventListener(gesture, resume, { once: true, passive: true });

/** @param {keyof typeof SOUNDS} name */
export function playSound(name) {
  if (!sound.peek() || !context || context.state !== "running") return;
  for (const note of SOUNDS[name] ?? []) playNote(context, note);
}

/**
 * @param {AudioContext} audio
 * @param {Note} note
 */
function playNote(audio, { wave = "sine", from, to = from, at = 0, duration = 0.1, loudness = 0.3 }) {
  const start = audio.currentTime + at;
  const gain = audio.createGain();
  gain.gain.setValueAtTime(0, start);
  gain.gain.linearRampToValueAtTime(loudness * 0.5, start + 0.008);
  gain.gain.exponentialRampToValueAtTime(0.0001, start + duration);
  gain.connect(audio.destination);
  /** @param {AudioParam} frequency */
  const glide = (frequency) => {
    frequency.setValueAtTime(from, start);
    frequency.exponentialRampToValueAtTime(to, start + duration);
  };
  const source = wave === "noise" ? noise(audio, glide, gain) : tone(audio, wave, glide, gain);
  source.start(start);
  source.stop(start + duration + 0.02);
}

/**
 * @param {AudioContext} audio
 * @param {OscillatorType} wave
 * @param {(frequency: AudioParam) => void} glide
 * @param {GainNode} gain
 */
function tone(audio, wave, glide, gain) {
  const source = audio.createOscillator();
  source.type = wave;
  glide(source.frequency);
  source.connect(gain);
  return source;
}

/**
 * Return noise through a band-pass filter, which sounds like a card.
 * @param {AudioContext} audio
 * @param {(frequency: AudioParam) => void} glide
 * @param {GainNode} gain
 */
function noise(audio, glide, gain) {
  if (!noiseBuffer) {
    noiseBuffer = audio.createBuffer(1, audio.sampleRate / 2, audio.sampleRate);
    const samples = noiseBuffer.getChannelData(0);
    for (let i = 0; i < samples.length; i += 1) samples[i] = Math.random() * 2 - 1;
  }
  const source = audio.createBufferSource();
  source.buffer = noiseBuffer;
  const filter = audio.createBiquadFilter();
  filter.type = "bandpass";
  glide(filter.frequency);
  source.connect(filter);
  filter.connect(gain);
  return source;
}
