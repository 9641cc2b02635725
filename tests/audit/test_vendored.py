"""What we ship or install that others have made: known to the byte, so that nobody slips anything in."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

import gramy

ROOT = Path(__file__).parents[2]
STATIC = Path(gramy.__file__).parent / "web" / "static"
VENDOR = STATIC / "vendor"
INTEGRITY: dict[str, str] = json.loads((VENDOR / "integrity.json").read_text())
SBOM = json.loads((ROOT / "deploy" / "sbom.json").read_text())
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
PLACES = ("requirements*.txt", "bench/requirements.txt", "tests/*/requirements.txt")
PINNED = [path.relative_to(ROOT).as_posix() for place in PLACES for path in ROOT.glob(place)]

FIXED_IN = {
    "aiohttp": ("3.14.3", "CVE-2026-69243, request smuggling by an upgrade; CVE-2026-69244, heap read in the parser"),
    "asyncpg": ("0.21.0", "CVE-2020-17446, uninitialised memory from a hostile server"),
    "cryptography": ("50.0.0", "PYSEC-2026-3552, oracle in PKCS #7"),
    "distributed": ("2026.1.0", "CVE-2026-23528, scripts in the dashboard"),
    "markdown-it-py": ("2.2.0", "CVE-2023-26302 and CVE-2023-26303, crashes by special input"),
    "playwright": ("1.55.1", "CVE-2025-59288, browsers downloaded without a check"),
    "pyarrow": ("23.0.1", "CVE-2026-25087, use after free in the reader of IPC files"),
    "pytest": ("9.0.3", "CVE-2025-71176, predictable temporary folder"),
    "pyyaml": ("5.4", "CVE-2020-14343, code in documents"),
    "redis": ("6.2.0", "PYSEC-2023-312; CVE-2023-28859, answers to the wrong request"),
    "tqdm": ("4.66.3", "CVE-2024-34062, code in arguments"),
    "uvloop": ("0.20.0", "CVE-2024-24806, in its libuv"),
}
"""The version of each dependency from which on no advisory is known, and the newest advisories below it."""


def floors() -> dict[str, set[Version]]:
    """Return the oldest versions that pyproject.toml allows of each dependency, and `0` where it names none."""
    found: dict[str, set[Version]] = {}
    extras = PROJECT["optional-dependencies"].values()
    for line in [*PROJECT["dependencies"], *(line for extra in extras for line in extra)]:
        requirement = Requirement(line)
        lowest = [part.version for part in requirement.specifier if part.operator in (">=", "==", "~=")]
        found.setdefault(canonicalize_name(requirement.name), set()).add(Version(max(lowest, key=Version, default="0")))
    return found


@pytest.mark.parametrize("name", sorted(FIXED_IN.keys() & floors().keys()))
def test_no_version_with_a_known_advisory_is_allowed(name: str) -> None:
    fixed, advisories = FIXED_IN[name]
    assert min(floors()[name]) >= Version(fixed), advisories


def test_files_of_others_are_the_ones_that_were_looked_at() -> None:
    for name, expected in INTEGRITY.items():
        digest = hashlib.sha384((STATIC / name).read_bytes()).digest()
        assert f"sha384-{base64.b64encode(digest).decode()}" == expected, f"{name} has changed: make lock"
    vendored = {path for path in VENDOR.iterdir() if path.name != "integrity.json"} | set(STATIC.glob("font/*"))
    assert {STATIC / name for name in INTEGRITY} == vendored


def test_the_page_names_the_hash_of_the_library() -> None:
    page = (STATIC / "index.html").read_text()
    assert f'integrity="{INTEGRITY["vendor/preact.js"]}"' in page


def test_the_sbom_lists_what_we_ship() -> None:
    listed = {(part["name"], part["version"]) for part in SBOM["components"] if "pypi" in part.get("purl", "")}
    pinned = re.findall(r"^([\w.-]+)(?:\[.*\])?==([^\s;]+)", (ROOT / "requirements.txt").read_text(), re.MULTILINE)
    assert listed == set(pinned)
    others = {part["name"]: part for part in SBOM["components"] if "pypi" not in part.get("purl", "")}
    banner = (VENDOR / "preact.js").read_text().splitlines()[0]
    for name, version in re.findall(r"([@\w/]+) (\d+\.\d+\.\d+)", banner):
        assert others.pop(name)["version"] == version
    assert sorted(others) == ["Figtree (figtree-latin)", "Figtree (figtree-latin-ext)"]
    for part in SBOM["components"]:
        for hashed in part.get("hashes", ()):
            (file,) = (entry["value"] for entry in part["properties"])
            assert hashlib.sha384((ROOT / file).read_bytes()).hexdigest() == hashed["content"], f"{file}: make lock"
            assert part["licenses"]
    assert SBOM["metadata"]["component"]["version"] == PROJECT["version"]


def test_the_sbom_contains_no_times_and_no_addresses_of_registries() -> None:
    assert not {"serialNumber", "timestamp"} & {*SBOM, *SBOM["metadata"]}
    found = re.findall(r"https?://[\w./-]+", json.dumps(SBOM))
    assert set(found) - set(PROJECT["urls"].values()) == {SBOM["$schema"]}


def test_files_of_others_say_which_versions_they_are() -> None:
    first = (VENDOR / "preact.js").read_text().splitlines()[0]
    versions = re.findall(r"([@\w/]+) (\d+\.\d+\.\d+)", first)
    assert len(versions) == 3
    for name, version in versions:
        assert f"=== {name} {version}" in (VENDOR / "LICENSES.txt").read_text()


@pytest.mark.parametrize("path", PINNED)
def test_everything_that_is_installed_is_pinned_with_its_hashes(path: str) -> None:
    text = (ROOT / path).read_text().replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    assert lines
    for line in lines:
        assert re.match(r"[\w.-]+(\[[\w,-]+\])?==[^\s;]+", line), line
        assert "--hash=sha256:" in line, line


def test_the_audit_asks_about_everything_that_is_pinned() -> None:
    makefile = (ROOT / "Makefile").read_text().replace("\\\n", " ")
    (audited,) = re.findall(r"^AUDITED := (.*)$", makefile, re.MULTILINE)
    assert sorted(audited.split()) == sorted(PINNED)
