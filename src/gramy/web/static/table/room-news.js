// What has changed in a waiting room, as sentences. They are shown and, in a live region, said.
import { useEffect, useRef, useState } from "../vendor/preact.js";
import { t } from "../text.js";
import { settingsOf } from "../page/variants.js";

/** How many news are shown. */
const SHOWN = 2;

/**
 * Return the latest news of a waiting room, each with a number.
 * @param {Snapshot} snapshot
 * @param {string[]} names
 * @returns {{words: string, number: number}[]}
 */
export function useNews(snapshot, names) {
  const [news, setNews] = useState(/** @type {{words: string, number: number}[]} */ ([]));
  const last = useRef(snapshot);
  useEffect(() => {
    const found = newsSince(last.current, snapshot, names);
    last.current = snapshot;
    const next = (news.at(-1)?.number ?? 0) + 1;
    if (found.length)
      setNews([...news, ...found.map((words, index) => ({ words, number: next + index }))].slice(-SHOWN));
  }, [snapshot]);
  return news;
}

/**
 * @param {Snapshot} before
 * @param {Snapshot} now
 * @param {string[]} names
 */
function newsSince(before, now, names) {
  const { opener } = now.table;
  const runs = typeof opener === "number" ? (names[opener] ?? "") : "";
  const [words, wordsBefore] = [settingsOf(now.table), settingsOf(before.table)];
  const news = comingsAndGoings(before.table.seats, now.table.seats, now.you);
  if (words.join() !== wordsBefore.join()) news.push(t("room_changed", { name: runs, words: words.join(" · ") }));
  if (before.you !== null && now.you === null) news.push(t("room_freed"));
  else if (opener === now.you && before.table.opener !== before.you && now.you !== null) news.push(t("room_runs_you"));
  else if (runs && runs !== nameOf(before.table) && opener !== now.you) news.push(t("room_runs", { name: runs }));
  return news;
}

/** @param {Table} table */
const nameOf = (table) => table.seats[table.opener ?? -1]?.name;

/**
 * Seats may have moved, so people are compared by their names.
 * @param {Seat[]} before
 * @param {Seat[]} now
 * @param {number | null} you
 */
function comingsAndGoings(before, now, you) {
  const people = (/** @type {Seat[]} */ seats) => seats.filter((seat) => seat.kind === "person" && seat.name);
  const [old, present] = [people(before), people(now)];
  const gone = old.filter(({ name }) => !present.some((seat) => seat.name === name));
  const come = present.filter(({ name }) => !old.some((seat) => seat.name === name));
  const renamed = come.filter((seat) => gone.includes(before[now.indexOf(seat)] ?? seat));
  /** @type {string[]} */
  const news = renamed.map((seat) => t("room_renamed", { before: before[now.indexOf(seat)]?.name, name: seat.name }));
  for (const seat of come.filter((one) => !renamed.includes(one) && now.indexOf(one) !== you))
    news.push(t("room_joined", { name: seat.name }));
  for (const seat of gone.filter((one) => !renamed.some((other) => before[now.indexOf(other)] === one)))
    news.push(t("room_left", { name: seat.name }));
  return news;
}
