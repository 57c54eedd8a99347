"""Makes environments with other programs' Python packages, apart from Ludus' own, under `build/peers`."""

import os
import subprocess
import venv
from pathlib import Path

PLACE = Path(__file__).parents[2] / "build/peers"


def python_of(*packages: str) -> Path:
    """Return the Python of an environment that has these packages; the first call installs them.

    Args:
        packages: requirements as pip takes them, such as `open_spiel==2.0.2`.

    Raises:
        SystemExit: pip cannot install them.
    """
    place = PLACE / "-".join(sorted(packages))
    python = place / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    done = place / "installed"  # written last, so that an interrupted installation starts again
    if not done.is_file():
        venv.create(place, with_pip=True, clear=True)
        if subprocess.run([python, "-m", "pip", "install", "--quiet", *packages], check=False).returncode:
            raise SystemExit(f"{', '.join(packages)}: pip cannot install them.")
        done.touch()
    return python
