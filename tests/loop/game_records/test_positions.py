"""Positions of recorded games are read once each, and unusable files are reported."""

from pathlib import Path

import numpy as np
import pytest

import ludus
from ludus.arena.record import MatchPlan, Record
from ludus.arena.summary import MatchGame
from ludus.errors import BadInput, BadRecord
from ludus.loop.game_records.positions import games_of, positions_of
from ludus.store.samples import DTYPES

PGN = '[Event "?"]\n\n1. e4 e5 2. Nf3 *\n\n[Event "?"]\n\n1. e4 c5 *\n'


def fails(fault):
    raise AssertionError(fault)


def test_the_positions_of_a_pgn_file_are_read_once_each(tmp_path):
    (tmp_path / "g.pgn").write_text(PGN)
    positions = positions_of([tmp_path / "g.pgn"], ludus.game("chess"), fails)
    assert [position.moves for position in positions] == [[], ["e4"], ["e4", "e5"], ["e4", "e5", "Nf3"], ["e4", "c5"]]


def test_the_positions_of_a_game_of_go_are_read(tmp_path):
    (tmp_path / "g.sgf").write_text("(;GM[1]FF[4]SZ[9]KM[7];B[ee];W[cc](;B[gg])(;B[dd]))")
    positions = positions_of([tmp_path / "g.sgf"], ludus.game("go:9x9:komi=7"), fails)
    assert [position.num_actions_played for position in positions] == [0, 1, 2, 3]
    with pytest.raises(BadInput, match="holds games of Go, not of connect4"):
        positions_of([tmp_path / "g.sgf"], ludus.game("connect4"), fails)


def test_the_positions_of_a_match_are_read_without_finished_ones(tmp_path):
    game = ludus.game("tictactoe")
    record = Record(tmp_path / "m.jsonl", MatchPlan("a", "b", ["tictactoe"], 0, 0, False))
    record.add(MatchGame("tictactoe", 0, "a", "b", [0, 3, 1, 4, 2], 0, "a", ""))
    positions = positions_of([tmp_path / "m.jsonl"], game, fails)
    assert [position.num_actions_played for position in positions] == [0, 1, 2, 3, 4]
    with pytest.raises(BadInput, match="holds games of tictactoe, not of connect4"):
        positions_of([tmp_path / "m.jsonl"], ludus.game("connect4"), fails)


def test_the_positions_of_a_shard_are_its_states(tmp_path):
    from ludus.games.behaviour import behaviour
    from ludus.store import Samples, write_shard

    game = ludus.game("tictactoe")
    states = np.stack([game.start().play(action).state.view(np.uint64) for action in (4, 0, 4)])
    zeros = {name: np.zeros(3) for name in ("ply", "mover", "action", "outcome", "root_value", "root_draw", "surprise")}
    samples = Samples(
        states=states,
        game=np.zeros(3, np.uint8),
        policy_start=np.zeros(4, np.int32),
        policy_action=np.zeros(0, np.int16),
        policy_weight=np.zeros(0, np.float32),
        weight=np.ones(3, np.float32),
        network=np.zeros(3, np.int32),
        game_id=np.arange(3),
        **{name: array.astype(DTYPES[name]) for name, array in zeros.items()},
    )
    write_shard(tmp_path / "s.shard", samples, rules_key=behaviour(game), names=["tictactoe"])
    positions = positions_of([tmp_path / "s.shard"], game, fails)
    assert [position.to_play for position in positions] == [1, 1]
    with pytest.raises(BadInput, match="holds games of tictactoe, not of connect4"):
        positions_of([tmp_path / "s.shard"], ludus.game("connect4"), fails)


@pytest.mark.parametrize("name", ["missing.pgn", "notes.txt"])
def test_an_unreadable_kind_of_file_is_reported(tmp_path, name):
    with pytest.raises(BadInput, match=f"{name}: not found or not a game record"):
        positions_of([tmp_path / name], ludus.game("chess"), fails)


def test_a_broken_game_is_reported_with_its_line_and_costs_no_other(tmp_path):
    faults = []
    (tmp_path / "a.pgn").write_text('[Event "?"]\n\n1. e5 *\n\n[Variant "Antichess"]\n\n1. e4 *\n\n' + PGN)
    (tmp_path / "b.pgn").write_text('[FEN "nonsense"]\n\n*\n')
    assert len(games_of([tmp_path], [ludus.game("chess")], faults.append)) == 2
    places = [fault.removeprefix(f"left out: {tmp_path}/").split(": ")[0] for fault in faults]
    assert places == ["a.pgn, game 1, line 3", "a.pgn, game 2, line 7", "b.pgn, game 1, line 3"]
    assert "Antichess" in faults[1]
    with pytest.raises(BadInput, match="holds games of Chess, not of tictactoe"):
        positions_of([tmp_path / "a.pgn"], ludus.game("tictactoe"), fails)


def test_a_broken_text_of_a_site_is_reported_and_costs_no_other(tmp_path):
    faults = []
    (tmp_path / "a.txt").write_text('[Game "connect4"]\n[Result "*"]\n\n1. zz *\n')
    (tmp_path / "b.txt").write_text('[Game "connect4"]\n[Result "*"]\n\n1. 4 *\n')
    [played] = games_of([tmp_path], [ludus.game("connect4")], faults.append)
    assert len(played.positions) == 2
    assert [fault.startswith(f"left out: {tmp_path / 'a.txt'}, game 1: Move 1: ") for fault in faults] == [True]


@pytest.mark.parametrize(("name", "spec"), [("g.pgn", "chess"), ("g.sgf", "go:9x9")])
def test_a_file_without_permission_is_reported(tmp_path, monkeypatch, name, spec):
    (tmp_path / name).write_text("")

    def refuse(_path):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", refuse)
    with pytest.raises(BadRecord, match=rf"{name}: cannot be read \(Permission denied\)"):
        positions_of([tmp_path / name], ludus.game(spec), fails)


def test_a_site_s_text_of_a_game_is_read_for_the_board_that_a_network_plays(tmp_path):
    text = '[Variant "classic"]\n[Board "5x5"]\n[Result "*"]\n\n1. Cb5.>d4 --- 2. Cc5\n*\n'
    (tmp_path / "g.txt").write_text(text)
    [played] = games_of([tmp_path / "g.txt"], [ludus.game("wallgame:classic:5x5@6x6:ways:short")], fails)
    assert played.positions[-1].moves == ["Cb5.>d4", "---", "Cc5"], "moves of people may have fewer actions"
    assert played.positions[-1].game.name == "wallgame:classic:5x5@6x6:ways:short"
    with pytest.raises(BadInput, match=r"g\.txt: holds games of Wall Game, not of connect4"):
        positions_of([tmp_path / "g.txt"], ludus.game("connect4"), fails)


def test_matches_are_games_as_people_play_them_with_their_openings(tmp_path):
    record = Record(tmp_path / "m.jsonl", MatchPlan("a", "b", ["wallgame:classic:5x5@6x6"], 0, 2, False))
    actions = ludus.game("wallgame:classic:5x5@6x6").start().parse("Cb5.>d4")
    record.add(MatchGame("wallgame:classic:5x5@6x6", 0, "a", "b", actions, 2, None, ""))
    [played] = games_of([tmp_path / "m.jsonl"], [ludus.game("wallgame:classic:5x5@6x6:short")], fails)
    assert (played.positions[-1].moves, played.opening) == (["Cb5.>d4"], 2)


def test_folders_give_the_games_in_them_but_no_lists_of_lines(tmp_path):
    for name in ("a/1.pgn", "a/b/2.pgn", "a/3.md", "a/4.jsonl"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(PGN)
    assert len(games_of([tmp_path / "a"], [ludus.game("chess")], fails)) == 4


def test_shards_are_no_games(tmp_path):
    (tmp_path / "s.shard").write_bytes(b"")
    with pytest.raises(BadInput, match=r"s\.shard: not found or not a game record; name files ending in \.pgn"):
        games_of([tmp_path / "s.shard"], [ludus.game("tictactoe")], fails)
