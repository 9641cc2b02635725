"""Sealing: the secrets of matches are encrypted before they are stored, so that a copied database tells no cards.

A sealed text is `~`, the id of its key, and in base64 a random nonce with the output of AES-256-GCM. The key follows
from the server's secret by HKDF-SHA256. The associated data names the place of the text in the database: it cannot be
moved to another table, round, line or column. Texts are padded, because the length of `deal 5 9` would tell something.

Random nonces of 96 bits are safe for four billion texts with one secret.
"""

from __future__ import annotations

import os
from binascii import Error, a2b_base64, b2a_base64
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from gramy.table.store import UnreadableTable

MARK = "~"
"""Begins a sealed text: no seed, JSON or line of a log begins with it."""
NONCE, BLOCK = 12, 32
NONCES = 256
"""Nonces that are drawn together: a call of the system for each would cost as much as the encryption."""
PREFIX = 9
"""Characters of the mark and the id of the key."""


class Sealer:
    """Seals with the first secret, and unseals with any, so that a host can change it. One thread seals at a time."""

    def __init__(self, secrets: Iterable[str]) -> None:
        ciphers = [(_key_id(secret), AESGCM(_derived(secret, b"gramy seal key", 32))) for secret in secrets]
        self._ciphers = dict(ciphers)
        self.prefix, self._newest = MARK + ciphers[0][0], ciphers[0][1]
        self._nonces = _random_nonces()

    def seal(self, text: str, *place: object) -> str:
        """Return a text sealed for its place: the column, and the key of the row."""
        plain, nonce = text.encode(), next(self._nonces)
        padded = plain.ljust(-(-len(plain) // BLOCK) * BLOCK)
        sealed = nonce + self._newest.encrypt(nonce, padded, _name(place))
        return self.prefix + b2a_base64(sealed, newline=False).decode()

    def unseal(self, stored: str, *place: object) -> str:
        """Return the text behind a stored one, which older versions stored as it is; raises UnreadableTable."""
        if not stored.startswith(MARK):
            return stored
        if (cipher := self._ciphers.get(stored[1:PREFIX])) is None:
            raise UnreadableTable("it is sealed with another secret, which GRAMY_SECRET must name too")
        try:
            sealed = a2b_base64(stored[PREFIX:])
            return bytes(cipher.decrypt(sealed[:NONCE], sealed[NONCE:], _name(place))).rstrip().decode()
        except (InvalidTag, Error, ValueError) as error:
            raise UnreadableTable("a sealed text was changed, or moved to another place") from error


def _random_nonces() -> Iterator[bytes]:
    while True:
        drawn = os.urandom(NONCE * NONCES)
        yield from (drawn[at : at + NONCE] for at in range(0, len(drawn), NONCE))


def _name(place: Sequence[object]) -> bytes:
    return "\n".join(map(str, place)).encode()


def _derived(secret: str, purpose: bytes, length: int) -> bytes:
    return bytes(HKDF(SHA256(), length, salt=None, info=purpose).derive(secret.encode()))


def _key_id(secret: str) -> str:
    return b2a_base64(_derived(secret, b"gramy seal id", 6), newline=False).decode()


class SealedColumn(NamedTuple):
    """A column whose texts are sealed. The place of a text is the column's name and the key of its row."""

    table: str
    name: str
    key: tuple[str, ...]
    when: str = "TRUE"  # which plain texts are secret

    @property
    def select(self) -> str:
        """The query for keys and texts that are not sealed with the newest secret; its parameters are the prefix."""
        return (
            f"SELECT {', '.join(self.key)}, {self.name} FROM {self.table}"
            f" WHERE substr({self.name}, 1, {PREFIX})<>? AND (substr({self.name}, 1, 1)='{MARK}' OR {self.when})"
        )

    @property
    def update(self) -> str:
        """The statement that replaces a text unless another server has changed it."""
        same = " AND ".join(f"{column}=?" for column in (*self.key, self.name))
        return f"UPDATE {self.table} SET {self.name}=? WHERE {same}"

    def sealed_again(self, sealer: Sealer, rows: Iterable[Sequence[Any]]) -> Iterator[tuple[Any, ...]]:
        """Yield the parameters of `update` for rows of `select`."""
        for *key, stored in rows:
            yield sealer.seal(sealer.unseal(stored, self.name, *key), self.name, *key), *key, stored


SEALED_COLUMNS = (
    SealedColumn("deals", "seed", ("table_id", "round")),
    SealedColumn("deals", "client_seeds", ("table_id", "round")),
    SealedColumn("deals", "exchange", ("table_id", "round")),
    SealedColumn(
        "entries",
        "text",
        ("table_id", "round", "number"),
        "EXISTS (SELECT 1 FROM tables WHERE tables.id=table_id AND tables.round=entries.round"
        " AND status IN ('waiting', 'playing'))",
    ),
)
"""What is sealed. In the log of a live match an older version has left lines that are not; all of them are sealed."""
