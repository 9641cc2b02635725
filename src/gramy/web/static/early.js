// Runs before the first paint: sets the saved theme, so that a page does not flash in the other one, and preloads.
try {
  document.documentElement.dataset.theme = JSON.parse(localStorage.getItem("gramy.theme") ?? '"auto"');
} catch {
  /* the system's theme is used */
}

// Preload the files that the page at this address needs, before the modules that import them have been parsed.
const [page = "", id = ""] = location.pathname.split("/").slice(1);
const tableFiles = [
  "table/table.js",
  "page/variants.js",
  "connection.js",
  "dealing.js",
  "sha256.js",
  "heartbeat.js",
  "table/board.js",
  "table/deal-notice.js",
  "table/hint.js",
  "table/lazy.js",
  "table/log.js",
  "table/notifications.js",
  "table/turn-sign.js",
  "table/reveal.js",
  "table/seats.js",
  "sound.js",
  "style/table.css",
  "style/table-panels.css",
];
/** @type {Record<string, string[]>} */
const pageFiles = {
  "": [
    "lobby/lobby.js",
    "lobby/last.js",
    "lobby/name.js",
    "lobby/tables.js",
    "page/variants.js",
    "table/lazy.js",
    "style/lobby.css",
  ],
  t: tableFiles,
  replay: [
    ...tableFiles,
    "replay.js",
    "analysis.js",
    "style/analysis.css",
    "style/replay.css",
    "table/fair.js",
    "fair.js",
    "page/sheet.js",
    "page/more.js",
    "page/link.js",
  ],
  learn: [...tableFiles, "lesson.js", "lobby/open.js", "lobby/last.js", "lobby/name.js", "style/lesson.css"],
  rules: ["rules.js", "page/figures.js", "games/gra-parts.js", "ui/card.js", "style/rules.css", "style/figures.css"],
  admin: [
    "admin/admin.js",
    "admin/orders.js",
    "admin/tables.js",
    "admin/words.js",
    "page/sheet.js",
    "page/more.js",
    "style/admin.css",
  ],
  fairness: ["rules.js", "style/rules.css"],
};
const cardFiles = [
  "page/more.js",
  "ui/card.js",
  "ui/hand.js",
  "ui/motion.js",
  "ui/pile.js",
  "ui/play.js",
  "ui/highlight.js",
  "ui/highlight.css",
  "ui/drag.js",
  "ui/room.js",
  "ui/seat.js",
  "ui/cards.css",
  "ui/piles.css",
  "ui/players.css",
];
/** @type {Record<string, string[]>} */
const boardFiles = {
  "face-to-face": [...cardFiles, "games/face-to-face.js", "games/face-to-face.css"],
  "quick-easy": [
    ...cardFiles,
    "games/quick-easy.js",
    "games/quick-easy-said.js",
    ...["", "-layout"].map((part) => `games/quick-easy${part}.css`),
  ],
  gra: [
    "games/gra.js",
    "page/more.js",
    ...["bids", "hand", "log", "parts", "picker", "play", "reveal", "table"].map((part) => `games/gra-${part}.js`),
    ...["", "-seats", "-picker", "-reveal", "-layout"].map((part) => `games/gra${part}.css`),
    "ui/highlight.css",
  ],
};

/** @param {Record<string, string>} attributes */
const addLink = (attributes) => document.head.append(Object.assign(document.createElement("link"), attributes));

/** @param {string[] | undefined} files */
const preload = (files) =>
  files?.forEach((file) =>
    addLink({
      ...(file.endsWith(".css") ? { rel: "preload", as: "style" } : { rel: "modulepreload" }),
      href: `/static/${file}`,
    }),
  );
/** @param {string} href */
const preloadData = (href) => addLink({ rel: "preload", as: "fetch", crossOrigin: "anonymous", href });

preload(pageFiles[page]);
if (page === "") {
  preloadData("/api/games");
  for (const game of Object.keys(boardFiles))
    addLink({ rel: "preload", as: "image", href: `/static/pictures/${game}.svg` });
}
if (page === "learn") preload(boardFiles[id]);
// Ask which game a table plays: this answer comes long before the table's own connection is open.
if (page === "t" || page === "replay")
  fetch(`/api/tables/${id}`)
    .then((answer) => answer.json())
    .then(
      ({ game, seats }) => {
        preload(boardFiles[game]);
        if (seats?.some((/** @type {{kind: string}} */ { kind }) => kind === "open"))
          preload([
            ...["table/invitation.js", "table/room.js", "table/room-news.js", "page/link.js"],
            ...["lobby/open.js", "lobby/last.js", "lobby/name.js"],
          ]);
      },
      () => {},
    );

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
preloadData(`/static/text/${language}.json`);
