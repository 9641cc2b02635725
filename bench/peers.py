"""Measure uniformly random play in other game libraries, for `make bench`.

Every peer plays the way its documentation shows, on one core. Only processor time counts; imports, compilation and
warm-up do not. A decision is one action by a player; deals and other chance moves are not counted.

    python bench/peers.py --seconds 2 --json
"""

import argparse
import contextlib
import json
import os
import random
import sys
import time
from collections.abc import Callable, Sequence
from importlib import import_module, metadata
from typing import Any, NamedTuple, TypedDict

ROLLOUTS = 200  # games per call of OpenSpiel's search: enough to make its overhead small, few enough for many deals
BATCH = 4096  # games side by side in pgx
STEPS = 50  # moves in each of them between two readings of the clock


class Measurement(NamedTuple):
    """What a peer played in its processor time."""

    games: int
    decisions: int
    seconds: float


class Row(TypedDict):
    """One line of the report; the speeds are None when the peer could not play, and the note says why."""

    name: str
    kind: str
    game: str
    games_per_second: float | None
    decisions_per_second: float | None
    note: str


class Peer(NamedTuple):
    """A library playing one game one way; `package` is what to install for it."""

    name: str
    kind: str
    game: str
    package: str
    play: Callable[[str, float], Measurement]
    note: str = ""

    def row(self, seconds: float) -> Row:
        """Return the measured row; for a missing or broken peer, a row that says why it has no figures."""
        row = Row(
            name=self.name,
            kind=self.kind,
            game=self.game,
            games_per_second=None,
            decisions_per_second=None,
            note=self.note,
        )
        try:
            version = metadata.version(self.package)
            with contextlib.redirect_stdout(sys.stderr):  # some print on import, and stdout is for the report
                games, decisions, spent = self.play(self.game, seconds)
        except ImportError as error:  # of the package or of one that it needs
            row["note"] = f"not installed: {error}"
        except Exception as error:  # the others are still measured
            row["note"] = f"failed: {type(error).__name__}: {error}"
        else:
            row["games_per_second"] = games / spent
            row["decisions_per_second"] = decisions / spent
            row["note"] = "; ".join(filter(None, (f"{self.package} {version}", self.note)))
        return row


def repeat(play: Callable[[], int], seconds: float) -> Measurement:
    """Play whole games, each returning its number of decisions, until the processor time is used up.

    The first game is not counted: it pays for lazy imports and first-time caches.
    """
    play()
    games = decisions = 0
    spent = 0.0
    start = time.process_time()
    while spent < seconds:
        decisions += play()
        games += 1
        spent = time.process_time() - start
    return Measurement(games, decisions, spent)


def pick(choices: Sequence[Any]) -> Any:
    """Choose one uniformly, several times faster than `random.choice`, so that it costs the peers little."""
    return choices[int(random.random() * len(choices))]


def spiel_game(name: str) -> Any:
    """Load an OpenSpiel game; liar's dice with five dice a player, as it is usually played."""
    parameters = {"numdice": 5} if name == "liars_dice" else {}
    return import_module("pyspiel").load_game(name, parameters)


def spiel_deal(game: Any) -> Any:
    """Sample the chance moves up to the first decision.

    In these games all outcomes of a chance move are equally likely, so they are picked like any other action:
    asking for their probabilities would slow OpenSpiel down.
    """
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(pick(state.legal_actions()))
    return state


def spiel_python(name: str, seconds: float, chance: bool = False) -> Measurement:
    """OpenSpiel's C++ games driven from Python, one call a move, as its examples do.

    If `chance`, the chance moves after the deal count as decisions, too.
    """
    game = spiel_game(name)

    def play() -> int:
        state = spiel_deal(game)
        decisions = 0
        while not state.is_terminal():
            decisions += chance or not state.is_chance_node()
            state.apply_action(pick(state.legal_actions()))
        return decisions

    return repeat(play, seconds)


def spiel_rollouts(name: str, seconds: float) -> Measurement:
    """OpenSpiel's own C++ random roll-outs, the fastest play that it offers from Python.

    One simulation of its tree search evaluates the root by ROLLOUTS random games and builds no tree. The search
    counts no moves, so the moves are these games times the mean length of games driven from Python, chance moves
    included. The games start after the deal, whose cost does not count, and each call has a new deal.
    """
    spiel = import_module("pyspiel")
    game = spiel_game(name)
    sample = spiel_python(name, seconds / 4, chance=True)
    evaluator = spiel.RandomRolloutEvaluator(n_rollouts=ROLLOUTS, seed=1)
    search = spiel.MCTSBot(
        game, evaluator, uct_c=2.0, max_simulations=1, max_memory_mb=0, solve=False, seed=1, verbose=False
    )
    games, spent = 0, 0.0
    while spent < seconds:
        state = spiel_deal(game)
        start = time.process_time()
        search.mcts_search(state)
        spent += time.process_time() - start
        games += ROLLOUTS
    return Measurement(games, round(games * sample.decisions / sample.games), spent)


def spiel_decisions_a_move(name: str, games: int = 200) -> float:
    """Return the share of moves after the deal that players make in OpenSpiel; the others are chance moves."""
    game, decisions, moves = spiel_game(name), 0, 0
    for _ in range(games):
        state = spiel_deal(game)
        while not state.is_terminal():
            decisions += not state.is_chance_node()
            moves += 1
            state.apply_action(pick(state.legal_actions()))
    return decisions / moves


def rlcard(name: str, seconds: float) -> Measurement:
    """RLCard's environment loop; its agents, which alone need torch, are not used."""
    env = import_module("rlcard").make(name, config={"seed": 1})

    def play() -> int:
        state, _ = env.reset()
        decisions = 0
        while not env.is_over():
            state, _ = env.step(pick(list(state["legal_actions"])))
            decisions += 1
        return decisions

    return repeat(play, seconds)


def pettingzoo(name: str, seconds: float) -> Measurement:
    """PettingZoo's own games, with the wrappers they come in."""
    return agent_loop(import_module(f"pettingzoo.classic.{name}").env(), seconds)


def agent_loop(env: Any, seconds: float) -> Measurement:
    """PettingZoo's agent loop from its documentation: observation and mask at each step, a random legal action."""
    flatnonzero = import_module("numpy").flatnonzero

    def play() -> int:
        env.reset()
        decisions = 0
        for _ in env.agent_iter():
            observation, _, ended, cut, _ = env.last()
            if ended or cut:
                env.step(None)
            else:
                env.step(pick(flatnonzero(observation["action_mask"])))
                decisions += 1
        return decisions

    return repeat(play, seconds)


def pgx(name: str, seconds: float) -> Measurement:
    """Pgx on the processor: BATCH games in step, finished ones dealt anew, STEPS moves a compiled call.

    XLA may start several threads; processor time adds them up, so this is the speed of one core either way.
    """
    jax, jnp = import_module("jax"), import_module("jax.numpy")
    env = import_module("pgx").make(name)
    step = jax.vmap(import_module("pgx.experimental").auto_reset(env.step, env.init))

    def move(state: Any, key: Any) -> tuple[Any, Any]:
        choose, chance = jax.random.split(key)
        odds = jnp.where(state.legal_action_mask, 0.0, -jnp.inf)
        state = step(state, jax.random.categorical(choose, odds), jax.random.split(chance, BATCH))
        return state, state.terminated.sum()

    def moves(state: Any, key: Any) -> tuple[Any, Any, Any]:
        key, now = jax.random.split(key)
        state, ended = jax.lax.scan(move, state, jax.random.split(now, STEPS))
        return state, key, ended.sum()

    play = jax.jit(moves)
    key = jax.random.key(1)
    state = jax.jit(jax.vmap(env.init))(jax.random.split(key, BATCH))
    state, key, ended = play(state, key)
    ended.block_until_ready()  # compiled and warm
    games = decisions = 0
    spent = 0.0
    start = time.process_time()
    while spent < seconds:
        state, key, ended = play(state, key)
        games += int(ended)
        decisions += BATCH * STEPS
        spent = time.process_time() - start
    return Measurement(games, decisions, spent)


SAMPLED = "moves estimated by the mean game length"
ROLLOUT_PEERS = (
    Peer("OpenSpiel", "C++ roll-outs", "hearts", "open_spiel", spiel_rollouts, SAMPLED),
    Peer("OpenSpiel", "C++ roll-outs", "crazy_eights", "open_spiel", spiel_rollouts, SAMPLED),
    Peer("OpenSpiel", "C++ roll-outs", "liars_dice", "open_spiel", spiel_rollouts, f"five dice; {SAMPLED}"),
)
PYTHON_PEERS = (
    Peer("OpenSpiel", "from Python", "hearts", "open_spiel", spiel_python),
    Peer("OpenSpiel", "from Python", "crazy_eights", "open_spiel", spiel_python),
    Peer("OpenSpiel", "from Python", "liars_dice", "open_spiel", spiel_python, "five dice"),
    Peer("RLCard", "Python", "uno", "rlcard", rlcard),
    Peer("RLCard", "Python", "leduc-holdem", "rlcard", rlcard),
)
ENVIRONMENT_PEERS = (
    Peer("PettingZoo", "Python", "hanabi_v5", "pettingzoo", pettingzoo),
    Peer("PettingZoo", "Python", "leduc_holdem_v4", "pettingzoo", pettingzoo, "plays RLCard's leduc-holdem"),
)
BATCH_PEERS = (Peer("pgx", "JAX on the CPU", "leduc_holdem", "pgx", pgx, f"batch {BATCH}; threads added up"),)
PEERS = (*ROLLOUT_PEERS, *PYTHON_PEERS, *ENVIRONMENT_PEERS, *BATCH_PEERS)


def pin() -> None:
    """Stay on one core where the system allows it, so that no peer gains from a second one."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def measure(seconds: float) -> list[Row]:
    """Let every peer play for about that much processor time, in the order of PEERS."""
    random.seed(1)
    return [peer.row(seconds) for peer in PEERS]


def table(rows: Sequence[Row]) -> str:
    """Lay the rows out for reading."""
    lines = [f"{'peer':30}{'game':18}{'games/s':>12}{'decisions/s':>14}  note"]
    for row in rows:
        peer = f"{row['name']}, {row['kind']}"
        speeds = (row["games_per_second"], row["decisions_per_second"])
        games, decisions = ("-" if speed is None else f"{speed:,.0f}" for speed in speeds)
        lines.append(f"{peer:30}{row['game']:18}{games:>12}{decisions:>14}  {row['note']}")
    return "\n".join(lines)


def main() -> None:
    """Measure all peers and print a table, or JSON for `make bench`."""
    parser = argparse.ArgumentParser(description="uniformly random play in other game libraries")
    parser.add_argument("--seconds", type=float, default=2.0, help="processor time for each row (default 2)")
    parser.add_argument("--json", action="store_true", help="print the rows as JSON")
    arguments = parser.parse_args()
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    pin()
    rows = measure(arguments.seconds)
    print(json.dumps(rows, indent=2) if arguments.json else table(rows))


if __name__ == "__main__":
    main()
