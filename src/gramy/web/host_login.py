"""HostLogin: who may use the admin page. The host's token opens it; then a cookie does for an hour."""

from __future__ import annotations

import hashlib
import hmac
import secrets

from aiohttp import web
from itsdangerous import BadData, URLSafeTimedSerializer

from gramy.errors import BadOptions, GramyError
from gramy.messages import Message
from gramy.web.limits import RateLimiter
from gramy.web.visitor import prefixes

SHORTEST_TOKEN = 32
LOGIN_LIFETIME = 3600
ATTEMPTS, ATTEMPTS_A_MINUTE = 5.0, 2.0
"""Attempts to log in from one address, at once and then per minute. Its network has four times as many."""


class HostOnly(GramyError):
    """This needs the host's token."""


def checked_token(token: str) -> str:
    """Return a token that is long enough, or empty; raises BadOptions."""
    if token and len(token) < SHORTEST_TOKEN:
        raise BadOptions(Message("short_admin_token", {"least": SHORTEST_TOKEN}, "admin"))
    return token


class HostLogin:
    """Checks the host's token, and gives and checks the cookie that stands for it."""

    def __init__(self, token: str) -> None:
        self._token = _digest(token)
        self._signer = URLSafeTimedSerializer(token, salt="host")  # another token makes all cookies invalid
        self._limiters = (
            RateLimiter(ATTEMPTS, ATTEMPTS_A_MINUTE / 60),
            RateLimiter(4 * ATTEMPTS, 4 * ATTEMPTS_A_MINUTE / 60),
        )

    def check(self, request: web.Request) -> None:
        """Raise HostOnly unless a request has the token or the cookie; HTTPTooManyRequests after wrong tokens."""
        scheme, _, token = request.headers.get("Authorization", "").partition(" ")
        if scheme.lower() == "bearer":
            if not self._matches(token.strip()):
                self._count_attempt(request)
                raise HostOnly(Message("wrong_admin_token", {}, "admin"))
        elif not self._has_cookie(request):
            raise HostOnly(Message("admin_login_needed", {}, "admin"))

    def log_in(self, request: web.Request, token: str, response: web.Response) -> web.Response:
        """Add the cookie to a response if the token is right; raise HostOnly, HTTPTooManyRequests."""
        self._count_attempt(request)
        if not self._matches(token):
            raise HostOnly(Message("wrong_admin_token", {}, "admin"))
        signed = self._signer.dumps(secrets.token_hex(8))
        assert isinstance(signed, str)
        response.set_cookie(
            _cookie(request),
            signed,
            max_age=LOGIN_LIFETIME,
            httponly=True,
            samesite="Strict",
            secure=request.scheme == "https",
        )
        return response

    def log_out(self, request: web.Request, response: web.Response) -> web.Response:
        """Make a response delete the cookie."""
        response.del_cookie(_cookie(request), httponly=True, samesite="Strict", secure=request.scheme == "https")
        return response

    def _matches(self, token: str) -> bool:
        return hmac.compare_digest(_digest(token), self._token)  # in constant time

    def _has_cookie(self, request: web.Request) -> bool:
        try:
            self._signer.loads(request.cookies.get(_cookie(request), ""), max_age=LOGIN_LIFETIME)
        except (BadData, UnicodeEncodeError):  # UnicodeEncodeError: the cookie's bytes are not text
            return False
        return True

    def _count_attempt(self, request: web.Request) -> None:
        networks = prefixes(request.remote)
        for limiter, network in zip(self._limiters, (networks[0], networks[-1]), strict=True):
            if not limiter.take(network):
                raise web.HTTPTooManyRequests


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "surrogateescape")).digest()


def _cookie(request: web.Request) -> str:
    """Return the cookie's name. Browsers bind a name with this prefix to one host, over HTTPS only."""
    return "__Host-admin" if request.scheme == "https" else "admin"
