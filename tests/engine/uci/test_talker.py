"""The chess engine: dialogues of commands and expected answers, also during searches."""

import re
import time

import pytest

MATED = "fen rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"
STALEMATE = "fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"
MATE_IN_ONE = "fen 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"
DEAD = "fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1"
MOVE = r"[a-h][1-8][a-h][1-8][qrbn]?"
BEST = rf"bestmove {MOVE}( ponder {MOVE})?$"

# `>` marks a line sent to the engine; `<` marks a pattern of its next answer, ignoring `info` lines.
DIALOGUES = {
    "the greeting": """
        > uci
        < id name Ludus \\S+ nobody
        < id author
        < option name Threads type spin default 1 min 1 max 4
        < option name Hash type spin default 1024 min 1
        < option name Clear Hash type button
        < option name MultiPV type spin default 1
        < option name Ponder type check default false
        < option name Move Overhead type spin default 50
        < option name UCI_Chess960 type check default false
        < option name UCI_ShowWDL type check default false
        < option name UCI_LimitStrength type check default false
        < option name UCI_Elo type spin default 1200 min 800 max 1200
        < uciok
    """,
    "a game's first move": """
        > isready
        < readyok
        > ucinewgame
        > position startpos
        > go nodes 50
        < BEST
    """,
    "a search without a position": """
        > go nodes 20
        < BEST
    """,
    "stop and ponderhit without a search": """
        > stop
        > ponderhit
        > isready
        < readyok
    """,
    "isready during a search": """
        > go infinite
        > isready
        < readyok
        > isready
        < readyok
        > stop
        < BEST
    """,
    "stopping twice": """
        > go infinite
        > stop
        > stop
        < BEST
        > stop
    """,
    "a second go ends the first search": """
        > go infinite
        > go nodes 10
        < BEST
        < BEST
    """,
    "stop belongs to the last go": """
        > go infinite
        > go infinite
        > stop
        < BEST
        < BEST
    """,
    "an answer for each go in rapid succession": """
        > go infinite
        > go infinite
        > position startpos moves e2e4
        > go ponder wtime 1000 btime 1000
        > go infinite searchmoves e7e5
        > go nodes 10
        < BEST
        < BEST
        < BEST
        < bestmove e7e5
        < BEST
    """,
    "stepping through a game": """
        > go infinite
        > stop
        > position startpos moves e2e4
        > go infinite
        > stop
        > position startpos moves e2e4 e7e5
        > go infinite searchmoves g1f3
        > isready
        < readyok
        > stop
        < BEST
        < BEST
        < bestmove g1f3
    """,
    "ponderhit right after go": """
        > go infinite
        > stop
        > position startpos moves e2e4
        > go ponder wtime 200 btime 200
        > ponderhit
        < BEST
        < BEST
    """,
    "position ends a running search": """
        > position startpos
        > go infinite
        > position startpos moves e2e4
        > go nodes 10 searchmoves e7e5
        > isready
        < readyok
        < BEST
        < bestmove e7e5
    """,
    "garbage everywhere": """
        > hello
        > position
        > position fen
        > setoption name
        > go infinite
        > \x00\xff
        > quitter
        > stop
        < info string There is no option ''.
        < BEST
        > isready
        < readyok
    """,
    "an illegal move leaves no position to search": """
        > position startpos moves e2e5
        < info string e2e5 may not be played in .*
        > go nodes 10
        < info string e2e5 may not be played in .*
        < bestmove \\(none\\)
        > position startpos
        > go nodes 10
        < BEST
    """,
    "an invalid position": """
        > position fen 8/8/8/8/8/8/8/8 w - - 0 1
        < info string .*
        > position startpos moves e2e4
        > go nodes 5
        < BEST
    """,
    "checkmate": f"""
        > position {MATED}
        > go nodes 10
        < info depth 0 score mate 0
        < bestmove \\(none\\)
    """,
    "stalemate": f"""
        > position {STALEMATE}
        > go wtime 100 btime 100
        < info depth 0 score cp 0
        < bestmove \\(none\\)
    """,
    "an infinite search of a finished game waits for stop": f"""
        > position {MATED}
        > go infinite
        < info depth 0 score mate 0
        > isready
        < readyok
        > stop
        < bestmove \\(none\\)
    """,
    "a dead position still has moves": f"""
        > position {DEAD}
        > go nodes 10
        < info depth 0 score cp 0 pv {MOVE}$
        < BEST
    """,
    "a finished game's wins, draws and losses": f"""
        > setoption name UCI_ShowWDL value true
        > position {DEAD}
        > go nodes 10
        < info depth 0 score cp 0 wdl 0 1000 0 pv
        < BEST
        > position {MATED}
        > go nodes 10
        < info depth 0 score mate 0 wdl 0 0 1000$
        < bestmove \\(none\\)
    """,
    "mate in one": f"""
        > position {MATE_IN_ONE}
        > go mate 1
        < info .*score mate 1 .*pv a1a8
        < bestmove a1a8
    """,
    "only some moves": """
        > position startpos
        > go nodes 40 searchmoves a2a3 h2h3 e2e5
        < info string These moves may not be played: e2e5
        < bestmove (a2a3|h2h3)
    """,
    "invalid numbers": """
        > go nodes many depth
        < info string Not understood: nodes many depth
        > stop
        < BEST
    """,
    "options out of range": """
        > setoption name Hash value 0
        < info string Hash is a number from 1 to 65536, not '0'.
        > setoption name Threads value two
        < info string Threads is a number from 1 to 4, not 'two'.
        > setoption name Ponder value maybe
        < info string Ponder is true or false, not 'maybe'.
        > setoption name Strength value 3
        < info string There is no option 'Strength'.
    """,
    "the clock limits pondering after ponderhit": """
        > position startpos moves e2e4
        > go ponder wtime 200 btime 200
        > isready
        < readyok
        > ponderhit
        < BEST
    """,
    "pondering ended by stop": """
        > position startpos moves e2e4
        > go ponder wtime 200 btime 200
        > stop
        < BEST
    """,
    "perft": """
        > position startpos
        > go perft 2
        < a2a3: 20
    """,
    "a small depth": """
        > go depth 2
        < BEST
    """,
}


@pytest.mark.parametrize("dialogue", DIALOGUES.values(), ids=DIALOGUES)
def test_the_engine_answers_as_the_dialogue_expects(engine, dialogue):
    for line in filter(None, (line.strip() for line in dialogue.splitlines())):
        kind, text = line[0], line[2:]
        if kind == ">":
            engine.say(text)
        else:
            engine.expect(BEST if text == "BEST" else text)
    if "perft" not in dialogue:
        assert engine.listen(0.05) == []


def test_an_infinite_search_waits_for_stop_even_with_a_full_tree(engine):
    engine.say("go infinite")
    engine.expect("info depth .*hashfull 1000")
    assert engine.listen(0.3) == []
    engine.say("stop")
    engine.expect(BEST)


def test_a_mate_found_in_an_infinite_search_waits_for_stop(engine):
    engine.say(f"position {MATE_IN_ONE}", "go infinite")
    assert engine.listen(0.5) == []
    engine.say("stop")
    assert engine.expect(BEST) == "bestmove a1a8"


def test_finished_pondering_waits_for_ponderhit(engine):
    engine.say(f"position {MATE_IN_ONE}", "go ponder wtime 1000 btime 1000")
    assert engine.listen(0.5) == []
    engine.say("ponderhit")
    assert engine.expect(BEST) == "bestmove a1a8"


def test_movetime_limits_the_search(engine):
    engine.say("isready", "go nodes 2")
    engine.expect("readyok")
    engine.expect(BEST)
    engine.evaluator.delay_s = 0.002
    begun = time.perf_counter()
    engine.say("setoption name Move Overhead value 0", "go movetime 200")
    engine.expect(BEST)
    assert time.perf_counter() - begun > 0.1


def test_a_forced_move_is_played_at_once_with_a_clock(engine):
    engine.say("position fen 7k/8/8/8/8/8/6q1/7K w - - 0 1", "go wtime 100000000 btime 1000")
    assert engine.expect(BEST).startswith("bestmove h1g2")


def test_several_lines_are_reported_best_first(engine):
    engine.say("setoption name MultiPV value 3", "setoption name UCI_ShowWDL value true")
    engine.say(f"position {MATE_IN_ONE}", "go nodes 200 searchmoves g1f1 a1a2 a1a7")
    engine.expect(BEST)
    infos = [line for line in engine.said if line.startswith("info depth")][-3:]
    assert [re.search(r"multipv (\d)", line)[1] for line in infos] == ["1", "2", "3"]
    for line in infos:
        assert sum(map(int, re.search(r"wdl (\d+) (\d+) (\d+)", line).groups())) == 1000
        assert re.search(rf"nodes \d+ nps \d+ hashfull \d+ tbhits 0 time \d+ pv {MOVE}", line)


def test_the_tree_is_kept_from_move_to_move(engine):
    engine.say("position startpos", "go nodes 300")
    best = engine.expect(BEST).split()
    engine.say(f"position startpos moves {best[1]} {best[3]}", "go nodes 2")
    engine.expect(BEST)
    nodes = [int(re.search(r"nodes (\d+)", line)[1]) for line in engine.said if "nodes" in line]
    assert nodes[-1] > 2, "visits kept from the previous search"


def test_the_model_is_loaded_again_if_threads_or_memory_change(engine):
    engine.say("isready", "isready")
    assert len(engine.opened) == 1
    engine.say("setoption name Hash value 20", "setoption name Threads value 2", "setoption name MultiPV value 2")
    engine.say("isready")
    assert [(each.threads, each.megabytes) for each in engine.opened] == [(1, 1024), (2, 20)]


def test_limited_strength_reduces_visits(engine):
    engine.say("setoption name UCI_LimitStrength value true", "setoption name UCI_Elo value 1000", "go")
    engine.expect(BEST)
    nodes = max(int(re.search(r"nodes (\d+)", line)[1]) for line in engine.said if "nodes" in line)
    assert nodes == 20, "interpolated between 2 and 200 by the logarithm"


def test_without_measured_levels_there_is_no_strength_option():
    from tests.engine.uci.conftest import Conversation

    engine = Conversation(ladder=None)
    engine.say("uci")
    assert not [line for line in engine.said if "Elo" in line or "LimitStrength" in line]


def test_castling_is_written_in_the_notation_of_the_selected_rules(engine):
    fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
    engine.say(f"position fen {fen}", "go nodes 5 searchmoves e1g1")
    assert engine.expect(BEST).startswith("bestmove e1g1")
    engine.say("setoption name UCI_Chess960 value true", f"position fen {fen}", "go nodes 5 searchmoves e1h1")
    assert engine.expect(BEST).startswith("bestmove e1h1")


def test_an_unclaimed_draw_does_not_end_the_game(engine):
    shuffle = " ".join(["g1f3", "g8f6", "f3g1", "f6g8"] * 3)
    engine.say(f"position startpos moves {shuffle}", "go nodes 20")
    engine.expect(BEST)
    engine.say(f"position startpos moves {shuffle} e2e4", "go nodes 20")
    engine.expect(BEST)
    engine.say("position fen 4k3/8/8/8/8/8/4P3/4K3 w - - 120 99", "go nodes 20")
    engine.expect(BEST)
    assert engine.listen(0.05) == []


def test_a_failed_search_is_answered_with_a_move(engine):
    engine.evaluator.fault = ZeroDivisionError("by zero")
    engine.say("go nodes 10")
    engine.expect("info string The search failed: .*by zero")
    engine.expect(BEST)
    engine.evaluator.fault = None
    engine.say("go nodes 10")
    engine.expect(BEST)


def test_hundreds_of_go_commands_may_wait_for_a_search(engine):
    engine.say("go infinite", f"position {MATED}", *300 * ["go nodes 1"])
    engine.expect(BEST)
    for _ in range(300):
        engine.expect(r"bestmove \(none\)")


def test_the_end_of_input_ends_a_search_with_its_move(engine):
    engine.evaluator.delay_s = 0.001
    engine.say("go infinite")
    engine.listen(0.05)
    engine.talker.end()
    assert not engine.talker.is_over
    engine.expect(BEST)
    assert engine.listen(0.05) == []
    assert engine.talker.is_over


def test_quit_takes_effect_at_once(engine):
    engine.say("go infinite", "quit")
    assert engine.talker.is_over
