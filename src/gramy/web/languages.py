"""The visitor's language, as the browser asks for it. The client may show another one that the visitor has chosen."""

from __future__ import annotations

from aiohttp import web

from gramy import text

DEFAULT = "en"
MOST_RANGES = 20
"""Entries of Accept-Language that are read. Browsers send a handful."""


def visitor_language(request: web.Request) -> str:
    """Return the language of ours that the visitor's browser likes best; English if it likes none."""
    return accepted_language(request.headers.get("Accept-Language", ""))


def accepted_language(header: str) -> str:
    """Return the best of our languages for an Accept-Language header, such as `pl, en;q=0.8`."""
    liked: dict[str, float] = {}
    for entry in header.split(",", MOST_RANGES)[:MOST_RANGES]:
        tag, _, weight = entry.partition(";")
        language = tag.strip().lower().partition("-")[0]
        if language in text.LANGUAGES:
            liked[language] = max(liked.get(language, 0.0), _weight(weight))
    best = max(liked, key=lambda language: liked[language], default=DEFAULT)
    return best if liked.get(best, 0.0) > 0 else DEFAULT


def _weight(words: str) -> float:
    """Return the weight in `q=0.8`: 1 without one, 0 if it is malformed."""
    name, _, number = words.strip().partition("=")
    if not name:
        return 1.0
    whole, _, digits = number.strip().partition(".")
    if name.strip() != "q" or whole not in ("0", "1") or not (digits.isascii() and (digits + "0").isdigit()):
        return 0.0
    return min(1.0, float(f"{whole}.{digits[:3] or 0}"))
