"""Take the screenshots in docs/screens: every screen on a desktop and on a phone, in the dark and the light theme.

    .venv/bin/python -m bench.screens [name ...]

The server deals from a fixed seed, so the cards are the same each time if the bots answer in the same order. Names
select screenshots: `lobby`, `phone-light`, `desk-dark-gra`.
"""

from __future__ import annotations

import base64
import struct
import sys
import tempfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import Browser, Error, Page, expect, sync_playwright

from tests.browser.accessibility import SETTLED
from tests.browser.players import BID, CHECK, CONFIRM, LIVE_CARD, Mouse, edge
from tests.browser.server import BROWSER_ARGUMENTS, NO_BROWSER, Server, browser_path
from tests.browser.users import BOT, DESK, PHONE, Users, finish, open_table, text_of, title

FOLDER = Path(__file__).parent.parent / "docs" / "screens"
LARGEST = 200_000
ANALYSIS_TIMEOUT = 180_000  # milliseconds; the first analysis may wait for the compiler
TRIES = 3  # a busy machine can be too slow for a player that reads the page
# The server with a fixed seed for its deals; tokens stay random.
FIXED_SEED_SERVER = """
import random, secrets, sys
class FixedRandom(random.Random):
    def __init__(self):
        super().__init__(7)
random.SystemRandom = FixedRandom
from gramy.cli import main
main(sys.argv[1:])
"""
FOUR_PLAYERS = {"options": {"players": "4", "jokers": "on", "fewer_cards": "on"}}  # five cards each


# Reduces an image to 256 colours (median cut).
FEWER_COLOURS = """async ({ png, soft }) => {
  const picture = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob());
  const { width, height } = picture;
  const canvas = new OffscreenCanvas(width, height).getContext('2d');
  canvas.drawImage(picture, 0, 0);
  const pixels = new Uint32Array(canvas.getImageData(0, 0, width, height).data.buffer);
  const counts = new Map();
  for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
  const part = (colour, channel) => (colour >> (8 * channel)) & 255;
  const makeBox = (colours) => {
    let box = { colours, spread: -1, channel: 0 };
    for (const channel of [0, 1, 2]) {
      const values = colours.map((colour) => part(colour, channel));
      const spread = values.reduce((a, b) => Math.max(a, b)) - values.reduce((a, b) => Math.min(a, b));
      if (spread > box.spread) box = { colours, spread, channel };
    }
    const weight = colours.reduce((sum, colour) => sum + counts.get(colour), 0);
    return { ...box, priority: box.spread * Math.sqrt(weight) };
  };
  const boxes = [makeBox([...counts.keys()])];
  while (boxes.length < 256) {
    const at = boxes.reduce((best, box, index) => (box.priority > boxes[best].priority ? index : best), 0);
    const { colours, spread, channel } = boxes[at];
    if (!spread) break;
    const middle = colours.map((colour) => part(colour, channel)).sort((a, b) => a - b)[colours.length >> 1];
    const least = colours.map((colour) => part(colour, channel)).reduce((a, b) => Math.min(a, b));
    const cut = middle > least ? middle : middle + 1;
    const [low, high] = [colours.filter((c) => part(c, channel) < cut), colours.filter((c) => part(c, channel) >= cut)];
    boxes.splice(at, 1, makeBox(low), makeBox(high));
  }
  const palette = boxes.map(({ colours }) => {
    const weight = colours.reduce((sum, colour) => sum + counts.get(colour), 0);
    return [0, 1, 2].map((channel) =>
      Math.round(colours.reduce((sum, colour) => sum + part(colour, channel) * counts.get(colour), 0) / weight));
  });
  const known = new Map();
  const nearest = (r, g, b) => {
    const key = (r << 16) | (g << 8) | b;
    let best = known.get(key);
    if (best !== undefined) return best;
    let least = Infinity;
    palette.forEach(([pr, pg, pb], number) => {
      const distance = (pr - r) ** 2 + (pg - g) ** 2 + (pb - b) ** 2;
      if (distance < least) [least, best] = [distance, number];
    });
    known.set(key, best);
    return best;
  };
  // Floyd–Steinberg dithering, softened, keeps gradients smooth.
  const indexes = new Uint8Array(pixels.length);
  let [below, now] = [new Float32Array(3 * (width + 2)), new Float32Array(3 * (width + 2))];
  for (let y = 0; y < height; y += 1) {
    [now, below] = [below, now.fill(0)];
    for (let x = 0; x < width; x += 1) {
      const at = y * width + x, cell = 3 * (x + 1);
      const wanted = [0, 1, 2].map((c) => Math.max(0, Math.min(255, Math.round(part(pixels[at], c) + now[cell + c]))));
      indexes[at] = nearest(...wanted);
      for (const c of [0, 1, 2]) {
        const error = Math.max(-8, Math.min(8, wanted[c] - palette[indexes[at]][c])) * soft;
        now[cell + 3 + c] += (error * 7) / 16;
        below[cell - 3 + c] += (error * 3) / 16;
        below[cell + c] += (error * 5) / 16;
        below[cell + 3 + c] += error / 16;
      }
    }
  }
  let text = '';
  for (let at = 0; at < indexes.length; at += 8192) text += String.fromCharCode(...indexes.subarray(at, at + 8192));
  return { width, height, palette: palette.flat(), indexes: btoa(text) };
}"""
MY_TURN_AGAIN = """lines => document.querySelector('.table-page.my-turn')
  && document.querySelectorAll('.beside .log-line').length > lines"""


class Screen(NamedTuple):
    """One screenshot: its name, how to get there, and whether animations run."""

    name: str
    go: Callable[[Page, str], None]
    moving: bool = False


def lobby(page: Page, language: str) -> None:
    page.goto("/")
    page.locator(".game").nth(2).wait_for()


def form(page: Page, language: str) -> None:
    lobby(page, language)
    page.get_by_role("button", name=f"{text_of('open_table', language)}: {title('gra', language)}").click()
    page.locator("dialog[open] form").wait_for()
    page.locator(".choice-one", has_text="4").first.click()
    bots = page.locator(".seat-pick .choice-one", has_text=text_of("seat_bot", language))
    for seat in (1, 2):
        bots.nth(seat).click()


def invitation(page: Page, language: str) -> None:
    open_table(page, "gra", [None, None, BOT])
    page.locator(".qr").wait_for()


def duel(page: Page, language: str) -> None:
    open_table(page, "face-to-face", [None, BOT])
    _lay_some(page, turns=2)


def team(page: Page, language: str) -> None:
    open_table(page, "quick-easy", [None, BOT, BOT])
    _lay_some(page, turns=2)


def bids(page: Page, language: str) -> None:
    open_table(page, "gra", [None, BOT, BOT, BOT], **FOUR_PLAYERS)
    page.locator(CONFIRM).click()
    page.locator(f"{BID}, {CHECK}").first.wait_for()


def reveal(page: Page, language: str) -> None:
    bids(page, language)
    if page.locator(CHECK).count() == 0:
        page.locator(BID).click()
        page.locator(f"{CHECK}, .gra-reveal").first.wait_for()
    if page.locator(CHECK).count():
        page.locator(CHECK).click()
    page.wait_for_function("() => document.querySelectorAll('.gra-open.shown').length > 11")


def result(page: Page, language: str) -> None:
    table = open_table(page, "face-to-face", [None, BOT])
    page.locator("[data-card]").first.wait_for()
    finish(page, table)
    page.locator("#result").wait_for()


def replay(page: Page, language: str) -> None:
    result(page, language)
    page.get_by_role("link", name=text_of("to_replay", language)).click()
    slider = page.get_by_role("slider")
    slider.wait_for()
    slider.fill(str(int(slider.get_attribute("max") or 0) * 2 // 3))


def hint(page: Page, language: str) -> None:
    bids(page, language)
    page.keyboard.press("h")
    page.locator(".gra-send [data-highlighted]").wait_for()


def analysis(page: Page, language: str) -> None:
    result(page, language)
    page.get_by_role("link", name=text_of("to_replay", language)).click()
    page.get_by_role("button", name=text_of("analyse", language)).click()
    page.locator(".chart").wait_for(timeout=ANALYSIS_TIMEOUT)
    page.keyboard.press("n")


def lesson(page: Page, language: str) -> None:
    page.goto("/learn/face-to-face")
    page.locator(".teacher-foot .primary").click()
    page.locator("[data-pile][data-highlighted]").wait_for()


def rules(page: Page, language: str) -> None:
    page.goto("/rules/face-to-face")
    page.locator("article figure").first.evaluate("figure => figure.scrollIntoView({ block: 'center' })")


def _lay_some(page: Page, turns: int) -> None:
    """Play some turns, then pick a card, so that the piles show what it would cost."""
    page.locator(".table-page.my-turn").wait_for()
    for _ in range(turns):
        while page.locator("[data-button=end][aria-disabled=false]").count() == 0:
            lines = page.locator(".beside .log-line").count()
            _lay_cheapest(page)
            page.wait_for_function(MY_TURN_AGAIN, arg=lines)
        lines = page.locator(".beside .log-line").count()
        Mouse(page).end()
        page.wait_for_function(MY_TURN_AGAIN, arg=lines)
    card = page.locator(LIVE_CARD).first
    card.click(position=edge(card))
    page.locator(".pile.open").first.wait_for()


def _lay_cheapest(page: Page) -> None:
    """Lay the card that costs least."""
    best: tuple[int, int, str] | None = None
    cards = page.locator("[data-card]")
    for at in range(cards.count()):
        cards.nth(at).click(position=edge(cards.nth(at)))
        page.locator(".pile.open, .pile.closed").first.wait_for()
        for pile in page.locator(".pile.open").all():
            badge = pile.locator(".badge").inner_text().replace("−", "-").replace("+", "")
            cost = int(badge) if badge.lstrip("-").isdigit() else 5
            if best is None or cost < best[0]:
                best = (cost, at, pile.get_attribute("data-pile") or "")
        page.keyboard.press("Escape")
    assert best is not None
    card = cards.nth(best[1])
    card.click(position=edge(card))
    page.locator(f'[data-pile="{best[2]}"]').click()


SCREENS = (
    Screen("lobby", lobby),
    Screen("open", form),
    Screen("invitation", invitation),
    Screen("face-to-face", duel),
    Screen("quick-easy", team),
    Screen("gra", bids),
    Screen("gra-reveal", reveal, moving=True),
    Screen("result", result),
    Screen("replay", replay),
    Screen("hint", hint),
    Screen("analysis", analysis),
    Screen("rules", rules),
    Screen("lesson", lesson),
)
DEVICES: dict[str, dict[str, Any]] = {
    "desk": {"viewport": DESK},
    "phone": {"viewport": PHONE, "has_touch": True},
}
TRANSLATED = {
    "pl": ("lobby", "face-to-face", "lesson", "rules"),
    "de": ("lobby", "quick-easy", "gra"),
}  # some screens in other languages


def smaller(browser: Browser, png: bytes) -> bytes:
    """Return the image with a palette, a third of its size, dithered as far as the limit allows."""
    page = browser.new_page()
    packed = b""
    for soft in (0.75, 0.4, 0):
        packed = _palette_png(page.evaluate(FEWER_COLOURS, {"png": base64.b64encode(png).decode(), "soft": soft}))
        if len(packed) < LARGEST:
            break
    page.context.close()
    return packed


def _palette_png(image: dict[str, Any]) -> bytes:
    width, height = image["width"], image["height"]
    indexes = base64.b64decode(image["indexes"])
    rows = b"".join(b"\0" + indexes[row * width : (row + 1) * width] for row in range(height))
    chunks = [
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)),
        (b"PLTE", bytes(image["palette"])),
        (b"IDAT", zlib.compress(rows, 9)),
        (b"IEND", b""),
    ]
    packed = (
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body)) for kind, body in chunks
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(packed)


def take(browser: Browser, server: Server, screen: Screen, path: Path, language: str, about: dict[str, Any]) -> None:
    """Take one screenshot of a new user's page."""
    users = Users(browser, server.address)
    motion = "no-preference" if screen.moving else "reduce"
    page = users.open_page(None, locale=language, reduced_motion=motion, **about)
    page.add_init_script("localStorage['gramy.nickname'] ??= '\"Ada\"'")
    try:
        screen.go(page, language)
        if not screen.moving:
            page.evaluate(SETTLED)
        page.evaluate("document.fonts.ready")
        path.write_bytes(smaller(browser, page.screenshot()))
    finally:
        users.close()
    if users.unexpected():
        raise SystemExit(f"{path.stem}: {users.unexpected()}")


def main(chosen: list[str]) -> None:
    """Take all screenshots, or those whose name contains one of the given words."""
    browser_at = browser_path()
    if browser_at is None:
        raise SystemExit(NO_BROWSER)
    FOLDER.mkdir(parents=True, exist_ok=True)
    wanted = [
        (f"{device}-{theme}-{screen.name}", screen, "en", {**about, "color_scheme": theme})
        for device, about in DEVICES.items()
        for theme in ("dark", "light")
        for screen in SCREENS
    ]
    wanted += [
        (f"{device}-{theme}-{screen.name}-{language}", screen, language, {**DEVICES[device], "color_scheme": theme})
        for language, names in TRANSLATED.items()
        for screen in SCREENS
        if screen.name in names
        for device, theme in (("desk", "light"), ("phone", "dark"))
    ]
    wanted = [one for one in wanted if not chosen or any(word in one[0] for word in chosen)]
    expect.set_options(timeout=30_000)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_at, args=BROWSER_ARGUMENTS)
        for name, screen, language, about in wanted:
            path = FOLDER / f"{name}.png"
            for attempt in range(TRIES):
                # A server for each, so that no screenshot depends on those before it.
                with (
                    tempfile.TemporaryDirectory() as data,
                    Server(Path(data), "--quick", program=("-c", FIXED_SEED_SERVER)) as server,
                ):
                    try:
                        take(browser, server, screen, path, language, about)
                        break
                    except (AssertionError, Error):
                        if attempt == TRIES - 1:
                            raise
            size = path.stat().st_size
            print(f"{size / 1000:6.0f} kB  {path.relative_to(FOLDER.parent.parent)}", flush=True)
            if size > LARGEST:
                print(f"           more than {LARGEST / 1000:.0f} kB", file=sys.stderr)
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
