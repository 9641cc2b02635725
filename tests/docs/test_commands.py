"""Commands in the documents exist as they are written: `gramy` with its options, and the targets of make."""

from __future__ import annotations

import contextlib
import io
import re
import shlex
from functools import cache
from pathlib import Path

import pytest

from gramy.cli import parser
from tests.docs.markdown import INLINE, ROOT, blocks, name, pages, prose, shell_lines

SHELLS = {"", "console", "bash", "sh", "shell"}
TARGETS = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
LABELS = {"client", "deal", "record", "table"}  # first words of files and hashes, not commands: `gramy record 3`
PAGES = [page for page in pages() if page.name != "CHANGELOG.md"]  # a changelog also names what is gone


def words_of(line: str) -> list[str]:
    """Return the words of a `gramy` or `make` command; none if the line has another one."""
    found = re.match(
        r"(?:[A-Z_]+=\S+ )*(?:\.venv/bin/|uvx |pipx run |python -m )?((?:gramy|make)(?:\s.*)?)$", before_pipe(line)
    )
    return shlex.split(found[1]) if found else []


def before_pipe(line: str) -> str:
    return re.split(r"\s*(?:\||>|&&|;)\s*", line)[0]


def said(*words: str) -> str:
    """Return what `gramy` prints before it exits."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), pytest.raises(SystemExit):
        parser().parse_args(words)
    return printed.getvalue()


@cache
def commands() -> dict[str, set[str]]:
    """Return the options of each command of `gramy`, as its help lists them."""
    found = re.findall(r"^    ([a-z-]+)(?:  |$)", said("--help"), re.MULTILINE)
    return {command: set(re.findall(r"--[a-z][a-z-]*", said(command, "--help"))) for command in found}


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_command_in_a_block_is_accepted(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    refused = []
    for block in blocks(page):
        for line in shell_lines(block) if block.language in SHELLS else ():
            words = words_of(line)
            if words[:1] == ["make"]:
                refused += [line for target in words[1:2] if target not in TARGETS and "=" not in target]
            elif words[:1] == ["gramy"] and len(words) > 1:
                refused += [f"{line}: {capsys.readouterr().err}"] if not accepted(words[1:]) else []
    assert refused == []


def accepted(words: list[str]) -> bool:
    try:
        parser().parse_args(words)
    except SystemExit as exit:
        return exit.code == 0  # --help and --version
    return True


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_command_in_a_sentence_exists_with_its_options(page: Path) -> None:
    wrong = []
    for code in INLINE.findall(prose(page)):
        words = code.split()
        if words[0] == "make" and len(words) > 1 and re.fullmatch(r"[a-z-]+", words[1]):
            wrong += [code] if words[1] not in TARGETS else []
        if words[0] == "gramy" and len(words) > 1 and re.fullmatch(r"[a-z-]+", words[1]) and words[1] not in LABELS:
            given = {word.partition("=")[0] for word in words if word.startswith("--")}
            wrong += [code] if not given <= commands().get(words[1], set()) or words[1] not in commands() else []
    assert wrong == []


def test_the_helps_list_what_people_use() -> None:
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert {"serve", "play", "arena", "rules"} <= set(commands())
    described = set(re.findall(r"^([a-z-]+):.*## ", text, re.MULTILINE))
    assert {"play", "test", "docs", "learn", "wheels", "bench"} <= described
