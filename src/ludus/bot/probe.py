"""A test session for an engine: it opens a game, asks for one evaluation, and ends the game."""

import secrets

from ludus.bot.pipe import Pipe
from ludus.protocol.bgs import EndGameSession, EvaluatePosition, SessionConfig, StartGameSession


class EngineProbe:
    """A test session of one game, as one bot."""

    def __init__(self, bot_id: str, config: SessionConfig) -> None:
        self.bot_id = bot_id
        self.config = config

    async def fault(self, pipe: Pipe, *, may_refuse: bool = False) -> str:
        """Run the session over `pipe` and return the fault; empty if there is none or the engine has ended.

        With `may_refuse`, a refusal to open the session is no fault: the engine may be full.
        """
        bgs_id, config = f"probe-{secrets.token_hex(4)}", self.config
        for request in (
            StartGameSession(bgs_id, self.bot_id, config),
            EvaluatePosition(bgs_id, 0),
            EndGameSession(bgs_id),
        ):
            answer = await pipe.exchange(request)
            if answer is None:
                return ""  # it has ended, which `EngineProcess` reports
            if not answer.success and may_refuse and isinstance(request, StartGameSession):
                return ""
            if not answer.success:
                board = f"{config.variant} on {config.board_width}x{config.board_height}"
                return f"{config.game} {board} fails: {answer.error}"
        return ""
