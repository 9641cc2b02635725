"""Bots with a time limit for each move, in a process of their own, which can be killed.

A thread cannot be stopped from outside, and a signal does not reach a loop in machine code. So the bots of a match run
in a child process (`main` below). Its parent sends a request by a pipe and waits for the answer
until the limit; then it kills the child and starts another one for the next match. The child keeps the random
generators of the seats, so the moves are the same as without a limit. Each thread has one child, which ends with it.
"""

from __future__ import annotations

import os
import pickle
import queue
import signal
import subprocess
import sys
import threading
import weakref
from collections.abc import Sequence
from contextlib import suppress
from typing import IO, Any

from gramy import bots
from gramy.arena.entrant import Entrant, load_bot, own_traceback
from gramy.arena.players import LocalPlayers, Players
from gramy.contract import Game, View
from gramy.matches import Entry

START = 300.0
"""Seconds that a child may take to start, to load the bots, and to compile the code of built-in ones."""

_children = threading.local()


class OutOfTime(Exception):
    """The bot in a seat took longer than the limit."""

    def __init__(self, seat: int) -> None:
        super().__init__(seat)
        self.seat = seat


class BotRaised(Exception):
    """A bot raised an error in its process. `why` names the error; `traceback` has its file and line."""

    def __init__(self, why: str, traceback: str) -> None:
        super().__init__(why, traceback)
        self.why, self.traceback = why, traceback


class LimitedPlayers(Players):
    """The bots of one match in the child process of this thread, each call with a limit in seconds."""

    def __init__(self, game: Game, entrants: Sequence[Entrant], seeds: Sequence[str], limit: float) -> None:
        child: _Child | None = getattr(_children, "child", None)
        if child is None or not child.alive:
            child = _children.child = _Child()
        self._child, self._limit = child, limit
        if child.ask(("begin", game, tuple(entrants), tuple(seeds)), START) is _LATE:
            raise TimeoutError(f"the bots were not loaded within {START:g} seconds")

    @property
    def alive(self) -> bool:
        """Whether the process still runs: it is killed when the limit is exceeded."""
        return self._child.alive

    def choose(self, seat: int, view: View, history: tuple[Entry, ...]) -> str:
        move: str = self._ask(seat, ("choose", seat, view, history))
        return move

    def say(self, seat: int, view: View, history: tuple[Entry, ...]) -> tuple[str, ...]:
        phrases: tuple[str, ...] = self._ask(seat, ("say", seat, view, history))
        return phrases

    def eagerness(self, seat: int, view: View, history: tuple[Entry, ...]) -> float:
        keen: float = self._ask(seat, ("eagerness", seat, view, history))
        return keen

    def _ask(self, seat: int, request: tuple[Any, ...]) -> Any:
        answer = self._child.ask(request, self._limit)
        if answer is _LATE:
            raise OutOfTime(seat)
        return answer


_LATE = object()
"""In place of an answer that did not come in time."""


class _Child:
    """A child process, and a thread that reads its answers: a pipe cannot be read with a time limit everywhere."""

    def __init__(self) -> None:
        command = [sys.executable, "-c", "from gramy.arena.bot_process import main; main()"]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._answers: queue.SimpleQueue[tuple[str, Any]] = queue.SimpleQueue()
        threading.Thread(target=_read, args=(self._process.stdout, self._answers), daemon=True).start()
        self._end = weakref.finalize(self, _kill, self._process)
        self.alive = True

    def ask(self, request: tuple[Any, ...], seconds: float) -> Any:
        """Return the answer; kill the child and return _LATE if none comes in time. Raises BotRaised."""
        try:
            pickle.dump(request, self._stdin)
            self._stdin.flush()
            kind, answer = self._answers.get(timeout=seconds)
        except queue.Empty:
            self._stop()
            return _LATE
        except BrokenPipeError:
            kind, answer = "ended", None
        except BaseException:  # an interrupt: the answer to this request must not be taken for that to the next one
            self._stop()
            raise
        if kind == "value":
            return answer
        if kind == "ended":
            self._stop()
            why = f"the process of the bot ended with exit code {self._process.returncode}"
            raise BotRaised(why, why)
        raise BotRaised(*answer)

    @property
    def _stdin(self) -> IO[bytes]:
        assert self._process.stdin is not None
        return self._process.stdin

    def _stop(self) -> None:
        self.alive = False
        self._end()


def _kill(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()
    assert process.stdin is not None
    with suppress(OSError):  # what was not sent cannot be sent any more
        process.stdin.close()


def _read(stream: IO[bytes], answers: queue.SimpleQueue[tuple[str, Any]]) -> None:
    """Pass on each answer of a child until it ends."""
    with stream, suppress(EOFError, OSError, pickle.UnpicklingError):
        while True:
            answers.put(pickle.load(stream))
    answers.put(("ended", None))


# --- the child --------------------------------------------------------------------------------------------------------


def main() -> None:
    """Answer requests until the parent closes the pipe; then end at once, even in the middle of a move."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the parent too, which then closes the pipe
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a bot prints goes to stderr: the pipe is for answers only
    requests: queue.SimpleQueue[tuple[Any, ...]] = queue.SimpleQueue()
    threading.Thread(target=_receive, args=(requests,), daemon=True).start()
    players: Players | None = None
    prepared: set[tuple[Game, Entrant]] = set()
    while True:
        kind, *arguments = requests.get()
        try:
            if kind == "begin":
                players = _begin(prepared, *arguments)
                answer: tuple[str, Any] = ("value", None)
            else:
                answer = ("value", getattr(players, kind)(*arguments))
            text = pickle.dumps(answer)
        except Exception as error:
            text = pickle.dumps(("error", (f"{type(error).__name__}: {error}", own_traceback(error))))
        answers.write(text)
        answers.flush()


def _receive(requests: queue.SimpleQueue[tuple[Any, ...]]) -> None:
    try:
        while True:
            requests.put(pickle.load(sys.stdin.buffer))
    finally:
        os._exit(0)


def _begin(
    prepared: set[tuple[Game, Entrant]], game: Game, entrants: Sequence[Entrant], seeds: Sequence[str]
) -> Players:
    """Return the bots of a match. Load what built-in bots compile first, so that no move waits for the compiler."""
    for entrant in entrants:
        if not entrant.source and (game, entrant) not in prepared:
            bots.prepare(game, [load_bot(game.name, entrant)])
            prepared.add((game, entrant))
    return LocalPlayers(game.name, entrants, seeds)
