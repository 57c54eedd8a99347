"""Games of matches become samples and openings, without their random openings and with the preset's planes."""

import json

import numpy as np
import pytest

import ludus
from ludus import lines
from ludus.arena.match import play_match
from ludus.arena.record import MatchPlan, Record
from ludus.arena.summary import MatchGame
from ludus.errors import BadInput, BadPreset, BadRecord
from ludus.games.rules import FIRST_WINS
from ludus.loop.game_records.readers import find_records, read_openings, read_records
from ludus.loop.preset import load_preset

GAME = ludus.game("connect4")
PLAN = MatchPlan("a", "b", ["connect4"], seed=0, opening_actions=2, balanced=False)
WON = [3, 0, 3, 0, 3, 0, 3]


def game(actions, winner="a", *, spec="connect4", forfeit="", opening=2, pair=0):
    return MatchGame(spec, pair, "a", "b", actions, opening, winner, forfeit)


@pytest.fixture
def read(tmp_path):
    def read(*games, plan=PLAN, presets=(GAME,)):
        path, faults = tmp_path / "match.jsonl", []
        path.write_bytes(b"".join(map(lines.sealed, [plan, *games])))
        return read_records(path, presets, faults.append), [fault.partition("match.jsonl, ")[2] for fault in faults]

    return read


def test_moves_after_the_opening_are_learned(read):
    samples, faults = read(game(WON))
    assert not faults
    assert samples.action.tolist() == WON[2:]
    assert samples.ply.tolist() == [2, 3, 4, 5, 6]
    assert samples.mover.tolist() == [0, 1, 0, 1, 0]
    assert set(samples.outcome.tolist()) == {FIRST_WINS}


def test_players_may_have_seen_other_planes(read):
    samples, _ = read(game(WON), presets=[ludus.game("connect4:ahead")])
    assert len(samples) == len(WON) - 2


def test_forfeited_games_and_those_of_other_boards_are_left_out(read):
    plan = MatchPlan("a", "b", ["connect4", "tictactoe"], seed=0, opening_actions=2, balanced=False)
    other = game([0, 3, 1], spec="tictactoe", pair=1)
    samples, faults = read(game(WON), other, game([3, 0, 3], forfeit="b died.", pair=2), plan=plan)
    assert len(samples) == len(WON) - 2
    assert faults == [
        "pair 1 with a first: it is tictactoe, which the preset does not include.",
        "pair 2 with a first: it was forfeited, so its result does not depend on the position.",
    ]


def test_unusable_records_are_refused_with_their_place(read, tmp_path):
    with pytest.raises(BadInput, match=r"match\.jsonl: holds games of connect4, but the preset has"):
        read(game(WON), presets=[ludus.game("tictactoe")])
    with pytest.raises(BadRecord, match=r"pair 0 with a first: action 3 is illegal"):
        read(game([3] * 7))
    other = tmp_path / "metrics.jsonl"
    other.write_text(json.dumps({"generation": 0}) + "\n")
    with pytest.raises(BadRecord, match=r"metrics\.jsonl"):
        read_records(other, [GAME])


def test_a_match_record_is_only_read_if_it_is_named(read, tmp_path):
    read(game(WON))
    assert find_records([tmp_path / "match.jsonl"]) == [tmp_path / "match.jsonl"]
    with pytest.raises(BadInput, match=r"contains no game records \(\.pgn, \.sgf, \.shard\)"):
        find_records([tmp_path])


PRESET = """
name = "small"
games = ["connect4"]
openings_from = [{records}]

[selfplay]
opening_share = {share}
"""


def preset_of(tmp_path, records, share):
    file = tmp_path / "preset.toml"
    file.write_text(PRESET.format(records=", ".join(f'"{each}"' for each in records), share=share))
    return load_preset(str(file))


@pytest.mark.parametrize(("records", "share"), [(["match.jsonl"], 0.0), ([], 0.5)])
def test_records_without_a_share_and_a_share_without_records_are_refused(tmp_path, records, share):
    with pytest.raises(BadPreset, match=r"openings_from and selfplay\.opening_share must be set together"):
        preset_of(tmp_path, records, share)


def test_a_run_begins_games_at_the_positions_of_its_records(read, tmp_path):
    samples, _ = read(game(WON))
    preset = preset_of(tmp_path, [tmp_path / "match.jsonl"], 0.5)
    openings = read_openings(preset, [GAME])
    drawn = [openings.draw(0, np.random.default_rng(seed)) for seed in range(40)]
    known = {(state.tobytes(), int(ply)) for state, ply in zip(samples.states, samples.ply, strict=True)}
    assert {(words.tobytes(), ply) for words, ply in drawn} == known


def test_unusable_records_are_skipped_unless_all_are_unusable(read, tmp_path):
    read(game(WON, forfeit="b"))
    (tmp_path / "match.jsonl").rename(tmp_path / "forfeited.jsonl")
    samples, _ = read(game(WON))
    for names in (["forfeited.jsonl"], ["forfeited.jsonl", "match.jsonl"]):
        preset = preset_of(tmp_path, [tmp_path / name for name in names], 0.5)
        if "match.jsonl" in names:
            words, _ = read_openings(preset, [GAME]).draw(0, np.random.default_rng(0))
            assert words.tobytes() in {state.tobytes() for state in samples.states}
        else:
            with pytest.raises(BadInput, match=r"^small: no game in openings_from can be used; name others"):
                read_openings(preset, [GAME])


def test_records_of_ludus_match_can_be_read(tmp_path):
    path = tmp_path / "match.jsonl"
    record = Record(path, MatchPlan("one", "two", ["connect4"], seed=0, opening_actions=4, balanced=False))

    class Leftmost:
        def __init__(self, name):
            self.name = name

        def choose(self, game, states):
            return np.array([min(game.calls.legal(state.view(game.dtype))) for state in states], np.int16)

    play_match([GAME], Leftmost("one"), Leftmost("two"), pairs=3, seed=0, opening_actions=4, on_game=record.add)
    samples = read_records(path, [GAME])
    assert len(samples) == sum(len(each.actions) - each.opening for each in record.games)
