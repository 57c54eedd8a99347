"""The conformance tool agrees with the golden data and reports changed data."""

import gzip
import json
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "tests/golden"
FILES = [
    "wallgame-2026-01",
    "wallgame-2026-09",
    "connect4-solved",
    "chess-games",
    "chess-perft",
    "chess-rules",
    "go-games",
    "go-finished",
]
FILES += ["nncache-9x9", "nncache-9x9-edge", "nncache-19x19"]
FILES += ["gomoku-games", "gomoku-renju-forbidden"]


@pytest.fixture(scope="module")
def tool(load_program):
    return load_program("tools/conformance.py")


def records(name):
    with gzip.open(GOLDEN / f"{name}.jsonl.gz", "rt") as lines:
        return [json.loads(line) for line in lines]


def written(path, lines):
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return str(path)


@pytest.mark.parametrize("name", FILES)
def test_golden_data_have_no_mismatches(tool, capsys, tmp_path, one_in_ten, name):
    header = [each for each in records(name)[:1] if each.get("kind") == "header"]
    rest = one_in_ten(records(name)[len(header) :])
    for beside in GOLDEN.glob(f"{name}.lzc"):
        shutil.copy(beside, tmp_path)
    status = tool.main([written(tmp_path / f"{name}.jsonl", [*header, *rest])])
    printed = capsys.readouterr().out
    assert " 0 mismatches" in printed
    assert status == 0


def spoil_walls(game):
    ply = next(ply for ply in game["plies"] if ply.get("walls"))
    ply["walls"] = ply["walls"].split(" ", 1)[1]


def spoil_doubles(game):
    ply = next(ply for ply in game["plies"] if ply.get("doubles"))
    ply["doubles"] = ply["doubles"].split(" ", 1)[1]


def spoil_legal_probe(game):
    probe = next(probe for ply in game["plies"] for probe in ply.get("probes", []) if probe[1])
    probe[1:] = [0, "wall"]


def spoil_illegal_probe(game):
    probe = next(probe for ply in game["plies"] for probe in ply.get("probes", []) if not probe[1])
    probe[1:] = [1, ""]


def spoil_mid(game):
    mid = next(ply["mid"] for ply in game["plies"] if "mid" in ply)
    mid["steps"] += " Ca1"


def spoil_result(game):
    game["result"] = {"status": "finished", "winner": 0, "reason": "capture"}


def spoil_owner(game):
    game["final"]["walls"][0][1] += 1


def spoil_move(game):
    ply = next(ply for ply in game["plies"] if "as" in ply and "." in ply["move"])
    ply["move"] = ".".join(reversed(ply["move"].split(".")))


def spoil_pawns(game):
    game["plies"][0]["pos"] = " ".join(reversed(game["plies"][0]["pos"].split()))


@pytest.mark.parametrize(
    "spoil",
    [
        spoil_walls,
        spoil_doubles,
        spoil_legal_probe,
        spoil_illegal_probe,
        spoil_mid,
        spoil_result,
        spoil_owner,
        spoil_move,
        spoil_pawns,
    ],
)
def test_a_spoilt_record_is_noticed(tool, capsys, tmp_path, spoil):
    header, *rest = records("wallgame-2026-01")
    games = [record for record in rest if record.get("variant") == "standard"]
    for game in games:
        try:
            spoil(game)
        except (StopIteration, IndexError):
            continue
        break
    assert tool.main([written(tmp_path / "spoilt.jsonl", [header, game])]) == 1
    first_line, *shown = capsys.readouterr().out.splitlines()
    assert first_line.startswith("spoilt.jsonl: 1 records, ")
    assert game["id"] in shown[0]


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"parser": "throws"}, "is read, must be refused"),
        ({"canonical": "Ca1"}, "canonical form: found"),
        ({"actions": []}, "actions: found"),
    ],
)
def test_a_spoilt_notation_case_is_noticed(tool, capsys, tmp_path, change, complaint):
    header, *rest = records("wallgame-2026-09")
    case = next(record for record in rest if record["kind"] == "notation" and record["parser"] == "ok") | change
    assert tool.main([written(tmp_path / "spoilt.jsonl", [header, case])]) == 1
    assert complaint in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "field", "value", "complaint"),
    [
        ("go-games", "n_legal", "80 80", "number of legal points"),
        ("go-games", "captures_by_white", -1, "captures by white"),
        ("go-games", "score", 0.25, "score"),
        ("go-games", "final_board", [], "board"),
        ("go-finished", "gnugo_chinese", "B+1.0", "score by GNU Go"),
        ("go-finished", "recount_territory", "0", "score by territory"),
    ],
)
def test_a_spoilt_game_of_go_is_noticed(tool, capsys, tmp_path, name, field, value, complaint):
    record = next(each for each in records(name) if len(each["moves"].split()) < 800)
    if field == "n_legal":
        value = value + record["n_legal"][5:]
    assert tool.main([written(tmp_path / "spoilt.jsonl", [record | {field: value}])]) == 1
    assert complaint in capsys.readouterr().out


def test_a_spoilt_solved_position_is_noticed(tool, capsys, tmp_path):
    record = records("connect4-solved")[0]
    assert tool.main([written(tmp_path / "spoilt.jsonl", [record | {"to_move": 3 - record["to_move"]}])]) == 1
    assert "side to move: found 1, expected 2" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("change", "complaint"),
    [({"winrate": 0.25}, "winrate: found"), ({"bits": 1}, "bits: found"), ({"stored": False}, "stored: found True")],
)
def test_a_spoilt_entry_of_an_evaluation_file_is_noticed(tool, capsys, tmp_path, change, complaint):
    shutil.copy(GOLDEN / "nncache-9x9.lzc", tmp_path / "nncache-9x9.lzc")
    record = records("nncache-9x9")[0] | change
    assert tool.main([written(tmp_path / "nncache-9x9.jsonl", [record])]) == 1
    assert complaint in capsys.readouterr().out


def test_no_more_than_ten_mismatches_of_a_file_are_shown(tool, capsys, tmp_path):
    solved = [record | {"n_legal": 99} for record in records("connect4-solved")[:30]]
    tool.main([written(tmp_path / "spoilt.jsonl", solved)])
    first_line, *shown = capsys.readouterr().out.splitlines()
    assert first_line == "spoilt.jsonl: 30 records, 30 mismatches"
    assert len(shown) == 10


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('{"dir": "in", "raw": ""}\n', "this is protocol transcript data"),
        ('{"surprise": 1}\n', "this is unknown data"),
        ("[1]\n", "line 1: not a JSON object"),
        ("{\n", "line 1: not JSON"),
        ("", "the file is empty"),
    ],
)
def test_a_file_of_another_format_is_reported(tool, capsys, tmp_path, text, complaint):
    path = tmp_path / "data.jsonl"
    path.write_text(text)
    assert tool.main([str(path)]) == 2
    printed = capsys.readouterr().err
    assert complaint in printed
    assert str(path) in printed


def test_a_missing_or_damaged_file_is_reported(tool, capsys, tmp_path):
    damaged = tmp_path / "damaged.jsonl.gz"
    whole = gzip.compress(b'{"kind": "header", "format": 1}\n' * 1000)
    damaged.write_bytes(whole[:-20])
    spoilt = tmp_path / "spoilt.jsonl.gz"
    spoilt.write_bytes(whole[:10] + b"\xff" + whole[11:])  # an invalid gzip block type
    for path in (tmp_path / "missing.jsonl", damaged, spoilt):
        assert tool.main([str(path)]) == 2
        assert f"{path}: cannot be read" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "complaint"),
    [("nncache-9x9", "nncache-9x9.lzc: cannot be read"), ("renamed", "its name must contain the board's size: 9x9, ")],
)
def test_an_evaluation_file_that_is_not_beside_its_records_is_reported(tool, capsys, tmp_path, name, complaint):
    path = written(tmp_path / f"{name}.jsonl", records("nncache-9x9")[:1])
    assert tool.main([path]) == 2
    assert complaint in capsys.readouterr().err
