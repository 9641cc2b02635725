"""A player of a server's table is away: what the table says, and the keys by which the others decide."""

from __future__ import annotations

from gramy.terminal.boards.board import LITTLE_TIME, Action
from gramy.terminal.scene import Scene
from gramy.terminal.words import Words

CHOICES = {"b": ("bot", "bot_takes_over"), "w": ("wait", "wait_longer"), "x": ("end", "end_match")}
"""The choice of each key, and its label in the browser's catalogue."""


def absence_words(words: Words, scene: Scene, now: float) -> str:
    """Return who is away, and the votes so far; empty if nobody is."""
    absence = scene.absence
    if absence is None:
        return ""
    name = words.names[absence.seat]
    if not absence.can_decide:
        return words.web("away_soon", name=name, seconds=absence.countdown(now))
    about = "away_about"
    if len(absence.voters) > 1:
        about = "vote_again" if scene.seat in absence.votes else "vote_about"
    cast = list(absence.votes.values())
    tallies = [
        words.web("vote_tally", choice=words.web(label), number=cast.count(choice), voters=len(absence.voters))
        for choice, label in CHOICES.values()
        if choice in cast
    ]
    return f"{words.web('away_title', name=name)}. {words.web(about)} {' · '.join(tallies)}".rstrip()


def absence_actions(words: Words, scene: Scene) -> list[Action]:
    """Return the choices of a player who may decide now."""
    if scene.absence is None or not scene.absence.can_decide or scene.seat not in scene.absence.voters:
        return []
    mine = scene.absence.votes.get(scene.seat) if scene.seat is not None else None
    return [
        Action(key.upper(), key, f"✓ {words.web(label)}" if mine == choice else words.web(label))
        for key, (choice, label) in CHOICES.items()
    ]


def vote_of(scene: Scene, key: str) -> str | None:
    """Return the vote that a key casts; None when the same vote is pressed again, which withdraws it."""
    absence, (choice, _) = scene.absence, CHOICES[key]
    assert absence is not None
    mine = absence.votes.get(scene.seat) if scene.seat is not None else None
    return None if mine == choice and len(absence.voters) > 1 else choice


def clock_warning(words: Words, scene: Scene, now: float) -> str:
    """Return the warning that little time is left for this player; empty while there is no need."""
    seat, clock = scene.seat, scene.clock
    if clock is None or seat is None or seat not in clock.running or not scene.is_to_act:
        return ""
    seconds = clock.seconds(seat, now)
    return words.web("clock_warning", seconds=seconds) if 0 < seconds <= LITTLE_TIME else ""
