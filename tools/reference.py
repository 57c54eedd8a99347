"""Writes the generated pages of docs/reference: presets, commands and the interface of a game.

python tools/reference.py [--check]     --check writes nothing and fails if a page is out of date
"""

import ast
import inspect
import re
import sys
import textwrap
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec
import typer
from typer.core import TyperCommand, TyperGroup

import ludus
from ludus.cli.app import app
from ludus.games import about, board, game, registry
from ludus.games import calls as rules_module
from ludus.games.check.laws import LAWS
from ludus.loop.preset import Preset
from ludus.site.study import lessons

DOCS = Path(__file__).parents[1] / "docs/reference"
_MODULES = re.compile(r"\bludus\.[\w.]+\.(?=\w)|typing\.|collections\.abc\.")
PARTS = ("| part | type | default | meaning |", "|---|---|---|---|")


def presets() -> str:
    """Return the page of all preset settings, by table."""
    lines = [
        "# Settings of a preset",
        "",
        "For people who write a preset, the TOML file that defines a training run: every key, with its default.",
        "A key that is not listed here is refused. `tools/reference.py` generates this page from the source.",
    ]
    tables: list[tuple[str, type[msgspec.Struct]]] = [("", Preset)]
    while tables:
        name, kind = tables.pop(0)
        lines += ["", f"## `[{name}]`" if name else "## At the top", "", inspect.getdoc(kind) or "", ""]
        lines += ["| key | default | meaning |", "|---|---|---|"]
        notes = field_notes(kind)
        for field in msgspec.structs.fields(kind):
            if isinstance(field.type, type) and issubclass(field.type, msgspec.Struct):
                tables.append((f"{name}.{field.name}" if name else field.name, field.type))
            else:
                default = "required" if field.required else f"`{show(field.default)}`"
                lines.append(f"| `{field.name}` | {default} | {notes.get(field.name, '')} |")
    return "\n".join(lines) + "\n"


def show(value: object) -> str:
    """Format a default value as in TOML."""
    return (
        str(list(value)) if isinstance(value, tuple) else str(value).lower() if isinstance(value, bool) else str(value)
    )


def field_notes(kind: type) -> dict[str, str]:
    """Return the docstring of each field of a struct and its base classes, read from the source."""
    notes: dict[str, str] = {}
    for base in kind.__bases__:
        if base not in (msgspec.Struct, tuple):
            notes |= field_notes(base)
    body = ast.parse(textwrap.dedent(inspect.getsource(kind))).body[0]
    assert isinstance(body, ast.ClassDef), "the source of a struct is a class"
    for before, after in zip(body.body, body.body[1:], strict=False):
        if isinstance(before, ast.AnnAssign) and isinstance(before.target, ast.Name) and isinstance(after, ast.Expr):
            notes[before.target.id] = " ".join(str(ast.literal_eval(after.value)).split())
    return notes


def commands(title: str, introduction: str, names: tuple[str, ...] = ()) -> str:
    """Return the page of some commands; without names, of all commands that are not in `GROUPS`."""
    lines = [f"# {title}", "", f"{introduction} `tools/reference.py` generates this page from the source."]
    everything = typer.main.get_command(app)
    assert isinstance(everything, TyperGroup), "the program has several commands"
    for name, inner in inside(everything):
        if name in names or (not names and not any(name in own for own, _ in GROUPS.values())):
            describe(inner, f"ludus {name}", lines)
    return "\n".join(lines) + "\n"


def inside(group: TyperGroup) -> list[tuple[str, Any]]:
    """Return the names and commands of a group, in the order of their names."""
    context = typer.Context(group)
    return [(name, group.get_command(context, name)) for name in sorted(group.list_commands(context))]


def describe(command: TyperGroup | TyperCommand, name: str, lines: list[str]) -> None:
    """Add the lines of a command, or of all commands of a group."""
    if isinstance(command, TyperGroup):
        for each, inner in inside(command):
            describe(inner, f"{name} {each}", lines)
        return
    arguments = [each for each in command.params if each.param_type_name == "argument"]
    options = [each for each in command.params if each.param_type_name == "option" and each.name != "help"]
    usage = " ".join([name, *(each.name.upper() for each in arguments), *(["[OPTIONS]"] if options else [])])
    lines += ["", f"## `{usage}`", "", " ".join((command.help or "").split()), ""]
    if command.epilog:
        lines += ["```", *command.epilog.split("\n\n")[1:], "```", ""]
    lines += ["| option | default | meaning |", "|---|---|---|"]
    for each in [*arguments, *options]:
        off = each.secondary_opts if each.default is True else []  # options that switch off a default
        names = each.name.upper() if each in arguments else ", ".join(f"`{text}`" for text in [*each.opts, *off])
        default = "required" if each.required else "" if each.default is None else f"`{each.default}`"
        lines.append(f"| {names} | {default} | {meaning(each)} |".replace("|  |", "| |"))


def meaning(parameter: object) -> str:
    """Return an option's help text as a table cell."""
    return (getattr(parameter, "help", None) or "").replace("|", r"\|")


def interface() -> str:
    """Return the page of a game's interface."""
    lines = [
        *("# The interface of a game", ""),
        "For people who write a game: every rule, argument and law. [The tutorial](../tutorial/own-game.md) writes",
        "a game with what most games need. `State` comes from `ludus.games.rules`, errors come from `ludus.errors`.",
        "`tools/reference.py` generates this page from the source.",
        *("", "## Its name", "", paragraphs(registry.game)[1]),
        *("", "## Its rules", "", *rules()),
        "",
        "In states of bits, rules may call `ludus.count_bits(word)`, how many are set, and `ludus.lowest_bit(word)`,",
        "the index (0 to 63) of the lowest one of a word that is not 0. In compiled rules `int(word)` is signed and",
        "has 64 bits, so it is negative if the word's highest bit is set: shift and compare such words as `np.uint64`.",
        *("", "## What `ludus.Game` takes", ""),
        "The rules under their names, and these, by name. Functions among them are never compiled: any Python will do.",
        *("", *PARTS),
    ]
    parameters = inspect.signature(game.Game.__init__).parameters
    meanings = next(each for each in paragraphs(game.Game.__init__) if each.startswith("Args:"))
    for name, meaning in entries(meanings.removeprefix("Args:\n")):
        if name != "rules":
            kind, value = parameters[name].annotation.removesuffix(" | None"), parameters[name].default
            default = "required" if value is inspect.Parameter.empty else "" if value is None else f"`{value!r}`"
            lines.append(row(name, kind, default, meaning))
    lines += ["", "## What `describe` returns", "", paragraphs(board)[1], *structs(*declared(board)[::-1])]
    lines += ["", "## What `about` says", "", *spaced(paragraphs(about)[1:]), *structs(*declared(about)[::-1])]
    lines += ["", "## The file of a lesson", "", *spaced(paragraphs(lessons)[1:])]
    lines += structs(lessons.LessonFile, lessons.LessonFilePart)
    lines += ["", "## Games in packages", "", *spaced(paragraphs(registry.installed)[1:])]
    lines += ["", "## Its laws", "", "`ludus check` plays random games against them.", "", "| law | |", "|---|---|"]
    lines += [f"| `{law}` | {meaning} |" for law, meaning in LAWS.items()]
    return "\n".join(lines) + "\n"


def rules() -> list[str]:
    """Return the table of the rules, below the introduction from the source."""
    lines = [paragraphs(rules_module)[1], "", "| rule | meaning |", "|---|---|"]
    for name, rule in rules_module.RULES.items():
        returns = f" -> {rule.returns.__name__}" if rule.returns else ""
        optional = "Optional. " if rule.default else ""
        lines.append(f"| `{name}({', '.join(('state', *rule.arguments))}){returns}` | {optional}{rule.meaning} |")
    return lines


def declared(module: ModuleType) -> list[type]:
    """Return the structs and named tuples of a module, in order."""
    kinds = [each for each in vars(module).values() if isinstance(each, type) and each.__module__ == module.__name__]
    return [each for each in kinds if issubclass(each, msgspec.Struct | tuple)]


def structs(*kinds: type) -> list[str]:
    """Return the tables of structs and named tuples."""
    lines: list[str] = []
    for kind in kinds:
        home = "ludus." if hasattr(ludus, kind.__name__) else ""  # others are read from files, or made by Ludus
        lines += ["", f"### `{home}{kind.__name__}`", "", " ".join((inspect.getdoc(kind) or "").split()), "", *PARTS]
        notes = field_notes(kind)
        for name, written, default in fields(kind):
            shown = f"{type(default).__name__}()" if isinstance(default, msgspec.Struct) else repr(default)
            told = "required" if default is msgspec.NODEFAULT else f"`{shown}`"
            lines.append(row(name, _MODULES.sub("", written), told, notes.get(name, "")))
    return lines


def fields(kind: type) -> list[tuple[str, str, object]]:
    """Return the name, the type and the default of each field of a struct or a named tuple; NODEFAULT if required."""
    if not issubclass(kind, msgspec.Struct):
        defaults: dict[str, object] = getattr(kind, "_field_defaults", {})
        return [
            (name, inspect.formatannotation(type_), defaults.get(name, msgspec.NODEFAULT))
            for name, type_ in kind.__annotations__.items()
        ]
    found: list[tuple[str, str, object]] = []
    for field in msgspec.structs.fields(kind):
        factory = field.default_factory  # of a new list or dictionary for each instance
        made = field.default if factory is msgspec.NODEFAULT else factory()
        found.append((field.name, inspect.formatannotation(field.type), made))
    return found


def spaced(texts: list[str]) -> list[str]:
    """Return paragraphs with an empty line between them."""
    return [line for text in texts for line in ("", text)][1:]


def paragraphs(thing: object) -> list[str]:
    """Return the paragraphs of a docstring, with single spaces between sentences."""
    return [re.sub(r"(?<=\.)  (?=\S)", " ", each) for each in (inspect.getdoc(thing) or "").split("\n\n")]


def entries(text: str) -> list[tuple[str, str]]:
    """Return the entries of a list with their texts; lines with more indentation continue an entry."""
    found: list[tuple[str, str]] = []
    for line in text.splitlines():
        if begins := re.fullmatch(r" {4}(\w+): (.*)", line):
            found.append((begins[1], begins[2]))
        else:
            name, before = found.pop()
            found.append((name, f"{before} {line.strip()}".strip()))
    return found


def row(name: str, kind: str, default: str, meaning: str) -> str:
    """Format a row of a table, with bars in types escaped."""
    return "| `{}` | `{}` | {} | {} |".format(name, kind.replace("|", r"\|"), default, meaning).replace("|  |", "| |")


def main() -> int:
    """Write or check the pages."""
    stale = [name for name, text in PAGES.items() if (DOCS / name).read_text() != text] if "--check" in sys.argv else []
    for name in stale:
        print(f"docs/reference/{name} is out of date; run `python tools/reference.py`.")
    if "--check" not in sys.argv:
        for name, text in PAGES.items():
            (DOCS / name).write_text(text)
    return 1 if stale else 0


GROUPS = {
    "bench": (("bench",), "For people who measure: the commands that measure Ludus's speed on a machine."),
    "engine": (("engine",), "For people who connect an engine to another program: one command for each protocol."),
    "serve": (("serve",), "For people who run a site."),
    "training": (
        ("estimate", "learn-from", "pack", "report", "runs", "surgery", "train", "tune"),
        "For people who train networks.",
    ),
}
"""Pages of some commands: the commands and the introduction, by the page's name."""
PAGES = {
    "presets.md": presets(),
    "commands.md": commands(
        "Commands",
        "For people who look up an option. [Training](commands-training.md), [bench](commands-bench.md),\n"
        "[engine](commands-engine.md) and [serve](commands-serve.md) have pages; [exit codes and the completion of\n"
        "words](command-line.md), too.",
    ),
    **{
        f"commands-{page}.md": commands(
            f"Commands: ludus {page}" if len(names) == 1 else "Commands of training", text, names
        )
        for page, (names, text) in GROUPS.items()
    },
    "game.md": interface(),
}

if __name__ == "__main__":
    sys.exit(main())
