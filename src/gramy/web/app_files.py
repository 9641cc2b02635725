"""What makes the client an app: its manifest in each language, and its service worker."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping

from gramy import text
from gramy.web.documents import say
from gramy.web.files import File, make_file

COLOUR = "#14151d"
ICONS = (
    ("icons/icon-192.png", "192x192", "any"),
    ("icons/icon-512.png", "512x512", "any"),
    ("icons/maskable-512.png", "512x512", "maskable"),
)
NOT_KEPT = ("admin/", "style/admin.css", "service-worker.js", "icons/", "vendor/LICENSES.txt", "font/LICENSE.txt")
"""Files that no page needs without a connection."""
VERSION_PLACE, FILES_PLACE = 'const VERSION = "";', "const FILES = {};"
"""Lines of service-worker.js that are filled in."""


def manifest(language: str) -> File:
    """Return the web app manifest in a language."""
    body = {
        "id": "/",
        "name": "Gramy",
        "short_name": "Gramy",
        "description": say("tagline", language),
        "lang": language,
        "dir": "ltr",
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": COLOUR,
        "theme_color": COLOUR,
        "categories": ["games", "entertainment"],
        "icons": [
            *(
                {"src": f"/static/{path}", "sizes": sizes, "type": "image/png", "purpose": purpose}
                for path, sizes, purpose in ICONS
            ),
            {"src": "/static/icon.svg", "sizes": "any", "type": "image/svg+xml", "purpose": "any"},
        ],
    }
    return make_file(json.dumps(body, ensure_ascii=False).encode(), "application/manifest+json")


def client_version(files: Mapping[str, File], page: str) -> str:
    """Return the version of the client: a hash of all its files, of its texts, and of the page's template."""
    lines = [f"{path} {file.etag}" for path, file in sorted(files.items())]
    return hashlib.sha256("\n".join([page, *lines]).encode()).hexdigest()[:20]


def service_worker(source: str, version: str, files: Mapping[str, File], pages: Mapping[str, File]) -> File:
    """Return the service worker with the version of the client and the files that it keeps, each with its hash."""
    kept = {path: file.etag for path, file in pages.items()}
    kept |= {f"/static/{path}": file.etag for path, file in sorted(files.items()) if not path.startswith(NOT_KEPT)}
    filled = {
        VERSION_PLACE: f"const VERSION = {json.dumps(version)};",
        FILES_PLACE: f"const FILES = {json.dumps(kept)};",
    }
    for place, line in filled.items():
        if source.count(place) != 1:
            raise ValueError(f"service-worker.js lacks the line {place}")
        source = source.replace(place, line)
    return make_file(source.encode(), "text/javascript; charset=utf-8")


def manifests() -> dict[str, File]:
    """Return the manifests by language."""
    return {language: manifest(language) for language in text.LANGUAGES}
