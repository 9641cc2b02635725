"""Fair dealing that anybody can check: cards that nobody could choose, and a proof for everybody afterwards.

A table draws a seed and shows its SHA-256 (the commitment) before anybody has seen a card. Then every player's client
adds a word of its own (its luck). The cards follow from both: the table could not choose them, for it did not know the
words when it committed itself; no player could, for nobody knew the seed. At the end the seed is shown, and whoever has
the record can deal the cards again.

How, exactly: the key is SHA-256 of the lines `gramy deal 1`, the seed, and each seat's word in order of the seats, each
line ended by a line feed, in UTF-8. Deal number n (from 0) draws from the stream SHA-256(key + n + b), b = 0, 1, ...,
both as four bytes, big end first; a stream is read as numbers of eight bytes, big end first. What may be dealt is put
in order; for each card to deal the next number below the largest multiple of the cards left says, modulo the cards
left, which one is taken out.
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
    """Where the cards of a match come from: the table's seed, and a word from each seat ("": none yet)."""

    seed: str
    client_seeds: tuple[str, ...]

    @property
    def commitment(self) -> str:
        """What is shown before the first card: it binds the table to its seed and does not tell it."""
        return hashlib.sha256(self.seed.encode()).hexdigest()

    @property
    def key(self) -> bytes:
        lines = ("gramy deal 1", self.seed, *self.client_seeds)
        return hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).digest()


@dataclass
class SeededDealer:  # reads as what a match is given: Match(game, dealing(deal))
    """A dealer that draws from a seed and luck; it may begin anywhere in a match."""

    deal: Deal
    dealt: int = 0  # how many deals there have been

    def __call__(self, game: Game, state: State) -> int:
        pool, number = game.rules.deal_pool(state)
        picked = drawn(_key(self.deal), self.dealt, cards.positions(pool), number)
        self.dealt += 1
        return cards.together(picked)

    def __deepcopy__(self, memo: dict[int, object]) -> SeededDealer:
        return SeededDealer(self.deal, self.dealt)


@lru_cache(4096)  # of the matches that are being played; each has a few dozen deals
def _key(deal: Deal) -> bytes:
    return deal.key


def drawn(key: bytes, deal: int, pool: Sequence[int], number: int) -> list[int]:
    """So many cards of a pool, by the rule above."""
    numbers, left, picked = _numbers(key, deal), sorted(pool), []
    for _ in range(number):
        limit = 2**64 // len(left) * len(left)  # above it, the first cards would be a little likelier
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
    """One deal of a match, for somebody who knows no rules: its line in the log, counted from 1, what could be dealt,
    in order, and what was; as the words of the log."""

    line: int
    pool: tuple[str, ...]
    dealt: tuple[str, ...]


def every_deal(match: Match) -> list[Dealt]:
    """The deals of a match, in order."""
    found, again = [], Match(match.game, None, match.names, match.origin)
    for line, entry in enumerate(match.log, start=1):
        if entry.seat == DEALER:
            pool, number = again.game.rules.deal_pool(again.state)
            words = again.game.format_deal(again.state, pool).split()[-pool.bit_count() :]
            found.append(Dealt(line, tuple(words), tuple(entry.text.split()[-number:])))
        again.replay(entry)
    return found


def first_unfair(match: Match, deal: Deal) -> int | None:
    """The first line of a match's log whose cards do not follow from the seed and luck; None when all do."""
    dealer, again = SeededDealer(deal), Match(match.game, None, match.names, match.origin)
    for line, entry in enumerate(match.log):
        if entry.seat == DEALER:
            picked = dealer(again.game, again.state)
            if entry.text != again.game.format_deal(again.state, picked):
                return line
        again.replay(entry)
    return None
