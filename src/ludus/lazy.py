"""Attributes that are computed when they are first read."""

from collections.abc import Callable
from typing import Any, Generic, Self, TypeVar, overload

_Value = TypeVar("_Value", covariant=True)


class lazy_property(Generic[_Value]):  # noqa: N801 - a decorator, like `property`
    """A property whose value is computed once for each object, and again after `del`.

    Python 3.11's `functools.cached_property` holds one lock for all objects of a class while it computes, so a thread
    that waits within (`ludus.games.calls.pause`) could stop all others for good.  Here two threads may both compute;
    both results are equal, and the later one stays.
    """

    def __init__(self, compute: Callable[[Any], _Value]) -> None:
        """Decorate a method without arguments."""
        self._compute, self._name = compute, compute.__name__
        self.__doc__ = compute.__doc__

    @overload
    def __get__(self, owner: None, cls: type) -> Self: ...
    @overload
    def __get__(self, owner: object, cls: type) -> _Value: ...
    def __get__(self, owner: object | None, cls: type) -> Self | _Value:
        """Return the value; on the class itself, the decorator."""
        if owner is None:
            return self
        value = owner.__dict__[self._name] = self._compute(owner)
        return value
