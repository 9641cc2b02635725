"""Sets of cards as bits and menus as rows of bits, checked against ordinary Python sets."""

from hypothesis import given
from hypothesis import strategies as st

from gramy import cards

sets = st.sets(st.integers(0, 62))
some = st.sets(st.integers(0, 62), min_size=1)
rows = st.lists(sets, min_size=1, max_size=14)


def bits(members: set[int]) -> int:
    return sum(1 << member for member in members)


@given(sets)
def test_a_set_has_its_cards(members: set[int]) -> None:
    assert cards.count(bits(members)) == len(members)
    assert cards.positions(bits(members)) == tuple(sorted(members))
    assert cards.from_positions(sorted(members)) == bits(members)


@given(some)
def test_lowest_highest_and_every_card_between(members: set[int]) -> None:
    assert cards.lowest(bits(members)) == min(members)
    assert cards.highest(bits(members)) == max(members)
    assert [cards.select(bits(members), k) for k in range(len(members))] == sorted(members)
    assert [cards.nth(bits(members), k) for k in range(len(members))] == [1 << card for card in sorted(members)]


@given(sets, st.integers(0, 62))
def test_leaves_one_are_the_cards_whose_removal_leaves_another(members: set[int], card: int) -> None:
    assert cards.leaves_one(bits(members)) >> card & 1 == bool(members - {card})


@given(rows)
def test_a_menu_lists_and_picks_its_moves_in_order(menu: list[set[int]]) -> None:
    packed = tuple(map(bits, menu))
    expected = [cards.code_of(row, bit) for row, members in enumerate(menu) for bit in sorted(members)]
    assert cards.codes(packed) == expected
    assert cards.count_moves(packed) == len(expected)
    assert [cards.pick(packed, k) for k in range(len(expected))] == expected
    assert [code for code in range(cards.ROW * len(menu)) if cards.contains(packed, code)] == expected


@given(st.integers(0, 13), st.integers(0, 63))
def test_a_code_has_a_row_and_a_bit(row: int, bit: int) -> None:
    code = cards.code_of(row, bit)
    assert (cards.row_of(code), cards.bit_of(code)) == (row, bit)
    assert code == row * cards.ROW + bit


def test_no_menu_contains_a_negative_code() -> None:
    assert not cards.contains((-1, -1), -1)


@given(st.lists(st.integers(), max_size=6), st.integers(0, 5), st.integers())
def test_a_number_for_each_seat_is_filled_up_and_one_is_replaced(numbers: list[int], seat: int, value: int) -> None:
    values = cards.per_seat(numbers)
    assert values == (*numbers, *[0] * (6 - len(numbers)))
    after = cards.replace_at(values, seat, value)
    assert after[seat] == value
    assert after[:seat] + after[seat + 1 :] == values[:seat] + values[seat + 1 :]


def test_a_hash_depends_on_every_number_at_every_depth() -> None:
    numbers = (1, (2, (3, 4)), -5, 1 << 62)
    mark = cards.fold_hash(7, numbers)
    assert 0 <= mark < 1 << 63
    others = [
        cards.fold_hash(8, numbers),
        cards.fold_hash(7, (1, (2, (4, 3)), -5, 1 << 62)),
        cards.fold_hash(7, (1, (2, (3, 4)), -6, 1 << 62)),
        cards.fold_hash(7, (1, (2, (3, 4)), -5, 1 << 61)),
    ]
    assert len({mark, *others}) == 5
    assert mark == cards.fold_hash(7, (1, 2, 3, 4, -5, 1 << 62)), "nesting does not change the hash"


@given(sets, st.integers(0, (1 << 62) - 1))
def test_deposit_chooses_cards_by_their_order_in_the_set(members: set[int], chosen: int) -> None:
    expected = {card for at, card in enumerate(sorted(members)) if chosen >> at & 1}
    assert cards.deposit(chosen, bits(members)) == bits(expected)


@given(st.tuples(*[st.integers(-9, 9)] * 6), st.integers(-1, 5))
def test_the_number_of_a_seat_is_at_its_index(numbers: cards.PerSeat, seat: int) -> None:
    assert cards.number_at(numbers, seat) == numbers[seat]
