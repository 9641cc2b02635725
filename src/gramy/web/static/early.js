// Runs before the first paint, so that a page in a chosen theme does not flash in the other one.
try { document.documentElement.dataset.theme = JSON.parse(localStorage.getItem('gramy.theme') ?? '"auto"'); } catch { /* the system's theme will do */ }
