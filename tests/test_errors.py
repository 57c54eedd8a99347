"""The tree of error classes."""

import pytest

from ludus import errors


@pytest.mark.parametrize("name", ["BadNotation", "IllegalMove", "BadGame", "BadPreset", "BadModel"])
def test_a_users_mistake_is_bad_input(name):
    assert issubclass(getattr(errors, name), errors.BadInput)


@pytest.mark.parametrize("name", ["BadRecord", "Unavailable"])
def test_errors_of_the_machine_are_not_bad_input(name):
    assert issubclass(getattr(errors, name), errors.LudusError)
    assert not issubclass(getattr(errors, name), errors.BadInput)


def test_the_docstring_of_errors_names_every_class():
    classes = [name for name, thing in vars(errors).items() if isinstance(thing, type)]
    assert [name for name in classes if name not in errors.__doc__] == []


def test_an_unreadable_move_is_not_an_illegal_one():
    assert not issubclass(errors.BadNotation, errors.IllegalMove)
    assert not issubclass(errors.IllegalMove, errors.BadNotation)
