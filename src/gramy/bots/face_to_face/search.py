"""Bots of Face to Face that search: the best turns are rolled out in sampled deals (determinised Monte Carlo).

The other player's cards are all that they have not laid. A sampled deal says which of them they hold, and what both
players will draw. All candidates are rolled out in the same deals, and `sequential_halving` gives more roll-outs to the
better ones. With both decks empty, a turn that is sure to win is played without a search (`endgame`).

The expert chooses between two networks by the turns that the other player has made (`recognition`). In roll-outs the
other player replies as they have played so far: like a greedy player, or by the network. The expert searches before the
first card of a turn, and then keeps to the turn that it has planned (`turn_start`).
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import comb
from zlib import crc32

from gramy import playout
from gramy.bots.face_to_face.endgame import sure_win
from gramy.bots.face_to_face.evaluation import probability
from gramy.bots.face_to_face.habits import habits
from gramy.bots.face_to_face.heuristic import laid_by, visible_state
from gramy.bots.face_to_face.network import AGAINST_GREEDY, AGAINST_STRONG
from gramy.bots.face_to_face.positions import best_positions, new_workspace, run_rollouts
from gramy.bots.face_to_face.recognition import HUNDREDTHS, STRONG, UNRECOGNISED, RecognisedPlayer, recognise
from gramy.bots.face_to_face.turn_start import turn_start
from gramy.bots.face_to_face.turns import GO as GO_POLICY
from gramy.bots.face_to_face.turns import (
    GO_PROMISING,
    GREEDY,
    NETWORK,
    NETWORK_PROMISING,
    WON,
    changed_fields,
    read_position,
)
from gramy.bots.kernel import is_compiled, out_of_time
from gramy.bots.protocol import Bot, seat_of
from gramy.bots.search import Ranking, sequential_halving
from gramy.cards import bit_of, codes, count, from_positions, positions, row_of
from gramy.contract import View
from gramy.games.face_to_face.notation import format_move
from gramy.games.face_to_face.rules import DECK, END, HAND, Side, State, apply, legal_moves
from gramy.matches import Entry

TO_THE_END = 1000
"""A horizon beyond the longest match."""
FOLLOWED = {AGAINST_GREEDY: NETWORK_PROMISING, AGAINST_STRONG: NETWORK}
"""How roll-outs go on by each network: over the turns that it was trained with. Candidates are always all turns."""
ALL_TURNS_SLOWDOWN = 2
"""A roll-out over all turns takes this many times longer than one over promising turns."""
SPREAD = 37
"""Coprime with HUNDREDTHS: so the policies of the other player alternate from one sampled deal to the next."""
PRIOR_WEIGHT = 3
"""Roll-outs that the network's evaluation of a candidate counts like."""
LATER_CARD_SHARE = 1 / 4
"""Share of the roll-outs for a card after the first: the whole turn was searched before the first one."""
MAX_TIES = 64
"""States of the same, highest value that a greedy bot chooses from."""
PLAIN_SLOWDOWN = 500
"""By plain functions a bot makes this many times fewer roll-outs."""
PLAIN_ROLLOUTS_EACH = 4
"""Roll-outs by plain functions for which one more candidate of the network is considered."""


def home_turns(cards: int) -> int:
    """Return how many states these cards can leave at most on the own piles: which are laid, and which are on top."""
    return sum(comb(cards, laid) * (laid * laid + laid) for laid in range(cards + 1))


MAX_TURNS = [home_turns(size) + 2 * size * home_turns(size - 1) + 1 if size else 1 for size in range(HAND + 1)]
"""For each size of a hand, more states than it can leave: one card may also be given, to either pile."""


@dataclass(frozen=True)
class MonteCarloBot(Bot):
    """Rolls out the best turns of a policy in sampled deals.

    With an empty deck the own cards are certain, so roll-outs then go to the end of the match.
    """

    policy: int
    candidates: int
    horizon: int  # turns of a roll-out
    rate: int  # roll-outs in a second of budget
    solves_endgames: bool = False
    plans: bool = False  # whether it keeps to the turn that it planned before its first card
    recognises: bool = False  # whether network and expected replies depend on how the other player has played

    def choose(self, view: View, history: tuple[Entry, ...], rng: random.Random, budget: float) -> str:
        state, both, recognised = known_state(view, history), habits(history), self._recognise(view, history)
        moves: list[int] = []
        if self.plans:
            moves = first_moves(state, planned_turn(self, turn_start(state, history), both, recognised, budget))
        if not moves:  # it plans no turns, or the cards laid were not its own choice
            moves = first_moves(state, self.best_turn(state, both, recognised, rng, budget))
        return format_move(state, state.seat, moves[0])

    def best_turn(
        self, state: State, both: tuple[int, int], recognised: RecognisedPlayer, rng: random.Random, budget: float
    ) -> State:
        """Return the state that the best turn leaves."""
        found, values = self._candidates(state, both, recognised.network, self._width(state, budget))
        best = self._rank(state, both, recognised, found, values, rng, budget).order[0] if len(values) > 1 else 0
        return read_position(state, found, best)

    def evaluate(self, view: View, history: tuple[Entry, ...], rng: random.Random, budget: float) -> dict[str, float]:
        """Return the chance to win by each legal move, if the turn is then finished as well as possible.

        People see this chance, and both sides of a match are evaluated. So the other player counts as strong, whoever
        they are: against a greedy one, each side would seem to be winning.
        """
        state, both = known_state(view, history), habits(history)
        recognised = STRONG if self.recognises else UNRECOGNISED
        seat = state.seat
        found, values = self._candidates(state, both, recognised.network, self.candidates)
        moves = [first_moves(state, read_position(state, found, k)) for k in range(len(values))]
        chances: dict[str, float] = {}
        for code in codes(legal_moves(state, seat)):
            if not any(code in codes_of_turn for codes_of_turn in moves) and not out_of_time():
                after = state if row_of(code) == END else apply(state, seat, code)
                if after.winner == 1 - seat:
                    chances[format_move(state, seat, code)] = 0.0
                    continue
                best, value = [*changed_fields(after)], [WON]
                if row_of(code) == END:
                    value = [min(values)]  # it was not among the best
                elif after.winner != seat:
                    best, value = best_positions(after, 1, self.policy, both, recognised.network)
                found, values = found + best, values + value
                moves.append([code])
        order, means = self._rank(state, both, recognised, found, values, rng, budget)
        for candidate in order:
            for code in moves[candidate]:
                chances.setdefault(format_move(state, seat, code), min(means[candidate], means[order[0]]))
        return chances

    def _recognise(self, view: View, history: tuple[Entry, ...]) -> RecognisedPlayer:
        """Return how the other player plays."""
        return recognise(view, history, seat_of(view)) if self.recognises else UNRECOGNISED

    def _candidates(
        self, state: State, both: tuple[int, int], network: int, limit: int
    ) -> tuple[list[int], list[float]]:
        """Return the states to roll out and their values: the best ones, or one that is sure to win."""
        if self.solves_endgames and not state.me.deck | state.foe.deck and is_compiled():
            certain = sure_win(state, all_turns)
            if certain:
                return [*changed_fields(certain)], [WON]
        return best_positions(state, limit, self.policy, both, network)

    def _width(self, state: State, budget: float) -> int:
        """Return how many candidates to consider; by plain functions only as many as the budget allows to compare."""
        if is_compiled() or self.policy != NETWORK:
            return self.candidates
        return min(self.candidates, max(1, self._rollouts(state, budget, self.policy) // PLAIN_ROLLOUTS_EACH))

    def _rollouts(self, state: State, budget: float, followed: int) -> int:
        number = int(budget * self.rate * (LATER_CARD_SHARE if state.laid else 1))
        number //= ALL_TURNS_SLOWDOWN if followed == NETWORK else 1
        return number if is_compiled() else number // PLAIN_SLOWDOWN

    def _rank(
        self,
        state: State,
        both: tuple[int, int],
        recognised: RecognisedPlayer,
        found: list[int],
        values: list[float],
        rng: random.Random,
        budget: float,
    ) -> Ranking:
        """Roll out the candidates; `both` are the habits of both seats, which stay the same in the roll-outs."""
        followed = FOLLOWED[recognised.network] if self.policy == NETWORK else self.policy
        rollouts, seed = self._rollouts(state, budget, followed), rng.getrandbits(32) << 32
        workspace = new_workspace(1, both, recognised.network)
        horizon = self.horizon if state.me.deck or not is_compiled() else TO_THE_END

        def roll_out(candidates: Sequence[int], first_deal: int, deals: int) -> list[float]:
            numbers = range(first_deal, first_deal + deals)
            words = [playout.first_word(seed + deal) for deal in numbers]
            policies = [reply_policy_in(deal, recognised, followed) for deal in numbers]
            return run_rollouts(state, found, candidates, words, policies, horizon, followed, workspace)

        if self.policy != NETWORK:
            return sequential_halving(len(values), rollouts, roll_out)
        priors = [probability(value) for value in values]
        too_few = rollouts < len(values) and not is_compiled()
        return sequential_halving(
            len(values), rollouts, roll_out, priors, PRIOR_WEIGHT, lambda: too_few or out_of_time()
        )


def reply_policy_in(deal: int, recognised: RecognisedPlayer, followed: int) -> int:
    """Return the policy of the other player in a sampled deal, by its number: each one as often as it is likely.

    A player who is not greedy replies by the policy that the roll-outs follow.
    """
    place = deal * SPREAD % HUNDREDTHS
    for model, weight in enumerate(recognised.greedy):
        if place < weight:
            return GREEDY + model
        place -= weight
    return followed


@lru_cache(maxsize=16)
def planned_turn(
    bot: MonteCarloBot, begun: State, both: tuple[int, int], recognised: RecognisedPlayer, budget: float
) -> State:
    """Return the state that the best turn leaves, the same one whenever it is asked for.

    The sampled deals follow from the state in which the turn began, so every card of the turn belongs to one plan.
    """
    return bot.best_turn(begun, both, recognised, random.Random(crc32(repr(begun).encode())), budget)


@dataclass(frozen=True)
class GreedyBot(Bot):
    """Plays one of the turns with the highest value to a policy, at random."""

    policy: int

    def choose(self, view: View, history: tuple[Entry, ...], rng: random.Random, budget: float) -> str:
        state = known_state(view, history)
        found, values = best_positions(state, MAX_TIES, self.policy)
        best = read_position(state, found, rng.randrange(values.count(values[0])))
        return format_move(state, state.seat, rng.choice(first_moves(state, best)))


def known_state(view: View, history: tuple[Entry, ...]) -> State:
    """Return the state as the seat knows it: which cards the other player has, but not which of them they hold."""
    state, seat = visible_state(view, history), seat_of(view)
    other = view.board.halves[1 - seat]
    unseen = positions(DECK & ~laid_by(1 - seat, history))[: other.in_hand + other.in_deck]
    hand, deck = from_positions(unseen[: other.in_hand]), from_positions(unseen[other.in_hand :])
    return state._replace(foe=Side(state.foe.up, state.foe.down, hand, deck))


def all_turns(state: State) -> list[State]:
    """Return all states that the turn can leave when the deck is empty, the most promising first."""
    found, values = best_positions(state, MAX_TURNS[count(state.me.hand)], GO_POLICY)
    return [read_position(state, found, k) for k in range(len(values))]


def first_moves(state: State, left: State) -> list[int]:
    """Return the moves that lead on to a state that this turn can leave."""
    laid, found = state.me.hand & ~left.me.hand, []
    for code in codes(legal_moves(state, state.seat)):
        if row_of(code) == END:
            leads = changed_fields(state) == changed_fields(left)
        elif laid >> bit_of(code) & 1:
            after = apply(state, state.seat, code)
            leads = changed_fields(after) == changed_fields(left) or bool(first_moves(after, left))
        else:
            leads = False
        if leads:
            found.append(code)
    return found


GO = GreedyBot(GO_POLICY)
MC = MonteCarloBot(GO_PROMISING, candidates=24, horizon=TO_THE_END, rate=1000)
HARD = MonteCarloBot(NETWORK, candidates=1, horizon=1, rate=0)
EXPERT = MonteCarloBot(
    NETWORK, candidates=24, horizon=2, rate=20_000, solves_endgames=True, plans=True, recognises=True
)
