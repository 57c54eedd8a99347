"""The report is one page of valid parts that shows the run and loads nothing from the network."""

import re
import xml.etree.ElementTree as ElementTree

import msgspec
import numpy as np
import pytest

import ludus
from ludus.errors import BadInput
from ludus.games.board import Board, Edge, Label, Piece, Spot
from ludus.loop.directory.folder import Folder
from ludus.loop.directory.lines import RunStart
from ludus.loop.preset import Preset
from ludus.report.chart import ChartLine, Point, chart, nice_ticks
from ludus.report.drawing import PAINTS, draw_picture, draw_svg
from ludus.report.page import make_page
from ludus.store import read_shard, shard_path, write_shard


def test_the_page_shows_the_run_and_needs_no_net(folder):
    page = make_page(folder)
    assert "a &lt;run&gt;: report of a run" in page
    assert "too many &lt;draws&gt;." in page
    assert page.count('class="chart"') == 8
    assert page.count('<article class="game"') == 4
    assert "3 of 5" in page
    assert "wrong resignations" in page
    assert not re.search(r"""(src|href)=|url\(|https?://(?!www\.w3\.org)""", page)
    for svg in re.findall(r"<svg.*?</svg>", page, re.DOTALL):
        ElementTree.fromstring(svg)
    steps = [len(re.findall('class="step', game)) for game in page.split("<article")[1:]]
    assert min(steps) >= 6, "every position of a game has a picture"


def test_a_directory_without_a_run_is_refused(tmp_path):
    with pytest.raises(BadInput, match="contains no run"):
        make_page(Folder(tmp_path))
    Folder(tmp_path).begin(Preset(name="x", games=["tictactoe"]), RunStart(0, "", "", "", "", "", 1, {}))
    with pytest.raises(BadInput, match="no generation is complete"):
        make_page(Folder(tmp_path))


def test_games_of_other_rules_are_not_replayed_and_all_else_is_shown(folder):
    shard = shard_path(folder.shards, 2, 0)
    write_shard(shard, read_shard(shard), rules_key="of yesterday", names=folder.preset().games)
    page = make_page(folder)
    assert '<article class="game"' not in page
    assert "None: the rules of" in page
    assert page.count('class="chart"') == 8


def test_a_chart_places_its_points_in_order():
    svg = chart([ChartLine("a", [Point(0, 1.0), Point(1, 3.0, 0.5), Point(2, 2.0)])], label="three")
    ways = re.search(r'polyline points="([^"]*)"', svg)
    assert ways
    (x0, y0), (x1, y1), (x2, y2) = ([float(part) for part in pair.split(",")] for pair in ways[1].split())
    assert x0 < x1 < x2
    assert y1 < y2 < y0, "larger values are higher"
    assert svg.count('class="bar"') == 1
    assert "a, generation 1: 3 ±0.5" in svg
    assert chart([ChartLine("none", [])], label="empty") == ""


@pytest.mark.parametrize(("low", "high"), [(0.0, 1.0), (-3.2, 17.0), (5.0, 5.0), (0.0, 123456.0), (1.21, 1.29)])
def test_ticks_are_round_and_hold_everything(low, high):
    ticks = nice_ticks(low, high)
    assert ticks[0] <= low <= high <= ticks[-1]
    assert 2 <= len(ticks) <= 9
    steps = np.diff(ticks)
    assert steps == pytest.approx(steps[0])


def test_a_board_is_drawn_with_all_that_it_describes():
    position = ludus.game("wallgame:classic:5x5").start()
    board = position.describe()
    svg = draw_svg(board)
    ElementTree.fromstring(svg)
    assert svg.count('<text class="label"') == len(board.column_labels) + len(board.row_labels)
    assert msgspec.structs.replace(board, pieces=[]) != board
    assert svg != draw_svg(msgspec.structs.replace(board, pieces=[]))


def test_boards_of_every_shape_are_drawn_within_their_frame():
    hexagons = Board(5, 5, "hexagons", [Piece((4, 4), "stone", 0)], [Edge((0, 0), "top-left", 1)])
    free = [Spot((0, column), centre=(column / 3, -column), size=(2, 1)) for column in range(3)]
    pits = Board(1, 3, "pits", [Piece((0, 2), "seed")] * 7, cells=free)
    held = Board(2, 2, "squares", [Piece((2, 3), "pawn", 0)] * 3, labels=[Label((0, 0), "<3")], trays=4)
    lines = Board(2, 2, "points", lines=[[(0, 0), (1, 1)]])
    for board in (hexagons, pits, held, lines):
        root = ElementTree.fromstring(draw_svg(board))
        _, _, width, height = map(float, root.attrib["viewBox"].split())
        for element in root:
            across = float(element.attrib.get("cx") or element.attrib.get("x") or 0)
            down = float(element.attrib.get("cy") or element.attrib.get("y") or 0)
            assert 0 <= across <= width
            assert 0 <= down <= height
    assert draw_svg(hexagons).count("<polygon") == 25
    assert re.findall(r'<text class="letter none"[^>]*>(.*?)<', draw_svg(pits)) == ["7"]
    assert re.findall(r'<text class="letter [^>]*>(.*?)<', draw_svg(held)) == ["P3", "&lt;3"]
    assert re.findall(r'<path class="lines" d="(.*?)"', draw_svg(lines)) == ["M38 38L78 78"]


def test_pieces_have_the_colours_that_the_board_names():
    go, default = ludus.game("go:5x5").start().describe(), Board(1, 1, "squares")
    assert draw_svg(go).startswith(f'<svg class="board" style="--p0:{PAINTS["black"]};--p1:{PAINTS["white"]};')
    assert f".p1 {{ fill: {PAINTS['blue']}; }}" in draw_picture(default)
    assert "var(" not in draw_picture(default)


def test_no_two_pieces_of_chess_look_alike():
    texts = re.findall(r'<text class="letter p0"[^>]*>(.)<', draw_svg(ludus.game("chess").start().describe()))
    assert sorted(texts) == sorted("KQRRBBNN" + 8 * "P")


def test_the_dots_of_a_board_are_no_latest_move():
    position = ludus.game("gomoku:freestyle:9x9").start()
    assert "mark" not in draw_svg(position.describe())
    assert draw_svg(position.describe()).count('class="star"') == 5
    assert draw_svg(position.play("a1").describe()).count('class="mark last"') == 1
