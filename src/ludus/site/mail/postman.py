"""Sends letters by SMTP in a thread of its own: a bounded queue, and a bounded number of tries for each letter."""

import asyncio
import logging
import smtplib
import ssl
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import formatdate, make_msgid, parseaddr
from typing import NamedTuple

from ludus.errors import Unavailable
from ludus.site.settings import MailSettings

_log = logging.getLogger(__name__)

MAX_WAITING = 500
TIMEOUT_S = 20.0
PAUSES_S = (5.0, 60.0, 300.0)
"""Pauses before the second and the later tries of a letter."""

Done = Callable[[bool], Awaitable[None]]
"""Called with whether a letter was delivered."""


class Letter(NamedTuple):
    """A letter, and the secret of the link that stops such letters; without one, the letter has no such link."""

    to: str
    subject: str
    text: str
    stop_token: str | None = None


def written(letter: Letter, settings: MailSettings) -> EmailMessage:
    """Return a letter as a message with its headers, those of RFC 8058 for letters that come again and again."""
    message = EmailMessage()
    name, sender = parseaddr(settings.sender)
    message["From"] = Address(name, addr_spec=sender)
    message["To"] = Address(addr_spec=letter.to)
    message["Subject"] = letter.subject
    message["Date"] = formatdate()
    message["Message-ID"] = make_msgid(domain=sender.rpartition("@")[2])
    message["Auto-Submitted"] = "auto-generated"
    if letter.stop_token:
        message["List-Unsubscribe"] = f"<{settings.site.rstrip('/')}/api/mail/stop/{letter.stop_token}>"
        message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    message.set_content(letter.text)
    return message


def deliver(message: EmailMessage, settings: MailSettings) -> None:
    """Send a message; blocks.

    Raises:
        OSError: the server cannot be reached, or refuses the message; SMTPException is one.
    """
    encrypted = None if settings.tls == "none" else ssl.create_default_context()
    if settings.tls == "tls":
        client: smtplib.SMTP = smtplib.SMTP_SSL(settings.host, settings.port, timeout=TIMEOUT_S, context=encrypted)
    else:
        client = smtplib.SMTP(settings.host, settings.port, timeout=TIMEOUT_S)
    with client:
        if settings.tls == "starttls":
            client.starttls(context=encrypted)
        if settings.user is not None and settings.password is not None:
            client.login(settings.user, settings.password)
        client.send_message(message)


def is_final(error: OSError) -> bool:
    """Return whether a server refused the receiver for good, so that trying again is useless."""
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        return all(code >= 500 for code, _ in error.recipients.values())
    return isinstance(error, smtplib.SMTPDataError) and error.smtp_code >= 500


class Postman:
    """The queue of letters; `run` sends them one after the other."""

    def __init__(self, settings: MailSettings, pauses_s: tuple[float, ...] = PAUSES_S) -> None:
        """Create an empty queue; a letter that fails is tried again after each of the pauses."""
        self.settings = settings
        self._pauses_s = pauses_s
        self._letters: asyncio.Queue[tuple[Letter, Done | None, int]] = asyncio.Queue(MAX_WAITING)
        self._thread = ThreadPoolExecutor(1, "mail")
        self._later: set[asyncio.TimerHandle] = set()
        self._telling: set[asyncio.Future[None]] = set()

    def post(self, letter: Letter, done: Done | None = None, tried: int = 0) -> None:
        """Queue a letter; `done` is called at its end.  Raises Unavailable if too many letters wait."""
        try:
            self._letters.put_nowait((letter, done, tried))
        except asyncio.QueueFull:
            raise Unavailable("Too much mail is waiting at the moment. Try again in a few minutes.") from None

    async def run(self) -> None:
        """Send letters until cancelled."""
        loop = asyncio.get_running_loop()
        try:
            while True:
                letter, done, tried = await self._letters.get()
                try:
                    message = written(letter, self.settings)
                    await loop.run_in_executor(self._thread, deliver, message, self.settings)
                except OSError as error:
                    if not is_final(error) and tried < len(self._pauses_s):
                        _log.info("A letter could not be sent; it is tried again: %s", _without_address(error))
                        self._again(loop, letter, done, tried)
                        continue
                    _log.warning("A letter could not be delivered: %s", _without_address(error))
                    await _tell(done, delivered=False)
                except ValueError as error:  # a header cannot hold the address; the other letters are sent
                    _log.warning("A letter could not be written: %s", type(error).__name__)
                    await _tell(done, delivered=False)
                else:
                    await _tell(done, delivered=True)
        finally:
            for timer in self._later:
                timer.cancel()
            self._thread.shutdown(wait=False, cancel_futures=True)

    def _again(self, loop: asyncio.AbstractEventLoop, letter: Letter, done: Done | None, tried: int) -> None:
        def queue() -> None:
            self._later.discard(timer)
            if not self._letters.full():
                self._letters.put_nowait((letter, done, tried + 1))
                return
            telling = asyncio.ensure_future(_tell(done, delivered=False))
            self._telling.add(telling)
            telling.add_done_callback(self._telling.discard)

        timer = loop.call_later(self._pauses_s[tried], queue)
        self._later.add(timer)


async def _tell(done: Done | None, *, delivered: bool) -> None:
    if done is not None:
        try:
            await done(delivered)
        except Unavailable as error:
            _log.info("The end of a letter could not be noted: %s", error)


def _without_address(error: OSError) -> str:
    """Return an error for the log without mail addresses."""
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        return f"the receiver was refused ({', '.join(str(code) for code, _ in error.recipients.values())})"
    return f"{type(error).__name__} {error.args[0] if error.args else ''}".strip()
