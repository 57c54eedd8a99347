"""Log lines: JSON or terminal format, without secrets."""

import io
import json
import logging

import pytest
import structlog
from hypothesis import given, settings
from hypothesis import strategies as st

from ludus.site.operations.logs import HIDDEN, configure_logs, hide


@pytest.fixture
def written():
    """Return a function that configures logging, and one that returns the written text."""
    root = logging.getLogger()
    before, level = root.handlers[:], root.level
    stream = io.StringIO()

    def configured(**options):
        configure_logs(logging.INFO, stream, **options)
        return stream

    yield configured
    root.handlers[:] = before
    root.setLevel(level)
    structlog.reset_defaults()


def test_a_line_is_an_object_with_its_connection_and_game(written):
    stream = written()
    with structlog.contextvars.bound_contextvars(conn="c7", game="g1"):
        logging.getLogger("ludus.site").info("Hello, %s.", "Ann")
        structlog.get_logger("ludus.site").warning("It moved.", ply=3)
    first, second = map(json.loads, stream.getvalue().splitlines())
    assert (first["event"], first["conn"], first["game"], first["level"]) == ("Hello, Ann.", "c7", "g1", "info")
    assert (second["event"], second["conn"], second["ply"]) == ("It moved.", "c7", 3)
    assert first["timestamp"].endswith("Z")
    assert first["logger"] == "ludus.site"


def test_a_person_at_a_terminal_reads_lines(written):
    stream = written(json_lines=False)
    logging.getLogger("ludus.site").warning("Bot %s is gone.", "Bo")
    assert "Bot Bo is gone." in stream.getvalue()
    assert not stream.getvalue().startswith("{")


def test_news_in_text_are_short_and_warnings_tell_where_they_come_from(written):
    stream = written(json_lines=False)
    with structlog.contextvars.bound_contextvars(conn="c7", game="g1"):
        logging.getLogger("ludus.site").info("Opened.")
        logging.getLogger("ludus.site").warning("Lost.")
        logging.getLogger("uvicorn.error").info("connection open")
    opened, lost = stream.getvalue().splitlines()
    assert not any(each in opened for each in ("c7", "g1", "ludus.site"))
    assert all(each in lost for each in ("c7", "g1", "ludus.site"))


def test_what_strangers_are_called_rules_no_terminal(written):
    stream = written(json_lines=False)
    name = "Bo\x1b[2J\x07\x9b1m\nsite is down"
    logging.getLogger("ludus.site").warning("Bot %s is gone.", name)
    try:
        raise ValueError(name)
    except ValueError:
        logging.getLogger("ludus.site").exception("A bot failed.")
    lines = stream.getvalue().splitlines()
    assert r"Bot Bo\x1b[2J\x07\x9b1m\nsite is down is gone." in lines[0]
    assert r"ValueError: Bo\x1b[2J\x07\x9b1m" in lines
    assert all(line.isprintable() for line in lines)


@pytest.mark.parametrize(
    "text",
    [
        '127.0.0.1 - "WebSocket /ws/games/g1?token=S3CRET&x=1" [accepted]',
        "GET /api/games/g1?socketToken=S3CRET",
        "Authorization: Bearer S3CRET",
        "authorization=Basic S3CRET",
        "Cookie: ludus_session=S3CRET; other=1",
        '{"officialToken": "S3CRET", "botId": "b"}',
        "{'password': 'S3CRET'}",
        "newPassword=S3CRET",
        "postgresql://ann:S3CRET@db/ludus cannot be reached",
        "OFFICIAL_BOT_TOKEN=S3CRET",
        "?hostToken%3DS3CRET",
    ],
)
@pytest.mark.parametrize("as_json", [True, False])
def test_a_secret_in_a_text_is_hidden(written, text, as_json):
    stream = written(json_lines=as_json)
    logging.getLogger("x").error("Failed: %s", text)
    structlog.get_logger("x").error("Failed.", what=text, deep={"a": [text]})
    assert "S3CRET" not in stream.getvalue()
    assert HIDDEN in stream.getvalue()


@pytest.mark.parametrize("key", ["token", "password", "seat_token", "cookie", "Authorization", "client_secret"])
def test_a_secret_under_its_name_is_hidden(written, key):
    stream = written()
    structlog.get_logger("x").error("Failed.", **{key: "S3CRET"}, deep={"headers": {key: "S3CRET"}})
    assert "S3CRET" not in stream.getvalue()


def test_a_traceback_shows_neither_secrets_nor_variables(written):
    for as_json in (True, False):
        stream = written(json_lines=as_json)
        try:
            hidden_from_logs = "S3CRET"
            raise ValueError(f"token={hidden_from_logs}")
        except ValueError:
            logging.getLogger("x").exception("It broke.")
        assert "S3CRET" not in stream.getvalue()
        assert "ValueError" in stream.getvalue()


@pytest.mark.parametrize(
    "text", ["Game g1 is over.", "connect4:4:4", "http://127.0.0.1:8000/ws/eval/x", "a token of love"]
)
def test_other_texts_stay_as_they_are(text):
    assert hide(text) == text


@settings(deadline=None)
@given(st.text(st.characters(categories=["L", "N"]), min_size=8, max_size=40), st.sampled_from(["token", "password"]))
def test_whatever_the_secret_is_it_is_hidden(secret, name):
    assert secret not in hide(f"GET /x?{name}={secret}&y=1").removeprefix("GET /x?").replace(name, "")
