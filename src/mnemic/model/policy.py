"""The trust policy of a source: what a trace may be used for, and for how long unchecked.

The table is AgentOS's (core/types, default trust policy by source type): whether a trace may
support an authorization, a personalization, a claim of fact, and after how long it has to be
verified again. Settings may tighten it, never loosen it. Two rules come on top, whatever the
table says: what a tool or a document said never alone supports an authorization or a
personalization, and only what is believed or verified may be used at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from mnemic.model.errors import InvalidInput
from mnemic.model.origin import Origin, SourceType

HOUR_MS = 3_600_000


class Capability(StrEnum):
    """What a trace can be used for."""

    AUTHORIZATION = "authorization"
    PERSONALIZATION = "personalization"
    FACT_CLAIM = "fact_claim"


@dataclass(frozen=True, slots=True)
class Policy:
    """What traces of one source may be used for.

    `reverify_after_ms` milliseconds after it was verified, or after its own time, a trace may be
    used for nothing until it is verified again; None is never.
    """

    usable_for: frozenset[Capability]
    reverify_after_ms: int | None = None


_A, _P, _F = Capability.AUTHORIZATION, Capability.PERSONALIZATION, Capability.FACT_CLAIM
_S = SourceType


def _policy(*usable_for: Capability, hours: int | None = None) -> Policy:
    return Policy(frozenset(usable_for), None if hours is None else hours * HOUR_MS)


POLICIES: Mapping[SourceType, Policy] = {
    _S.USER_STATEMENT: _policy(_P),
    _S.AGENT_INFERENCE: _policy(_P, hours=1),
    _S.TOOL_RESULT: _policy(_A, _P, _F),
    _S.OBSERVATION: _policy(_P),
    _S.REFLECTION: _policy(_P, hours=1),
    _S.EXTERNAL: _policy(),
    _S.FACT_GRAPH: _policy(_P, _F),
    _S.TYPED_NETWORK: _policy(_P),
    _S.RETRIEVED_DOCUMENT: _policy(_F, hours=24),
    _S.HUMAN_APPROVAL: _policy(_A, _P, _F),
    _S.IDENTITY_PROVIDER: _policy(_A, _P, _F, hours=1),
    _S.SYSTEM_CONFIG: _policy(_A, _F),
    _S.EXTERNAL_API: _policy(_P, _F, hours=1),
    _S.MEMORY_SUMMARY: _policy(_P, hours=1),
}
"""AgentOS's table."""

ORIGINS: Mapping[Capability, tuple[Origin, ...]] = {
    _A: (Origin.SYSTEM,),
    _P: (Origin.SYSTEM, Origin.PERSON, Origin.ASSISTANT),
    _F: tuple(Origin),
}
"""The origins that may support each use at all."""


def tightened(
    policy: Policy, usable_for: Iterable[Capability] | None, hours: float | None
) -> Policy:
    """A policy with fewer uses or a shorter window.

    Raises:
        InvalidInput: this would loosen it.
    """
    if usable_for is not None:
        kept = frozenset(usable_for)
        if not kept <= policy.usable_for:
            more = ", ".join(sorted(use.value for use in kept - policy.usable_for))
            raise InvalidInput(f"a trust policy can be tightened, not loosened by {more}")
        policy = replace(policy, usable_for=kept)
    if hours is not None:
        after = int(hours * HOUR_MS)
        if policy.reverify_after_ms is not None and after > policy.reverify_after_ms:
            raise InvalidInput(
                f"a trust policy can be tightened, not loosened: to be verified again after "
                f"{hours} hours is longer than {policy.reverify_after_ms / HOUR_MS:g}"
            )
        policy = replace(policy, reverify_after_ms=after)
    return policy
