"""The little of JSON Schema that arguments of tools need: to declare them, and to check them.

A schema is what a model is shown and what its arguments are checked by; there is no second place
that says what is allowed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from mnemic.model.errors import InvalidInput

Schema = dict[str, Any]

_SHOWN_CHARS = 60


def string(description: str, *, most: int, least: int = 0, **extra: Any) -> Schema:
    """A text of `least` to `most` characters."""
    lengths = {"minLength": least, "maxLength": most} if least else {"maxLength": most}
    return {"type": "string", "description": description, **lengths, **extra}


def choice(description: str, values: Iterable[str], **extra: Any) -> Schema:
    """One of some words."""
    return {"type": "string", "description": description, "enum": [*values], **extra}


def whole(description: str, *, least: int, most: int, **extra: Any) -> Schema:
    """A whole number."""
    bounds = {"minimum": least, "maximum": most}
    return {"type": "integer", "description": description, **bounds, **extra}


def many(description: str, items: Schema, *, most: int, least: int = 0, **extra: Any) -> Schema:
    """A list of `least` to `most` items."""
    counts = {"minItems": least, "maxItems": most}
    return {"type": "array", "description": description, "items": items, **counts, **extra}


def record(properties: Mapping[str, Schema], required: Iterable[str] = ()) -> Schema:
    """An object with these fields and no others."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": [*required],
        "additionalProperties": False,
    }


def checked(tool: str, schema: Schema, arguments: object) -> dict[str, Any]:
    """The arguments of a call, with defaults where they were left out.

    Args:
        tool: its name, for messages.
        schema: of the arguments; made by `record`.
        arguments: as they were given.

    Raises:
        InvalidInput: naming the field, its value and what is allowed.
    """
    if not isinstance(arguments, Mapping):
        raise InvalidInput(f"{tool} takes an object of arguments, not {_short(arguments)}")
    known = schema["properties"]
    for name in arguments:
        if name not in known:
            takes = ", ".join(known)
            raise InvalidInput(f"{tool} takes no argument {_short(name)}; it takes: {takes}")
    for name in schema["required"]:
        if name not in arguments:
            raise InvalidInput(f"{tool} needs the argument {name!r}")
    found = {name: one["default"] for name, one in known.items() if "default" in one}
    return {**found, **{name: _value(name, known[name], arguments[name]) for name in arguments}}


def _value(name: str, schema: Schema, value: object) -> Any:
    return _CHECKS[schema["type"]](name, schema, value)


def _string(name: str, schema: Schema, value: object) -> str:
    if not isinstance(value, str):
        raise InvalidInput(f"{name} must be a string, not {_short(value)}")
    allowed = schema.get("enum")
    if allowed is not None and value not in allowed:
        raise InvalidInput(f"{name} {_short(value)} is unknown; use one of: {', '.join(allowed)}")
    least, most = schema.get("minLength", 0), schema.get("maxLength")
    if len(value) < least:
        raise InvalidInput(f"{name} {value!r} is empty; it takes at least {least} character")
    if most is not None and len(value) > most:
        raise InvalidInput(
            f"{name} has {len(value):,} characters, at most {most:,} are taken; "
            f"make it shorter: {_short(value)}"
        )
    return value


def _integer(name: str, schema: Schema, value: object) -> int:
    # JSON knows one kind of number: 5.0 is the whole number 5, and true is none.
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        raise InvalidInput(f"{name} must be a whole number, not {_short(value)}")
    least, most = schema["minimum"], schema["maximum"]
    if not least <= value <= most:
        raise InvalidInput(f"{name} {_short(value)} must be a whole number from {least} to {most}")
    return value


def _array(name: str, schema: Schema, value: object) -> list[Any]:
    if not isinstance(value, list | tuple):
        raise InvalidInput(f"{name} must be a list, not {_short(value)}")
    least, most = schema["minItems"], schema["maxItems"]
    if not least <= len(value) <= most:
        raise InvalidInput(f"{name} has {len(value):,} items; it takes {least} to {most}")
    return [_value(f"{name}[{at}]", schema["items"], one) for at, one in enumerate(value)]


_CHECKS: dict[str, Callable[[str, Schema, object], Any]] = {
    "string": _string,
    "integer": _integer,
    "array": _array,
}


def _short(value: object) -> str:
    """A value for a message: never more of it than a line."""
    if value is None:
        return "null (leave it out instead)"
    if isinstance(value, str) and len(value) > _SHOWN_CHARS:
        return f"{value[:_SHOWN_CHARS]!r}..."
    if isinstance(value, str | int | float):
        # A whole number of ten thousand digits cannot even be written out.
        big = isinstance(value, int) and value.bit_length() > 64
        return "a number of more than 64 bits" if big else repr(value)
    return f"a value of type {type(value).__name__}"
