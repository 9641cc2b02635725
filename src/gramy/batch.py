"""Many matches of one game, stepped together: arrays in, arrays out. docs/batch.md explains it with examples.

The matches are played by the game's own rules (`gramy.stepping`), compiled where Numba is installed. All arrays are the
same without it, but slower; only NumPy is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from gramy import compiled, encoding, packing, playout, stepping
from gramy.cards import ROW
from gramy.contract import DEALER, Game, Rules, State
from gramy.errors import BadOptions, IllegalMove
from gramy.messages import Message
from gramy.optional import library
from gramy.stepping import ACTION, GOING_ON, LEGAL, RESULT, SEAT

if TYPE_CHECKING:
    from numpy import bool_, float32, int8, int64
    from numpy.typing import NDArray

NO_ACTION = NO_MATCH = -1
Named: TypeAlias = tuple[tuple[str, Callable[..., Any]], ...]
"""Functions with the names under which they are called."""


class RecordLayout(NamedTuple):
    """The columns of a game's records, and the functions that read and write them."""

    rows: int
    width: int
    functions: Named


@cache
def layout(rules: Rules) -> RecordLayout:
    """Return the layout of a game's records; it is the same for all options."""
    state = rules.start(rules.Options())
    rows = tuple(rules.legal_moves(state, 0))
    first = stepping.ROWS + len(rows)
    functions = (
        packing.loader("load_rows", rows, stepping.ROWS),
        packing.storer("store_rows", rows, stepping.ROWS),
        packing.loader("load_state", state, first),
        packing.storer("store_state", state, first),
    )
    return RecordLayout(len(rows), first + packing.size(state), tuple((each.__name__, each) for each in functions))


def rewards_by_winners(game: Game) -> list[list[float]]:
    """Return the reward of each seat for every set of winning seats, and at last for a match that goes on.

    Opponents: the winner gets 1, and the others share a loss of 1. Partners: each gets 1 if they win, 0 if they lose.
    """
    lost = 0.0 if game.rules.COOPERATIVE else -1 / (game.players - 1)
    seats = range(game.players)
    rewards = [[1.0 if winners >> seat & 1 else lost for seat in seats] for winners in range(1 << DEALER)]
    return [*rewards, [0.0 for _ in seats]]


class Batch:
    """n matches of a game. `game.rules.actions(game.options)` says what each action is, `observation` each number.

    When a step ends a match, `done`, `rewards` and `endings` say so, and the next match has already begun: `to_act`,
    `masks` and `observations` are those of the new match.
    """

    def __init__(self, game: Game, n: int, seed: int = 0, *, threads: int = 1, plain: bool = False) -> None:
        """Begin n matches. `threads` share the work, which pays for large n; `plain` does without compiled code."""
        if n < 1 or threads < 1:
            raise BadOptions(Message("batch_size", {"matches": n, "threads": threads}))
        numpy = library("numpy", "fast")
        self.game, self.n, self.seed, self.threads = game, n, seed, threads
        self.plain = plain or not compiled.available()
        self._numpy, self._layout = numpy, layout(game.rules)
        blocks = game.rules.actions(game.options)
        codes = encoding.action_codes(blocks)
        self.actions, rows = len(codes), self._layout.rows
        """The number of actions: they are 0 to this number - 1."""
        observed = encoding.width(game.rules.observation(game.options))
        action_by_code = numpy.full(ROW * rows, NO_ACTION, numpy.int64)
        action_by_code[list(codes)] = range(self.actions)
        spans = [number for span in encoding.spans(blocks) for number in span]
        self._first_listed = stepping.CODES + self.actions + ROW * rows
        self._tables = numpy.array(
            [self.actions, rows, observed, len(blocks), 0, *codes, *action_by_code, *codes, *spans], numpy.int64
        )
        self._listed = NO_MATCH
        self._records = numpy.zeros((2 * n + 1, self._layout.width), numpy.int64)
        dict(self._layout.functions)["store_state"](self._records, n, game.start())
        self._turns = numpy.zeros((stepping.TURN_ROWS, n), numpy.int64)
        self._rewards = numpy.array(rewards_by_winners(game), numpy.float32)
        self._shown = numpy.zeros(n * (self.actions + observed), numpy.int8)
        self._masks: NDArray[bool_] = self._shown[: n * self.actions].reshape(n, -1).view(numpy.bool_)
        self._observations: NDArray[int8] = self._shown[n * self.actions :].reshape(n, -1)
        self._filled = 0
        self._functions: dict[Callable[..., Any], Callable[..., Any]] = {}
        self._step_matches = self._bound(stepping.step_matches)
        self.reset()

    def reset(self, seeds: int | Sequence[int] | None = None) -> None:
        """Begin all matches anew: from the seed of the batch, from another one, or from one seed for each match."""
        seed = self.seed if seeds is None else seeds
        each = [(seed << 32) + i for i in range(self.n)] if isinstance(seed, int) else [int(one) for one in seed]
        if len(each) != self.n:
            raise BadOptions(Message("batch_seeds", {"expected": self.n, "given": len(each)}))
        self._records[: self.n, stepping.DEAL_WORD] = [playout.first_word(one) for one in each]
        self._records[: self.n, stepping.CHOICE_WORD] = [playout.first_word(~one) for one in each]
        self._filled, self._listed = 0, NO_MATCH
        self._run(self._step_matches, self._tables, self._shown, stepping.ANEW)

    def step(self, actions: Sequence[int] | NDArray[Any] | None = None) -> None:
        """Make a move in every match; raises IllegalMove, and then no match has changed.

        Without actions the moves are random: the same as, but faster than, `step(choose())`.
        If masks or observations were read after the last step, this one fills them for the next reading.
        """
        if actions is None:
            self._run(self._step_matches, self._tables, self._shown, self._filled | stepping.CHOOSE)
            self._listed = NO_MATCH
            return
        given = self._numpy.asarray(actions)
        if given.shape != (self.n,) or given.dtype.kind not in "iu":
            values = {"expected": self.n, "shape": str(given.shape), "type": str(given.dtype)}
            raise BadOptions(Message("batch_actions", values))
        self._turns[ACTION] = given
        if self.threads > 1:  # each thread sees only its own matches
            self._refuse(self._bound(stepping.first_illegal)(self._records, self._turns, self._tables, 0, self.n))
        self._refuse(self._run(self._step_matches, self._tables, self._shown, self._filled))
        self._listed = NO_MATCH

    def play(self, action: int, match: int = 0) -> bool:
        """Make a move in one match only, and return whether it ended: the fast way to play a match from Python."""
        if not 0 <= match < self.n:
            raise self._no_such_match(match)
        self._turns[ACTION, match] = action
        illegal = self._step_matches(self._records, self._turns, self._tables, self._shown, 0, match, match + 1)
        if illegal != LEGAL:
            self._refuse(illegal)
        self._filled, self._listed = 0, match
        over: bool = self._turns.item(RESULT, match) != GOING_ON
        return over

    def legal(self, match: int = 0) -> list[int]:
        """Return the legal actions of the seat to act in a match."""
        if not 0 <= match < self.n:
            raise self._no_such_match(match)
        if self._listed != match:
            self._bound(stepping.list_actions)(self._records, self._tables, match)
            self._listed = match
        first = self._first_listed
        legal: list[int] = self._tables[first : first + self._tables.item(stepping.LISTED)].tolist()
        return legal

    def choose(self, policy: playout.Policy = playout.uniform) -> NDArray[int64]:
        """Return an action for each match, chosen by a policy at compiled speed: uniformly at random if none is given.

        See `gramy.simulate` for what a policy is. Its choices are not checked here, but in `step`.
        """
        actions: NDArray[int64] = self._numpy.zeros(self.n, self._numpy.int64)
        choose = _bound(self.game.rules, stepping.choose_actions, self.plain, self._layout.functions, policy)
        self._run(choose, self._tables, actions)
        return actions

    # --- arrays -------------------------------------------------------------------------------------------------------

    @property
    def to_act(self) -> NDArray[int64]:
        """The seat to act in each match; where several are, the lowest, but who starts is drawn from those who may."""
        seats: NDArray[int64] = self._turns[SEAT].copy()
        return seats

    @property
    def done(self) -> NDArray[bool_]:
        """Whether the last step ended each match."""
        done: NDArray[bool_] = self._turns[RESULT] != GOING_ON
        return done

    @property
    def rewards(self) -> NDArray[float32]:
        """The rewards of the last step, a column for each seat: 0 in a match that goes on."""
        rewards: NDArray[float32] = self._rewards.take(self._turns[RESULT], axis=0, mode="wrap")  # GOING_ON: the last
        return rewards

    @property
    def endings(self) -> NDArray[int64]:
        """How each match ended that the last step ended (`Rules.ending`); -1 in a match that goes on."""
        endings: NDArray[int64] = self._turns[stepping.ENDING].copy()
        return endings

    @property
    def masks(self) -> NDArray[bool_]:
        """Whether the seat to act may choose each action; a row for each match. The next step overwrites the array."""
        self._fill(stepping.MASKS, stepping.fill_masks)
        return self._masks

    @property
    def observations(self) -> NDArray[int8]:
        """What the seat to act observes; a row for each match. The next step overwrites the array."""
        self._fill(stepping.OBSERVATIONS, stepping.fill_observations)
        return self._observations

    @property
    def final_observations(self) -> NDArray[int8]:
        """What each seat observed at the end of each match that the last step ended, 0 elsewhere; a new array."""
        players = self.game.players
        final: NDArray[int8] = self._numpy.zeros((self.n, players, self._observations.shape[1]), self._numpy.int8)
        self._run(self._bound(stepping.fill_final_observations), self._tables, players, final.reshape(-1))
        return final

    def state(self, match: int = 0) -> State:
        """Return the whole state of a match, hidden cards included."""
        if not 0 <= match < self.n:
            raise self._no_such_match(match)
        return dict(self._layout.functions)["load_state"](self._records, match)

    def _fill(self, task: int, function: Callable[..., Any]) -> None:
        """Fill an array, unless it is up to date."""
        if not self._filled & task:
            self._run(self._bound(function), self._tables, self._shown)
            self._filled |= task

    # --- calls into the rules -----------------------------------------------------------------------------------------

    def _bound(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function of `stepping` that is bound to the game's rules."""
        if function not in self._functions:
            self._functions[function] = _bound(self.game.rules, function, self.plain, self._layout.functions)
        return self._functions[function]

    def _run(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Call a bound function for all matches, if asked for in several threads; return what one returns."""
        if self.threads == 1:
            return function(self._records, self._turns, *arguments, 0, self.n)
        bounds = [self.n * part // self.threads for part in range(self.threads + 1)]
        with ThreadPoolExecutor(self.threads) as pool:
            first, *_ = pool.map(partial(function, self._records, self._turns, *arguments), bounds[:-1], bounds[1:])
            return first

    def _no_such_match(self, match: int) -> BadOptions:
        return BadOptions(Message("no_such_match", {"asked": match, "last": self.n - 1}))

    def _refuse(self, match: int) -> None:
        """Raise IllegalMove if a match has an illegal action."""
        if match != LEGAL:
            seat, action = int(self._turns[SEAT, match]), int(self._turns[ACTION, match])
            raise IllegalMove(Message("illegal_action", {"match": match, "seat": seat, "action": action}))


@cache
def _bound(
    rules: Rules, function: Callable[..., Any], plain: bool, others: Named, policy: playout.Policy | None = None
) -> Callable[..., Any]:
    if policy:
        others += (("policy", policy),)
    if plain:
        bound: Callable[..., Any] = playout.specialise(rules, function, others=dict(others))
        return bound
    return compiled.compiled(rules, function, True, others)
