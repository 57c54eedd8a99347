"""Mates are reported with all their moves, including the last one, which the search foresees by the rules."""

import re

from tests.engine.uci.test_talker import MOVE


def test_a_mate_against_the_engine_is_reported_with_its_moves(engine):
    engine.say("position fen 7k/8/8/8/8/r7/1r6/7K w - - 0 1", "go nodes 500")  # Kg1 Ra1#
    engine.expect("bestmove")
    told = [line for line in engine.said if "score" in line][-1]
    assert re.search(rf" score mate -1 .* pv {MOVE} {MOVE}$", told)


def test_a_mate_is_reported_with_the_foreseen_last_move(engine):
    engine.say("position fen 7k/8/8/8/8/8/R7/1R4K1 w - - 0 1", "go mate 2")
    assert engine.expect("bestmove").split()[1] in ("a2a7", "b1b7")
    told = [line for line in engine.said if "score" in line][-1]
    assert re.search(r" depth 3 .* score mate 2 .* pv (a2a7|b1b7) h8g8 (a7a8|b7b8|a2a8|b1b8)$", told)
