"""The pages of the API reference: an explicit list of public modules, and a page of directives for each.

A function or a class is described once, under the first of these modules that has it; the others link there. A constant
is described in the module that assigns it, because its description stands there.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from importlib import import_module
from types import ModuleType
from typing import Any, NamedTuple, get_type_hints

MODULES = {
    "Playing": (
        "gramy",
        "gramy.contract",
        "gramy.matches",
        "gramy.log",
        "gramy.messages",
        "gramy.text",
        "gramy.options",
    ),
    "Games": (
        "gramy.games",
        "gramy.games.face_to_face",
        "gramy.games.face_to_face.rules",
        "gramy.games.face_to_face.view",
        "gramy.games.quick_easy",
        "gramy.games.quick_easy.rules",
        "gramy.games.quick_easy.view",
        "gramy.games.gra",
        "gramy.games.gra.rules",
        "gramy.games.gra.view",
    ),
    "Records and fair deals": ("gramy.record", "gramy.fair", "gramy.verification"),
    "Many matches": (
        "gramy.batch",
        "gramy.simulation",
        "gramy.playout",
        "gramy.cards",
        "gramy.encoding",
        "gramy.dataset",
    ),
    "Learning environments": (
        "gramy.env",
        "gramy.env.scenarios",
        "gramy.env.talk",
        "gramy.env.turn_env",
        "gramy.env.simultaneous_env",
        "gramy.env.seat_env",
        "gramy.env.self_play_env",
        "gramy.env.openspiel",
    ),
    "Bots, arena, analysis": (
        "gramy.bots",
        "gramy.bots.protocol",
        "gramy.bots.reasons",
        "gramy.arena",
        "gramy.arena.crossplay",
        "gramy.arena.seating",
        "gramy.arena.workers",
        "gramy.arena.figures",
        "gramy.analysis",
    ),
    "Playing at a server": ("gramy.remote", "gramy.remote.messages"),
    "Errors": ("gramy.errors",),
}
"""Every public module, in the order of the reference."""

KINDS = ("function", "class", "data", "exception")
"""The order in which a page describes what a module offers. Other modules keep the order of their source."""


class Name(NamedTuple):
    """A public name of a module, and the full name under which the reference describes it."""

    short: str
    full: str
    kind: str


def listed() -> Iterator[tuple[str, list[Name]]]:
    """Yield every module with its public names."""
    described: dict[int, str] = {}
    for module in (module for group in MODULES.values() for module in group):
        found = import_module(module)
        names = [_name(found, short, described) for short in public(module)]
        yield module, sorted(names, key=lambda name: KINDS.index(name.kind)) if hasattr(found, "__all__") else names


def public(module: str) -> list[str]:
    """Return the public names of a module: `__all__`, or what it defines and describes, in the order of its source."""
    found = import_module(module)
    return list(found.__all__) if hasattr(found, "__all__") else list(defined(found))


def defined(module: ModuleType) -> Iterator[str]:
    """Yield the functions and classes that a module defines, and the constants that it describes."""
    body = ast.parse(inspect.getsource(module)).body
    for node, following in zip(body, [*body[1:], ast.Pass()], strict=True):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names = [node.name]
        elif isinstance(node, ast.Assign | ast.AnnAssign) and _is_text(following):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names = [target.id for target in targets if isinstance(target, ast.Name)]
        else:
            continue
        yield from (name for name in names if not name.startswith("_"))


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _name(module: ModuleType, short: str, described: dict[int, str]) -> Name:
    """Return a name with the place of its description, and remember that place."""
    value, full = getattr(module, short), f"{module.__name__}.{short}"
    kind = "class" if inspect.isclass(value) else "function" if inspect.isroutine(value) else "data"
    if kind == "class" and short != value.__name__:
        kind = "data"  # another name for a class
    if kind == "data":
        return Name(short, f"{_assigning(short, value, module)}.{short}", kind)
    if kind == "class" and issubclass(value, BaseException):
        kind = "exception"
    return Name(short, described.setdefault(id(value), full), kind)


def _assigning(short: str, value: Any, module: ModuleType) -> str:
    """Return the public module that assigns a constant."""
    names = [name for group in MODULES.values() for name in group]
    for name in [module.__name__, *names]:
        if short in defined(import_module(name)) and getattr(import_module(name), short) is value:
            return name
    return module.__name__


def resolve_hints() -> None:
    """Give all type hints their values: import what modules import for mypy alone, and read the hints of tuples."""
    for module in (import_module(name) for group in MODULES.values() for name in group):
        for node in ast.parse(inspect.getsource(module)).body:
            if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
                imports = [step for step in node.body if isinstance(step, ast.ImportFrom)]
                exec(compile(ast.Module(imports, []), str(module.__file__), "exec"), vars(module))
        for value in list(vars(module).values()):
            if inspect.isclass(value) and issubclass(value, tuple) and hasattr(value, "_fields"):
                value.__new__.__annotations__ = get_type_hints(value)  # Python keeps their names only


def pages() -> Iterator[tuple[str, str]]:
    """Yield the place and the text of each page of the reference."""
    for module, names in listed():
        own = [name for name in names if name.full == f"{module}.{name.short}"]
        others = [name for name in names if name not in own]
        yield f"reference/{module}.md", "\n".join(_page(module, own, others))
    yield "reference.md", "\n".join(_index())


def _page(module: str, own: list[Name], others: list[Name]) -> Iterator[str]:
    yield from (f"# {module}", "", "```{eval-rst}", f".. automodule:: {module}", "   :no-members:", "")
    if others:
        yield "Also here, and described elsewhere: " + ", ".join(_link(name) for name in others) + "."
        yield ""
    for name in own:
        yield from _directive(name, getattr(import_module(module), name.short))
    yield "```"


def _link(name: Name) -> str:
    """Return a link to the description of a name."""
    role = {"class": "class", "exception": "exc", "function": "func", "data": "data"}[name.kind]
    return f":py:{role}:`{name.short} <{name.full}>`"


def _directive(name: Name, value: Any) -> Iterator[str]:
    yield f".. auto{name.kind}:: {name.full}"
    if name.kind in ("class", "exception"):
        yield from ("   :members:", "   :undoc-members:", "   :member-order: bysource")
    if name.kind == "data" and not isinstance(value, int | str):
        yield "   :no-value:"
    yield ""


def _index() -> Iterator[str]:
    """Yield the list of modules, each with the first sentence of its description."""
    yield from ("# API reference", "")
    yield "Every public module. What is not listed here may change without notice."
    for group, modules in MODULES.items():
        yield from ("", f"## {group}", "", "| module | what |", "|---|---|")
        for module in modules:
            first = inspect.getdoc(import_module(module)) or ""
            yield f"| [{module}](reference/{module}.md) | {first.partition(chr(10) * 2)[0].replace(chr(10), ' ')} |"
    yield from ("", "```{toctree}", ":hidden:", "")
    yield from (f"reference/{module}" for modules in MODULES.values() for module in modules)
    yield "```"
