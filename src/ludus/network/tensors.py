"""What other programs know of a network: its name, and the names and shapes of its tensors."""

from __future__ import annotations

import re

from ludus.network.checkpoint import Checkpoint, weights_fingerprint
from ludus.network.config import Shapes

PLANES, LOGITS, OUTCOMES, MAPS = "planes", "logits", "outcomes", "maps"  # names of tensors


def served_name(checkpoint: Checkpoint) -> str:
    """Return a network's name on servers; with a hash of its weights, so that no other network answers under it."""
    name = re.sub(r"[^A-Za-z0-9_.-]", "-", checkpoint.info.name)
    return f"{name}.{weights_fingerprint(checkpoint)}"


def row_shapes(shapes: Shapes) -> dict[str, tuple[int, ...]]:
    """Return the shape of one row of each tensor; only networks with the head `maps` have maps."""
    _, height, width = shapes.planes
    return {
        PLANES: shapes.planes,
        LOGITS: (shapes.num_actions,),
        OUTCOMES: (3,),
        MAPS: (shapes.num_maps, height, width),
    }
