"""Finds what is secret by its name: "the password is ...", `api_key = ...`, "my PIN: ...".

What follows the name must look like a secret too. Stand-ins of examples ("your_api_key",
"********") are none, and in code, where examples are common, a password must not look like one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from math import log2

from mnemic.cognition.screen.rules import rules
from mnemic.cognition.screen.views import Views, folded_word

_BEARER = re.compile(r"\bBearer\s{1,4}([\w.~+/=-]{20,512})")

_STAND_IN = re.compile(
    r"x{4}|\*{3}|\.{3}|_{4}|\byour|[_-]your|^my[_-]|example|placeholder|change_?me|dummy|sample"
    r"|redacted|insert|replace|todo|env\b|environ|getenv|config|[_-]here$|^(?:null|none|true|false)",
    re.IGNORECASE,
)
"""What an example has in the place of a secret."""

_CODE = re.compile(
    r"^(?:pbkdf2|scrypt|sha\d|\$2[aby]\$|\$argon2)|^[$%<{(\[@&]"
    r"|^[A-Za-z_][\w.]{0,60}[(\[{]|^[a-z_]{1,40}\.[a-z_]"
)
"""What is no value but the hash of one, a variable, or a call."""

_WEAK = re.compile(
    r"pass|pw|secret|admin|user|test|demo|foo|bar|qwerty|abc|1234|hash|token|key|login|root",
    re.IGNORECASE,
)
"""What the passwords of examples are made of."""

_LEAST_BITS = 3.0
"""Bits a character of a key; 16 random hex digits have 3.5 on average, a slug of words less."""

_AROUND = "\"'`“”‘’«»()[],;:!?.。、"


@dataclass(frozen=True, slots=True)
class _Names:
    """How secrets are named, in all languages.

    Args:
        by_word: the names as sets of words, as `views` gives them, under one of their words.
        other: finds a name in another script.
        password: finds "password ... is VALUE".
        key: finds "api key ... is VALUE".
        pin: finds "pin ... is DIGITS".
    """

    by_word: Mapping[str, tuple[frozenset[str], ...]]
    other: re.Pattern[str]
    password: re.Pattern[str]
    key: re.Pattern[str]
    pin: re.Pattern[str]

    def is_in(self, seen: Views) -> bool:
        """Whether a text may name a secret."""
        if any(
            name <= seen.vocabulary
            for word in self.by_word.keys() & seen.vocabulary
            for name in self.by_word[word]
        ):
            return True
        return not seen.folded.isascii() and self.other.search(seen.text) is not None


def named(text: str, seen: Views) -> Iterator[str]:
    """The signs of secrets that a text names."""
    names = _names()
    if not names.is_in(seen):
        return
    if any(_is_password(found[1], found[2], found[3]) for found in names.password.finditer(text)):
        yield "password"
    values = [found[3] for found in names.key.finditer(text)] + _BEARER.findall(text)
    if any(map(_is_key, values)):
        yield "key"
    if names.pin.search(text):
        yield "pin"


def stands_in(value: str) -> bool:
    """Whether a value stands for a secret: a blank of an example, or code that gets one."""
    return bool(_STAND_IN.search(value) or _CODE.search(value))


def _is_password(joined: str, quote: str, value: str) -> bool:
    """Whether what follows "password" is one.

    In code, after `=` or in quotes after a colon, most of them are made up for an example.
    """
    bare = value.strip(_AROUND)
    if len(bare) < 4 or stands_in(bare) or stands_in(value):
        return False
    if ("=" in joined or (quote and ":" in joined)) and (_WEAK.search(bare) or len(bare) < 8):
        return False
    if bare.isdigit():
        return len(bare) >= 6
    return any(map(str.isdigit, bare)) and any(map(str.isalpha, bare))


def _is_key(value: str) -> bool:
    """Whether what follows "api key" is one: long, mixed and without a pattern."""
    bare = value.strip(_AROUND)
    if len(bare) < 16 or stands_in(bare) or stands_in(value):
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
    by_word: dict[str, tuple[frozenset[str], ...]] = {}
    for name in (*password, *key, *pin):
        words = frozenset(map(folded_word, name.split()))
        longest = max(words, key=len)
        by_word[longest] = (*by_word.get(longest, ()), words)
    other = [name for name in (*password, *key, *pin) if not _folded_is_ascii(name)]
    return _Names(
        by_word,
        re.compile("|".join(map(re.escape, other)), re.IGNORECASE),
        _naming(password, lists, r"(\S{4,128})"),
        _naming(key, lists, r"([\w.~+/=-]{16,512})"),
        _naming(pin, lists, r"(\d{4,8})(?![\w-])"),
    )


def _folded_is_ascii(name: str) -> bool:
    return all(folded_word(word).isascii() for word in name.split())


def _naming(
    names: Iterable[str], lists: Mapping[str, tuple[str, ...]], value: str
) -> re.Pattern[str]:
    """Finds a name, what it is for, a word or a mark that joins, perhaps a quote, and the value."""
    named = "|".join(_loosely(name) for name in sorted(names, key=len, reverse=True))
    joins = "|".join(map(_joining, lists.get("is", ())))
    of = "|".join(map(re.escape, lists.get("of", ())))
    purpose = rf"(?:\s(?:{of})(?:\s[\w'’&.-]{{1,30}}){{1,7}}?)?"
    joined = rf"[\"'`]?(\s{{0,4}}(?:[:=]=?>?|：)\s{{0,4}}|\s{{0,2}}(?:{joins})[:：]?\s{{0,2}})"
    return re.compile(rf"(?<![A-Za-z])(?:{named}){purpose}{joined}([\"'`“]?){value}", re.IGNORECASE)


def _joining(word: str) -> str:
    """A word that joins; one in Latin letters stands alone."""
    return rf"(?<![A-Za-z]){_loosely(word)}(?![A-Za-z])" if word.isascii() else re.escape(word)


def _loosely(name: str) -> str:
    """A name with whatever stands between its words in code."""
    return re.escape(name).replace(r"\ ", r"[ _-]?")
