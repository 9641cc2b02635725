"""Measure how much the expert of Quick & Easy infers of a card that its partner kept.

    python -m training.quick_easy.kept talker child training/quick_easy/held_out/vague.py --matches 40

`expert:10ms` plays with each partner. Before each of its turns the inferred probability of the card that the partner
kept is compared with that of a random card among those that the partner's words leave open. The mean gain is printed in
bits, with its 95% interval over matches; it is negative if the inference misleads.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator, Sequence
from math import log2
from statistics import fmean, stdev

import gramy
from gramy.arena.entrant import load_bot, parse_entrant
from gramy.bots import Bot
from gramy.bots.quick_easy import EXPERT
from gramy.bots.quick_easy.beliefs import beliefs_of, infer
from gramy.bots.quick_easy.partners import MODELS
from gramy.bots.quick_easy.recognition import recognise
from gramy.bots.quick_easy.talk import visible_state
from gramy.cards import count, positions
from gramy.games.quick_easy.rules import DECK
from gramy.matches import Match, ShuffledDealer

BUDGET = 0.01
"""Seconds of a reference core for each move."""


def gains(partner: Bot, rng: random.Random) -> Iterator[float]:
    """Yield the bits inferred of each card that the partner kept, in one match; the expert has seat 0."""
    match, seats = Match(gramy.game("quick-easy", starter="lot"), ShuffledDealer(rng)), (EXPERT, partner)
    kept = 0
    while match.to_act:
        for seat, bot in enumerate(seats):
            for phrase in bot.say(match.view(seat), match.history(seat), rng):
                match.say(phrase, seat)
        (seat,) = match.to_act
        view, history = match.view(seat), match.history(seat)
        if seat == 0 and view.board.laid == 0 and count(kept) == 1:
            yield bits(match, kept)
        move = seats[seat].choose(view, history, rng, BUDGET)
        if seat == 1 and move == "end":
            kept = match.state.hands[1]
        match.play(move, seat)


def bits(match: Match, kept: int) -> float:
    """Return how many bits seat 0 has inferred of this card of seat 1, beyond what seat 1 said of it."""
    view, history = match.view(0), match.history(0)
    knowledge, state = infer(view, history), visible_state(view)
    state = state._replace(deck=DECK & ~(knowledge.laid | state.up | state.down | state.hands[0]))
    beliefs = beliefs_of(knowledge, state, recognise(knowledge, state))
    slots, meant = list(beliefs.candidates), knowledge.kept[1]
    possible = list(positions(meant & state.deck))
    if meant not in slots or not meant & kept:
        return 0.0
    slot, weights, chance = slots.index(meant), beliefs.posterior[MODELS : 2 * MODELS], 0.0
    for model, weight in enumerate(weights):
        at = 50 * (model * len(slots) + slot)
        total = sum(beliefs.likelihoods[at + card] for card in possible)
        this = beliefs.likelihoods[at + kept.bit_length() - 1]
        chance += weight / sum(weights) * (this / total if total else 1 / len(possible))
    return log2(max(chance, 1e-3) * len(possible))


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the gain for each partner."""
    parser = argparse.ArgumentParser(prog="python -m training.quick_easy.kept")
    parser.add_argument("partners", nargs="+", help="bots as in gramy arena")
    parser.add_argument("--matches", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    for name in given.partners:
        bot = load_bot("quick-easy", parse_entrant(name))
        played = [list(gains(bot, random.Random(f"{given.seed} {at}"))) for at in range(given.matches)]
        means = [fmean(match) for match in played if match]
        error = 1.96 * stdev(means) / len(means) ** 0.5
        print(f"{name}: {fmean(means):+.3f} bits (± {error:.3f}), {sum(map(len, played))} cards", flush=True)


if __name__ == "__main__":
    main()
