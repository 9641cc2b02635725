"""The extras of the package: each one that is named anywhere exists, and installs the modules that need it."""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, packages_distributions, requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "gramy"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]
NAMED = re.compile(r"(?:gramy|/source|\.)\[([a-z, ]+)\]|--extra[ =]([a-z]+)")
TEXTS = sorted(
    [
        *ROOT.glob("*.md"),
        *ROOT.glob("docs/**/*.md"),
        *(path for path in ROOT.glob("deploy/**/*") if path.is_file()),
        ROOT / "Makefile",
    ]
)


def names(requirements: list[str]) -> set[str]:
    """Return the distributions that a list of requirements installs, by their canonical names."""
    return {canonicalize_name(Requirement(requirement).name) for requirement in requirements}


def distributions(module: str) -> set[str]:
    """Return the distributions that provide a module; one that is not installed here has the module's name."""
    found = packages_distributions().get(module, [module])
    return {canonicalize_name(name) for name in found}


def trees() -> Iterator[tuple[Path, ast.Module]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        yield path, ast.parse(path.read_text(encoding="utf-8"))


def foreign(tree: ast.AST) -> set[str]:
    """Return the modules of other projects that the source imports."""
    modules = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            modules |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            modules.add(node.module.partition(".")[0])
    return modules - set(sys.stdlib_module_names) - {"gramy", "typing_extensions"}  # the last one for mypy alone


def ours(node: ast.AST) -> set[str]:
    """Return the modules of this package that the source imports."""
    return {
        step.module
        for step in ast.walk(node)
        if isinstance(step, ast.ImportFrom) and step.module and step.module.startswith("gramy.")
    }


def extra_of(node: ast.AST) -> str | None:
    """Return the extra that a message in this source asks to install."""
    for step in ast.walk(node):
        if isinstance(step, ast.Dict):
            for key, value in zip(step.keys, step.values, strict=True):
                if isinstance(key, ast.Constant) and key.value == "extra" and isinstance(value, ast.Constant):
                    return str(value.value)
    return None


def promises() -> list[tuple[str, str, str]]:
    """Return where an error names an extra for a module that is missing: the place, the module, the extra."""
    found = []
    for path, tree in trees():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "library":
                module, extra = (argument.value for argument in node.args if isinstance(argument, ast.Constant))
                found.append((path.name, module.partition(".")[0], extra))
            if isinstance(node, ast.Try):
                extras = [extra for handler in node.handlers if (extra := extra_of(handler))]
                files = [PACKAGE.parent / f"{name.replace('.', '/')}.py" for step in node.body for name in ours(step)]
                sources = [ast.parse(file.read_text(encoding="utf-8")) for file in files if extras]
                found += [
                    (path.name, module, extra) for extra in extras for tree in sources for module in foreign(tree)
                ]
    return sorted(set(found))


def test_every_extra_that_is_named_exists() -> None:
    named = {
        extra.strip()
        for path in [*TEXTS, *(path for path, _ in trees())]
        for pair in NAMED.findall(path.read_text(encoding="utf-8"))
        for extra in "".join(pair).split(",")
    }
    assert {"cluster", "fast", "arena"} <= named
    assert named <= set(EXTRAS)


def test_errors_name_extras_for_the_database_the_bus_and_the_arena() -> None:
    assert {("asyncpg", "cluster"), ("redis", "cluster"), ("numpy", "arena")} <= {row[1:] for row in promises()}


@pytest.mark.parametrize(("place", "module", "extra"), promises())
def test_an_extra_that_an_error_names_installs_the_module_that_is_missing(place: str, module: str, extra: str) -> None:
    installed = names([*PROJECT["dependencies"], *EXTRAS[extra]])
    assert distributions(module) & installed, f"{place}: gramy[{extra}] does not install {module}"


def test_every_module_that_the_source_imports_is_a_dependency_or_in_an_extra() -> None:
    given = names([*PROJECT["dependencies"], *(one for name in EXTRAS if name != "dev" for one in EXTRAS[name])])
    comes_with = {"llvmlite", "rich"}  # parts of Numba and Textual
    used = {module for _, tree in trees() for module in foreign(tree)} - comes_with
    assert [module for module in sorted(used) if not distributions(module) & given] == []


@pytest.mark.parametrize(
    ("lock", "extras"), [("requirements.txt", ["fast", "cluster", "build"]), ("requirements-dev.txt", list(EXTRAS))]
)
def test_a_lock_file_pins_what_its_extras_ask_for(lock: str, extras: list[str]) -> None:
    text = (ROOT / lock).read_text(encoding="utf-8")
    pinned = dict(re.findall(r"^([\w.-]+)(?:\[.*\])?==([\w.+!]+)", text, re.MULTILINE))
    versions = {canonicalize_name(name): version for name, version in pinned.items()}
    for line in [*PROJECT["dependencies"], *(one for extra in extras for one in EXTRAS[extra])]:
        requirement = Requirement(line)
        version = versions.get(canonicalize_name(requirement.name))
        assert version is not None, f"{lock} does not pin {requirement.name}"
        assert requirement.specifier.contains(version, prereleases=True), f"{lock} pins {requirement.name} {version}"


@pytest.mark.parametrize("lock", ["requirements.txt", "requirements-dev.txt"])
def test_a_lock_file_pins_with_the_extras_that_others_ask_for(lock: str) -> None:
    """pip 23 looks for the newest version of `name[extra]` when only `name` is pinned, and then refuses it as not
    pinned: a new release of such a package would break every installation."""
    pinned = {
        canonicalize_name(entry.name): entry.extras
        for line in (ROOT / lock).read_text(encoding="utf-8").splitlines()
        if re.match(r"[\w.-]+(\[.*\])?==", line)
        for entry in [Requirement(line.rstrip(" \\"))]
    }
    for name in pinned:
        try:
            asked = requires(name) or []
        except PackageNotFoundError:  # pinned for another platform or another Python
            continue
        for one in map(Requirement, asked):
            if one.extras and (one.marker is None or one.marker.evaluate({"extra": ""})):
                assert one.extras <= pinned[canonicalize_name(one.name)], f"{name} asks for {one}"
