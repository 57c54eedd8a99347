"""The log of a site: one line an event, none for each socket, in two forms; and its last line."""

import asyncio
import json
import re
import signal
import sys

import httpx
import pytest
from websockets.asyncio.client import connect

from ludus.cli.serving.site import farewell


async def log_of(form, tmp_path):
    """Return the output and the log of a site at which some sockets and a game were opened."""
    command = ["-m", "ludus", "serve", "--no-bots", "--port=0", f"--data={tmp_path}", "--log", form]
    pipes = {"stdout": asyncio.subprocess.PIPE, "stderr": asyncio.subprocess.PIPE}
    site = await asyncio.create_subprocess_exec(sys.executable, *command, **pipes)
    try:
        first = (await site.stdout.readline()).decode()
        place = re.search(r"http://([\w.]+:\d+)", first)[1]
        for _ in range(3):
            async with connect(f"ws://{place}/ws/lobby") as socket:
                await socket.recv()
        async with httpx.AsyncClient(base_url=f"http://{place}") as http:
            config = {"game": "connect4", "boardWidth": 7, "boardHeight": 6}
            assert (await http.post("/api/games", json={"config": config})).status_code == 201
        site.send_signal(signal.SIGTERM)
        output, log = await site.communicate()
    finally:
        if site.returncode is None:
            site.kill()
    return first + output.decode(), log.decode().splitlines()


@pytest.mark.parametrize("form", ["text", "json"])
def test_the_log_has_a_line_for_each_event_and_none_for_sockets(form, tmp_path):
    output, log = asyncio.run(log_of(form, tmp_path))
    (opened,) = log
    if form == "json":
        line = json.loads(opened)
        assert (line["level"], line["logger"]) == ("info", "ludus.site.live.live_games")
        opened = line["event"]
    else:
        assert "logger" not in opened
        assert "conn" not in opened.replace("connect4", "")
    assert re.search(r"Opened game \S+: connect4\.", opened)
    last = output.splitlines()[-1]
    assert re.fullmatch(r"Ludus has stopped after .+ s: 1 unfinished game will go on; 0 bots were connected\.", last)


def test_a_farewell_does_not_hide_that_moves_are_lost():
    assert farewell(3, 1, is_saved=True) == "3 unfinished games will go on; 1 bot was connected"
    assert farewell(1, 0, is_saved=False) == "the last moves of 1 unfinished game may be lost; 0 bots were connected"
