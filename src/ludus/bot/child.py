"""The bot client as a child process of a server: restarted when it ends, ended with its parent."""

import asyncio
import os
import sys
from collections.abc import Callable
from urllib.parse import urlsplit

import msgspec

from ludus.bot.config import OFFICIAL_TOKEN, TOKEN, BotsFile
from ludus.bot.ending import end
from ludus.errors import Unavailable

CLOSING_S = 8.0
RESTART_S = 5.0


class BotChild:
    """Runs `ludus bot` for a server on this machine."""

    def __init__(self, file: BotsFile, address: str, ended: Callable[[int], None]) -> None:
        """Prepare a child; `run` starts it.

        Args:
            file: its bots and their engines.
            address: the server's.
            ended: is told the status with which a child ended that should not have, before it is started again.
        """
        self.attached = asyncio.Event()
        """To be set when the bots have attached."""
        self._file = file
        self._address = address
        self._ended = ended

    async def run(self) -> None:
        """Keep the child running until this is cancelled; raise Unavailable if its bots never attach."""
        while True:
            status = await self._run_once()
            if not self.attached.is_set():
                raise Unavailable("The bots did not start; the reason stands above.")
            self._ended(status)
            await asyncio.sleep(RESTART_S)

    async def _run_once(self) -> int:
        child = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "ludus", "bot", "--server", self._address, "--config", "-"),
            stdin=asyncio.subprocess.PIPE,
            env=self._variables(),
            start_new_session=True,  # Ctrl-C is the parent's to hear, which then ends its child
        )
        assert child.stdin, "opened as a pipe"
        child.stdin.write(msgspec.json.encode(self._file) + b"\n")  # not in a file: it holds the server's secret
        try:
            return await child.wait()
        finally:
            child.stdin.close()  # the end of its input ends it
            await end(child, CLOSING_S)

    def _variables(self) -> dict[str, str]:
        """Return this process's environment without secrets, and with no proxy for the server."""
        own = {name: value for name, value in os.environ.items() if name not in (OFFICIAL_TOKEN, TOKEN)}
        direct = own.get("no_proxy") or own.get("NO_PROXY") or ""
        return own | {"no_proxy": ",".join(filter(None, (direct, urlsplit(self._address).hostname)))}
