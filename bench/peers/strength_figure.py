"""Draws strength against training time: one panel for networks alone, one for their searches.

    python bench/peers/strength.py --game connect4 --out runs/strength > strength.jsonl
    python bench/peers/strength_figure.py strength.jsonl docs/images/strength-connect4.svg

The picture has an opaque background, since it stands on light and dark pages.  Where matplotlib is missing, the
first call installs it under `build/peers`, in an environment of its own.
"""

# pyright: reportMissingImports=false

import argparse
import json
import subprocess
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from itertools import cycle
from pathlib import Path
from typing import Any

from environment import python_of

TITLES = {"alone": "network alone", "searched": "with {visits} simulations"}
MARKS = "os^Dv"  # lines differ by their marks, too, for readers who see few colours


def draw(rows: Sequence[dict[str, Any]], file: Path) -> None:
    """Draw the lines that `strength.py` printed for one game."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams.update({"svg.hashsalt": "ludus", "svg.fonttype": "none", "font.size": 11})
    from matplotlib import pyplot

    figure, panels = pyplot.subplots(1, len(TITLES), figsize=(10, 4.2), sharey=True, layout="constrained")
    for panel, (how, title) in zip(panels, TITLES.items(), strict=True):
        for program, mark in zip(dict.fromkeys(row["program"] for row in rows), cycle(MARKS), strict=False):
            own = [row for row in rows if row["program"] == program]
            kept = [row[how] for row in own]
            below = [row[how] - row[f"{how}_interval"][0] for row in own]
            above = [row[f"{how}_interval"][1] - row[how] for row in own]
            minutes = [row["minutes"] for row in own]
            panel.errorbar(minutes, kept, [below, above], label=program, marker=mark, capsize=2, linewidth=1.4)
        panel.set_title(title.format(visits=rows[0]["visits"]))
        panel.set_xlabel("minutes of training")
        panel.set_xlim(left=0)
        panel.xaxis.get_major_locator().set_params(integer=True)
        panel.grid(alpha=0.3)
    panels[0].set_ylabel("moves that keep the outcome, %")
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=len(MARKS))
    figure.savefig(file, facecolor="white", metadata={"Date": None})


def main() -> None:
    """Run the command, in an environment that has matplotlib."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lines", type=Path, help="what strength.py printed for one game")
    parser.add_argument("picture", type=Path, help="the SVG file to write")
    given = parser.parse_args()
    if find_spec("matplotlib") is None:
        raise SystemExit(subprocess.run([python_of("matplotlib"), __file__, *sys.argv[1:]], check=False).returncode)
    draw([json.loads(line) for line in given.lines.read_text().splitlines()], given.picture)


if __name__ == "__main__":
    main()
