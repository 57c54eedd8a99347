"""The Go engine: answers to all commands, moves and analysis, with instant searches."""

import json
import re
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.games.go.engines.gtp.conftest import PlayoutDesk

from ludus.errors import BadInput

ROOT = Path(__file__).parents[5]

DIALOGUE = [
    ("protocol_version", "= 2"),
    ("1 name", "=1 Test"),
    ("  7   known_command\tgenmove # a comment", "=7 true"),
    ("known_command castle", "= false"),
    ("known_command PLAY", "= true"),
    ("# only a comment", ""),
    ("", ""),
    ("castle", "? unknown command"),
    ("12 castle", "?12 unknown command"),
    ("boardsize 25", "? unacceptable size"),
    ("boardsize nine", "? syntax error"),
    ("boardsize", "? syntax error"),
    ("boardsize 9", "="),
    ("komi 6.5", "="),
    ("komi lots", "? syntax error"),
    ("komi 3.75", "? komi must be a multiple of a half"),
    ("clear_board", "="),
    ("get_komi", "= 6.5"),
    ("play black D4", "="),
    ("play B d4", "? illegal move"),
    ("play w I5", "? syntax error"),
    ("play w K1", "? syntax error"),
    ("play red C3", "? syntax error"),
    ("play w", "? syntax error"),
    ("PLAY W E5", "="),
    ("play w pass", "="),
    ("play w F6", "="),
    ("list_stones white", "= F6 E5"),
    ("undo", "="),
    ("undo", "="),
    ("undo", "="),
    ("undo", "="),
    ("undo", "? cannot undo"),
    ("fixed_handicap 10", "? invalid number of stones"),
    ("fixed_handicap 1", "? invalid number of stones"),
    ("5 fixed_handicap 3", "=5 C7 G7 C3"),
    ("fixed_handicap 3", "? board not empty"),
    ("place_free_handicap 3", "? board not empty"),
    ("set_free_handicap C3 D4", "? board not empty"),
    ("get_handicap", "= 3"),
    ("clear_board", "="),
    ("set_free_handicap C3", "? bad vertex list"),
    ("set_free_handicap C3 C3", "? bad vertex list"),
    ("set_free_handicap C3 pass", "? bad vertex list"),
    ("set_free_handicap C3 G7 E5", "="),
    ("list_stones b", "= G7 E5 C3"),
    ("gg-undo 1", "? cannot undo"),
    ("play w E4", "="),
    ("play b E3", "="),
    ("gg-undo 3", "? cannot undo"),
    ("list_stones w", "= E4"),
    ("gg-undo 2", "="),
    ("list_stones w", "="),
    ("time_settings 60 10 1", "="),
    ("time_settings 60 ten 1", "? syntax error"),
    ("kgs-time_settings byoyomi 60 10 5", "="),
    ("kgs-time_settings sundial 60", "? syntax error"),
    ("time_left b 30 0", "="),
    ("time_left b", "? syntax error"),
    ("kgs-rules japanese", "="),
    ("list_stones b", "= G7 E5 C3"),
    ("kgs-rules chinese", "="),
    ("get_handicap", "= 3"),
    ("clear_board", "="),
    ("kgs-rules japanese", "="),
    ("kgs-rules of_thumb", "? syntax error"),
    ("kgs-rules", "? syntax error"),
    ("loadsgf /nowhere.sgf", "? cannot load file"),
    ("loadsgf /dev/zero", "? cannot load file"),
    ("final_status_list lost", "? syntax error"),
    ("quit", "="),
]


def test_every_command_gets_the_expected_answer(desk):
    assert [(line, desk.ask(line)) for line, _ in DIALOGUE] == DIALOGUE
    assert desk.talker.is_over


def test_commands_are_accepted_and_refused_as_by_gnu_go(desk):
    recorded = json.loads((ROOT / "tests/golden/go-gtp-gnugo.json").read_text())
    apart = {"name", "version", "showboard", "final_score", "2 name # trailing comment", "place_free_handicap 2"}
    for step in recorded:
        if (step["cmd"], step["raw"]) == ("place_free_handicap 2", "? board not empty"):
            continue  # GNU Go keeps the stones of a handicap command that it refused
        found = desk.ask(step["cmd"])
        assert found[:1] == step["raw"][:1], step["cmd"]
        if step["raw"].startswith("=") and step["cmd"] not in apart:
            assert found.split() == step["raw"].split(), step["cmd"]


def test_every_listed_command_is_known(desk):
    names = desk.ask("list_commands").removeprefix("= ").split("\n")
    required = "protocol_version name version known_command list_commands quit boardsize clear_board komi play genmove"
    assert set(required.split()) <= set(names)
    assert all(desk.ask(f"known_command {name}") == "= true" for name in names)


@settings(max_examples=150, deadline=None)
@given(lines=st.lists(st.text(max_size=40) | st.sampled_from([line for line, _ in DIALOGUE if line != "quit"])))
def test_every_line_gets_at_most_one_answer(desk_of, lines):
    desk = desk_of()
    for number, line in enumerate(lines):
        text = line.replace("\n", " ").replace("\r", " ")
        answer = desk.ask(f"{number} protocol_version")
        assert answer.removeprefix("\n") == f"={number} 2"  # an empty line ends an analysis
        assert desk.ask(text)[:1] in ("", "=", "?")
        assert len(desk.said) <= 1 or "analyze" in text.lower()


# ---- moves -----------------------------------------------------------------------------------------------------------


def test_genmove_plays_and_reports_a_move(desk):
    assert desk.ask("3 genmove b") == "=3 A9"
    assert desk.ask("genmove b") == "= B9"
    assert desk.ask("list_stones b") == "= A9 B9"
    assert desk.ask("reg_genmove w") == "= C9"
    assert desk.ask("list_stones w") == "="


def test_a_lost_position_is_resigned_if_resigning_is_enabled(desk_of):
    desk = desk_of(value=-0.99)
    assert desk.ask("kata-set-param resignThreshold -0.9") == "="
    assert desk.ask("genmove w") == "= A9"
    assert desk.ask("genmove b") == "= resign"
    assert desk.ask("list_stones b") == "="


def test_commands_wait_for_a_running_search(desk_of):
    desk = desk_of(waits=True)
    assert desk.ask("1 genmove b") == ""
    assert desk.ask("2 name") == ""
    limits, _, future, seat = desk.asked[0]
    future.set_result(seat.thought(limits))
    desk.work()
    assert desk.said == ["=1 A9\n", "=2 Test\n"]


def test_open_commands_are_answered_before_the_end_and_a_second_end_stops_the_search(desk_of):
    desk = desk_of(waits=True)
    desk.ask("1 genmove b")
    desk.ask("2 name")
    desk.talker.end()
    desk.work()
    assert (desk.said, desk.talker.is_over) == ([], False)
    desk.talker.end()
    desk.work()
    assert (desk.said, desk.talker.is_over) == (["=1 A9\n"], True)


def test_the_game_may_continue_after_two_passes(desk):
    for line in ("play b pass", "play w pass", "play b E5"):
        assert desk.ask(line) == "="
    assert desk.ask("genmove w") == "= A9"


@pytest.mark.parametrize("rules", ["tromp-taylor", "aga"])
def test_the_opponent_may_place_any_number_of_handicap_stones(desk, rules):
    desk.ask(f"kgs-rules {rules}")
    points = [f"{letter}{number}" for letter in "ABCDEFGHJ" for number in range(1, 10)]
    assert desk.ask(f"set_free_handicap {' '.join(points)}") == "? bad vertex list"
    assert desk.ask(f"set_free_handicap {' '.join(points[:-1])}") == "="
    assert desk.ask("get_handicap") == "= 80"
    assert desk.ask("genmove w") == "= J9"


ACCIDENTS = [(BadInput("No board."), "No board."), (MemoryError("no room"), "internal error: MemoryError('no room')")]


@pytest.mark.parametrize(("accident", "said"), ACCIDENTS, ids=["ours", "internal"])
def test_a_command_that_fails_is_answered_with_an_error(desk, monkeypatch, accident, said):
    def broken(*_args):
        raise accident

    monkeypatch.setattr(desk.talker, "_seat", broken)
    assert desk.ask("3 genmove b") == f"?3 {said}"
    assert desk.ask("lz-genmove_analyze b").split("\n") == ["=", "play pass"]
    assert desk.ask("lz-analyze b") == "="
    assert desk.ask("name") == "\n= Test"
    monkeypatch.setattr(desk.talker._board, "resize", broken)
    assert desk.ask("boardsize 9") == ("? unacceptable size" if isinstance(accident, BadInput) else f"? {said}")
    monkeypatch.setattr(desk.talker._board, "set_komi", broken)
    assert desk.ask("komi 1") == f"? {said}"


@pytest.mark.parametrize(("accident", "said"), ACCIDENTS, ids=["ours", "internal"])
def test_a_failed_search_is_answered_with_an_error(desk_of, accident, said):
    desk = desk_of(waits=True)
    for command, answer in (("3 genmove b", f"?3 {said}"), ("lz-genmove_analyze b", "play pass")):
        desk.ask(command)
        desk.ask("name")
        desk.said.clear()
        desk.asked[-1][2].set_exception(accident)
        desk.work()
        assert desk.said == [f"{answer}\n", "= Test\n"]
    assert desk.ask("list_stones b") == "="


def test_code_is_compiled_when_a_game_is_set_up(desk, tmp_path):
    def warmed(line):
        before = len(desk.warmed)
        assert desk.ask(line).startswith("=")
        return desk.warmed[before:]

    assert warmed("boardsize 7") == ["go:7x7:tromp-taylor"]
    assert warmed("clear_board") == warmed("time_settings 60 5 1") == warmed("genmove b") == []
    assert warmed("kata-set-rules japanese") == ["go:7x7:japanese"]
    assert warmed("kata-set-rule ko POSITIONAL") == ["go:7x7:tromp-taylor:scoring=territory:suicide=no"]
    assert warmed("kgs-rules japanese") == []
    (tmp_path / "game.sgf").write_text("(;SZ[5];B[cc])")
    assert warmed(f"loadsgf {tmp_path / 'game.sgf'}") == ["go:5x5:japanese"]


def test_the_first_move_without_a_set_up_game_is_compiled_before_its_search(desk):
    assert desk.ask("genmove b") == "= A9"
    assert desk.warmed == ["go:9x9:tromp-taylor"]


def test_clocks_limit_the_search(desk):
    def seconds(*lines):
        for line in ("clear_board", *lines, "genmove b"):
            desk.ask(line)
        return desk.asked[-1][0].seconds

    assert seconds("time_settings 0 0 0") == float("inf")
    assert seconds("time_settings 0 5 0") == float("inf")
    assert 0.5 < seconds("time_settings 100 0 0") < 10
    assert 1.0 < seconds("time_settings 0 50 25") < 4
    assert 5.0 < seconds("kgs-time_settings byoyomi 0 10 3") < 8.1
    assert 0.0 < seconds("time_settings 100 0 0", "time_left b 1 0") < 0.5
    assert 2.0 < seconds("kgs-time_settings canadian 100 50 5", "time_left b 30 5") < 20
    assert seconds("kgs-time_settings none") == float("inf")


# ---- analysis --------------------------------------------------------------------------------------------------------


def test_an_analysis_runs_until_the_next_line(desk_of):
    desk = desk_of(waits=True)
    assert desk.ask("9 lz-analyze b 50") == "=9"
    limits, news, future, seat = desk.asked[0]
    assert news.every == 0.5
    news.tell(seat.thought(limits))
    desk.work()
    info = "info move A9 visits 10 winrate 7500 prior 2500 lcb 4816 order 0 pv A9"
    assert desk.said[1].startswith(info + " info move B9 visits 9 ")
    assert desk.ask("name") == "\n= Test"
    assert future.cancelled()


def test_an_analysis_with_a_full_tree_reports_its_result_and_waits_for_the_next_line(desk_of):
    desk = desk_of(waits=True)
    desk.ask("kata-analyze b 6000")
    desk.asked[0][2].stop()  # the tree is full before the first report
    desk.work()
    assert desk.said[1].startswith("info move A9 visits 10 utility 0.5000 ")
    assert desk.ask("name") == "\n= Test"


def test_an_analysis_that_has_ended_repeats_its_result_until_the_next_line(desk_of):
    desk = desk_of(waits=True)
    desk.ask("kata-analyze b 1")
    desk.asked[0][2].stop()  # such as a proof, which ends a search
    desk.work()
    for _ in range(3):
        desk.said.clear()
        desk.wait_and_work()
        assert len(desk.said) == 1
        assert desk.said[0].startswith("info move A9 visits 10 ")
    assert desk.ask("name") == "\n= Test"
    desk.said.clear()
    desk.wait_and_work()
    assert desk.said == []


def test_an_analysis_goes_on_when_its_tree_is_full():
    desk = PlayoutDesk(max_visits=400)
    desk.talker.hear("kata-analyze b 1 rootInfo true")
    visits, lines = 0, 0
    while visits < 2000 and lines < 3000:
        desk.events.get(timeout=600)()
        visits, lines = max([visits, *map(int, re.findall(r"rootInfo visits (\d+)", desk.said[-1]))]), lines + 1
    assert visits >= 2000
    desk.talker.hear("name")
    assert desk.said[-2:] == ["", "= Ludus playouts\n"]
    desk.talker.close()


def test_a_move_found_before_the_first_report_is_written_with_its_analysis(desk_of):
    desk = desk_of(waits=True)
    desk.ask("lz-genmove_analyze b 6000")
    desk.asked[0][2].stop()
    desk.work()
    assert [line[:19] for line in desk.said] == ["=", "info move A9 visits", "play A9\n"]


def test_a_line_that_already_waits_ends_an_analysis(desk_of):
    desk = desk_of(waits=True)
    desk.ask("genmove b")
    for line in ("lz-analyze w 10", "name"):
        assert desk.ask(line) == ""
    limits, _, future, seat = desk.asked[0]
    future.set_result(seat.thought(limits))
    desk.work()
    assert desk.said == ["= A9\n", "=", "", "= Test\n"]


def test_an_analysis_may_show_ownership_and_restrict_the_moves(desk):
    lines = desk.ask("kata-analyze w interval 20 maxmoves 1 ownership true allow w D4,E5 3 avoid w D4 1").split("\n")
    assert desk.asked[0][0].only == (40,)  # E5
    head, _, owners = lines[1].partition(" ownership ")
    assert head.startswith("info move E5 visits 10 utility -0.5000 winrate 0.2500 scoreMean ")
    assert [-1.0 <= float(owner) <= 1.0 for owner in owners.split()] == [True] * 81
    assert desk.ask("lz-analyze b often") == "\n? syntax error"


def test_the_best_move_comes_first_even_with_fewer_visits(desk_of):
    desk = desk_of(waits=True)
    desk.ask("lz-analyze b maxmoves 2")
    limits, news, _, seat = desk.asked[0]
    found = seat.thought(limits)
    news.tell(msgspec.structs.replace(found, best=[2], line=[2]))
    desk.work()
    infos = desk.said[-1].removeprefix("info ").split(" info ")
    assert [info.split()[1] for info in infos] == ["C9", "A9"]


def test_a_move_may_be_played_with_its_analysis(desk):
    lines = desk.ask("4 lz-genmove_analyze b 10").split("\n")
    assert (lines[0], lines[-1]) == ("=4", "play A9")
    assert desk.ask("list_stones b") == "= A9"


@pytest.mark.parametrize("name", ["lz-genmove_analyze", "kata-genmove_analyze"])
@pytest.mark.parametrize("wish", ["avoid b Z99 1", "allow b D4,Z99 1"])
def test_a_move_with_analysis_and_an_invalid_vertex_gets_one_error(desk, name, wish):
    desk.talker.hear(f"4 {name} b 10 {wish}")
    assert desk.said == ["?4 syntax error\n"]
    assert desk.ask("genmove b") == "= A9", "the next command is answered"


def test_a_move_with_analysis_is_a_pass_if_no_other_move_is_allowed(desk):
    desk.ask("play w D4")
    assert desk.ask("4 lz-genmove_analyze b allow b D4 1").split("\n") == ["=4", "play pass"]
    assert desk.ask("name") == "= Test"
