"""The only package that knows the compiler: plain Python in, machine code out."""

from ludus.kernel.bits import add_where, count_bits, lowest_bit
from ludus.kernel.compiler import COMPILED, announce_with, cache_directory, entry, kernel, prepare, warm
from ludus.kernel.fingerprint import fingerprint
from ludus.kernel.rules import NUM_ARGUMENTS, Rules

__all__ = [
    "COMPILED",
    "NUM_ARGUMENTS",
    "Rules",
    "add_where",
    "announce_with",
    "cache_directory",
    "count_bits",
    "entry",
    "fingerprint",
    "kernel",
    "lowest_bit",
    "prepare",
    "warm",
]
