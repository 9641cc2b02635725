"""Makes the pictures in docs/screens: every screen on a desk and on a phone, in the dark and in the light.

    .venv/bin/python -m bench.screens [name ...]

The luck of the server is fixed, so the cards are the same each time, as far as bots answer in the same order. Names
given choose among the pictures: `lobby`, `phone-light`, `desk-dark-gra`.
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

from tests.browser.access import SETTLED
from tests.browser.players import BID, CHECK, CONFIRM, LIVE_CARD, Mouse, edge
from tests.browser.serving import ARGUMENTS, NO_BROWSER, Server, browser_path
from tests.browser.visitors import BOT, DESK, PHONE, Visitors, finish, open_table, title, words

FOLDER = Path(__file__).parent.parent / "docs" / "screens"
LARGEST = 200_000
TRIES = 3  # a busy machine can be too slow for somebody who plays by looking
# The server as it is, but dealt from one seed; secrets stay secret.
LUCKY = """
import random, secrets, sys
class Luck(random.Random):
    def __init__(self):
        super().__init__(7)
random.SystemRandom = Luck
from gramy.cli import main
main(sys.argv[1:])
"""
COMPANY = {"options": {"players": "4", "jokers": "on", "fewer_cards": "on"}}  # five cards each: a rich table


# An image with at most 256 colours: those that are there, the most different ones kept apart (median cut).
FEWER_COLOURS = """async ({ png, soft }) => {
  const picture = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob());
  const { width, height } = picture;
  const canvas = new OffscreenCanvas(width, height).getContext('2d');
  canvas.drawImage(picture, 0, 0);
  const pixels = new Uint32Array(canvas.getImageData(0, 0, width, height).data.buffer);
  const counts = new Map();
  for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
  const part = (colour, channel) => (colour >> (8 * channel)) & 255;
  const measured = (colours) => {
    let box = { colours, spread: -1, channel: 0 };
    for (const channel of [0, 1, 2]) {
      const values = colours.map((colour) => part(colour, channel));
      const spread = values.reduce((a, b) => Math.max(a, b)) - values.reduce((a, b) => Math.min(a, b));
      if (spread > box.spread) box = { colours, spread, channel };
    }
    const weight = colours.reduce((sum, colour) => sum + counts.get(colour), 0);
    return { ...box, worth: box.spread * Math.sqrt(weight) };
  };
  const boxes = [measured([...counts.keys()])];
  while (boxes.length < 256) {
    const at = boxes.reduce((best, box, index) => (box.worth > boxes[best].worth ? index : best), 0);
    const { colours, spread, channel } = boxes[at];
    if (!spread) break;
    const middle = colours.map((colour) => part(colour, channel)).sort((a, b) => a - b)[colours.length >> 1];
    const least = colours.map((colour) => part(colour, channel)).reduce((a, b) => Math.min(a, b));
    const cut = middle > least ? middle : middle + 1;
    const [low, high] = [colours.filter((c) => part(c, channel) < cut), colours.filter((c) => part(c, channel) >= cut)];
    boxes.splice(at, 1, measured(low), measured(high));
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
      const away = (pr - r) ** 2 + (pg - g) ** 2 + (pb - b) ** 2;
      if (away < least) [least, best] = [away, number];
    });
    known.set(key, best);
    return best;
  };
  // What a pixel is off by goes on to its neighbours (Floyd and Steinberg, softened), so that gradients stay smooth.
  const indexes = new Uint8Array(pixels.length);
  let [below, now] = [new Float32Array(3 * (width + 2)), new Float32Array(3 * (width + 2))];
  for (let y = 0; y < height; y += 1) {
    [now, below] = [below, now.fill(0)];
    for (let x = 0; x < width; x += 1) {
      const at = y * width + x, cell = 3 * (x + 1);
      const wish = [0, 1, 2].map((c) => Math.max(0, Math.min(255, Math.round(part(pixels[at], c) + now[cell + c]))));
      indexes[at] = nearest(...wish);
      for (const c of [0, 1, 2]) {
        const off = Math.max(-8, Math.min(8, wish[c] - palette[indexes[at]][c])) * soft;
        now[cell + 3 + c] += (off * 7) / 16;
        below[cell - 3 + c] += (off * 3) / 16;
        below[cell + c] += (off * 5) / 16;
        below[cell + 3 + c] += off / 16;
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
    """One picture to be: what is on it, how to get there, and whether things may move."""

    name: str
    go: Callable[[Page, str], None]
    moving: bool = False


def lobby(page: Page, language: str) -> None:
    page.goto("/")
    page.locator(".game").nth(2).wait_for()


def form(page: Page, language: str) -> None:
    lobby(page, language)
    page.get_by_role("button", name=f"{words('open_table', language)}: {title('gra', language)}").click()
    page.locator("dialog[open] form").wait_for()
    page.locator(".choice-one", has_text="4").first.click()
    bots = page.locator(".seat-pick .choice-one", has_text=words("seat_bot", language))
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
    open_table(page, "gra", [None, BOT, BOT, BOT], **COMPANY)
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
    page.get_by_role("link", name=words("to_replay", language)).click()
    slider = page.get_by_role("slider")
    slider.wait_for()
    slider.fill(str(int(slider.get_attribute("max") or 0) * 2 // 3))


def hint(page: Page, language: str) -> None:
    bids(page, language)
    page.keyboard.press("h")
    page.locator(".gra-send [data-pointed]").wait_for()


def analysis(page: Page, language: str) -> None:
    result(page, language)
    page.get_by_role("link", name=words("to_replay", language)).click()
    page.get_by_role("button", name=words("analyse", language)).click()
    page.locator(".chart").wait_for()
    page.keyboard.press("n")


def lesson(page: Page, language: str) -> None:
    page.goto("/learn/face-to-face")
    page.locator(".teacher-foot .primary").click()
    page.locator("[data-pile][data-pointed]").wait_for()


def rules(page: Page, language: str) -> None:
    page.goto("/rules/face-to-face")
    page.locator("article h1").wait_for()


def _lay_some(page: Page, turns: int) -> None:
    """Play a little, so that something lies there; then pick a card, so that the piles say what it would cost."""
    page.locator(".table-page.my-turn").wait_for()
    for _ in range(turns):
        while page.locator("[data-button=end][aria-disabled=false]").count() == 0:
            lines = page.locator(".beside .log-line").count()
            _cheapest(page)
            page.wait_for_function(MY_TURN_AGAIN, arg=lines)
        lines = page.locator(".beside .log-line").count()
        Mouse(page).end()
        page.wait_for_function(MY_TURN_AGAIN, arg=lines)
    card = page.locator(LIVE_CARD).first
    card.click(position=edge(card))
    page.locator(".pile.open").first.wait_for()


def _cheapest(page: Page) -> None:
    """Lay the card that costs least, as somebody would who wants to go on."""
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
ELSEWHERE = {
    "pl": ("lobby", "face-to-face", "lesson", "rules"),
    "de": ("lobby", "quick-easy", "gra"),
}  # some screens, as others see them


def smaller(browser: Browser, png: bytes) -> bytes:
    """The same picture with a palette, as smooth as the size allows: a third of the bytes."""
    page = browser.new_page()
    packed = b""
    for soft in (0.75, 0.4, 0):
        packed = _palette_png(page.evaluate(FEWER_COLOURS, {"png": base64.b64encode(png).decode(), "soft": soft}))
        if len(packed) < LARGEST:
            break
    page.context.close()
    return packed


def _palette_png(found: dict[str, Any]) -> bytes:
    width, height = found["width"], found["height"]
    indexes = base64.b64decode(found["indexes"])
    rows = b"".join(b"\0" + indexes[row * width : (row + 1) * width] for row in range(height))
    chunks = [
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)),
        (b"PLTE", bytes(found["palette"])),
        (b"IDAT", zlib.compress(rows, 9)),
        (b"IEND", b""),
    ]
    packed = (
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body)) for kind, body in chunks
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(packed)


def picture(browser: Browser, server: Server, screen: Screen, path: Path, language: str, about: dict[str, Any]) -> None:
    """Take one picture, of one visitor's page."""
    visitors = Visitors(browser, server.address)
    still = "no-preference" if screen.moving else "reduce"
    page = visitors.arrive(None, locale=language, reduced_motion=still, **about)
    page.add_init_script("localStorage['gramy.nickname'] ??= '\"Ada\"'")
    try:
        screen.go(page, language)
        if not screen.moving:
            page.evaluate(SETTLED)
        page.evaluate("document.fonts.ready")
        path.write_bytes(smaller(browser, page.screenshot()))
    finally:
        visitors.close()
    if visitors.unexpected():
        raise SystemExit(f"{path.stem}: {visitors.unexpected()}")


def main(chosen: list[str]) -> None:
    """Make the pictures, or those whose name holds one of the words given."""
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
        for language, names in ELSEWHERE.items()
        for screen in SCREENS
        if screen.name in names
        for device, theme in (("desk", "light"), ("phone", "dark"))
    ]
    wanted = [one for one in wanted if not chosen or any(word in one[0] for word in chosen)]
    expect.set_options(timeout=30_000)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_at, args=ARGUMENTS)
        for name, screen, language, about in wanted:
            path = FOLDER / f"{name}.png"
            for attempt in range(TRIES):
                # A server for each, so that no picture depends on those before it.
                with (
                    tempfile.TemporaryDirectory() as data,
                    Server(Path(data), "--quick", program=("-c", LUCKY)) as server,
                ):
                    try:
                        picture(browser, server, screen, path, language, about)
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
