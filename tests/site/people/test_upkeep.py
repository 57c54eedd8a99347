"""Maintenance commands reset passwords, delete accounts and hide names while the site runs."""

import asyncio
import re
from pathlib import Path

import httpx
import pytest
from sqlalchemy import text

from ludus.cli.serving.people import account, hide_names
from ludus.errors import BadInput, Unavailable
from ludus.site.database.beside import transaction, url_of_site
from ludus.site.database.database import Database, database_url

pytestmark = pytest.mark.usefixtures("quick_passwords")
CONFIG = {"game": "connect4", "boardWidth": 7, "boardHeight": 6}
PASSWORD = "correct horse"


def at(url):
    """Return the command-line options that select a database."""
    if url.get_backend_name() == "sqlite":
        return {"data": Path(url.database).parent}
    return {"database": url.set(drivername="postgresql").render_as_string(hide_password=False)}


async def asked(http, method, path, status=200, **body):
    answer = await http.request(method, path, json=body or None)
    assert answer.status_code == status, answer.text
    return answer.json()


def test_a_password_is_reset_while_the_site_runs(at_site, fresh_url, capsys):
    async def scenario(address, _site):
        async with httpx.AsyncClient(base_url=address) as ann, httpx.AsyncClient(base_url=address) as bob:
            for http, name in ((ann, "Ann"), (bob, "Bob")):
                await asked(http, "POST", "/api/account", 201, name=name, password=PASSWORD)
            await asyncio.to_thread(account, "aNN", reset_password=True, **at(fresh_url))
            password = re.search(r"^Ann logs in with (\S{16}), which", capsys.readouterr().out)[1]
            assert not (await asked(ann, "GET", "/api/me"))["account"], "the sessions have ended"
            assert (await asked(bob, "GET", "/api/me"))["account"]
            await asked(ann, "POST", "/api/session", 401, name="Ann", password=PASSWORD)
            assert (await asked(ann, "POST", "/api/session", name="Ann", password=password))["name"] == "Ann"

    at_site(scenario, url=fresh_url)


def test_an_account_is_deleted_while_the_site_runs_and_its_name_leaves_its_games(at_site, fresh_url, guest_at):
    async def scenario(address, site):
        async with httpx.AsyncClient(base_url=address) as ann:
            await asked(ann, "POST", "/api/account", 201, name="Ann", password=PASSWORD)
            await asked(ann, "POST", "/api/bot-tokens", 201, clientId="anns-bots")
            opened = await asked(ann, "POST", "/api/games", 201, config=CONFIG, hostIsPlayer1=True)
            host = await guest_at(address).join(opened["gameId"], opened["hostToken"])
            other = await guest_at(address).sit_down(host.id, "Bob")
            await host.play(3)
            await other.play(3)
            await host.say(type="resign")
            await other.over()
            with pytest.raises(BadInput, match="no account 'Nan'"):
                await asyncio.to_thread(account, "Nan", end=True, **at(fresh_url))
            await asyncio.to_thread(account, "Ann", end=True, **at(fresh_url))
            assert not (await asked(ann, "GET", "/api/me"))["account"]
            (game,) = (await asked(ann, "GET", "/api/archive"))["games"]
            assert [each["name"] for each in game["players"]] == ["(deleted)", "Bob"]
            await asyncio.to_thread(hide_names, host.id, **at(fresh_url))
            (game,) = (await asked(ann, "GET", "/api/archive"))["games"]
            assert [each["name"] for each in game["players"]] == ["(deleted)", "(deleted)"]
            await asked(ann, "POST", "/api/account", 201, name="Ann", password=PASSWORD)
            assert await site.services.people().tokens.may_attach("anns-bots", None)

    at_site(scenario, url=fresh_url)


def test_names_are_hidden_only_in_finished_games(at_site, fresh_url, guest_at):
    async def scenario(address, _site):
        host = await guest_at(address).invite()
        for game, fault in ((host.id, "this game is not over yet"), ("none", "there is no such game")):
            with pytest.raises(BadInput, match=f"^{game}: {fault}; give the last part"):
                await asyncio.to_thread(hide_names, game, **at(fresh_url))

    at_site(scenario, url=fresh_url)


def test_a_folder_without_a_site_is_reported_and_unchanged(tmp_path):
    with pytest.raises(Unavailable, match=r"this folder has no site\.sqlite3; name the site's data folder with --data"):
        account("Ann", end=True, data=tmp_path / "none")
    assert not (tmp_path / "none").exists()


def test_a_database_of_another_version_is_left_as_it_is(tmp_path):
    async def make():
        await (await Database.open(database_url(tmp_path))).close()

    asyncio.run(make())
    with transaction(url_of_site(tmp_path)) as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '0000'"))
    with pytest.raises(Unavailable, match="The database belongs to another version"):
        account("Ann", end=True, data=tmp_path)


def test_a_file_that_is_not_a_site_database_is_reported(tmp_path):
    (tmp_path / "site.sqlite3").write_text("no database at all " * 9)
    with pytest.raises(Unavailable, match="cannot be used: file is not a database"):
        account("Ann", end=True, data=tmp_path)


@pytest.mark.parametrize("both", [True, False])
def test_one_thing_is_done_at_a_time(both, tmp_path):
    with pytest.raises(BadInput, match="Give exactly one action"):
        account("Ann", end=both, reset_password=both, data=tmp_path)
