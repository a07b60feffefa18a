"""The trust policy of each source, and that settings can only tighten it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, combinations

import pytest

from mnemic import Settings
from mnemic.errors import InvalidInput
from mnemic.model.origin import Origin, SourceType
from mnemic.model.policy import HOUR_MS, ORIGINS, POLICIES, Capability, Policy, tightened

# AgentOS's default trust policy by source type, by hand: uses, and hours until it lapses.
BY_HAND: dict[str, tuple[str, float | None]] = {
    "user_statement": ("p", None),
    "agent_inference": ("p", 1),
    "tool_result": ("apf", None),
    "observation": ("p", None),
    "reflection": ("p", 1),
    "external": ("", None),
    "fact_graph": ("pf", None),
    "typed_network": ("p", None),
    "retrieved_document": ("f", 24),
    "human_approval": ("apf", None),
    "identity_provider": ("apf", 1),
    "system_config": ("af", None),
    "external_api": ("pf", 1),
    "memory_summary": ("p", 1),
}
USES = {"a": Capability.AUTHORIZATION, "p": Capability.PERSONALIZATION, "f": Capability.FACT_CLAIM}


def subsets() -> Iterator[tuple[Capability, ...]]:
    return chain.from_iterable(combinations(Capability, n) for n in range(4))


@pytest.mark.parametrize("source", SourceType)
def test_the_policy_of_each_source_is_the_one_by_hand(source: SourceType) -> None:
    letters, hours = BY_HAND[source.value]
    policy = POLICIES[source]
    assert policy.usable_for == {USES[letter] for letter in letters}
    assert policy.reverify_after_ms == (None if hours is None else hours * HOUR_MS)


def test_which_origins_may_support_which_use() -> None:
    assert set(ORIGINS[Capability.AUTHORIZATION]) == {Origin.SYSTEM}
    assert set(ORIGINS[Capability.PERSONALIZATION]) == {
        Origin.SYSTEM, Origin.PERSON, Origin.ASSISTANT
    }  # fmt: skip
    assert set(ORIGINS[Capability.FACT_CLAIM]) == set(Origin)


@pytest.mark.parametrize("source", SourceType)
def test_uses_can_be_taken_away_and_never_added(source: SourceType) -> None:
    for kept in subsets():
        own = {source.value: {"usable_for": [use.value for use in kept]}}
        if set(kept) <= POLICIES[source].usable_for:
            settings = Settings(trust={"policies": own})
            assert settings.trust.policy(source).usable_for == set(kept)
        else:
            with pytest.raises(InvalidInput, match="tightened, not loosened"):
                Settings(trust={"policies": own})


@pytest.mark.parametrize("source", SourceType)
@pytest.mark.parametrize("hours", [0.25, 1, 1.5, 24, 25])
def test_windows_can_be_shortened_and_never_lengthened(source: SourceType, hours: float) -> None:
    own = {source.value: {"reverify_after_hours": hours}}
    limit = BY_HAND[source.value][1]
    if limit is None or hours <= limit:
        settings = Settings(trust={"policies": own})
        assert settings.trust.policy(source).reverify_after_ms == hours * HOUR_MS
        assert settings.trust.policy(source).usable_for == POLICIES[source].usable_for
    else:
        with pytest.raises(InvalidInput, match="longer than"):
            Settings(trust={"policies": own})


def test_what_is_left_out_stays_as_it_is() -> None:
    policy = Policy(frozenset(Capability), 5)
    assert tightened(policy, None, None) == policy
    settings = Settings(trust={"policies": {"reflection": {"reverify_after_hours": 0.5}}})
    assert settings.trust.policy(SourceType.OBSERVATION) == POLICIES[SourceType.OBSERVATION]


@pytest.mark.parametrize("hours", [0, -1])
def test_a_window_of_nothing_is_refused(hours: float) -> None:
    with pytest.raises(InvalidInput):
        Settings(trust={"policies": {"reflection": {"reverify_after_hours": hours}}})


def test_the_environment_tightens_and_cannot_loosen(monkeypatch: pytest.MonkeyPatch) -> None:
    name = "MNEMIC_TRUST__POLICIES"
    monkeypatch.setenv(name, '{"tool_result": {"usable_for": ["fact_claim"]}}')
    assert Settings().trust.policy(SourceType.TOOL_RESULT).usable_for == {Capability.FACT_CLAIM}
    monkeypatch.setenv(name, '{"external": {"usable_for": ["fact_claim"]}}')
    with pytest.raises(InvalidInput):
        Settings()
