"""Who sends a request: the address that rate limits count by, and the guest that seats belong to.

Behind a proxy every request comes from the proxy's address. The headers X-Forwarded-For, -Proto and -Host are trusted
only from proxies that the host has named, because any client can send them.
"""

from __future__ import annotations

import contextlib
import secrets
import time
from collections.abc import Callable, Iterable
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from aiohttp import web
from itsdangerous import BadSignature, URLSafeSerializer, URLSafeTimedSerializer

from gramy.table.bot_accounts import BotAccount
from gramy.table.seat import is_bot_guest
from gramy.web.hosts import LOCAL, Hosts
from gramy.web.limits import Meter

Networks = tuple[IPv4Network | IPv6Network, ...]
COOKIE, SECURE_COOKIE = "guest", "__Host-guest"
"""The cookie's names without and with HTTPS. Browsers accept the prefix only from this host itself, and with Secure."""
SALT, OLD_SALT = "guest with date", "guest"
"""Versions before 3 of the protocol signed without a date."""
COOKIE_LIFETIME = 365 * 86_400
RENEW_AFTER = 30 * 86_400.0
"""Seconds after which a cookie is signed again. The date decides nothing else, so a wrong clock locks nobody out."""
BOT_ACCOUNT = web.RequestKey("bot_account", BotAccount)
"""Where a request keeps the bot account whose token it has shown."""
MAX_PROXIES = 16
"""Addresses of X-Forwarded-For that are looked at, from its end."""


def parse_networks(words: Iterable[str]) -> Networks:
    """Return addresses and networks, such as 127.0.0.1 or 10.0.0.0/8; raise ValueError for anything else."""
    return tuple(ip_network(word) for word in words)


def checked_request(request: web.Request, proxies: Networks, hosts: Hosts) -> web.Request:
    """Return the request with the visitor's address, and the scheme and host that the visitor used; raise WrongHost.

    A trusted proxy reports them in headers. The visitor is the last address of X-Forwarded-For that is not a trusted
    proxy. Every host is checked here, and nowhere else.
    """
    trusted = _among(request.remote, proxies)
    forwarded = request.headers.getall("X-Forwarded-Host", []) if trusted else []
    # aiohttp refuses a missing or second Host, except in HTTP/1.0. There it would look this machine's name up.
    host = hosts.check(
        forwarded[-1].rpartition(",")[2].strip() if forwarded else request.headers.get("Host", LOCAL), trusted
    )
    if not trusted:
        return request if request.headers.get("Host") == host else request.clone(host=host)
    chain = ",".join(request.headers.getall("X-Forwarded-For", [])).rsplit(",", MAX_PROXIES)[-MAX_PROXIES:]
    visitor = next((word for word in map(str.strip, reversed(chain)) if not _among(word, proxies)), "")
    scheme = request.headers.get("X-Forwarded-Proto", "")
    return request.clone(
        host=host,
        remote=visitor if _parse(visitor) else request.remote or "",
        scheme=scheme if scheme in ("http", "https") else request.scheme,
    )


@lru_cache(4096)
def prefixes(address: str | None) -> tuple[str, ...]:
    """Return the networks that an address counts for, narrowest first.

    One visitor has an IPv4 address or an IPv6 /64 to themselves; a /24 or a /48 may belong to one customer.
    """
    if (found := _parse(address)) is None:
        return ("unknown",)
    lengths = (32, 24) if found.version == 4 else (64, 48)
    return tuple(str(ip_network((int(found), length), strict=False)) for length in lengths)


def scopes_of(address: str | None, guest: str | None = None) -> dict[str, str]:
    """Return the scopes that limits count a visitor by."""
    scopes = dict(zip(("address", "network"), prefixes(address), strict=False))
    return scopes if guest is None else {"guest": guest, **scopes}


def bot_of(request: web.Request) -> BotAccount | None:
    """Return the bot account whose token a request has shown, None for anybody else."""
    return request.get(BOT_ACCOUNT)


def check_rate(meter: Meter, request: web.Request, guest: str | None = None) -> None:
    """Raise HTTPTooManyRequests if the sender of a request has reached a limit."""
    if not meter.take(scopes_of(request.remote, guest)):
        raise web.HTTPTooManyRequests


def _among(address: str | None, proxies: Networks) -> bool:
    found = _parse(address)
    return found is not None and any(found in network for network in proxies)


def _parse(address: str | None) -> IPv4Address | IPv6Address | None:
    try:
        found = ip_address(address or "")
    except ValueError:
        return None
    return getattr(found, "ipv4_mapped", None) or found


class Guests:
    """Guests are random ids in signed cookies. Seats belong to a guest; nothing else is stored about one."""

    def __init__(self, secrets: Iterable[str], date: Callable[[], float] = time.time) -> None:
        """Sign with the first secret; accept cookies that were signed with any, so that a host can change it."""
        newest, *older = secrets
        self._signer = URLSafeTimedSerializer(newest, salt=SALT)
        keys = [*reversed(older), newest]
        self._readers = URLSafeTimedSerializer(keys, salt=SALT), URLSafeSerializer(keys, salt=OLD_SALT)
        self._date = date

    def get(self, request: web.Request) -> str | None:
        """Return the guest of a request, None without a valid cookie or bot's token."""
        if (bot := bot_of(request)) is not None:
            return bot.guest
        return next((guest for cookie in self._cookies(request) if (guest := self._read(cookie))), None)

    def get_or_create(self, request: web.Request) -> str:
        """Return the guest of a request, or a new guest."""
        return self.get(request) or secrets.token_urlsafe(16)

    def set_cookie(self, request: web.Request, response: web.StreamResponse, guest: str) -> None:
        """Add a guest's cookie to a response; under HTTPS it replaces one without the prefix. A bot gets none."""
        if is_bot_guest(guest):
            return
        secure = request.scheme == "https"
        name, signed = SECURE_COOKIE if secure else COOKIE, self._signer.dumps(guest)
        assert isinstance(signed, str)
        response.set_cookie(name, signed, max_age=COOKIE_LIFETIME, httponly=True, samesite="Lax", secure=secure)
        if secure and COOKIE in request.cookies:
            response.del_cookie(COOKIE, httponly=True, samesite="Lax", secure=True)

    def renew_cookie(self, request: web.Request, response: web.StreamResponse) -> None:
        """Sign a guest's cookie again if it is old, was signed with an old secret, or has the wrong name for HTTPS.

        Only responses that no cache stores carry it, and none that sets or deletes the cookie itself.
        """
        cookies = self._cookies(request)
        if not cookies or response.cookies or response.headers.get("Cache-Control") != "no-store":
            return
        expected = SECURE_COOKIE if request.scheme == "https" else COOKIE
        if not self._is_new(request.cookies.get(expected, "")) and (guest := self.get(request)) is not None:
            self.set_cookie(request, response, guest)

    def delete_cookie(self, request: web.Request, response: web.StreamResponse) -> None:
        """Make a response delete the guest's cookie, by both of its names under HTTPS."""
        secure = request.scheme == "https"
        for name in (SECURE_COOKIE, COOKIE) if secure else (COOKIE,):
            response.del_cookie(name, httponly=True, samesite="Lax", secure=secure)

    def _cookies(self, request: web.Request) -> list[str]:
        """Return the guest cookies of a request. The one that no other site can have set comes first."""
        return [cookie for name in (SECURE_COOKIE, COOKIE) if (cookie := request.cookies.get(name))]

    def _read(self, cookie: str) -> str | None:
        for reader in self._readers:
            with contextlib.suppress(BadSignature, UnicodeEncodeError):  # UnicodeEncodeError: its bytes are not text
                guest = reader.loads(cookie)
                return guest if isinstance(guest, str) and not is_bot_guest(guest) else None
        return None

    def _is_new(self, cookie: str) -> bool:
        """Return whether a cookie was signed with the newest secret and within RENEW_AFTER seconds."""
        try:
            _, signed = self._signer.loads(cookie, return_timestamp=True)
        except (BadSignature, UnicodeEncodeError):
            return False
        return bool(self._date() - signed.timestamp() < RENEW_AFTER)
