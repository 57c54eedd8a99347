"""Draws a search tree's most visited branches, as Graphviz text (DOT) or SVG."""

from __future__ import annotations

from html import escape

from ludus.players.thinking.branch import Branch

WIDTH, HEIGHT, GAP_X, GAP_Y = 92, 44, 8, 26


def to_dot(tree: Branch) -> str:
    """Return the tree as Graphviz text, for `dot -Tsvg tree.dot`."""
    lines = ["digraph search {", "  node [shape=box, fontname=sans, fontsize=10];"]
    for number, (branch, parent) in enumerate(_numbered(tree)):
        label = "\\n".join(text.replace("\\", "\\\\").replace('"', '\\"') for text in _label(branch))
        lines.append(f'  n{number} [label="{label}"];')
        if parent is not None:
            lines.append(f"  n{parent} -> n{number} [penwidth={0.5 + 4.0 * branch.visits / max(1, tree.visits):.2f}];")
    return "\n".join([*lines, "}", ""])


def to_svg(tree: Branch) -> str:
    """Return the tree as SVG, with the root at the top."""
    parts: list[str] = []
    width, depth = _place(tree, 0.0, 0, max(1, tree.visits), parts)[1], _depth(tree)
    size = f"{width + GAP_X:g} {depth * (HEIGHT + GAP_Y):g}"
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size}" font-family="sans-serif" font-size="10">'
    return head + '<rect width="100%" height="100%" fill="#fff"/>' + "".join(parts) + "</svg>"


def _numbered(tree: Branch) -> list[tuple[Branch, int | None]]:
    """Return all branches, each after its parent, with the parent's index."""
    found: list[tuple[Branch, int | None]] = [(tree, None)]
    at = 0
    while at < len(found):
        found += [(child, at) for child in found[at][0].children]
        at += 1
    return found


def _label(branch: Branch) -> list[str]:
    proof = ("", ", first wins", ", second wins", ", draw")[branch.proof]
    return [branch.move or "root", f"{branch.visits} visits", f"{branch.value:+.2f}{proof}"]


def _depth(branch: Branch) -> int:
    return 1 + max(map(_depth, branch.children), default=0)


def _place(branch: Branch, left: float, level: int, visits: int, parts: list[str]) -> tuple[float, float]:
    """Draw a branch from `left` on; return the middle of its box, and the left end of the next branch."""
    right, middles = left, list[tuple[float, Branch]]()
    for child in branch.children:
        middle, right = _place(child, right, level + 1, visits, parts)
        middles.append((middle, child))
    right = max(right, left + WIDTH + GAP_X)
    x, y = (left + right) / 2.0, GAP_Y / 2.0 + level * (HEIGHT + GAP_Y)
    for middle, child in middles:
        stroke = 0.5 + 4.0 * child.visits / visits
        way = f"M{x:g} {y + HEIGHT:g}L{middle:g} {y + HEIGHT + GAP_Y:g}"
        parts.append(f'<path d="{way}" stroke="#1f4e79" stroke-width="{stroke:.2f}"/>')
    parts.append(
        f'<rect x="{x - WIDTH / 2:g}" y="{y:g}" width="{WIDTH}" height="{HEIGHT}" rx="4" fill="#eef3f8" '
        'stroke="#1f4e79"/>'
    )
    for line, text in enumerate(_label(branch)):
        parts.append(f'<text x="{x:g}" y="{y + 13 + 13 * line:g}" text-anchor="middle">{escape(text)}</text>')
    return x, right
