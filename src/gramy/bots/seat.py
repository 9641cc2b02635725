"""The seat that a bot plays for."""

from gramy.contract import View


def seat_of(view: View) -> int:
    """The seat of a player's view; spectators have none and are never asked for a move."""
    assert view.seat is not None
    return view.seat
