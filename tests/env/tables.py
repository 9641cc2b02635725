"""The tables of docs/environments.md, made from the code; `python -m tests.env.tables` or `make golden` writes them."""

import re
from collections.abc import Callable
from pathlib import Path

import gramy
import gramy.env
from gramy.env import Scenario
from gramy.options import choices

PAGE = Path(__file__).parents[2] / "docs" / "environments.md"
BEGIN, END = "<!-- {name}: written by tests/env/tables.py -->", "<!-- end of {name} -->"


def by_players(number: Callable[[int], int]) -> str:
    """Return a number that may depend on the players as text: `7`, `3p` or `30p + 2`."""
    each = number(3) - number(2)
    fixed = number(2) - 2 * each
    assert number(3) == 3 * each + fixed
    if not each:
        return str(fixed)
    return (f"{each}p" if each > 1 else "p") + (f" + {fixed}" if fixed else "")


def scenario(name: str, players: int) -> Scenario:
    """Return a game with all its blocks of actions: as many players as asked for, if it allows more than two."""
    allowed = choices(gramy.GAMES[name].Options)
    known = {"players": players} if players in allowed["players"] else {}
    return gramy.env.scenario(name, True, known | ({"directions": True} if "directions" in allowed else {}))


def features(name: str) -> str:
    """Return the table of a game's observation."""
    lines = ["| feature | numbers | from | to | meaning |", "|---|---|---|---|---|"]
    for at, feature in enumerate(scenario(name, 3).features):
        size = by_players(lambda players, at=at: scenario(name, players).features[at].size)
        high = by_players(lambda players, at=at: scenario(name, players).features[at].high)
        lines.append(f"| `{feature.name}` | {size} | {feature.low} | {high} | {feature.meaning} |")
    total = by_players(lambda players: scenario(name, players).width)
    return "\n".join([*lines, f"| **all** | **{total}** | | | |"])


def actions(name: str) -> str:
    """Return the table of a game's actions."""
    lines = ["| block | actions | meaning |", "|---|---|---|"]
    two, three = scenario(name, 2), scenario(name, 3)
    for block in three.blocks:
        sizes = {one.name: one.size for one in two.blocks}
        each = block.size - sizes.get(block.name, block.size // 3 * 2)  # openings to the right need three players
        size = f"{each}p" if each else str(block.size)
        meaning = re.sub(r"1 to \d+ of", "1 to 5p of", block.meaning)
        lines.append(f"| `{block.name}` | {size} | {meaning} |")
    return "\n".join(lines)


def vocabulary() -> str:
    """Return the table of phrases, with their numbers in the base game and in the pro variant."""
    talking = next(name for name in gramy.GAMES if gramy.game(name).phrases())
    base, pro = (gramy.env.vocabulary(gramy.game(talking, pro=pro)) for pro in (False, True))
    numbers = {phrase.text: phrase.number for phrase in pro}
    lines = ["| phrase | base | pro |", "|---|---|---|"]
    lines += [f"| `{phrase.text}` | {phrase.number} | {numbers.get(phrase.text, '')} |" for phrase in base]
    return "\n".join(lines)


def tables() -> dict[str, str]:
    """Return all tables by the names of their places in the page."""
    found = {"vocabulary": vocabulary()}
    for name in gramy.GAMES:
        found[f"observation of {name}"] = features(name)
        found[f"actions of {name}"] = actions(name)
    return found


def written(page: str) -> str:
    """Return the page with all tables as they should be."""
    for name, table in tables().items():
        begin, end = BEGIN.format(name=name), END.format(name=name)
        assert page.count(begin) == page.count(end) == 1, name
        before, _, rest = page.partition(begin)
        page = f"{before}{begin}\n{table}\n{end}{rest.partition(end)[2]}"
    return page


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
