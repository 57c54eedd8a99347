"""Limits of an account: password guesses, sessions and bot tokens."""

import pytest
from sqlalchemy import func, select, update

from ludus.site.database.people_schema import sessions
from ludus.site.faults import WrongPassword
from ludus.site.people import accounts as accounts_module
from ludus.site.people.bot_tokens import MAX_TOKENS

PASSWORD = "correct horse"


@pytest.mark.parametrize(
    ("method", "path", "more"),
    [("PUT", "/api/account/password", {"newPassword": "battery staple"}), ("DELETE", "/api/account", {})],
)
def test_password_guesses_within_a_session_are_limited(with_people, browser, method, path, more):
    async def scenario(_people, app, _database):
        async with browser(app) as mallory:
            await mallory.register("Ann")
            guesses = [{"password": f"wrong horse {number}"} | more for number in range(12)]
            answers = [await mallory.request(method, path, json=guess) for guess in guesses]
            assert [answer.status_code for answer in answers] == [401] * 10 + [429] * 2
            assert (await mallory.say("GET", "/api/me"))["account"]

    with_people(scenario)


def test_the_session_unused_for_longest_is_ended(with_people, browser, monkeypatch):
    monkeypatch.setattr(accounts_module, "MAX_SESSIONS", 3)

    async def scenario(people, app, database):
        async with browser(app) as ann:
            await ann.register("Ann")
        account = await people.accounts.named("Ann")
        tokens = [await people.accounts.open_session(account) for _ in range(5)]
        assert [await people.accounts.of_session(token) is not None for token in tokens] == [False] * 2 + [True] * 3
        counted = select(func.count()).select_from(sessions)
        assert await database.write(lambda connection: connection.execute(counted).scalar_one()) == 3

    with_people(scenario)


def test_sessions_unused_for_long_are_deleted(with_people, browser, monkeypatch):
    async def scenario(people, app, database):
        async with browser(app) as ann, browser(app) as bo:
            await ann.register("Ann")
            await bo.register("Bob")
            old = update(sessions).values(used_at=sessions.c.made_at)
            await database.write(lambda connection: connection.execute(old).rowcount)
            monkeypatch.setattr(accounts_module, "SESSION_DAYS", -1)
            await people.accounts.open_session(await people.accounts.named("Ann"))
            counted = select(func.count()).select_from(sessions)
            assert await database.write(lambda connection: connection.execute(counted).scalar_one()) == 1

    with_people(scenario)


def test_the_number_of_bot_tokens_per_account_is_limited(with_people, browser):
    async def scenario(_people, app, _database):
        async with browser(app) as ann:
            await ann.register("Ann", PASSWORD)
            for number in range(MAX_TOKENS):
                await ann.say("POST", "/api/bot-tokens", 201, clientId=f"bots-{number}")
            refused = await ann.say("POST", "/api/bot-tokens", 400, clientId="one-more")
            assert refused["error"] == f"You already have {MAX_TOKENS} tokens; delete one of them first."
            await ann.say("POST", "/api/bot-tokens", 201, clientId="bots-0")
            await ann.say("DELETE", "/api/bot-tokens/bots-3", 204)
            await ann.say("POST", "/api/bot-tokens", 201, clientId="one-more")

    with_people(scenario)


@pytest.mark.parametrize("is_old", [False, True], ids=["as it is", "hashed again"])
def test_a_login_during_a_password_change_opens_no_session(with_people, browser, monkeypatch, is_old):
    async def scenario(people, app, _database):
        async with browser(app) as ann:
            await ann.register("Ann", PASSWORD)
            account, mine = await people.accounts.log_in("Ann", PASSWORD)
            passwords = people.accounts._passwords
            is_right = passwords.is_right

            async def slow(hashed, password, asker):
                right = await is_right(hashed, password, asker)
                await people.accounts.change_password(account, hashed, "battery staple", mine)
                return right

            with monkeypatch.context() as patch:
                patch.setattr(passwords, "is_right", slow)
                patch.setattr(passwords, "is_old", lambda _hashed: is_old)
                with pytest.raises(WrongPassword):
                    await people.accounts.log_in("Ann", PASSWORD)
            with pytest.raises(WrongPassword):
                await people.accounts.log_in("Ann", PASSWORD)
            _, session = await people.accounts.log_in("Ann", "battery staple")
            assert await people.accounts.of_session(session)

    with_people(scenario)


def test_the_second_of_two_simultaneous_password_changes_is_refused(with_people, browser):
    async def scenario(people, app, _database):
        async with browser(app) as ann:
            await ann.register("Ann", PASSWORD)
            accounts = people.accounts
            account, mine = await accounts.log_in("Ann", PASSWORD)
            _, theirs = await accounts.log_in("Ann", PASSWORD)
            proved = [await accounts.check(account, PASSWORD) for _ in range(2)]
            await accounts.change_password(account, proved[0], "battery staple", mine)
            with pytest.raises(WrongPassword):
                await accounts.change_password(account, proved[1], "their own one", theirs)
            with pytest.raises(WrongPassword):
                await accounts.end(account, proved[1])
            assert await accounts.of_session(mine)
            assert not await accounts.of_session(theirs)
            await accounts.end(account, await accounts.check(account, "battery staple"))
            assert await accounts.named("Ann") is None

    with_people(scenario)
