"""Makes the tools of a caller."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mnemic.tools import reading, upkeep, writing
from mnemic.tools.spec import Spec, Tool

if TYPE_CHECKING:
    from mnemic.bound import BoundMemory


def named_specs(*, include_reflect: bool = True, include_rehydrate: bool = True) -> dict[str, Spec]:
    """The tools without a memory, by name; see `tools`."""
    specs = [*writing.SPECS, *reading.SPECS]
    specs += [upkeep.REFLECT] if include_reflect else []
    specs += [upkeep.REHYDRATE] if include_rehydrate else []
    return {spec.name: spec for spec in specs}


def tools(
    bound: BoundMemory, *, include_reflect: bool = True, include_rehydrate: bool = True
) -> tuple[Tool, ...]:
    """The memory of one caller as tools for a language model.

    Bind the caller with ``channel="agent"``, so that what the model says is not taken for the
    words of a person.

    Args:
        bound: whose memory they write and read.
        include_reflect: whether `memory_reflect` is among them.
        include_rehydrate: whether `rehydrate_memory` is among them.
    """
    specs = named_specs(include_reflect=include_reflect, include_rehydrate=include_rehydrate)
    return tuple(Tool.of(spec, bound) for spec in specs.values())
