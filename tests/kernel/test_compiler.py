"""Entries and kernels: how they are called, when compilation is announced, and where machine code is stored."""

from contextlib import contextmanager

import numpy as np
import pytest

from ludus.errors import Unavailable
from ludus.kernel import COMPILED, announce_with, bind, cache_directory, compiler, entry, kernel, prepare
from ludus.kernel.compiler import complaint


@kernel
def plus_one(value, by=1):
    """Add one, or `by`."""
    return value + by


@kernel
def plus_two(value):
    return plus_one(plus_one(value, by=1))


@entry
def add_two(value):
    """Add two."""
    return plus_two(value)


def test_python_and_machine_code_call_the_same_kernel():
    assert add_two(5) == plus_two(5) == 7
    assert plus_one.__doc__ == "Add one, or `by`."


def test_an_entry_keeps_its_name_and_docstring():
    assert (add_two.__name__, add_two.__doc__) == ("add_two", "Add two.")


@entry
def fill(array, value):
    for index in range(array.shape[0]):
        array[index] += value
    return array.shape[0]


def test_a_bound_entry_gives_the_same_result_for_arguments_of_the_same_types():
    bound, array = bind(fill, np.zeros(3), 1), np.arange(5.0)
    assert bound(array, 2) == fill(array, 1) == 5
    assert array.tolist() == [3, 4, 5, 6, 7]
    assert bind(plus_one, 1) is plus_one, "a plain function is as fast as it can be"
    assert bind(fill, np.zeros(3), 1)(array, 1) == 5, "it may be bound again"


@pytest.mark.skipif(not COMPILED, reason="plain Python takes any width")
def test_a_bound_entry_refuses_arrays_of_another_width():
    bound = bind(fill, np.zeros(3), 1)
    with pytest.raises(TypeError):
        bound(np.zeros(3, np.float32), 1)


def test_an_error_of_a_bound_entry_reaches_python():
    @entry
    def checked(value):
        if value < 0:
            raise ValueError("negative")
        return value

    bound = bind(checked, 1)
    assert bound(3) == 3
    with pytest.raises(ValueError, match="negative"):
        bound(-1)


def test_an_error_in_machine_code_reaches_python():
    @entry
    def checked(value):
        if value < 0:
            raise ValueError("negative")
        return value

    with pytest.raises(ValueError, match="negative"):
        checked(-1)


def test_integer_overflow_is_silent_without_the_compiler(monkeypatch):
    def double(word):
        return word + word

    monkeypatch.setattr(compiler, "COMPILED", False)
    with np.errstate(over="raise"):
        assert entry(double)(np.uint64(1 << 63)) == 0
        with pytest.raises(FloatingPointError):
            double(np.uint64(1 << 63))


def test_compilation_that_takes_long_is_announced_once(monkeypatch, tmp_path):
    announced = []

    @contextmanager
    def listener(subject):
        announced.append(subject)
        yield

    monkeypatch.setenv("LUDUS_CACHE", str(tmp_path))

    def plain(array):
        return np.sort(array)[0]

    plain.__name__ = "slowly_compiled"
    slowly_compiled = entry(plain)
    monkeypatch.setattr(compiler, "_announce", compiler._announce)
    monkeypatch.setattr(compiler, "ANNOUNCE_AFTER_S", 0.0)
    announce_with(listener)
    prepare(slowly_compiled, np.zeros(2))
    assert slowly_compiled(np.array([2.0, 1.0])) == 1.0
    assert announced == (["slowly compiled"] if COMPILED else [])
    assert any(cache_directory().rglob("*.nbc")) == COMPILED
    prepare(entry(plain), np.zeros(2))
    assert len(announced) == COMPILED, "what another process has compiled is loaded"


@pytest.mark.skipif(not COMPILED, reason="plain Python has no cache")
def test_an_unwritable_cache_gives_one_error_message(monkeypatch, tmp_path):
    @entry
    def never_compiled(value):
        return value

    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("LUDUS_CACHE", str(tmp_path / "file"))
    with pytest.raises(Unavailable, match="set LUDUS_CACHE to a directory that can be written"):
        never_compiled(1)


def test_a_long_complaint_of_the_compiler_ends_between_words():
    words = [f"word{number}" for number in range(100)]
    told = complaint(ValueError(" ".join(words)))
    assert told.endswith(" ...")
    assert told.removesuffix(" ...").split() == words[: len(told.split()) - 1]


@pytest.mark.skipif(not COMPILED, reason="plain Python compiles nothing")
def test_functions_are_registered_by_one_thread_at_a_time(monkeypatch, tmp_path):
    monkeypatch.setenv("LUDUS_CACHE", str(tmp_path))

    @entry
    def doubled(number):
        return 2 * number

    context, was_locked = doubled.dispatcher.targetctx, []
    refresh = context.refresh

    def watched():
        was_locked.append(compiler.global_compiler_lock.is_locked())
        refresh()

    monkeypatch.setattr(context, "refresh", watched)
    assert doubled(4) == 8
    assert was_locked
    assert all(was_locked)
