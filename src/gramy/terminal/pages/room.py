"""The waiting room of a table on a server."""

from __future__ import annotations

from gramy.terminal.boards.board import Action
from gramy.terminal.canvas import Area, Canvas
from gramy.terminal.scene import Scene
from gramy.terminal.words import Words


def draw_room(canvas: Canvas, words: Words, scene: Scene, level: str) -> None:
    """Draw who is at the table, the link that invites others, and the level of the bots that the opener can add."""
    y = max(1, canvas.height // 2 - 6)
    room = scene.room
    title = words.web("waiting_title" if room and room.free else "dealing_title")
    canvas.centre(0, y, canvas.width, title, "bold")
    for seat, name in enumerate(scene.names):
        canvas.centre(0, y + 2 + seat, canvas.width, name, "accent" if seat == scene.seat else "")
    y += 3 + len(scene.names)
    if room is not None and room.free:
        canvas.centre(0, y, canvas.width, words.words("free_seats", number=room.free), "dim")
        canvas.centre(0, y + 2, canvas.width, words.web("invite"), "dim")
        canvas.paragraph(Area(2, y + 3, canvas.width - 4, 3), room.link, "accent", centred=True)
        if room.opener:
            canvas.centre(0, y + 7, canvas.width, f"{words.web('level_label')}: {words.web('level', level=level)}", "")


def room_actions(words: Words, scene: Scene) -> list[Action]:
    """Return what can be done in the waiting room."""
    if scene.room is None or not scene.room.opener or not scene.room.free:
        return []
    return [Action("B", "b", words.words("start_with_bots")), Action("← →", "right", words.web("level_label"))]
