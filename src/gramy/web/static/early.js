// Runs before the first paint, so that a page in a chosen theme does not flash in the other one.
try { document.documentElement.dataset.theme = JSON.parse(localStorage.getItem('gramy.theme') ?? '"auto"'); } catch { /* the system's theme will do */ }

// What the page at this address will ask for is on its way before the modules that ask for it have been read.
const ahead = {
  t: ['table/table.js', 'connection.js', 'table/board.js', 'table/menu.js', 'table/invitation.js', 'table/log.js', 'table/result.js', 'table/seats.js', 'table/story.js', 'table/talk.js', 'table/telling.js', 'table/vanished.js', 'lobby/open.js', 'sound.js', 'ui/styles.js'],
  '': ['lobby/lobby.js', 'lobby/open.js', 'lobby/form.js', 'lobby/tables.js'],
}[location.pathname.split('/')[1]] ?? [];
for (const file of ahead) document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href: `/static/${file}` }));

// The words too: the remembered language, or the first of the browser's that is spoken here (as text.js finds it).
let wish = '';
try { wish = JSON.parse(localStorage.getItem('gramy.language') ?? '""'); } catch { /* the browser's languages will do */ }
const language = [wish, ...navigator.languages].map((one) => one.slice(0, 2).toLowerCase()).find((one) => ['en', 'pl', 'de'].includes(one)) ?? 'en';
document.head.append(Object.assign(document.createElement('link'), { rel: 'preload', as: 'fetch', crossOrigin: 'anonymous', href: `/api/text/${language}` }));
