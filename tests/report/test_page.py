"""The report is one page of valid parts that shows the run and loads nothing from the network."""

import re
import xml.etree.ElementTree as ElementTree

import msgspec
import numpy as np
import pytest

import ludus
from ludus.errors import BadInput
from ludus.games.behaviour import behaviour
from ludus.games.board import Board, Edge, Label, Piece, Spot
from ludus.learner.losses import Losses
from ludus.loop.diagnostics.facts import facts_of
from ludus.loop.directory.folder import Folder
from ludus.loop.directory.lines import Alarm, GenerationMetrics, NetworkProbe, RunStart, Side
from ludus.loop.preset import Preset
from ludus.report.chart import ChartLine, Point, chart, nice_ticks
from ludus.report.drawing import PAINTS, draw_picture, draw_svg
from ludus.report.page import make_page
from ludus.store import Samples, read_shard, shard_path, write_shard
from ludus.store.samples import DTYPES


def played(game, number):
    """Return a random game as samples."""
    rng, position, states, actions, movers = np.random.default_rng(number), game.start(), [], [], []
    while not position.outcome:
        states.append(position.state.view(np.uint64))
        actions.append(int(rng.choice(position.actions)))
        movers.append(position.to_play)
        position = position.play(actions[-1])
    length = len(states)
    arrays = {name: np.zeros(length, dtype) for name, dtype in DTYPES.items()}
    winner = position.outcome.winner
    return Samples(
        **arrays
        | {
            "states": np.stack(states),
            "action": np.array(actions, DTYPES["action"]),
            "mover": np.array(movers, np.uint8),
            "ply": np.arange(length, dtype=np.int16),
            "policy_start": np.zeros(length + 1, np.int32),
            "policy_action": np.zeros(0, np.int16),
            "policy_weight": np.zeros(0, np.float32),
            "outcome": np.full(length, 3 if winner is None else 1 + winner, np.uint8),
            "game_id": np.full(length, number, np.int64),
        }
    )


@pytest.fixture(params=["connect4", "tictactoe", "wallgame:classic:5x5"])
def folder(tmp_path, request):
    """Return the directory of an untrained run with three generations."""
    game, folder = ludus.game(request.param), Folder(tmp_path)
    preset = Preset(name="a <run>", games=[request.param], generations=5)
    folder.begin(preset, RunStart(0, "2026-01-01", "0.1.0", "abc", "a processor", "3.11", 2, {game.name: "0123"}))
    samples = Samples.concatenate([played(game, number) for number in range(6)])
    side = Side(100, 0.5, 0.4, 0.6, 1.0)
    for generation in range(3):
        write_shard(shard_path(folder.shards, generation, 0), samples, rules_key=behaviour(game), names=preset.games)
        line = GenerationMetrics(
            generation=generation,
            facts=facts_of(samples, [game]),
            losses=Losses(2.0 - 0.1 * generation, 1.0, 0.5, 8, 2.1, 1.1, target_entropy=1.2),
            probe=NetworkProbe(100, 0.5, 0.4, 0.3, 0.9, [side, side]),
            **dict.fromkeys(("selfplay_s", "learner_s", "match_s", "seconds"), 0.5),
            **dict.fromkeys(("evaluator_share", "search_share", "fill"), 0.5),
            **dict.fromkeys(("evaluations", "simulations", "cache_hits"), 3000),
            alarms=[Alarm("draws", "too many <draws>.")] if generation == 1 else [],
            played_out=40 * generation,
            wrongly_resigned=generation,
            elo=None if generation == 1 else 10.0 * generation,
            elo_error=None if generation == 1 else 5.0,
        )
        folder.note(line)
    return folder


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
