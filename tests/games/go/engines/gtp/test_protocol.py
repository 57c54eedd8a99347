"""The Go Text Protocol: parsing commands and formatting responses."""

import pytest

from ludus.games.go.engines.gtp.protocol import (
    SYNTAX_ERROR,
    AnalyzeWish,
    Command,
    Failure,
    colour,
    failure,
    number,
    read_command,
    read_wish,
    success,
    whole,
)


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("name", Command("", "name", (), "")),
        ("  12 play\tB  D4 # my move", Command("12", "play", ("B", "D4"), "B  D4")),
        ("\x01na\x02me\x7f", Command("", "name", (), "")),
        ("7", Command("7", "", (), "")),
        ("loadsgf my game.sgf 3", Command("", "loadsgf", ("my", "game.sgf", "3"), "my game.sgf 3")),
        ("99999999999 name", Command("", "99999999999", ("name",), "name")),
        ("9" * 5000, Command("", "9" * 5000, (), "")),
        ("# comment", None),
        ("   ", None),
    ],
    ids=lambda line: str(line)[:20],
)
def test_a_line_is_parsed_as_a_command(line, command):
    assert read_command(line) == command


def test_answers_end_with_a_blank_line_and_have_no_other():
    command = Command("3", "list", (), "")
    assert success(command) == "=3\n"
    assert success(command, "A1 B2") == "=3 A1 B2\n"
    assert success(command, "a\n\nb").split("\n") == ["=3 a", " ", "b", ""]
    assert failure(command, SYNTAX_ERROR) == "?3 syntax error\n"


def test_colours_and_numbers_are_parsed_or_refused():
    assert [colour(text) for text in ("b", "Black", "W", "WHITE")] == [0, 0, 1, 1]
    assert (whole("12"), number("-0.5"), number("7."), number(".5")) == (12, -0.5, 7.0, 0.5)
    for read, text in ((colour, "red"), (whole, "-1"), (whole, "1.5"), (number, "nan"), (number, "1e9"), (number, "")):
        with pytest.raises(Failure, match=SYNTAX_ERROR):
            read(text)


def test_analysis_arguments_are_parsed_in_all_forms():
    assert read_wish(()) == AnalyzeWish()
    assert read_wish(("W", "50")) == AnalyzeWish(mover=1, interval_s=0.5)
    assert read_wish(("interval", "20", "b", "minmoves", "3", "maxmoves", "5")) == AnalyzeWish(0, 0.2, 3, 5)
    wish = read_wish(("avoid", "b", "D4,q16", "10", "allow", "w", "C3", "1", "ownership", "TRUE", "pvVisits", "true"))
    assert wish == AnalyzeWish(
        avoid=((0, ("d4", "q16"), 10),), allow=((1, ("c3",), 1),), ownership=True, line_visits=True
    )
    for arguments in (("soon",), ("interval",), ("avoid", "b"), ("minmoves", "few")):
        with pytest.raises(Failure):
            read_wish(arguments)
