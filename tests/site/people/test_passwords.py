"""Password hashing: in threads, a few at a time, and as slow for unknown names as for known ones."""

import asyncio
import threading
import time

import pytest
from argon2 import PasswordHasher

from ludus.errors import Unavailable
from ludus.site.people import passwords as passwords_module
from ludus.site.people.passwords import AT_ONCE, MAX_OWN, Asker, Passwords
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
        await asyncio.gather(*(passwords.hash("x", Asker(is_known=each % 2 == 0)) for each in range(8)))
        assert Watching.most <= AT_ONCE
        assert threading.main_thread() not in Watching.threads

    asyncio.run(scenario())


class Slow:
    """A hasher that waits for permission to hash passwords of flooders."""

    def __init__(self):
        self.begun, self.may = [], threading.Event()

    def hash(self, password):
        self.begun.append(password)
        assert password == "known" or self.may.wait(300)
        return "x"


async def flooded(scenario):
    """Call `scenario(passwords, hasher, flood)` while hashes from 400 addresses wait; then let all end."""
    hasher = Slow()
    passwords = Passwords(hasher)
    flood = [asyncio.create_task(passwords.hash("flood", Asker(f"192.0.{n // 200}.{n % 200}"))) for n in range(400)]
    try:
        while not hasher.begun:
            await asyncio.sleep(0.01)
        async with asyncio.timeout(120):
            await scenario(passwords, hasher, flood)
    finally:
        hasher.may.set()
    assert await asyncio.gather(*flood) == ["x"] * len(flood)


def test_a_flood_from_400_addresses_delays_no_known_device():
    async def scenario(passwords, hasher, _flood):
        assert await passwords.hash("known", Asker("198.51.100.1", is_known=True)) == "x"
        assert hasher.begun == ["flood", "known"]

    asyncio.run(flooded(scenario))


def test_a_new_device_comes_before_a_flood_from_400_addresses():
    async def scenario(passwords, hasher, flood):
        new = asyncio.create_task(passwords.hash("new", Asker("198.51.100.1")))
        await asyncio.sleep(0.01)
        hasher.may.set()
        await new
        assert hasher.begun.index("new") <= 2
        await asyncio.gather(*flood)
        hasher.may.clear()
        flood[:] = [asyncio.create_task(passwords.hash("again", Asker(f"192.0.0.{n}"))) for n in range(200)]
        await asyncio.sleep(0.01)
        others = [asyncio.create_task(passwords.hash("other", Asker(f"198.51.100.{n}"))) for n in range(2, 5)]
        await asyncio.sleep(0.01)
        hasher.may.set()
        await asyncio.gather(*others)
        assert hasher.begun.index("other") <= 400 + 3

    asyncio.run(flooded(scenario))


def test_the_wait_for_a_hash_is_limited(monkeypatch):
    monkeypatch.setattr(passwords_module, "PATIENCE_S", 0.1)

    async def scenario(passwords, hasher, flood):
        done = await asyncio.gather(*flood[1:], return_exceptions=True)
        assert {str(each) for each in done} == {"Too many requests are waiting; try again in a few seconds."}
        assert hasher.begun == ["flood"]
        flood[1:] = []

    asyncio.run(flooded(scenario))


def test_the_number_of_waiting_hashes_is_limited(monkeypatch):
    monkeypatch.setattr(passwords_module, "MAX_WAITING", 3)

    async def scenario():
        hasher = Slow()
        passwords = Passwords(hasher)
        tasks = [asyncio.create_task(passwords.hash("x", Asker(str(each)))) for each in range(4)]
        try:
            while not hasher.begun:
                await asyncio.sleep(0.01)
            tasks.append(asyncio.create_task(passwords.hash("y", Asker("a"))))  # the newest
            with pytest.raises(Unavailable, match="try again in a few seconds"):
                async with asyncio.timeout(120):
                    await tasks.pop(1)  # the oldest that waits
            tasks.pop().cancel()  # a cancelled request makes room
            await asyncio.sleep(0)
            tasks.append(asyncio.create_task(passwords.hash("z", Asker("b"))))
            await asyncio.sleep(0)
        finally:
            hasher.may.set()
        assert await asyncio.gather(*tasks) == ["x"] * 4
        assert sorted(hasher.begun) == ["x"] * 3 + ["z"]

    asyncio.run(scenario())


def test_an_address_or_a_whole_ipv6_network_has_few_waiting_hashes():
    async def scenario():
        hasher = Slow()
        passwords = Passwords(hasher)
        places = [Asker(f"2001:db8:1:{each}::/64") for each in range(MAX_OWN + 2)]
        tasks = [asyncio.create_task(passwords.hash("x", place)) for place in places[:-1]]
        await asyncio.sleep(0.01)
        with pytest.raises(Unavailable, match="from your address"):
            await passwords.hash("y", places[-1])
        tasks.append(asyncio.create_task(passwords.hash("x", Asker("2001:db8:2:1::/64"))))
        hasher.may.set()
        assert await asyncio.gather(*tasks) == ["x"] * (MAX_OWN + 2)

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
