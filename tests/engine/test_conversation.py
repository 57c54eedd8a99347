"""`converse` reads lines while the engine works, survives errors, and ends when the engine is over."""

import io
import os
import threading

from ludus.engine import conversation
from ludus.engine.conversation import converse

PATIENCE_S = 100.0


class Echo:
    """An engine that repeats lines; `later` is answered from another thread, `fail` raises, `quit` ends."""

    def __init__(self, post, say):
        self.is_over, self._post, self._say = False, post, say
        self.owed, self.ended = 0, False

    def hear(self, line):
        if line == "fail":
            raise ZeroDivisionError
        if line == "quit":
            self.is_over = True
        elif line == "later":
            self.owed += 1
            threading.Thread(target=lambda: self._post(self._answer)).start()
        else:
            self._say(f"heard {line}")

    def _answer(self):
        self.owed -= 1
        self._say("at last")
        self.is_over = self.ended and not self.owed

    def close(self):
        self.is_closed = True

    def end(self):
        self.ended = True
        self.is_over = not self.owed


def said(text: bytes) -> list[str]:
    answers = io.BytesIO()
    converse(Echo, io.BytesIO(text), answers)
    return answers.getvalue().decode().splitlines()


def test_lines_are_handled_in_order_until_the_end_of_input():
    assert said(b"one\r\n  two \n\nthree") == ["heard one", "heard two", "heard ", "heard three"]


def test_open_answers_are_written_after_the_last_line():
    assert said(b"later\nlater\n") == ["at last", "at last"]


def test_quitting_ends_the_conversation_before_the_end_of_input():
    assert said(b"one\nquit\ntwo\n") == ["heard one"]


def test_an_error_in_the_engine_is_logged_and_the_engine_continues(caplog):
    assert said(b"fail\none\n") == ["heard one"]
    assert "continues after an error" in caplog.text


def test_a_byte_order_mark_before_the_first_line_is_no_part_of_it():
    assert said(b"\xef\xbb\xbfone\ntwo\n") == ["heard one", "heard two"]


def test_bytes_that_are_not_utf_8_are_replaced():
    assert said(b"\xff\xfe\x00\none\n") == ["heard \ufffd\ufffd\x00", "heard one"]


def test_a_line_without_end_is_dropped(monkeypatch, caplog):
    monkeypatch.setattr(conversation, "MAX_LINE_BYTES", 8)
    assert said(b"1234567\n" + 100 * b"x" + b"\none\n") == ["heard 1234567", "heard one"]
    assert "dropped" in caplog.text


def test_reading_pauses_while_too_many_lines_wait(monkeypatch):
    monkeypatch.setattr(conversation, "MAX_OPEN", 2)
    assert said(b"x\n" * 500) == ["heard x"] * 500


def test_a_closed_output_pipe_ends_the_conversation():
    reading, writing = os.pipe()
    os.close(reading)
    made = []

    def make(post, say):
        made.append(Echo(post, say))
        return made[0]

    with os.fdopen(writing, "wb", buffering=0) as answers:
        converse(make, io.BytesIO(b"one\ntwo\n"), answers)
    assert made[0].is_closed
    assert not made[0].is_over


def test_ctrl_c_ends_the_conversation_while_input_stays_open():
    reading, writing = os.pipe()
    heard = []

    class Interrupted(Echo):
        def hear(self, line):
            heard.append(line)
            raise KeyboardInterrupt

    with os.fdopen(reading, "rb") as lines:
        os.write(writing, b"one\n")
        converse(Interrupted, lines, io.BytesIO())
        os.close(writing)
    assert heard == ["one"]
