"""Verifies the answer of `GET /api/deal/TABLE/ROUND` by docs/fairness.md alone: it imports nothing of Gramy."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any

Json = dict[str, Any]


def lines_hash(*lines: object) -> bytes:
    return hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).digest()


def commitment(table: str, round: int, attempt: int, seat: int, server: str, client_seed: str) -> str:
    return lines_hash("gramy client commitment", table, round, attempt, seat, server, client_seed).hex()


def failures(table: str, facts: Json, shown_commitment: str, shown_list: list[str]) -> list[str]:
    """Return what does not fit: the record of a deal against what a client was shown before the cards."""
    exchange, found = facts["exchange"], []
    if hashlib.sha256(facts["seed"].encode()).hexdigest() != shown_commitment:
        found.append("server seed")
    if exchange["commitments"] != shown_list:
        found.append("list")
    if exchange["table"] != lines_hash("gramy table", table).hex():
        found.append("table")
    for seat, listed in enumerate(exchange["commitments"]):
        place = exchange["table"], exchange["round"], exchange["attempt"], seat
        revealed = facts["client_seeds"][seat]
        if listed in ("", "-"):
            found += ["client seed without a commitment"] if revealed else []
        elif listed != commitment(*place, shown_commitment, revealed):
            found.append(f"client seed of seat {seat}")
    place = exchange["table"], exchange["round"], exchange["attempt"]
    key = lines_hash("gramy deal 2", *place, facts["seed"], *facts["client_seeds"])
    for number, deal in enumerate(facts["deals"]):
        if picked(key, number, deal["pool"], len(deal["dealt"])) != deal["dealt"]:
            found.append(f"cards of line {deal['line']}")
    return found


def picked(key: bytes, deal: int, pool: list[str], number: int) -> list[str]:
    """Return the cards of a deal, in the order of the pool."""
    left, taken = list(range(len(pool))), []
    numbers = stream(key, deal)
    while len(taken) < number:
        one = next(numbers)
        if one < 2**64 - 2**64 % len(left):
            taken.append(left.pop(one % len(left)))
    return [pool[at] for at in sorted(taken)]


def stream(key: bytes, deal: int) -> Iterator[int]:
    block = 0
    while True:
        digest = hashlib.sha256(key + deal.to_bytes(4, "big") + block.to_bytes(4, "big")).digest()
        yield from (int.from_bytes(digest[at : at + 8], "big") for at in range(0, 32, 8))
        block += 1
