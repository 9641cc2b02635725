"""The smallest functions of `gramy.cards` as machine instructions, for compiled functions.

Numba has no function that counts or deposits bits, so these are written for LLVM. They contain no rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from types import FunctionType
from typing import Any

import numba
from llvmlite import binding, ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from gramy import cards

word, exact = ir.IntType(64), ir.Constant(ir.IntType(1), 0)
integer = types.int64


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
        for row in _numbers(builder, args[0], signature.args[0]):
            found = builder.add(found, builder.ctpop(row))
        return found

    return integer(rows), write


@intrinsic
def row_with(context: Any, rows: Any, k: Any) -> Any:
    """Return the row that has the k-th bit, its index, and the number of bits before it."""

    def write(frame: Any, builder: Any, signature: Any, args: Any) -> Any:
        row, *others = _numbers(builder, args[0], signature.args[0])
        last, at, before, upto = row, number(0), number(0), number(0)
        for index, other in enumerate(others, 1):
            upto = builder.add(upto, builder.ctpop(last))
            beyond = builder.icmp_signed(">=", args[1], upto)
            at = builder.select(beyond, number(index), at)
            before = builder.select(beyond, upto, before)
            row = builder.select(beyond, other, row)
            last = other
        return frame.make_tuple(builder, signature.return_type, [row, at, before])

    return types.UniTuple(integer, 3)(rows, integer), write


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
def spread(context: Any, bits: Any, size: Any, out: Any, at: Any) -> Any:
    """Write the lowest bits of a word to an array, a number each: all 64 at once, then a copy of as many as wanted."""

    def write(frame: Any, builder: Any, signature: Any, args: Any) -> Any:
        array, kind = frame.make_array(out)(frame, builder, args[2]), frame.get_data_type(out.dtype)
        flags = builder.bitcast(args[0], ir.VectorType(ir.IntType(1), 64))
        numbers = cgutils.alloca_once(builder, ir.VectorType(kind, 64))
        builder.store(builder.zext(flags, ir.VectorType(kind, 64)), numbers)
        place = builder.gep(array.data, [args[3]])
        bytes_each = frame.get_abi_sizeof(kind)
        cgutils.raw_memcpy(builder, place, builder.bitcast(numbers, place.type), args[1], bytes_each)
        return builder.add(args[3], args[1])

    return integer(integer, integer, out, integer), write


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
        chosen = inline(lambda bits, mask: deposit(bits, mask))
    else:
        select = inline(FunctionType(cards.select.__code__, {"count": count}, "select"))
        chosen = inline(cards.deposit)

    def pick(rows: Any, k: Any) -> Any:
        row, at, before = row_with(rows, k)
        return at << 6 | select(row, k - before)

    return {
        cards.count: count,
        cards.lowest: inline(lambda bits: trailing(bits)),
        cards.highest: inline(lambda bits: 63 - leading(bits)),
        cards.select: select,
        cards.deposit: chosen,
        cards.number_at: inline(lambda numbers, index: number_at(numbers, index)),
        cards.where: inline(lambda test, this, that: where(test, this, that)),
        cards.count_moves: inline(lambda rows: ones_in_all(rows)),
        cards.pick: inline(pick),
        cards.spread: inline(lambda bits, size, out, at: spread(bits, size, out, at)),
        cards.fold_hash: inline(lambda mark, numbers: fold_hash(mark, numbers)),
    }


def _numbers(builder: Any, value: Any, kind: Any) -> Iterator[Any]:
    """Yield the numbers in a nested tuple, in order."""
    if not hasattr(kind, "__len__"):
        yield value
        return
    for at, part in enumerate(kind):
        yield from _numbers(builder, builder.extract_value(value, at), part)
