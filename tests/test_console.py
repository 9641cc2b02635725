"""Commands in any terminal: the language of the locale, and text where the terminal knows only ASCII."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import gramy
from gramy.console import preferred_language

LOCALES = {
    "LANG": ({"LANG": "pl_PL.UTF-8"}, "pl"),
    "LC_MESSAGES before LANG": ({"LANG": "pl_PL.UTF-8", "LC_MESSAGES": "de_AT"}, "de"),
    "LC_ALL before all": ({"LC_ALL": "de_DE.UTF-8", "LC_MESSAGES": "pl_PL", "LANG": "en_GB"}, "de"),
    "an empty variable": ({"LC_ALL": "", "LANG": "de"}, "de"),
    "another language": ({"LANG": "fr_FR.UTF-8"}, "en"),
    "the language C": ({"LANG": "C"}, "en"),
    "no locale": ({}, "en"),
}


def run(*words: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    kept = {name: value for name, value in os.environ.items() if name not in ("LC_ALL", "LC_MESSAGES", "LANG")}
    command = [sys.executable, "-m", "gramy", *words]
    return subprocess.run(command, env=kept | environment, capture_output=True, stdin=subprocess.DEVNULL)


@pytest.mark.parametrize(("environment", "language"), LOCALES.values(), ids=LOCALES)
def test_the_language_follows_the_locale(environment: dict[str, str], language: str) -> None:
    assert preferred_language(environment) == language


def test_a_command_speaks_the_language_of_the_locale_until_told_otherwise() -> None:
    assert "Ein Bluffspiel für 2 bis 6 Personen".encode() in run("rules", "gra", LANG="de_DE.UTF-8").stdout
    assert b"Cel gry" in run("rules", "gra", "--language", "pl", LANG="de_DE.UTF-8").stdout
    assert b"Es gibt kein Spiel" in run("rules", "chess", LANG="de_DE.UTF-8").stderr


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("saved") / "match.gramy"
    match = gramy.match("face-to-face", seed=4, names=("Żaneta", "Jürgen 陳"))
    match.play(match.view(match.to_act[0]).moves[0])
    gramy.save(match, path)
    return path


@pytest.mark.parametrize("language", ["en", "pl", "de"])
def test_every_command_prints_on_a_terminal_that_knows_only_ascii(language: str, saved: Path) -> None:
    commands = [
        *(["rules", name] for name in gramy.GAMES),
        ["simulate", "gra", "--games", "20", "--plain"],
        ["replay", str(saved)],
        ["play", "quick-easy", "--seed", "3", "--name", "Żaneta"],
        ["arena", "face-to-face", "easy", "easy", "--deals", "1", "--processes", "1"],
    ]
    for words in commands:
        done = run(*words, "--language", language, PYTHONIOENCODING="ascii")
        assert b"Traceback" not in done.stderr, words
        assert done.stdout.decode("ascii") or done.stderr.decode("ascii"), words


def test_letters_without_ascii_lose_their_accents_only(saved: Path) -> None:
    shown = run("replay", str(saved), PYTHONIOENCODING="ascii").stdout.decode("ascii")
    assert "Zaneta, Jurgen ?" in shown
