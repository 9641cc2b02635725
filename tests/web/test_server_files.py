"""The data folder belongs to one server and one user, and its secret is whole or not there."""

from __future__ import annotations

import contextlib
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from gramy import text
from gramy.cli import main
from gramy.web.server_files import SHORTEST_SECRET, CannotServe
from tests.table.backends import SqliteBackend
from tests.test_deploy import run_script
from tests.web.client import BOT, serving, visiting
from tests.web.test_faults import small_disk


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


async def refused(folder: Path, **settings: object) -> CannotServe:
    with pytest.raises(CannotServe) as error:
        async with serving(folder, **settings):  # type: ignore[arg-type]  # settings of the test
            pass
    return error.value


@contextlib.contextmanager
def server_process(folder: Path) -> Iterator[subprocess.Popen[str]]:
    """Run `gramy serve` and yield the process once it serves."""
    command = [sys.executable, "-m", "gramy", "serve", "--data", str(folder), "--port", "0"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        assert "Gramy is at" in process.stdout.readline()
        yield process
    finally:
        process.kill()
        process.communicate()


async def test_a_second_server_on_one_file_refuses_to_start_until_the_first_is_killed(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "new"
    with server_process(folder) as first:
        error = await refused(folder)
        assert error.message.key == "data_in_use"
        assert error.message.values == {"folder": str(folder)}
        assert run_script("backup.sh", tmp_path / "copy", SqliteBackend(tmp_path)).returncode == 0
        first.send_signal(signal.SIGKILL)
        first.wait(30)
        async with serving(folder) as (address, _), visiting(address) as ada:
            await ada.open("gra", [None, BOT])


async def test_the_folder_and_its_files_are_closed_to_other_users(tmp_path: Path) -> None:
    for folder in (tmp_path / "new", tmp_path / "old"):
        async with serving(folder):
            assert mode(folder) == 0o700
            assert {mode(path) for path in folder.iterdir()} == {0o600}
        folder.chmod(0o755)
        for path in folder.iterdir():
            path.chmod(0o644)
        async with serving(folder):
            assert mode(folder) == 0o700
            assert {mode(path) for path in folder.iterdir()} == {0o600}


async def test_a_folder_with_files_of_others_stays_open_and_only_ours_are_closed(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir(mode=0o755)
    (home / "letter").touch(mode=0o644)
    async with serving(home):
        assert (mode(home), mode(home / "letter")) == (0o755, 0o644)
        assert mode(home / "gramy.sqlite") == mode(home / "secret") == 0o600


async def test_a_full_disk_at_the_first_start_leaves_no_empty_secret(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk") as folder:
        with contextlib.suppress(OSError), (folder / "filler").open("wb", buffering=0) as filler:
            while True:
                filler.write(bytes(1024))
        assert (await refused(folder)).message.key == "data_unusable"
        assert not (folder / "secret").exists()
        (folder / "filler").unlink()
        async with serving(folder):
            assert len((folder / "secret").read_text()) >= SHORTEST_SECRET


@pytest.mark.parametrize("content", [b"", b"\n", b"x", b"x" * (SHORTEST_SECRET - 1), b" " * 50])
async def test_an_empty_or_short_secret_in_the_file_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "secret").write_bytes(content)
    error = await refused(tmp_path)
    assert error.message.key == "secret_file_short"
    assert error.message.values["path"] == str(tmp_path / "secret")
    assert (tmp_path / "secret").read_bytes() == content


@pytest.mark.parametrize("secrets", [("",), ("x",), ("x" * SHORTEST_SECRET, "old")])
async def test_a_short_secret_in_the_settings_is_refused(tmp_path: Path, secrets: tuple[str, ...]) -> None:
    error = await refused(tmp_path, secrets=secrets)
    assert error.message.key == "secret_short"
    for language in ("en", "pl", "de"):
        assert "GRAMY_SECRET" in text.say(error.message, language)


@pytest.mark.parametrize("variable", ["", "x"])
def test_a_short_secret_in_the_environment_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], variable: str
) -> None:
    monkeypatch.setenv("GRAMY_SECRET", variable)
    assert main(["serve", "--data", str(tmp_path), "--port", "0"]) == 1
    assert "GRAMY_SECRET" in capsys.readouterr().err
