"""Positions for engines in browsers, and the words for what they find."""

import base64
import json

import httpx
import numpy as np
import pytest

from ludus.errors import BadInput, IllegalMove
from ludus.games.registry import game
from ludus.protocol.spec import spec_in_play
from ludus.site.bots.in_browser import DeviceEngine
from ludus.site.catalogue.carried import device_position, site_actions
from ludus.site.catalogue.engines import DeviceEngines
from ludus.site.catalogue.specs import table_game
from ludus.site.evaluation.device import NEW_ENGINE, evaluations_of, view_for_devices
from ludus.site.messages.study import FoundOnLine, StudyLine

MANIFEST = "/engines/aa/manifest.json"


class Engines(DeviceEngines):
    """One engine for all boards."""

    def __init__(self, spec):
        super().__init__()
        self._engine = DeviceEngine("tiny", spec, MANIFEST)

    def of(self, *_):
        return self._engine


def reached(told):
    """Return the state that an engine reaches: it begins at the words and plays the actions."""
    played = game(spec_in_play(told.spec))
    state = played.start_state()
    if told.start:
        state = np.frombuffer(base64.b64decode(told.start), np.uint64).view(played.dtype).copy()
    for action in told.actions:
        state = played.calls.play(state, action)
    return state


@pytest.mark.parametrize(
    ("spec", "engine", "setup", "moves"),
    [
        ("connect4", "connect4:ahead", None, "4 4 3"),
        ("chess", "chess", None, "e4 e5 Nf3"),
        ("chess", "chess", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e4 Kd7"),
        ("wallgame:standard:5x5", "wallgame:standard:5x5:ways", None, "Cb5.>b3"),
        ("wallgame:standard:5x5", "wallgame:standard:5x5@6x6:ways", None, "Cb5.>b3 Cd5.^c3 Cc5"),
        ("go:9x9", "go:9x9:liberties", {"handicap": 2}, "E5"),
    ],
)
def test_an_engine_reaches_the_position_that_its_own_game_reaches(spec, engine, setup, moves):
    line = StudyLine(spec=spec, setup=setup, moves=moves.split())
    told = view_for_devices(line, Engines(engine)).device
    assert (told.manifest, told.spec, told.skipped) == (MANIFEST, engine, 0)
    assert (told.start == "") == (setup is None)
    own = game(spec_in_play(engine)).start(setup)
    for move in moves.split():
        own = own.play(move)
    assert (reached(told) == own.state).all()


def test_a_board_without_an_engine_has_no_position_for_one():
    assert view_for_devices(StudyLine(spec="connect4"), DeviceEngines()).device is None


def test_a_position_that_the_engines_game_does_not_reach_ends_before_it():
    spec = "go:5x5:marking"
    position = table_game(spec).start()
    for move in ("C3", "pass", "pass"):
        position = position.play(move)
    whole = device_position(position, DeviceEngine("tiny", "go:5x5:liberties", MANIFEST))
    assert len(whole.actions) == 3
    marked = position.play(position.actions[0])
    assert device_position(marked, DeviceEngine("tiny", "go:5x5:liberties", MANIFEST)).actions == whole.actions


def test_a_move_of_an_engine_in_a_larger_frame_is_played_in_the_numbers_of_the_board():
    engine = DeviceEngine("tiny", "wallgame:standard:5x5@6x6:ways", MANIFEST)
    framed = game(spec_in_play(engine.spec)).start()
    actions = framed.parse("Cb5.>b3")
    own = table_game("wallgame:standard:5x5").start()
    assert site_actions(own, engine, actions) == own.parse("Cb5.>b3")
    assert site_actions(own, engine, actions[:1]) == own.parse("Cb5.>b3")[:1]
    with pytest.raises(IllegalMove):
        site_actions(own, engine, [999])


def found(ply, *lines, **more):
    return {"ply": ply, "value": 0.25, "visits": 90, "lines": list(lines)} | more


def line(*actions, **more):
    return {"actions": list(actions), "value": 0.5, "visits": 60} | more


def told(spec, *positions, engine=MANIFEST, **rest):
    return FoundOnLine.model_validate({"spec": spec, "engine": engine, "found": list(positions)} | rest)


def test_lines_are_written_as_moves_up_to_their_first_illegal_action():
    asked = told(
        "connect4", found(1, line(2, 3), line(4, 9), line(9)), found(3, proved=True, value=1.0), moves=["4", "4", "3"]
    )
    first, last = evaluations_of(asked, Engines("connect4:ahead"))
    assert (first.evaluation, first.best_move, first.visits, first.bot) == (0.25, "3", 90, "tiny")
    assert [[move.text for move in each.moves] for each in first.lines] == [["3", "4"], ["5"]]
    assert [[move.ply for move in each.moves] for each in first.lines] == [[2, 3], [2]]
    assert [[move.player for move in each.moves] for each in first.lines] == [[1, 0], [1]]
    assert [each.actions for each in first.lines] == [[2, 3], [4]]
    assert (last.evaluation, last.best_move, last.proved, last.final) == (1.0, "", True, True)


def test_a_value_of_one_that_is_not_proved_is_less():
    (judged,) = evaluations_of(told("connect4", found(0, line(3, value=-1.0), value=1.0)), Engines("connect4"))
    assert 0.99 < judged.evaluation < 1.0
    assert -1.0 < judged.lines[0].evaluation < -0.99


def test_a_forced_win_is_told_in_moves_if_it_is_proved():
    told_as = {"value": 1.0, "proved": True, "winsIn": 3}
    lines = line(3, **told_as), line(2, **told_as | {"proved": False})
    (judged,) = evaluations_of(told("connect4", found(0, *lines, value=1.0, proved=True)), Engines("connect4"))
    assert [(each.words, each.wins_in) for each in judged.lines] == [("wins in 3", 3), ("", 0)]


def test_an_engine_in_a_larger_frame_is_written_in_the_numbers_of_the_board():
    spec, engine = "wallgame:standard:5x5", "wallgame:standard:5x5@6x6:ways"
    own, framed = table_game(spec).start(), game(spec_in_play(engine)).start()
    moves = ["Cb5.>b3", "Cd5.^c3"]
    for move in moves:
        framed = framed.play(move)
    actions = [each.action for each in framed.history[1:]]
    (judged,) = evaluations_of(told(spec, found(0, line(*actions))), Engines(engine))
    assert [move.text for move in judged.lines[0].moves] == moves
    for action in judged.lines[0].actions:
        own = own.play(action)
    assert own.moves == moves


def test_the_end_of_a_game_needs_no_engine():
    won = ["4", "1", "4", "1", "4", "1", "4"]
    (judged,) = evaluations_of(told("connect4", found(7), moves=won), Engines("connect4"))
    assert (judged.evaluation, judged.proved, judged.bot) == (1.0, True, "")


def test_what_cannot_be_put_into_words_is_refused():
    with pytest.raises(BadInput, match=NEW_ENGINE):
        evaluations_of(told("connect4", found(0), engine="/engines/old/manifest.json"), Engines("connect4"))
    with pytest.raises(BadInput, match="does not reach"):
        evaluations_of(told("connect4", found(2), moves=["4"]), Engines("connect4"))
    with pytest.raises(BadInput, match="not complete"):
        evaluations_of(told("wallgame:standard:5x5", found(1), moves=["Cb5.>b3"]), Engines("wallgame:standard:5x5"))


@pytest.mark.parametrize(
    "positions",
    [
        [],
        [found(0)] * 9,
        [found(0, value=1.5)],
        [found(0, value=float("nan"))],
        [found(0, line())],
        [found(0, line(*[0] * 25))],
        [found(0, *[line(0)] * 6)],
        [found(-1)],
        [found(0, more=1)],
    ],
)
def test_too_much_is_refused(at_site, positions):
    async def scenario(address, _site):
        async with httpx.AsyncClient(base_url=address, timeout=300) as http:
            body = {"spec": "connect4", "engine": MANIFEST, "found": positions}
            answer = await http.post("/api/study/words", content=json.dumps(body))
            assert answer.status_code == 400

    at_site(scenario)
