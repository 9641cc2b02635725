"""Compiled code that nobody waits for: until a game's code is loaded, its bots play by plain functions.

`Compiler` compiles the games one after the other, each in a process of its own, and the code is stored on disk.
`load_in_background` loads it from there into a process that plays. `without_waiting` is what this process plays in.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NamedTuple

from gramy import compiled
from gramy.bots import LEVELS, kernel, prepare
from gramy.games import game as game_named

SEARCHING = ("hard", "expert")
"""The levels whose bots use kernels. Hints come from the last one."""
NICENESS = 15
"""Added to the niceness of the compiling process: everybody else gets the processor first."""
MAX_MEMORY = 768 << 20
"""Bytes that a compiling process may allocate; it needs at most 420 million."""
LOOK_EVERY = 1.0
"""Seconds between two looks for code that another process has compiled."""
PLAIN_BUDGET, PLAIN_TIME = 0.4, 1.0
"""Seconds of budget that are enough where plain functions play, and the elapsed seconds after which they stop a
search: a move must stay far below two seconds."""

_LOADED: set[str] = set()


class CompilationReport(NamedTuple):
    """What a compilation took, or why it failed."""

    seconds: float = 0.0
    megabytes: int = 0
    error: str = ""


class CompilationProgress(NamedTuple):
    """The end of one game's compilation: it is number `done` of so many."""

    game: str
    done: int
    of: int
    report: CompilationReport


# --- playing ----------------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def without_waiting(game: str, asked: float) -> Iterator[bool]:
    """Play this game in the block without waiting for the compiler; yield whether its code is compiled and loaded.

    That is decided once for the whole block: kernels take other arrays when they are compiled. `asked` is when the move
    was asked for, by `time.monotonic`, which is the same in all processes of a machine.
    """
    if game in _LOADED:
        yield True
        return
    with kernel.plain(asked + PLAIN_TIME):
        yield False


def load_in_background(games: Iterable[str]) -> Callable[[], None]:
    """Start a thread that loads each game's code once it is on disk; return a function that stops it."""
    stopping = threading.Event()
    loading = threading.Thread(target=_load, args=(list(games), stopping), name="loader", daemon=True)
    if compiled.available():
        loading.start()

    def stop() -> None:
        stopping.set()
        if loading.is_alive():
            loading.join()  # an interpreter that ends while a thread is in LLVM would abort

    return stop


def _load(games: list[str], stopping: threading.Event) -> None:
    waiting = [game for game in games if game not in _LOADED]
    while waiting and not stopping.is_set():
        for game in waiting:
            if not stopping.is_set() and _is_on_disk(game):
                _prepare(game)
                _LOADED.add(game)
        waiting = [game for game in waiting if game not in _LOADED]
        stopping.wait(LOOK_EVERY if waiting else 0)


# --- compiling --------------------------------------------------------------------------------------------------------


class Compiler:
    """Compiles games in the background, one at a time. `report` is called in its thread after each."""

    def __init__(
        self, games: Iterable[str], report: Callable[[CompilationProgress], None] = lambda progress: None
    ) -> None:
        self._waiting = list(games)
        self._now: str | None = None
        self._compiled: set[str] = set()
        self._report = report
        self._process: multiprocessing.process.BaseProcess | None = None
        self._stopped = False
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._run, name="compiler", daemon=True)

    def start(self) -> None:
        """Begin to compile, unless Numba is not installed or this was stopped before."""
        with self._lock:
            if not compiled.available():
                self._waiting.clear()
            if self._waiting and not self._stopped:
                self._thread.start()

    def prefer(self, game: str) -> None:
        """Compile this game next, because it is being played."""
        with self._lock:
            if game in self._waiting:
                self._waiting.remove(game)
                self._waiting.insert(0, game)

    def is_busy_with(self, game: str) -> bool:
        """Return whether this game's code is still to come."""
        with self._lock:
            return not self._stopped and (game == self._now or game in self._waiting)

    def has_compiled(self, game: str) -> bool:
        """Return whether this game's code is on disk now."""
        return game in self._compiled

    def stop(self) -> None:
        """Stop at once. What was compiled stays on disk."""
        with self._lock:
            self._stopped = True
            if self._process is not None:
                self._process.kill()
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        of = len(self._waiting)
        for done in range(1, of + 1):
            receiver, sender = multiprocessing.Pipe(duplex=False)
            with self._lock:
                if self._stopped:
                    return
                game = self._now = self._waiting.pop(0)
                spawn = multiprocessing.get_context("spawn")
                self._process = spawn.Process(target=_compile, args=(game, sender), daemon=True)
                self._process.start()
            sender.close()
            try:
                report: CompilationReport = receiver.recv()
            except EOFError:
                report = CompilationReport(error="the process was killed")
            self._process.join()
            if not report.error:
                self._compiled.add(game)
            with self._lock:
                self._now = None
                if self._stopped:
                    return
            self._report(CompilationProgress(game, done, of, report))


@contextlib.contextmanager
def compiling(games: Sequence[str]) -> Iterator[None]:
    """In this block, compile games in the background and load their code as soon as it is there."""
    compiler, stop_loading = Compiler(games), load_in_background(games)
    compiler.start()
    try:
        yield
    finally:
        compiler.stop()
        stop_loading()


def _compile(game: str, reports: Connection) -> None:
    """Compile a game, unless its code is on disk; send a report."""
    enter_background(NICENESS)
    _limit_memory()
    began = time.perf_counter()
    try:
        with _alone():
            if not _marker(game).exists():
                _prepare(game)
                _marker(game).touch()
        reports.send(CompilationReport(time.perf_counter() - began, _peak_megabytes()))
    except Exception as error:
        reports.send(CompilationReport(error=f"{type(error).__name__}: {error}"))


def _prepare(game: str) -> None:
    prepare(game_named(game), [LEVELS[level][game] for level in SEARCHING])


def _is_on_disk(game: str) -> bool:
    """Return whether all of a game's code is on disk, for this processor and this version of Numba.

    Numba takes seconds to import, so it is not asked unless there is code for some processor.
    """
    return any(compiled.folder().glob(f"{game}-*")) and _marker(game).exists()


def _marker(game: str) -> Path:
    """Return the file that says that all of a game's code is on disk."""
    return compiled.folder() / f"{game}-{compiled.target()}"


@contextlib.contextmanager
def _alone() -> Iterator[None]:
    """Wait until no other server of this version compiles. The lock is gone when its process ends, however it ends."""
    compiled.folder().mkdir(parents=True, exist_ok=True)
    with open(compiled.folder() / "lock", "w", encoding="ascii") as lock:
        if sys.platform != "win32":
            import fcntl

            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _limit_memory() -> None:
    """Bound what this process allocates, and let Linux end it rather than the server when memory is short."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # NumPy would allocate memory for every core
    if sys.platform != "win32":
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_DATA)
        resource.setrlimit(resource.RLIMIT_DATA, (MAX_MEMORY if most < 0 else min(MAX_MEMORY, most), most))
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000", "ascii")


def _peak_megabytes() -> int:
    """Return how much memory this process had at most; 0 where the system does not tell."""
    if sys.platform == "win32":
        return 0
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return int(peak // (1 << 20 if sys.platform == "darwin" else 1 << 10))


def enter_background(niceness: int) -> None:
    """Initialise a process: low priority, leave interrupts to the main process, end when that ends."""
    if sys.platform != "win32":
        os.nice(niceness)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_exit_with_parent, daemon=True).start()


def _exit_with_parent() -> None:
    if (parent := multiprocessing.parent_process()) is not None:
        parent.join()
        os._exit(0)
