"""The compiler interface: turns plain Python functions into machine code; no other package imports Numba."""

from ludus.kernel.bits import above, count_bits, largest, lowest_bit, write_bits, write_where
from ludus.kernel.clock import is_compiling, working_s
from ludus.kernel.compiler import COMPILED, announce_with, bind, cache_directory, entry, is_cached, kernel, prepare
from ludus.kernel.fingerprint import fingerprint
from ludus.kernel.lanes import Lanes, lanes_of, nonzero, spread, where
from ludus.kernel.memory import prefetch, read_first, read_first_again, swap_first, write_first
from ludus.kernel.processor import is_fast_in_bf16, multiplies_int8
from ludus.kernel.reference import reference
from ludus.kernel.rules import Rules, Signature, declare_rules

__all__ = [
    "COMPILED",
    "Lanes",
    "Rules",
    "Signature",
    "above",
    "announce_with",
    "bind",
    "cache_directory",
    "count_bits",
    "declare_rules",
    "entry",
    "fingerprint",
    "is_cached",
    "is_compiling",
    "is_fast_in_bf16",
    "kernel",
    "lanes_of",
    "largest",
    "lowest_bit",
    "multiplies_int8",
    "nonzero",
    "prefetch",
    "prepare",
    "read_first",
    "read_first_again",
    "reference",
    "spread",
    "swap_first",
    "where",
    "working_s",
    "write_bits",
    "write_first",
    "write_where",
]
