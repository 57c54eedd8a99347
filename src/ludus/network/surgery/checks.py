"""Checks that reject impossible conversions of a network, before any weights are drawn."""

from ludus.errors import BadModel
from ludus.network.checkpoint import Checkpoint
from ludus.network.config import NetworkSettings, Shapes


def check_start(old: NetworkSettings, new: NetworkSettings) -> None:
    """Raise BadModel if a network cannot be converted to this form."""
    hidden = ("hidden",) if old.heads == new.heads and old.hidden else ()
    for name in ("blocks", "channels", "head_channels", *hidden):
        if getattr(new, name) < getattr(old, name):
            raise BadModel(
                f"A network cannot shrink: it has {getattr(old, name)} {name}, more than "
                f"{getattr(new, name)}; choose at least as many."
            )
    if old.squeeze and new.squeeze != old.squeeze:
        raise BadModel(f"The network has squeeze = {old.squeeze}, which cannot be changed; keep it.")
    for block in range(old.blocks):
        before, after = old.pooled(block), new.pooled(block)
        if after < before:
            raise BadModel(f"Block {block} pools over the board, which cannot be removed; keep pooling_every.")
        if old.channels - before > new.channels - after:
            raise BadModel(
                f"Block {block} would have {new.channels - after} channels without pooling, fewer than its "
                f"{old.channels - before} old ones; "
                f"choose at least {4 * (old.channels - before - 1) // 3 + 1} channels, or keep pooling_every."
            )


def check_source(checkpoint: Checkpoint, source: Shapes) -> None:
    """Raise BadModel if the game that a network was trained on has different shapes now."""
    info, own = checkpoint.info, checkpoint.info.shapes
    has_maps = "maps" not in info.network.auxiliary or own.num_maps == source.num_maps
    if not (own.fit(source) and has_maps):
        raise BadModel(
            f"{info.name} was trained on other planes, actions or final maps than {next(iter(info.games))} has now "
            f"(then planes {own.planes} and {own.num_actions} actions, now {source.planes} and {source.num_actions}); "
            "train it again."
        )


def check_ends(checkpoint: Checkpoint, network: NetworkSettings, before: Shapes, after: Shapes) -> None:
    """Raise BadModel if heads that are kept have more outputs for the old game than the new one needs."""
    ends: dict[str, tuple[int, int]] = {}
    if network.heads == "size-free":  # linear heads map each action by its position
        ends["layers of actions on the board"] = before.num_layers, after.num_layers
        ends["actions without a cell"] = before.num_placeless, after.num_placeless
    if "maps" in checkpoint.info.network.auxiliary and "maps" in network.auxiliary:
        ends["final maps"] = before.num_maps, after.num_maps
    for name, (old, new) in ends.items():
        if new < old:
            raise BadModel(
                f"{checkpoint.info.name} has {old} {name}, but the new game has {new}; choose a game or options "
                "with at least as many."
            )
