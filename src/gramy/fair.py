"""Provably fair dealing: nobody can choose the cards, and everybody can check them afterwards.

The server draws a seed and shows its SHA-256 (the commitment) before anybody has seen a card. Then every player's
client sends a client seed. The cards follow from the seed and all client seeds. The server could not choose them: it
did not have the client seeds when it showed the commitment. No player could: nobody else had the seed. At the end the
seed is shown, and anybody with the record can deal the cards again.

The algorithm: the key is SHA-256 of the lines `gramy deal 1`, the seed, and each seat's client seed in order of the
seats, each line ended by a line feed, in UTF-8. Deal number n (from 0) draws from the stream SHA-256(key + n + b),
b = 0, 1, ..., n and b as four bytes, big-endian; the stream is read as numbers of eight bytes, big-endian. The cards
that may be dealt are sorted. For each card to deal, take the next number below the largest multiple of the number of
cards left; modulo the number of cards left, it is the index of the card that is taken out.
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


class Deal(NamedTuple):
    """The sources of a match's cards: the server's seed, and a client seed for each seat ("": none yet)."""

    seed: str
    client_seeds: tuple[str, ...]

    @property
    def commitment(self) -> str:
        """The hash that is shown before the first card: it fixes the seed without revealing it."""
        return hashlib.sha256(self.seed.encode()).hexdigest()

    @property
    def key(self) -> bytes:
        """The key of the stream that the cards are drawn from."""
        lines = ("gramy deal 1", self.seed, *self.client_seeds)
        return hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).digest()


@dataclass
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
