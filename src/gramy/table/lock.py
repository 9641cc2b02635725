"""Lock: lets one task at a time change a table, in the order in which they asked.

asyncio's own lock has a deque of 0.8 kB from the first time that a task had to wait, for as long as the table lives.
"""

from __future__ import annotations

import asyncio


class Lock:
    """Locked inside an `async with` block. A task that leaves passes it on to the one that has waited longest."""

    __slots__ = ("_turns", "locked")

    def __init__(self) -> None:
        self.locked = False
        self._turns: list[asyncio.Future[None]] = []  # of the tasks that wait

    async def __aenter__(self) -> None:
        if not self.locked:
            self.locked = True
            return
        turn = asyncio.get_running_loop().create_future()
        self._turns.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():  # its turn had come when the task was cancelled
                self._pass_on()
            raise

    async def __aexit__(self, *error: object) -> None:
        self._pass_on()

    def _pass_on(self) -> None:
        while self._turns:
            turn = self._turns.pop(0)
            if not turn.done():  # otherwise its task was cancelled
                turn.set_result(None)
                return
        self.locked = False
