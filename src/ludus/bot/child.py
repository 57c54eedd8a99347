"""Runs the bot client as a child process of a server; restarts it when it ends or hangs; stops it with the server."""

import asyncio
from collections.abc import Callable
from urllib.parse import urlsplit

import msgspec

from ludus.bot.config import BotsFile, variables_without_secrets
from ludus.bot.ending import end, kill
from ludus.errors import Unavailable
from ludus.system import apart
from ludus.trust import COMMAND

CLOSING_S = 8.0
RESTART_S = 5.0
AWAY_S = 120.0
"""A child whose bots attached and have now been away for this long hangs."""
LOOK_S = 1.0


class BotChild:
    """A child process that runs `ludus bot` for a server on this machine."""

    def __init__(
        self,
        file: BotsFile,
        address: str,
        ended: Callable[[int], None],
        is_attached: Callable[[], bool],
        *,
        log: str = "text",
    ) -> None:
        """Prepare a child; `run` starts it.

        Args:
            file: the bots and their engines.
            address: address of the server.
            ended: called with the exit status each time the child ends unexpectedly, before the restart.
            is_attached: returns whether the child's bots are attached to the server.
            log: the form of the child's log, `text` or `json`; the server tells itself when bots come and go.
        """
        self.attached = asyncio.Event()
        """The server sets this event when the bots have attached."""
        self._file = file
        self._address = address
        self._ended = ended
        self._is_attached = is_attached
        self._log = log
        self._input: asyncio.StreamWriter | None = None

    def replace(self, file: BotsFile) -> None:
        """Register other bots, which need no other engines than those of the first file."""
        self._file = file
        if self._input:
            self._input.write(_line_of(file))

    async def run(self) -> None:
        """Keep the child running until cancelled.

        Raises:
            Unavailable: the child ended before its bots attached.
        """
        while True:
            status = await self._run_once()
            if not self.attached.is_set():
                raise Unavailable("The bots did not start; the lines above give the reason.")
            self._ended(status)
            await asyncio.sleep(RESTART_S)

    async def _run_once(self) -> int:
        child = await asyncio.create_subprocess_exec(
            *(*COMMAND, "bot", "--server", self._address, "--config", "-"),
            *("--log", self._log, "--log-level", "warn"),
            stdin=asyncio.subprocess.PIPE,
            env=self._variables(),
            **apart(),  # only the parent receives Ctrl-C; it then stops the child
        )
        assert child.stdin, "opened as a pipe"
        child.stdin.write(_line_of(self._file))  # not in a file: contains the secret
        self._input = child.stdin
        watching = asyncio.create_task(self._kill_if_away(child))
        try:
            return await child.wait()
        finally:
            watching.cancel()
            self._input = None
            child.stdin.close()  # the child stops at the end of its input
            await end(child, CLOSING_S)

    async def _kill_if_away(self, child: asyncio.subprocess.Process) -> None:
        """Kill a child whose bots were attached and stay away, as after unanswered pings of the server."""
        was_attached, away_s = False, 0.0
        while away_s < AWAY_S:
            await asyncio.sleep(LOOK_S)
            is_attached = self._is_attached()
            was_attached |= is_attached
            away_s = away_s + LOOK_S if was_attached and not is_attached else 0.0
        kill(child)

    def _variables(self) -> dict[str, str]:
        """Return this process's environment without secrets, and with the server in `no_proxy`."""
        own = variables_without_secrets()
        direct = own.get("no_proxy") or own.get("NO_PROXY") or ""
        return own | {"no_proxy": ",".join(filter(None, (direct, urlsplit(self._address).hostname)))}


def _line_of(file: BotsFile) -> bytes:
    return msgspec.json.encode(file) + b"\n"
