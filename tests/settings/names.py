"""The names of all settings, and settings with one of them changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import BaseModel

from mnemic import Settings


def fields(model: type[BaseModel] = Settings, prefix: str = "") -> Iterator[str]:
    """The dotted name of every setting."""
    for name, field in model.model_fields.items():
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            yield from fields(field.annotation, f"{prefix}{name}.")
        else:
            yield prefix + name


def configured(name: str, value: object, base: Mapping[str, Any] | None = None) -> Settings:
    """Settings with one changed; `base` are those that let it be seen."""
    given: Any = value
    for part in reversed(name.split(".")):
        given = {part: given}
    return Settings(**_merged(base or {}, given))


def _merged(base: Mapping[str, Any], more: Mapping[str, Any]) -> dict[str, Any]:
    """Nested mappings as one; what is in the second counts."""
    found = dict(base)
    for key, value in more.items():
        held = found.get(key)
        if isinstance(held, Mapping) and isinstance(value, Mapping):
            value = _merged(held, value)
        found[key] = value
    return found


def value_of(settings: Settings, name: str) -> object:
    """The value of a setting, by its dotted name."""
    found: object = settings
    for part in name.split("."):
        found = getattr(found, part)
    return found


def variable(name: str) -> str:
    """The environment variable of a setting."""
    return "MNEMIC_" + name.upper().replace(".", "__")
