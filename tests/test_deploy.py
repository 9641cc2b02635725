"""What hosts are given works: a copy made under load brings every table back; the files say what the server reads."""

from __future__ import annotations

import asyncio
import configparser
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from gramy.matches import Entry
from gramy.table.store import Store
from tests.servers import Postgres, required
from tests.table.backs import Back, Base, File, row

ROOT = Path(__file__).parent.parent
DEPLOY = ROOT / "deploy"


def said(script: str, file: Path, back: Back) -> subprocess.CompletedProcess[str]:
    words, path = {}, os.environ["PATH"]
    if isinstance(back, Base):
        words, path = {"GRAMY_STORE": back.url}, os.pathsep.join([path, str(Path(required("pg_dump")).parent)])
    elif isinstance(back, File):
        words = {"GRAMY_DATA": str(back.path.parent)}
    command = ["bash", str(DEPLOY / script), str(file)]
    return subprocess.run(command, env={**os.environ, "PATH": path, **words}, capture_output=True, text=True)


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_a_copy_that_was_made_while_people_play_brings_back_what_was_acknowledged(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    server: Postgres | None = request.getfixturevalue("postgres") if kind == "postgres" else None
    back: Back = Base(server, database=True) if server else File(tmp_path / "one")
    copy, acknowledged = tmp_path / "copy", 0

    async def playing(store: Store) -> None:
        nonlocal acknowledged
        await store.save(row())
        for number in range(20):
            await store.append("t1", 1, number, [Entry(0, f"up {number}")], 1001.0)
        copying = asyncio.create_task(asyncio.to_thread(said, "backup.sh", copy, back))
        number = acknowledged = 20
        while not copying.done():
            await store.append("t1", 1, number, [Entry(0, f"up {number}")], 1001.0)
            number += 1
        done = await copying
        assert done.returncode == 0, done.stderr

    async def restored(store: Store) -> None:
        lines = await store.lines("t1", 1)
        assert len(lines) >= acknowledged
        assert lines == [Entry(0, f"up {number}") for number in range(len(lines))]
        found = await store.load("t1")
        assert found == row(touched=1001.0, revision=1 + len(lines))
        await store.append("t1", 1, len(lines), [Entry(1, "on it goes")], 1002.0)

    (tmp_path / "one").mkdir()
    back.tell(playing)
    (tmp_path / "two").mkdir()
    other: Back = Base(server, database=True) if server else File(tmp_path / "two")
    done = said("restore.sh", copy, other)
    assert done.returncode == 0, done.stderr
    other.tell(restored)
    assert said("restore.sh", copy, other).returncode != 0  # never over tables that are there


def test_a_backup_of_nothing_fails_and_leaves_nothing(tmp_path: Path) -> None:
    assert said("backup.sh", tmp_path / "copy", File(tmp_path)).returncode != 0
    assert not list(tmp_path.iterdir())


def test_every_setting_in_the_files_is_one_that_the_server_reads() -> None:
    command = (ROOT / "src" / "gramy" / "web" / "command.py").read_text()
    known = set(re.findall(r"GRAMY_[A-Z]+", command))
    for file in (*DEPLOY.iterdir(), ROOT / "docs" / "hosting.md"):
        assert set(re.findall(r"GRAMY_[A-Z]+", file.read_text())) <= known, file


def test_the_unit_is_one(tmp_path: Path) -> None:
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
        assert "Unknown" not in done.stderr
