"""Libraries that only some commands need, and that a plain installation does not include."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from gramy.errors import BadOptions
from gramy.messages import Message


def library(name: str, extra: str) -> Any:
    """Import a library of one of our extras; raises BadOptions, which says how to install it."""
    try:
        return import_module(name)
    except ImportError:
        raise BadOptions(Message("extra_needed", {"library": name.partition(".")[0], "extra": extra})) from None
