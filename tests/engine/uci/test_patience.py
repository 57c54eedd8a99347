"""The chess engine always answers: during perft, without a model, after failures, and at the end of input."""

import re

import pytest

from ludus.engine.uci.options import UciSettings, options
from ludus.errors import Unavailable
from ludus.games.game import Position

MOVE = "bestmove [a-h]"


def test_perft_ends_when_another_command_arrives(engine):
    engine.say("position startpos", "go perft 12", "stop")
    engine.expect(r"\s*Nodes searched: \d+")
    engine.say("go perft 12", "go nodes 5")
    engine.expect(r"\s*Nodes searched: \d+")
    engine.expect(MOVE)


def test_perft_with_an_excessive_depth_is_refused(engine):
    engine.say("go perft 99999999999", "go nodes 5")
    engine.expect("info string go perft 99999999999: 40 is the most")
    engine.expect(MOVE)


def test_perft_counts_from_the_start_position_and_never_answers_with_a_move(engine):
    engine.say("go perft 1")
    for _ in range(20):
        engine.expect(r"\w{4}: 1$")
    engine.expect(r"\s*Nodes searched: 20")
    engine.say("position fen rubbish", "go perft 1", "go nodes 5")
    for line in ("info string FEN 'rubbish'", "info string FEN 'rubbish'", "info string FEN 'rubbish'", "bestmove"):
        engine.expect(line)  # the one best move is that of `go nodes`


def test_readyok_is_sent_even_if_the_model_cannot_be_opened(engine, monkeypatch):
    def broken(_settings):
        raise Unavailable("The disk is gone.")

    monkeypatch.setattr(engine.talker, "_open_mind", broken)
    engine.say("isready")
    engine.expect("info string The disk is gone")
    engine.expect("readyok")


def test_the_rules_are_compiled_before_readyok(engine, monkeypatch):
    played, play = [], Position.play
    monkeypatch.setattr(Position, "play", lambda self, move: played.append(len(engine.said)) or play(self, move))
    engine.say("isready")
    engine.expect("readyok")
    assert played
    assert played[0] < len(engine.said)


def test_the_engine_answers_even_if_the_model_cannot_be_opened_again(engine, monkeypatch):
    def broken(_settings):
        raise Unavailable("There is no room.")

    engine.say("isready")
    engine.expect("readyok")
    with monkeypatch.context() as patch:
        patch.setattr(engine.talker, "_open_mind", broken)
        engine.say("setoption name Hash value 65536", "isready")
        engine.expect("info string There is no room")
        engine.expect("info string There is no room")  # also with the previous settings
        engine.expect("readyok")
        engine.say("go nodes 5")
        engine.expect("info string There is no room")
        engine.expect(MOVE)
    engine.say("go nodes 5")
    engine.expect("info depth")
    engine.expect(MOVE)


def test_a_model_that_does_not_fit_the_new_memory_is_opened_with_the_previous_settings(engine, monkeypatch):
    opens, opened = engine.talker._open_mind, []

    def limited(settings):
        opened.append(settings.megabytes)
        if settings.megabytes > 2000:
            raise Unavailable("There is no room.")
        return opens(settings)

    monkeypatch.setattr(engine.talker, "_open_mind", limited)
    engine.say("isready")
    engine.expect("readyok")
    engine.say("setoption name Hash value 65536", "go nodes 5")
    engine.expect("info string There is no room")
    engine.expect("info depth")
    engine.expect(MOVE)
    engine.say("go nodes 5")
    engine.expect(MOVE)
    assert opened == [opened[0], 65536, opened[0]]


def test_readyok_is_sent_after_an_unexpected_error(engine, monkeypatch):
    def broken(_settings):
        raise MemoryError

    monkeypatch.setattr(engine.talker, "_open_mind", broken)
    with pytest.raises(MemoryError):  # `converse` logs it
        engine.say("isready")
    engine.expect("readyok")
    engine.say("go nodes 5")
    engine.expect("info string")
    engine.expect(MOVE)


def test_a_search_that_cannot_start_is_answered_with_a_move(engine):
    engine.say("isready")
    engine.expect("readyok")
    engine.talker._mind.close()
    for asked in (["go nodes 5"], ["go infinite", "stop"]):
        engine.say(*asked)
        engine.expect("info string The search failed: The pool is closed")
        engine.expect(MOVE)


@pytest.mark.parametrize("ends", [["stop"], []], ids=["stopped", "replaced"])
def test_a_tree_cleared_during_a_search_is_not_kept(engine, ends):
    engine.say("go infinite")
    engine.expect("info depth .*hashfull 1000")
    engine.say("setoption name Clear Hash", *ends, "go nodes 2")
    engine.expect(MOVE)
    engine.expect(MOVE)
    nodes = [int(re.search(r"nodes (\d+)", line)[1]) for line in engine.said if line.startswith("info depth")]
    assert nodes[-1] == 2


def test_every_go_is_answered_before_the_end(engine):
    engine.say("go infinite", "position startpos moves e2e4", "go infinite searchmoves e7e5", "go nodes 10")
    engine.talker.end()
    assert not engine.talker.is_over
    for pattern in (MOVE, "bestmove e7e5", MOVE):
        engine.expect(pattern)
    engine.listen(0.05)
    assert engine.talker.is_over


def test_the_option_threads_allows_its_default_above_the_number_of_processors():
    option, _ = options(UciSettings(threads=8), None, most_threads=2)["threads"]
    assert str(option) == "option name Threads type spin default 8 min 1 max 8"
