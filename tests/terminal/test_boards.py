"""The boards on the screen, each from a position that shows a special case."""

import gramy
from gramy.drawing import DRAWINGS
from gramy.drawing.pen import Pen
from gramy.games.gra.view import Shown
from gramy.messages import Event
from gramy.terminal.canvas import Canvas


def drawn(name, position, seat, *moves, language="en", names=("Ada", "Bo", "Cy"), **options):
    """Return the board of a position after some moves, for a seat."""
    game = gramy.game(name, **options)
    match = gramy.Match(game, position=game.parse_position(position))
    for move in moves:
        match.play(move)
    pen = Pen(names[: game.players], language=language)
    return DRAWINGS[name].draw(match.view(seat), match.history(seat), pen)


def lines(words):
    """Return a picture of this file without its margin of eight columns."""
    return "\n".join(line[8:] for line in words.strip("\n").split("\n")).rstrip()


def test_what_is_not_printable_does_not_reach_the_terminal():
    canvas = Canvas(20, 1)
    assert canvas.put(0, 0, "a\x1b[31m\x9bb\nc\N{ZERO WIDTH JOINER}d") == 11
    assert canvas.text() == "a\ufffd[31m\ufffdb\ufffdcd"


def test_two_halves_face_each_other():
    game = gramy.game("face-to-face")
    match = gramy.Match(game, names=("Ada", "Bo"))
    for deal in ("deal first 0", "deal 5 9 30 33 47 50", "deal 6 7 8 10 11 12"):
        match.play(deal, gramy.DEALER)
    for move in ("up 30", "down 50"):
        match.play(move)
    board = DRAWINGS["face-to-face"].draw(match.view(0), match.history(0), Pen(("Ada", "Bo")))
    assert board == lines("""
          The Game: Face to Face                                             Turn: Ada
        ────────────────────────────────────────────────────────────────────────────────
          △ help-up     ▽ help-down
          ╭────────╮    ╭────────╮      Bo
          │   1    │    │   60   │      6 cards in hand
          ╰────────╯    ╰────────╯      52 cards in the draw pile
          ╭────────╮    ╭────────╮    ▸ Ada
          │   30   │    │   50   │      4 cards in hand
          ╰────────╯    ╰────────╯      52 cards in the draw pile
          ▲ up          ▼ down

          ╭──────╮ ╭──────╮ ╭──────╮ ╭──────╮
          │  5   │ │  9   │ │  33  │ │  47  │
          ╰──────╯ ╰──────╯ ╰──────╯ ╰──────╯
            ▼        ▼        ▲▼       ▲▼
          Laid in this turn: up 30, down 50
          “end” ends your turn and draws 2 cards.
    """)


def test_a_spectator_sees_no_hand():
    match = gramy.match("face-to-face", seed=1)
    board = DRAWINGS["face-to-face"].draw(match.view(None), match.history(None), Pen(("Ada", "Bo")))
    assert board.count("╭") == 4


def test_the_piles_say_what_fits():
    position = "seat=0 laid=1 draw=0 up=G8 down=- hands=R3;S10,Y1;B2,B3 deck=R1,R2"
    assert drawn("quick-easy", position, 0, players=3) == lines("""
          The Game: Quick & Easy                                             Turn: Ada
        ────────────────────────────────────────────────────────────────────────────────
          ▲ up                  ▼ down
          ╭───────────╮         ╭───────────╮
          │    G8     │         │           │      2 cards in the draw pile
          │   green   │         │           │      ▮
          ╰───────────╯         ╰───────────╯
          above 8 or green      any card

          ▸ Ada   ▮
            Bo    ▮▮
            Cy    ▮▮

          ╭───────────╮
          │    R3     │
          │    red    │
          ╰───────────╯
              ▼
          “end” ends your turn and draws 1 card.
    """)


BIDDING = (
    "phase=bidding turn=2 way=left bid=2x4 by=1 opened=4 sizes=2,1,3 active=0,1,2 tie=0 "
    "hands=14,25;36;12,34,56 picks=4,2;3;1,4,6 ready=0,1,2"
)


def test_the_cards_of_the_hand_show_both_faces_and_mark_the_chosen_one():
    board = drawn("gra", BIDDING, 2, "bid 3x4", "bid 1x5", "bid 2x5", players=3, jokers=True)
    assert board == lines("""
          GRA                                                                 Turn: Cy
        ────────────────────────────────────────────────────────────────────────────────
            Ada   ▮▮
            Bo    ▮
          ▸ Cy    ▮▮▮

          Cards in play: 6 · ones count as anything
          Bids: Cy 3×4 → Ada 1×5 → Bo 2×5
          To beat or to check: 2×5 by Bo

          ╭───────╮  ╭───────╮  ╭───────╮
          │ ▸ 1 ◂ │  │   3   │  │   5   │
          │  ╌╌╌  │  │  ╌╌╌  │  │  ╌╌╌  │
          │   2   │  │ ▸ 4 ◂ │  │ ▸ 6 ◂ │
          ╰───────╯  ╰───────╯  ╰───────╯
          Bid higher (a higher value, or more of the same), or “check”.
    """)


def test_faces_are_not_shown_to_the_others():
    assert "◂" not in drawn("gra", BIDDING, None, players=3)
    assert drawn("gra", BIDDING, 1, players=3).count("◂") == 1


def test_a_long_round_shows_its_latest_bids():
    bids = [f"bid {number}x{value}" for value in (4, 5, 6) for number in (3, 4, 5, 6)]
    board = drawn("gra", BIDDING, 0, *bids, players=3)
    assert "Bids: … → " in board
    assert board.count("→") == 8


def test_after_the_highest_bid_only_a_check_is_left():
    assert "Nothing is higher: type “check”." in drawn("gra", BIDDING, 0, "bid 6x6", players=3)


def test_a_reveal_turns_over_every_hand_and_marks_what_counts():
    hands = [Shown(("14", "25"), (4, 2)), Shown((), ()), Shown(("12", "34", "56"), (1, 4, 6))]
    values = {"number": 3, "value": 4, "hands": hands, "count": 3, "holds": True}
    revealed = DRAWINGS["gra"].describe(Event("revealed", values, "gra"), Pen(("Ada", "Bo", "Cyryl")))
    assert revealed == [
        "",
        "      Ada     [4]  2",
        "      Cyryl   [1] [4]  6",
        "",
        "  Matching cards: 3. The bid of 3×4 holds.",
    ]
    plain = DRAWINGS["gra"].describe(
        Event("revealed", {**values, "count": 2, "holds": False}, "gra"), Pen(("A", "B", "C"))
    )
    assert "[1]" not in "".join(plain)


def test_the_winner_is_marked_when_it_is_over():
    match = gramy.match("gra", seed=2, names=("Ada", "Bo"))
    while match.to_act:
        match.play(match.moves(match.to_act[0])[-1], match.to_act[0])
    board = DRAWINGS["gra"].draw(match.view(None), match.history(None), Pen(("Ada", "Bo")))
    (winner,) = match.outcome.winners
    assert f"★ {('Ada', 'Bo')[winner]}" in board
    assert "The match is over" in board
