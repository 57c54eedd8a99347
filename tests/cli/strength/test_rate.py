"""Tables of ratings: anchors have valid fixed ratings, and names are printed literally."""

import io
import itertools
import json

import msgspec
import pytest
from rich.console import Console
from typer.testing import CliRunner

from ludus.arena.summary import MatchResult
from ludus.cli.app import app
from ludus.cli.strength import rate as command
from ludus.errors import BadInput

ODD = ["net[/]", "net[v2]", "net[v3]", "net:100:", "net\\"]


@pytest.fixture
def run(tmp_path):
    """Return a run with matches in which each player beats the next one by 3 pairs to 1."""
    results = [
        MatchResult(a, b, ["tictactoe"], 6, 0, 2, [1, 0, 0, 0, 3], [9] * 8, [], 0, 0)
        for a, b in itertools.pairwise(ODD)
    ]
    (tmp_path / "matches.jsonl").write_bytes(b"".join(msgspec.json.encode(result) + b"\n" for result in results))
    return str(tmp_path)


def test_names_are_printed_as_they_are_written(run):
    result = CliRunner().invoke(app, ["rate", run])
    assert result.exit_code == 0, result.exception
    printed = [line.split("│")[2].strip() for line in result.stdout.splitlines() if line.startswith("│")]
    assert printed == ODD


def test_rating_an_unfinished_match_warns(tmp_path):
    file = tmp_path / "match.jsonl"
    match = [
        "match",
        "minimax:1",
        "random",
        "--game",
        "tictactoe",
        "--opening",
        "2",
        "--pairs",
        "4",
        "--record",
        str(file),
    ]
    assert CliRunner().invoke(app, match).exit_code == 0
    assert "missing" not in CliRunner().invoke(app, ["rate", str(file)]).stderr
    plan, *games = file.read_bytes().splitlines(keepends=True)
    played = [game for game in games if b'"pair":3' in game] + [game for game in games if b'"pair":2' in game][:1]
    file.write_bytes(plan + b"".join(played))
    said = " ".join(CliRunner().invoke(app, ["rate", str(file)]).stderr.split())
    assert (
        "minimax@1 against random: the match is not finished: 5 games or more are missing; short games end first"
        in said
    )
    assert CliRunner().invoke(app, match).exit_code == 0
    assert "missing" not in CliRunner().invoke(app, ["rate", str(file)]).stderr


def test_an_anchor_stays_where_it_is_put(run):
    said = CliRunner().invoke(app, ["rate", run, "--anchor", "net[v2]=-10000", "--anchor", "net[v3]", "--json"]).stdout
    elos = {rating["name"]: rating["elo"] for rating in json.loads(said)["ratings"]}
    assert (elos["net[v2]"], elos["net[v3]"]) == (-10_000.0, 0.0)


@pytest.mark.parametrize(
    ("anchors", "complaint"),
    [
        (["net[v2]=500000"], "--anchor net[v2]=500000: anchors must be within 10,000 Elo points of 0."),
        (["net[v2]=-10000.5"], "--anchor net[v2]=-10000.5: anchors must be within 10,000 Elo points of 0."),
        (["net[v2]=" + "9" * 400], "anchors must be within 10,000 Elo points of 0."),
        (
            ["net[v2]", "net[v2]=100"],
            "--anchor net[v2]=100: net[v2] has a fixed rating already; name each anchor once.",
        ),
    ],
)
def test_an_invalid_anchor_is_rejected(run, anchors, complaint):
    result = CliRunner().invoke(app, ["rate", run, *(word for anchor in anchors for word in ("--anchor", anchor))])
    assert isinstance(result.exception, BadInput)
    assert str(result.exception).endswith(complaint)


NETS = [f"a-network-of-some-name-{number}@800" for number in range(9)]


@pytest.fixture
def table(monkeypatch):
    """Return a function that prints the table of nine players, and returns its rows and the messages."""

    def table(capsys, **how):
        out = io.StringIO()
        monkeypatch.setattr(command, "output", lambda: Console(file=out, color_system=None, **how))
        results = [
            MatchResult(a, b, ["tictactoe"], 6, 0, 2, [1, 0, 0, 0, 3], [9] * 8, [], 0, 0)
            for a, b in itertools.pairwise(NETS)
        ]
        command.show(results, [], as_json=False)
        rows = [line.strip("│").split("│") for line in out.getvalue().splitlines() if line.startswith("│")]
        return [[cell.strip() for cell in row] for row in rows], capsys.readouterr().err

    return table


def test_a_narrow_terminal_shows_whole_names_without_scores_against_each_other(table, capsys):
    rows, said = table(capsys, force_terminal=True, width=80)
    assert [row[1] for row in rows] == NETS
    assert {len(row) for row in rows} == {6}
    assert said.startswith("The scores of all pairs need ")


@pytest.mark.parametrize("how", [{"force_terminal": True, "width": 200}, {"force_terminal": False, "width": 80}])
def test_a_wide_terminal_and_any_file_have_all_scores(table, capsys, how):
    rows, said = table(capsys, **how)
    assert [row[1] for row in rows] == NETS
    assert rows[0][7] == rows[7][14] == "75%"
    assert said == ""


def test_a_name_that_is_too_long_is_wrapped(table, capsys):
    rows, _ = table(capsys, force_terminal=True, width=60)
    names, name = [], ""
    for place, *cells in rows:
        if place and name:
            names, name = [*names, name], ""
        name += cells[0]
    assert [*names, name] == NETS
