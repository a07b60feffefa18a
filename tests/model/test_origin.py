"""Who said it: source, role and channel, and the least trusted of all of them."""

from __future__ import annotations

import itertools

import pytest

from mnemic.errors import NotAllowed
from mnemic.model.origin import (
    TRUSTED,
    Channel,
    Origin,
    Role,
    SourceType,
    allowed_source,
    authority_of,
    is_below,
    least_trusted,
    origin_of,
)
from mnemic.model.trust import Authority

# By hand: from the most to the least trusted.
ORDER = ["system", "person", "assistant", "tool", "document"]

OF_SOURCE = {
    "human_approval": "system",
    "identity_provider": "system",
    "system_config": "system",
    "user_statement": "person",
    "agent_inference": "assistant",
    "reflection": "assistant",
    "fact_graph": "assistant",
    "typed_network": "assistant",
    "memory_summary": "assistant",
    "tool_result": "tool",
    "observation": "tool",
    "external_api": "tool",
    "retrieved_document": "document",
    "external": "document",
}
OF_ROLE = {None: "system", "user": "person", "assistant": "assistant", "system": "assistant",
           "tool": "tool"}  # fmt: skip
OF_CHANNEL = {
    "sdk": "person",
    "cli": "person",
    "host": "system",
    "agent": "assistant",
    "tool": "tool",
    "mcp": "assistant",
    "import": "person",
    "review": "system",
}


def test_the_tables_by_hand_name_all_there_is() -> None:
    assert set(OF_SOURCE) == {one.value for one in SourceType}
    assert set(OF_ROLE) == {None, *(one.value for one in Role)}
    assert set(OF_CHANNEL) == {one.value for one in Channel}
    assert [one.value for one in Origin] == ORDER
    assert {one.value for one in TRUSTED} == {"system", "person"}


def test_the_origin_is_the_least_trusted_of_source_role_and_channel() -> None:
    for source, role, channel in itertools.product(OF_SOURCE, OF_ROLE, OF_CHANNEL):
        said = (OF_SOURCE[source], OF_ROLE[role], OF_CHANNEL[channel])
        expected = max(said, key=ORDER.index)
        got = origin_of(SourceType(source), None if role is None else Role(role), Channel(channel))
        assert got.value == expected, (source, role, channel)


def test_no_field_raises_an_origin_above_its_channel() -> None:
    for source, role, channel in itertools.product(SourceType, [None, *Role], Channel):
        got = origin_of(source, role, channel)
        assert not is_below(Origin(OF_CHANNEL[channel.value]), got)


@pytest.mark.parametrize("own", Origin)
def test_what_rests_on_others_is_no_more_trusted_than_the_least_of_them(own: Origin) -> None:
    source = next(one for one in SourceType if OF_SOURCE[one.value] == own.value)
    for several in itertools.combinations_with_replacement(Origin, 2):
        got = origin_of(source, None, Channel.REVIEW, several)
        assert got.value == max([own.value, *(one.value for one in several)], key=ORDER.index)


def test_the_order_of_trust() -> None:
    for one, other in itertools.product(Origin, repeat=2):
        assert is_below(one, other) is (ORDER.index(one.value) > ORDER.index(other.value))
        assert least_trusted([one, other]) is (one if is_below(one, other) else other)


@pytest.mark.parametrize("channel", Channel)
@pytest.mark.parametrize("source", SourceType)
def test_a_source_that_carries_authority_takes_a_channel_that_has_it(
    source: SourceType, channel: Channel
) -> None:
    may = {
        "human_approval": {"review"},
        "identity_provider": {"host", "review"},
        "system_config": {"host", "review"},
    }.get(source.value)
    own = {"agent": "agent_inference", "mcp": "agent_inference", "tool": "tool_result"}
    if source is SourceType.USER_STATEMENT and channel.value in own:
        assert allowed_source(source, channel) == own[channel.value]
    elif may is None or channel.value in may:
        assert allowed_source(source, channel) is source
    elif channel is Channel.IMPORT:
        assert allowed_source(source, channel) is SourceType.EXTERNAL
    else:
        with pytest.raises(NotAllowed, match=f"{source.value}.*{channel.value}"):
            allowed_source(source, channel)


def test_in_whose_name_each_channel_acts() -> None:
    by_hand = {
        Authority.PERSON: {"sdk", "cli", "host"},
        Authority.MACHINE: {"agent", "tool", "mcp", "import"},
        Authority.REVIEWER: {"review"},
    }
    found: dict[Authority, set[str]] = {}
    for channel in Channel:
        found.setdefault(authority_of(channel), set()).add(channel.value)
    assert found == by_hand
