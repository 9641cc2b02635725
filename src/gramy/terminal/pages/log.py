"""The log of a match beside the board, newest line at the bottom."""

from __future__ import annotations

from collections.abc import Sequence

from gramy.terminal.boards.board import GameBoard
from gramy.terminal.canvas import Area, Canvas, wrap
from gramy.terminal.scene import LogRow


def draw_log(
    canvas: Canvas, board: GameBoard, back: int, rows: Sequence[LogRow] | None = None, current: int | None = None
) -> int:
    """Write the sentences of a log, scrolled back by some lines; return by how many it can be.

    A replay passes all rows and the number of those played so far: the last of them is marked and in the middle.
    """
    lines: list[tuple[str, int]] = []
    for number, row in enumerate(board.scene.log if rows is None else rows):
        for sentence in board.log_lines(row):
            parts = wrap(sentence, canvas.width - 2)
            lines += [((f"· {part}" if at == 0 else f"  {part}"), number) for at, part in enumerate(parts)]
    most = max(0, len(lines) - canvas.height)
    if current is not None:
        back = sum(number >= current for _, number in lines) - canvas.height // 2
    end = len(lines) - max(0, min(back, most))
    latest = max((number for _, number in lines if current is None or number < current), default=-1)
    for at, (words, number) in enumerate(lines[max(0, end - canvas.height) : end]):
        later = current is not None and number >= current
        canvas.put(0, at, words, "bold" if number == latest else "faint" if later else "dim")
        canvas.region(f"line:{number}", Area(0, at, canvas.width, 1))
    if not lines:
        canvas.paragraph(Area(0, 0, canvas.width, 3), board.words.web("log_empty"), "dim")
    return most
