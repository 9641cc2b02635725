"""Drive the server of one source tree by the load generator of the same tree, for `bench.compare`.

Trees may speak different versions of the protocol, so `bench.compare` runs this file with the tree's own packages:
`gramy` and `bench.server` are those of the tree. Each line of the input is a JSON object with fields of LoadPlan; the
answer is one line with the measurements.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from pathlib import Path

import gramy
from bench.server import gramy_server, pin_to_last_core
from gramy.loadtest.run import LoadPlan, load


def main() -> None:
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))  # the server inherits it
    pin_to_last_core()
    with gramy_server() as server:
        _wait_for_compiler(server.pid)
        for line in sys.stdin:
            plan = LoadPlan(gramy.game("face-to-face"), (server.address,), processes=(server.pid,), **json.loads(line))
            print(json.dumps(load(plan).summary()), flush=True)


def _wait_for_compiler(server: int) -> None:
    """Wait until the processes that a server has started are idle: they compile on the core of the server."""
    spent = -1
    while spent != (spent := sum(map(_ticks, _children(server)))):
        time.sleep(1.0)


def _children(process: int) -> list[int]:
    """Return the processes that a process has started, and those that they have started."""
    found = [int(pid) for path in Path(f"/proc/{process}/task").glob("*/children") for pid in path.read_text().split()]
    return found + [pid for child in found for pid in _children(child)]


def _ticks(process: int) -> int:
    """Return the processor time of a process in ticks of the system's clock; 0 if it has ended."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0
    return int(fields[11]) + int(fields[12])


if __name__ == "__main__":
    main()
