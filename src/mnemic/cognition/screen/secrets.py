"""Finds secrets: keys and tokens by their shape, numbers by their check digits, the rest by name.

A password has no shape, so it is found by the word before it ("the password is ..."), and what
follows must look like one. Stand-ins of examples ("your_api_key", "********") are no secrets;
ordinary long numbers, hashes and ids are let through. Everything is read from the text as it
came, invisible marks left out: the case of a letter matters here.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from math import log2

from mnemic.cognition.screen.numbers import numbers
from mnemic.cognition.screen.rules import rules
from mnemic.cognition.screen.views import Views, folded_word
from mnemic.model.concern import Concern, Finding
from mnemic.model.text import without_invisible

_SHORTEST_TOKEN = 18
_SHAPES = {
    "aws-key": r"(?:AKIA|ASIA)[A-Z2-7]{16}(?![A-Za-z0-9])",
    "github-token": r"gh[pousr]_[A-Za-z0-9]{30,255}|github_pat_[A-Za-z0-9_]{22,255}",
    "gitlab-token": r"glpat-[\w-]{20,64}",
    "anthropic-key": r"sk-ant-[\w-]{16,200}",
    "openai-key": r"sk-(?!ant-)(?=[\w-]{0,60}\d)(?=[\w-]{0,60}[A-Z])[\w-]{20,200}",
    "slack-token": r"xox[abeoprs]-[A-Za-z0-9-]{10,200}",
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
    r"(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{1,24}://[^\s:/@\"'<>]{0,100}:([^\s/@\"'<>]{1,200})@", re.I
)
_SEED = re.compile(
    r"\b(?:seed|recovery|mnemonic|backup)[ -](?:phrase|words?|seed)\b"
    r"(?:\s(?:for|of|to)(?:\s[\w'-]{1,20}){1,4})?\s{0,3}(?:is|are|:|=|was)+[\s:\"'`]{0,4}"
    r"((?:(?:\d{1,2}[.)]\s?)?[a-z]{3,8}[\s,]{1,3}){11,23}(?:\d{1,2}[.)]\s?)?[a-z]{3,8})\b",
    re.I,
)
_PROSE = frozenset("the and for with are was not but you your should who she him her his its".split())
"""Words of every sentence, and of no seed phrase."""

_STAND_IN = re.compile(
    r"x{4}|\*{3}|\.{3}|_{4}|\byour|[_-]your|^my[_-]|example|placeholder|change_?me|dummy|sample"
    r"|redacted|insert|replace|todo|env\b|environ|getenv|config|[_-]here$|^(?:null|none|true|false)",
    re.I,
)
_CODE = re.compile(r"^[$%<{(\[@&]|^[A-Za-z_][\w.]{0,60}[(\[{]|^[a-z_]{1,40}\.[a-z_]")
_WEAK = re.compile(
    r"pass|pw|secret|admin|user|test|demo|foo|bar|qwerty|abc|1234|hash|token|key|login|root", re.I
)
_KNOWN_DEFAULTS = frozenset("postgres root admin guest test mysql password pass pwd secret user".split())
_LEAST_BITS = 3.0
_MARKS = "\"'`“”‘’«»()[],;:!?.。、"


@dataclass(frozen=True, slots=True)
class _Names:
    """How secrets are named, in all languages.

    Args:
        words: the words of the names, as `views` gives them; without any, nothing is named.
        other: finds a name in another script.
        password: finds "password ... is VALUE".
        key: finds "api key ... is VALUE".
        pin: finds "pin ... is DIGITS".
    """

    words: frozenset[str]
    other: re.Pattern[str]
    password: re.Pattern[str]
    key: re.Pattern[str]
    pin: re.Pattern[str]


def secrets(text: str, seen: Views) -> Iterator[Finding]:
    """The secrets in a text; one finding may come several times."""
    for sign in _signs(text if seen.ascii else without_invisible(text), seen):
        yield Finding(Concern.SECRET, sign)


def _signs(text: str, seen: Views) -> Iterator[str]:
    for token in text.split():
        if len(token) >= _SHORTEST_TOKEN:
            yield from _shapes(token)
    if "PRIVATE KEY" in text and _PRIVATE_KEY.search(text):
        yield "private-key"
    yield from numbers(text)
    names = _names()
    if not names.words.isdisjoint(seen.words) or (not seen.ascii and names.other.search(text)):
        yield from _named(text, names)


def _shapes(token: str) -> Iterator[str]:
    for found in _SHAPE.finditer(token):
        if found.lastgroup and not found[0].endswith("EXAMPLE"):
            yield found.lastgroup.replace("_", "-")
    if "://" in token and any(map(_is_login, _CONNECTION.findall(token))):
        yield "connection-password"


def _is_login(password: str) -> bool:
    """Whether the password of an address is one, and not a stand-in for it."""
    plain = password.lower()
    return plain not in _KNOWN_DEFAULTS and not (_STAND_IN.search(plain) or _CODE.search(plain))


def _named(text: str, names: _Names) -> Iterator[str]:
    if any(_is_password(found[1], found[2], found[3]) for found in names.password.finditer(text)):
        yield "password"
    if any(_is_key(found[3]) for found in names.key.finditer(text)):
        yield "key"
    if names.pin.search(text):
        yield "pin"
    if any(_PROSE.isdisjoint(found[1].lower().split()) for found in _SEED.finditer(text)):
        yield "seed-phrase"


def _is_password(joined: str, quote: str, value: str) -> bool:
    """Whether what follows "password" is one.

    In code, after `=` or in quotes, passwords of examples are common, and they look like one.
    """
    bare = value.strip(_MARKS)
    if len(bare) < 4 or _STAND_IN.search(bare) or _CODE.search(value):
        return False
    in_code = quote or joined.strip() in ("=", "=>", ":=", "==")
    if in_code and (_WEAK.search(bare) or len(bare) < 8):
        return False
    if bare.isdigit():
        return len(bare) >= 6
    return any(map(str.isdigit, bare)) and any(map(str.isalpha, bare))


def _is_key(value: str) -> bool:
    """Whether what follows "api key" is one: long, mixed and without a pattern."""
    bare = value.strip(_MARKS)
    if len(bare) < 16 or _STAND_IN.search(bare) or _CODE.search(value):
        return False
    if not any(map(str.isdigit, bare)) or not any(map(str.isalpha, bare)):
        return False
    return _bits(bare) >= _LEAST_BITS


def _bits(value: str) -> float:
    """Shannon entropy of the characters, in bits a character."""
    shares = [count / len(value) for count in Counter(value).values()]
    return -sum(share * log2(share) for share in shares)


@cache
def _names() -> _Names:
    lists = rules().lists
    password, key, pin = (lists.get(name, ()) for name in ("password", "key", "pin"))
    latin = [word for name in (*password, *key, *pin) for word in name.split()]
    other = [name for name in (*password, *key, *pin) if not name.isascii()]
    return _Names(
        frozenset(map(folded_word, latin)),
        re.compile("|".join(map(re.escape, other)) or r"\A\b\B", re.I),
        _naming(password, lists, r"(\S{4,128})"),
        _naming(key, lists, r"([\w.~+/=-]{16,512})"),
        _naming(pin, lists, r"(\d{4,8})(?![\w-])"),
    )


def _naming(
    names: Iterable[str], lists: Mapping[str, tuple[str, ...]], value: str
) -> re.Pattern[str]:
    """Finds a name, what it is for, a word or a mark that joins, perhaps a quote, and the value."""
    named = "|".join(_loosely(name) for name in sorted(names, key=len, reverse=True))
    joins = "|".join(map(_loosely, lists.get("is", ())))
    of = "|".join(map(re.escape, lists.get("of", ())))
    purpose = rf"(?:\s(?:{of})(?:\s[\w'’&.-]{{1,30}}){{1,5}}?)?"
    joined = rf"[\"'`]?(\s{{0,4}}(?:[:=]=?>?|：)\s{{0,4}}|\s{{0,2}}(?<![A-Za-z])(?:{joins})(?![A-Za-z])[:：]?\s{{0,2}})"
    return re.compile(rf"(?<![A-Za-z])(?:{named}){purpose}{joined}([\"'`“]?){value}", re.I)


def _loosely(name: str) -> str:
    """A name with whatever stands between its words in code."""
    return re.escape(name).replace(r"\ ", r"[ _-]?")
