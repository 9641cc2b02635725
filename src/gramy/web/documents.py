"""HTML documents: the client's page with what a browser or a chat service reads before any script runs.

That is the language, the title, the description, the link preview (Open Graph) and, where nothing was found, a notice
with a way home.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from gramy import text
from gramy.messages import Message
from gramy.table.state import TableState
from gramy.table.store import WAITING
from gramy.text.typography import bind
from gramy.web.files import File, make_file

LOCALES = {"en": "en_GB", "pl": "pl_PL", "de": "de_DE"}
HEAD, PRELOADS, NOTICE = "<!-- head -->", "<!-- preloads -->", "<!-- notice -->"
"""Places in index.html that are filled in."""
PICTURE_SIZE = 1200, 630
"""Of link previews: the size that the services that show them recommend."""


class Preview(NamedTuple):
    """What a link preview says: the same in the tags of the page and in the picture."""

    language: str
    title: str
    description: str
    game: str = ""  # whose cards the picture shows
    chips: tuple[str, ...] = ()  # variants in force, and the number of players
    nameless: str = ""  # the title without a player's name, for letters that the picture's font lacks

    @property
    def has_name(self) -> bool:
        """Whether the title has the name of a player."""
        return bool(self.nameless) and self.title != self.nameless


class Document(NamedTuple):
    """What differs between two pages of the client."""

    preview: Preview
    title: str  # of the browser's tab
    url: str  # the absolute address of the page
    picture: str  # the absolute address of the preview's picture
    game: str = ""  # whose board it shows
    preloads: str = ""  # links to the files that it needs
    notice: tuple[str, str] | None = None  # a heading and a sentence, if there is nothing else to show


def say(key: str, language: str, scope: str = "web", **values: object) -> str:
    """Return a sentence of a catalogue, with non-breaking spaces."""
    return bind(text.say(Message(key, values, scope), language), language)


def short_title(game: str, language: str) -> str:
    """Return a game's title without the name of its series."""
    return say("title", language, game).rpartition(": ")[2]


def site_preview(language: str) -> Preview:
    return Preview(language, "Gramy", say("tagline", language))


def game_preview(language: str, game: str) -> Preview:
    return Preview(language, short_title(game, language), say("about", language, game=game), game)


def table_preview(language: str, state: TableState) -> Preview:
    """Return the preview of a table: with the name of who opened it while it waits for players, otherwise without.

    The name is the one that the invitation itself shows. No other player is named: docs/privacy.md.
    """
    game = state.game.name
    title = short_title(game, language)
    if state.status != WAITING:
        return game_preview(language, game)
    opener = state.people.opener
    name = "" if opener is None else state.seats[opener].name
    nameless = say("invitation", language, "preview", title=title)
    invitation = say("invites", language, "preview", name=name, title=title) if name else nameless
    chips = variant_names(language, state)
    about = f"{say('about', language, game=game)} {say('by_link', language, 'preview')} {', '.join(chips)}."
    return Preview(language, invitation, about, game, chips, nameless)


def variant_names(language: str, state: TableState) -> tuple[str, ...]:
    """Return the number of players, and each variant that differs from the game as it is usually played."""
    words = [say("players_exactly", language, number=state.game.players)]
    for option in state.game.variants:
        name, value = say("variant", language, option=option), state.game.option_texts[option]
        words.append(name if value == "on" else f"{name}: {say('variant_value', language, value=value)}")
    return tuple(words)


class PageTemplate:
    """index.html with places for what differs between pages."""

    def __init__(self, source: str) -> None:
        if any(source.count(place) != 1 for place in (HEAD, PRELOADS, NOTICE, 'lang="en"')):
            raise ValueError("index.html lacks a place to fill in")
        self._source = source

    def render(self, document: Document) -> File:
        """Return the page as a file."""
        language = document.preview.language
        page = self._source.replace('lang="en"', f'lang="{language}"').replace(HEAD, _head(document))
        page = page.replace(PRELOADS, document.preloads)
        if document.game:
            page = page.replace("<html ", f'<html data-game="{document.game}" ', 1)
        page = page.replace(NOTICE, "" if document.notice is None else _notice(*document.notice, language))
        return make_file(page.encode(), "text/html; charset=utf-8")


def _head(document: Document) -> str:
    preview = document.preview
    width, height = PICTURE_SIZE
    tags = [
        f"<title>{escape(document.title)}</title>",
        _meta("name", "description", preview.description),
        f'<link rel="manifest" href="/manifest/{preview.language}.webmanifest" />',
        *(_meta("property", f"og:{name}", content) for name, content in _open_graph(document)),
        _meta("property", "og:image:width", str(width)),
        _meta("property", "og:image:height", str(height)),
        _meta("name", "twitter:card", "summary_large_image"),
    ]
    return "\n    ".join(tags)


def _open_graph(document: Document) -> Sequence[tuple[str, str]]:
    preview = document.preview
    return (
        ("site_name", "Gramy"),
        ("type", "website"),
        ("locale", LOCALES[preview.language]),
        ("title", preview.title),
        ("description", preview.description),
        ("url", document.url),
        ("image", document.picture),
        ("image:type", "image/png"),
        ("image:alt", " · ".join((preview.title, *preview.chips))),
    )


def _meta(kind: str, name: str, content: str) -> str:
    return f'<meta {kind}="{name}" content="{escape(content)}" />'


def _notice(title: str, about: str, language: str) -> str:
    """Return what the visitor sees until the client runs, and without scripts."""
    return (
        f'<main class="notice-page"><h1>{escape(title)}</h1><p class="quiet">{escape(about)}</p>'
        f'<p><a class="button primary big" href="/">{escape(say("home", language))}</a></p></main>'
    )
