"""Learning environments: PettingZoo, Gymnasium and OpenSpiel interfaces of all games. See docs/environments.md.

Importing this package registers the games with Gymnasium, where that is installed: `gymnasium.make("gramy/...-v1")`.
Importing `gramy.env.openspiel` registers them with OpenSpiel. Each interface imports its library when it is used; all
of them come with `pip install "gramy[env]"`.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from gramy.env.scenarios import VERSION, Scenario, scenario, title
from gramy.env.talk import VOCABULARY_VERSION, Phrase, vocabulary
from gramy.games import GAMES
from gramy.optional import library

if TYPE_CHECKING:
    from gramy.env.self_play_env import SelfPlayEnv
    from gramy.env.simultaneous_env import SimultaneousEnv
    from gramy.env.turn_env import TurnEnv

__all__ = [
    "VERSION",
    "VOCABULARY_VERSION",
    "Phrase",
    "Scenario",
    "aec",
    "parallel",
    "register",
    "scenario",
    "vector",
    "vocabulary",
]


def aec(name: str, /, *, talk: bool = True, render_mode: str | None = None, **options: Any) -> TurnEnv:
    """Return a game as a PettingZoo environment in which one agent acts at a time: `aec(name, players=3)`.

    `talk=False` is silent play, in games where the players may talk.
    """
    library("pettingzoo", "env")
    from gramy.env.turn_env import TurnEnv

    return TurnEnv(scenario(name, talk, options), render_mode)


def parallel(name: str, /, *, talk: bool = True, render_mode: str | None = None, **options: Any) -> SimultaneousEnv:
    """Return a game as a PettingZoo environment in which all agents act at once; those not to act `wait`."""
    library("pettingzoo", "env")
    from gramy.env.simultaneous_env import SimultaneousEnv

    return SimultaneousEnv(scenario(name, talk, options, waiting=True), render_mode)


def vector(name: str, /, num_envs: int = 1, *, threads: int = 1, **options: Any) -> SelfPlayEnv:
    """Return many matches as one Gymnasium `VectorEnv`, in which an agent plays all seats; talk is not part of it."""
    library("gymnasium", "env")
    from gramy.env.self_play_env import SelfPlayEnv

    return SelfPlayEnv(name, num_envs, threads=threads, **options)


def register() -> None:
    """Register all games with Gymnasium, if it is installed; a second call changes nothing."""
    if find_spec("gymnasium") is None:
        return
    import gymnasium

    for name in GAMES:
        single, many = f"gramy/{title(name)}-v{VERSION}", f"gramy/{title(name)}SelfPlay-v{VERSION}"
        if single not in gymnasium.registry:
            gymnasium.register(single, entry_point="gramy.env.seat_env:SeatEnv", kwargs={"game": name})
            gymnasium.register(many, vector_entry_point="gramy.env.self_play_env:SelfPlayEnv", kwargs={"game": name})


register()
