"""An SMTP server of this machine that keeps what it is sent, and a site with accounts and a database."""

import asyncio
import base64
import contextlib
from email import message_from_bytes, policy

import pytest

from ludus.site.settings import MailSettings


class SmtpServer:
    """A server that speaks enough SMTP for `smtplib`; it may refuse receivers, want a password, or speak TLS."""

    def __init__(self, tls=None, password=None):
        self.letters = []
        self.sessions = 0
        self.answers = {}
        """Answers in place of the usual ones, by command: lists from which each use takes the first."""
        self._tls, self._password = tls, password

    async def __aenter__(self):
        self._server = await asyncio.start_server(self._converse, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_):
        self._server.close()

    def settings(self, **changes):
        usual = {"host": "127.0.0.1", "port": self.port, "tls": "none", "sender": "Ludus <ludus@example.org>"}
        return MailSettings(**usual | {"site": "https://ludus.example.org/", "wait_s": 0.0, "rest_s": 0.0} | changes)

    async def _converse(self, reader, writer):
        self.sessions += 1
        receivers, known = [], self._password is None

        def say(line):
            writer.write(line.encode() + b"\r\n")

        say("220 test")
        with contextlib.suppress(ConnectionError):
            while line := (await reader.readline()).decode().strip():
                word = line.split()[0].upper()
                given = self.answers.get(word)
                if given:
                    say(given.pop(0))
                elif word in ("EHLO", "HELO"):
                    say("250-test")
                    if self._tls:
                        say("250-STARTTLS")
                    say("250 AUTH PLAIN")
                elif word == "STARTTLS":
                    say("220 go on")
                    await writer.start_tls(self._tls)
                elif word == "AUTH":
                    told = base64.b64decode(line.split()[2]).decode().split("\0")
                    known = told[1:] == ["ludus", self._password]
                    say("235 known" if known else "535 wrong")
                elif word == "RCPT":
                    receivers.append(line.partition(":")[2].strip().strip("<>"))
                    say("250 yes")
                elif word == "DATA":
                    say("354 go on" if known else "530 log in")
                    text = await reader.readuntil(b"\r\n.\r\n")
                    self.letters.append((receivers, message_from_bytes(text[:-5], policy=policy.default)))
                    receivers = []
                    say("250 taken")
                elif word == "QUIT":
                    say("221 bye")
                    break
                else:
                    say("250 yes")
                await writer.drain()
        writer.close()


@pytest.fixture
def smtp_server():
    return SmtpServer
