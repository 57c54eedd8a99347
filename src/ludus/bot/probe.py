"""A game that an engine is tried on before anybody plays it: its first question."""

import secrets

from ludus.bot.lane import Exchange
from ludus.protocol.bgs import EndGameSession, EvaluatePosition, SessionConfig, StartGameSession


class EngineProbe:
    """One question about the first position of a game."""

    def __init__(self, bot_id: str, config: SessionConfig) -> None:
        self.bot_id = bot_id
        self.config = config

    async def fault(self, exchange: Exchange, *, may_refuse: bool = False) -> str:
        """Ask, and return what is wrong with the answers; empty if nothing is, or the engine ended meanwhile.

        Args:
            exchange: asks the engine.
            may_refuse: whether it is right if it opens no session: others may be all that it has room for.
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
