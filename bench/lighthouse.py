"""Lighthouse's scores for the lobby and a table, of a server of its own or of one that runs already.

    .venv/bin/python -m bench.lighthouse [http://localhost:8484]

Needs Node (npx fetches Lighthouse from the npm registry, once) and Chromium. Prints a line for each page and kind of
device; ends with 1 when a score is below 95.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path

from tests.browser.serving import NO_BROWSER, Server, browser_path

LIGHTHOUSE = "lighthouse@12"  # the newest that runs on Node 20
CATEGORIES = ("performance", "accessibility", "best-practices", "seo")
ENOUGH = 95
PATIENCE = 300


def scores(url: str, browser: str, preset: str) -> dict[str, int]:
    """Each category's score, from 0 to 100; what costs points is printed too."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        command = [
            "npx",
            "--yes",
            "--loglevel=error",
            LIGHTHOUSE,
            url,
            "--quiet",
            "--output=json",
            f"--output-path={report}",
        ]
        command += [
            f"--only-categories={','.join(CATEGORIES)}",
            "--chrome-flags=--headless=new --no-sandbox --disable-gpu",
        ]
        command += ["--preset=desktop"] if preset == "desk" else []
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
    wish = {"game": game, "options": {}, "seats": [None, {"bot": "easy"}], "name": "Ada"}
    request = urllib.request.Request(f"{address}/api/tables", json.dumps(wish).encode(), {"Content-Type": "text/plain"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        return f"{address}/t/{json.load(answer)['table']}"


def measure(address: str, browser: str) -> bool:
    """Print the scores of each page; whether all are high enough."""
    good = True
    print(f"{'':28}" + "".join(f"{category:>16}" for category in CATEGORIES))
    pages = {"lobby": f"{address}/", "table": table_at(address, "face-to-face"), "rules": f"{address}/rules/gra"}
    for name, url in pages.items():
        for preset in ("phone", "desk"):
            found = scores(url, browser, preset)
            print(f"{name + ', ' + preset:28}" + "".join(f"{score:16}" for score in found.values()), flush=True)
            good = good and min(found.values()) >= ENOUGH
    return good


def main(arguments: list[str]) -> int:
    """Measure the server that is named, or one that is started for it."""
    browser = browser_path()
    if browser is None:
        print(NO_BROWSER, file=sys.stderr)
        return 1
    if arguments:
        return 0 if measure(arguments[0].rstrip("/"), browser) else 1
    with tempfile.TemporaryDirectory() as data, Server(Path(data), "--quick") as server:
        return 0 if measure(server.address, browser) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
