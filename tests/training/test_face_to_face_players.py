"""Players of the training program, and the earlier network, as bots of the arena."""

import random
import subprocess
from pathlib import Path

import pytest

import gramy
from gramy import compiled
from gramy.arena.entrant import load_bot, parse_entrant
from gramy.bots import bot
from gramy.bots.face_to_face import network
from training.face_to_face import predecessor
from training.face_to_face.bots import NetworkBot
from training.provenance import ROOT

PLAYERS = ROOT / "training" / "face_to_face" / "players"
SEED = 5


def has_commit(name: str) -> bool:
    """Return whether the history of the repository is here, down to a commit."""
    return subprocess.run(["git", "cat-file", "-e", name], cwd=ROOT, check=False, capture_output=True).returncode == 0


@pytest.mark.parametrize("name", ["gives_early", "gives_for_cards", "counts", "network_file"])
def test_the_file_of_a_player_plays_legal_moves(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "available", lambda: False)  # plain functions need no compiler
    monkeypatch.setenv("NETWORK", str(network.FILE))
    player = load_bot("face-to-face", parse_entrant(str(PLAYERS / f"{name}.py")))
    match, rng = gramy.match("face-to-face", seed=SEED), random.Random(SEED)
    for _ in range(4):
        seat = match.to_act[0]
        move = player.choose(match.view(seat), match.history(seat), rng, 1.0)
        assert move in match.view(seat).moves
        match.play(move, seat)


def test_a_network_from_a_file_plays_like_hard_if_it_is_the_network_of_hard() -> None:
    match, rng, hard = gramy.match("face-to-face", seed=SEED), random.Random(SEED), bot("face-to-face", "hard")
    same = NetworkBot(str(network.FILE))
    while match.to_act:
        seat = match.to_act[0]
        view, history = match.view(seat), match.history(seat)
        move = hard.choose(view, history, rng, 1.0)
        assert same.choose(view, history, rng, 1.0) == move
        match.play(move, seat)


@pytest.mark.skipif(not has_commit(predecessor.COMMIT), reason="the history of the repository is not here")
def test_a_bot_of_an_old_commit_plays_by_the_code_of_that_commit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(predecessor, "FOLDER", tmp_path)
    match, rng = gramy.match("face-to-face", seed=SEED), random.Random(SEED)
    old = predecessor.EarlierBot("medium")  # this level has no network, so it needs no compiler
    for _ in range(6):
        seat = match.to_act[0]
        match.play(old.choose(match.view(seat), match.history(seat), rng, 1.0), seat)
    assert (tmp_path / predecessor.COMMIT[:12] / "gramy" / "bots" / "face_to_face" / "network.json").exists()
