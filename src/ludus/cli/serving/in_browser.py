"""The levels of models as bots that think in visitors' browsers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ludus.bot.levels import ModelGames
    from ludus.site.bots.in_browser import BrowserBot


def browser_bots(models: Sequence[ModelGames]) -> list[BrowserBot]:
    """Return the levels of models as bots that think in browsers."""
    from ludus.bot.levels import model_bots
    from ludus.site.bots.in_browser import BrowserBot

    return [
        BrowserBot(
            each.bot.registered(),
            each.model.name,
            each.level.visits,
            each.level.seconds,
            each.level.temperature,
            each.level.moves,
        )
        for each in model_bots(models)
    ]
