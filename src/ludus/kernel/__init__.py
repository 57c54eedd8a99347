"""The only package that knows the compiler: plain Python in, machine code out."""

from ludus.kernel.bits import count_bits, lowest_bit, write_bits, write_where
from ludus.kernel.compiler import COMPILED, announce_with, cache_directory, entry, kernel, prepare, warm
from ludus.kernel.fingerprint import fingerprint
from ludus.kernel.rules import NUM_ARGUMENTS, Rules

__all__ = [
    "COMPILED",
    "NUM_ARGUMENTS",
    "Rules",
    "announce_with",
    "cache_directory",
    "count_bits",
    "entry",
    "fingerprint",
    "kernel",
    "lowest_bit",
    "prepare",
    "warm",
    "write_bits",
    "write_where",
]
