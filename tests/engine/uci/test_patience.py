"""What would keep a chess program waiting for ever does not."""

from ludus.errors import Unavailable

MOVE = "bestmove [a-h]"


def test_a_count_of_lines_ends_when_something_else_is_asked(engine):
    engine.say("position startpos", "go perft 12", "stop")
    engine.expect(r"\s*Nodes searched: \d+")
    engine.say("go perft 12", "go nodes 5")
    engine.expect(r"\s*Nodes searched: \d+")
    engine.expect(MOVE)


def test_a_count_for_which_nobody_can_wait_is_refused(engine):
    engine.say("go perft 99999999999", "go nodes 5")
    engine.expect("info string go perft 99999999999: 40 is the most")
    engine.expect(MOVE)


def test_readiness_is_told_though_the_model_cannot_be_opened(engine, monkeypatch):
    def broken(_settings):
        raise Unavailable("The disk is gone.")

    monkeypatch.setattr(engine.talker, "_open_mind", broken)
    engine.say("isready")
    engine.expect("info string The disk is gone")
    engine.expect("readyok")
