"""The two distributions: `gramy-core` is the library, `gramy` adds the command and everything that people need."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
import tomllib
import venv
import zipfile
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement

import gramy

ROOT = Path(__file__).parent.parent
WHOLE = ROOT / "packaging" / "gramy"
LINK = re.compile(r"\]\(([^)\s]+)\)")


def project(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return found


CORE, TABLE = project(ROOT), project(WHOLE)


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Build both wheels as a release does."""
    folder = tmp_path_factory.mktemp("wheels")
    for source in (ROOT, WHOLE):
        command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
        subprocess.run(command, cwd=source, check=True, capture_output=True)
    return sorted(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def library_alone(tmp_path_factory: pytest.TempPathFactory, wheels: list[Path]) -> Path:
    """Return the Python of a new environment with `gramy-core` and its dependencies, and nothing else."""
    folder = tmp_path_factory.mktemp("alone")
    venv.create(folder, with_pip=False)
    (packages,) = folder.glob("lib/python*/site-packages")
    (core,) = (wheel for wheel in wheels if wheel.name.startswith("gramy_core"))
    zipfile.ZipFile(core).extractall(packages)
    for requirement in CORE["dependencies"]:
        name = Requirement(requirement).name
        spec = importlib.util.find_spec(name)
        assert spec is not None
        assert spec.submodule_search_locations
        (packages / name).symlink_to(next(iter(spec.submodule_search_locations)))
    return folder / "bin" / "python"


def run(python: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return subprocess.run([str(python), *words], env=environment, capture_output=True, text=True)


def test_versions_and_metadata_of_both_distributions_agree() -> None:
    assert CORE["version"] == TABLE["version"] == gramy.__version__
    for key in ("license", "authors", "requires-python", "keywords", "classifiers", "urls"):
        assert CORE[key] == TABLE[key], key


def test_the_whole_distribution_installs_exactly_this_core_and_offers_its_extras() -> None:
    (wanted,) = map(Requirement, TABLE["dependencies"])
    assert (wanted.name, str(wanted.specifier)) == (CORE["name"], f"=={CORE['version']}")
    assert {"fast", "serve", "terminal"} == wanted.extras <= set(CORE["optional-dependencies"])
    public = set(CORE["optional-dependencies"]) - {"build", "dev", "docs"}
    assert set(TABLE["optional-dependencies"]) == public
    for extra, requirements in TABLE["optional-dependencies"].items():
        assert requirements == [f"{CORE['name']}[{extra}]=={CORE['version']}"]


def test_only_the_distribution_without_code_has_the_command(wheels: list[Path]) -> None:
    contents = {wheel.name.partition("-")[0]: zipfile.ZipFile(wheel).namelist() for wheel in wheels}
    assert not [name for name in contents["gramy"] if name.endswith(".py")]
    assert [name for name in contents["gramy"] if name.endswith("entry_points.txt")]
    assert "gramy/py.typed" in contents["gramy_core"]
    assert "scripts" not in CORE
    assert TABLE["scripts"] == {"gramy": "gramy.cli:main"}


def test_the_rules_need_no_web_server(library_alone: Path) -> None:
    code = (
        "import gramy, random, sys\n"
        "match, rng = gramy.match('gra', players=3, seed=1), random.Random(2)\n"
        "while match.outcome is None:\n"
        "    seat = match.to_act[0]\n"
        "    match.play(rng.choice(match.view(seat).moves), seat=seat)\n"
        "assert match.outcome.winners\n"
        "loaded = {name.partition('.')[0] for name in sys.modules}\n"
        "print(sorted(loaded & {'aiohttp', 'numpy', 'numba', 'tqdm', 'cryptography', 'msgspec'}))\n"
    )
    done = run(library_alone, "-c", code)
    assert (done.stdout, done.stderr) == ("['msgspec']\n", "")


@pytest.mark.parametrize(
    ("words", "extra"),
    [
        (["serve"], "serve"),
        (["loadtest", "gra"], "serve"),
        (["bot-token", "list"], "serve"),
        (["completion", "bash"], "terminal"),
    ],
)
def test_a_command_that_needs_more_says_what_to_install(library_alone: Path, words: list[str], extra: str) -> None:
    done = run(library_alone, "-m", "gramy", *words, "--language=en" if words[0] == "loadtest" else "--help")
    if words[0] != "loadtest":
        assert done.returncode == 0  # the help is there without the library
        done = run(library_alone, "-m", "gramy", *words)
    assert done.returncode == 1
    assert f'pip install "gramy[{extra}]"' in done.stderr
    assert "Traceback" not in done.stderr


def test_commands_of_the_library_run_without_any_extra(library_alone: Path) -> None:
    done = run(library_alone, "-m", "gramy", "simulate", "quick-easy", "--games", "20", "--plain", "--json")
    assert done.returncode == 0, done.stderr
    assert '"games": 20' in done.stdout
    assert run(library_alone, "-m", "gramy", "--version").stdout == f"gramy {gramy.__version__}\n"


def test_uvloop_and_numba_are_asked_for_only_where_they_exist() -> None:
    extras = CORE["optional-dependencies"]
    markers = {one.name: one.marker for extra in ("serve", "fast") for one in map(Requirement, extras[extra])}
    windows = {"sys_platform": "win32", "platform_python_implementation": "CPython"}
    pypy = {"sys_platform": "linux", "platform_python_implementation": "PyPy"}
    linux = {"sys_platform": "linux", "platform_python_implementation": "CPython"}
    uvloop, numba = markers["uvloop"], markers["numba"]
    assert uvloop is not None
    assert numba is not None
    assert [uvloop.evaluate(where) for where in (linux, windows, pypy)] == [True, False, False]
    assert [numba.evaluate(where) for where in (linux, windows, pypy)] == [True, True, False]


def test_links_of_the_readme_work_on_a_package_page() -> None:
    files = f"{CORE['urls']['Repository']}/blob/main/"
    pictures = f"{CORE['urls']['Repository'].replace('github.com', 'raw.githubusercontent.com')}/main/"
    links = LINK.findall((ROOT / "README.md").read_text(encoding="utf-8"))
    assert len(links) > 10
    for link in links:
        assert link.startswith((files, pictures)), f"{link} is relative"
        path = link.removeprefix(files).removeprefix(pictures).partition("#")[0]
        assert (ROOT / path).exists(), f"{link} leads to no file of the repository"
    assert (WHOLE / "README.md").read_bytes() == (ROOT / "README.md").read_bytes()
