"""An interrupted match continues where it stopped, and damaged records are detected."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ludus
from ludus import lines
from ludus.arena.match import play_match
from ludus.arena.record import MatchPlan, Record, read_record
from ludus.arena.results import read_results
from ludus.errors import BadInput, BadRecord, Unavailable
from ludus.loop.preset import load_preset
from ludus.loop.stages.measure import anchor, name_of
from ludus.players.opponents.random import RandomPlayer

TICTACTOE, CONNECT4 = ludus.game("tictactoe"), ludus.game("connect4")
PLAN = MatchPlan("one", "two", ["tictactoe"], seed=3, opening_actions=1, balanced=False)


class Lowest:
    """A player of the lowest or highest legal action, which interrupts the match after some moves."""

    def __init__(self, name, *, highest=False, patience=1_000_000):
        self.name, self.highest, self.patience = name, highest, patience

    def choose(self, game, states):
        self.patience -= len(states)
        if self.patience < 0:
            raise KeyboardInterrupt
        legal, chosen = np.zeros(game.max_legal, np.int16), []
        for state in states.view(game.dtype):
            with np.errstate(over="ignore"):
                found = legal[: game.rules.legal(state, legal)]
            chosen.append(int(found.max() if self.highest else found.min()))
        return np.array(chosen, np.int16)


def play(record, *, patience=1_000_000, pairs=6, at_once=2):
    players = Lowest("one", patience=patience), Lowest("two", highest=True)
    return play_match(
        [TICTACTOE], *players, pairs=pairs, seed=3, opening_actions=1, at_once=at_once, on_game=record.add,
        played=tuple(record.games),
    )  # fmt: skip


@pytest.mark.parametrize("patience", [0, 1, 7, 12, 20, 29])
def test_an_interrupted_match_continues_where_it_stopped(tmp_path, patience):
    whole = play(Record(tmp_path / "whole.jsonl", PLAN))
    file = tmp_path / "broken.jsonl"
    with pytest.raises(KeyboardInterrupt):
        play(Record(file, PLAN), patience=patience)
    before = file.read_bytes()
    assert play(Record(file, PLAN)) == whole
    assert file.read_bytes().startswith(before), "written lines never change"
    games = read_record(file)[1]
    assert len({(game.pair, game.first) for game in games}) == len(games) == 12


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_a_record_cut_off_at_any_byte_continues(tmp_path_factory, data):
    folder = tmp_path_factory.mktemp("cut")
    file = folder / "match.jsonl"
    whole = play(Record(file, PLAN))
    content = file.read_bytes()
    file.write_bytes(content[: data.draw(st.integers(0, len(content)))])
    assert play(Record(file, PLAN)) == whole


def test_a_finished_match_is_not_repeated_and_a_longer_one_continues(tmp_path):
    file = tmp_path / "match.jsonl"
    first = play(Record(file, PLAN))
    assert play(Record(file, PLAN), patience=0) == first
    longer = play(Record(file, PLAN), pairs=9)
    assert sum(longer.pairs) == 9
    assert play(Record(tmp_path / "new.jsonl", PLAN), pairs=9) == longer


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_any_changed_byte_is_noticed(tmp_path_factory, data):
    file = tmp_path_factory.mktemp("damaged") / "match.jsonl"
    play(Record(file, PLAN), pairs=2)
    content = bytearray(file.read_bytes())
    at = data.draw(st.integers(0, len(content) - 2))  # without its final line end, the last line is torn, not damaged
    content[at] ^= 1 << data.draw(st.integers(0, 6))
    file.write_bytes(bytes(content))
    with pytest.raises((BadRecord, BadInput)):
        Record(file, PLAN)


@pytest.mark.parametrize("content", ["my notes", "my notes\n", '{"a":"one"}\n'])
def test_a_file_that_is_no_record_is_left_alone(tmp_path, content):
    file = tmp_path / "notes.txt"
    file.write_text(content)
    with pytest.raises(BadRecord, match=r"notes.txt"):
        Record(file, PLAN)
    assert file.read_text() == content


def test_players_in_the_reverse_order_are_refused_with_the_remedy(tmp_path):
    Record(tmp_path / "m", PLAN)
    swapped = msgspec.structs.replace(PLAN, a=PLAN.b, b=PLAN.a)
    with pytest.raises(BadInput, match=f"holds the match of {PLAN.a} against {PLAN.b}, not .*: name the players in"):
        Record(tmp_path / "m", swapped)


def test_the_record_of_another_match_is_refused(tmp_path):
    file = tmp_path / "match.jsonl"
    play(Record(file, PLAN))
    other = msgspec.structs.replace(PLAN, seed=4)
    with pytest.raises(BadInput, match=r"holds another match .seed is 3 there but 4 here.; name another file"):
        Record(file, other)


def test_results_are_read_from_files_and_folders_and_runs(tmp_path):
    record = Record(tmp_path / "league" / "match.jsonl", PLAN)
    result = play(record)
    assert read_results([record.path]) == read_results([record.path.parent]) == [result]
    run = a_run(tmp_path / "run", result)
    assert read_results([run]) == [result]
    assert read_results([run, record.path, run / "matches.jsonl"]) == [result, result], "the run counts once"
    with pytest.raises(BadInput, match="contains no match record"):
        read_results([tmp_path])
    (tmp_path / "young").mkdir()
    (tmp_path / "young" / "preset.toml").touch()
    (tmp_path / "young" / "history.jsonl").write_text("{}\n")
    with pytest.raises(BadInput, match=r"young: this run has played no matches; set match\.pairs"):
        read_results([tmp_path / "young"])


def a_run(folder, *results):
    folder.mkdir(parents=True)
    lines = [msgspec.json.encode(result) for result in results]
    (folder / "matches.jsonl").write_bytes(b"\n".join([*lines, b'{"torn']))
    return folder


@pytest.mark.parametrize("preset", ["tictactoe-smoke", "wallgame-8x8-laptop"])
def test_generations_of_several_runs_are_different_players_and_the_fixed_opponent_is_one(tmp_path, preset):
    result, written = play(Record(tmp_path / "match.jsonl", PLAN)), anchor(load_preset(preset)).name
    fixed = written.replace("-", "@")
    matches = [
        msgspec.structs.replace(result, a=name_of(5), b=name_of(4)),
        msgspec.structs.replace(result, a=name_of(5), b=written),
    ]
    runs = [a_run(tmp_path / name, *matches) for name in ("old/chess", "new/chess", "new/go")]

    def players(*paths):
        return [(each.a, each.b) for each in read_results(paths)]

    assert players(runs[0]) == [("gen-0005", "gen-0004"), ("gen-0005", fixed)]
    assert players(*runs[1:]) == [
        ("chess/gen-0005", "chess/gen-0004"),
        ("chess/gen-0005", fixed),
        ("go/gen-0005", "go/gen-0004"),
        ("go/gen-0005", fixed),
    ]
    assert {a for a, _ in players(*runs)} == {"old/chess/gen-0005", "new/chess/gen-0005", "new/go/gen-0005"}


@pytest.mark.parametrize("kind", ["heuristic", "playouts"])
def test_a_fixed_opponent_of_a_run_has_its_name_from_matches(tmp_path, kind):
    record = Record(tmp_path / "match.jsonl", msgspec.structs.replace(PLAN, b=f"{kind}@200"))
    players = Lowest("one"), Lowest(f"{kind}@200", highest=True)
    result = play_match([TICTACTOE], *players, pairs=1, seed=3, opening_actions=1, on_game=record.add)
    run = a_run(tmp_path / "run", msgspec.structs.replace(result, a=name_of(5), b=f"{kind}-200"))
    assert [each.b for each in read_results([run, record.path])] == [f"{kind}@200"] * 2


def test_a_player_of_several_records_is_one_if_its_identity_is_the_same(tmp_path):
    def player(file, identity, *, pairs=6):
        record = Record(tmp_path / file, msgspec.structs.replace(PLAN, a_is=identity))
        play(record, pairs=pairs)
        return record.path

    one, again, other = player("1", "12ab" * 4), player("2", "12ab" * 4, pairs=20), player("3", "34cd" * 4)
    assert [each.a for each in read_results([one, again])] == ["one", "one"]
    assert [each.a for each in read_results([one, other, again])] == ["one#12ab12ab", "one#34cd34cd", "one#12ab12ab"]
    assert [each.b for each in read_results([one, other])] == ["two", "two"]


# ---- waves, balance --------------------------------------------------------------------------------------------------


def test_a_match_may_end_after_any_wave():
    asked = []

    def is_over(counts):
        asked.append(sum(counts))
        return len(asked) == 3

    result = play_match(
        [CONNECT4, TICTACTOE], Lowest("one"), Lowest("two", highest=True), pairs=50, seed=1, at_once=4, is_over=is_over
    )
    assert asked == [4, 8, 12]
    assert sum(result.pairs) == 12


def test_a_continued_match_is_checked_only_after_whole_waves(tmp_path):
    def play(record, *, patience=1_000_000):
        asked = []
        players = Lowest("one", patience=patience), Lowest("two", highest=True)
        result = play_match(
            [CONNECT4], *players, pairs=12, seed=3, opening_actions=4, at_once=4, on_game=record.add,
            played=tuple(record.games), is_over=lambda counts: asked.append(counts) or len(asked) == 2,
        )  # fmt: skip
        return result, asked

    plan = msgspec.structs.replace(PLAN, games=["connect4"], opening_actions=4)
    whole = play(Record(tmp_path / "whole.jsonl", plan))
    waves = [[game.pair // 4 for game in read_record(tmp_path / "whole.jsonl")[1]].count(wave) for wave in range(3)]
    assert waves == [8, 8, 0]
    ahead = Record(tmp_path / "ahead.jsonl", plan)
    players = Lowest("one"), Lowest("two", highest=True)
    games = []
    play_match([CONNECT4], *players, pairs=12, seed=3, opening_actions=4, on_game=games.append)
    shortest = sorted(games, key=lambda game: len(game.actions))[:12]
    assert len({game.pair // 4 for game in shortest}) == 3, "each wave has short games"
    for game in shortest:
        ahead.add(game)
    assert play(ahead) == whole


def test_waves_play_the_same_games_as_all_at_once():
    def games(at_once):
        seen = []
        players = Lowest("one"), Lowest("two", highest=True)
        play_match(
            [CONNECT4, TICTACTOE], *players, pairs=9, seed=5, opening_actions=2, at_once=at_once, on_game=seen.append
        )
        return sorted(seen, key=lambda game: (game.pair, game.first))

    assert games(None) == games(1) == games(4)


@pytest.mark.parametrize("name", ["wallgame:classic:5x5", "connect4"])
def test_balanced_openings_are_nearer_to_even_than_others(name):
    from ludus.arena.balance import DEPTH, Balance
    from ludus.players.judging.heuristic import PlayoutEvaluator
    from ludus.players.opponents.minimax import Minimax

    game = ludus.game(name)

    def judge(words):
        if game.has_rule("survey"):
            return Minimax(game).search(words, depth=DEPTH).value
        win, _, loss = PlayoutEvaluator(playouts=400, seed=9).evaluate_states(game, words[None])[1][0]
        return float(win - loss)

    def imbalance(accepts):
        seen = []
        players = RandomPlayer(1), Lowest("other")
        play_match([game], *players, pairs=24, seed=2, opening_actions=12, accepts=accepts, on_game=seen.append)
        positions = []
        for each in seen:
            position = game.start()
            for action in each.actions[: each.opening]:
                position = position.play(action)
            positions.append(abs(judge(position.state.view(np.uint64))))
        return positions

    balanced, drawn = imbalance(Balance()), imbalance(None)
    assert max(balanced) <= (0.035 if game.has_rule("survey") else 0.85), "400 other playouts confirm it"
    assert np.mean(balanced) < np.mean(drawn)


def test_openings_that_are_hardly_ever_accepted_are_refused():
    with pytest.raises(BadInput, match="connect4: too few positions after 3 random actions are balanced"):
        play_match(
            [CONNECT4], Lowest("one"), Lowest("two"), pairs=2, seed=1, opening_actions=3,
            accepts=lambda _game, states: np.zeros(len(states), bool),
        )  # fmt: skip


def test_a_game_that_two_processes_played_counts_once(tmp_path):
    alone, both = Record(tmp_path / "alone", PLAN), Record(tmp_path / "both", PLAN)
    result = play(alone)
    beside = Record(tmp_path / "both", PLAN)  # opened by another process before the first game
    play(both)
    play(beside)
    assert len((tmp_path / "both").read_bytes().splitlines()) == 1 + 2 * 12
    assert read_results([tmp_path / "both"]) == [result]


def test_an_error_with_an_unpaired_surrogate_is_recorded(tmp_path):
    class Failing(Lowest):
        def choose(self, game, states):
            raise OSError("\udcff.bin is not there")

    record = Record(tmp_path / "m", PLAN)
    play_match([TICTACTOE], Lowest("one"), Failing("two"), pairs=1, seed=3, opening_actions=1, on_game=record.add)
    said = [game.forfeit for game in read_record(record.path)[1]]
    assert said == ["two failed: OSError: \\udcff.bin is not there"] * 2


def test_another_network_of_the_same_name_is_refused(tmp_path):
    Record(tmp_path / "m", msgspec.structs.replace(PLAN, a_is="12ab"))
    Record(tmp_path / "m", msgspec.structs.replace(PLAN, a_is="12ab"))
    with pytest.raises(BadInput, match="another match \\(a_is is '12ab' there but '34cd' here\\)"):
        Record(tmp_path / "m", msgspec.structs.replace(PLAN, a_is="34cd"))


def test_a_record_with_an_invalid_file_name_is_refused(tmp_path):
    with pytest.raises(Unavailable, match=r"cannot be (read|written) "):
        Record(tmp_path / ("x" * 300), PLAN)


def test_a_file_that_never_was_a_record_is_not_called_damaged(tmp_path):
    (tmp_path / "notes").write_text("tea, milk\n")
    with pytest.raises(BadRecord, match="there is no checksum, so this is not a record; name another file"):
        read_results([tmp_path / "notes"])


@pytest.fixture
def at_the_same_moment(tmp_path, monkeypatch):
    """Return a function that opens a record for each plan before any of them is written."""

    def opened(*plans):
        all_have_looked, make_folder = Barrier(len(plans)), lines.make_folder

        def wait_and_make(folder):
            all_have_looked.wait(300)
            make_folder(folder)

        with monkeypatch.context() as patched, ThreadPoolExecutor(len(plans)) as threads:
            patched.setattr(lines, "make_folder", wait_and_make)
            started = [threads.submit(Record, tmp_path / "match.jsonl", plan) for plan in plans]
            return [each.exception() or each.result() for each in started]

    return opened


def test_a_record_that_several_begin_at_the_same_moment_has_one_first_line(at_the_same_moment):
    one, other, third = at_the_same_moment(PLAN, PLAN, PLAN)
    assert len(one.path.read_bytes().splitlines()) == 1
    result = play(one)
    assert play(other) == play(third) == result
    assert read_record(one.path)[0] == PLAN


def test_of_two_matches_that_begin_one_record_at_the_same_moment_one_is_refused(at_the_same_moment):
    opened = at_the_same_moment(PLAN, msgspec.structs.replace(PLAN, seed=4))
    (record,) = [each for each in opened if isinstance(each, Record)]
    (refusal,) = [each for each in opened if isinstance(each, BadInput)]
    assert "holds another match (seed is " in str(refusal)
    assert len(record.path.read_bytes().splitlines()) == 1
