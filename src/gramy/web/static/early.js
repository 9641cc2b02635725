// Runs before the first paint, so that a page in a chosen theme does not flash in the other one.
try {
  document.documentElement.dataset.theme = JSON.parse(localStorage.getItem("gramy.theme") ?? '"auto"');
} catch {
  /* the system's theme will do */
}

// What the page at this address will ask for is on its way before the modules that ask for it have been read.
const [page = "", where = ""] = location.pathname.split("/").slice(1);
const table = [
  "table/table.js",
  "connection.js",
  "fair.js",
  "table/board.js",
  "table/hint.js",
  "table/later.js",
  "table/log.js",
  "table/seats.js",
  "table/story.js",
  "table/telling.js",
  "sound.js",
  "style/table.css",
];
/** @type {Record<string, string[]>} */
const pages = {
  "": [
    "lobby/lobby.js",
    "lobby/open.js",
    "fair.js",
    "lobby/form.js",
    "lobby/privacy.js",
    "lobby/tables.js",
    "page/sheet.js",
    "style/lobby.css",
  ],
  t: table,
  replay: [...table, "replay.js", "analysis.js", "style/analysis.css", "table/fair.js", "page/sheet.js"],
  learn: [...table, "lesson.js", "lobby/open.js", "style/lesson.css"],
  rules: ["rules.js"],
};
const cards = [
  "ui/card.js",
  "ui/hand.js",
  "ui/motion.js",
  "ui/pile.js",
  "ui/play.js",
  "ui/pointer.js",
  "ui/pointer.css",
  "ui/drag.js",
  "ui/room.js",
  "ui/seat.js",
  "ui/cards.css",
];
/** @type {Record<string, string[]>} */
const boards = {
  "face-to-face": [...cards, "games/face-to-face.js", "games/face-to-face.css"],
  "quick-easy": [...cards, "games/quick-easy.js", "games/quick-easy-talk.js", "games/quick-easy.css"],
  gra: [
    "games/gra.js",
    ...["bids", "hand", "parts", "picker", "play", "reveal", "story", "table"].map((part) => `games/gra-${part}.js`),
    "games/gra.css",
    "ui/pointer.css",
  ],
};
const ahead = (/** @type {string[] | undefined} */ files) =>
  files?.forEach((file) => {
    const kind = file.endsWith(".css") ? { rel: "preload", as: "style" } : { rel: "modulepreload" };
    document.head.append(Object.assign(document.createElement("link"), { ...kind, href: `/static/${file}` }));
  });
ahead(pages[page]);
if (page === "learn") ahead(boards[where]);
// Which board a table needs, the server says, long before the table's own connection is there to say it.
if (page === "t" || page === "replay")
  fetch(`/api/tables/${where}`)
    .then((answer) => answer.json())
    .then(
      ({ game, status }) => {
        ahead(boards[game]);
        if (status === "waiting") ahead(["table/invitation.js", "lobby/open.js"]);
      },
      () => {},
    );

// The words too: the remembered language, or the first of the browser's that is spoken here (as text.js finds it).
let wish = "";
try {
  wish = JSON.parse(localStorage.getItem("gramy.language") ?? '""');
} catch {
  /* the browser's languages will do */
}
const language =
  [wish, ...navigator.languages]
    .map((one) => one.slice(0, 2).toLowerCase())
    .find((one) => ["en", "pl", "de"].includes(one)) ?? "en";
document.head.append(
  Object.assign(document.createElement("link"), {
    rel: "preload",
    as: "fetch",
    crossOrigin: "anonymous",
    href: `/api/text/${language}`,
  }),
);
