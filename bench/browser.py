"""What people wait for: a server that starts, first loads, a click that becomes a painted move; Lighthouse's scores.

    .venv/bin/python -m bench.browser

Needs Chromium, and Node for Lighthouse (npx fetches it from the npm registry, once). Writes its part of
docs/benchmarks.md; ends with 1 when a goal is missed.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from statistics import median
from unittest import mock

from playwright.sync_api import sync_playwright

from bench import page
from tests.browser.players import Mouse
from tests.browser.serving import ARGUMENTS, NO_BROWSER, Server, browser_path
from tests.browser.visitors import BOT, Visitors, weighed

LIGHTHOUSE = "lighthouse@12"  # the newest that runs on Node 20
CATEGORIES = ("performance", "accessibility", "best-practices", "seo")
GAMES = ("face-to-face", "quick-easy", "gra")
GOAL_SECONDS, GOAL_KILOBYTES, GOAL_MILLISECONDS, GOAL_SCORE = 3, 150, 50, 95
MATCHES = 5
PATIENCE = 300

# From the pointer coming down on a pile to the frame after the pile shows another card.
STOPWATCH = """() => {
  window.painted = [];
  addEventListener('pointerdown', (event) => {
    const name = event.target.closest('[data-pile]')?.dataset.pile;
    if (!name) return;
    const from = performance.now();
    const top = () => document.querySelector(`[data-place="pile:${name}"]`)?.textContent;
    const before = top();
    const look = () => {
      if (performance.now() - from > 5000) return;
      if (top() === before) requestAnimationFrame(look);
      else requestAnimationFrame(() => window.painted.push(performance.now() - from));
    };
    requestAnimationFrame(look);
  }, true);
}"""


class Timed(Mouse):
    """Clicks, with a stopwatch on the page."""

    def sit_down(self, game: str) -> None:
        super().sit_down(game)
        self.page.evaluate(STOPWATCH)


def ready() -> tuple[float, float]:
    """Seconds until a server says where it is: on a machine that has never run it, and the second time."""
    with tempfile.TemporaryDirectory() as folder, mock.patch.dict(os.environ, PYTHONPYCACHEPREFIX=f"{folder}/compiled"):
        return _started(Path(folder) / "data"), _started(Path(folder) / "data")


def _started(data: Path) -> float:
    began = time.perf_counter()
    with Server(data):
        return time.perf_counter() - began


def first_loads(visitors: Visitors) -> dict[str, float]:
    """Kilobytes over the wire, headers included, of the lobby and of a table of each game opened by a link."""
    sizes = {"lobby": weighed(visitors.arrive(None), "/", ".game:nth-child(3)")[0] / 1000}
    for game in GAMES:
        url = table_at(visitors.address, game)
        sizes[f"table, {game}"] = weighed(visitors.arrive(None), url, ".board-place > *")[0] / 1000
    return sizes


def clicks(visitors: Visitors) -> list[float]:
    """Milliseconds from every click of some matches to its painted move."""
    painted: list[float] = []
    for _ in range(MATCHES):
        player = Timed(visitors.arrive("/", reduced_motion="no-preference"))
        player.play("face-to-face")
        painted += player.page.evaluate("window.painted")
    return painted


def scores(url: str, browser: str, preset: str) -> dict[str, int]:
    """Each category's score, from 0 to 100; what costs points is printed too."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        command = ["npx", "--yes", "--loglevel=error", LIGHTHOUSE, url, "--quiet"]
        command += ["--output=json", f"--output-path={report}", f"--only-categories={','.join(CATEGORIES)}"]
        command += ["--chrome-flags=--headless=new --no-sandbox --disable-gpu"]
        command += ["--preset=desktop"] if preset == "desktop" else []
        for _ in range(2):  # now and then it does not find its own browser
            done = subprocess.run(command, check=False, timeout=PATIENCE, env={**os.environ, "CHROME_PATH": browser})
            if done.returncode == 0:
                break
        else:
            raise SystemExit(f"Lighthouse failed at {url}")
        found = json.loads(report.read_text("utf-8"))
    for category in CATEGORIES:
        for part in found["categories"][category]["auditRefs"]:
            audit = found["audits"][part["id"]]
            if part["weight"] and audit["score"] is not None and audit["score"] < 0.9:
                print(f"    {category}: {audit['title']} {audit.get('displayValue', '')}".rstrip())
    return {category: round(100 * found["categories"][category]["score"]) for category in CATEGORIES}


def table_at(address: str, game: str) -> str:
    """The address of a new table with one person, who is not there, and a bot."""
    wish = {"game": game, "options": {}, "seats": [None, BOT], "name": "Ada"}
    request = urllib.request.Request(f"{address}/api/tables", json.dumps(wish).encode(), {"Content-Type": "text/plain"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        return f"{address}/t/{json.load(answer)['table']}"


def judged(address: str, browser: str) -> dict[str, dict[str, int]]:
    """Lighthouse's scores of three kinds of pages, with the phone and the desktop preset."""
    pages = {"lobby": f"{address}/", "table": table_at(address, "face-to-face"), "rules": f"{address}/rules/gra"}
    return {
        f"{name}, {preset}": scores(url, browser, preset)
        for name, url in pages.items()
        for preset in ("phone", "desktop")
    }


def written(
    starts: tuple[float, float], sizes: dict[str, float], painted: list[float], found: dict[str, dict[str, int]]
) -> list[str]:
    """The part of the page."""
    lines = [
        f"Measured on {time.strftime('%Y-%m-%d', time.gmtime())} by `python -m bench.browser`, in Chromium.",
        "",
        f"Time from starting the server to the line with its address (goal: under {GOAL_SECONDS} s):",
        "",
        "| start | seconds |",
        "|---|---|",
        f"| first, nothing compiled | **{starts[0]:.1f}** |",
        f"| second | {starts[1]:.1f} |",
        "",
    ]
    lines += [f"First load over the network, headers included (goal: under {GOAL_KILOBYTES} kB):", ""]
    lines += ["| page | kB |", "|---|---|", *(f"| {name} | {size:.1f} |" for name, size in sizes.items()), ""]
    ordered = sorted(painted)
    lines += [
        f"Time from a click to the painted move (goal: under {GOAL_MILLISECONDS} ms at the median):",
        "",
        "| clicks | matches | median | p90 |",
        "|---|---|---|---|",
        f"| {len(ordered)} | {MATCHES} | **{median(ordered):.1f} ms** | {ordered[len(ordered) * 9 // 10]:.1f} ms |",
        "",
        f"Lighthouse 12 scores, with its slow phone and its desktop preset (goal: {GOAL_SCORE} everywhere):",
        "",
        f"| page | {' | '.join(CATEGORIES)} |",
        f"|---|{'---|' * len(CATEGORIES)}",
    ]
    lines += [f"| {name} | {' | '.join(map(str, each.values()))} |" for name, each in found.items()]
    return lines


def main() -> int:
    """Measure, write, and say whether every goal was reached."""
    browser = browser_path()
    if browser is None:
        print(NO_BROWSER, file=sys.stderr)
        return 1
    starts = ready()
    with tempfile.TemporaryDirectory() as data, Server(Path(data), "--quick") as server:
        with sync_playwright() as playwright:
            running = playwright.chromium.launch(executable_path=browser, args=ARGUMENTS)
            visitors = Visitors(running, server.address)
            sizes, painted = first_loads(visitors), clicks(visitors)
            visitors.close()
            running.close()
        found = judged(server.address, browser)
    lines = written(starts, sizes, painted, found)
    page.write(page.BROWSER, lines)
    print("\n".join(lines))
    lowest = min(score for each in found.values() for score in each.values())
    missed = starts[0] >= GOAL_SECONDS or max(sizes.values()) >= GOAL_KILOBYTES
    return int(missed or median(painted) >= GOAL_MILLISECONDS or lowest < GOAL_SCORE)


if __name__ == "__main__":
    sys.exit(main())
