"""Reference bots of Quick & Easy that stand for people: partners that do not play as the levels do.

| bot | how it plays | what it says | what it overlooks |
|---|---|---|---|
| `cheap` | the card with the shortest step, a second one if that costs at most one | nothing | what others say |
| `careful` | whole turns, with room for any card that is still out | nothing | what others say |
| `talker` | like `careful` | colour and height of every card | what others say |
| `listener` | whole turns, with room for the cards that others have described | nothing | |
| `child` | like `cheap`, a second card if it costs at most two | the colour of half of its cards | what others say |

A child also forgets that a card of the pile's colour fits, with 30 of 100 cards. All see what any player sees. How they
choose a turn is in `partners`.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from gramy.bots.protocol import Bot
from gramy.bots.quick_easy import opening
from gramy.bots.quick_easy.beliefs import beliefs_of, take_literally
from gramy.bots.quick_easy.features import new_extractor
from gramy.bots.quick_easy.partners import (
    CAREFUL,
    CHEAP,
    CHEAP_STEP,
    CHILD,
    CHILD_STEP,
    FORGETS_COLOUR,
    LISTENER,
    MAX_TURNS,
    model_turn,
    shortest_move,
)
from gramy.bots.quick_easy.rollouts import sample_deal
from gramy.bots.quick_easy.talk import card_phrases, say_literally, visible_state
from gramy.bots.styles import Talk, say_nothing
from gramy.contract import View
from gramy.games.quick_easy.notation import format_move
from gramy.games.quick_easy.rules import DECK
from gramy.matches import Entry
from gramy.playout import first_word

REMEMBERS = 0.5
"""How often a child names the colour of a new card."""

SECOND_STEPS = {CHEAP: (CHEAP_STEP, 0), CHILD: (CHILD_STEP, FORGETS_COLOUR)}
"""Models that choose card by card: the longest step of a second card, and how often they forget colours."""


@dataclass(frozen=True)
class ReferencePartner(Bot):
    """Plays by a model of `partners`, and talks in its own way."""

    model: int
    talk: Talk

    def choose(self, view: View, history: tuple[Entry, ...], rng: random.Random, budget: float) -> str:
        if len(view.moves) == 1:
            return view.moves[0]
        state, knowledge = visible_state(view), take_literally(view, history)
        hidden = DECK & ~(knowledge.laid | state.up | state.down | state.hands[state.seat])
        state = state._replace(deck=hidden)
        # A model goes by what is known of the other hands, so the cards of any one deal will do.
        beliefs = beliefs_of(knowledge, state)
        deal, word = sample_deal(state, beliefs, view.board.in_deck, first_word(rng.getrandbits(64)))
        if state.laid and self.model in SECOND_STEPS:
            move, _ = shortest_move(deal, *SECOND_STEPS[self.model], word)
        else:
            move, _, _ = model_turn(self.model, deal, beliefs.known, new_extractor(), [0] * 2 * MAX_TURNS, word)
        return format_move(state, state.seat, move)

    def say(self, view: View, history: tuple[Entry, ...], rng: random.Random) -> tuple[str, ...]:
        return self.talk(view, history, rng)

    def eagerness(self, view: View, history: tuple[Entry, ...], rng: random.Random) -> float:
        return opening.eagerness(view, history, listens=self.model == LISTENER)


def say_half(view: View, history: tuple[Entry, ...], rng: random.Random) -> tuple[str, ...]:
    """Return the colours of new cards, each with a probability of one half, and only right after they were drawn."""
    last = next((entry for entry in reversed(history) if not entry.text.startswith("say ")), None)
    if last is None or not last.text.startswith("deal ") or last.text.endswith("?"):
        return ()
    return tuple(phrase for phrase in card_phrases(view, history, heights=False) if rng.random() < REMEMBERS)


CHEAP_PARTNER = ReferencePartner(CHEAP, say_nothing)
CAREFUL_PARTNER = ReferencePartner(CAREFUL, say_nothing)
TALKER = ReferencePartner(CAREFUL, say_literally)
LISTENING_PARTNER = ReferencePartner(LISTENER, say_nothing)
CHILD_PARTNER = ReferencePartner(CHILD, say_half)
