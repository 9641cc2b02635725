"""What axe finds on a page as it is now, in the dark and in the light."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from playwright.sync_api import Page

# Whatever ends by itself has ended; what goes on for ever, a pulse, may go on.
SETTLED = """() => Promise.all(document.getAnimations()
  .filter((one) => one.effect?.getComputedTiming().endTime !== Infinity).map((one) => one.finished.catch(() => null)))
  .then(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))"""
RUN = """() => axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.flatMap(
  ({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary}`)))"""


@cache
def _axe() -> str:
    return (Path(__file__).parent / "vendor" / "axe.min.js").read_text("utf-8")


def violations(page: Page, *themes: str) -> list[str]:
    """A line for each thing that keeps somebody out; both themes unless some are named."""
    found = []
    for theme in themes or ("dark", "light"):
        page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
        page.evaluate(SETTLED)
        if not page.evaluate("'axe' in window"):
            page.evaluate(_axe())  # a script element would be against the page's own policy
        found += [f"{theme}: {what}" for what in page.evaluate(RUN)]
    return found
