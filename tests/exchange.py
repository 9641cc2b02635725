"""A client's part in a deal, by docs/protocol.md alone: commit at a full table, reveal after the list is closed."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

Json = dict[str, Any]


def lines_hash(*lines: object) -> str:
    return hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()


class SeedExchange:
    """Answers snapshots with `commit` and `reveal`. `client_seed` is called with the round and the attempt."""

    def __init__(self, client_seed: Callable[[int, int], str]) -> None:
        self._client_seed = client_seed
        self._sent: set[tuple[str, int, int, int]] = set()

    def answers(self, snapshot: Json) -> list[Json]:
        """Return the commands that a snapshot asks for, each once."""
        deal, seat = snapshot["deal"], snapshot["you"]
        round, attempt = snapshot["table"]["round"], deal["attempt"]
        place = {"round": round, "attempt": attempt}
        if seat is None or (deal["phase"], round, attempt, seat) in self._sent:
            return []
        seed = self._client_seed(round, attempt)
        commitment = self.commitment(snapshot, seed)
        command: Json | None = None
        if (
            deal["phase"] == "commit"
            and not deal["commitments"][seat]
            and not snapshot["table"]["seats"][seat]["stand_in"]
        ):
            command = {"type": "commit", "seat": seat, "commitment": commitment, **place}
        if deal["phase"] == "reveal" and deal["commitments"][seat] == commitment and not deal["client_seeds"][seat]:
            command = {"type": "reveal", "client_seed": seed, **place}
        if command is None:
            return []
        self._sent.add((deal["phase"], round, attempt, seat))
        return [command]

    def commitment(self, snapshot: Json, seed: str) -> str:
        """Return the commitment to a client seed."""
        table, deal = snapshot["table"], snapshot["deal"]
        place = lines_hash("gramy table", table["table"]), table["round"], deal["attempt"], snapshot["you"]
        return lines_hash("gramy client commitment", *place, deal["commitment"], seed)

    def repeat(self) -> None:
        """Answer again: the connection was lost, or the store was away."""
        self._sent.clear()
