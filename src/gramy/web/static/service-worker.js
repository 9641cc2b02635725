// Keeps the client for when there is no connection: its files, never an answer of the API, never anything private.
//
// The network always comes first, so nobody is served an outdated client. What is kept is used only when the network
// fails. Every page that arrives names the version of the server's client. If that is another one, everything kept is
// deleted at once, and the browser fetches the new worker.

/** The server fills in the version of the client, and the files that belong to it with their hashes. */
const VERSION = "";
/** @type {Record<string, string>} */
const FILES = {};

const worker = /** @type {any} */ (self); // the types of this project are those of a page
const KEPT = `gramy-${VERSION}`;
const SHELL = "/offline";

/** Files that are fetched at the same time, so that the page itself does not wait for them. */
const AT_ONCE = 2;

/**
 * Fetch a file and check that it is the one of this version: the server may be updated meanwhile. Most files are in the
 * browser's own cache already.
 * @param {Cache} cache
 * @param {string} path
 * @param {string} etag
 */
async function keep(cache, path, etag) {
  for (const mode of /** @type {const} */ (["force-cache", "reload"])) {
    const response = await fetch(path, { cache: mode, credentials: "omit" });
    if (response.ok && response.headers.get("ETag") === etag) return cache.put(path, response);
  }
  throw new Error(`another version of ${path}`);
}

/** Keep all files of this version, or none. */
async function keepAll() {
  const cache = await caches.open(KEPT);
  const waiting = Object.entries(FILES);
  const work = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) await keep(cache, ...next);
  };
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  } catch (error) {
    await caches.delete(KEPT);
    throw error;
  }
}

/** Delete everything that is kept, except the files of this version if they are wanted. */
async function deleteKept(except = "") {
  const names = await caches.keys();
  await Promise.all(
    names.filter((name) => name.startsWith("gramy-") && name !== except).map((one) => caches.delete(one)),
  );
}

worker.addEventListener("install", (/** @type {any} */ event) => {
  event.waitUntil(keepAll().then(() => worker.skipWaiting()));
});

worker.addEventListener("activate", (/** @type {any} */ event) => {
  event.waitUntil(deleteKept(KEPT).then(() => worker.clients.claim()));
});

/** @param {Request} request */
async function openPage(request) {
  let response;
  try {
    response = await fetch(request);
  } catch (error) {
    const shell = await caches.match(SHELL, { cacheName: KEPT });
    if (shell) return shell;
    throw error;
  }
  const version = response.headers.get("Gramy-Version");
  if (version && version !== VERSION) {
    await deleteKept();
    worker.registration.update().catch(() => {}); // the next page asks again
  }
  return response;
}

/** @param {Request} request */
async function loadFile(request) {
  try {
    return await fetch(request);
  } catch (error) {
    const found = await caches.match(new URL(request.url).pathname, { cacheName: KEPT });
    if (found) return found;
    throw error;
  }
}

worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.mode === "navigate") event.respondWith(openPage(request));
  else if (pathname in FILES) event.respondWith(loadFile(request));
});

// A notification leads back to the table that it is about.
worker.addEventListener("notificationclick", (/** @type {any} */ event) => {
  event.notification.close();
  const path = event.notification.data?.path ?? "/";
  event.waitUntil(
    (async () => {
      const windows = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
      const open = windows.find((/** @type {any} */ one) => new URL(one.url).pathname === path);
      await (open ? open.focus() : worker.clients.openWindow(path));
    })(),
  );
});
