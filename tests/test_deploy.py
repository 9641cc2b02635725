"""The files for hosts: a backup under load restores every table, and all settings are ones that the server reads."""

from __future__ import annotations

import asyncio
import configparser
import os
import re
import shutil
import stat
import subprocess
from pathlib import Path

import pytest

from gramy.matches import Entry
from gramy.web.command import LIMITS
from tests.servers import Postgres, required
from tests.table.backends import Backend, PostgresBackend, SqliteBackend, row

ROOT = Path(__file__).parent.parent
DEPLOY = ROOT / "deploy"


def run_script(script: str, file: Path, backend: Backend) -> subprocess.CompletedProcess[str]:
    settings, path = {}, os.environ["PATH"]
    if isinstance(backend, PostgresBackend):
        settings, path = {"GRAMY_STORE": backend.url}, os.pathsep.join([path, str(Path(required("pg_dump")).parent)])
    elif isinstance(backend, SqliteBackend):
        settings = {"GRAMY_DATA": str(backend.path.parent)}
    command = ["bash", str(DEPLOY / script), str(file)]
    return subprocess.run(command, env={**os.environ, "PATH": path, **settings}, capture_output=True, text=True)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
async def test_a_backup_during_play_restores_every_acknowledged_move(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    server: Postgres | None = request.getfixturevalue("postgres") if kind == "postgres" else None
    backend: Backend = PostgresBackend(server, database=True) if server else SqliteBackend(tmp_path / "one")
    other: Backend = PostgresBackend(server, database=True) if server else SqliteBackend(tmp_path / "two")
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    copy = tmp_path / "backups" / "copy"

    async with backend.opened() as store:
        await store.save(row())
        for number in range(20):
            await store.append("t1", 1, number, [Entry(0, f"up {number}")], 1001.0)
        copying = asyncio.create_task(asyncio.to_thread(run_script, "backup.sh", copy, backend))
        number = acknowledged = 20
        while not copying.done():
            await store.append("t1", 1, number, [Entry(0, f"up {number}")], 1001.0)
            number += 1
        done = await copying
        assert done.returncode == 0, done.stderr
    assert (mode(copy), mode(copy.parent)) == (0o600, 0o700)  # it has seeds, names and seats

    done = await asyncio.to_thread(run_script, "restore.sh", copy, other)
    assert done.returncode == 0, done.stderr
    if isinstance(other, SqliteBackend):
        assert (mode(other.path), mode(other.path.parent)) == (0o600, 0o700)
    async with other.opened() as store:
        lines = await store.lines("t1", 1)
        assert len(lines) >= acknowledged
        assert lines == [Entry(0, f"up {number}") for number in range(len(lines))]
        assert await store.load("t1") == row(touched=1001.0, revision=1 + len(lines))
        await store.append("t1", 1, len(lines), [Entry(1, "on it goes")], 1002.0)
    done = await asyncio.to_thread(run_script, "restore.sh", copy, other)
    assert done.returncode != 0  # it never overwrites existing tables


def test_a_backup_without_a_database_fails_and_leaves_no_file(tmp_path: Path) -> None:
    assert run_script("backup.sh", tmp_path / "copy", SqliteBackend(tmp_path)).returncode != 0
    assert not list(tmp_path.iterdir())


def test_the_server_and_remote_bots_read_every_setting_in_the_files() -> None:
    commands = "".join((ROOT / "src" / "gramy" / part / "command.py").read_text() for part in ("web", "remote"))
    known = {*re.findall(r"GRAMY_[A-Z_]*[A-Z]", commands), *(f"GRAMY_{name.upper()}" for name in LIMITS)}
    for file in (*DEPLOY.iterdir(), ROOT / "docs" / "hosting.md"):
        assert set(re.findall(r"GRAMY_[A-Z_]*[A-Z]", file.read_text())) <= known, file


def test_the_systemd_unit_is_valid(tmp_path: Path) -> None:
    unit = configparser.ConfigParser(strict=False, interpolation=None)
    unit.optionxform = str  # type: ignore[assignment,method-assign]  # names of settings have capitals
    unit.read(DEPLOY / "gramy.service")
    assert {"Unit", "Service", "Install"} == set(unit.sections())
    assert unit["Service"]["ExecStart"].split()[1] == "serve"
    if shutil.which("systemd-analyze"):
        (tmp_path / "gramy.service").write_text(
            (DEPLOY / "gramy.service").read_text().replace("/opt/gramy/bin/gramy", "/bin/true")
        )
        done = subprocess.run(
            ["systemd-analyze", "verify", str(tmp_path / "gramy.service")], capture_output=True, text=True
        )
        assert (done.returncode, done.stderr) == (0, "")
        rated = subprocess.run(  # 20 of 100: systemd calls a unit up to 20 well protected
            ["systemd-analyze", "security", "--offline=true", "--threshold=20", str(tmp_path / "gramy.service")],
            capture_output=True,
            text=True,
        )
        assert rated.returncode == 0, rated.stdout
