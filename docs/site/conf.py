"""Sphinx's settings for the documentation site. `make docs` builds it; pages.py collects its pages first."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

import docstrings
import pages
import reference

import gramy

project = "Gramy"
author = copyright = "The Gramy authors"
version = release = gramy.__version__
language = "en"
extensions = ["myst_parser", "sphinx.ext.autodoc"]
source_suffix = {".md": "markdown"}
highlight_language = "text"
pygments_style, pygments_dark_style = "friendly", "native"

myst_heading_anchors = 4  # links name headings as GitHub does: hosting.md#upgrading
myst_enable_extensions = ["colon_fence"]

autodoc_typehints_format = "short"
autodoc_class_signature = "mixed"
python_maximum_signature_line_length = 88
toc_object_entries_show_parents = "hide"
nitpick_ignore_regex = [  # names of other projects, which are not on this site, and the variable of a type
    ("py:.*", r"(abc|collections|concurrent|dataclasses|fractions|msgspec|os|pathlib|random|types|typing)\..*"),
    ("py:.*", r"(aiohttp|gymnasium|numpy|pettingzoo|pyspiel|pyarrow)\..*"),
    ("py:class", r"gramy\.contract\.BoardType"),
]

html_theme = "furo"
html_title = "Gramy"
html_static_path = [str(Path(__file__).parent / "static")]
html_css_files = ["site.css"]
html_show_sourcelink = html_copy_source = False
html_show_sphinx = False
html_theme_options = {
    "top_of_page_buttons": [],
    "footer_icons": [],
    "light_css_variables": {"color-brand-primary": "#7a4b00", "color-brand-content": "#7a4b00"},
    "dark_css_variables": {"color-brand-primary": "#e9b84f", "color-brand-content": "#e9b84f"},
}


def setup(app: Any) -> None:
    """Connect our own steps with Sphinx."""
    reference.resolve_hints()
    app.connect("autodoc-process-docstring", _rewrite)
    app.connect("autodoc-skip-member", _skip)
    app.connect("html-page-context", _name_language)


def _rewrite(app: Any, what: str, name: str, value: Any, options: Any, lines: list[str]) -> None:
    if any(line.startswith("Alias for field number") for line in lines):  # what Python says about a NamedTuple
        lines.clear()
    lines[:] = docstrings.to_rest(lines)


def _skip(app: Any, what: str, name: str, value: Any, skip: bool, options: Any) -> bool | None:
    """Leave out what msgspec and the interpreter add to a class."""
    return True if name in ("__init__", "count", "index") and what == "class" else None


def _name_language(app: Any, page: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    """Set the language of the rules pages, so that a browser reads them out rightly."""
    folder, _, rest = page.partition("/")
    spoken = rest.partition("/")[0]
    if folder == "rules" and spoken in pages.LANGUAGES:
        context["language"] = spoken
