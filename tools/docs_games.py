"""The page of each built-in game in the documentation site: what the game says about itself, and its lesson."""

import tomllib
from functools import cache
from pathlib import Path

import msgspec

from ludus.games import BUILT_IN, registry
from ludus.games.about import About
from ludus.network.checkpoint import load_checkpoint
from ludus.report.drawing import draw_picture
from ludus.site.study.lessons import LessonFile, LessonFilePart

ROOT = Path(__file__).resolve().parents[1]


@cache
def game_pages() -> dict[str, str]:
    """Return the pages and pictures of all built-in games, by their paths in the site."""
    found: dict[str, str] = {}
    for name in BUILT_IN:
        found |= pages_of(name)
    return found


def pages_of(name: str) -> dict[str, str]:
    """Return the page of a game and its pictures."""
    about = registry.about(name)
    path = registry.lesson_file(name)
    assert path, f"{name} has a lesson"
    lesson = msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), LessonFile)
    pictures = {f"games/{name}-{number}.svg": picture(part) for number, part in enumerate(lesson.parts, 1)}
    lines = [f"# {about.title}", "", lesson.summary, "", *facts(name, about), "", "## How to play", ""]
    for number, part in enumerate(lesson.parts, 1):
        lines += [f"### {part.title}", "", part.text.strip(), ""]
        lines += [f"![{part.title}]({name}-{number}.svg){{ width=320 }}", ""]
    return {f"games/{name}.md": "\n".join(lines) + "\n"} | pictures


def picture(part: LessonFilePart) -> str:
    """Draw the position of a part of a lesson."""
    position = registry.game(part.spec).start(part.setup)
    for move in part.moves:
        position = position.play(move)
    return draw_picture(position.describe())


def facts(name: str, about: About) -> list[str]:
    """Return what a game declares: how commands name it, its variants, boards and options, and where to read on."""
    lines = [f"Commands and `ludus.game` call it `{name}`.", ""]
    listed = [variant for variant in about.variants if variant.listed]
    if listed:
        lines += ["| variant | name | rules |", "|---|---|---|"]
        lines += [
            f"| `{name}:{each.value}` | {each.name or each.value.capitalize()} | {each.aim or about.aim} |"
            for each in listed
        ]
        lines.append("")
    if about.sizes:
        boards = ", ".join(f"{columns}x{rows}" for columns, rows in about.sizes)
        lines.append(f"- Boards that a site offers: {boards}.")
    if about.opening:
        lines.append(f"- Opening rule: {about.opening.name} (`{about.opening.value}`).")
    if about.setup:
        lines.append(f"- Options of the first position: {', '.join(field.title for field in about.setup)}.")
    if about.engines:
        lines.append(f"- Protocols of its own: {', '.join(f'`ludus engine {each}`' for each in about.engines)}.")
    models = [path for path in sorted(ROOT.glob("models/*")) if plays(path, name)]
    if models:
        told = ", ".join(f"[{path.name}](../project/models/{path.name}/index.md)" for path in models)
        lines.append(f"- Models: {told}.")
    if (ROOT / f"docs/reference/{name}.md").is_file():
        lines.append(f"- [Rules, notation and input planes in detail](../reference/{name}.md).")
    return lines


def plays(model: Path, name: str) -> bool:
    """Return whether a folder has a model that was trained on a game."""
    is_model = (model / "model.safetensors").is_file()
    return is_model and any(spec.split(":")[0] == name for spec in load_checkpoint(model).info.games)
