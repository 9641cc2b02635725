"""What a screen reader hears and reads in a page, and the codes of cards and bids that it must never hear."""

from __future__ import annotations

import re

from playwright.sync_api import Page

CODE = r"(?<![\w#])(?:[RBGYS](?:10|[1-9])|(?:help-)?(?:up|down) \w+|\d+ ?[x×] ?\d+|bid \d\w+)(?!\w)"
# Collects all that the live region says, and every text or name that a screen reader can read meanwhile.
LISTEN = r"""() => {
  window.announced = [];
  window.readable = new Set();
  const hidden = (element) => element.closest('[aria-hidden=true], script, style, [hidden]');
  const look = (root) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      if (node.textContent.trim() && !hidden(node.parentElement)) window.readable.add(node.textContent.trim());
    for (const element of root.querySelectorAll('[aria-label], [title], [alt], [aria-valuetext]'))
      if (!hidden(element)) for (const name of ['aria-label', 'title', 'alt', 'aria-valuetext'])
        if (element.getAttribute(name)) window.readable.add(element.getAttribute(name));
  };
  const region = document.getElementById('announcements');
  new MutationObserver(() => region.textContent.trim() && window.announced.push(region.textContent.trim()))
    .observe(region, { childList: true, characterData: true, subtree: true });
  new MutationObserver(() => look(document.body))
    .observe(document.body, { childList: true, characterData: true, subtree: true, attributes: true });
  look(document.body);
}"""


def listen(page: Page) -> None:
    """Collect all that the live region says and that can be read, from the next document on."""
    page.add_init_script(f"document.addEventListener('DOMContentLoaded', {LISTEN})")


def heard(page: Page) -> list[str]:
    """Return all that the live region has said since LISTEN."""
    found: list[str] = page.evaluate("window.announced")
    return found


def codes(page: Page) -> list[str]:
    """Return what the page has announced or named with a code."""
    texts = [*heard(page), *page.evaluate("[...window.readable]")]
    return [text for text in texts if re.search(CODE, text)]
