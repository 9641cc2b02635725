"""Executors for the deals: processes on this machine, or a Dask cluster."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager

from gramy.errors import BadOptions
from gramy.messages import Message
from gramy.optional import library


@contextmanager
def workers(processes: int | None = None, cluster: str = "") -> Iterator[Executor]:
    """Open an executor with this many processes, by default one for each processor, or on a Dask cluster.

    A single process is this one: the work is done in a thread. A cluster has an address such as `tcp://10.0.0.1:8786`.
    """
    if cluster:
        with _cluster(cluster) as executor:
            yield executor
        return
    processes = processes or os.cpu_count() or 1
    if processes == 1:
        pool: Executor = ThreadPoolExecutor(1)
    else:  # spawn, because a forked process can inherit a lock that no thread of it releases
        pool = ProcessPoolExecutor(processes, multiprocessing.get_context("spawn"))
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)


@contextmanager
def _cluster(address: str) -> Iterator[Executor]:
    distributed = library("distributed", "arena")
    try:
        client = distributed.Client(address, timeout="10s")
    except (OSError, ValueError) as error:
        raise BadOptions(Message("no_cluster", {"address": address, "why": str(error)}, "arena")) from None
    with client:
        yield client.get_executor()
