"""Executors for the deals: processes on this machine, or a Dask cluster."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from typing import Any

from gramy.errors import BadOptions
from gramy.messages import Message
from gramy.optional import library


@contextmanager
def workers(processes: int | None = None, cluster: str = "") -> Iterator[Executor]:
    """Open an executor with this many processes, by default one for each processor, or on a Dask cluster.

    A single process is this one: the work is done when its result is asked for. A cluster has an address such as
    `tcp://10.0.0.1:8786`. After an interrupt nothing waits for the work that has begun.
    """
    if cluster:
        with _cluster(cluster) as executor:
            yield executor
        return
    processes = processes or os.cpu_count() or 1
    if processes == 1:
        yield LazyExecutor()
        return
    context = multiprocessing.get_context("spawn")  # a forked process can inherit a lock that no thread of it releases
    pool = ProcessPoolExecutor(processes, context, initializer=_begin_worker)
    try:
        yield pool
    except KeyboardInterrupt:
        for process in list((pool._processes or {}).values()):  # shutdown would wait until the deals are finished
            process.kill()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _begin_worker() -> None:
    """Leave Ctrl-C to the main process, since a terminal sends it to all; and end when the main process has ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


class LazyExecutor(Executor):
    """Calls each function in the thread that asks for its result, when it asks. So Ctrl-C interrupts the function."""

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        return _LazyFuture(lambda: function(*args, **kwargs))


class _LazyFuture(Future[Any]):
    def __init__(self, call: Callable[[], Any]) -> None:
        super().__init__()
        self._call = call

    def result(self, timeout: float | None = None) -> Any:
        if not self.done():
            self.set_result(self._call())
        return super().result(timeout)


@contextmanager
def _cluster(address: str) -> Iterator[Executor]:
    distributed = library("distributed", "arena")
    try:
        client = distributed.Client(address, timeout="10s")
    except (OSError, ValueError) as error:
        raise BadOptions(Message("no_cluster", {"address": address, "why": str(error)}, "arena")) from None
    with client:
        yield client.get_executor()
