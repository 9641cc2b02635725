"""All targets of fuzzing by name, and valid inputs for each."""

from __future__ import annotations

from functools import cache

from tests.fuzz import server_targets, targets
from tests.fuzz.targets import Target

SERVER_TARGETS: dict[str, Target] = {
    one.__name__: one
    for one in (
        server_targets.http,
        server_targets.sockets,
        server_targets.handshakes,
        server_targets.admin,
        server_targets.hosts,
        server_targets.notes,
        server_targets.rows,
        server_targets.options,
        server_targets.arguments,
        server_targets.verify,
    )
}
TARGETS: dict[str, Target] = {**targets.TARGETS, **SERVER_TARGETS}


@cache
def corpus() -> dict[str, list[bytes]]:
    """Return valid inputs of each target, for a fuzzer to change."""
    found = targets.corpus()
    return {**found, **server_targets.server_corpus(found)}
