"""The boards of all games for the application."""

from __future__ import annotations

from gramy import games
from gramy.terminal.boards.board import GameBoard
from gramy.terminal.boards.face_to_face import FaceToFaceBoard
from gramy.terminal.boards.gra import GraBoard
from gramy.terminal.boards.quick_easy import QuickEasyBoard
from gramy.terminal.scene import Scene

BOARDS: dict[str, type[GameBoard]] = {
    games.face_to_face.NAME: FaceToFaceBoard,
    games.quick_easy.NAME: QuickEasyBoard,
    games.gra.NAME: GraBoard,
}


def board_for(scene: Scene, language: str) -> GameBoard:
    """Return the board of a scene's game, showing the scene."""
    return BOARDS[scene.game](scene, language)
