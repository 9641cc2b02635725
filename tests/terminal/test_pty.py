"""The command in a real terminal: it opens the application or the line mode, and says where the match is saved."""

import contextlib
import os
import pty
import select
import struct
import subprocess
import sys
import termios
import time
from fcntl import ioctl
from pathlib import Path

import pytest

PATIENCE = 60.0


class Terminal:
    """A process in a pseudo-terminal of 80 by 24, with everything that it has printed."""

    def __init__(self, folder: Path, *arguments: str, **environment: str) -> None:
        self.side, other = pty.openpty()
        ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        variables = {**os.environ, "TERM": "xterm-256color", "XDG_DATA_HOME": str(folder), **environment}
        command = [sys.executable, "-m", "gramy", "play", "--language", "en", "--seed", "1", *arguments]
        self.process = subprocess.Popen(command, stdin=other, stdout=other, stderr=other, env=variables)
        os.close(other)
        self.output = b""

    def until(self, words: str) -> None:
        """Read until some words are printed."""
        end = time.monotonic() + PATIENCE
        while words.encode() not in self.output:
            assert time.monotonic() < end, self.output[-2000:].decode(errors="replace")
            if select.select([self.side], [], [], 0.2)[0]:
                with contextlib.suppress(OSError):  # Linux: the process has ended
                    self.output += os.read(self.side, 65536)

    def type(self, keys: str) -> None:
        os.write(self.side, keys.encode())

    def close(self) -> int:
        code = self.process.wait(PATIENCE)
        os.close(self.side)
        return code


@pytest.mark.parametrize("keys", ["q", "\x03"], ids=["q", "ctrl-c"])
def test_the_application_opens_and_leaving_says_how_to_resume(tmp_path, keys):
    terminal = Terminal(tmp_path, "face-to-face")
    terminal.until("Your turn")
    terminal.type(keys)
    terminal.until("--resume")
    assert terminal.close() == 0
    (saved,) = (tmp_path / "gramy" / "terminal").glob("*.gramy")
    assert saved.read_text("utf-8").startswith("gramy record")
    assert b"Traceback" not in terminal.output


@pytest.mark.parametrize(("arguments", "environment"), [(["--plain"], {}), ([], {"TERM": "dumb"})])
def test_the_line_mode_is_used_where_it_is_asked_for_or_needed(tmp_path, arguments, environment):
    terminal = Terminal(tmp_path, "face-to-face", *arguments, **environment)
    terminal.until("Player 1 ›")
    terminal.type("up 8\nquit\n")
    terminal.until("Goodbye!")
    assert terminal.close() == 0
    history = tmp_path / "gramy" / "terminal" / "history"
    assert history.stat().st_mode & 0o777 == 0o600
    assert "up 8" in history.read_text("utf-8")
