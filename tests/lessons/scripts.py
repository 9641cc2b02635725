"""The scripts of the lessons: the deal, the sentences, the learner's moves and the lines that follow them."""

from __future__ import annotations

from typing import NamedTuple

LEARNER = 0
TEACHER = "Otto"


class Step(NamedTuple):
    """The key of a sentence, the learner's move that it asks for ('' for none), and the lines after that move."""

    say: str
    move: str = ""
    then: tuple[str, ...] = ()


class Lesson(NamedTuple):
    """A game, the lines before the first sentence, the steps, and a starting position other than the usual one."""

    game: str
    deal: tuple[str, ...]
    steps: tuple[Step, ...]
    position: str = ""


LESSONS = (
    Lesson(
        "face-to-face",
        ("dealer deal first 0", "dealer deal 4 14 24 33 47 57", "dealer deal 12 22 31 40 51 58"),
        (
            Step("duel_goal"),
            Step("duel_rising", "up 4"),
            Step("duel_falling", "down 47"),
            Step("duel_end", "end", ("dealer deal 9 52", "1 up 22", "1 down 51", "1 end", "dealer deal 8 35")),
            Step("duel_gap", "up 24"),
            Step("duel_ten", "up 14"),
            Step("duel_ten_falling", "down 57"),
            Step("duel_help", "help-up 9"),
            Step("duel_refill", "end", ("dealer deal 19 38 48 55",)),
            Step("duel_lose"),
        ),
    ),
    Lesson(
        "quick-easy",
        ("dealer deal R2 B9", "dealer deal G8 Y1"),
        (
            Step("team_goal"),
            Step("team_start", "start"),
            Step("team_rising", "up R2"),
            Step("team_falling", "down B9"),
            Step("team_end", "end", ("dealer deal G3 S5", "1 say yellow low", "1 up G8", "1 end", "dealer deal R7")),
            Step("team_talk", "say green lowish"),
            Step("team_turn", "up G3"),
            Step("team_stop", "end", ("dealer deal B4",)),
            Step("team_lose"),
        ),
    ),
    Lesson(
        "gra",
        ("dealer deal 15 25 46", "dealer deal 13 26 36"),
        (
            Step("bluff_goal"),
            Step("bluff_choose", "choose 5 5 4", ("1 choose 3 6 6",)),
            Step("bluff_open", "bid 2x5", ("1 bid 1x6",)),
            Step("bluff_raise", "bid 2x6", ("1 bid 4x6",)),
            Step("bluff_doubt", "check"),
            Step("bluff_count"),
            Step("bluff_win"),
        ),
        "phase=dealing turn=0 way=left bid=- by=- opened=- sizes=3,3 active=0,1 tie=0 hands=-;- picks=-;- ready=-",
    ),
)
