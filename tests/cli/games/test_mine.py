"""`ludus mine` finds puzzles that a solver confirms, continues after an interrupt, and rejects invalid input."""

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

import ludus as package
from ludus.arena.record import MatchPlan, Record
from ludus.arena.summary import MatchGame
from ludus.cli.app import app
from ludus.errors import BadInput, BadRecord, Unavailable
from ludus.games.puzzle import read_puzzles
from ludus.players.jobs import mine as miner

CONNECT4 = Path(__file__).parents[3] / "models/connect4"
TICTACTOE = package.game("tictactoe")


def ludus(*arguments):
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


@pytest.fixture(scope="module")
def model(save_tiny, tmp_path_factory):
    return save_tiny(tmp_path_factory.mktemp("model"))


def record_of(path, *games):
    record = Record(path, MatchPlan("a", "b", ["tictactoe"], 0, 0, False))
    for number, moves in enumerate(games):
        position = TICTACTOE.start()
        for move in moves.split():
            position = position.play(move)
        actions = [each.action for each in position.history[1:]]
        record.add(MatchGame("tictactoe", number, "a", "b", actions, 0, None, ""))
    return path


# the first player creates two threats at once with c3, but plays b3
MISSED = "a1 b1 a3 a2 b3 c3"
OPTIONS = ("--visits", 400, "--short", 2, "--gap", 0.6, "--worth", 0.5)


def mined(model, out, *records, more=OPTIONS):
    named = [word for record in records for word in ("--records", record)]
    return ludus("mine", model, *named, "--out", out, *more)


def test_games_are_searched_once_and_more_can_be_added(model, tmp_path):
    one = record_of(tmp_path / "one.jsonl", MISSED, "a1 b2 c3 a2 c2 c1 a3 b3 b1")
    done = mined(model, tmp_path / "p", one)
    assert done.exit_code == 0, done.exception
    assert re.search(r"p: 2 games searched, 15 positions; \d+ new puzzles, \d+ in all\.", done.stdout), done.stdout
    assert "gave too little away" in done.stdout
    before = (tmp_path / "p").read_bytes()
    again = mined(model, tmp_path / "p", one)
    assert "0 games searched" in again.stdout
    assert "2 games were skipped" in again.stdout
    assert (tmp_path / "p").read_bytes() == before
    two = record_of(tmp_path / "two.jsonl", "b2 a1 c1 a3 a2 c2 b1 b3 c3")
    assert "1 games searched" in mined(model, tmp_path / "p", one, two).stdout
    mining, found = read_puzzles(tmp_path / "p")
    assert (mining.model, mining.visits, mining.short) == ("tiny", 400, 2)
    assert [each.turns for each in found] == [6, 9, 9] or [each.turns for each in found] == [9, 6, 9]


def test_an_interrupt_reports_the_stored_games_and_the_rest_is_searched_later(model, tmp_path, monkeypatch):
    records = record_of(tmp_path / "r.jsonl", MISSED, "a1 b2 c3 a2 c2 c1 a3 b3 b1")
    look = miner.mine

    def interrupted(*arguments, **named):
        yield next(look(*arguments, **named))
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(miner, "mine", interrupted)
        done = mined(model, tmp_path / "p", records)
    assert done.exit_code
    assert "p: the results of 1 games are stored; the games in progress are searched again" in done.stderr
    assert "1 games searched" in mined(model, tmp_path / "p", records).stdout
    assert len(read_puzzles(tmp_path / "p")[1]) == 2


def test_a_site_s_texts_are_read_and_folders_of_them(model, tmp_path):
    (tmp_path / "games").mkdir()
    text = '[Game "tictactoe"]\n[Result "*"]\n\n1. a1 b1 2. a3 a2 3. b3 c3\n*\n'
    (tmp_path / "games/g.txt").write_text(text)
    done = mined(model, tmp_path / "p", tmp_path / "games")
    assert "1 games searched, 6 positions" in done.stdout, done.exception


def test_a_file_with_other_settings_is_rejected(model, tmp_path):
    one = record_of(tmp_path / "one.jsonl", MISSED)
    assert mined(model, tmp_path / "p", one).exit_code == 0
    refused = mined(model, tmp_path / "p", one, more=("--visits", 500, "--short", 2))
    assert isinstance(refused.exception, BadInput)
    assert "p: was created with visits 400, not 500; choose another file with --out." in str(refused.exception)


def test_other_files_are_not_overwritten(model, tmp_path):
    one = record_of(tmp_path / "one.jsonl", MISSED)
    content = one.read_bytes()
    assert isinstance(mined(model, one, one).exception, BadRecord)
    assert one.read_bytes() == content
    assert "is not a regular file" in str(mined(model, tmp_path, one).exception)
    refused = mined(model, Path("/dev/null/p"), one).exception
    assert isinstance(refused, Unavailable)


@pytest.mark.parametrize(
    ("name", "content", "complaint"),
    [
        ("no.jsonl", None, "not found or not a game record; name files ending in .pgn, .sgf, .txt, .jsonl."),
        ("g.shard", b"", "not found or not a game record"),
        ("g.pgn", b"", "holds games of Chess, not of tictactoe"),
        ("g.txt", b'[Game "connect4"]\n\n1. 4 *\n', "no game of tictactoe in these records"),
        ("g.txt", b"hello", "g.txt: "),
        ("g.jsonl", b"hello\n", "line 1: there is no checksum"),
    ],
)
def test_records_without_games_are_named_before_a_file_is_created(model, tmp_path, name, content, complaint):
    if content is not None:
        (tmp_path / name).write_bytes(content)
    refused = mined(model, tmp_path / "p", tmp_path / name)
    assert complaint in str(refused.exception)
    assert not (tmp_path / "p").exists()


def test_a_game_may_be_given_without_its_options_for_planes(tmp_path):
    record = tmp_path / "r.jsonl"
    random = ["match", "random", "random", "--game", "connect4", "--pairs", 1, "--no-balanced", "--record", record]
    assert ludus(*random).exit_code == 0
    done = mined(CONNECT4, tmp_path / "p", record, more=("--game", "connect4", "--visits", 20, "--short", 2))
    assert "2 games searched" in done.stdout, done.exception
    refused = mined(CONNECT4, tmp_path / "p", record, more=("--game", "tictactoe"))
    assert "was not trained on tictactoe" in str(refused.exception)


def test_the_longer_search_is_the_longer_one(model, tmp_path):
    refused = mined(model, tmp_path / "p", tmp_path / "x.pgn", more=("--short", 50, "--visits", 40))
    assert "--visits must be larger than --short" in str(refused.exception)


def test_a_folder_without_games_is_no_traceback(model, tmp_path):
    (tmp_path / "empty").mkdir()
    refused = mined(model, tmp_path / "p", tmp_path / "empty")
    assert "no game of tictactoe in these records" in str(refused.exception)


def test_lines_are_plain_json(model, tmp_path):
    one = record_of(tmp_path / "one.jsonl", MISSED)
    assert mined(model, tmp_path / "p", one).exit_code == 0
    first, second = (json.loads(line) for line in (tmp_path / "p").read_text().splitlines())
    assert first["weights"]
    assert second["turns"] == 6
