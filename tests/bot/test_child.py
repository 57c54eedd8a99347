"""The bot client as a child process of the site: after a kill during a game it is restarted, and the game continues."""

import asyncio
import signal

import pytest

from ludus.bot import child as child_module
from ludus.bot.child import BotChild
from ludus.errors import Unavailable
from ludus.site.app import create_app
from ludus.site.messages.requests import BoardConfig, PlayBot
from ludus.site.people.visitors import Visitor
from ludus.site.runner import listen, run_site
from ludus.site.settings import SiteSettings

PATIENCE_S = 240
GUEST = Visitor("guest", None, None, needs_cookie=False)
RACK = BoardConfig(game="connect4", board_width=7, board_height=6)


@pytest.fixture
def children(monkeypatch):
    """Return the list of child processes in order of start; restarts have no delay."""
    started, start = [], asyncio.create_subprocess_exec

    async def noting(*command, **options):
        started.append(await start(*command, **options))
        return started[-1]

    monkeypatch.setattr(asyncio, "create_subprocess_exec", noting)
    monkeypatch.setattr(child_module, "RESTART_S", 0.05)
    return started


def beside_a_site(scenario, file, host="127.0.0.1", is_lost=lambda: False):
    """Run `scenario(site)` with a site and its bot client as a child; return the exit statuses of ended children."""
    ended = []

    async def run():
        app = create_app(SiteSettings(disconnect_grace_s=PATIENCE_S))
        site = app.state.site
        listener = listen(host, 0)
        address = f"http://{host}:{listener.getsockname()[1]}"
        child = BotChild(file, address, ended.append, lambda: bool(site.bots.all()) and not is_lost())
        site.bots.listeners.add(lambda: child.attached.set() if site.bots.all() else None)

        async def limited():
            async with asyncio.timeout(PATIENCE_S):
                running = asyncio.create_task(child.run())
                playing = asyncio.create_task(scenario(site))
                done, left = await asyncio.wait((running, playing), return_when=asyncio.FIRST_COMPLETED)
                for task in left:
                    task.cancel()
                await asyncio.gather(*left, return_exceptions=True)
                for task in done:
                    task.result()

        await run_site(app, listener, limited)

    asyncio.run(run())
    return ended


async def until(condition):
    while not condition():
        await asyncio.sleep(0.02)


def test_a_killed_bot_client_is_restarted_and_its_game_continues(engine_command, bots_file, children):
    async def scenario(site):
        await until(site.bots.all)
        wish = PlayBot(bot_id="c1:a", config=RACK, host_is_first=True)
        game = (await site.reception.play_bot(wish, GUEST)).game
        for ply in (0, 2):
            await game.do(lambda table, now, ply=ply: table.act(0, 3, ply, now))
            if ply == 0:
                await until(lambda: game.table.ply == 2)
                first = list(game.table.moves)
                children[-1].kill()
                await until(lambda: not site.bots.all())
        await until(lambda: game.table.ply == 4 or game.table.over)
        assert not game.table.over
        assert list(game.table.moves[:2]) == first

    assert beside_a_site(scenario, bots_file(a=engine_command())) == [-signal.SIGKILL]
    assert len(children) == 2
    assert all(child.returncode is not None for child in children), "no process remains"


def test_a_stopped_bot_client_is_killed_and_started_again(engine_command, bots_file, children, monkeypatch):
    monkeypatch.setattr(child_module, "AWAY_S", 0.3)
    monkeypatch.setattr(child_module, "LOOK_S", 0.05)
    stopped = []

    async def scenario(site):
        await until(site.bots.all)
        await asyncio.sleep(0.2)
        children[0].send_signal(signal.SIGSTOP)
        stopped.append(children[0])  # its connection is lost 40 s later, at an unanswered ping
        await until(lambda: len(children) == 2)
        stopped.clear()
        await until(site.bots.all)

    assert beside_a_site(scenario, bots_file(a=engine_command()), is_lost=lambda: bool(stopped)) == [-signal.SIGKILL]


def test_tokens_for_another_server_in_the_environment_are_not_sent_to_this_one(engine_command, bots_file, monkeypatch):
    monkeypatch.setenv("OFFICIAL_BOT_TOKEN", "another server's")
    monkeypatch.setenv("LUDUS_BOT_TOKEN", "another client's")

    async def scenario(site):
        await until(site.bots.all)

    assert beside_a_site(scenario, bots_file(a=engine_command())) == []


def test_a_server_on_this_machine_is_reached_without_its_proxy(engine_command, bots_file, monkeypatch):
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.setenv("no_proxy", "elsewhere.example")

    async def scenario(site):
        await until(site.bots.all)

    assert beside_a_site(scenario, bots_file(a=engine_command()), host="127.0.0.2") == []


def test_a_client_whose_bots_never_attach_ends_the_site_with_an_error(bots_file, children):
    async def scenario(_site):
        await asyncio.Event().wait()

    with pytest.raises(Unavailable, match="The bots did not start"):
        beside_a_site(scenario, bots_file(a=("no-such-program-here",)))
    assert len(children) == 1
