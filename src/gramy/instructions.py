"""The smallest functions of `gramy.cards` as machine instructions, for compiled functions.

Numba has no function that counts or deposits bits, so these are written for LLVM. They contain no rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import accumulate
from types import FunctionType
from typing import Any

import numba
from llvmlite import binding, ir
from numba import types
from numba.extending import intrinsic

from gramy import cards

word, exact = ir.IntType(64), ir.Constant(ir.IntType(1), 0)
integer = types.int64
GROUP = 6
"""The number of rows of a menu that are searched together (`row_with`)."""


def number(value: int) -> Any:
    return ir.Constant(word, value)


@intrinsic
def ones(context: Any, bits: Any) -> Any:
    return integer(integer), lambda _, builder, __, args: builder.ctpop(args[0])


@intrinsic
def trailing(context: Any, bits: Any) -> Any:
    return integer(integer), lambda _, builder, __, args: builder.cttz(args[0], exact)


@intrinsic
def leading(context: Any, bits: Any) -> Any:
    return integer(integer), lambda _, builder, __, args: builder.ctlz(args[0], exact)


@intrinsic
def deposit(context: Any, bits: Any, mask: Any) -> Any:
    def write(_: Any, builder: Any, __: Any, args: Any) -> Any:
        kind = ir.FunctionType(word, [word, word])
        return builder.call(builder.module.declare_intrinsic("llvm.x86.bmi.pdep.64", (), kind), args)

    return integer(integer, integer), write


@intrinsic
def where(context: Any, test: Any, this: Any, that: Any) -> Any:
    return integer(types.boolean, integer, integer), lambda _, builder, __, args: builder.select(*args)


@intrinsic
def ones_in_all(context: Any, rows: Any) -> Any:
    def write(_: Any, builder: Any, signature: Any, args: Any) -> Any:
        found = number(0)
        for group in _groups(builder, args[0], signature.args[0]):
            found = builder.add(found, _ones(builder, group)[-1])
        return found

    return integer(rows), write


@intrinsic
def row_with(context: Any, rows: Any, k: Any) -> Any:
    """Return the row that has the k-th bit, its index, and the number of the bit in this row.

    A jump finds the group of rows. Most phases of a game use few groups, so that processors predict it; nobody predicts
    the row, which is found without a jump.
    """

    def write(frame: Any, builder: Any, signature: Any, args: Any) -> Any:
        *others, last = _groups(builder, args[0], signature.args[0])
        end, found, first, left = builder.append_basic_block("found"), [], 0, args[1]
        for group in others:
            here, following = builder.append_basic_block("here"), builder.append_basic_block("following")
            bits = _ones(builder, group)[-1]
            builder.cbranch(builder.icmp_signed("<", left, bits), here, following)
            builder.position_at_end(here)
            found.append((_row_of_group(builder, group, first, left), here))
            builder.branch(end)
            builder.position_at_end(following)
            left, first = builder.sub(left, bits), first + len(group)
        found.append((_row_of_group(builder, last, first, left), builder.block))
        builder.branch(end)
        builder.position_at_end(end)
        parts = [builder.phi(word) for _ in range(3)]
        for values, block in found:
            for part, value in zip(parts, values, strict=True):
                part.add_incoming(value, block)
        return frame.make_tuple(builder, signature.return_type, parts)

    return types.UniTuple(integer, 3)(rows, integer), write


def _groups(builder: Any, rows: Any, kind: Any) -> list[list[Any]]:
    """Return the rows in groups of GROUP."""
    every = list(_numbers(builder, rows, kind))
    return [every[first : first + GROUP] for first in range(0, len(every), GROUP)]


def _ones(builder: Any, group: list[Any]) -> list[Any]:
    """Return for each row of a group how many bits it and those before it have."""
    return list(accumulate((builder.ctpop(row) for row in group), builder.add))


def _row_of_group(builder: Any, group: list[Any], first: int, k: Any) -> tuple[Any, Any, Any]:
    """Return what `row_with` does, of a group that has the k-th bit and whose first row has this index.

    The index is a sum: of an index that is selected, LLVM makes jumps where rules ask for it.
    """
    row, at, before = group[0], number(first), number(0)
    for other, upto in zip(group[1:], _ones(builder, group), strict=False):
        beyond = builder.icmp_signed(">=", k, upto)
        at = builder.add(at, builder.zext(beyond, word))
        before = builder.select(beyond, upto, before)
        row = builder.select(beyond, other, row)
    return row, at, builder.sub(k, before)


@intrinsic
def code_of(context: Any, row: Any, bit: Any) -> Any:
    """Like `cards.code_of`; tells LLVM that both fit, so that it takes codes apart for nothing."""

    def write(_: Any, builder: Any, __: Any, args: Any) -> Any:
        return builder.or_(builder.shl(args[0], number(6), flags=("nuw", "nsw")), builder.and_(args[1], number(63)))

    return integer(integer, integer), write


@intrinsic
def number_at(context: Any, numbers: Any, index: Any) -> Any:
    """Return the number at an index; an index that is too small or too large gives the last one."""

    def write(_: Any, builder: Any, signature: Any, args: Any) -> Any:
        *others, found = _numbers(builder, args[0], signature.args[0])
        for at, other in enumerate(others):
            found = builder.select(builder.icmp_signed("==", args[1], number(at)), other, found)
        return found

    return integer(numbers, integer), write


@intrinsic
def replace_at(context: Any, numbers: Any, index: Any, value: Any) -> Any:
    """Return the numbers with another one at an index."""

    def write(frame: Any, builder: Any, signature: Any, args: Any) -> Any:
        old = enumerate(_numbers(builder, args[0], signature.args[0]))
        new = [builder.select(builder.icmp_signed("==", args[1], number(at)), args[2], each) for at, each in old]
        return frame.make_tuple(builder, signature.return_type, new)

    return numbers(numbers, integer, integer), write


def spreader(lanes: int) -> Any:
    """Return a function that writes the lowest bits of a word to an array, a number each, in one store."""

    @intrinsic
    def spread_lanes(context: Any, bits: Any, out: Any, at: Any) -> Any:
        def write(frame: Any, builder: Any, signature: Any, args: Any) -> Any:
            array, kind = frame.make_array(out)(frame, builder, args[1]), frame.get_data_type(out.dtype)
            some = args[0] if lanes == cards.ROW else builder.trunc(args[0], ir.IntType(lanes))
            flags = builder.bitcast(some, ir.VectorType(ir.IntType(1), lanes))
            numbers = builder.zext(flags, ir.VectorType(kind, lanes))
            place = builder.bitcast(builder.gep(array.data, [args[2]]), numbers.type.as_pointer())
            builder.store(numbers, place, align=frame.get_abi_sizeof(kind))
            return args[2]

        return integer(integer, out, integer), write

    return spread_lanes


spread_2, spread_4, spread_8, spread_16, spread_32, spread_64 = (spreader(lanes) for lanes in (2, 4, 8, 16, 32, 64))


@intrinsic
def write_eight(context: Any, bytes_: Any, out: Any, at: Any) -> Any:
    def write(frame: Any, builder: Any, signature: Any, args: Any) -> Any:
        array, kind = frame.make_array(out)(frame, builder, args[1]), frame.get_data_type(out.dtype)
        numbers = builder.bitcast(args[0], ir.VectorType(ir.IntType(8), 8))
        if kind.width > 8:
            numbers = builder.zext(numbers, ir.VectorType(kind, 8))
        place = builder.bitcast(builder.gep(array.data, [args[2]]), numbers.type.as_pointer())
        builder.store(numbers, place, align=frame.get_abi_sizeof(kind))
        return args[2]

    return integer(integer, out, integer), write


@intrinsic
def item(context: Any, array: Any, index: Any) -> Any:
    def read(frame: Any, builder: Any, signature: Any, args: Any) -> Any:
        found = builder.load(builder.gep(frame.make_array(array)(frame, builder, args[0]).data, [args[1]]))
        return found if found.type.width == word.width else builder.sext(found, word)

    return integer(array, integer), read


@intrinsic
def write_all(context: Any, numbers: Any, out: Any, at: Any) -> Any:
    def write(frame: Any, builder: Any, signature: Any, args: Any) -> Any:
        array, kind = frame.make_array(out)(frame, builder, args[1]), frame.get_data_type(out.dtype)
        place = builder.gep(array.data, [args[2]])
        for index, value in enumerate(_numbers(builder, args[0], signature.args[0])):
            short = builder.trunc(value, kind) if kind.width < 64 else value
            builder.store(short, builder.gep(place, [number(index)]))
        return builder.add(args[2], number(len(numbers)))

    return integer(types.UniTuple(integer, len(numbers)), out, integer), write


@intrinsic
def fold_hash(context: Any, mark: Any, numbers: Any) -> Any:
    def write(_: Any, builder: Any, signature: Any, args: Any) -> Any:
        value = args[0]
        for part in _numbers(builder, args[1], signature.args[1]):
            low, high = builder.and_(part, number(0xFFFFFFFF)), builder.ashr(part, number(32))
            value = builder.xor(builder.xor(value, low), high)
            value = builder.and_(builder.mul(value, number(0x9E3779B1)), number(0x7FFFFFFFFFFFFFFF))
            value = builder.xor(value, builder.lshr(value, number(29)))
        return value

    return integer(integer, numbers), write


def inline(function: Callable[..., Any]) -> Any:
    return numba.njit(nogil=True, forceinline=True)(function)


@cache
def machine_instructions() -> dict[Callable[..., Any], Any]:
    """Return replacements for functions of `gramy.cards`: one machine instruction each, or a few without a jump."""
    count = inline(lambda bits: ones(bits))
    if binding.get_host_cpu_features().get("bmi2", False):  # x86: the fastest way to the k-th card
        select = inline(lambda bits, k: trailing(deposit(1 << k, bits)))
        nth = inline(lambda bits, k: deposit(1 << k, bits))
        chosen = inline(lambda bits, mask: deposit(bits, mask))
    else:
        select = inline(FunctionType(cards.select.__code__, {"count": count}, "select"))
        nth = inline(FunctionType(cards.nth.__code__, {"select": select}, "nth"))
        chosen = inline(cards.deposit)

    def pick(rows: Any, k: Any) -> Any:
        row, at, rest = row_with(rows, k)
        return code_of(at, select(row, rest))

    def spread(bits: Any, size: Any, out: Any, at: Any) -> Any:
        """Two stores that overlap write any size exactly; where the size is a constant, no test is left."""
        if size == 64:
            spread_64(bits, out, at)
        elif size >= 32:
            spread_32(bits, out, at)
            spread_32(bits >> size - 32, out, at + size - 32)
        elif size >= 16:
            spread_16(bits, out, at)
            spread_16(bits >> size - 16, out, at + size - 16)
        elif size >= 8:
            spread_8(bits, out, at)
            spread_8(bits >> size - 8, out, at + size - 8)
        elif size >= 4:
            spread_4(bits, out, at)
            spread_4(bits >> size - 4, out, at + size - 4)
        elif size >= 2:
            spread_2(bits, out, at)
            spread_2(bits >> size - 2, out, at + size - 2)
        elif size == 1:
            write_all((bits & 1,), out, at)
        return at + size

    def write_bytes(bits: Any, size: Any, out: Any, at: Any) -> Any:
        write_eight(bits, out, at)
        return at + size

    def spread_wide(bits: Any, size: Any, out: Any, at: Any) -> Any:
        if size <= 16:
            spread_16(bits, out, at)
        elif size <= 32:
            spread_32(bits, out, at)
        else:
            spread_64(bits, out, at)
        return at + size

    return {
        cards.count: count,
        cards.lowest: inline(lambda bits: trailing(bits)),
        cards.highest: inline(lambda bits: 63 - leading(bits)),
        cards.select: select,
        cards.nth: nth,
        cards.deposit: chosen,
        cards.number_at: inline(lambda numbers, index: number_at(numbers, index)),
        cards.replace_at: inline(lambda numbers, index, value: replace_at(numbers, index, value)),
        cards.where: inline(lambda test, this, that: where(test, this, that)),
        cards.count_moves: inline(lambda rows: ones_in_all(rows)),
        cards.pick: inline(pick),
        cards.spread: inline(spread),
        cards.spread_wide: inline(spread_wide),
        cards.write_bytes: inline(write_bytes),
        cards.item: inline(lambda array, index: item(array, index)),
        cards.write: inline(lambda numbers, out, at: write_all(numbers, out, at)),
        cards.fold_hash: inline(lambda mark, numbers: fold_hash(mark, numbers)),
    }


def _numbers(builder: Any, value: Any, kind: Any) -> Iterator[Any]:
    """Yield the numbers in a nested tuple, in order."""
    if not hasattr(kind, "__len__"):
        yield value
        return
    for at, part in enumerate(kind):
        yield from _numbers(builder, builder.extract_value(value, at), part)
