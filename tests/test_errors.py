"""The tree of errors: whose fault each is can be told by its class."""

import pytest

from ludus import errors


@pytest.mark.parametrize("name", ["BadNotation", "IllegalMove", "BadGame", "BadPreset", "BadModel"])
def test_a_users_mistake_is_bad_input(name):
    assert issubclass(getattr(errors, name), errors.BadInput)


@pytest.mark.parametrize("name", ["BadRecord", "Unavailable"])
def test_what_the_machine_does_is_not_the_users_mistake(name):
    assert issubclass(getattr(errors, name), errors.LudusError)
    assert not issubclass(getattr(errors, name), errors.BadInput)


def test_every_error_stands_in_the_drawing_above_the_tree():
    classes = [name for name, thing in vars(errors).items() if isinstance(thing, type)]
    assert [name for name in classes if name not in errors.__doc__] == []


def test_an_unreadable_move_is_not_an_illegal_one():
    assert not issubclass(errors.BadNotation, errors.IllegalMove)
    assert not issubclass(errors.IllegalMove, errors.BadNotation)
