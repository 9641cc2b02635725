"""Golden playthroughs of the OpenSpiel games: `python -m tests.env.playthrough`, or `make golden`, writes them.

Every action with its text, what a player reads from time to time, and the returns. Read the diff before you commit it.
"""

import hashlib
import random
from pathlib import Path

import pyspiel

import gramy
import gramy.env.openspiel

FOLDER = Path(__file__).parent / "playthroughs"
SEED = 3


def playthrough(name: str) -> str:
    """Return a random match of a game with its default options."""
    game = pyspiel.load_game(name)
    state, rng = game.new_initial_state(), random.Random(SEED)
    lines = [f"game: {game}", f"actions: {game.num_distinct_actions()}", f"longest: {game.max_game_length()}"]
    lines += [f"observation: {game.observation_tensor_size()}", f"state: {game.information_state_tensor_size()}"]
    while not state.is_terminal():
        player, action = state.current_player(), rng.choice(state.legal_actions())
        lines.append(f"{player} {action} {state.action_to_string(player, action)}")
        state.apply_action(action)
        if len(lines) % 10 == 0:
            for one in range(game.num_players()):
                numbers = state.information_state_tensor(one)
                digest = hashlib.sha256(repr([int(number) for number in numbers]).encode()).hexdigest()[:16]
                lines.append(f"    {one} {digest} {state.information_state_string(one)}")
    return "\n".join([*lines, f"{state}", f"returns: {state.returns()}", ""])


def names() -> list[str]:
    """Return the names of all games, as OpenSpiel loads them."""
    return [gramy.env.openspiel.short_name(rules) for rules in gramy.GAMES.values()]


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for each in names():
        (FOLDER / f"{each}.txt").write_text(playthrough(each), encoding="utf-8")
