// The icons: paths of 24 by 24 with round strokes of one width.
import { html } from "../vendor/preact.js";

const PATHS = {
  auto: "M12 3.5a8.5 8.5 0 1 0 0 17a8.5 8.5 0 1 0 0-17",
  back: "M15 5l-7 7 7 7",
  book: "M12 6.5C10 5 7 4.5 3.5 5v13.5c3.5-.5 6.5 0 8.5 1.5 2-1.5 5-2 8.5-1.5V5C17 4.5 14 5 12 6.5ZM12 6.5V20",
  bot:
    "M5 9.5A2.5 2.5 0 0 1 7.5 7h9A2.5 2.5 0 0 1 19 9.5v7a2.5 2.5 0 0 1-2.5 2.5h-9" +
    "A2.5 2.5 0 0 1 5 16.5ZM12 7V4M9.5 12v1.5M14.5 12v1.5M2.5 12v3M21.5 12v3",
  bulb: "M9.5 18h5M10.5 21h3M9.5 15.5c0-1.1-.5-1.8-1.3-2.6a5.9 5.9 0 1 1 7.6 0c-.8.8-1.3 1.5-1.3 2.6Z",
  chart: "M3.5 20.5h17M4.5 16l4.5-5 3.5 3 7-8.5",
  check: "M5 12.5l4.5 4.5L19 7.5",
  clock: "M12 3.5a8.5 8.5 0 1 0 0 17a8.5 8.5 0 1 0 0-17M12 7.5V12l3 2",
  close: "M6 6l12 12M18 6L6 18",
  copy:
    "M9 9.5A1.5 1.5 0 0 1 10.5 8h8A1.5 1.5 0 0 1 20 9.5v9a1.5 1.5 0 0 1-1.5 1.5h-8" +
    "A1.5 1.5 0 0 1 9 18.5Z" +
    "M15.5 8V5.5A1.5 1.5 0 0 0 14 4H5.5A1.5 1.5 0 0 0 4 5.5V15a1.5 1.5 0 0 0 1.5 1.5H9",
  eye:
    "M2.5 12C5 7.5 8.3 5.5 12 5.5s7 2 9.5 6.5c-2.5 4.5-5.8 6.5-9.5 6.5S5 16.5 2.5 12Z" +
    "M12 9a3 3 0 1 0 0 6a3 3 0 1 0 0-6",
  first: "M18 5l-8 7 8 7M6 5v14",
  last: "M6 5l8 7-8 7M18 5v14",
  link: "M10 14a4.2 4.2 0 0 0 6 0l3-3a4.2 4.2 0 0 0-6-6l-1 1M14 10a4.2 4.2 0 0 0-6 0l-3 3a4.2 4.2 0 0 0 6 6l1-1",
  log: "M9 6.5h11M9 12h11M9 17.5h11M4.5 6.5h.01M4.5 12h.01M4.5 17.5h.01",
  menu: "",
  moon: "M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5Z",
  mute: "M4 9.5v5h3.5L12 18.5v-13L7.5 9.5ZM16 9.5l5 5M21 9.5l-5 5",
  next: "M9 5l7 7-7 7",
  pause: "M9 5.5v13M15 5.5v13",
  play: "M7.5 5.5v13l11-6.5Z",
  save: "M12 4v11M7.5 11l4.5 4.5 4.5-4.5M4.5 19.5h15",
  settings: "M4 7.5h9M17 7.5h3M4 16.5h3M11 16.5h9M15 5.5v4M9 14.5v4",
  share:
    "M12 14.5V4M8 7.5L12 3.5l4 4" +
    "M6 11.5H5A1.5 1.5 0 0 0 3.5 13v6A1.5 1.5 0 0 0 5 20.5h14a1.5 1.5 0 0 0 1.5-1.5v-6" +
    "a1.5 1.5 0 0 0-1.5-1.5h-1",
  sound: "M4 9.5v5h3.5L12 18.5v-13L7.5 9.5ZM15.5 9a4.2 4.2 0 0 1 0 6M18.2 6.2a8.2 8.2 0 0 1 0 11.6",
  sun:
    "M12 7.5a4.5 4.5 0 1 0 0 9a4.5 4.5 0 1 0 0-9M12 2.5v1.5M12 20v1.5M2.5 12H4M20 12h1.5" +
    "M5.3 5.3l1 1M17.7 17.7l1 1M5.3 18.7l1-1M17.7 6.3l1-1",
  swap: "M4 8.5h14.5M15 5l3.5 3.5L15 12M20 15.5H5.5M9 12l-3.5 3.5L9 19",
  talk: "M5.5 4.5h13A2 2 0 0 1 20.5 6.5v8a2 2 0 0 1-2 2H12l-4.5 4v-4h-2a2 2 0 0 1-2-2v-8a2 2 0 0 1 2-2Z",
  trophy:
    "M7.5 4h9v6a4.5 4.5 0 0 1-9 0ZM7.5 5.5H4V7a3.5 3.5 0 0 0 3.5 3.5" +
    "M16.5 5.5H20V7a3.5 3.5 0 0 1-3.5 3.5M12 14.5V18M8.5 20h7",
  undo: "M8.5 5L4 9.5 8.5 14M4.5 9.5H14a5.5 5.5 0 0 1 0 11h-3",
};

/**
 * Filled parts.
 * @type {Record<string, string>}
 */
const FILLED = {
  auto: "M12 3.5a8.5 8.5 0 0 1 0 17Z",
  menu: "M5 10.2a1.8 1.8 0 1 0 .01 0ZM12 10.2a1.8 1.8 0 1 0 .01 0ZM19 10.2a1.8 1.8 0 1 0 .01 0Z",
};

/** @typedef {keyof typeof PATHS} IconName */

/** @param {{name: IconName, size?: number}} props */
export function Icon({ name, size = 22 }) {
  return html`<svg
    width=${size} height=${size} viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.9"
    stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">
    <path d=${PATHS[name]} />
    ${FILLED[name] && html`<path d=${FILLED[name]} fill="currentColor" stroke="none" />`}
  </svg>`;
}

/** The logo: a silver card and a gold one, as in icon.svg. Every use of the file would be another request. */
export function Mark() {
  return html`<svg class="mark" width="34" height="34" viewBox="0 0 64 64" aria-hidden="true">
    <rect width="64" height="64" rx="16" fill="#1b1d29" />
    <g transform="rotate(-12 24 34)">
      <rect x="11" y="14" width="26" height="37" rx="5" fill="#9fb5d2" />
      <rect x="13" y="16" width="22" height="33" rx="3.5" fill="#f6f9fd" />
    </g>
    <g transform="rotate(10 40 34)">
      <rect x="26" y="12" width="28" height="40" rx="5" fill="#e6b65f" />
      <rect x="28.5" y="14.5" width="23" height="35" rx="3.5" fill="#fffaf0" />
      <path d="M40 21l7.5 11h-15ZM40 44l-7.5-9h15Z" fill="#855607" />
    </g>
  </svg>`;
}
