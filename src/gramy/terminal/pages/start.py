"""The first page without a game on the command line: the game, who plays, the level of the bots, and the variants."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from gramy.bots import LEVELS
from gramy.contract import Game
from gramy.drawing.pen import cut, width
from gramy.games import GAMES, game
from gramy.options import choices, format_options, format_value
from gramy.terminal.boards.board import Action
from gramy.terminal.canvas import Area, Canvas
from gramy.terminal.pages.page import Desk, Page, draw_actions
from gramy.terminal.words import Words

LABELS = 24
"""The columns of the names of settings."""


class StartSetting(NamedTuple):
    """A row of the page: its name in words, its values as they are typed and in words, and what it means."""

    key: str
    label: str
    values: tuple[str, ...]
    shown: tuple[str, ...]
    about: str = ""


class StartPage(Page):
    """Up and down choose a setting, left and right its value; Enter calls `begin` with the game, people and level."""

    def __init__(self, desk: Desk, begin: Callable[[Game, int, str], None], people: int, level: str) -> None:
        super().__init__(desk)
        self._begin = begin
        self._row = 0
        self._chosen: dict[str, str] = {"game": next(iter(GAMES)), "people": str(people), "level": level}

    @property
    def words(self) -> Words:
        """The texts of the chosen game."""
        return Words(self._chosen["game"], (), self.desk.language)

    @property
    def game(self) -> Game:
        """The game with the chosen options; those of other games are kept for when that game is chosen again."""
        name = self._chosen["game"]
        known = choices(GAMES[name].Options)
        return game(
            name, {option: self._chosen[f"{name} {option}"] for option in known if f"{name} {option}" in self._chosen}
        )

    def settings(self) -> list[StartSetting]:
        """Return the rows for the chosen game."""
        words, chosen = self.words, self.game
        titles = tuple(Words(name, (), self.desk.language).title for name in GAMES)
        people = tuple(str(number) for number in range(1, chosen.players + 1))
        levels = tuple(words.web("level", level=level) for level in LEVELS)
        rows = [StartSetting("game", words.words("choose_game"), tuple(GAMES), titles)]
        options = choices(GAMES[chosen.name].Options)
        if len(options.get("players", ())) > 1:
            rows.append(self._option(chosen, "players", words.web("players"), options["players"]))
        rows.append(
            StartSetting("people", words.words("people_here"), people, people, words.words("people_here_about"))
        )
        if self._people < chosen.players:
            rows.append(StartSetting("level", words.web("level_label"), tuple(LEVELS), levels))
        variants = [option for option in options if option != "players"]
        return rows + [
            self._option(chosen, option, words.web("variant", option=option), options[option]) for option in variants
        ]

    def _option(self, chosen: Game, option: str, label: str, values: tuple[object, ...]) -> StartSetting:
        typed = tuple(format_value(value) for value in values)
        shown = tuple(self.words.web("variant_value", value=value) for value in typed)
        about = "" if option == "players" else self.words.web("variant_about", option=option)
        return StartSetting(f"{chosen.name} {option}", label, typed, shown, about)

    def _value(self, setting: StartSetting) -> str:
        """Return the chosen value of a setting, by default that of the rules."""
        defaults = {f"{self.game.name} {name}": value for name, value in format_options(self.game.options).items()}
        value = self._chosen.get(setting.key, defaults.get(setting.key, ""))
        return value if value in setting.values else setting.values[-1]

    @property
    def _people(self) -> int:
        return min(int(self._chosen["people"]), self.game.players)

    # --- keys, clicks and drawing -------------------------------------------------------------------------------------

    def press(self, key: str) -> None:
        rows = self.settings()
        if key == "enter":
            self.desk.close(self)
            self._begin(self.game, self._people, self._chosen["level"])
        elif key in ("up", "down"):
            self._row = (self._row + (1 if key == "down" else -1)) % len(rows)
        elif key in ("left", "right", "space"):
            self._change(rows[self._row], -1 if key == "left" else 1)
        elif key == "l":
            self.desk.toggle_light()
        elif key == "q":
            self.desk.leave()

    def _change(self, setting: StartSetting, step: int) -> None:
        at = setting.values.index(self._value(setting))
        self._chosen[setting.key] = setting.values[(at + step) % len(setting.values)]

    def click(self, region: str) -> None:
        kind, _, name = region.partition(":")
        if kind != "value":
            return super().click(region)
        row, _, value = name.partition(" ")
        self._row = int(row)
        setting = self.settings()[self._row]
        self._chosen[setting.key] = setting.values[int(value)]
        return None

    def draw(self, canvas: Canvas) -> None:
        rows = self.settings()
        self._row = min(self._row, len(rows) - 1)
        left = max(1, (canvas.width - 78) // 2)
        y = max(1, (canvas.height - 2 * len(rows) - 6) // 2)
        canvas.put(left + 1, y, self.words.words("start_title"), "bold")
        gap = 2 if 2 * len(rows) + 7 <= canvas.height else 1
        y += 2
        for row, setting in enumerate(rows):
            self._draw_row(canvas, left, y + gap * row, row, setting)
        about = Area(left + 1, y + gap * len(rows) + 2 - gap, 76, 3)
        canvas.paragraph(about, rows[self._row].about, "dim")
        words = self.words
        actions = [
            Action("Enter", "enter", words.web("play_now")),
            Action("↑ ↓", "down", words.words("choose_setting")),
            Action("← →", "right", words.words("change_setting")),
            Action("Q", "q", words.words("quit")),
        ]
        draw_actions(canvas, canvas.height - 1, actions)

    def _draw_row(self, canvas: Canvas, left: int, y: int, row: int, setting: StartSetting) -> None:
        current = row == self._row
        canvas.put(left - 1, y, "▸" if current else " ", "accent")
        canvas.put(left + 1, y, cut(setting.label, LABELS - 2), "accent" if current else "")
        chosen, x = setting.values.index(self._value(setting)), left + LABELS
        for at, words in enumerate(setting.shown):
            shown = f"[{words}]" if at == chosen else f" {words} "
            canvas.region(f"value:{row} {at}", Area(x, y, width(shown), 1))
            x = canvas.put(x, y, shown, "card.picked" if at == chosen else "card") + 1
