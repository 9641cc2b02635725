"""The shape of the repository: what may import, name and link to what. Layers of imports are in pyproject.toml."""

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from hatchling.builders.wheel import WheelBuilder

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "gramy"
MODULES = sorted(PACKAGE.rglob("*.py"))
GAMES = sorted(page.stem for page in (ROOT / "docs" / "rules").glob("*.md"))  # as in "quick-easy"
LOCKS = sorted([*ROOT.glob("requirements*.txt"), *ROOT.glob("bench/requirements*.txt")])
LONGEST_LINE, LONGEST_FILE = 120, 400
GENERATED = {"vendor", "golden", "node_modules", "build"}
UNDERSCORED = {
    *("_replace", "_asdict", "_fields", "_make", "_exit"),  # public in spite of their names: NamedTuple, os
    "_send_packed_command",  # redis-py: a test reproduces what this method raises
}
EMPTY_WORDS = {"manager", "handler", "helper", "util", "base", "info", "data"}


def module(game: str) -> str:
    """The name of the game's module or package: its name as an identifier."""
    return game.replace("-", "_")


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def lines_with(pattern: str, path: Path) -> list[str]:
    """Where in the file the pattern occurs, as `file:line: text`."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [
        f"{relative(path)}:{number}: {line.strip()}"
        for number, line in enumerate(lines, 1)
        if re.search(pattern, line, re.IGNORECASE)
    ]


def words(name: str) -> set[str]:
    """The words of a CamelCase or snake_case name, lower case, singular."""
    return {word.lower().removesuffix("s") for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)}


def sources(*suffixes: str) -> list[Path]:
    """Return every source file of ours: not those in environments, packages and caches, nor generated ones."""
    files = [path for suffix in suffixes for path in ROOT.rglob(f"*.{suffix}")]
    parts = ((path, path.relative_to(ROOT).parts) for path in files)
    return sorted(path for path, names in parts if not any(name.startswith(".") or name in GENERATED for name in names))


def test_import_gramy_loads_neither_numba_nor_numpy() -> None:
    code = "import sys, gramy; print(*sorted({'numba', 'numpy'} & set(sys.modules)))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert loaded == []


@pytest.mark.parametrize("game", GAMES)
def test_a_game_is_named_only_in_its_own_files_and_where_a_layer_lists_them(game: str) -> None:
    name = r"(?<![a-z0-9])" + game.replace("-", r"[\W_]+") + r"(?![a-z0-9])"
    lists = [PACKAGE / layer / "__init__.py" for layer in ("games", "bots", "drawing", "terminal/boards")]
    others = [path for path in MODULES if path not in lists and module(game) not in (path.stem, path.parent.name)]
    assert [line for path in others for line in lines_with(name, path)] == []


@pytest.mark.parametrize("game", GAMES)
def test_a_game_with_a_rules_page_has_rules_and_tests_of_the_same_name(game: str) -> None:
    assert list((PACKAGE / "games").glob(f"{module(game)}*")) != []
    assert list((ROOT / "tests" / "games").glob(f"test_{module(game)}*")) != []


def test_the_import_contract_keeps_every_game_from_every_other() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = project["tool"]["importlinter"]["contracts"]
    (apart,) = (contract["modules"] for contract in contracts if contract["type"] == "independence")
    assert sorted(apart) == sorted(f"gramy.games.{module(game)}" for game in GAMES)


@pytest.mark.parametrize("lock", LOCKS, ids=relative)
def test_a_lock_file_names_no_host(lock: Path) -> None:
    assert lines_with(r"https?:|--(extra-)?index-url|--find-links|--trusted-host", lock) == []


def test_no_module_or_class_has_an_empty_word_in_its_name() -> None:
    names = [(path, path.stem if path.stem != "__init__" else path.parent.name) for path in MODULES]
    for path in MODULES:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        names += [(path, node.name) for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    assert [f"{relative(path)}: {name}" for path, name in names if words(name) & EMPTY_WORDS] == []


def test_the_wheel_has_no_training_code() -> None:
    files = [file.distribution_path for file in WheelBuilder(str(ROOT)).recurse_included_files()]
    assert "gramy/bots/protocol.py" in files
    assert [file for file in files if not file.startswith("gramy/") or "training" in file] == []


def test_training_imports_the_package_and_never_the_other_way_round() -> None:
    assert [line for path in MODULES for line in lines_with(r"^\s*(import|from) training\b", path)] == []


def test_no_public_class_has_the_name_of_another() -> None:
    """Each game may have its own State, Options and Board."""
    places: dict[str, list[str]] = {}
    for path in MODULES:
        if PACKAGE / "games" not in path.parents:
            tree = ast.parse(path.read_text(encoding="utf-8"))
            for node in ast.walk(tree):
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    places.setdefault(node.name, []).append(relative(path))
    assert {name: found for name, found in places.items() if len(found) > 1} == {}


@pytest.mark.parametrize("suffix", ["py", "js", "ts", "css", "html"])
def test_no_line_is_longer_than_120_columns(suffix: str) -> None:
    long = [
        f"{relative(path)}:{number}"
        for path in sources(suffix)
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if len(line) > LONGEST_LINE
    ]
    assert long == []


def test_no_source_file_is_longer_than_400_lines() -> None:
    lengths = {
        relative(path): len(path.read_text(encoding="utf-8").splitlines())
        for path in sources("py", "js", "css", "html")
    }
    assert {path: lines for path, lines in lengths.items() if path.startswith("src/") and lines > LONGEST_FILE} == {}


@pytest.mark.parametrize("path", sorted((ROOT / "tests").rglob("*.py")), ids=relative)
def test_no_test_touches_a_private_attribute(path: Path) -> None:
    found = [
        f"{node.lineno}: {ast.unparse(node)}"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute)
        and re.match(r"_[^_]", node.attr)
        and node.attr not in UNDERSCORED
        and not (isinstance(node.value, ast.Name) and node.value.id in ("self", "cls"))
    ]
    assert found == []


def test_the_table_hides_no_import_cycle_behind_type_checking() -> None:
    hidden = [
        f"{relative(path)}: {ast.unparse(step)}"
        for path in sorted((PACKAGE / "table").rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
        for step in ast.walk(node)
        if isinstance(step, ast.ImportFrom) and (step.module or "").startswith("gramy.table")
    ]
    assert hidden == []
