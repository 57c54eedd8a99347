"""What a network cannot become: said in a sentence, before anything is drawn."""

from ludus.errors import BadModel
from ludus.network.checkpoint import Checkpoint
from ludus.network.config import NetworkSettings, Shapes


def check_start(old: NetworkSettings, new: NetworkSettings) -> None:
    """Raise BadModel if a network cannot grow into one of that form."""
    hidden = ("hidden",) if old.heads == new.heads and old.hidden else ()
    for name in ("blocks", "channels", "head_channels", *hidden):
        if getattr(new, name) < getattr(old, name):
            raise BadModel(
                f"A network grows: it has {getattr(old, name)} {name.replace('_', ' of ')}, which cannot become "
                f"{getattr(new, name)}; take as many or more."
            )
    if old.squeeze and new.squeeze != old.squeeze:
        raise BadModel(f"The network has squeeze = {old.squeeze}, which cannot change; keep it.")
    for block in range(old.blocks):
        before, after = old.pooled(block), new.pooled(block)
        if after < before:
            raise BadModel(f"Block {block} pools over the board, which cannot end; keep pooling_every.")
        if old.channels - before > new.channels - after:
            raise BadModel(
                f"Block {block} is to pool {after} of {new.channels} channels, but needs its {old.channels} besides; "
                f"take {4 * (old.channels - before - 1) // 3 + 1} channels or more, or keep pooling_every."
            )


def check_source(checkpoint: Checkpoint, source: Shapes) -> None:
    """Raise BadModel if the game that a network was trained on has another border today."""
    info, own = checkpoint.info, checkpoint.info.shapes
    has_maps = "maps" not in info.network.auxiliary or own.num_maps == source.num_maps
    if not (own.fit(source) and has_maps):
        raise BadModel(
            f"{info.name} was trained on other planes, actions or final maps than {next(iter(info.games))} has today "
            f"(then planes {own.planes} and {own.num_actions} actions, now {source.planes} and {source.num_actions}); "
            "train it again."
        )


def check_ends(checkpoint: Checkpoint, network: NetworkSettings, before: Shapes, after: Shapes) -> None:
    """Raise BadModel if heads that are kept say more of the old game than the new one has."""
    ends: dict[str, tuple[int, int]] = {}
    if network.heads == "size-free":  # linear heads find each action by its place
        ends["layers of actions on the board"] = before.num_layers, after.num_layers
        ends["actions beside the board"] = before.num_placeless, after.num_placeless
    if "maps" in checkpoint.info.network.auxiliary and "maps" in network.auxiliary:
        ends["final maps"] = before.num_maps, after.num_maps
    for name, (old, new) in ends.items():
        if new < old:
            raise BadModel(
                f"{checkpoint.info.name} has {old} {name}, of which the new game has {new}; choose a game or options "
                "with as many or more."
            )
