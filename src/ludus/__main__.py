"""Run the command line: `python -m ludus` does the same as `ludus`."""

from ludus.cli import main

main()
