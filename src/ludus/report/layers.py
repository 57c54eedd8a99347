"""The picture of a network: its layers with their outputs and numbers of parameters, as text and as SVG."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

import msgspec

from ludus.network.checkpoint import ModelInfo, array_shapes
from ludus.network.config import SHORT_HORIZONS

WIDTH, HEIGHT, GAP, COLUMN, LINE = 300, 40, 16, 330, 15
COLOURS = {"body": "#eef3f8", "policy": "#e9f5ec", "outcome": "#fdf1e3", "training": "#f1eef8"}
"""The fill of the boxes of each part."""
STATISTICS = ("running_mean", "running_var")


class NetworkLayer(msgspec.Struct, frozen=True):
    """A layer, or a block of several."""

    name: str
    """As in the names of the weights."""
    part: str
    """`body`, `policy`, `outcome`, or `training` for heads that only training uses."""
    kind: str
    """What it computes."""
    output: tuple[int, ...]
    """Shape of the output for one position."""
    parameters: int
    """Number of trained weights."""


def layers_of(info: ModelInfo) -> list[NetworkLayer]:
    """Return the layers of a model's network, in the order of computation."""
    network, shapes = info.network, info.shapes
    arrays = array_shapes(network, shapes)
    _, height, width = shapes.planes

    def layer(name: str, part: str, kind: str, *output: int) -> NetworkLayer:
        own = [shape for key, shape in arrays.items() if key.startswith(f"{name}.") and not key.endswith(STATISTICS)]
        return NetworkLayer(name, part, kind, output, sum(map(math.prod, own)))

    found = [
        NetworkLayer("planes", "body", "input", shapes.planes, 0),
        layer("stem", "body", "3x3 convolution", network.channels, height, width),
    ]
    for index in range(network.blocks):
        pooled = network.pooled(index)
        more = [f"{pooled} channels pooled"] * bool(pooled) + ["squeeze-and-excite"] * bool(network.squeeze)
        kind = ", ".join(["residual: two 3x3 convolutions", *more])
        found.append(layer(f"blocks.{index}", "body", kind, network.channels, height, width))
    for part, outputs in (("policy", shapes.num_actions), ("outcome", network.num_outcomes)):
        kind = "3x3 convolution"
        found.append(layer(f"{part}.convolution", part, kind, network.head_channels, height, width))
        if f"{part}.spread.weight" in arrays:
            kind = "features of the board, added to each cell"
            found.append(layer(f"{part}.spread", part, kind, network.head_channels, height, width))
        if f"{part}.hidden.weight" in arrays:
            found.append(layer(f"{part}.hidden", part, "hidden layer", arrays[f"{part}.hidden.weight"][0]))
        own = f"{part}.actions" if f"{part}.linear.weight" not in arrays else f"{part}.linear"
        found.append(layer(own, part, _meaning(part, outputs), outputs))
    outputs_of = {
        "reply": (shapes.num_actions,),
        "short_values": (len(SHORT_HORIZONS), 3),
        "moves_left": (1,),
        "maps": (shapes.num_maps, height, width),
    }
    found += [layer(f"auxiliary.{name}", "training", _AUXILIARY[name], *outputs_of[name]) for name in network.auxiliary]
    return found


_AUXILIARY = {
    "reply": "logits of the opponent's next action",
    "short_values": "win, draw and loss some actions ahead",
    "moves_left": "logarithm of the actions until the end",
    "maps": "logits of the final maps",
}


def _meaning(part: str, outputs: int) -> str:
    if part == "policy":
        return "logits of the actions"
    return "value before its tanh" if outputs == 1 else "logits of win, draw and loss"


def summary(info: ModelInfo, layers: Sequence[NetworkLayer]) -> str:
    """Return a sentence about a network: name, size, parameters."""
    network, parameters = info.network, sum(layer.parameters for layer in layers)
    used = parameters - sum(layer.parameters for layer in layers if layer.part == "training")
    spare = f", {used:,} of them used in play" if used < parameters else ""
    size = f"{network.blocks} residual blocks of {network.channels} channels"
    return f"{info.name}, generation {info.generation}: {size}, {network.heads} heads; {parameters:,} parameters{spare}"


def layers_text(info: ModelInfo) -> str:
    """Return the layers of a network as a table in plain text."""
    layers = layers_of(info)
    rows = [("layer", "output", "parameters", "")]
    rows += [(each.name, _shape(each.output), f"{each.parameters:,}", each.kind) for each in layers]
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    table = [
        f"{name:{widths[0]}}  {output:{widths[1]}}  {count:>{widths[2]}}  {kind}".rstrip()
        for name, output, count, kind in rows
    ]
    return "\n".join([summary(info, layers), "", *table])


def layers_svg(info: ModelInfo) -> str:
    """Return the layers of a network as SVG: the body on top, and the heads side by side below it."""
    layers = layers_of(info)
    columns = {part: [each for each in layers if each.part == part] for part in COLOURS}
    heads = [part for part in ("policy", "outcome", "training") if columns[part]]
    width = len(heads) * COLUMN + GAP
    top, step = 2 * GAP + LINE, HEIGHT + GAP
    middle = GAP + (width - 2 * GAP - WIDTH) / 2
    parts = [_box(each, middle, top + step * index) for index, each in enumerate(columns["body"])]
    below = top + step * len(columns["body"])
    body = [_arrow(middle, top + step * index + HEIGHT, middle) for index in range(len(columns["body"]) - 1)]
    deepest = 0
    for number, part in enumerate(heads):
        left = GAP + number * COLUMN
        if part != "training":
            body.append(_arrow(middle, below - GAP, left))
        for index, each in enumerate(columns[part]):
            y = below + step * index
            parts.append(_box(each, left, y))
            if index and part != "training":
                body.append(_arrow(left, y - GAP, left))
        deepest = max(deepest, len(columns[part]))
    height = below + step * deepest
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" font-family="sans-serif" '
    title = f'<text x="{GAP}" y="{GAP + LINE}" font-size="12">{escape(summary(info, layers))}</text>'
    ground = '<rect width="100%" height="100%" fill="#fff"/>'
    return f'{head}font-size="10">{ground}{title}{"".join(body)}{"".join(parts)}</svg>'


def _box(layer: NetworkLayer, x: float, y: float) -> str:
    count = f", {layer.parameters:,} parameters" if layer.parameters else ""
    lines = (f"{layer.name}: {layer.kind}", f"{_shape(layer.output)}{count}")
    texts = "".join(
        f'<text x="{x + WIDTH / 2:g}" y="{y + LINE * (index + 1):g}" text-anchor="middle">{escape(text)}</text>'
        for index, text in enumerate(lines)
    )
    box = f'x="{x:g}" y="{y:g}" width="{WIDTH}" height="{HEIGHT}" rx="4"'
    return f'<rect {box} fill="{COLOURS[layer.part]}" stroke="#1f4e79"/>{texts}'


def _arrow(left: float, y: float, to: float) -> str:
    """Draw a line from a box's bottom to the top of the next box, whose left edges are given."""
    return f'<path d="M{left + WIDTH / 2:g} {y:g}L{to + WIDTH / 2:g} {y + GAP:g}" stroke="#1f4e79"/>'


def _shape(shape: Sequence[int]) -> str:
    return " x ".join(map(str, shape))
