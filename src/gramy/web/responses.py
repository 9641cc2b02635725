"""HTTP responses: JSON, files, error messages, and the headers of all of them; reading a request's body."""

from __future__ import annotations

import asyncio
from typing import Any

from aiohttp import web

from gramy.messages import Message
from gramy.web import wire
from gramy.web.files import File

BODY_TIMEOUT = 10.0
CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types gramy"
)
HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=()",
    "Server": "Gramy",
}
SUBRESOURCE_TYPES = frozenset({"text/javascript", "text/css", "font/woff2"})
"""Files that pages are made of. A browser does not open them as pages, so they go without a page's policy: a first load
fetches some fifty of them."""
SUBRESOURCE_HEADERS = {
    name: HEADERS[name] for name in ("X-Content-Type-Options", "Cross-Origin-Resource-Policy", "Server")
}
HTTPS_ONLY = "max-age=31536000"
"""Strict-Transport-Security for a year."""
STATUS_OF_ERROR = {
    "no_such_table": 404,
    "other_rules": 404,
    "unknown_game": 404,
    "server_full": 503,
    "disk_full": 503,
    "already_seated": 409,
    "maintenance": 503,
    "wrong_bot_token": 401,
    "bot_token_needed": 401,
    "bot_revoked": 403,
    "bot_offline": 409,
    "bot_token_used_twice": 409,
    "challenge_over": 409,
    "no_such_challenge": 404,
}
"""The HTTP status of errors that are not 400."""


def json_response(body: Any, status: int = 200, headers: dict[str, str] | None = None) -> web.Response:
    """Return a JSON response that is not cached."""
    return encoded_response(wire.encode(body), status, headers)


def encoded_response(body: bytes, status: int = 200, headers: dict[str, str] | None = None) -> web.Response:
    """Return a JSON response that is encoded already, and not cached. Encode long ones in a thread."""
    headers = {"Cache-Control": "no-store", **(headers or {})}
    return web.Response(body=body, status=status, content_type="application/json", headers=headers)


def error_response(message: Message, status: int | None = None, retry: bool = False) -> web.Response:
    """Return an error with its message. `retry` asks the client to try again in five seconds."""
    status = STATUS_OF_ERROR.get(message.key, 400) if status is None else status
    return json_response({"error": message}, status, {"Retry-After": "5"} if retry else None)


def http_error_response(status: int) -> web.Response:
    """Return the response to an error that aiohttp or a handler raised as an HTTP status."""
    keys = {403: "wrong_origin", 404: "no_such_page", 413: "too_large", 429: "too_many", 503: "server_full"}
    return error_response(Message(keys.get(status, "bad_request")), status, retry=status == 429)


def wants_page(request: web.Request) -> bool:
    """Return whether a browser asks for a page, not a client for data or a page for its parts."""
    if request.method not in ("GET", "HEAD") or request.path.startswith(("/api/", "/static/", "/ws/", "/preview/")):
        return False
    return "text/html" in request.headers.get("Accept", "")


def file_response(request: web.Request, file: File) -> web.Response:
    """Return a file, compressed if the browser accepts that, or 304 if the browser has it already."""
    headers = {"ETag": file.etag, "Cache-Control": "no-cache", "Vary": "Accept-Encoding", "Content-Type": file.type}
    if request.headers.get("If-None-Match") == file.etag:
        return web.Response(status=304, headers=headers)
    if file.gzipped is not None and "gzip" in request.headers.get("Accept-Encoding", ""):
        return web.Response(body=file.gzipped, headers={**headers, "Content-Encoding": "gzip"})
    return web.Response(body=file.body, headers=headers)


def add_headers(request: web.Request, response: web.StreamResponse) -> None:
    """Add the security headers to a response that has not been sent yet."""
    subresource = response.content_type in SUBRESOURCE_TYPES
    response.headers.update(SUBRESOURCE_HEADERS if subresource else HEADERS)
    response.headers.setdefault("Cache-Control", "no-store")
    if request.scheme == "https":
        response.headers["Strict-Transport-Security"] = HTTPS_ONLY


async def read_body(request: web.Request) -> bytes:
    """Return the body of a request. A compressed body is refused, a slow one after BODY_TIMEOUT."""
    if "Content-Encoding" in request.headers:
        raise web.HTTPUnsupportedMediaType
    try:
        async with asyncio.timeout(BODY_TIMEOUT):
            return await request.read()
    except TimeoutError:
        raise web.HTTPRequestTimeout from None
    except (ConnectionError, web.RequestPayloadError):  # the sender hung up, or the body is not what its head says
        raise web.HTTPBadRequest from None
