"""How commands are told where a site keeps its data."""

from pathlib import Path
from typing import Annotated

import typer

DataOption = Annotated[Path | None, typer.Option(help="The folder of the site's database; by default the user's.")]
DatabaseOption = Annotated[
    str | None, typer.Option(help="postgresql://... in place of a file.", envvar="LUDUS_DATABASE")
]
