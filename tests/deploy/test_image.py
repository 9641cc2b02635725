"""The container image and the compose file: what they are made of is pinned, and the image's own steps give a server.

There is no Docker daemon in the tests. Instead, the steps of the Dockerfile that install Gramy, start it and check its
health are executed in a temporary folder, on exactly the files that a builder would get.
"""

from __future__ import annotations

import fnmatch
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import urllib.request
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.deploy.proxy import gramy_serve
from tests.servers import free_port

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
DIGEST = re.compile(r"[\w./-]+:[\w.-]*\d[\w.-]*@sha256:[0-9a-f]{64}")
COMPOSE: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
SERVICES: dict[str, Any] = COMPOSE["services"]


def instructions() -> list[tuple[str, str]]:
    """Return the instructions of the Dockerfile with their arguments."""
    text = re.sub(r"^\s*#.*\n", "", (DEPLOY / "Dockerfile").read_text(), flags=re.MULTILINE)
    lines = [line.split(maxsplit=1) for line in text.replace("\\\n", " ").splitlines() if line.strip()]
    return [(name, words.strip()) for name, words in lines]


def arguments(wanted: str) -> list[str]:
    return [words for name, words in instructions() if name == wanted]


@cache
def context() -> list[Path]:
    """Return the files that the builder gets: all files of the repository that .dockerignore does not exclude."""
    rules = [line for line in (ROOT / ".dockerignore").read_text().splitlines() if line and not line.startswith("#")]
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True
    )
    if listed.returncode:
        pytest.skip("this copy is not a git repository: the image's files were NOT tested")
    return [path for path in map(Path, listed.stdout.splitlines()) if _admitted(path, rules)]


def _admitted(path: Path, rules: list[str]) -> bool:
    """Return whether .dockerignore admits a file: the last rule that matches it or a folder of it decides."""
    admitted = True
    for rule in rules:
        pattern = rule.removeprefix("!").removeprefix("**/")
        names = [path.name, *path.parts] if rule.startswith("**/") else [str(part) for part in (path, *path.parents)]
        if any(fnmatch.fnmatchcase(name, pattern) for name in names if name != "."):
            admitted = rule.startswith("!")
    return admitted


def copy_into(source: Path) -> None:
    """Copy what the COPY instructions of the first stage take from the builder's files."""
    files = context()
    for words in arguments("COPY"):
        *names, target = words.split()
        if names[0].startswith("--from"):
            continue
        for name in names:
            found = [file for file in files if file == Path(name) or Path(name) in file.parents]
            assert found, f"COPY {name}: the builder does not get it"
            for file in found:
                to = source / target / (file.relative_to(name) if file != Path(name) else file.name)
                to.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / file, to, follow_symlinks=False)


def test_the_builder_gets_only_what_the_image_is_made_of() -> None:
    tops = {path.parts[0] for path in context()}
    assert tops == {"requirements.txt", "pyproject.toml", "README.md", "LICENSE", "docs", "src", "packaging"}
    assert {path.parts[1] for path in context() if path.parts[0] == "docs"} == {"rules"}
    for secret in (
        ".env",
        "deploy/gramy.env",
        "deploy/postgres.password",
        ".git/config",
        "src/gramy/__pycache__/x.pyc",
    ):
        rules = (ROOT / ".dockerignore").read_text().splitlines()
        assert not _admitted(Path(secret), [rule for rule in rules if rule and not rule.startswith("#")]), secret


def test_images_are_pinned_by_their_contents() -> None:
    images = [words.split()[0] for words in arguments("FROM")]
    images += [service["image"] for service in SERVICES.values() if "build" not in service]
    assert len(images) == 5
    for image in images:
        assert DIGEST.fullmatch(image), image


def test_every_package_in_the_image_is_checked_against_its_hash() -> None:
    """The first step is the one that `make` uses for its own environment; the second one downloads nothing."""
    first, second = (words for words in arguments("RUN") if " install " in words)
    assert "--require-hashes -r requirements.txt" in first
    assert "--only-binary :all:" in first
    assert "--require-hashes -r requirements.txt" in (ROOT / "Makefile").read_text()
    assert {"--no-index", "--no-deps", "--no-build-isolation"} <= set(second.split())


def test_the_image_does_not_run_as_root() -> None:
    assert instructions().index(("USER", "10001:10001")) > instructions().index(
        ("COPY", "--from=build /opt/gramy /opt/gramy")
    )
    assert arguments("USER") == ["10001:10001"]


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Execute the second `pip install` of the Dockerfile in a new environment; return the folder with its /opt/gramy.

    The packages that the first one installs are borrowed from the environment of the tests, which was made by it.
    """
    root = tmp_path_factory.mktemp("image")
    copy_into(root / "source")
    environment = root / "opt" / "gramy"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(environment)], check=True)
    (site,) = environment.glob("lib/python*/site-packages")
    (site / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n")
    (second,) = (words for words in arguments("RUN") if "--no-deps" in words)
    command = [sys.executable, *shlex.split(second.replace("/opt/gramy", str(environment)))[1:]]
    done = subprocess.run(command, cwd=root / "source", capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    shutil.rmtree(root / "source")  # the finished image does not have it
    return root


def in_image(words: list[str], image: Path, port: int) -> list[str]:
    """Return a command of the Dockerfile for the folder of the image and for a free port."""
    return [word.replace("/opt/gramy", str(image / "opt" / "gramy")).replace(":8484", f":{port}") for word in words]


def test_the_image_serves_and_is_healthy(image: Path, tmp_path: Path) -> None:
    settings = dict(word.split("=", 1) for words in arguments("ENV") for word in words.split())
    (entry,), (health,) = arguments("ENTRYPOINT"), arguments("HEALTHCHECK")
    port = free_port()
    settings |= {"GRAMY_HOST": "127.0.0.1", "GRAMY_PORT": str(port), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    settings |= {"GRAMY_DATA": str(tmp_path / "data"), "PYTHONPATH": ""}
    program = [*in_image(json.loads(entry), image, port), *json.loads(arguments("CMD")[0])]
    check = in_image(json.loads(health.partition("CMD ")[2]), image, port)
    assert subprocess.run(check, capture_output=True).returncode != 0  # nothing serves yet
    with gramy_serve(tmp_path / "data", program, **settings):
        assert subprocess.run(check, capture_output=True).returncode == 0
        for path in ("", "static/app.js", "api/games", "api/rules/gra?language=pl"):
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/{path}", timeout=10) as answer:
                assert answer.status == 200
    where = subprocess.run(
        [str(image / "opt/gramy/bin/python"), "-c", "import gramy; print(gramy.__file__)"],
        env={**os.environ, "PYTHONPATH": ""}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert where.stdout.startswith(str(image))  # the installed copy, not the repository


def test_only_the_proxy_is_published() -> None:
    assert [name for name, service in SERVICES.items() if "ports" in service] == ["proxy"]
    assert COMPOSE["networks"]["back"]["internal"]
    assert list(SERVICES["proxy"]["networks"]) == ["front"]
    for name in ("postgres", "redis"):
        assert SERVICES[name]["networks"] == ["back"]
    addresses = {name: SERVICES[name]["networks"]["front"]["ipv4_address"] for name in ("proxy", "gramy-1", "gramy-2")}
    assert SERVICES["gramy-1"]["environment"]["GRAMY_PROXIES"] == addresses["proxy"]
    page = (ROOT / "docs" / "hosting.md").read_text()
    assert f"{addresses['gramy-1']}:8484 {addresses['gramy-2']}:8484" in page


def test_services_are_restricted_and_checked() -> None:
    for name, service in SERVICES.items():
        assert service["restart"] == "unless-stopped", name
        assert service["read_only"] is True, name
        assert service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert {"mem_limit", "pids_limit"} <= set(service), name
        assert "healthcheck" in service or "build" in service, name  # the image brings its own
        for other in service.get("depends_on", {}).values():
            assert other == {"condition": "service_healthy"}, name


def test_no_secret_is_written_in_the_compose_file() -> None:
    text = (DEPLOY / "compose.yaml").read_text()
    assert not re.search(r"(PASSWORD|SECRET|TOKEN)\s*[:=]\s*\S", text)
    assert SERVICES["gramy-1"]["env_file"] == ["gramy.env"]
    assert COMPOSE["secrets"]["postgres"]["file"] == "postgres.password"
    ignored = (ROOT / ".gitignore").read_text().splitlines()
    assert {"deploy/gramy.env", "deploy/postgres.password", "deploy/site.conf"} <= set(ignored)


def test_docker_understands_the_compose_file() -> None:
    if (
        subprocess.run(["docker", "compose", "version"], capture_output=True).returncode
        if shutil.which("docker")
        else 1
    ):
        pytest.skip("docker compose is not installed: the compose file was parsed, but NOT checked by it")
    done = subprocess.run(
        ["docker", "compose", "-f", str(DEPLOY / "compose.yaml"), "config", "--quiet", "--no-env-resolution"],
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
