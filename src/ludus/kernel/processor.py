"""Detection of the processor's fast number formats."""

from collections.abc import Mapping

from llvmlite import binding


def is_fast_in_bf16(name: str | None = None, features: Mapping[str, bool] | None = None) -> bool:
    """Return whether a processor computes faster in bf16 than in f32, rather than merely supporting bf16.

    Processors with AMX and AMD's with AVX-512 are faster in bf16.  Intel's with AVX-512 but without AMX, which virtual
    machines often hide, take 1.5 times as long (measured in docs/explanation/findings.md).

    Args:
        name: LLVM's name of the processor, such as `znver4` (default: this one's).
        features: LLVM's names of its instruction sets (default: this one's).
    """
    found = binding.get_host_cpu_features() if features is None else features
    kind = binding.get_host_cpu_name() if name is None else name
    return found.get("amx-bf16", False) or (found.get("avx512bf16", False) and kind.startswith("znver"))


def multiplies_int8(features: Mapping[str, bool] | None = None) -> bool:
    """Return whether a processor adds products of 8-bit integers in 32 bits (VNNI or AMX).

    Older processors of x86 add two products in 16 bits, which overflows with weights and inputs of 8 bits.

    Args:
        features: LLVM's names of its instruction sets (default: this one's).
    """
    found = binding.get_host_cpu_features() if features is None else features
    return any(found.get(name, False) for name in ("avx512vnni", "avxvnni", "amx-int8"))
