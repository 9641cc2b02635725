"""Drive the server of one source tree by the load generator of the same tree, for `bench.compare`.

Trees may speak different versions of the protocol, so `bench.compare` runs this file with the tree's own packages:
`gramy` and `bench.server` are those of the tree. Each line of the input is a JSON object with fields of LoadPlan; the
answer is one line with the measurements.
"""

from __future__ import annotations

import json
import resource
import sys

import gramy
from bench.server import gramy_server, pin_to_last_core
from gramy.loadtest.run import LoadPlan, load


def main() -> None:
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))  # the server inherits it
    pin_to_last_core()
    with gramy_server() as server:
        for line in sys.stdin:
            plan = LoadPlan(gramy.game("face-to-face"), (server.address,), processes=(server.pid,), **json.loads(line))
            print(json.dumps(load(plan).summary()), flush=True)


if __name__ == "__main__":
    main()
