"""Who said it, through which channel, and how far that may be trusted.

The channel is named by the runtime that binds the caller. From the channel, the source type and
the role follows the *origin* of a trace; what derives from several traces has the least trusted
origin among them. A field of a draft can lower an origin, never raise it above what its channel
allows.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from mnemic.model.errors import NotAllowed
from mnemic.model.trust import Authority


class Channel(StrEnum):
    """The way by which a caller reaches the brain."""

    SDK = "sdk"
    """The program that holds the brain, speaking for a person."""
    CLI = "cli"
    """A person at the terminal."""
    HOST = "host"
    """The program speaking for itself: its identity provider, its configuration."""
    AGENT = "agent"
    """A language model that calls tools."""
    TOOL = "tool"
    """What a tool gave back."""
    MCP = "mcp"
    """A client of the MCP server."""
    IMPORT = "import"
    """A file."""
    REVIEW = "review"
    """A person who judges what is remembered; made by `Memory.reviewer`, never by `bind`."""


class Role(StrEnum):
    """Who spoke, seen from the agent."""

    USER = "user"
    ASSISTANT = "assistant"
    SYSTEM = "system"
    TOOL = "tool"


class SourceType(StrEnum):
    """Where a trace comes from: the fourteen sources of AgentOS's provenance."""

    USER_STATEMENT = "user_statement"
    AGENT_INFERENCE = "agent_inference"
    TOOL_RESULT = "tool_result"
    OBSERVATION = "observation"
    REFLECTION = "reflection"
    EXTERNAL = "external"
    FACT_GRAPH = "fact_graph"
    TYPED_NETWORK = "typed_network"
    RETRIEVED_DOCUMENT = "retrieved_document"
    HUMAN_APPROVAL = "human_approval"
    IDENTITY_PROVIDER = "identity_provider"
    SYSTEM_CONFIG = "system_config"
    EXTERNAL_API = "external_api"
    MEMORY_SUMMARY = "memory_summary"


class Origin(StrEnum):
    """Who said it, from the most to the least trusted."""

    SYSTEM = "system"
    PERSON = "person"
    ASSISTANT = "assistant"
    TOOL = "tool"
    DOCUMENT = "document"


_RANK = {origin: rank for rank, origin in enumerate(Origin)}

TRUSTED = (Origin.SYSTEM, Origin.PERSON)
"""Origins that need nobody else to speak for them."""

_OF_SOURCE = {
    SourceType.HUMAN_APPROVAL: Origin.SYSTEM,
    SourceType.IDENTITY_PROVIDER: Origin.SYSTEM,
    SourceType.SYSTEM_CONFIG: Origin.SYSTEM,
    SourceType.USER_STATEMENT: Origin.PERSON,
    SourceType.AGENT_INFERENCE: Origin.ASSISTANT,
    SourceType.REFLECTION: Origin.ASSISTANT,
    SourceType.FACT_GRAPH: Origin.ASSISTANT,
    SourceType.TYPED_NETWORK: Origin.ASSISTANT,
    SourceType.MEMORY_SUMMARY: Origin.ASSISTANT,
    SourceType.TOOL_RESULT: Origin.TOOL,
    SourceType.OBSERVATION: Origin.TOOL,
    SourceType.EXTERNAL_API: Origin.TOOL,
    SourceType.RETRIEVED_DOCUMENT: Origin.DOCUMENT,
    SourceType.EXTERNAL: Origin.DOCUMENT,
}

_OF_ROLE = {
    Role.USER: Origin.PERSON,
    Role.ASSISTANT: Origin.ASSISTANT,
    # A transcript's system message is a text like any other, not the system itself.
    Role.SYSTEM: Origin.ASSISTANT,
    Role.TOOL: Origin.TOOL,
}

_MOST_OF_CHANNEL = {
    Channel.SDK: Origin.PERSON,
    Channel.CLI: Origin.PERSON,
    Channel.HOST: Origin.SYSTEM,
    Channel.AGENT: Origin.ASSISTANT,
    Channel.TOOL: Origin.TOOL,
    Channel.MCP: Origin.ASSISTANT,
    Channel.IMPORT: Origin.PERSON,
    Channel.REVIEW: Origin.SYSTEM,
}

_CLAIMS = {
    SourceType.HUMAN_APPROVAL: (Channel.REVIEW,),
    SourceType.IDENTITY_PROVIDER: (Channel.HOST, Channel.REVIEW),
    SourceType.SYSTEM_CONFIG: (Channel.HOST, Channel.REVIEW),
}
"""Sources that carry authority, and the channels through which they may be named."""

_OWN_WORDS = {
    Channel.AGENT: SourceType.AGENT_INFERENCE,
    Channel.MCP: SourceType.AGENT_INFERENCE,
    Channel.TOOL: SourceType.TOOL_RESULT,
}
"""What the words of a machine's channel are, when they are called a user's statement."""

_AUTHORITY = {
    Channel.SDK: Authority.PERSON,
    Channel.CLI: Authority.PERSON,
    Channel.HOST: Authority.PERSON,
    Channel.REVIEW: Authority.REVIEWER,
}


def authority_of(channel: Channel) -> Authority:
    """In whose name a channel acts."""
    return _AUTHORITY.get(channel, Authority.MACHINE)


def least_trusted(origins: Iterable[Origin]) -> Origin:
    """The least trusted of some origins, of which there is at least one."""
    return max(origins, key=_RANK.__getitem__)


def is_below(origin: Origin, other: Origin) -> bool:
    """Whether `origin` is less trusted than `other`."""
    return _RANK[origin] > _RANK[other]


def origin_of(
    source: SourceType, role: Role | None, channel: Channel, of_sources: Iterable[Origin] = ()
) -> Origin:
    """The origin of a trace: the least trusted of all that is said of it."""
    said = [_OF_SOURCE[source], _MOST_OF_CHANNEL[channel], *of_sources]
    if role is not None:
        said.append(_OF_ROLE[role])
    return least_trusted(said)


def allowed_source(source: SourceType, channel: Channel) -> SourceType:
    """The source type under which a channel may file.

    What an agent or a tool files without naming another source is its own, and no user's
    statement. A file that says of itself that it was approved is a document that says so.

    Raises:
        NotAllowed: the source carries an authority that the channel has not.
    """
    if source is SourceType.USER_STATEMENT and channel in _OWN_WORDS:
        return _OWN_WORDS[channel]
    allowed = _CLAIMS.get(source)
    if allowed is None or channel in allowed:
        return source
    if channel is Channel.IMPORT:
        return SourceType.EXTERNAL
    names = " or ".join(repr(one.value) for one in allowed)
    raise NotAllowed(
        f"source {source.value!r} cannot be claimed through the channel {channel.value!r}; "
        f"it takes the channel {names}"
    )
