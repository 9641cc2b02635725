"""Rounds between two by the tables: equilibrium play, and what each move is worth against it."""

from __future__ import annotations

import random
from typing import NamedTuple

from gramy.bots.gra import equity, store
from gramy.bots.gra.answer import Answer
from gramy.bots.gra.plain import bids
from gramy.bots.gra.shape import Round
from gramy.bots.gra.store import Card
from gramy.bots.gra.tree import CHECK, Claim
from gramy.bots.protocol import seat_of
from gramy.contract import View
from gramy.matches import Entry


class Seen(NamedTuple):
    """A round between two as one of them sees it: as the one who opens (0) or who answers (1)."""

    round: Round
    mine: int
    cards: tuple[Card, ...]
    faces: tuple[int, ...]
    said: tuple[Claim, ...]


def seen(view: View, history: tuple[Entry, ...]) -> Seen | None:
    """The round, if it is one between two and the history has all its bids."""
    board, me = view.board, seat_of(view)
    said = bids(history) if board.phase == "bidding" else []
    if len(board.active) != 2 or (board.bid is not None) != bool(said):
        return None
    opener = said[0].seat if said else board.turn
    other = next(seat for seat in board.active if seat != opener)
    variant = equity.variant_of(view)
    return Seen(
        Round(board.sizes[opener], board.sizes[other], bool(variant.jokers), bool(variant.quantity_first)),
        int(me != opener),
        tuple((int(word[0]), int(word[1])) for word in board.hand.cards),
        board.hand.faces,
        tuple((bid.number, bid.value) for bid in said),
    )


def choose(view: View, history: tuple[Entry, ...], rng: random.Random) -> str | None:
    """A move of equilibrium play, if there is a table for this moment."""
    now = seen(view, history)
    play = store.play(now.round, now.mine) if now else None
    if now is None or play is None:
        return None
    if view.board.phase == "choosing":
        sight = play.parts[0].sights[now.mine]
        showing = play.showing(now.cards)
        shown = rng.choices(list(showing), list(showing.values()))[0]
        return rng.choice([move for move in view.moves if sight.shown(faces_in(move)) == shown])
    moves = play.moves(now.cards, now.faces, now.said)
    return written(rng.choices(list(moves), list(moves.values()))[0]) if moves else None


def faces_in(move: str) -> list[int]:
    return [int(word) for word in move.split()[1:]]


def written(claim: Claim) -> str:
    return "check" if claim == CHECK else f"bid {claim[0]}x{claim[1]}"


def evaluate(view: View, history: tuple[Entry, ...]) -> dict[str, float] | None:
    """The chance to win the match after each offered move, if the other seat plays by its table and the own seat gives
    the best answer. Faces are weighed for what they do in bids on the highest values. None without a table."""
    now = seen(view, history)
    against = store.play(now.round, 1 - now.mine) if now else None
    if now is None or against is None:
        return None
    if view.board.phase == "choosing":
        chances = {move: Answer(against, now.cards, faces_in(move), ()).chance() for move in view.moves}
    else:
        values = against.next_values(now.said)
        found = [Answer(against, now.cards, now.faces, now.said, value).moves() for value in values]
        chances = {move: chance for some in found for move, chance in named(some).items()}
    me = seat_of(view)
    other = next(seat for seat in view.board.active if seat != me)
    worth = equity.worth(view, me)
    won, lost = worth[me * 6 + other], worth[other * 6 + me]
    return {move: chance * won + (1 - chance) * lost for move, chance in chances.items()} or None


def named(moves: dict[Claim, float]) -> dict[str, float]:
    return {written(claim): chance for claim, chance in moves.items()}
