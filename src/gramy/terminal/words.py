"""The texts of the application in one language, with the names of one table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gramy.drawing.pen import cut, terminal_message
from gramy.messages import Message
from gramy.text import find, percent, say


@dataclass(frozen=True)
class Words:
    """Sentences for one table, from the catalogues of the terminal, the browser and the game."""

    game: str
    names: tuple[str, ...]
    language: str = "en"

    def say(self, message: Message) -> str:
        """Return a message as a sentence."""
        return say(message, self.language, self.names)

    def words(self, key: str, **values: Any) -> str:
        """Return a sentence of the terminal's catalogue."""
        return self.say(terminal_message(key, **values))

    def web(self, key: str, **values: Any) -> str:
        """Return a sentence that the browser client uses too."""
        return self.say(Message(key, values, "web"))

    def board(self, key: str, **values: Any) -> str:
        """Return a sentence of the game's catalogue."""
        return self.say(Message(key, values, self.game))

    def has(self, key: str) -> bool:
        """Return whether the game's catalogue has an entry."""
        try:
            find(key, self.game, self.language)
        except KeyError:
            return False
        return True

    @property
    def title(self) -> str:
        """The name of the game."""
        return str(find("title", self.game, self.language))

    def name(self, seat: int, most: int = 16) -> str:
        """Return a player's name, cut to fit."""
        return cut(self.names[seat], most)

    def percent(self, chance: float) -> str:
        """Return a chance in per cent, as the language writes it."""
        return percent(chance, self.language)
