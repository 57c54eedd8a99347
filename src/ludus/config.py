"""Settings files: read TOML into a frozen struct, or raise an error that names the file, the key and the remedy."""

import difflib
import functools
import json
import math
import re
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any, TypeVar, cast, get_type_hints

import msgspec

from ludus.errors import BadPreset
from ludus.spelling import did_you_mean

__all__ = ["Settings", "convert", "dump", "dump_table", "explain", "load"]

T = TypeVar("T")

AtLeastZero = Annotated[int, msgspec.Meta(ge=0)]
AtLeastOne = Annotated[int, msgspec.Meta(ge=1)]
NotNegative = Annotated[float, msgspec.Meta(ge=0.0)]
Positive = Annotated[float, msgspec.Meta(gt=0.0)]
Share = Annotated[float, msgspec.Meta(ge=0.0, le=1.0)]

_IN_WORDS = {
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "str": 'text in "quotes"',
    "array": "a list in [brackets]",
    "object": "a table",
    "null": "nothing",
}


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Base class of settings: checks the bounds of numbers (`msgspec.Meta`) in code as well as in files."""

    def __post_init__(self) -> None:
        """Check that every number with bounds is finite and within its bounds.

        Raises:
            ValueError: a number is not finite or out of bounds; the text names the setting, its bounds and its value.
        """
        for name, kind in _bounded(type(self)):
            found = getattr(self, name)
            is_list = isinstance(found, list | tuple)
            for place, value in (
                [(f"{name}[{at}]", each) for at, each in enumerate(found)] if is_list else [(name, found)]
            ):
                within = (
                    (kind.ge is None or value >= kind.ge)
                    and (kind.gt is None or value > kind.gt)
                    and (kind.le is None or value <= kind.le)
                    and (kind.lt is None or value < kind.lt)
                )
                if not (within and math.isfinite(value)):
                    raise ValueError(f"{place} must be {_bounds_in_words(kind)}, and is {value}")


@functools.cache
def _bounded(settings: type[Settings]) -> list[tuple[str, Any]]:
    """Return the name of every setting that is a number with bounds or a list of such, and the type of the number."""
    numbers = (msgspec.inspect.IntType, msgspec.inspect.FloatType)
    lists = (msgspec.inspect.ListType, msgspec.inspect.VarTupleType)
    hints = get_type_hints(settings, include_extras=True)
    kinds = {name: msgspec.inspect.type_info(hints[name]) for name in settings.__struct_fields__}
    kinds = {name: kind.item_type if isinstance(kind, lists) else kind for name, kind in kinds.items()}
    return [
        (name, kind)
        for name, kind in kinds.items()
        if isinstance(kind, numbers) and (kind.ge, kind.gt, kind.le, kind.lt) != (None,) * 4
    ]


def _bounds_in_words(kind: Any) -> str:  # noqa: ANN401 - a number's type, as msgspec describes it
    if kind.ge is not None and kind.le is not None:
        return f"between {kind.ge} and {kind.le}"
    low = f"{kind.ge} or more" if kind.ge is not None else f"above {kind.gt}" if kind.gt is not None else ""
    high = f"at most {kind.le}" if kind.le is not None else f"below {kind.lt}" if kind.lt is not None else ""
    return " and ".join(filter(None, (low, high)))


def load(path: Path, kind: type[T]) -> T:
    """Read a TOML file into the struct `kind` (declared with `frozen=True, forbid_unknown_fields=True`).

    Raises:
        BadPreset: the file is missing, is not TOML, or has an unknown key or a wrong value.
    """
    try:
        # Some editors write a byte order mark before the text.
        settings = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError as error:
        raise BadPreset(f"{path}: there is no such file; {_similar_file(path)}") from error
    except OSError as error:
        raise BadPreset(f"{path}: cannot be read ({error.strerror}).") from error
    except UnicodeDecodeError as error:
        raise BadPreset(f"{path}: byte {error.start} is not UTF-8; save the file as UTF-8 text.") from error
    except tomllib.TOMLDecodeError as error:
        raise BadPreset(f"{path}: this is not TOML: {_first_small(str(error))}.") from error
    return convert(settings, kind, str(path))


def convert(settings: dict[str, Any], kind: type[T], source: str) -> T:
    """Return a table of settings as the struct `kind`; `source` names it in errors.

    Raises:
        BadPreset: a key is unknown, or a value is wrong.
    """
    try:
        return msgspec.convert(settings, kind)
    except msgspec.ValidationError as error:
        raise BadPreset(f"{source}: {explain(error, kind, settings)}") from error


def _similar_file(path: Path) -> str:
    neighbours = [found.name for found in path.parent.glob("*.toml")] if path.parent.is_dir() else []
    near = difflib.get_close_matches(path.name, neighbours, n=1)
    return f"did you mean {path.parent / near[0]}?" if near else "check the path."


def _first_small(text: str) -> str:
    return text[:1].lower() + text[1:]


def explain(error: msgspec.ValidationError, kind: Any, settings: Any = None) -> str:  # noqa: ANN401 - of any kind
    """Rewrite an error such as "Expected `int`, got `str` - at `$.search.visits`" for the author of the file.

    Args:
        error: the error that msgspec raised.
        kind: the type that msgspec converted to.
        settings: the value that msgspec converted; if given, the text quotes a number that is out of bounds.
    """
    what, _, where = str(error).partition(" - at `$")
    place = where.rstrip("`").lstrip(".")
    if unknown := re.fullmatch(r"Object contains unknown field `(.*)`", what):
        key = unknown[1]
        known = _keys_at(msgspec.inspect.type_info(kind), place)
        remedy = did_you_mean(key, known) or f"known here: {', '.join(known)}."
        return f"there is no setting {_dotted(place, key)!r}; {remedy}"
    if wrong := re.fullmatch(r"Invalid enum value '(.*)'", what, re.DOTALL):
        allowed = _words_at(msgspec.inspect.type_info(kind), place)
        near = did_you_mean(wrong[1], allowed)
        return f"{place}: {wrong[1]!r} is none of {', '.join(allowed)}{f'; {near}' if near else '.'}"
    if settings is not None and re.match(r"Expected `(int|float)` (>|<)", what):
        (bounded,) = (each for each in _types_at(msgspec.inspect.type_info(kind), place) if hasattr(each, "ge"))
        table, _, key = place.rpartition(".")
        return f"{table or 'settings'}: {key} must be {_bounds_in_words(bounded)}{_quoted(settings, place)}."
    if missing := re.fullmatch(r"Object missing required field `(.*)`", what):
        return f"the setting {_dotted(place, missing[1])!r} is missing; add it."
    words = re.sub(
        r"`([a-z| ]+)`", lambda types: " or ".join(_IN_WORDS.get(kind, kind) for kind in types[1].split(" | ")), what
    )
    return f"{place or 'settings'}: {_first_small(words).rstrip('.')}."


def _quoted(settings: Any, place: str) -> str:  # noqa: ANN401 - any TOML value
    for key, number in re.findall(r"([^.\[\]]+)|\[(\d+)\]", place):
        if isinstance(settings, dict) and key in settings:
            settings = cast(dict[str, Any], settings)[key]
        elif isinstance(settings, list) and number:
            settings = cast(list[Any], settings)[int(number)]
        else:
            return ""
    return f", and is {settings}"


def _dotted(place: str, key: str) -> str:
    return f"{place}.{key}" if place else key


def _keys_at(found: msgspec.inspect.Type, place: str) -> list[str]:
    """Return the keys that the type `found` allows in the table at `place`, e.g. "arena.opponents[0]"."""
    structs = [kind for kind in _types_at(found, place) if isinstance(kind, msgspec.inspect.StructType)]
    return [field.encode_name for kind in structs for field in kind.fields]


def _words_at(found: msgspec.inspect.Type, place: str) -> list[str]:
    """Return the words that the type `found` allows as the value at `place`."""
    literals = [kind for kind in _types_at(found, place) if isinstance(kind, msgspec.inspect.LiteralType)]
    return [str(word) for kind in literals for word in kind.values]


def _types_at(found: msgspec.inspect.Type, place: str) -> list[Any]:
    """Return the types that the type `found` allows for the value at `place`."""
    inspect = msgspec.inspect
    choices: Iterable[Any] = [found]
    for part in re.findall(r"[^.\[\]]+|\[[^\]]*\]", place):
        choices = list(_alternatives(choices))
        choices = [
            *(field.type for kind in choices if isinstance(kind, inspect.StructType) for field in kind.fields
              if field.encode_name == part),
            *(kind.item_type for kind in choices if isinstance(kind, (inspect.ListType, inspect.VarTupleType))),
            *(kind.value_type for kind in choices if isinstance(kind, inspect.DictType)),
        ]  # fmt: skip
    return list(_alternatives(choices))


def _alternatives(kinds: Iterable[Any]) -> Iterable[Any]:
    for kind in kinds:
        yield from kind.types if isinstance(kind, msgspec.inspect.UnionType) else (kind,)


def dump(value: msgspec.Struct) -> str:
    """Return `value` as TOML for `load`; settings that are None are left out, so their default must be None."""
    return dump_table(cast(dict[str, Any], msgspec.to_builtins(value)))


def dump_table(table: dict[str, Any]) -> str:
    """Return a table of settings as TOML."""
    return "\n".join(_table(table, ""))


def _table(table: dict[str, Any], prefix: str) -> Iterable[str]:
    tables: list[str] = []
    for key, value in table.items():
        name = _key(key)
        if isinstance(value, dict):
            tables += ["", f"[{prefix}{name}]", *_table(cast(dict[str, Any], value), f"{prefix}{name}.")]
        elif value is not None:
            yield f"{name} = {_scalar(value)}"
    yield from tables if prefix else [*tables, ""]


def _key(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else _scalar(key)


def _scalar(value: Any) -> str:  # noqa: ANN401 - text, number, true or false, a list or a table inside a list
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(_scalar, cast(list[Any], value)))}]"
    if isinstance(value, dict):
        items = cast(dict[str, Any], value).items()
        return f"{{{', '.join(f'{_key(key)} = {_scalar(item)}' for key, item in items if item is not None)}}}"
    return repr(value)  # Python and TOML write numbers, inf and nan alike
