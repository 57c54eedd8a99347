"""A model repository: a network as files for another inference server, Triton or OpenVINO Model Server.

Both read OpenVINO's file format at `NAME/1/model.xml`; Triton also needs a configuration file, which OpenVINO Model
Server ignores.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import openvino as ov

from ludus.errors import BadInput, Unavailable
from ludus.network.checkpoint import Checkpoint
from ludus.network.config import Shapes
from ludus.network.openvino import whole_graph
from ludus.network.tensors import LOGITS, MAPS, OUTCOMES, PLANES, row_shapes, served_name

_TRITON = {PLANES: "TYPE_UINT8", LOGITS: "TYPE_FP32", OUTCOMES: "TYPE_FP32", MAPS: "TYPE_FP32"}


def lay_out(checkpoint: Checkpoint, repository: Path) -> Path:
    """Write a network into a repository atomically; return its folder there.

    Args:
        checkpoint: the network.
        repository: the folder of all models; created if missing.

    Raises:
        BadInput: the repository already contains this network.
        Unavailable: the folder cannot be written.
    """
    name, info = served_name(checkpoint), checkpoint.info
    folder = repository / name
    if folder.exists():
        raise BadInput(f"{folder}: exists already; it contains the same weights.")
    has_maps = "maps" in info.network.auxiliary
    graph = whole_graph(checkpoint)
    try:
        repository.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=repository, prefix=".") as made:
            version = Path(made) / name / "1"
            version.mkdir(parents=True)
            ov.save_model(graph, version / "model.xml", compress_to_fp16=False)
            (version.parent / "config.pbtxt").write_text(
                _config(name, info.shapes, has_maps=has_maps), encoding="utf-8"
            )
            shutil.move(version.parent, folder)
    except (OSError, RuntimeError) as error:
        raise Unavailable(f"{folder}: cannot be written ({error}); choose another folder.") from error
    return folder


def _config(name: str, shapes: Shapes, *, has_maps: bool) -> str:
    """Return Triton's configuration for a network.

    Its `max_batch_size` is 0, and the batch is an ordinary axis: otherwise Triton's OpenVINO backend would fix the
    batch to that size and reject requests of all other sizes.
    """
    rows = row_shapes(shapes)

    def tensor(each: str) -> str:
        return f'{{ name: "{each}" data_type: {_TRITON[each]} dims: {[-1, *rows[each]]} }}'

    outputs = ", ".join(map(tensor, [LOGITS, OUTCOMES, *([MAPS] if has_maps else [])]))
    return f'name: "{name}"\nbackend: "openvino"\nmax_batch_size: 0\ninput [{tensor(PLANES)}]\noutput [{outputs}]\n'
