"""`ludus show`: pictures of a position as the network's input, of its policy, of a search tree, and of a network."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import numpy as np
import typer

from ludus.cli.terminal.game_files import named
from ludus.cli.terminal.screen import announce_compilation
from ludus.cli.terminal.setup import SetupOption, read_setup
from ludus.errors import BadInput
from ludus.files import write_atomically
from ludus.games.game import Position
from ludus.games.registry import game as find_game
from ludus.report.drawing import draw_picture
from ludus.report.planes import draw_planes, policy_planes
from ludus.report.tree import to_dot, to_svg

if TYPE_CHECKING:
    from ludus.players.thinking.mind import Mind


def show(
    game: Annotated[str | None, typer.Argument(callback=named, help="Spec of the game.")] = None,
    out: Annotated[Path | None, typer.Option(help="Folder for the pictures.")] = None,
    setup: SetupOption = "",
    moves: Annotated[str, typer.Option(help="Moves from there, in notation, separated by spaces.")] = "",
    model: Annotated[Path | None, typer.Option(help="A model's folder, to also show its policy and search.")] = None,
    visits: Annotated[int, typer.Option(min=2, max=10_000_000, help="Visits of the search.")] = 200,
    nodes: Annotated[int, typer.Option(min=1, help="Number of nodes of the tree to draw: the most visited.")] = 40,
    network: Annotated[
        Path | None,
        typer.Option(help="A model's folder: print its layers, and with --out also write network.svg, without a game."),
    ] = None,
) -> None:
    """Write pictures of a position: input planes and, with a model, the planes of its policy and its search tree.

    With --network, show the layers of a network instead.
    """
    if network is not None:
        _show_network(network, game, out)
        return
    if game is None or out is None:
        raise BadInput("`ludus show` needs a game and a folder: ludus show GAME --out FOLDER; or --network MODEL.")
    announce_compilation()
    position = find_game(game).start(read_setup(setup))
    for move in moves.split():
        position = position.play(move)
    mind = None if model is None else _load(model, position)  # report errors before writing anything
    if mind is not None:
        position = mind.seen(position)
    _write(out / "position.svg", draw_picture(position.describe()))
    scale = np.array(position.game.plane_scale, np.float64)[:, None, None]
    planes = position.planes.astype(np.float64) * scale  # [C, H, W]
    title = f"{position.game.name}: input of a network"
    names = position.game.plane_names or [f"plane {index}" for index in range(len(planes))]
    _write(out / "input.svg", draw_planes(planes, names, title))
    if mind is not None:
        _show_model(position, mind, out, visits, nodes)


def _show_network(model: Path, game: str | None, out: Path | None) -> None:
    from ludus.network.checkpoint import load_checkpoint
    from ludus.report.layers import layers_svg, layers_text

    if game is not None:
        raise BadInput(f"--network {model}: a network is shown without a game; leave out {game}.")
    info = load_checkpoint(model).info
    print(layers_text(info))
    if out is not None:
        _write(out / "network.svg", layers_svg(info))


def _load(model: Path, position: Position) -> Mind:
    from ludus.players.thinking.mind import Mind  # imports torch, which takes a second

    if position.outcome:
        over = f"the game is over in this position ({position.outcome.reason})"
        raise BadInput(f"{position.game.name}: {over}; there is nothing to search.")
    return Mind.load(model)


def _show_model(position: Position, mind: Mind, out: Path, visits: int, nodes: int) -> None:
    from ludus.network.evaluator import evaluate
    from ludus.players.thinking.branch import read_branches
    from ludus.players.thinking.group import Group

    game = position.game
    logits, outcomes = evaluate(mind.evaluator, position.planes[None])
    legal = np.zeros(game.num_actions)
    legal[position.actions] = np.exp(logits[0, position.actions] - logits[0, position.actions].max())
    planes, labels = policy_planes(game, legal / legal.sum())
    win, draw, loss = (f"{share:.1%}" for share in outcomes[0])
    title = f"{mind.name}: policy of the legal actions; the mover wins {win}, draws {draw}, loses {loss}"
    _write(out / "policy.svg", draw_planes(planes, labels, title))
    group = Group(game, mind.evaluator, mind.search, num_trees=1, max_visits=visits)
    group.new_tree(0, game.for_search(position.state).view(np.uint64))
    group.set_target(0, visits)
    while group.step():
        pass
    tree = read_branches(game, position.state, group.trees, 0, most=nodes)
    _write(out / "tree.dot", to_dot(tree))
    _write(out / "tree.svg", to_svg(tree))
    mind.close()


def _write(path: Path, text: str) -> None:
    write_atomically(path, text.encode())
    print(path)
