"""The command with which a game speaks UCI to other programs."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ludus.cli.engine.answers import answers_only, questions
from ludus.cli.engine.options import Append, Backend, Evaluations, Precision, Servers, attach, tell_precision
from ludus.cores import usable_cores
from ludus.engine.conversation import Post, Say, converse
from ludus.errors import BadModel, Unavailable
from ludus.games.registry import game as find_game
from ludus.network.checkpoint import load_checkpoint
from ludus.paths import spec_parts

if TYPE_CHECKING:
    from ludus.engine.uci.board import UciGame


def uci_command(
    name: str, open_game: "Callable[[frozenset[str]], UciGame]", *, switches: tuple[str, ...] = ()
) -> Callable[..., None]:
    """Return the command `ludus engine uci` of a game.

    Args:
        name: the game's name.
        open_game: loads the game with the rules that the switches select.
        switches: names of the UCI options, on or off, that select the rules.
    """

    def uci(
        model: Annotated[Path, typer.Option(help=f"A {name} model's folder.")],
        threads: Annotated[int, typer.Option(min=1, help="CPU threads of the network (option Threads).")] = 1,
        memory: Annotated[
            int, typer.Option(min=1, max=65_536, help="Megabytes for the search tree (option Hash).")
        ] = 1024,
        evaluations: Evaluations = None,
        append: Append = False,
        inference: Servers = None,
        backend: Backend = "openvino",
        precision: Precision = "auto",
    ) -> None:
        with answers_only() as answers:
            from ludus.engine.ladder import read_ladder
            from ludus.engine.uci.options import UciSettings
            from ludus.engine.uci.talker import UciTalker
            from ludus.players.thinking.memory import visits_within
            from ludus.players.thinking.mind import Mind

            checkpoint = load_checkpoint(model)
            info = checkpoint.info
            if not any(spec_parts(spec)[0] == name for spec in info.games):
                raise BadModel(f"{model}: plays {', '.join(info.games)}, not {name}.")

            defaults = UciSettings(threads=threads, megabytes=memory)

            def load(settings: UciSettings) -> Mind:
                visits = visits_within(find_game(name), settings.megabytes)
                mind = Mind.load(
                    model,
                    threads=settings.threads,
                    slots=1,
                    max_visits=visits,
                    servers=inference,
                    backend=backend,
                    precision=precision,
                )
                tell_precision([mind])
                attach([mind], evaluations, append=append)
                return mind

            def open_mind(settings: UciSettings) -> Mind:
                mind = load(settings)
                try:
                    mind.warm_up()  # a clock may run during the first search
                except MemoryError as error:
                    mind.close()
                    raise Unavailable(
                        f"Hash {settings.megabytes}: this machine does not have enough memory; set fewer megabytes."
                    ) from error
                return mind

            if evaluations or append:
                load(defaults).close()  # report an invalid file now rather than during a game

            def talker(post: Post, say: Say) -> UciTalker:
                return UciTalker(
                    open_mind,
                    open_game,
                    post,
                    say,
                    name=info.name,
                    defaults=defaults,
                    ladder=read_ladder(model, checkpoint),
                    most_threads=usable_cores(),
                    switches=switches,
                )

            converse(talker, questions(), answers)

    uci.__doc__ = f"Run an engine with UCI, for {name} programs; all other settings are UCI options."
    return uci
