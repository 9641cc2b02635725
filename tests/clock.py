"""A clock for tests."""


class Time:
    """A clock that a test sets; it starts at a fixed time."""

    def __init__(self) -> None:
        self.seconds = 1_800_000_000.0

    def __call__(self) -> float:
        return self.seconds

    def pass_by(self, seconds: float) -> None:
        """Advance the clock."""
        self.seconds += seconds
