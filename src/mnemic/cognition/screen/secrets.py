"""Finds secrets: keys and tokens by their shape, numbers by their check digits, the rest by name.

Ordinary long numbers, hashes and ids are let through. Everything is read from the text as it came,
invisible marks left out: the case of a letter matters here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from mnemic.cognition.screen.named import named, stands_in
from mnemic.cognition.screen.numbers import numbers
from mnemic.cognition.screen.views import Views
from mnemic.model.concern import Concern, Finding
from mnemic.model.text import without_invisible

_SHORTEST_TOKEN = 18
_SHAPES = {
    "aws-key": r"(?:AKIA|ASIA)[A-Z2-7]{16}(?![A-Za-z0-9])",
    "github-token": r"gh[pousr]_[A-Za-z0-9]{30,255}|github_pat_[A-Za-z0-9_]{22,255}",
    "gitlab-token": r"glpat-[\w-]{20,64}",
    "anthropic-key": r"sk-ant-[\w-]{16,200}",
    "openai-key": r"sk-(?!ant-)(?=[\w-]{0,60}\d)(?=[\w-]{0,60}[A-Z])[\w-]{20,200}",
    "slack-token": r"xox[abeoprs]-(?=[A-Za-z-]{0,60}\d)[A-Za-z0-9-]{10,200}",
    "google-key": r"AIza[\w-]{35}(?![\w-])",
    "stripe-key": r"[rs]k_(?:live|test)_[A-Za-z0-9]{16,200}",
    "sendgrid-key": r"SG\.[\w-]{16,64}\.[\w-]{16,64}",
    "package-token": r"npm_[A-Za-z0-9]{36}|pypi-AgE[\w-]{32,200}|hf_[A-Za-z0-9]{30,64}",
    "telegram-token": r"\d{8,10}:AA[\w-]{32,34}(?![\w-])",
    "jwt": r"eyJ[\w-]{8,4096}\.eyJ[\w-]{8,4096}\.[\w-]{8,1024}",
}
"""How the tokens of well-known services begin, and how long they are."""

_SHAPE = re.compile(
    "(?<![A-Za-z0-9-])(?:"
    + "|".join(f"(?P<{sign.replace('-', '_')}>{shape})" for sign, shape in _SHAPES.items())
    + ")"
)
_PRIVATE_KEY = re.compile(r"-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----")
_CONNECTION = re.compile(
    r"(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{1,24}://[^\s:/@\"'<>]{0,100}:([^\s/@\"'<>]{1,200})@",
    re.IGNORECASE,
)
_SEED = re.compile(
    r"\b(?:seed|recovery|mnemonic|backup)[ -](?:phrase|words?|seed)\b"
    r"(?:\s(?:for|of|to)(?:\s[\w'-]{1,20}){1,4})?\s{0,3}(?:is|are|:|=|was){1,2}[\s:\"'`]{0,4}"
    r"((?:(?:\d{1,2}[.)]\s?)?[a-z]{3,8}[\s,]{1,3}){11,23}(?:\d{1,2}[.)]\s?)?[a-z]{3,8})\b",
    re.IGNORECASE,
)
_PROSE = frozenset(
    "the and for with are was not but you your should who she him her his its".split()
)
"""Words of every sentence, and of no seed phrase."""

_SEED_WORDS = frozenset(("phrase", "seed", "words", "word"))
_KNOWN_DEFAULTS = frozenset(
    "postgres root admin guest test testing mysql password passphrase pass pwd secret user tiger"
    " p".split()
)
"""Passwords that documentation gives to everybody."""


def secrets(text: str, seen: Views) -> Iterator[Finding]:
    """The secrets in a text; one finding may come several times."""
    for sign in _signs(text if text.isascii() else without_invisible(text), seen):
        yield Finding(Concern.SECRET, sign)


def _signs(text: str, seen: Views) -> Iterator[str]:
    for token in [token for token in text.split() if len(token) >= _SHORTEST_TOKEN]:
        yield from _shapes(token)
    if "PRIVATE KEY" in text and _PRIVATE_KEY.search(text):
        yield "private-key"
    yield from numbers(text)
    yield from named(text, seen)
    if not _SEED_WORDS.isdisjoint(seen.vocabulary) and any(map(_is_seed, _SEED.findall(text))):
        yield "seed-phrase"


def _shapes(token: str) -> Iterator[str]:
    for found in _SHAPE.finditer(token):
        if found.lastgroup and not stands_in(found[0]):
            yield found.lastgroup.replace("_", "-")
    if "://" in token and any(map(_is_login, _CONNECTION.findall(token))):
        yield "connection-password"


def _is_login(password: str) -> bool:
    """Whether the password of an address is one, and not a stand-in for it."""
    plain = password.lower()
    return plain not in _KNOWN_DEFAULTS and not stands_in(plain)


def _is_seed(words: str) -> bool:
    """Whether words after "seed phrase" are one, and not a sentence about it."""
    return _PROSE.isdisjoint(words.lower().split())
