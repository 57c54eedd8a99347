"""Loads the protocols that games bring: commands of `ludus engine`, and dialects of `ludus engine analysis`."""

import logging
from collections.abc import Callable, Container
from typing import Any, NamedTuple

import typer
from typer.core import TyperGroup

from ludus.errors import BadGame
from ludus.games import registry
from ludus.lazy import lazy_property

_log = logging.getLogger(__name__)


class BroughtProtocol(NamedTuple):
    """A protocol that a game brings."""

    game: str
    protocol: str


def brought(taken: Container[str]) -> dict[str, BroughtProtocol]:
    """Return the protocols of all games that need no path, by command.

    A command has the protocol's name.  If that name is taken, by another command or by an earlier game, the command is
    called GAME-PROTOCOL.

    Args:
        taken: names of other commands.
    """
    found: dict[str, BroughtProtocol] = {}
    for game in registry.names():
        for protocol in registry.about(game).engines:
            is_free = protocol not in taken and protocol not in found
            found[protocol if is_free else f"{game}-{protocol}"] = BroughtProtocol(game, protocol)
    return found


class EngineGroup(TyperGroup):
    """The commands of `ludus engine`: those of the command line, then those that games bring."""

    @lazy_property
    def _brought(self) -> dict[str, BroughtProtocol]:
        return brought(frozenset(self.commands))

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ANN401 - a context, whose class is private in Typer
        """Return the names of all commands."""
        self._load(*self._brought)
        return super().list_commands(ctx)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ANN401 - a command, whose class is private in Typer
        """Return a command; None if there is none of this name."""
        if cmd_name not in self.commands:  # Typer compares a misspelt name with all loaded commands
            self._load(*([cmd_name] if cmd_name in self._brought else self._brought))
        return super().get_command(ctx, cmd_name)

    def _load(self, *names: str) -> None:
        for name in names:
            if name not in self.commands:
                self.add_command(_command(name, self._brought[name]), name)


def _command(name: str, brought: BroughtProtocol) -> Any:  # noqa: ANN401
    """Load a command; if that fails, return a command that says why, so that the others can be listed and used."""
    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    try:
        function: Callable[..., None] = registry.engine(brought.game, brought.protocol, "command")
    except BadGame as error:
        any_options = {"ignore_unknown_options": True, "allow_extra_args": True}
        app.command(name, help=str(error), context_settings=any_options, add_help_option=False)(_refusing(error))
    else:
        app.command(name)(function)
    return typer.main.get_command(app)


def dialects() -> list[Any]:
    """Return the classes of the dialects that games bring; one that cannot be loaded is reported and left out."""
    found: list[Any] = []
    for game in registry.names():
        for dialect in registry.about(game).analysis_dialects:
            try:
                found.append(registry.engine(game, dialect, "Dialect"))
            except BadGame as error:
                _log.warning("%s", error)
    return found


def _refusing(error: BadGame) -> Callable[[], None]:
    def refuse() -> None:
        raise error

    return refuse
