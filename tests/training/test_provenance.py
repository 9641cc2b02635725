"""Every weight and table in the package says where it comes from, and `make train` can make it again."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hatchling.builders.wheel import WheelBuilder

from training import provenance
from training.__main__ import main, train
from training.artefacts import ARTEFACTS, PACKAGE, Artefact
from training.provenance import (
    BOTS,
    ROOT,
    Strength,
    packaged_artefacts,
    problems,
    provenance_path,
    stored_artefacts,
)

EVERY = [artefact for artefacts in ARTEFACTS.values() for artefact in artefacts]


def described(folder: Path) -> Path:
    """Return a file with a provenance of its own."""
    artefact = folder / "network.bin"
    artefact.write_bytes(b"weights")
    provenance.record(artefact, command="python -m training.toy --out network.bin", seed=3, amount=10)
    return artefact


@pytest.mark.parametrize("artefact", stored_artefacts(), ids=lambda path: path.name)
def test_every_artefact_has_a_provenance_that_fits(artefact: Path) -> None:
    assert problems(artefact) == []


def test_all_kinds_of_artefacts_are_found() -> None:
    found = {path.relative_to(BOTS).as_posix() for path in packaged_artefacts()}
    assert {"face_to_face/network.bin", "quick_easy/pro.bin", "gra/tables/value_first.zip"} <= found


def test_make_train_knows_the_command_of_every_artefact() -> None:
    assert {ROOT / one.folder / one.path for one in EVERY} == {*stored_artefacts()}
    packaged = {ROOT / one.folder / one.path for one in EVERY if one.folder == PACKAGE}
    assert packaged == {*packaged_artefacts()}


def test_the_wheel_has_the_artefacts_and_their_provenance() -> None:
    files = {file.distribution_path for file in WheelBuilder(str(ROOT)).recurse_included_files()}
    wanted = [path for artefact in packaged_artefacts() for path in (artefact, provenance_path(artefact))]
    assert [path for path in wanted if f"gramy/bots/{path.relative_to(BOTS).as_posix()}" not in files] == []


def test_every_artefact_can_be_made_again() -> None:
    assert [path.name for path in stored_artefacts() if provenance.read(path).cannot_be_made_again] == []


def test_every_provenance_names_the_command_of_make_train() -> None:
    for artefact in EVERY:
        found = provenance.read(ROOT / artefact.folder / artefact.path)
        made = artefact.command_line(Path(artefact.name), artefact.seed, artefact.amount)
        assert (found.command, found.seed, found.amount) == (made, artefact.seed, artefact.amount)


def test_a_provenance_is_read_as_it_was_recorded(tmp_path: Path) -> None:
    artefact = described(tmp_path)
    found = provenance.read(artefact)
    assert problems(artefact) == []
    assert (found.artefact, found.seed, found.amount, found.unit) == ("network.bin", 3, 10, "matches")
    assert re.fullmatch(r"[0-9a-f]{7,}", found.commit)


def test_a_changed_file_no_longer_fits_its_provenance(tmp_path: Path) -> None:
    artefact = described(tmp_path)
    artefact.write_bytes(b"other weights")
    assert problems(artefact) == ["network.bin: the file has changed since its provenance was written"]


def test_a_provenance_that_is_missing_damaged_or_of_another_file_is_reported(tmp_path: Path) -> None:
    artefact = described(tmp_path)
    other = tmp_path / "other.bin"
    other.write_bytes(b"weights")
    assert problems(other) == ["other.bin has no other.bin.provenance.json"]
    provenance_path(other).write_bytes(provenance_path(artefact).read_bytes())
    assert problems(other) == ["other.bin: its provenance is that of network.bin"]
    provenance_path(other).write_text('{"artefact": "other.bin"}')
    assert "missing required field" in problems(other)[0]


def test_an_artefact_without_a_command_must_say_that_it_cannot_be_made_again(tmp_path: Path) -> None:
    artefact = tmp_path / "network.bin"
    artefact.write_bytes(b"weights")
    facts: dict[str, Any] = {"artefact": "network.bin", "sha256": provenance.digest(artefact), "commit": "abc1234"}
    facts |= {"command": "", "seed": None, "date": "2026-01-01", "amount": 0, "unit": "matches"}
    provenance.write(artefact, provenance.Provenance(**facts))
    assert problems(artefact) == ["network.bin: its provenance says nothing on command"]
    provenance.write(artefact, provenance.Provenance(**facts, cannot_be_made_again="its program is lost"))
    assert problems(artefact) == []


def test_a_result_of_the_arena_becomes_the_strength_of_an_artefact(tmp_path: Path) -> None:
    artefact, saved = described(tmp_path), tmp_path / "result.json"
    words = ["face-to-face", "easy", "random", "--deals", "2", "--seed", "5", "--processes", "1", "--save", str(saved)]
    subprocess.run([sys.executable, "-m", "gramy", "arena", *words], check=True, capture_output=True)
    for _ in range(2):  # the same result again replaces the first
        provenance.main(["strength", str(artefact), str(saved)])
    options = "players=2 dead_end=reject last_card_grace=off"
    (found,) = provenance.read(artefact).strength
    assert found == Strength(
        "easy – random", 1.0, found.interval, 2, f"gramy arena face-to-face easy random {options} --deals 2 --seed 5"
    )
    assert 0 < found.interval[0] < 1


def test_training_writes_the_file_and_its_provenance(tmp_path: Path) -> None:
    code = "import sys; open(sys.argv[1], 'w').write('seed ' + sys.argv[2] + ' ' + sys.argv[3])"
    toy = Artefact("toy/network.bin", f"python -c {shlex.quote(code)} {{out}} {{seed}} {{amount}}", 1, 100, "matches")
    out = train(toy, tmp_path, 5, 20)
    assert out.read_text() == "seed 5 20"
    found = provenance.read(out)
    assert (found.seed, found.amount, problems(out)) == (5, 20, [])
    assert found.command.endswith("network.bin 5 20")
    assert str(tmp_path) not in found.command


def test_training_refuses_an_artefact_that_the_game_does_not_have(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["gra", "network.bin"])
    assert "no artefact network.bin; there are value_first.zip" in capsys.readouterr().err


@pytest.mark.parametrize("game", ARTEFACTS)
def test_the_program_of_a_game_has_the_options_that_make_train_gives_it(game: str) -> None:
    options: dict[tuple[str, ...], set[str]] = {}
    for artefact in ARTEFACTS[game]:
        words = shlex.split(artefact.command)
        helped = tuple(word for word in words[1:4] if word not in ("--out", "base", "pro"))
        options.setdefault(helped, set()).update(word for word in words if word.startswith("--"))
    for helped, given in options.items():
        text = subprocess.run(
            [sys.executable, *helped, "--help"], cwd=ROOT, check=True, capture_output=True
        ).stdout.decode()
        assert {option for option in given if option not in text} == set()
