"""`--evaluations` of engines: files with what their networks have said before."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ludus.errors import BadInput

if TYPE_CHECKING:
    from ludus.players.thinking.mind import Mind


def attach(minds: Sequence[Mind], files: Sequence[Path] | None, *, append: bool) -> None:
    """Let minds answer from evaluation files, and keep there what they think if it is wanted.

    Args:
        minds: the networks; each file is opened by the one that it belongs to, a new one by the first.
        files: may be none; those of one board are asked in this order.
        append: whether they grow, of one board the first.

    Raises:
        BadInput: there are files and no network, a file belongs to none of them, another process appends to it, or
            `append` has no file.
        BadRecord: it is no evaluation file, or damaged at its beginning.
        Unavailable: the disk refuses.
    """
    from ludus.players.thinking.mind import owner_of

    if append and not files:
        raise BadInput("--append: into which file? Give --evaluations FILE.")
    if files and not minds:
        raise BadInput(f"--evaluations {files[0]}: keeps what a network says; give its --model.")
    for file in files or []:
        owner_of(file, minds).attach(file, "append" if append else "read")
