"""Provably fair dealing: nobody can choose the cards, and everybody can check them afterwards.

1. The server draws a seed and shows its SHA-256: the server's commitment.
2. Every client draws a client seed and sends only a hash of it, its own commitment.
3. The server closes the list of commitments and shows it to everybody.
4. Now every client reveals its client seed. The cards follow from the seed and all client seeds.

When the first client seed is known, nobody can change theirs any more, the server included. So one honest client is
enough for an unbiased deal. docs/fairness.md has the proof and its limits. A client that commits and does not reveal
makes the attempt void: its seat is played by a bot in this round, and the others begin again with the next seed.

The algorithm `gramy deal 2`: the key is SHA-256 of the lines `gramy deal 2`, the hash of the table's id, the round, the
attempt, the seed, and each seat's client seed (empty without one) in order of the seats, each line ended by a line
feed, in UTF-8. Deal number n (from 0) draws from the stream SHA-256(key + n + b), b = 0, 1, ..., n and b as four bytes,
big-endian; the stream is read as numbers of eight bytes, big-endian. The cards that may be dealt are sorted. For each
card to deal, take the next number below the largest multiple of the number of cards left; modulo the number of cards
left, it is the index of the card that is taken out.

`gramy deal 1`, of older versions, has no table, round or attempt, and no commitments of the clients. There a host who
played along could choose the cards.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from gramy import cards
from gramy.contract import DEALER, Game, State
from gramy.matches import Match

NO_COMMITMENT = "-"
"""In a closed list: the person at this seat sent no commitment. An empty text stands for a bot."""


class VoidAttempt(NamedTuple):
    """An attempt at which somebody committed to a client seed and did not reveal it. No card was dealt from it."""

    seed: str
    commitments: tuple[str, ...]
    client_seeds: tuple[str, ...]

    @property
    def commitment(self) -> str:
        """The hash of the seed, which was shown before."""
        return seed_commitment(self.seed)

    @property
    def withheld(self) -> tuple[int, ...]:
        """The seats that did not reveal their client seeds."""
        return missing_reveals(self.commitments, self.client_seeds)


class Exchange(NamedTuple):
    """How the client seeds of a round were collected: first all commitments, then all client seeds."""

    table: str  # the hash of the table's id: a record does not tell the id, which opens the table
    round: int
    commitments: tuple[str, ...]  # by seat; empty: none so far, or a bot
    closed: bool = False  # whether the list of commitments is final
    voids: tuple[VoidAttempt, ...] = ()  # the attempts before this one

    @property
    def attempt(self) -> int:
        """The number of this attempt, counted from 1 in each round."""
        return len(self.voids) + 1


class Deal(NamedTuple):
    """The sources of a match's cards: the server's seed, and a client seed for each seat (\"\": none).

    Without an exchange, it is a deal of an older version, or one whose round has not come yet.
    """

    seed: str
    client_seeds: tuple[str, ...]
    exchange: Exchange | None = None

    @property
    def commitment(self) -> str:
        """The hash that is shown before the first card: it fixes the seed without revealing it."""
        return seed_commitment(self.seed)

    @property
    def key(self) -> bytes:
        """The key of the stream that the cards are drawn from."""
        if (found := self.exchange) is None:
            return _hash("gramy deal 1", self.seed, *self.client_seeds)
        place = found.table, str(found.round), str(found.attempt)
        return _hash("gramy deal 2", *place, self.seed, *self.client_seeds)

    @property
    def missing_reveals(self) -> tuple[int, ...]:
        """The seats that committed to a client seed and have not revealed it."""
        return () if self.exchange is None else missing_reveals(self.exchange.commitments, self.client_seeds)


def seed_commitment(seed: str) -> str:
    """Return the hash that fixes the server's seed without revealing it."""
    return hashlib.sha256(seed.encode()).hexdigest()


def table_hash(id: str) -> str:
    """Return the hash that stands for a table in commitments, keys and records."""
    return _hash("gramy table", id).hex()


def client_commitment(table: str, round: int, attempt: int, seat: int, commitment: str, client_seed: str) -> str:
    """Return the hash that fixes a client seed without revealing it.

    `table` is the table's hash and `commitment` the server's. The hash holds for one seat of one attempt and for one
    seed of the server, so nobody can use the commitment of another player, or of another deal.
    """
    place = table, str(round), str(attempt), str(seat)
    return _hash("gramy client commitment", *place, commitment, client_seed).hex()


def missing_reveals(commitments: Sequence[str], client_seeds: Sequence[str]) -> tuple[int, ...]:
    """Return the seats that have a commitment and no client seed."""
    return tuple(
        seat
        for seat, (commitment, client_seed) in enumerate(zip(commitments, client_seeds, strict=True))
        if commitment not in ("", NO_COMMITMENT) and not client_seed
    )


def _hash(*lines: str) -> bytes:
    return hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).digest()


@dataclass(slots=True)
class SeededDealer:
    """A dealer that draws from a seed and client seeds; it may start anywhere in a match."""

    deal: Deal
    dealt: int = 0  # the number of deals so far

    def __call__(self, game: Game, state: State) -> int:
        pool, number = game.rules.deal_pool(state)
        picked = drawn(_key(self.deal), self.dealt, cards.positions(pool), number)
        self.dealt += 1
        return cards.from_positions(picked)

    def __deepcopy__(self, memo: dict[int, object]) -> SeededDealer:
        return SeededDealer(self.deal, self.dealt)


@lru_cache(4096)  # a match in play asks for its key at each of a few dozen deals
def _key(deal: Deal) -> bytes:
    return deal.key


def drawn(key: bytes, deal: int, pool: Sequence[int], number: int) -> list[int]:
    """Return this many cards of a pool, by the algorithm above."""
    numbers, left, picked = _numbers(key, deal), sorted(pool), []
    for _ in range(number):
        limit = 2**64 // len(left) * len(left)  # larger numbers would make the first cards a little likelier
        at = next(one for one in numbers if one < limit) % len(left)
        picked.append(left.pop(at))
    return picked


def _numbers(key: bytes, deal: int) -> Iterator[int]:
    block = 0
    while True:
        stream = hashlib.sha256(key + deal.to_bytes(4) + block.to_bytes(4)).digest()
        yield from (int.from_bytes(stream[at : at + 8]) for at in range(0, len(stream), 8))
        block += 1


class Dealt(NamedTuple):
    """One deal, for a program without the rules: its line in the log, counted from 1, the sorted pool, and the cards
    dealt, all as words of the log."""

    line: int
    pool: tuple[str, ...]
    dealt: tuple[str, ...]


def every_deal(match: Match) -> list[Dealt]:
    """Return the deals of a match, in order."""
    found, again = [], Match(match.game, None, match.names, match.origin)
    for line, entry in enumerate(match.log, start=1):
        if entry.seat == DEALER:
            pool, number = again.game.rules.deal_pool(again.state)
            words = again.game.format_deal(again.state, pool).split()[-pool.bit_count() :]
            found.append(Dealt(line, tuple(words), tuple(entry.text.split()[-number:])))
        again.replay(entry)
    return found


def first_unfair(match: Match, deal: Deal) -> int | None:
    """Return the first line of the log whose cards do not follow from the seeds, None when all do."""
    dealer, again = SeededDealer(deal), Match(match.game, None, match.names, match.origin)
    for line, entry in enumerate(match.log):
        if entry.seat == DEALER:
            picked = dealer(again.game, again.state)
            if entry.text != again.game.format_deal(again.state, picked):
                return line
        again.replay(entry)
    return None
