"""Players of the training program as bots, for the arena: fixed policies, and networks from a weight file.

The files in `players/` are what `gramy arena` takes. They play whole turns without search.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from gramy import playout
from gramy.bots.face_to_face.habits import habits
from gramy.bots.face_to_face.network import packed, read
from gramy.bots.face_to_face.positions import new_workspace
from gramy.bots.face_to_face.rollouts import WHOLE_TURN, RollOuts, roll_out_candidates
from gramy.bots.face_to_face.search import first_moves, known_state
from gramy.bots.face_to_face.turns import NETWORK, Workspace, read_position
from gramy.bots.kernel import floats, integers, kernel
from gramy.bots.protocol import Bot
from gramy.contract import View
from gramy.games.face_to_face import RULES
from gramy.games.face_to_face.notation import format_move
from gramy.games.face_to_face.rules import State
from gramy.matches import Entry
from training.face_to_face.run import compiled_for_training


@dataclass(frozen=True)
class PolicyBot(Bot):
    """Plays the best turn to a policy of `population.py`."""

    policy: int

    def choose(self, view: View, history: tuple[Entry, ...], rng: random.Random, budget: float) -> str:
        state, workspace = known_state(view, history), new_workspace(1, habits(history))
        return first_move(state, workspace, self.policy, compiled_for_training(roll_out_candidates))


@dataclass(frozen=True)
class NetworkBot(Bot):
    """Plays the best turn to the network in a weight file."""

    file: str

    def choose(self, view: View, history: tuple[Entry, ...], rng: random.Random, budget: float) -> str:
        state, workspace = known_state(view, history), new_workspace(1, habits(history))
        accumulators = workspace.accumulators._replace(network=integers(words_in(self.file)))
        workspace = workspace._replace(accumulators=accumulators)
        return first_move(state, workspace, NETWORK, kernel(RULES, roll_out_candidates))


def first_move(state: State, workspace: Workspace, policy: int, find: Any) -> str:
    """Return the first move of the best turn to a policy; `find` is the kernel `roll_out_candidates`."""
    word, reply = integers([playout.first_word(0)]), integers([policy])
    rollouts = RollOuts(integers([]), integers([WHOLE_TURN]), word, reply, floats([0.0]))
    find(state, rollouts, 1, policy, workspace)
    best = read_position(state, [int(number) for number in workspace.positions], 0)
    return format_move(state, state.seat, first_moves(state, best)[0])


@cache
def words_in(file: str) -> Sequence[int]:
    """Return the network in a weight file, packed."""
    return packed(read(Path(file)))
