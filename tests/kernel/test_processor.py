"""Detection of processors that are fast in bf16."""

import pytest

from ludus.kernel import is_fast_in_bf16, multiplies_int8


@pytest.mark.parametrize(
    ("name", "features", "is_fast"),
    [
        ("znver3", {"avx2": True, "avx512bf16": False}, False),
        ("znver4", {"avx512bf16": True}, True),
        ("znver5", {"avx512bf16": True}, True),
        ("sapphirerapids", {"avx512bf16": True, "amx-bf16": True}, True),
        ("emeraldrapids", {"avx512bf16": True, "amx-bf16": False}, False),
        ("apple-m1", {"bf16": True}, False),
        ("generic", {}, False),
    ],
)
def test_bf16_pays_where_it_was_measured_to_pay(name: str, features: dict[str, bool], is_fast: bool) -> None:
    assert is_fast_in_bf16(name, features) is is_fast


def test_this_machine_has_an_answer() -> None:
    assert is_fast_in_bf16() in (True, False)


@pytest.mark.parametrize(
    ("features", "does"),
    [
        ({"avx2": True, "avx512bw": True}, False),
        ({"avx512vnni": True}, True),
        ({"avxvnni": True, "avx512vnni": False}, True),
        ({"amx-int8": True}, True),
        ({"dotprod": True}, False),
        ({}, False),
    ],
)
def test_int8_needs_instructions_that_do_not_overflow(features: dict[str, bool], does: bool) -> None:
    assert multiplies_int8(features) is does
