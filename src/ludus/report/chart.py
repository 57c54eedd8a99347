"""Line charts as inline SVG, which use the page's colours in light and dark mode.

A plotting library would add a hundred megabytes for a few lines with error bars, and its images have a fixed
background.  These charts are a few kilobytes each and show each point's value as a tooltip.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

import msgspec

WIDTH, HEIGHT = 560, 230
LEFT, RIGHT, TOP, BOTTOM = 56, 12, 14, 30  # margins
COLOURS = 5  # CSS classes `c0` ... of the page


class Point(msgspec.Struct, frozen=True):
    """A measured value."""

    x: float
    y: float
    error: float = 0.0
    """Half the width of the 95 % interval."""


class ChartLine(msgspec.Struct, frozen=True):
    """A named series of points, from left to right."""

    name: str
    points: list[Point]


def chart(lines: Sequence[ChartLine], *, label: str, unit: str = "", zero: bool = False) -> str:
    """Return a chart over generations.

    Args:
        lines: lines to draw; those without points are ignored.
        label: description for screen readers.
        unit: unit after the values.
        zero: whether the y axis starts at 0.

    Returns:
        An `<svg>`; empty if there are no points.
    """
    lines = [line for line in lines if line.points]
    if not lines:
        return ""
    points = [point for line in lines for point in line.points]
    lows, highs = [point.y - point.error for point in points], [point.y + point.error for point in points]
    ticks = nice_ticks(min(0.0, *lows) if zero else min(lows), max(highs))
    xs = (min(point.x for point in points), max(point.x for point in points))
    parts = [f'<svg class="chart" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(label)}">']
    for tick in ticks:
        y = _y(tick, ticks)
        parts.append(f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{number(tick)}{escape(unit)}</text>')
    for tick in nice_ticks(*xs, most=8):
        if tick == int(tick) and xs[0] <= tick <= xs[1]:
            parts.append(f'<text x="{_x(tick, xs):.1f}" y="{HEIGHT - 10}" text-anchor="middle">{tick:.0f}</text>')
    for index, line in enumerate(lines):
        parts += _drawn(line, f"c{index % COLOURS}", xs, ticks, unit)
    return "".join([*parts, "</svg>", _legend(lines)])


def nice_ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Return round numbers in steps of 1, 2 or 5 times a power of ten, which cover `low` to `high`."""
    if high - low < 1e-9 * max(1.0, abs(high)):
        low, high = low - 0.5, high + 0.5
    rough = (high - low) / most
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * times for times in (1, 2, 5, 10) if power * times >= rough)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [round(index * step, 10) for index in range(first, last + 1)]


def number(value: float) -> str:
    """Format a number as a short label."""
    if abs(value) >= 10_000:
        return f"{value / 1000:g}k"
    return f"{value:g}"


def _x(value: float, xs: tuple[float, float]) -> float:
    span = xs[1] - xs[0]
    return LEFT + 8 + (WIDTH - LEFT - RIGHT - 16) * ((value - xs[0]) / span if span else 0.5)


def _y(value: float, ticks: Sequence[float]) -> float:
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (value - ticks[0]) / (ticks[-1] - ticks[0])


def _drawn(line: ChartLine, colour: str, xs: tuple[float, float], ticks: Sequence[float], unit: str) -> list[str]:
    places = [(_x(point.x, xs), _y(point.y, ticks), point) for point in line.points]
    way = " ".join(f"{x:.1f},{y:.1f}" for x, y, _ in places)
    parts = [f'<g class="{colour}"><polyline points="{way}"/>']
    for x, y, point in places:
        error = f" ±{number(float(f'{point.error:.3g}'))}" if point.error else ""
        if point.error:
            low, high = _y(point.y - point.error, ticks), _y(point.y + point.error, ticks)
            parts.append(f'<line class="bar" x1="{x:.1f}" x2="{x:.1f}" y1="{low:.1f}" y2="{high:.1f}"/>')
        said = f"{line.name}, generation {point.x:.0f}: {number(float(f'{point.y:.4g}'))}{unit}{error}"
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.5"><title>{escape(said)}</title></circle>')
    return [*parts, "</g>"]


def _legend(lines: Sequence[ChartLine]) -> str:
    if len(lines) < 2:
        return ""
    items = (f'<span class="c{index % COLOURS}">{escape(line.name)}</span>' for index, line in enumerate(lines))
    return f'<p class="legend">{" ".join(items)}</p>'
