"""The rules of a game, assembled from its modules `rules`, `notation`, `view` and `observation`."""

from typing import Any, cast

from gramy.contract import GameNotation, GameRules, GameView, Rules
from gramy.encoding import GameObservation


def assemble(rules: GameRules, notation: GameNotation, view: GameView, observation: GameObservation) -> Rules:
    """Return the rules of a game from its modules; raises TypeError where one of them lacks a name."""
    parts = (GameRules, rules), (GameNotation, notation), (GameView, view), (GameObservation, observation)
    return cast(Rules, _Assembled(*parts))


class _Assembled:
    """The functions of the modules as attributes. Pickled as the name RULES of the game's package."""

    def __init__(self, *parts: tuple[type, Any]) -> None:
        for part, module in parts:
            for name in _members(part):
                if not hasattr(module, name):
                    raise TypeError(
                        f"{module.__name__} has no `{name}`, which {part.__module__}.{part.__name__} requires"
                    )
                setattr(self, name, getattr(module, name))
        self.__module__ = parts[0][1].__package__

    def __repr__(self) -> str:
        return f"<rules of {vars(self)['NAME']}>"

    def __reduce__(self) -> str:
        return "RULES"


def _members(part: type) -> list[str]:
    return [name for name in (*part.__annotations__, *vars(part)) if name[0] != "_"]
