"""A table's page is as high as its window: it never scrolls, and the log scrolls in itself."""

from __future__ import annotations

from playwright.sync_api import Page

# Measures the page after every change.
MEASURE = """() => {
  window.overflow = new Set();
  const measure = () => {
    const page = document.scrollingElement;
    const table = document.querySelector('.table-page');
    if (!table) return;
    if (page.scrollHeight !== innerHeight || page.scrollWidth > innerWidth || scrollY)
      window.overflow.add(`page ${page.scrollWidth} x ${page.scrollHeight} at ${scrollY}`);
    if (table.scrollHeight > table.clientHeight || table.scrollTop) window.overflow.add(`table ${table.scrollHeight}`);
  };
  // the board takes its room before the second frame
  new MutationObserver(() => requestAnimationFrame(() => requestAnimationFrame(measure)))
    .observe(document.body, { childList: true, subtree: true, characterData: true });
}"""


def watch_the_height(page: Page) -> None:
    """Measure the page after every change, from the next document on."""
    page.add_init_script(f"document.addEventListener('DOMContentLoaded', {MEASURE})")


def check_that_the_page_never_grew(page: Page) -> None:
    """Assert that since `watch_the_height` the page was never larger than its window, and never scrolled."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert page.evaluate("[...window.overflow]") == []
    assert page.evaluate("scrollY") == 0
    assert page.locator(".bar").evaluate("bar => bar.getBoundingClientRect().top") == 0


def turn_the_wheel(page: Page) -> None:
    """Turn the wheel over the table, and over the log where it stands beside it."""
    for selector in (".board-place", ".bar", ".beside"):
        place = page.locator(selector).first
        if place.is_visible():
            place.hover(force=True, position={"x": 5, "y": 5})
            page.mouse.wheel(0, 600)


def check_that_the_log_scrolls_in_itself(page: Page) -> None:
    """Assert that after a long match the log beside the board is longer than its box, and shows its last line."""
    box = page.locator(".beside .log-lines")
    sizes = box.evaluate("box => [box.scrollHeight, box.clientHeight, box.scrollTop]")
    assert sizes[0] > sizes[1] > 100
    assert sizes[2] > 0  # it follows the last line
