"""A trial game of an engine: one question about its first position."""

import secrets

from ludus.bot.lane import Exchange
from ludus.protocol.bgs import EndGameSession, EvaluatePosition, SessionConfig, StartGameSession


class EngineProbe:
    """One question about the first position of a game."""

    def __init__(self, bot_id: str, config: SessionConfig) -> None:
        self.bot_id = bot_id
        self.config = config

    async def fault(self, exchange: Exchange, *, may_refuse: bool = False) -> str:
        """Ask by `exchange`, and return what is wrong with the answers; empty if nothing is, or the engine has ended.

        With `may_refuse`, an engine without room for a session is right to open none.
        """
        bgs_id, config = f"probe-{secrets.token_hex(4)}", self.config
        for request in (
            StartGameSession(bgs_id, self.bot_id, config),
            EvaluatePosition(bgs_id, 0),
            EndGameSession(bgs_id),
        ):
            answer = await exchange(request)
            if answer is None:
                return ""  # it has ended, which is told elsewhere
            if not answer.success and may_refuse and isinstance(request, StartGameSession):
                return ""
            if not answer.success:
                board = f"{config.variant} on {config.board_width}x{config.board_height}"
                return f"asked to play {config.game} {board}, it says: {answer.error}"
        return ""
