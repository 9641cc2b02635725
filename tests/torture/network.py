"""Network namespaces: every node has its own, so that its links to PostgreSQL, Redis and the clients can be cut.

The run itself is in a namespace too (`enter_namespaces`), so nothing of it touches the machine's network.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

CLIENTS, STORE, BUS = 1, 2, 3
"""The last numbers of the addresses that the clients, PostgreSQL and Redis have in the network of a node."""
NODE = 9
HOLE = "100"
"""The routing table that leads into a link whose other end takes nothing: packets vanish without an error."""
BOTH_WAYS, TO_NODE, FROM_NODE = "both ways", "to the node", "from the node"
INSIDE = "GRAMY_TORTURE_INSIDE"
MEGABYTES = 64
PATIENCE = 60.0
TOOLS = ("ip", "unshare", "nsenter", "mount")


def enter_namespaces() -> None:
    """Run this command again in a network and with mounts of its own, which end with it; return inside."""
    if os.environ.get(INSIDE):
        ip("link", "set", "lo", "up")
        return
    command = ["unshare", "--net", "--mount", "--propagation", "private", "--", sys.executable, "-m", "tests.torture"]
    os.execvpe(command[0], [*command, *sys.argv[1:]], {**os.environ, INSIDE: "1"})


def ip(*words: str, process: int = 0) -> None:
    """Run `ip`, in the network namespace of a process if one is given."""
    inside = ["nsenter", "--target", str(process), "--net"] if process else []
    subprocess.run([*inside, "ip", *words], check=True, capture_output=True)


class Network:
    """The network between one node and the rest of the run."""

    def __init__(self, number: int, process: int) -> None:
        self.number, self.process = number, process
        until = time.monotonic() + PATIENCE
        while os.readlink(f"/proc/{process}/ns/net") == os.readlink("/proc/self/ns/net"):  # it is still starting
            assert time.monotonic() < until, "the node's process has no network of its own"
            time.sleep(0.01)
        outer, inner = f"outer{number}", f"inner{number}"
        ip("link", "add", outer, "type", "veth", "peer", "name", inner, "netns", str(process))
        for last in (CLIENTS, STORE, BUS):
            ip("addr", "add", f"{self.address(last)}/24", "dev", outer)
        ip("link", "set", outer, "up")
        for link in ("lo", inner):
            ip("link", "set", link, "up", process=process)
        ip("addr", "add", f"{self.address(NODE)}/24", "dev", inner, process=process)
        self._dig_hole([NODE], 0)
        self._dig_hole([CLIENTS, STORE, BUS], process)

    def address(self, last: int) -> str:
        return f"10.213.{self.number}.{last}"

    def _dig_hole(self, unreachable: list[int], process: int) -> None:
        hole, end = f"hole{self.number}", f"end{self.number}"
        ip("link", "add", hole, "type", "veth", "peer", "name", end, process=process)
        for link in (hole, end):
            ip("link", "set", link, "up", process=process)
        for last in unreachable:  # a neighbour that does not exist
            words = ("lladdr", "02:00:00:00:00:01", "dev", hole, "nud", "permanent")
            ip("neigh", "add", self.address(last), *words, process=process)
            ip("route", "add", f"{self.address(last)}/32", "dev", hole, "table", HOLE, process=process)

    def cut(self, *others: int, ways: str = BOTH_WAYS) -> None:
        """Drop all packets between the node and others, without an error on either side."""
        self._rules("add", others, ways)

    def heal(self, *others: int, ways: str = BOTH_WAYS) -> None:
        self._rules("del", others, ways)

    def _rules(self, verb: str, others: tuple[int, ...], ways: str) -> None:
        for other in others:
            route = ("to", self.address(NODE), "lookup", HOLE, "priority", "50")
            if ways != FROM_NODE:
                ip("rule", verb, "from", self.address(other), *route)
            if ways != TO_NODE:
                route = ("lookup", HOLE, "priority", "50")
                ip("rule", verb, "to", self.address(other), *route, process=self.process)


class Disk:
    """A small disk of its own: an ext4 image, or a tmpfs where there are no loop devices. It can be full, or hang."""

    def __init__(self, folder: Path) -> None:
        self.image, self.path = folder / "disk.img", folder / "disk"
        self.can_hang = True

    def __enter__(self) -> Disk:
        self.path.mkdir()
        with self.image.open("wb") as image:
            image.truncate(MEGABYTES << 20)
        try:
            subprocess.run(["mkfs.ext4", "-q", "-m", "0", str(self.image)], check=True, capture_output=True)
            subprocess.run(["mount", "-o", "loop", str(self.image), str(self.path)], check=True, capture_output=True)
        except (OSError, subprocess.CalledProcessError):
            self.can_hang = False
            command = ["mount", "-t", "tmpfs", "-o", f"size={MEGABYTES}m", "none", str(self.path)]
            subprocess.run(command, check=True, capture_output=True)
        return self

    def __exit__(self, *_: object) -> None:
        subprocess.run(["umount", "--lazy", str(self.path)], check=True)

    def fill(self) -> None:
        try:
            with (self.path / "filler").open("wb", buffering=0) as file:
                for size in (1 << 20, 1 << 12, 1):
                    self._write_until_full(file, bytes(size))
        except OSError:
            pass  # even the name did not fit

    def _write_until_full(self, file: object, block: bytes) -> None:
        try:
            while True:
                file.write(block)  # type: ignore[attr-defined]  # a raw file
        except OSError:
            return

    def empty(self) -> None:
        (self.path / "filler").unlink(missing_ok=True)

    def hang(self, seconds: float) -> None:
        """Let all writes hang for some seconds. One process does both, because this one may touch the disk too."""
        script = 'fsfreeze --freeze "$0"; sleep "$1"; fsfreeze --unfreeze "$0"'
        subprocess.run(["sh", "-c", script, str(self.path), str(seconds)], check=True)
