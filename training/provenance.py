"""The origin of a weight file or an archive of tables: a JSON file beside it.

    python -m training.provenance                            check every artefact in the repository
    python -m training.provenance strength FILE ARENA.json   add results of `gramy arena ... --save ARENA.json`

`NAME.provenance.json` describes the file NAME in the same folder: the command that made it, from which commit, and how
strong it was then. The hash ties the two together, so a description cannot outlive the file that it describes.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec

ROOT = Path(__file__).parent.parent
BOTS = ROOT / "src" / "gramy" / "bots"
SUFFIX = ".provenance.json"


class Strength(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A result of the arena: the share of wins of the first bot, with its 95% interval."""

    match_up: str
    wins: float
    interval: tuple[float, float]
    deals: int
    command: str


class Provenance(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How an artefact was made.

    `amount` counts what `unit` names: matches or iterations. `seed` is None where no chance is involved.
    `cannot_be_made_again` is empty if `command`, run at `commit`, gives the same bytes; otherwise it says why not.
    `strength` is what the arena found when the artefact came into the package. `exploitability` is for tables only: the
    largest of any round, in rounds won.
    """

    artefact: str
    sha256: str
    command: str
    seed: int | None
    commit: str
    date: str
    amount: int
    unit: str
    strength: tuple[Strength, ...] = ()
    exploitability: float | None = None
    cannot_be_made_again: str = ""


def provenance_path(artefact: Path) -> Path:
    """Return the path of an artefact's provenance."""
    return artefact.with_name(artefact.name + SUFFIX)


def digest(artefact: Path) -> str:
    """Return the SHA-256 of a file, as hexadecimal digits."""
    return sha256(artefact.read_bytes()).hexdigest()


def read(artefact: Path) -> Provenance:
    """Return the provenance of an artefact; raises OSError if it has none, msgspec.ValidationError if it is not one."""
    return msgspec.json.decode(provenance_path(artefact).read_bytes(), type=Provenance)


def write(artefact: Path, provenance: Provenance) -> None:
    """Write the provenance of an artefact beside it."""
    text = json.dumps(msgspec.to_builtins(provenance), indent=2, ensure_ascii=False)
    provenance_path(artefact).write_text(text + "\n", encoding="utf-8")


def record(
    artefact: Path,
    *,
    command: str,
    seed: int | None,
    amount: int,
    unit: str = "matches",
    strength: Iterable[Strength] = (),
) -> Provenance:
    """Write the provenance of a file that was made just now by the code of this work tree, and return it."""
    commit, changed = commit_of_work_tree()
    provenance = Provenance(
        artefact=artefact.name,
        sha256=digest(artefact),
        command=command,
        seed=seed,
        commit=commit,
        date=time.strftime("%Y-%m-%d", time.gmtime()),
        amount=amount,
        unit=unit,
        strength=tuple(strength),
        cannot_be_made_again="the code had changes that were not committed" if changed else "",
    )
    write(artefact, provenance)
    return provenance


def commit_of_work_tree() -> tuple[str, bool]:
    """Return the short name of the current commit, and whether the code that trains or plays differs from it."""
    code = ["src/gramy/*.py", "src/gramy/games", "src/gramy/bots", "training/*.py"]
    head = subprocess.run(["git", "rev-parse", "--short=7", "HEAD"], cwd=ROOT, check=True, capture_output=True)
    changes = subprocess.run(["git", "status", "--porcelain", "--", *code], cwd=ROOT, check=True, capture_output=True)
    return head.stdout.decode().strip(), bool(changes.stdout.strip())


def packaged_artefacts() -> list[Path]:
    """Return every weight file and archive of tables in the package: all that is neither code nor a provenance."""
    found = (path for path in BOTS.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return sorted(path for path in found if path.suffix != ".py" and not path.name.endswith(SUFFIX))


def stored_artefacts() -> list[Path]:
    """Return every artefact in the repository: those of the package, and the weights that training begins with."""
    return [*packaged_artefacts(), *sorted((ROOT / "training").rglob("*.bin"))]


def problems(artefact: Path) -> list[str]:
    """Return what is wrong with the provenance of an artefact; nothing if it is complete and fits."""
    try:
        found = read(artefact)
    except FileNotFoundError:
        return [f"{artefact.name} has no {provenance_path(artefact).name}"]
    except msgspec.MsgspecError as error:
        return [f"{provenance_path(artefact).name}: {error}"]
    wrong = []
    if found.artefact != artefact.name:
        wrong.append(f"{artefact.name}: its provenance is that of {found.artefact}")
    if found.sha256 != digest(artefact):
        wrong.append(f"{artefact.name}: the file has changed since its provenance was written")
    empty = [key for key in ("command", "commit", "date", "unit") if not getattr(found, key)]
    if empty and not found.cannot_be_made_again:
        wrong.append(f"{artefact.name}: its provenance says nothing on {', '.join(empty)}")
    return wrong


def arena_strength(result: dict[str, Any], command: str) -> Strength:
    """Return the share of the first bot or team in a result that `gramy arena --save` wrote as JSON."""
    first, *others = result["standings"]
    share = first["share"]
    names = " – ".join([first["name"], *(other["name"] for other in others)])
    wins, low, high = (round(share[key], 4) for key in ("mean", "low", "high"))
    return Strength(names, wins, (low, high), result["deals"], command)


def arena_command(result: dict[str, Any]) -> str:
    """Return the command that gives a result of the arena again."""
    names = [standing["name"] for standing in result["standings"]]
    words = ["gramy", "arena", result["game"], *(f"--team {name}" if "," in name else name for name in names)]
    words += [f"{key}={value}" for key, value in result["options"].items()]
    words += ["--deals", str(result["deals"]), "--seed", str(result["seed"])]
    return " ".join(words + ([] if result["talk"] else ["--no-talk"]))


def add_strength(artefact: Path, result: dict[str, Any]) -> None:
    """Add a result of the arena to the provenance of an artefact; it replaces one of the same command."""
    found, new = read(artefact), arena_strength(result, arena_command(result))
    kept = tuple(one for one in found.strength if one.command != new.command)
    write(artefact, msgspec.structs.replace(found, strength=(*kept, new)))


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command with these arguments, or with those of the process."""
    description, _, examples = __doc__.partition("\n\n")
    formatter = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(
        prog="python -m training.provenance", description=description, epilog=examples, formatter_class=formatter
    )
    commands = parser.add_subparsers(dest="action")
    adding = commands.add_parser("strength", help="add a result of the arena to the provenance of a file")
    adding.add_argument("artefact", type=Path)
    adding.add_argument("result", type=Path, help="a file of gramy arena --save, with the ending .json")
    given = parser.parse_args(arguments)
    if given.action == "strength":
        add_strength(given.artefact, json.loads(given.result.read_text(encoding="utf-8")))
        return
    wrong = []
    for artefact in stored_artefacts():
        wrong += (found := problems(artefact))
        if not found:
            provenance = read(artefact)
            state = provenance.cannot_be_made_again or f"made by {provenance.command} at {provenance.commit}"
            print(f"{artefact.relative_to(ROOT).as_posix()}: {state}")
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()
