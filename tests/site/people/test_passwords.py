"""Password hashing: in threads, a few at a time, and as slow for unknown names as for known ones."""

import asyncio
import threading
import time

import pytest
from argon2 import PasswordHasher

from ludus.errors import Unavailable
from ludus.site.people import passwords as passwords_module
from ludus.site.people.passwords import AT_ONCE, Passwords
from ludus.site.safety import secrets
from ludus.site.safety.secrets import hash_of, is_same, new_secret

QUICK = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)


def test_a_password_is_verified_and_stored_as_an_argon2id_hash():
    async def scenario():
        passwords = Passwords(QUICK)
        stored = await passwords.hash("correct horse")
        assert stored.startswith("$argon2id$")
        assert "correct" not in stored
        assert await passwords.is_right(stored, "correct horse")
        assert not await passwords.is_right(stored, "correct horsf")
        assert not await passwords.is_right("nonsense", "correct horse")

    asyncio.run(scenario())


def test_a_password_without_an_account_is_wrong_and_takes_as_long_to_check():
    class Counting(PasswordHasher):
        checked = 0

        def verify(self, *arguments):
            Counting.checked += 1
            return super().verify(*arguments)

    async def scenario():
        passwords = Passwords(Counting(time_cost=1, memory_cost=8, parallelism=1))
        assert not await passwords.is_right(None, "of nobody")
        assert Counting.checked == 1

    asyncio.run(scenario())


def test_hashes_are_computed_in_threads_a_few_at_a_time():
    class Watching:
        now = most = 0
        threads = ()

        def hash(self, _password):
            Watching.now += 1
            Watching.most = max(Watching.most, Watching.now)
            Watching.threads += (threading.current_thread(),)
            time.sleep(0.01)
            Watching.now -= 1
            return "x"

    async def scenario():
        passwords = Passwords(Watching())
        await asyncio.gather(*(passwords.hash("x") for _ in range(8)))
        assert Watching.most <= AT_ONCE
        assert threading.main_thread() not in Watching.threads

    asyncio.run(scenario())


def test_the_number_of_waiting_hashes_is_limited(monkeypatch):
    monkeypatch.setattr(passwords_module, "MAX_WAITING", 3)
    begun, done = [], threading.Event()

    class Slow:
        def hash(self, password):
            begun.append(password)
            assert done.wait(300)
            return "x"

    async def scenario():
        passwords = Passwords(Slow())
        tasks = [asyncio.create_task(passwords.hash("x")) for _ in range(AT_ONCE + 3)]
        try:
            while len(begun) < AT_ONCE:
                await asyncio.sleep(0.01)
            for refused in (passwords.hash("y"), passwords.is_right("y", "y")):
                with pytest.raises(Unavailable, match="try again in a few seconds"):
                    await asyncio.wait_for(refused, 120)
            tasks.pop().cancel()  # a cancelled request makes room
            await asyncio.sleep(0)
            tasks.append(asyncio.create_task(passwords.hash("z")))
            await asyncio.sleep(0)
        finally:
            done.set()
        assert await asyncio.gather(*tasks) == ["x"] * (AT_ONCE + 3)
        assert sorted(begun) == ["x"] * (AT_ONCE + 2) + ["z"]

    asyncio.run(scenario())


def test_hashes_with_weaker_parameters_are_recognised():
    assert Passwords().is_old(QUICK.hash("x"))
    assert not Passwords(QUICK).is_old(QUICK.hash("x"))


def test_secrets_are_long_random_and_compared_in_constant_time(monkeypatch):
    assert len({new_secret() for _ in range(100)}) == 100
    secret = new_secret("bot_")
    assert secret.startswith("bot_")
    assert len(secret) >= 43
    assert is_same(secret, hash_of(secret))
    assert not is_same(secret + "x", hash_of(secret))
    compared = []
    monkeypatch.setattr(secrets.hmac, "compare_digest", lambda a, b: compared.append((a, b)) or True)
    assert is_same("wrong", hash_of(secret))
    assert compared


@pytest.mark.parametrize("secret", ["", "x"])
def test_a_hash_does_not_contain_the_secret(secret):
    assert len(hash_of(secret)) == 64
