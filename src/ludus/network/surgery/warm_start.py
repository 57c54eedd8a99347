"""A warm start: initial weights for a network of another form or for other boards, taken from an old network.

What the network computes stays exactly the same with more blocks (a new one is the identity), more channels (weights
from new channels to old ones start at zero), new planes, other plane scales, new actions with their own logits, and
squeeze-and-excite or pooling where there was none.  It does change for a larger board with linear heads: the old board
is placed at an offset, and weights for new cells are drawn with the spread of the old ones.  Size-free heads are copied
unchanged.

Planes are matched by name.  If a game does not name them, the plane that masks the board is matched with its
counterpart, and the others are matched in order; new planes must come last.  The result therefore changes if unnamed
planes have another order, or if a mask is added while boards are smaller than their frame.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.errors import BadModel
from ludus.network.checkpoint import Checkpoint
from ludus.network.config import NetworkSettings, Shapes
from ludus.network.model import draw_arrays
from ludus.network.surgery.checks import check_ends, check_source, check_start
from ludus.network.surgery.graft import Axis, first, graft, repeated

NEW_ACTION_SPREAD = 0.01  # spread of the weights for new actions on a board of the same size (Deep-Wallwars)

Arrays = dict[str, NDArray[Any]]


class WarmStart(NamedTuple):
    """Initial weights made from an old network."""

    arrays: Arrays
    """Weights by torch's names."""
    carried: int
    """Number of weights copied from the old network; the others are random, or zero for silent inputs."""


def warm_start(
    checkpoint: Checkpoint,
    network: NetworkSettings,
    shapes: Shapes,
    *,
    source: Shapes | None = None,
    offset: tuple[int, int] = (0, 0),
    seed: int = 0,
) -> WarmStart:
    """Make initial weights for a network of other settings or shapes from a checkpoint.

    Args:
        checkpoint: the old network.
        network: the new network's settings.
        shapes: the input and output shapes of the new network.
        source: current shapes of the old network's game; files of earlier versions lack the positions of actions.
        offset: position of the old board's first cell in the new planes [H, W], for linear heads.
        seed: seed of the random weights.

    Raises:
        BadModel: the old network cannot be converted into the new one.
    """
    return _Surgery(checkpoint, network, shapes, source or checkpoint.info.shapes, offset, seed).start()


class _Surgery:
    """The old and the new network side by side."""

    def __init__(
        self,
        checkpoint: Checkpoint,
        network: NetworkSettings,
        shapes: Shapes,
        source: Shapes,
        offset: tuple[int, int],
        seed: int,
    ) -> None:
        old = checkpoint.info.network
        check_start(old, network)
        check_source(checkpoint, source)
        self.keeps_heads = old.heads == network.heads and bool(old.hidden) == bool(network.hidden)
        if self.keeps_heads:
            check_ends(checkpoint, network, source, shapes)
        self.name, self.arrays, self.old, self.new = checkpoint.info.name, checkpoint.arrays, old, network
        self.before, self.after, self.offset = source, shapes, offset
        self.rng, self.fresh = np.random.default_rng(seed), draw_arrays(network, shapes, seed)
        self.planes = self._planes()
        self.body = first(old.channels, network.channels)
        self.head = first(old.head_channels, network.head_channels)
        self.hidden = first(old.hidden, network.hidden)
        self.keeps_outcome = self.keeps_heads and old.value == network.value
        self.grows = source.planes[1:] != shapes.planes[1:]
        if self.keeps_heads and network.heads == "linear":
            self._board()  # raises BadModel before anything is drawn, if the boards do not fit

    def start(self) -> WarmStart:
        arrays, carried = dict(self.fresh), 0
        for name, fresh in self.fresh.items():
            axes = self._axes(name) if name in self.arrays else None
            if axes is None:
                continue
            old = np.asarray(self.arrays[name])
            if not axes:
                arrays[name] = old.copy()
            elif self._reads_board(name):
                arrays[name] = self._whole_board(name, old, axes)
            else:
                arrays[name] = graft(old, self._drawn(name, old, fresh), axes)
            carried += old.size
        places = self.planes.indices
        scale = np.array(self.before.plane_scale) / np.array(self.after.plane_scale)[places]  # for the same products
        arrays["stem.0.weight"][:, places] *= scale.reshape(-1, 1, 1).astype(np.float32)
        for index in range(self.new.blocks):
            self._join(arrays, index)
        return WarmStart(arrays, carried)

    def _join(self, arrays: Arrays, index: int) -> None:
        """Initialize the new parts of a block so that they have no effect."""
        name = f"blocks.{index}"
        if index >= self.old.blocks:
            arrays[f"{name}.second.1.weight"] = np.zeros_like(arrays[f"{name}.second.1.weight"])  # the identity
            return
        if self.new.squeeze and not self.old.squeeze:  # every gate is 1/2
            for part in ("weight", "bias"):
                arrays[f"{name}.excite.{part}"] = np.zeros_like(arrays[f"{name}.excite.{part}"])
                arrays[f"{name}.second.1.{part}"] = 2.0 * arrays[f"{name}.second.1.{part}"]
        if self.new.pooled(index) and not self.old.pooled(index):
            for part in ("weight", "bias"):
                arrays[f"{name}.pool.{part}"][: self.old.channels] = 0.0

    # ---- positions of the old entries -----------------------------------------------------------------------------

    def _axes(self, name: str) -> list[Axis] | None:
        """Return the axes of an array, outputs first; empty for a counter; None if it cannot be copied."""
        if name.endswith("num_batches_tracked"):
            return []
        layer, _, part = name.rpartition(".")
        axes = self._layer_axes(layer.removesuffix(".0").removesuffix(".1"))
        is_vector = part != "weight" or layer.endswith(".1")  # a bias, or part of a normalization
        return axes[:1] if axes and is_vector else axes

    def _layer_axes(self, layer: str) -> list[Axis] | None:
        group, _, rest = layer.partition(".")
        if group == "stem":
            return [self.body, self.planes]
        if group == "blocks":
            index, _, part = rest.partition(".")
            return self._block_axes(int(index), part)
        if rest == "convolution":
            return [self.head, self.body]
        return self._head_axes(layer) if self.keeps_heads else None

    def _block_axes(self, index: int, part: str) -> list[Axis] | None:
        before, after = self.old.pooled(index), self.new.pooled(index)
        changed = first(self.old.channels - before, self.new.channels - after)
        pooled = first(before, after)
        both = Axis(np.concatenate([changed.indices, pooled.indices + changed.size]), self.new.channels)
        inner = first(*(each.channels // each.squeeze if each.squeeze else 0 for each in (self.old, self.new)))
        return {
            "first": [both, self.body],
            "second": [self.body, changed],
            "pool": [changed, repeated(pooled, 3)],
            "squeeze": [inner, self.body],
            "excite": [self.body, inner],
        }[part]

    def _head_axes(self, layer: str) -> list[Axis] | None:
        pooled = repeated(self.head, 3)
        layers = first(self.before.num_layers, self.after.num_layers)
        placeless = first(self.before.num_placeless, self.after.num_placeless)
        if layer == "auxiliary.maps":
            return [first(self.before.num_maps, self.after.num_maps), self.head]
        if layer.endswith(".cells"):
            return [layers, self.head]
        if layer.endswith(".placeless"):
            return [placeless, pooled]
        if layer == "policy.spread":
            return [self.head, pooled]
        if layer in self.new.board_readers and self.new.hidden:
            return [self.hidden, *self._board()]
        if layer == "outcome.hidden":
            return [self.body, pooled]
        read = [self.hidden] if self.new.hidden else self._board() if self.new.heads == "linear" else [self.body]
        if layer in ("policy.linear", "auxiliary.reply"):
            return [self._actions(), *read]
        if layer == "outcome.linear" and not self.keeps_outcome:
            return None
        outputs = len(self.fresh[f"{layer}.bias"])
        return [first(outputs, outputs), *read]

    def _planes(self) -> Axis:
        """Return the positions of the old planes among the new ones, by name or by order."""
        if not (self.before.plane_names and self.after.plane_names):
            return self._planes_in_order()
        places = {name: plane for plane, name in enumerate(self.after.plane_names)}
        if missing := [name for name in self.before.plane_names if name not in places]:
            raise BadModel(
                f"{self.name} reads the plane {missing[0]!r}, which the new game does not have; choose options with it."
            )
        return Axis(np.array([places[name] for name in self.before.plane_names]), self.after.planes[0])

    def _planes_in_order(self) -> Axis:
        """Return the positions of old planes without names: the mask at the new mask, the others in order."""
        before, after = self.before.mask_plane, self.after.mask_plane
        places = [plane for plane in range(self.after.planes[0]) if plane != after]
        if before is not None:
            if after is None:
                raise BadModel(f"{self.name} reads a mask, which the new game lacks; choose a game that declares one.")
            places.insert(before, after)
        if len(places) < self.before.planes[0]:
            beside = "" if before is not None or after is None else " besides its mask"
            raise BadModel(
                f"{self.name} reads {self.before.planes[0]} planes, but the new game has {len(places)}{beside}."
            )
        return Axis(np.array(places[: self.before.planes[0]]), self.after.planes[0])

    def _board(self) -> list[Axis]:
        """Return the axes of a linear head's input: [head_channels, H, W]."""
        sizes = zip(self.offset, self.before.planes[1:], self.after.planes[1:], strict=True)
        axes = [Axis(np.arange(start, start + old), new, is_silent=False) for start, old, new in sizes]
        if any(start < 0 or axis.indices[-1] >= axis.size for start, axis in zip(self.offset, axes, strict=True)):
            raise BadModel(
                f"{self.name}: planes of {self.before.planes[1:]} at offset {self.offset} do not fit into planes of "
                f"{self.after.planes[1:]}; choose another offset or a larger frame."
            )
        return [self.head, *axes]

    def _actions(self) -> Axis:
        """Return the positions of the old actions among the new ones, by cell or by index."""
        before, after = self.before.action_places, self.after.action_places
        if not (before and after):
            if self.grows or self.after.num_actions < self.before.num_actions:
                raise BadModel(f"{self.name}: old and new actions cannot be matched; declare action_places.")
            return first(self.before.num_actions, self.after.num_actions)
        numbers = {place: action for action, place in enumerate(after)}
        rows, columns = self.offset
        moved = [(k, row + rows, column + columns) if row >= 0 else (k, row, column) for k, row, column in before]
        if missing := [place for place in moved if place not in numbers]:
            raise BadModel(f"{self.name}: the new game has no action at {missing[0]}, the position of an old one.")
        return Axis(np.array([numbers[place] for place in moved]), self.after.num_actions)

    # ---- random weights ------------------------------------------------------------------------------------------

    def _reads_board(self, name: str) -> bool:
        """Return whether an array's weights cover all cells of the board."""
        layer, _, part = name.rpartition(".")
        reads = layer in self.new.board_readers
        if self.new.heads == "linear" and not self.new.hidden:
            reads |= layer.startswith("auxiliary.") and layer != "auxiliary.maps"
        return reads and part == "weight"

    def _drawn(self, name: str, old: NDArray[Any], fresh: NDArray[Any]) -> NDArray[Any]:
        """Return new weights: torch's initialization, but small weights for new actions."""
        is_action = name.startswith(("policy.linear", "policy.actions", "auxiliary.reply"))
        if not is_action:
            return fresh
        if name.endswith("bias"):
            return np.full_like(fresh, old.mean())
        return self._normal(NEW_ACTION_SPREAD, fresh.shape)

    def _normal(self, spread: float, shape: tuple[int, ...]) -> NDArray[Any]:
        return self.rng.normal(0.0, spread, shape).astype(np.float32)

    def _whole_board(self, name: str, old: NDArray[Any], axes: list[Axis]) -> NDArray[Any]:
        """Return the weights of a linear layer over all cells, with inputs [head_channels, H, W] flattened."""
        fresh = self.fresh[name]
        spread = float(old.std()) if self.grows else NEW_ACTION_SPREAD
        drawn = self._normal(spread, (len(fresh), *(axis.size for axis in axes[1:])))
        cells = (self.old.head_channels, *self.before.planes[1:])
        return graft(old.reshape(len(old), *cells), drawn, axes).reshape(fresh.shape)
