"""ClientSeeds: a client's part in the deals of a table, so that nobody can choose the cards (docs/fairness.md)."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Any, Protocol

from gramy.fair import client_commitment, table_hash


class OpenDeal(Protocol):
    """The fields of a deal that a client needs."""

    @property
    def phase(self) -> str: ...
    @property
    def attempt(self) -> int: ...
    @property
    def commitment(self) -> str: ...
    @property
    def commitments(self) -> tuple[str, ...]: ...


class DealtTable(Protocol):
    """The fields of a table that a client needs."""

    @property
    def table(self) -> str: ...
    @property
    def round(self) -> int: ...


def random_seed() -> str:
    """Return a client seed of 128 random bits."""
    return secrets.token_hex(16)


class ClientSeeds:
    """Commits to a client seed when a deal asks for it, and reveals it when the list of commitments is closed."""

    def __init__(self, draw: Callable[[], str] = random_seed) -> None:
        self._draw = draw
        self._drawn: dict[tuple[int, int, int], tuple[str, str]] = {}  # the seed and its commitment
        self._answered: set[tuple[int, int, int, str]] = set()

    def answer(self, table: DealtTable, deal: OpenDeal, seat: int | None) -> dict[str, Any] | None:
        """Return the command that a snapshot asks for, without an id; None if it asks for none or was answered."""
        if seat is None or deal.phase not in ("commit", "reveal"):
            return None
        place = table.round, deal.attempt, seat
        if (*place, deal.phase) in self._answered:
            return None
        fields = {"round": table.round, "attempt": deal.attempt}
        if deal.phase == "commit":
            client_seed, commitment = self._seed(table, deal, place)
            self._answered.add((*place, deal.phase))
            return {"type": "commit", "seat": seat, "commitment": commitment, **fields}
        client_seed, commitment = self._drawn.get(place, ("", ""))
        if not client_seed or deal.commitments[seat] != commitment:
            return None
        if commitment != self._commitment(table, deal, place, client_seed):  # the server shows another commitment now
            return None
        self._answered.add((*place, deal.phase))
        return {"type": "reveal", "client_seed": client_seed, **fields}

    def repeat(self) -> None:
        """Answer again after a reconnect: the server takes the same command twice."""
        self._answered.clear()

    def _seed(self, table: DealtTable, deal: OpenDeal, place: tuple[int, int, int]) -> tuple[str, str]:
        if place not in self._drawn:
            client_seed = self._draw()
            self._drawn[place] = client_seed, self._commitment(table, deal, place, client_seed)
        return self._drawn[place]

    @staticmethod
    def _commitment(table: DealtTable, deal: OpenDeal, place: tuple[int, int, int], client_seed: str) -> str:
        return client_commitment(table_hash(table.table), *place, deal.commitment, client_seed)
