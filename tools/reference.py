"""Writes the reference pages from the source: docs/presets.md from the settings, docs/commands.md from the commands.

python tools/reference.py [--check]     --check writes nothing and fails if a page is not what the source says
"""

import ast
import inspect
import sys
import textwrap
from pathlib import Path

import click
import msgspec
import typer

from ludus.cli.app import app
from ludus.loop.preset import Preset

DOCS = Path(__file__).parents[1] / "docs"


def presets() -> str:
    """Return the page of all settings, by table."""
    lines = [
        "# Settings of a preset",
        "",
        "Written by `tools/reference.py` from the structs that read them. A key that is not listed here is refused.",
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
    """Return a default as TOML writes it."""
    return (
        str(list(value)) if isinstance(value, tuple) else str(value).lower() if isinstance(value, bool) else str(value)
    )


def field_notes(kind: type) -> dict[str, str]:
    """Return the text under each field of a struct and of those it extends, which Python itself does not keep."""
    notes: dict[str, str] = {}
    for base in kind.__bases__:
        if base is not msgspec.Struct:
            notes |= field_notes(base)
    body = ast.parse(textwrap.dedent(inspect.getsource(kind))).body[0]
    assert isinstance(body, ast.ClassDef), "the source of a struct is a class"
    for before, after in zip(body.body, body.body[1:], strict=False):
        if isinstance(before, ast.AnnAssign) and isinstance(before.target, ast.Name) and isinstance(after, ast.Expr):
            notes[before.target.id] = " ".join(str(ast.literal_eval(after.value)).split())
    return notes


def commands() -> str:
    """Return the page of all commands."""
    lines = ["# Commands", "", "Written by `tools/reference.py` from the commands themselves."]
    describe(typer.main.get_command(app), "ludus", lines)
    return "\n".join(lines) + "\n"


def describe(command: click.Command, name: str, lines: list[str]) -> None:
    """Add a command, or all commands of a group."""
    if hasattr(command, "commands"):
        for each, inner in sorted(command.commands.items()):
            describe(inner, f"{name} {each}", lines)
        return
    arguments = [each for each in command.params if each.param_type_name == "argument"]
    options = [each for each in command.params if each.param_type_name == "option" and each.name != "help"]
    usage = " ".join([name, *(each.name.upper() for each in arguments), *(["[OPTIONS]"] if options else [])])
    lines += ["", f"## `{usage}`", "", " ".join((command.help or "").split()), ""]
    lines += ["| option | default | meaning |", "|---|---|---|"]
    for each in [*arguments, *options]:
        names = each.name.upper() if each in arguments else ", ".join(f"`{text}`" for text in each.opts)
        default = "required" if each.required else "" if each.default is None else f"`{each.default}`"
        lines.append(f"| {names} | {default} | {getattr(each, 'help', None) or ''} |".replace("|  |", "| |"))


def main() -> int:
    """Write or check the pages."""
    stale = [name for name, text in PAGES.items() if (DOCS / name).read_text() != text] if "--check" in sys.argv else []
    for name in stale:
        print(f"docs/{name} is not what the source says; run `python tools/reference.py`.")
    if "--check" not in sys.argv:
        for name, text in PAGES.items():
            (DOCS / name).write_text(text)
    return 1 if stale else 0


PAGES = {"presets.md": presets(), "commands.md": commands()}

if __name__ == "__main__":
    sys.exit(main())
