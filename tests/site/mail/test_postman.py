"""Letters by SMTP: their headers, their tries, and encrypted connections."""

import asyncio
import shutil
import ssl
import subprocess

import pytest

from ludus.errors import Unavailable
from ludus.site.mail import postman as postman_module
from ludus.site.mail.postman import Letter, Postman

LETTER = Letter("ann@example.org", "Your turn", "Hello Ann\n", "stop-secret")


async def sent(postman, *letters, limit_s=20):
    """Post letters, run the postman until all have ended, and return whether each was delivered."""
    ends = asyncio.Queue()

    async def done(delivered):
        ends.put_nowait(delivered)

    for letter in letters:
        postman.post(letter, done)
    running = asyncio.create_task(postman.run())
    try:
        async with asyncio.timeout(limit_s):
            return [await ends.get() for _ in letters]
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


def test_a_letter_has_the_headers_of_one_click_unsubscription(smtp_server):
    async def scenario():
        async with smtp_server() as server:
            assert await sent(Postman(server.settings()), LETTER) == [True]
        ((receivers, message),) = server.letters
        assert receivers == ["ann@example.org"]
        assert message["From"] == "Ludus <ludus@example.org>"
        assert message["To"] == "ann@example.org"
        assert message["Subject"] == "Your turn"
        assert message["List-Unsubscribe"] == "<https://ludus.example.org/api/mail/stop/stop-secret>"
        assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        assert message["Auto-Submitted"] == "auto-generated"
        assert message["Date"]
        assert message["Message-ID"].endswith("@example.org>")
        assert message.get_content().strip() == "Hello Ann"

    asyncio.run(scenario())


def test_a_letter_is_tried_again_until_the_server_takes_it(smtp_server):
    async def scenario():
        async with smtp_server() as server:
            server.answers["RCPT"] = ["451 later", "451 later"]
            assert await sent(Postman(server.settings(), (0.01, 0.01, 0.01)), LETTER) == [True]
            assert (server.sessions, len(server.letters)) == (3, 1)

    asyncio.run(scenario())


def test_a_server_that_never_takes_a_letter_is_left_alone_after_four_tries(smtp_server):
    async def scenario():
        async with smtp_server() as server:
            server.answers["RCPT"] = ["451 later"] * 10
            assert await sent(Postman(server.settings(), (0.01, 0.01, 0.01)), LETTER) == [False]
            assert (server.sessions, server.letters) == (4, [])

    asyncio.run(scenario())


def test_a_receiver_that_is_refused_for_good_is_tried_once(smtp_server):
    async def scenario():
        async with smtp_server() as server:
            server.answers["RCPT"] = ["550 no such user"]
            assert await sent(Postman(server.settings(), (0.01,)), LETTER, LETTER) == [False, True]
            assert server.sessions == 2

    asyncio.run(scenario())


def test_a_letter_that_cannot_be_written_ends_no_other(smtp_server, caplog):
    async def scenario():
        async with smtp_server() as server:
            wrong = LETTER._replace(to="a..b@example.org")
            assert await sent(Postman(server.settings(), (0.01,)), wrong, LETTER) == [False, True]
            assert server.sessions == 1

    asyncio.run(scenario())
    assert "a..b" not in caplog.text


def test_a_server_that_cannot_be_reached_is_tried_again(smtp_server):
    async def scenario():
        async with smtp_server() as server:
            settings = server.settings()
        assert await sent(Postman(settings, (0.01,)), LETTER) == [False]

    asyncio.run(scenario())


def test_a_server_that_does_not_answer_leaves_the_event_loop_free(smtp_server):
    async def scenario():
        async with smtp_server() as server:
            server.answers["EHLO"] = server.answers["HELO"] = [""]  # an empty line: the client waits for more
            postman = Postman(server.settings())
            postman.post(LETTER)
            running = asyncio.create_task(postman.run())
            while not server.sessions:
                await asyncio.sleep(0.01)
            ticks = 0
            async with asyncio.timeout(5):
                while ticks < 20:
                    await asyncio.sleep(0.01)
                    ticks += 1
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)

    asyncio.run(scenario())


def test_the_log_names_no_receiver(smtp_server, caplog):
    async def scenario():
        async with smtp_server() as server:
            server.answers["RCPT"] = ["550 ann@example.org does not exist"]
            assert await sent(Postman(server.settings(), ()), LETTER) == [False]

    asyncio.run(scenario())
    assert "could not be delivered" in caplog.text
    assert "ann@" not in caplog.text


def test_a_full_queue_refuses_further_letters(smtp_server, monkeypatch):
    monkeypatch.setattr(postman_module, "MAX_WAITING", 1)

    async def scenario():
        async with smtp_server() as server:
            postman = Postman(server.settings())
            postman.post(LETTER)
            with pytest.raises(Unavailable, match="Too much mail"):
                postman.post(LETTER)

    asyncio.run(scenario())


def test_the_user_and_password_are_given_to_the_server(smtp_server):
    async def scenario():
        async with smtp_server(password="open sesame") as server:
            right = server.settings(user="ludus", password="open sesame")
            assert await sent(Postman(right, ()), LETTER) == [True]
            wrong = server.settings(user="ludus", password="mellon")
            assert await sent(Postman(wrong, ()), LETTER) == [False]

    asyncio.run(scenario())


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    """Return the files of a certificate of this machine and its key."""
    if not shutil.which("openssl"):
        pytest.skip("openssl, which makes certificates, is not here")
    folder = tmp_path_factory.mktemp("certificate")
    names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
    made = ["-keyout", folder / "key.pem", "-out", folder / "cert.pem"]
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", *names, *made]
    subprocess.run(command, check=True, capture_output=True)
    return folder / "cert.pem", folder / "key.pem"


def test_an_encrypted_connection_needs_a_trusted_certificate(smtp_server, certificate, monkeypatch):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate)

    async def scenario(delivered):
        async with smtp_server(tls=context) as server:
            postman = Postman(server.settings(tls="starttls"), ())
            assert await sent(postman, LETTER) == [delivered]
            assert len(server.letters) == delivered

    asyncio.run(scenario(delivered=False))
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate[0]))
    asyncio.run(scenario(delivered=True))
