"""Benches that read files or start engines report errors in one sentence."""

import sys

import pytest


def complaint_of(program, monkeypatch, *arguments):
    monkeypatch.setattr(sys, "argv", [program.__name__, *map(str, arguments)])
    with pytest.raises(SystemExit) as ended:
        program.main()
    return str(ended.value)


@pytest.mark.parametrize(
    ("engine", "complaint"),
    [("/nowhere", "No such file or directory"), ("/bin/true", "/bin/true: engine process died")],
)
def test_games_of_chess_need_an_engine(load_program, monkeypatch, tmp_path, engine, complaint):
    program = load_program("bench/chess_games.py")
    assert complaint in complaint_of(program, monkeypatch, engine, "--out", tmp_path / "games.pgn")


@pytest.mark.parametrize("content", [b"no games", b"\x1f\x8b broken"])
def test_bytes_of_policies_are_counted_in_recorded_games_alone(load_program, monkeypatch, tmp_path, content):
    program, file = load_program("bench/policy_bytes.py"), tmp_path / "records.jsonl.gz"
    file.write_bytes(content)
    assert complaint_of(program, monkeypatch, file).startswith(f"{file}: contains no games of Go")
