"""Find controls that a user cannot reach: covered, cut off, or behind a scroll that nothing shows."""

from __future__ import annotations

from playwright.sync_api import Page

from tests.browser.accessibility import SETTLED

# A control is reachable if, scrolled into view, a touch somewhere in it hits it. What had to be scrolled must have
# shown that there is more: `data-more` is what more.js sets, and the styles draw.
UNREACHABLE = """() => {
  const open = [...document.querySelectorAll('dialog[open]')].at(-1);
  const places = [...document.querySelectorAll('body *')].filter((one) => one.scrollTop || one.scrollLeft)
    .map((one) => [one, one.scrollTop, one.scrollLeft]);
  const name = (one) => `${one.tagName.toLowerCase()}.${one.className} “${
    (one.getAttribute('aria-label') ?? one.innerText ?? '').trim().slice(0, 40)}”`;
  const scrolls = (one) =>
    /auto|scroll/.test(getComputedStyle(one).overflowY) && one.scrollHeight > one.clientHeight + 1;
  const problems = [];
  const above = document.querySelector('.result'); // it can be put away
  const goBack = () => {
    document.querySelectorAll('body *').forEach((one) => {
      if (one.scrollTop) one.scrollTop = 0;
      if (one.scrollLeft) one.scrollLeft = 0;
    });
    places.forEach(([one, top, left]) => { one.scrollTop = top; one.scrollLeft = left; });
    scrollTo(0, 0);
  };
  const selector = 'button:not(:disabled), a[href], input, select, summary';
  for (const control of (open ?? document).querySelectorAll(selector)) {
    if (control.closest('[inert], .skip') || !control.checkVisibility({ visibilityProperty: true })) continue;
    if (above && control.closest('.board-place')) continue;
    goBack();
    const shown = control.matches('.sr') ? control.closest('label') : control;
    const scrollers = [];
    for (let one = shown.parentElement; one; one = one.parentElement) if (scrolls(one)) scrollers.push(one);
    const hidden = scrollers.filter((one) => {
      const box = shown.getBoundingClientRect(), frame = one.getBoundingClientRect();
      return box.top > frame.bottom - 12 || box.bottom < frame.top + 12;
    });
    for (const one of hidden)
      if (one !== document.scrollingElement && !one.dataset.more)
        problems.push(`no cue: ${one.className} hides ${name(shown)}`);
    shown.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
    const box = shown.getBoundingClientRect();
    let hits = 0;
    for (let i = 1; i < 10; i++) for (let j = 1; j < 10; j++) {
      const [x, y] = [box.left + box.width * i / 10, box.top + box.height * j / 10];
      if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) continue;
      const hit = document.elementFromPoint(x, y);
      if (hit && (shown.contains(hit) || hit.contains(control) && hit.matches('label'))) hits++;
    }
    const cut = Math.max(box.bottom - innerHeight, box.right - innerWidth, -box.top, -box.left);
    if (cut > 8 && box.height < innerHeight) problems.push(`cut off by ${Math.round(cut)}: ${name(shown)}`);
    if (hits < 16) problems.push(`${hits} of 81 points: ${name(shown)}`);
  }
  if (document.documentElement.scrollWidth > innerWidth) problems.push('the page is wider than the screen');
  goBack();
  return [...new Set(problems)];
}"""


def unreachable(page: Page) -> list[str]:
    """Return a line for each control that cannot be reached."""
    found: list[str] = page.evaluate(UNREACHABLE)
    return found


def resize(page: Page, width: int, height: int) -> None:
    """Change the size of a window and wait until the page has been laid out again."""
    page.set_viewport_size({"width": width, "height": height})
    page.wait_for_function("width => innerWidth === width", arg=width)
    page.evaluate(SETTLED)
