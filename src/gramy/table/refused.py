"""What a table says to wishes that it cannot grant."""

from gramy.contract import GramyError


class Refused(GramyError):
    """What somebody wants of a table cannot be granted now; moves are refused by the game itself."""
