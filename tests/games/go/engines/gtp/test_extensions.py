"""KataGo's, GNU Go's and GoGui's extensions of GTP: rules, parameters, positions, records, and details of analyses."""

import json

import numpy as np
import pytest

import ludus
from ludus.games.go.sgf_game import read_games

# ---- rules and parameters --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "field", "value"),
    [
        ("ko SIMPLE", "ko", "SIMPLE"),
        ("KO situational", "ko", "SITUATIONAL"),
        ("scoring TERRITORY", "tax", "SEKI"),
        ("suicide false", "suicide", False),
        ("whiteHandicapBonus N-1", "whiteHandicapBonus", "N-1"),
        ("hasButton true", "hasButton", True),
        ("tax NONE", "tax", "NONE"),
        ("friendlyPassOk true", "suicide", True),
    ],
)
def test_one_field_of_the_rules_can_be_changed(desk, change, field, value):
    before = json.loads(desk.ask("kata-get-rules").removeprefix("= "))
    assert desk.ask(f"kata-set-rule {change}") == "="
    after = json.loads(desk.ask("kata-get-rules").removeprefix("= "))
    assert after[field] == value
    assert {name for name in before if before[name] != after[name]} <= {field, "scoring", "ko"}


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ("tax ALL", "tax ALL is not played with the other rules"),
        ("hasButton perhaps", "hasButton perhaps is not played with the other rules"),
        ("ko spirit", "ko spirit is not played with the other rules"),
        ("komi 7.5", "unknown rule 'komi'; rules are "),
        ("ko", "syntax error"),
    ],
)
def test_a_field_of_the_rules_without_that_value_is_refused(desk, change, why):
    before = desk.ask("kata-get-rules")
    assert desk.ask(f"kata-set-rule {change}").startswith(f"? {why}")
    assert desk.ask("kata-get-rules") == before


def test_parameters_can_be_read_and_changed(desk):
    names = desk.ask("kata-list-params").removeprefix("= ").split()[:3]
    assert [desk.ask(f"kata-get-param {name}") for name in names] == ["= 800", "= 1e20", "= -1.0"]
    assert desk.ask("kata-set-param maxVisits 50") == desk.ask("kata-set-param maxTime 2.5") == "="
    assert [desk.ask(f"kata-get-param {name}") for name in names] == ["= 50", "= 2.5", "= -1.0"]
    desk.ask("genmove b")
    assert (desk.asked[-1][0].visits, desk.asked[-1][0].seconds) == (50, 2.5)
    assert desk.ask("kata-set-param maxTime 1e20") == "="
    desk.ask("genmove b")
    assert desk.asked[-1][0].seconds == float("inf")


@pytest.mark.parametrize("value", ["1", "many", "1e9", "nan", "800.5"])
def test_invalid_values_of_parameters_are_refused(desk, value):
    assert desk.ask(f"kata-set-param maxVisits {value}") == "? maxVisits must be an integer from 2 to 10000000"
    assert desk.ask("kata-get-param maxVisits") == "= 800"
    assert desk.ask("kata-set-param chattiness 1").startswith("? unknown parameter ")
    assert desk.ask("kata-get-param chattiness").startswith("? unknown parameter ")


@pytest.mark.parametrize("name", ["playoutDoublingAdvantage", "analysisWideRootNoise"])
def test_parameters_without_an_effect_can_only_be_set_to_zero(desk, name):
    assert name in desk.ask("kata-list-params").split()
    assert desk.ask(f"kata-get-param {name}") == "= 0.0"
    assert desk.ask(f"kata-set-param {name} 0") == "="
    assert (
        desk.ask(f"kata-set-param {name} 0.04") == desk.ask(f"kata-set-param {name} x") == f"? {name} is always 0 here"
    )


# ---- positions and records -------------------------------------------------------------------------------------------


def test_the_legality_of_a_move_is_told_without_playing_it(desk):
    desk.ask("play b D4")
    moves = ("b D4", "w D4", "b E5", "w pass", "b A1")
    assert [desk.ask(f"is_legal {move}") for move in moves] == ["= 0", "= 0", "= 1", "= 1", "= 1"]
    assert desk.ask("is_legal b Z9") == desk.ask("is_legal D4") == "? syntax error"
    assert desk.ask("list_stones b") == "= D4"


def test_a_position_of_stones_can_be_set_up(desk):
    assert desk.ask("set_position b D4 w E5 B A1") == "="
    assert (desk.ask("list_stones b"), desk.ask("list_stones w")) == ("= D4 A1", "= E5")
    assert desk.ask("undo") == "? cannot undo"
    before = desk.ask("showboard")
    for wrong in ("b D4 w D4", "b D4 w", "red D4", "b pass", "b A1 w A2 w B1"):
        assert desk.ask(f"set_position {wrong}").startswith("? ")
        assert desk.ask("showboard") == before
    assert desk.ask("set_position") == "="
    assert desk.ask("list_stones b") == "="


def test_a_printed_record_can_be_loaded_again(desk, tmp_path):
    for line in ("kata-set-rules japanese", "fixed_handicap 2", "play w E5", "play w E6", "play b pass", "komi 0.5"):
        assert desk.ask(line).startswith("=")
    record = desk.ask("printsgf").removeprefix("= ")
    (game,) = read_games(record)
    assert (game.root.text("RU"), game.root.text("KM"), game.root.text("HA")) == ("Japanese", "0.5", "2")
    assert [sorted(node.properties) for node in game.root.main_line()][1:] == [["W"], ["W"], ["B"]]
    path = tmp_path / "a game.sgf"
    assert desk.ask(f"printsgf {path}") == "="
    assert path.read_text().rstrip("\n") == record
    shown, rules = desk.ask("showboard"), desk.ask("kata-get-rules")
    for line in ("clear_board", "kata-set-rules chinese", "komi 7.5", f"loadsgf {path}"):
        assert desk.ask(line) == "="
    assert [desk.ask("showboard"), desk.ask("kata-get-rules"), desk.ask("get_komi")] == [shown, rules, "= 0.5"]
    assert desk.ask(f"printsgf {tmp_path}").startswith("? ")


@pytest.mark.parametrize(
    ("named", "field", "value"),
    [
        ("Japanese", "scoring", "TERRITORY"),
        ("AGA", "ko", "SITUATIONAL"),
        ("koPOSITIONALscoreAREAtaxNONEsui0whbN", "whiteHandicapBonus", "N"),
        ("koSITUATIONALscoreTERRITORYtaxSEKIsui1", "ko", "SITUATIONAL"),
        ("of the house", "ko", "SIMPLE"),
        ("", "ko", "SIMPLE"),
    ],
)
def test_a_record_sets_its_rules_if_they_are_known(desk, tmp_path, named, field, value):
    desk.ask("kata-set-rules chinese")
    (tmp_path / "game.sgf").write_text(f"(;SZ[9]RU[{named}];B[ee])")
    assert desk.ask(f"loadsgf {tmp_path / 'game.sgf'}") == "="
    assert json.loads(desk.ask("kata-get-rules").removeprefix("= "))[field] == value


def test_every_command_in_the_menu_of_gogui_is_answered(desk):
    lines = desk.ask("gogui-analyze_commands").removeprefix("= ").split("\n")
    assert len(lines) > 3
    for line in lines:
        kind, label, command = line.split("/")
        assert kind in {"string", "hstring", "plist"}
        assert label
        assert desk.ask(f"known_command {command.split()[0]}") == "= true"
        assert desk.ask(command).startswith("=") or command.startswith("kata-raw-nn"), "this engine has no network"


# ---- analysis and the network's output -------------------------------------------------------------------------------


def test_an_analysis_ends_with_stop(desk_of):
    desk = desk_of(waits=True)
    desk.ask("lz-analyze b 50")
    assert desk.ask("4 stop") == "\n=4"
    assert desk.asked[0][2].cancelled()
    assert desk.ask("stop") == "="


def test_an_analysis_reports_its_root_and_the_owners_after_each_move(desk_of, white_has_all):
    desk = desk_of(evaluator=white_has_all)
    wish = "interval 20 maxmoves 2 ownership true rootInfo true movesOwnership true pvVisits true"
    line = desk.ask(f"kata-analyze w {wish}").split("\n")[1]
    infos, _, rest = line.partition(" rootInfo ")
    root, _, owners = rest.partition(" ownership ")
    assert root == "visits 30 utility -0.5000 winrate 0.2500 scoreMean 88.50 scoreStdev 0.00 scoreLead 88.50"
    assert {float(owner) for owner in owners.split()} == {1.0}
    first, second = infos.removeprefix("info move ").split(" info move ")
    for info, move, visits in ((first, "A9", 10), (second, "B9", 9)):
        head, _, after = info.partition(" movesOwnership ")
        assert head.startswith(f"{move} visits {visits} ")
        assert head.endswith(f" pv {move} pvVisits {visits}")
        assert [float(owner) for owner in after.split()] == [1.0] * 81
    assert "rootInfo" not in desk.ask("kata-analyze w interval 20")


def test_playouts_tell_the_owners_after_each_move_without_a_network(desk):
    line = desk.ask("kata-analyze b interval 20 maxmoves 2 movesOwnership true").split("\n")[1]
    assert [len(part.split(" info ")[0].split()) for part in line.split(" movesOwnership ")[1:]] == [81, 81]
    assert " ownership " not in line
    assert "movesOwnership" not in desk.ask("lz-analyze b interval 20 movesOwnership true rootInfo true")


class SeesStones:
    """A network that expects stones to stay, and wants to play to the right of the only stone, as it sees the board."""

    def __init__(self, planes):
        self.planes = np.zeros((1, *planes), np.uint8)

    def lane(self, batch):
        assert batch == 1
        return self

    def submit(self, count):
        assert count == 1

    def answer(self):
        logits = np.zeros((1, 82), np.float32)
        logits[0, int(self.planes[0, :2].max(0).argmax()) + 1] = 2.0
        return logits, np.float32([[0.5, 0.2, 0.3]])

    def maps(self, planes):
        return planes[:, :2].astype(np.float32)


@pytest.fixture
def seeing(desk_of):
    return desk_of(evaluator=SeesStones(ludus.game("go:9x9").planes))


def read_raw(text):
    """Return the values of each key of a raw output."""
    found, key = {}, ""
    for word in text.removeprefix("= ").split():
        try:
            found[key].append(float(word))
        except (ValueError, KeyError):
            key = word
            found[key] = []
    return found


def test_the_raw_output_of_the_network_is_reported_from_the_view_of_white(seeing):
    seeing.ask("komi 6.5")
    seeing.ask("play b D4")
    found = read_raw(seeing.ask("kata-raw-nn 0"))
    assert (found["whiteWin"], found["whiteLoss"], found["noResult"]) == ([0.6], [0.4], [0.0])
    assert (len(found["policy"]), len(found["whiteOwnership"])) == (81, 81)
    assert np.isnan(found["policy"][5 * 9 + 3]), "D4 is taken"
    assert sum(np.nan_to_num(found["policy"])) + found["policyPass"][0] == pytest.approx(1.0, abs=1e-4)
    assert int(np.nanargmax(found["policy"])) == 5 * 9 + 4, "E4"
    assert {index: owner for index, owner in enumerate(found["whiteOwnership"]) if owner} == {5 * 9 + 3: -1.0}
    assert found["whiteLead"] == [5.5]


def test_each_symmetry_of_the_raw_output_refers_to_the_unchanged_board(seeing):
    seeing.ask("play b D4")
    best = {}
    for part in seeing.ask("kata-raw-nn all").split("symmetry ")[1:]:
        found = read_raw("symmetry " + part)
        best[int(part.split()[0])] = int(np.nanargmax(found["policy"]))
        assert {index for index, owner in enumerate(found["whiteOwnership"]) if owner} == {5 * 9 + 3}
    right, left, below, above = 5 * 9 + 4, 5 * 9 + 2, 6 * 9 + 3, 4 * 9 + 3
    assert best == {0: right, 1: right, 2: left, 3: left, 4: below, 5: above, 6: below, 7: above}
    assert seeing.ask("kata-raw-nn 8") == seeing.ask("kata-raw-nn some") == "? syntax error"


def test_the_raw_output_needs_a_network(desk):
    assert desk.ask("kata-raw-nn 0") == "? there is no network; start the engine with --model"
