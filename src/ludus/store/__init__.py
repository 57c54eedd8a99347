"""Positions of self-play: in files (shards), in memory (samples), and as the training window."""

from ludus.store.rule import WindowRule, all_shards, shard_path, window_shards
from ludus.store.samples import Samples
from ludus.store.shard import read_header, read_shard, write_shard
from ludus.store.window import Window

__all__ = [
    "Samples",
    "Window",
    "WindowRule",
    "all_shards",
    "read_header",
    "read_shard",
    "shard_path",
    "window_shards",
    "write_shard",
]
