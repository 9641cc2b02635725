"""Who asks: an address that limits count by, and a guest that seats hang on.

Behind a proxy every request comes from the proxy. What it says of the real visitor (X-Forwarded-For, -Proto) is
believed only where the host has named that proxy's address; anybody else could say anything.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from aiohttp import web
from itsdangerous import BadSignature, URLSafeSerializer

Networks = tuple[IPv4Network | IPv6Network, ...]
YEAR = 365 * 86_400


def networks(words: Iterable[str]) -> Networks:
    """Addresses and networks (127.0.0.1, 10.0.0.0/8) as a host writes them; raises ValueError."""
    return tuple(ip_network(word) for word in words)


def as_forwarded(request: web.Request, proxies: Networks) -> web.Request:
    """The request as the visitor made it: the last address in the chain that is not a proxy of ours."""
    if not _among(request.remote, proxies):
        return request
    chain = [word.strip() for word in ",".join(request.headers.getall("X-Forwarded-For", [])).split(",")]
    visitor = next((word for word in reversed(chain) if not _among(word, proxies)), "")
    scheme = request.headers.get("X-Forwarded-Proto", "")
    return request.clone(
        remote=visitor if _address(visitor) else request.remote or "",
        scheme=scheme if scheme in ("http", "https") else request.scheme,
    )


def counted_by(address: str | None) -> str:
    """What limits count a visitor by: of IPv6 the network, for whoever has one address there has 2**64 of them."""
    found = _address(address)
    if isinstance(found, IPv6Address):
        return str(IPv6Network((int(found), 64), strict=False))
    return "" if found is None else str(found)


def _among(address: str | None, proxies: Networks) -> bool:
    found = _address(address)
    return found is not None and any(found in network for network in proxies)


def _address(word: str | None) -> IPv4Address | IPv6Address | None:
    try:
        found = ip_address(word or "")
    except ValueError:
        return None
    return getattr(found, "ipv4_mapped", None) or found


class Guests:
    """A guest is a random number in a signed cookie: a nickname's seats hang on it, and nothing else."""

    def __init__(self, secrets: Iterable[str]) -> None:
        """The newest secret signs; cookies that an older one signed are still known, so that a host may change it."""
        self._signer = URLSafeSerializer(list(reversed(list(secrets))), salt="guest")

    def known(self, request: web.Request) -> str | None:
        """Who this is, if the cookie is ours."""
        try:
            guest = self._signer.loads(request.cookies.get("guest", ""))
        except (BadSignature, UnicodeEncodeError):  # the latter: bytes that are no text
            return None
        return guest if isinstance(guest, str) else None

    def met(self, request: web.Request) -> str:
        """Who this is, or a new guest."""
        return self.known(request) or secrets.token_urlsafe(16)

    def remember(self, request: web.Request, response: web.Response, guest: str) -> web.Response:
        secure = request.scheme == "https"
        signed = self._signer.dumps(guest)
        assert isinstance(signed, str)
        response.set_cookie("guest", signed, max_age=YEAR, httponly=True, samesite="Lax", secure=secure)
        return response

    def forget(self, request: web.Request, response: web.Response) -> web.Response:
        secure = request.scheme == "https"
        response.del_cookie("guest", httponly=True, samesite="Lax", secure=secure)
        return response
