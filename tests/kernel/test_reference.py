"""A reference: a tuple of arrays and numbers for compiled code, and the tuple itself for plain Python."""

import gc
import json
import os
import subprocess
import sys
from typing import Annotated, NamedTuple

import msgspec
import numpy as np
import pytest

from ludus.kernel import COMPILED, entry, kernel, reference

RECORD = np.dtype([("count", "i4"), ("kind", "i1"), ("value", "f4")], align=True)


class Parts(NamedTuple):
    """Arrays of several kinds among numbers."""

    bytes_: np.ndarray  # [N]
    words: np.ndarray  # [A, B, C]
    records: np.ndarray  # [R, S] RECORD
    whole: int
    part: float
    singles: np.ndarray  # [M]


def parts_of(length=4, whole=-7, part=0.1):
    records = np.zeros((2, length), RECORD)
    records["count"], records["kind"], records["value"] = np.arange(2 * length).reshape(2, length), -3, 0.5
    words = np.arange(2 * 3 * length, dtype=np.uint64).reshape(2, 3, length)
    singles = np.linspace(0, 1, length, dtype=np.float32)
    plain = records if COMPILED else records.view(np.recarray)
    return Parts(np.arange(length, dtype=np.uint8), words, plain, whole, part, singles)


@kernel
def total_of(t):
    total = float(t.whole) + t.part
    for index in range(t.bytes_.shape[0]):
        total += float(t.bytes_[index])
    for a in range(t.words.shape[0]):
        for b in range(t.words.shape[1]):
            for c in range(t.words.shape[2]):
                total += float(t.words[a, b, c]) * (1 + a)
    for r in range(t.records.shape[0]):
        row = t.records[r]
        for s in range(row.shape[0]):
            total += float(row[s].count) + float(row[s].kind) + float(row[s].value)
    for index in range(t.singles.shape[0]):
        total += float(t.singles[index])
    return total


@entry
def total(t):
    return total_of(t)


def expected(t):
    """Return the same result, computed without references."""
    fields = sum(t.records[name].astype(float).sum() for name in RECORD.names)
    words = (t.words.astype(float) * np.array([1, 2])[:, None, None]).sum()
    return t.whole + t.part + t.bytes_.astype(float).sum() + words + fields + t.singles.astype(float).sum()


@entry
def change(t, value):
    t.words[1, 2, 3] = value
    t.records[1, 0].count += 5
    t.singles[:2] = t.singles[2:4]
    t.bytes_[1:3] = 9
    return t.words[0].shape[1], t.whole


class Numbers(msgspec.Struct):
    """Settings of several types, including a text that compiled code cannot read."""

    size: Annotated[int, msgspec.Meta(ge=1)] = 3
    word: str = "none"
    rate: float = 0.5
    twice: bool = False
    table: np.ndarray = msgspec.field(default_factory=lambda: np.arange(4.0))


@entry
def size_times_rate(settings):
    return settings.size * settings.rate * (2 if settings.twice else 1) + settings.table[settings.size]


def test_compiled_code_reads_the_numbers_of_settings():
    assert size_times_rate(reference(Numbers())) == 1.5 + 3.0
    assert size_times_rate(reference(Numbers(size=2, rate=0.25, twice=True))) == 1.0 + 2.0


@pytest.mark.skipif(not COMPILED, reason="plain Python has no types to agree on")
def test_a_whole_number_where_settings_declare_a_float_makes_no_other_type():
    whole, float_ = reference(Numbers(rate=2, twice=1)), reference(Numbers(rate=2.0, twice=True))
    assert whole.numba_type == float_.numba_type
    assert size_times_rate(whole) == size_times_rate(float_) == 12.0 + 3.0


@pytest.mark.parametrize("length", [1, 4, 1000])
def test_compiled_code_reads_every_part(length):
    parts = parts_of(length, whole=2**40 + length, part=-1e-300)
    assert total(reference(parts)) == pytest.approx(expected(parts), rel=1e-12)


def test_the_numbers_are_exact():
    @entry
    def numbers(t):
        return t.whole, t.part

    for whole, part in ((0, 0.0), (-1, -0.0), (2**62, 1e308), (-(2**63), float("inf")), (5, np.float64(0.1))):
        assert numbers(reference(parts_of(2, whole, part))) == (whole, part)


def test_compiled_code_and_python_see_each_others_writes():
    parts = parts_of()
    taken = reference(parts)
    assert change(taken, 77) == (4, -7)
    assert parts.words[1, 2, 3] == 77
    assert parts.records["count"].tolist() == [[0, 1, 2, 3], [9, 5, 6, 7]]
    assert parts.bytes_.tolist() == [0, 9, 9, 3]
    assert parts.singles[:2].tolist() == parts.singles[2:].tolist()
    parts.singles[:] = 3
    assert total(taken) == pytest.approx(expected(parts))


def test_without_the_compiler_a_reference_is_the_tuple_itself():
    parts = parts_of()
    assert (reference(parts) is parts) == (not COMPILED)
    assert total_of(
        parts if not COMPILED else parts._replace(records=parts.records.view(np.recarray))
    ) == pytest.approx(expected(parts))


def test_arrays_that_are_not_contiguous_are_rejected_by_name():
    for name, wrong in (
        ("words", np.zeros((2, 3, 8), np.uint64)[:, :, ::2]),
        ("singles", np.zeros(8, np.float32)[::2]),
    ):
        if COMPILED:
            with pytest.raises(AssertionError, match=f"{name} is not C-contiguous"):
                reference(parts_of()._replace(**{name: wrong}))


def test_a_reference_keeps_its_arrays_alive():
    def lonely():
        return reference(parts_of(100_000))

    taken = lonely()
    gc.collect()
    ballast = [np.full(100_000, 255, np.uint8) for _ in range(20)]
    assert total(taken) == pytest.approx(expected(parts_of(100_000)))
    assert len(ballast) == 20


@pytest.mark.skipif(not COMPILED, reason="plain Python has no types of machine code")
def test_other_shapes_are_the_same_type_and_other_kinds_are_not():
    names = {reference(parts_of(length, whole=length)).numba_type.name for length in (1, 2, 50)}
    assert len(names) == 1
    other = parts_of()._replace(bytes_=np.zeros(4, np.int8))
    assert reference(other).numba_type.name not in names
    swapped = parts_of()._replace(whole=1.0)
    assert reference(swapped).numba_type.name not in names


def test_arrays_taken_out_of_a_reference_can_be_kept_for_the_call():
    @entry
    def turn_over(t, times):
        one, other = t.bytes_, t.bytes_.copy()
        for _ in range(times):
            for index in range(one.shape[0]):
                other[index] = one[one.shape[0] - 1 - index]
            one[:] = other
        return one.shape[0]

    parts = parts_of(100)
    for _ in range(200):  # were they counted, they would be freed sooner or later
        assert turn_over(reference(parts), 3) == 100
    assert parts.bytes_.tolist() == list(range(100))


SCRIPT = """
import json
import sys
from typing import NamedTuple
import numpy as np
from ludus.kernel import entry, reference


class Parts(NamedTuple):
    table: np.ndarray
    scale: float


@entry
def weigh(t, g):
    total = 0.0
    for k in range(t.table.shape[1]):
        total += float(t.table[g, k]) * t.scale
    return total
"""
MAIN = """
import json
import sys

import numpy as np
from ludus.kernel import reference
from weighing import Parts, weigh

rows, columns, scale = int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
parts = Parts(np.arange(rows * columns, dtype=np.float32).reshape(rows, columns), scale)
result = weigh(reference(parts), rows - 1)
stats = weigh.dispatcher.stats
print(json.dumps([result, sum(stats.cache_hits.values()), sum(stats.cache_misses.values())]))
"""


def test_a_fresh_process_loads_the_code_for_other_shapes_and_numbers(tmp_path):
    (tmp_path / "weighing.py").write_text(SCRIPT)
    (tmp_path / "run.py").write_text(MAIN)
    environment = {**os.environ, "LUDUS_CACHE": str(tmp_path / "cache"), "NUMBA_DISABLE_JIT": "0"}

    def run(rows, columns, scale, **settings):
        command = [sys.executable, "run.py", str(rows), str(columns), str(scale)]
        output = subprocess.run(
            command, cwd=tmp_path, env=environment | settings, stdout=subprocess.PIPE, check=True, timeout=300
        ).stdout
        return json.loads(output)

    assert run(2, 3, 0.5) == [6.0, 0, 1]
    assert run(1, 1000, 2.0, PYTHONHASHSEED="3") == [999_000.0, 1, 0]
