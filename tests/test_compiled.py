"""The compiled core: its cache on disk, when it imports Numba, and that it plays the same matches."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy
import pytest

import gramy
from gramy import cards, compiled, playout
from gramy.contract import Rules

GAMES = list(gramy.GAMES.values())
PACKAGE = Path(gramy.__file__).parent


def run(code: str, **environment: str) -> str:
    """Return the output of a fresh interpreter."""
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    return done.stdout.strip()


def test_numba_is_not_imported_before_it_is_used() -> None:
    assert compiled.available()
    code = "import sys, gramy, gramy.compiled as c, gramy.playout; print(c.available(), 'numba' in sys.modules)"
    assert run(code) == "True False"


def test_without_numba_the_core_is_not_available_and_plain_play_is_complete(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "find_spec", lambda name: None)
    assert not compiled.available()
    code = (
        "import sys; sys.modules['numba'] = None; sys.modules['numpy'] = None\n"
        "import gramy, gramy.playout as p\n"
        "rules = gramy.GAMES['quick-easy']\n"
        "print(p.specialise(rules, p.play_out)(rules.start(rules.Options()), 5)[1] > 10)"
    )
    assert run(code) == "True"


@pytest.mark.parametrize("rules", GAMES, ids=lambda rules: rules.NAME)
def test_compiled_play_is_plain_play(rules: Rules) -> None:
    start, word = rules.start(rules.Options()), playout.first_word(2)
    fast, slow = compiled.compiled(rules, playout.play_many), playout.specialise(rules, playout.play_many)
    counted, expected = numpy.zeros(playout.ENDINGS, numpy.int64), [0] * playout.ENDINGS
    assert fast(start, 10, word, counted) == slow(start, 10, word, expected)
    assert counted.tolist() == expected


def test_a_function_is_compiled_once() -> None:
    rules = GAMES[0]
    assert compiled.compiled(rules, playout.play_many) is compiled.compiled(rules, playout.play_many)
    assert compiled.compiled(rules, playout.play_many) is not compiled.compiled(GAMES[1], playout.play_many)


def test_lean_code_has_a_name_of_its_own_in_the_cache() -> None:
    plain, lean = (compiled.compiled(GAMES[0], playout.play_many, lean=lean) for lean in (False, True))
    assert plain.__qualname__ != lean.__qualname__


def test_the_environment_decides_where_the_cache_is(tmp_path: Path) -> None:
    code = "from gramy import compiled; print(compiled.folder())"
    first = Path(run(code, GRAMY_CACHE=str(tmp_path / "own"), XDG_CACHE_HOME=str(tmp_path / "xdg")))
    assert first.parent == tmp_path / "own" / "gramy"
    second = Path(run(code, GRAMY_CACHE="", XDG_CACHE_HOME=str(tmp_path / "xdg")))
    assert second.parent == tmp_path / "xdg" / "gramy"
    third = Path(run(code, GRAMY_CACHE="", XDG_CACHE_HOME="", HOME=str(tmp_path), USERPROFILE=str(tmp_path)))
    assert third.parent == tmp_path / ".cache" / "gramy"
    assert first.name == second.name == third.name
    assert first.name.startswith("compiled-")


def test_the_cache_changes_with_every_source(tmp_path: Path) -> None:
    shutil.copytree(PACKAGE, tmp_path / "gramy", ignore=shutil.ignore_patterns("__pycache__"))
    code = "from gramy import compiled; print(compiled.__file__, compiled.folder().name)"

    def name() -> str:
        file, folder = run(code, PYTHONPATH=str(tmp_path)).split()
        assert Path(file).is_relative_to(tmp_path)
        return folder

    names = [name()]
    for changed in ("cards.py", "games/gra/rules.py"):
        with open(tmp_path / "gramy" / changed, "a", encoding="utf-8") as file:
            file.write("# changed\n")
        names.append(name())
    assert names[0] == compiled.folder().name
    assert len(set(names)) == 3


def test_numba_keeps_its_own_cache_folder_for_others() -> None:
    import numba

    before = numba.config.CACHE_DIR
    compiled.compiled(GAMES[0], playout.play_many)
    assert before == numba.config.CACHE_DIR


def small_functions(
    numbers: cards.PerSeat, seat: int, bits: int, mask: int, out: Any, size: int
) -> tuple[int, int, int, int]:
    """Call the functions that are machine instructions where they are compiled; what is too much is overwritten."""
    after = cards_spread(bits, 11, out, 2)
    after = cards_spread(bits, size, out, after)
    after = cards_spread_wide(bits, size, out, after)
    after = cards_write_bytes(bits & 0x7F7F7F, 3, out, after)
    after = cards_write((seat, size, 1, 2, 3), out, after)
    for at in range(after, 150):
        out[at] = 7
    return cards_number_at(numbers, seat), cards_deposit(bits, mask), after, cards_item(out, 4)


cards_spread, cards_spread_wide, cards_write, cards_write_bytes = (
    cards.spread, cards.spread_wide, cards.write, cards.write_bytes
)  # fmt: skip
cards_number_at, cards_deposit, cards_item = cards.number_at, cards.deposit, cards.item


def exact_spread(bits: int, size: int, out: Any) -> int:
    return cards_spread(bits, size, out, 2)


@pytest.mark.parametrize("kind", [numpy.int8, numpy.int16, numpy.int64])
def test_machine_instructions_give_what_the_plain_functions_give(kind: type) -> None:
    compiled_functions = compiled.compiled(GAMES[0], small_functions)
    for seat in range(-1, 6):
        arguments = (3, 1, 4, 1, 5, 9), seat, 0b1011 << seat + 3, 0x123456789ABC
        for size in range(1, 60, 3):
            fast, slow = numpy.full(220, 7, kind), numpy.full(220, 7, kind)
            assert compiled_functions(*arguments, fast, size) == small_functions(*arguments, slow, size)
            assert fast[:150].tolist() == slow[:150].tolist()


@pytest.mark.parametrize("kind", [numpy.int8, numpy.int64])
@pytest.mark.parametrize("bits", [0, 1, -1, 0x123456789ABCDEF])
def test_bits_are_spread_exactly(kind: type, bits: int) -> None:
    compiled_spread = compiled.compiled(GAMES[0], exact_spread)
    for size in range(65):
        fast, slow = numpy.full(70, 7, kind), numpy.full(70, 7, kind)
        assert compiled_spread(bits, size, fast) == exact_spread(bits, size, slow) == size + 2
        assert fast.tolist() == slow.tolist()  # nothing is written before or beyond
