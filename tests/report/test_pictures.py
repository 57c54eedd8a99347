"""Pictures of planes and trees contain all their data, correctly escaped."""

import xml.etree.ElementTree as ET
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from typer.testing import CliRunner

import ludus
from ludus.cli.app import app
from ludus.network.config import Shapes
from ludus.network.evaluator import NullEvaluator
from ludus.players.thinking.branch import read_branches
from ludus.players.thinking.group import Group
from ludus.report.planes import draw_planes, policy_planes
from ludus.report.tree import to_dot, to_svg
from ludus.search.settings import SearchSettings

TICTACTOE = ludus.game("tictactoe")


@pytest.fixture(scope="module")
def group():
    """Return a tree of 60 visits."""
    evaluator = NullEvaluator(Shapes.of(TICTACTOE))
    group = Group(TICTACTOE, evaluator, SearchSettings(cache_entries=0), num_trees=1, max_visits=60)
    group.new_tree(0, TICTACTOE.start_state().view(np.uint64))
    group.set_target(0, 60)
    while group.step():
        pass
    return group


def branches(tree):
    yield tree
    for child in tree.children:
        yield from branches(child)


def test_every_plane_has_its_picture_and_its_label():
    planes = np.zeros((3, 2, 6))
    planes[1, 0, 3], planes[2] = 1.0, 0.25
    root = ET.fromstring(draw_planes(planes, ["none", "one", "<all>"], "three & more"))
    texts = [each.text for each in root.iter() if each.tag.endswith("text")]
    assert texts == ["three & more", "none", "one", "<all> (0.25)"]
    filled = [each for each in root.iter() if each.tag.endswith("rect") and each.get("fill-opacity")]
    assert len(filled) == 1 + 12


def test_a_long_label_is_wrapped_above_its_plane():
    planes = np.ones((2, 8, 8))
    root = ET.fromstring(draw_planes(planes, ["opponent's way: a wall lengthens", "short"], "two"))
    _, *lines, short = (each for each in root.iter() if each.tag.endswith("text"))
    assert " ".join(line.text for line in lines) == "opponent's way: a wall lengthens"
    heights = [int(line.get("y")) for line in lines]
    assert len(lines) == 2
    assert heights == sorted(heights)
    assert heights[-1] == int(short.get("y")), "labels are directly above their planes"
    assert heights[-1] < min(int(each.get("y")) for each in root.iter() if each.get("fill-opacity"))


def test_chess_actions_are_drawn_on_the_cells_of_their_pieces():
    game = ludus.game("chess")
    position = game.start()
    policy = np.zeros(game.num_actions)
    (action,) = position.parse("e4")
    policy[action] = 1.0
    planes, labels = policy_planes(game, policy)
    assert planes.shape == (73, 8, 8)
    assert len(labels) == 73
    layer, file, row = np.argwhere(planes == 1.0)[0].tolist()
    assert (layer, file, row) == (8, 4, 6), "north by two, from e2"
    assert position.planes[0, file, row] == 1, "the network's plane of pawns has the same cell"


def test_actions_without_a_cell_are_drawn_at_the_end():
    game = SimpleNamespace(planes=(1, 2, 2), num_actions=7, action_places=())
    planes, labels = policy_planes(game, np.arange(7) / 21)
    assert planes.shape == (2, 2, 2)
    assert planes.ravel().tolist() == pytest.approx([*(np.arange(7) / 21), 0.0])
    assert labels == ["placeless", "placeless"]


def test_a_tree_is_cut_to_its_most_visited_nodes(group):
    tree = read_branches(TICTACTOE, TICTACTOE.start_state(), group.trees, 0, most=12)
    shown = list(branches(tree))
    assert len(shown) == 12
    assert tree.visits == 60
    assert all(sum(child.visits for child in each.children) <= each.visits for each in shown)
    whole = sorted((each.visits for each in branches(read_branches(
        TICTACTOE, TICTACTOE.start_state(), group.trees, 0, most=1_000))), reverse=True)  # fmt: skip
    assert sorted((each.visits for each in shown), reverse=True) == whole[:12]


def test_both_forms_of_a_tree_hold_every_node(group):
    tree = read_branches(TICTACTOE, TICTACTOE.start_state(), group.trees, 0, most=9)
    dot = to_dot(tree)
    assert dot.count("label=") == 9
    assert dot.count("->") == 8
    root = ET.fromstring(to_svg(tree))
    assert sum(each.tag.endswith("rect") for each in root.iter()) == 1 + 9
    assert sum(each.tag.endswith("path") for each in root.iter()) == 8


def test_the_command_writes_the_input_planes(tmp_path):
    fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
    found = CliRunner().invoke(app, ["show", "chess", "--out", str(tmp_path), "--setup", fen, "--moves", "e4 Kd7"])
    assert found.exit_code == 0, found.output
    for name in ("position.svg", "input.svg"):
        root = ET.fromstring((tmp_path / name).read_text())
        assert root.tag == "{http://www.w3.org/2000/svg}svg", "image viewers need the namespace"
    assert ".p0 { fill: #" in (tmp_path / "position.svg").read_text(), "the file contains its colours"


def test_a_model_shows_its_game_by_its_plain_name_as_it_sees_it(tmp_path):
    model = Path(__file__).parents[2] / "models" / "connect4"
    arguments = ["show", "connect4", "--out", str(tmp_path), "--model", str(model), "--visits", "20", "--moves", "4 4"]
    found = CliRunner().invoke(app, arguments)
    assert found.exit_code == 0, found.output or found.exception
    assert "connect4:ahead: input of a network" in (tmp_path / "input.svg").read_text()
    for name in ("policy.svg", "tree.svg"):
        ET.fromstring((tmp_path / name).read_text())
