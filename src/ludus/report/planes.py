"""Pictures of a network's input planes and policy, with one small board for each plane."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from textwrap import wrap

import numpy as np
from numpy.typing import NDArray

from ludus.games.game import Game

CELL, GAP, LINE, LETTER = 10, 14, 11, 4.8  # LETTER: mean width of a letter
MOST_IN_A_ROW = 13


def draw_planes(planes: NDArray[np.floating], labels: Sequence[str], title: str) -> str:
    """Draw planes as SVG, each scaled to its largest value, which is in its label.

    Args:
        planes: 0 is drawn white.  # [C, H, W]
        labels: the label of each plane.
        title: title of the picture.
    """
    count, height, width = planes.shape
    columns = min(MOST_IN_A_ROW, count)
    texts = [_label(plane, label, width) for plane, label in zip(planes, labels, strict=True)]
    above = LINE * max(len(lines) for lines in texts)
    step_x, step_y = width * CELL + GAP, height * CELL + GAP + above
    rows = -(-count // columns)
    size = f"{columns * step_x + GAP} {rows * step_y + 3 * GAP}"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size}" font-family="sans-serif" font-size="9">',
        '<rect width="100%" height="100%" fill="#fff"/>',
        f'<text x="{GAP}" y="{GAP}" font-size="12">{escape(title)}</text>',
    ]
    for index in range(count):
        x, y = GAP + index % columns * step_x, 2 * GAP + index // columns * step_y
        parts.append(_plane(planes[index], x, y + above, texts[index]))
    return "".join([*parts, "</svg>"])


def _label(plane: NDArray[np.floating], label: str, width: int) -> list[str]:
    """Return the lines of a plane's label, wrapped to the width of the plane."""
    most = float(plane.max())
    text = f"{label} ({most:.3g})" if most not in (0.0, 1.0) else label
    return wrap(text, max(10, int((width * CELL + GAP / 2) / LETTER)))


def _plane(plane: NDArray[np.floating], x: int, y: int, label: Sequence[str]) -> str:
    height, width = plane.shape
    most = float(plane.max())
    cells = "".join(
        f'<rect x="{x + column * CELL}" y="{y + row * CELL}" width="{CELL}" height="{CELL}" '
        f'fill="#1f4e79" fill-opacity="{float(plane[row, column]) / most:.3g}"/>'
        for row, column in np.argwhere(plane > 0).tolist()
    )
    ways = [f"M{x} {y + row * CELL}h{width * CELL}" for row in range(height + 1)]
    ways += [f"M{x + column * CELL} {y}v{height * CELL}" for column in range(width + 1)]
    lines = f'<path d="{"".join(ways)}" stroke="#bbb" stroke-width="0.5" fill="none"/>'
    texts = "".join(
        f'<text x="{x}" y="{y - 3 - LINE * (len(label) - line)}">{escape(text)}</text>'
        for line, text in enumerate(label, 1)
    )
    return f"{texts}{cells}{lines}"


def policy_planes(game: Game, policy: NDArray[np.floating]) -> tuple[NDArray[np.float64], list[str]]:
    """Return a policy [A] as planes [layers, H, W] with labels; actions without a cell are in extra planes at the end.

    If the game does not declare the cells of its actions, all are in extra planes.
    """
    _, height, width = game.planes
    places = game.action_places or tuple((action, -1, -1) for action in range(game.num_actions))
    layers = 1 + max((layer for layer, row, _ in places if row >= 0), default=-1)
    placeless = 1 + max((number for number, row, _ in places if row < 0), default=-1)
    extra = -(-placeless // (height * width))
    planes = np.zeros((layers + extra, height, width))
    flat = planes[layers:].reshape(-1)
    for action, (layer, row, column) in enumerate(places):
        if row >= 0:
            planes[layer, row, column] += policy[action]
        else:
            flat[layer] += policy[action]
    return planes, [f"layer {layer}" for layer in range(layers)] + ["placeless"] * extra
