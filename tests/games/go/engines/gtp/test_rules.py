"""The rules of a Go engine, by name and in KataGo's JSON, and changes of rules during a game."""

import json
from pathlib import Path

import pytest

from ludus.games.go.engines.gtp.board import GtpBoard
from ludus.games.go.engines.gtp.players import go_player
from ludus.games.go.engines.gtp.protocol import Failure
from ludus.games.go.engines.gtp.rules import kata_rules, read_rules
from ludus.games.go.rulesets import RULE_SETS
from ludus.network.checkpoint import load_checkpoint
from ludus.players.thinking.mind import Mind

# From KataGo's page of GTP extensions.
KATAGO = {
    "tromp-taylor": ("POSITIONAL", "AREA", True, "NONE", "0"),
    "chinese": ("SIMPLE", "AREA", False, "NONE", "N"),
    "chinese-ogs": ("POSITIONAL", "AREA", False, "NONE", "N"),
    "japanese": ("SIMPLE", "TERRITORY", False, "SEKI", "0"),
    "aga": ("SITUATIONAL", "AREA", False, "NONE", "N-1"),
    "new-zealand": ("SITUATIONAL", "AREA", True, "NONE", "0"),
    "aga-button": ("SITUATIONAL", "AREA", False, "NONE", "N-1"),
}


@pytest.mark.parametrize("name", KATAGO)
def test_rules_are_written_in_katagos_form(desk, name):
    assert desk.ask(f"kata-set-rules {name}") == "="
    fields = dict(zip(("ko", "scoring", "suicide", "tax", "whiteHandicapBonus"), KATAGO[name], strict=True))
    fields["hasButton"] = name == "aga-button"
    assert json.loads(desk.ask("kata-get-rules").removeprefix("= ")) == fields


@pytest.mark.parametrize("name", [*RULE_SETS, "chinese:bonus=0", "japanese:ko=situational:suicide=yes:bonus=n"])
def test_written_rules_can_be_set_again(desk, name):
    assert kata_rules(read_rules(kata_rules(name))) == kata_rules(name)
    assert desk.ask(f"kata-set-rules {kata_rules(name)}") == "="
    assert desk.ask("kata-get-rules") == f"= {kata_rules(name)}"
    assert desk.ask("play b E5") == "="


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "{}}",
        '{"ko":"spirit"}',
        '{"ko":true}',
        '{"suicide":"yes"}',
        '{"tax":"ALL"}',
        '{"scoring":"TERRITORY","tax":"NONE"}',
        '{"hasButton":1}',
        '{"komi":7.5}',
        '{"ko":["SIMPLE"]}',
        "stone-scoring",
    ],
)
def test_unsupported_rules_are_refused(desk, text):
    assert desk.ask(f"kata-set-rules {text}") == "? syntax error"
    assert '"suicide":true' in desk.ask("kata-get-rules"), "the rules are unchanged"


@pytest.mark.parametrize("rules", ["chinese", "japanese", "aga", "tromp-taylor"])
def test_a_ko_cannot_be_retaken_at_once_but_its_taker_may_fill_it(desk, rules):
    desk.ask("boardsize 5")
    assert desk.ask(f"kata-set-rules {rules}") == "="
    stones = ("b B3", "w D4", "b C4", "w D2", "b C2", "w E3", "b A1", "w C3")
    assert [desk.ask(f"play {stone}") for stone in (*stones, "b D3")] == ["="] * 9
    assert desk.ask("play w C3") == "? illegal move"
    assert desk.ask("play b C3") == "="


def test_the_chinese_rules_of_kgs_have_positional_superko(desk):
    assert desk.ask("kgs-rules chinese") == "="
    assert '"ko":"POSITIONAL"' in desk.ask("kata-get-rules")
    assert desk.ask("kata-set-rules chinese") == "="
    assert '"ko":"SIMPLE"' in desk.ask("kata-get-rules")
    assert desk.ask('kata-set-rules { "friendlyPassOk": true, "ko": "SIMPLE", "whiteHandicapBonus": "N" }') == "="


@pytest.mark.parametrize(("bonus", "score"), [("0", "B+2"), ("n-1", "0"), ("n", "W+1")])
def test_handicap_compensation_follows_the_rules(desk, bonus, score):
    for line in (f"kata-set-rules chinese:bonus={bonus}", "komi 0", "fixed_handicap 3", "play w A1"):
        assert desk.ask(line).startswith("=")
    assert desk.talker._board.score([]) == score, "three stones against one"


def test_rules_can_change_during_a_game(desk):
    for line in ("boardsize 7", "komi 3.5", "fixed_handicap 2", "play w B3", "play b C4", "play b pass"):
        assert desk.ask(line).startswith("=")
    board = desk.ask("showboard")
    for rules in ("kata-set-rules chinese", "kgs-rules japanese"):
        assert desk.ask(rules) == "="
        assert desk.ask("showboard") == board
    assert desk.ask("get_komi") == "= 3.5"
    assert [desk.ask("gg-undo 3"), desk.ask("list_stones b"), desk.ask("undo")] == ["=", "= E5 C3", "? cannot undo"]


def test_rules_that_forbid_a_past_move_are_refused(desk):
    for line in ("kata-set-rules new-zealand", "boardsize 4", "play w B1", "play w B2", "play w A3", "play b A1"):
        assert desk.ask(line) == "="
    assert desk.ask("play b A2") == "=", "a suicide, legal here, that repeats the board with the other player to move"
    board, rules = desk.ask("showboard"), desk.ask("kata-get-rules")
    assert desk.ask("kata-set-rules japanese") == "? move 5, A2, may not be played under these rules"
    assert desk.ask("showboard") == board
    assert desk.ask("kata-get-rules") == rules


def test_a_loaded_record_can_continue_under_other_rules(desk, tmp_path):
    (tmp_path / "game.sgf").write_text("(;SZ[5]KM[6.5]AB[bb]AW[cc];B[dd];W[bd])")
    assert desk.ask(f"loadsgf {tmp_path / 'game.sgf'}") == "="
    board = desk.ask("showboard")
    assert desk.ask("kata-set-rules aga") == "="
    assert desk.ask("showboard") == board


def test_rules_that_a_model_cannot_see_are_refused_at_once():
    model = Path(__file__).parents[5] / "models/go-9x9"
    player = go_player(Mind(load_checkpoint(model), None))
    game = GtpBoard(player.find, 9, "chinese", 7.5)
    with pytest.raises(Failure, match=r"not under these rules: the model go-9x9 reads planes"):
        game.set_rules("button")
    game.set_rules("japanese")
    assert game.rules == "japanese"
