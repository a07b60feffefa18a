"""Signs of an instruction that lie in how a text is written: hidden text, leaking images.

They are looked for in the text with its escapes read and its invisible marks left in.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from itertools import islice

from mnemic.cognition.screen.roles import plays_a_role
from mnemic.cognition.screen.rules import rules
from mnemic.cognition.screen.views import Views, folded_word, views
from mnemic.model.concern import Concern, Finding

_COMMENTS = (("<!--", "-->"), ("[//]: # (", "\n"), ('[//]: # "', "\n"), ("[//]: # '", "\n"))
"""How what a page does not show begins and ends, in HTML and in Markdown."""

_LONGEST_COMMENT = 2_000

_UNSEEN = re.compile(
    r"<[a-z][a-z0-9]{0,15}\s[^<>]{0,300}?"
    r"(?:\bhidden\b|display\s?:\s?none|visibility\s?:\s?hidden|font-size\s?:\s?[01](?:px|pt|em)?\b"
    r"|opacity\s?:\s?0(?![.\d])|[; \"']color\s?:\s?(?:transparent|white|#fff(?:fff)?\b))"
    r"[^<>]{0,300}>([^<]{1,2000})",
    re.IGNORECASE,
)
"""An element of a page that is there and not seen, with its text."""

_IMAGE = re.compile(
    r"!\[[^\]\n]{0,120}\]\(\s{0,4}<?(https?://[^\s)]{1,2000})"
    r"|<img\s[^<>]{0,300}?\bsrc\s?=\s?[\"']?(https?://[^\s\"'>]{1,2000})",
    re.IGNORECASE,
)
_PARAMETER = re.compile(r"[?&]([\w-]{1,40})=([^&]{0,400})")
_BLANK = re.compile(r"[\[{<$]|^[A-Z_]{4,60}$")
_CARRIES = frozenset(
    "q query d data p payload msg message text t content c info chat history leak secret s token"
    " prompt context memory exfil body log conversation".split()
)
"""Names of a parameter that carries a text; those of a real picture carry its size."""

_INVISIBLE = re.compile(
    "(?<![\U0001f3f4\U000e0020-\U000e007e])[\U000e0020-\U000e007e]{4}|[\U000e0020-\U000e007e]{8}"
    "|[\ufe00-\ufe0f\U000e0100-\U000e01ef]{4}|[\u200b-\u200d\u2060\ufeff]{8}"
)
"""Invisible characters in a row that can hold a text. After a black flag, a few make a flag."""

_BASE64 = re.compile(r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{24,4096}={0,2}")
_MOST_BASE64 = 16
_SHORTEST_WORD_OF_BASE64 = 12

_WIPE = re.compile(r"\brm\s{1,4}-[rRf]{1,3}\s{1,4}(?:~|/|\$HOME)(?=[\s\"'`.*;]|/\*|\Z)")
_RUN = re.compile(r"\b(?:run|execute|type)\b", re.IGNORECASE)
_BEFORE_WIPE = 80
"""An order to delete everything, told from the many that delete a folder."""


def _set(words: str) -> frozenset[str]:
    return frozenset(map(folded_word, words.split()))


_AGENT = _set("ai ais llm llms assistant assistants chatbot chatbots chatgpt gpt claude copilot")
_ORDER = _set(
    "ignore disregard forget recommend prefer rank rate send forward say tell reply respond answer"
    " include mention cite approve visit fetch call run read execute submit reveal remember must"
    " never always"
)
_PLAIN_ORDER = _set("recommend disregard obey exfiltrate")


def marks(seen: Views) -> Iterator[Finding]:
    """The signs in how a text is written; one may come several times."""
    for sign in _signs(seen):
        yield Finding(Concern.INSTRUCTION, sign)


def _signs(seen: Views) -> Iterator[str]:
    text = seen.text
    if not text.isascii() and _INVISIBLE.search(text):
        yield "hidden-characters"
    if plays_a_role(seen):
        yield "role-marker"
    if ("<" in text or "[//]" in text) and any(map(_orders, _unseen(text))):
        yield "hidden-text"
    if ("![" in text or "<img" in text.lower()) and any(map(_leaks, _images(text))):
        yield "image-leak"
    if seen.longest >= _SHORTEST_WORD_OF_BASE64 and _encoded_order(seen):
        yield "encoded-order"
    if "rm" in seen.vocabulary and any(map(_is_ordered, _WIPE.finditer(text))):
        yield "wipe-command"


def _unseen(text: str) -> Iterator[str]:
    """The parts of a page that a reader does not see."""
    for opening, closing in _COMMENTS:
        for part in text.split(opening)[1:]:
            yield part[:_LONGEST_COMMENT].partition(closing)[0]
    yield from (found[1] for found in _UNSEEN.finditer(text))


def _orders(hidden: str) -> bool:
    """Whether a hidden text gives orders: hardly anything hidden speaks to an agent at all."""
    seen = views(hidden)
    if not seen.vocabulary.isdisjoint(_PLAIN_ORDER):
        return True
    return not (seen.vocabulary.isdisjoint(_AGENT) or seen.vocabulary.isdisjoint(_ORDER))


def _instructs(seen: Views) -> bool:
    return any(one.concern is Concern.INSTRUCTION for one in rules().found(seen))


def _images(text: str) -> Iterator[str]:
    yield from (found[1] or found[2] for found in _IMAGE.finditer(text))


def _leaks(address: str) -> bool:
    """Whether the address of an image carries a text, or a blank to put one in."""
    for name, value in _PARAMETER.findall(address):
        if _BLANK.search(value):
            return True
        if name.lower() in _CARRIES and not value.replace(".", "").isdigit():
            return True
    return False


def _is_ordered(command: re.Match[str]) -> bool:
    """Whether somebody is told to run a command, in the words before it."""
    start = command.start()
    return _RUN.search(command.string, max(0, start - _BEFORE_WIPE), start) is not None


def _encoded_order(seen: Views) -> bool:
    """Whether a base64 text gives orders."""
    for found in islice(_BASE64.finditer(seen.text), _MOST_BASE64):
        said = _decoded(found[0])
        if said and _instructs(views(said)):
            return True
    return False


def _decoded(blob: str) -> str:
    """What a base64 text says; nothing when it is no plain text of a few words."""
    bare = blob.rstrip("=").replace("-", "+").replace("_", "/")
    try:
        said = base64.b64decode(bare + "=" * (-len(bare) % 4)).decode("ascii")
    except (binascii.Error, UnicodeDecodeError):
        return ""
    return said if said.isprintable() and said.count(" ") >= 2 else ""
