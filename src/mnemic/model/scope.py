"""Who asks, and what follows from it.

A caller is a `Principal`. From it follows a `Reach`: the set of `(scope, scope_id)` pairs it may
read. Scope ids are in their written form, in which every part is percent-encoded for ``%``, ``/``
and ``:``, so that joined parts cannot collide: ``("a", "b/c")`` and ``("a/b", "c")`` differ.

The written forms are those of AgentOS's learning layer: a user is ``<namespace>/<user>``, or the
plain user without a namespace; a thread ``<user form>//<thread>``; a persona
``<user form>::<persona>``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from mnemic.model.errors import InvalidInput
from mnemic.model.origin import Channel, authority_of
from mnemic.model.trust import Authority

MAX_ID_CHARS = 256


class Scope(StrEnum):
    """The axis a trace belongs to."""

    THREAD = "thread"
    USER = "user"
    PERSONA = "persona"
    ORGANIZATION = "organization"


def checked_id(name: str, value: object) -> str:
    """Return `value` as an id, or raise `InvalidInput` naming the argument `name`."""
    if not isinstance(value, str):
        raise InvalidInput(f"{name} must be a string, not {type(value).__name__} {value!r}")
    if not value.strip():
        raise InvalidInput(f"{name} is blank; give the id of a {name}, or leave it out")
    if len(value) > MAX_ID_CHARS:
        raise InvalidInput(
            f"{name} has {len(value)} characters, at most {MAX_ID_CHARS} are allowed: "
            f"{value[:40]!r}..."
        )
    if any(ord(c) < 32 or ord(c) == 127 or 0xD800 <= ord(c) <= 0xDFFF for c in value):
        raise InvalidInput(f"{name} {value!r} holds a control character or a lone surrogate")
    return value


def _part(value: str) -> str:
    return value.replace("%", "%25").replace("/", "%2F").replace(":", "%3A")


@dataclass(frozen=True, slots=True)
class Reach:
    """The `(scope, scope_id)` pairs that a read may see. An empty reach sees nothing."""

    pairs: tuple[tuple[Scope, str], ...]

    @classmethod
    def of(cls, pairs: Iterable[tuple[Scope, str]]) -> Reach:
        """A reach of these pairs, in a fixed order and without repeats."""
        return cls(tuple(sorted(set(pairs))))

    def within(self, scope: Scope | None) -> Reach:
        """The part of this reach on one axis (all of it for None)."""
        if scope is None:
            return self
        return Reach(tuple(pair for pair in self.pairs if pair[0] is scope))

    def __iter__(self) -> Iterator[tuple[Scope, str]]:
        return iter(self.pairs)

    def __contains__(self, pair: object) -> bool:
        return pair in self.pairs

    def __len__(self) -> int:
        return len(self.pairs)


@dataclass(frozen=True, slots=True)
class Principal:
    """A caller: the ids that the runtime vouches for, and the channel it speaks through.

    A thread and a persona belong to the user they are bound with: two users who both call a
    thread "general" do not share it. What a whole team shares is filed under `organization`.

    Args:
        user: the person whose memory this is.
        thread: the conversation under way.
        persona: the character the agent plays for this user.
        organization: the team or company.
        namespace: the tenant that the user, thread and persona belong to.
        channel: how the caller reaches the brain, as the runtime names it; from it follow its
            authority and how far its words are trusted.
        actor: a name for the audit log; None is the channel's.
    """

    user: str | None = None
    thread: str | None = None
    persona: str | None = None
    organization: str | None = None
    namespace: str | None = None
    channel: Channel = Channel.SDK
    actor: str = ""

    def __post_init__(self) -> None:
        for name in ("user", "thread", "persona", "organization", "namespace"):
            if getattr(self, name) is not None:
                checked_id(name, getattr(self, name))
        try:
            channel = Channel(self.channel)
        except ValueError:
            allowed = ", ".join(one.value for one in Channel)
            raise InvalidInput(
                f"channel {self.channel!r} is unknown; use one of: {allowed}"
            ) from None
        object.__setattr__(self, "channel", channel)
        actor = checked_id("actor", self.actor or channel.value)
        if self.actor and actor.casefold().startswith(Channel.REVIEW.value):
            raise InvalidInput(f"actor {actor!r} is how reviewers sign; use another name")
        object.__setattr__(self, "actor", actor)
        if not self.reach():
            raise InvalidInput(
                "a principal needs at least one of user, thread, persona, organization; got none"
            )

    @property
    def authority(self) -> Authority:
        """In whose name the caller acts."""
        return authority_of(self.channel)

    @property
    def owner(self) -> str:
        """The user in written form; empty for a principal without one."""
        return "" if self.user is None else self._written(_part(self.user))

    def _written(self, user: str) -> str:
        return user if self.namespace is None else f"{_part(self.namespace)}/{user}"

    def scope_id(self, scope: Scope) -> str | None:
        """The written scope id on one axis, or None when the principal has no such id."""
        user = self.owner or (self._written("") if self.namespace is not None else "")
        if scope is Scope.USER:
            return self.owner or None
        if scope is Scope.THREAD and self.thread is not None:
            return f"{user}//{_part(self.thread)}"
        if scope is Scope.PERSONA and self.persona is not None:
            return f"{user}::{_part(self.persona)}"
        if scope is Scope.ORGANIZATION and self.organization is not None:
            return self._written(_part(self.organization))
        return None

    def reach(self) -> Reach:
        """All that this principal may read."""
        ids = ((scope, self.scope_id(scope)) for scope in Scope)
        return Reach.of((scope, scope_id) for scope, scope_id in ids if scope_id is not None)

    def default_scope(self) -> Scope:
        """Where a trace goes when nobody says: the user, else the narrowest axis there is."""
        for scope in (Scope.USER, Scope.THREAD, Scope.PERSONA, Scope.ORGANIZATION):
            if self.scope_id(scope) is not None:
                return scope
        raise AssertionError("a principal always has one id")


@dataclass(frozen=True, slots=True)
class Judge:
    """A reviewer at work on some scopes. It files nothing of its own.

    Args:
        name: of the person.
        pairs: the scopes that are judged.
    """

    name: str
    pairs: Reach

    @property
    def authority(self) -> Authority:
        """In whose name it acts."""
        return authority_of(self.channel)

    @property
    def channel(self) -> Channel:
        """How it reaches the brain."""
        return Channel.REVIEW

    @property
    def actor(self) -> str:
        """Its name for the audit log."""
        return f"review:{self.name}"

    @property
    def owner(self) -> str:
        """It is no user."""
        return ""

    def reach(self) -> Reach:
        """What it judges."""
        return self.pairs


Caller = Principal | Judge
"""Whoever changes something."""


def principal_of(scope: Scope, scope_id: str) -> Principal:
    """The caller whose scope on one axis has this written id.

    Raises:
        InvalidInput: no caller has such an id.
    """
    owner: str = scope_id
    within: str | None = None
    if scope is Scope.THREAD:
        owner, _, within = scope_id.rpartition("//")
    elif scope is Scope.PERSONA:
        owner, _, within = scope_id.partition("::")
    namespace, slash, name = owner.rpartition("/")
    person = _unwritten(name) or None
    team = scope is Scope.ORGANIZATION
    principal = Principal(
        user=None if team else person,
        thread=_unwritten(within) if within is not None and scope is Scope.THREAD else None,
        persona=_unwritten(within) if within is not None and scope is Scope.PERSONA else None,
        organization=person if team else None,
        namespace=_unwritten(namespace) if slash else None,
    )
    if principal.scope_id(scope) != scope_id:
        raise InvalidInput(f"{scope_id!r} is no written id of a {scope.value}")
    return principal


def written_id(scope: Scope, plain: str) -> str:
    """The written form of a plain user's or persona's id; others are written as they are.

    The "::" between a user and a persona stays.
    """
    if scope is Scope.PERSONA:
        return "::".join(map(_part, plain.split("::")))
    return _part(plain) if scope is Scope.USER else plain


def _unwritten(value: str) -> str:
    return value.replace("%3A", ":").replace("%2F", "/").replace("%25", "%")


def owner_of(scope: Scope, scope_id: str) -> tuple[str, str]:
    """Whom a scope belongs to: its user, where it has one, else itself."""
    owner = {
        Scope.USER: scope_id,
        Scope.THREAD: scope_id.rpartition("//")[0],
        Scope.PERSONA: scope_id.partition("::")[0],
    }.get(scope)
    return (Scope.USER.value, owner) if owner else (scope.value, scope_id)
