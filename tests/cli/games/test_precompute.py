"""`ludus precompute` fills a file that `ludus play` reads, and rejects invalid input with one message."""

import re
from pathlib import Path

from typer.testing import CliRunner

from ludus.cli.app import app
from ludus.errors import BadInput, Unavailable
from ludus.evaluations.file import EvaluationFile, read_info
from ludus.players.jobs import precompute as thinking

MODEL = Path(__file__).parents[3] / "models/connect4"


def ludus(*arguments, told=None):
    return CliRunner().invoke(app, [str(argument) for argument in arguments], input=told)


def test_an_opening_tree_is_precomputed_continued_and_played_from(tmp_path):
    path = tmp_path / "book.ev"
    for depth in (1, 1):
        done = ludus("precompute", MODEL, path, "--opening-depth", depth, "--visits", 20, "--share", 0.0)
        assert done.exit_code == 0, done.output
        count = re.match(r"(\d+) positions searched; ", done.stdout.removeprefix(f"{path}: "))
        assert count
        assert 1 < int(count[1]) <= 8
    assert read_info(path).game == "connect4:ahead"
    with EvaluationFile(path) as file:
        before = len(file)
        assert before > 20
    played = ludus("play", MODEL, "--visits", 30, "--evaluations", path, "--append", "--second", told="4\n1\nquit\n")
    assert played.exit_code == 0, played.output
    with EvaluationFile(path) as file:
        assert len(file) > before


def test_a_game_by_its_plain_name_is_the_models_own(tmp_path):
    path, record = tmp_path / "book.ev", tmp_path / "match.jsonl"
    random = ["match", "random", "random", "--game", "connect4", "--pairs", 1, "--no-balanced", "--record", record]
    assert ludus(*random).exit_code == 0
    for game in ("connect4", "connect4:ahead"):
        done = ludus("precompute", MODEL, path, "--game", game, "--records", record, "--visits", 4)
        assert done.exit_code == 0, done.output or done.exception
    assert " 0 new evaluations" in done.stdout, "both names mean one game"
    assert read_info(path).game == "connect4:ahead"


def test_an_interrupt_reports_the_contents_of_the_file(tmp_path, monkeypatch):
    def interrupted(*arguments):
        think(*arguments)
        raise KeyboardInterrupt

    think, path = thinking.precompute, tmp_path / "book.ev"
    with monkeypatch.context() as patch:
        patch.setattr(thinking, "precompute", interrupted)
        ended = ludus("precompute", MODEL, path, "--opening-depth", 1, "--visits", 20)
    assert ended.exit_code == 130, ended.exception
    with EvaluationFile(path) as file:
        words = f"Interrupted; {path} holds {len(file)} evaluations, {len(file)} of them new, and the same command"
    assert words in ended.stderr
    assert ludus("precompute", MODEL, path, "--opening-depth", 1, "--visits", 20).exit_code == 0


def test_missing_positions_give_one_error_message(tmp_path):
    refused = ludus("precompute", MODEL, tmp_path / "book.ev")
    assert "There are no positions to search" in str(refused.exception)
    assert not (tmp_path / "book.ev").exists()


def test_records_without_a_game_are_rejected_before_a_file_is_created(tmp_path):
    record = tmp_path / "empty.pgn"
    record.write_text("")
    refused = ludus("precompute", MODEL.with_name("chess"), tmp_path / "book.ev", "--records", record)
    assert isinstance(refused.exception, BadInput)
    assert f"{record}: no game of chess" in str(refused.exception)
    assert not (tmp_path / "book.ev").exists()


def test_it_ends_when_the_disk_takes_no_more(tmp_path, monkeypatch):
    def refuse(file, end):
        raise Unavailable(f"{file.path}: cannot be written (No space left on device).")

    monkeypatch.setattr(EvaluationFile, "_write", refuse)
    ended = ludus("precompute", MODEL, tmp_path / "book.ev", "--opening-depth", 1, "--visits", 4)
    assert isinstance(ended.exception, Unavailable)
    assert "No space left on device" in str(ended.exception)


def test_it_ends_when_the_file_is_full(tmp_path, monkeypatch):
    monkeypatch.setattr(EvaluationFile, "is_full", True)
    ended = ludus("precompute", MODEL, tmp_path / "book.ev", "--opening-depth", 1, "--visits", 4)
    assert isinstance(ended.exception, Unavailable)
    assert "the file is full, with 0 positions" in str(ended.exception)


def test_a_player_without_a_network_has_no_file(tmp_path):
    refused = ludus("play", "random", "--game", "tictactoe", "--evaluations", tmp_path / "book.ev")
    assert "random has no network" in str(refused.exception)


def test_games_with_random_setups_have_no_opening_tree(tmp_path):
    chess = MODEL.parent / "chess"
    ended = ludus("precompute", chess, tmp_path / "book.ev", "--game", "chess:960", "--opening-depth", 1)
    assert isinstance(ended.exception, BadInput)
    assert "chess:960 has a random start" in str(ended.exception)
    assert not (tmp_path / "book.ev").exists()
