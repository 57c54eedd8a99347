"""Settings: a TOML file in, a frozen struct out, or one sentence that names the file, the key and the remedy."""

import difflib
import json
import re
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypeVar, cast

import msgspec

from ludus.errors import BadPreset
from ludus.spelling import did_you_mean

__all__ = ["dump", "explain", "load"]

T = TypeVar("T")

_IN_WORDS = {
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "str": 'text in "quotes"',
    "array": "a list in [brackets]",
    "object": "a table",
    "null": "nothing",
}


def load(path: Path, kind: type[T]) -> T:
    """Read the settings in `path` as the struct `kind` (declared with `frozen=True, forbid_unknown_fields=True`).

    Raises:
        BadPreset: the file is missing, is no TOML, or holds a setting that `kind` does not have or does not accept.
    """
    try:
        # Some editors put a mark of three bytes before the text.
        settings = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError as error:
        raise BadPreset(f"{path}: there is no such file; {_similar_file(path)}") from error
    except OSError as error:
        raise BadPreset(f"{path}: cannot be read ({error.strerror}).") from error
    except UnicodeDecodeError as error:
        raise BadPreset(f"{path}: byte {error.start} is not UTF-8; save the file as UTF-8 text.") from error
    except tomllib.TOMLDecodeError as error:
        raise BadPreset(f"{path}: this is not TOML: {_first_small(str(error))}.") from error
    try:
        return msgspec.convert(settings, kind)
    except msgspec.ValidationError as error:
        raise BadPreset(f"{path}: {explain(error, kind)}") from error


def _similar_file(path: Path) -> str:
    neighbours = [found.name for found in path.parent.glob("*.toml")] if path.parent.is_dir() else []
    near = difflib.get_close_matches(path.name, neighbours, n=1)
    return f"did you mean {path.parent / near[0]}?" if near else "check the path."


def _first_small(text: str) -> str:
    return text[:1].lower() + text[1:]


def explain(error: msgspec.ValidationError, kind: Any) -> str:  # noqa: ANN401 - any type that msgspec converts to
    """Turn an error such as "Expected `int`, got `str` - at `$.search.visits`" into a sentence for a person."""
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
    if missing := re.fullmatch(r"Object missing required field `(.*)`", what):
        return f"the setting {_dotted(place, missing[1])!r} is missing; add it."
    words = re.sub(
        r"`([a-z| ]+)`", lambda types: " or ".join(_IN_WORDS.get(kind, kind) for kind in types[1].split(" | ")), what
    )
    return f"{place or 'settings'}: {_first_small(words).rstrip('.')}."


def _dotted(place: str, key: str) -> str:
    return f"{place}.{key}" if place else key


def _keys_at(found: msgspec.inspect.Type, place: str) -> list[str]:
    """Return the keys of the table at `place`, e.g. "arena.opponents[0]", of settings of the type `found`."""
    structs = [kind for kind in _types_at(found, place) if isinstance(kind, msgspec.inspect.StructType)]
    return [field.encode_name for kind in structs for field in kind.fields]


def _words_at(found: msgspec.inspect.Type, place: str) -> list[str]:
    """Return the words of which the setting at `place` is one, of settings of the type `found`."""
    literals = [kind for kind in _types_at(found, place) if isinstance(kind, msgspec.inspect.LiteralType)]
    return [str(word) for kind in literals for word in kind.values]


def _types_at(found: msgspec.inspect.Type, place: str) -> list[Any]:
    """Return the types that the setting at `place` may have, of settings of the type `found`."""
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
    """Return `value` as TOML that `load` reads back; None is left out, so it must be the default where it occurs."""
    return "\n".join(_table(cast(dict[str, Any], msgspec.to_builtins(value)), ""))


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
    return repr(value)  # Python writes whole and other numbers, inf and nan as TOML does
