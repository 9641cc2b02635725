"""Find violations of accessibility rules in a page: those that axe reports, and text with low contrast.

axe does not check contrast on gradients and pseudo-elements, which are nearly everywhere here. So contrast is measured:
a screenshot without text gives the pixels behind each text.
"""

from __future__ import annotations

import base64
import os
from functools import cache
from pathlib import Path

from playwright.sync_api import Page

from gramy.text import LANGUAGES

# Waits until all animations that end have ended; endless ones may continue. An inherited colour starts a new transition
# with each step of its parent's, so one look is not enough.
SETTLED = """async () => {
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  const changing = () => document.getAnimations()
    .filter((one) => one.playState === 'running' && one.effect?.getComputedTiming().endTime !== Infinity);
  await frame();
  for (let some = changing(); some.length; some = changing()) {
    await Promise.all(some.map((one) => one.finished.catch(() => null)));
    await frame();
  }
  await frame();
}"""
RUN = """(rules) => axe.run(document, { resultTypes: ['violations'], ...rules }).then((all) => all.violations.flatMap(
  ({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary}`)))"""
# Shows a language without saving it, so that it lasts as long as the page.
SHOW_LANGUAGE = """async (code) => {
  await (await import('/static/text.js')).loadLanguage(code);
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
}"""
COLOUR_RULES = {"runOnly": ["color-contrast", "link-in-text-block"]}  # all that another theme can change
# Every visible text, with its colour and place. Disabled controls may have low contrast.
TEXTS = """() => {
  const off = ':disabled, [aria-disabled=true], [inert], .sr, .skip, option';
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  const sheet = document.querySelector('dialog[open]');
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const words = node.textContent.trim(), element = node.parentElement;
    if (!words || element.closest(off) || (sheet && !sheet.contains(element))) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const { x, y, width, height } = range.getBoundingClientRect();
    const middle = [x + width / 2, y + height / 2];
    if (!element.checkVisibility()) continue; // for instance in closed details
    const above = document.elementFromPoint(...middle);
    if (width < 3 || height < 3 || !above || !(element.contains(above) || above.contains(element))) continue;
    let opacity = 1, filtered = false;
    for (let one = element; one; one = one.parentElement) {
      const { opacity: own, filter, overflowY } = getComputedStyle(one);
      const box = one.getBoundingClientRect();
      if (overflowY !== 'visible' && (middle[1] < box.top || middle[1] > box.bottom)) opacity = 0; // scrolled away
      opacity *= Number(own);
      filtered ||= filter !== 'none' && !filter.startsWith('drop-shadow');
    }
    if (filtered || opacity < .05) continue;
    const { color, fontSize, fontWeight } = getComputedStyle(element);
    const large = parseFloat(fontSize) >= 24 || (parseFloat(fontSize) >= 18.66 && Number(fontWeight) >= 700);
    const where = element.className || element.tagName;
    found.push({ words: words.slice(0, 40), where, color, opacity, large, x, y, width, height });
  }
  return found;
}"""
HIDE_TEXT = """() => {
  const sheet = new CSSStyleSheet();
  const plain = 'color: transparent !important; text-shadow: none !important; transition: none !important;';
  sheet.replaceSync(`*, *::before, *::after { ${plain} }`);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}"""
SHOW_TEXT = "() => { document.adoptedStyleSheets = document.adoptedStyleSheets.slice(0, -1); }"
# The texts whose contrast with the pixels in the middle of their place is too low, by WCAG.
LOW_CONTRAST = """async ({ png, texts }) => {
  const picture = new Image();
  picture.src = `data:image/png;base64,${png}`;
  await picture.decode();
  const canvas = Object.assign(document.createElement('canvas'), { width: picture.width, height: picture.height });
  const context = canvas.getContext('2d', { willReadFrequently: true });
  context.drawImage(picture, 0, 0);
  const probe = Object.assign(document.createElement('canvas'), { width: 1, height: 1 })
    .getContext('2d', { willReadFrequently: true });
  const rgba = (color) => {
    probe.clearRect(0, 0, 1, 1);
    probe.fillStyle = color;
    probe.fillRect(0, 0, 1, 1);
    return probe.getImageData(0, 0, 1, 1).data;
  };
  const light = (rgb) => {
    const linear = (part) => (part <= .04045 ? part / 12.92 : ((part + .055) / 1.055) ** 2.4);
    const [r, g, b] = rgb.map((part) => linear(part / 255));
    return .2126 * r + .7152 * g + .0722 * b;
  };
  return texts.flatMap(({ words, where, color, opacity, large, x, y, width, height }) => {
    const [r, g, b, a] = rgba(color);
    const alpha = (a / 255) * opacity;
    const ratios = [];
    for (const across of [.25, .4, .5, .6, .75]) for (const along of [.3, .5, .7]) {
      const [px, py] = [Math.round(x + width * across), Math.round(y + height * along)];
      if (px < 0 || py < 0 || px >= canvas.width || py >= canvas.height) continue;
      const below = [...context.getImageData(px, py, 1, 1).data].slice(0, 3);
      const ink = [r, g, b].map((part, index) => part * alpha + below[index] * (1 - alpha));
      const [high, low] = [light(ink), light(below)].sort((one, two) => two - one);
      ratios.push((high + .05) / (low + .05));
    }
    if (!ratios.length) return [];
    const ratio = ratios.sort((one, two) => one - two)[ratios.length >> 1];
    return ratio >= (large ? 3 : 4.5) ? [] : [`low contrast: “${words}” (${where}): ${ratio.toFixed(2)}`];
  });
}"""


@cache
def _axe() -> str:
    return (Path(__file__).parent / "vendor" / "axe.min.js").read_text("utf-8")


def low_contrast(page: Page) -> list[str]:
    """Return a line for each visible text with low contrast."""
    texts = page.evaluate(TEXTS)
    page.evaluate(HIDE_TEXT)
    png = base64.b64encode(page.screenshot()).decode()
    page.evaluate(SHOW_TEXT)
    found: list[str] = page.evaluate(LOW_CONTRAST, {"png": png, "texts": texts})
    return found


def violations(page: Page, *themes: str) -> list[str]:
    """Return a line for each violation, in the given themes or in both."""
    found = []
    first, *_ = themes = themes or ("dark", "light")
    for theme in themes:
        page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
        page.evaluate(SETTLED)
        if not page.evaluate("'axe' in window"):
            page.evaluate(_axe())  # the page's content policy forbids a script element
        rules = {} if theme == first else COLOUR_RULES
        found += [f"{theme}: {problem}" for problem in page.evaluate(RUN, rules) + low_contrast(page)]
    return found


def violations_in_every_language(page: Page) -> list[str]:
    """Return the violations in both themes and three languages. Contrast does not depend on the language.

    Other languages than the page's are looked at with GRAMY_LANGUAGES=all (`make browser`): they cost as much again.
    """
    found = violations(page)
    if os.environ.get("GRAMY_LANGUAGES") != "all":
        return found
    first = page.evaluate("document.documentElement.lang")
    for language in (*sorted(set(LANGUAGES) - {first}), first):
        page.evaluate(SHOW_LANGUAGE, language)
        if language == first:
            break
        for theme, rules in (("dark", {}), ("light", COLOUR_RULES)):
            page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
            page.evaluate(SETTLED)
            found += [f"{language}, {theme}: {problem}" for problem in page.evaluate(RUN, rules)]
    return found
