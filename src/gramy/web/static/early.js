// Runs before the first paint: sets the saved theme, so that a page does not flash in the other one; preloads texts.
try {
  document.documentElement.dataset.theme = JSON.parse(localStorage.getItem("gramy.theme") ?? '"auto"');
} catch {
  /* the system's theme is used */
}

// Preload the catalogues, in the language that `preferredLanguage` in text.js will choose.
let saved = "";
try {
  saved = JSON.parse(localStorage.getItem("gramy.language") ?? '""');
} catch {
  /* the browser's languages are used */
}
const language =
  [saved, ...navigator.languages]
    .map((code) => code.slice(0, 2).toLowerCase())
    .find((code) => ["en", "pl", "de"].includes(code)) ?? "en";
document.head.append(
  Object.assign(document.createElement("link"), {
    rel: "preload",
    as: "fetch",
    crossOrigin: "anonymous",
    href: `/static/text/${language}.json`,
  }),
);
