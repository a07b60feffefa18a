"""Signs of an instruction that lie in how a text is written: hidden text, leaking images.

They are looked for in the text as it came, with its escapes read.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator

from mnemic.cognition.screen.roles import plays_a_role
from mnemic.cognition.screen.rules import rules
from mnemic.cognition.screen.views import Views, folded_word, unescaped, views
from mnemic.model.concern import Concern, Finding

_COMMENT = re.compile(r"<!--(.{1,2000}?)-->|^\[//\]:\s?#\s?[\"'(](.{1,2000})[\"')]", re.S | re.M)
_UNSEEN = re.compile(
    r"<[a-z][a-z0-9]{0,15}\s[^<>]{0,300}?(?:\bhidden\b|display\s?:\s?none|visibility\s?:\s?hidden"
    r"|font-size\s?:\s?[01](?:px|pt|em)?\b|opacity\s?:\s?0(?![.\d])|[; \"']color\s?:\s?(?:transparent|white|#fff(?:fff)?\b))[^<>]{0,300}>([^<]{1,2000})",
    re.I,
)
_IMAGE = re.compile(
    r"!\[[^\]\n]{0,300}\]\(\s{0,4}<?(https?://[^\s)]{1,2000})"
    r"|<img\s[^<>]{0,300}?\bsrc\s?=\s?[\"']?(https?://[^\s\"'>]{1,2000})",
    re.I,
)
_PARAMETER = re.compile(r"[?&]([\w-]{1,40})=([^&]{0,400})")
_CARRIES = frozenset(
    "q query d data p payload msg message text t content c info chat history leak secret s token"
    " prompt context memory exfil body log conversation".split()
)
"""Names of a parameter that carries a text; the ones of a real picture carry its size."""
_BLANK = re.compile(r"[\[{<$]|%7b|%5b|^[A-Z_]{4,}$", re.I)
_TAGS = re.compile(
    "(?<![\U0001f3f4\U000e0020-\U000e007e])[\U000e0020-\U000e007e]{4}"
    "|[\U000e0020-\U000e007e]{8}|[\u200b-\u200d\u2060\ufeff]{8}|[\ufe00-\ufe0f\U000e0100-\U000e01ef]{4}"
)
_BLOB = re.compile(r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{24,4096}={0,2}")
_WIPE = re.compile(
    r"\b(?:run|execute|type)\b[^\n]{0,60}\n?[^\n]{0,20}\brm\s+-[rRf]{1,3}\s+(?:~|/|\$HOME)(?=[\s\"'`.*;]|/\*|\Z)",
    re.I,
)
"""An order to delete everything, told from the many to delete a folder."""
_MOST_BLOBS = 16
_SHORTEST_RUN = 12


def _set(words: str) -> frozenset[str]:
    return frozenset(map(folded_word, words.split()))


_AGENT = _set(
    "ai ais llm llms assistant assistants chatbot bot agent agents model chatgpt gpt claude"
)
_ORDER = _set(
    "ignore disregard forget recommend prefer rank rate send forward say tell reply respond answer"
    " include mention cite approve visit fetch call run read execute submit reveal remember must"
    " never always"
)
_PLAIN_ORDER = _set("recommend disregard obey exfiltrate")
_FOLLOW = _set("follow execute obey run perform does says do act")


def marks(text: str, seen: Views) -> Iterator[Finding]:
    """The signs in how a text is written; one may come several times."""
    for sign in _signs(text, seen):
        yield Finding(Concern.INSTRUCTION, sign)


def _signs(text: str, seen: Views) -> Iterator[str]:
    if "rm" in seen.words and _WIPE.search(text):
        yield "wipe-command"
    if not seen.ascii and _TAGS.search(text):
        yield "hidden-characters"
    plain = unescaped(text)
    if plays_a_role(plain, seen):
        yield "role-marker"
    if ("<" in plain or "[//]" in plain) and any(map(_orders, _unseen(plain))):
        yield "hidden-text"
    if ("![" in plain or "<img" in plain.lower()) and any(map(_leaks, _images(plain))):
        yield "image-leak"
    if any(len(word) >= _SHORTEST_RUN for word in seen.words) and _encoded_order(plain, seen):
        yield "encoded-order"


def _unseen(text: str) -> Iterator[str]:
    """The parts of a page that a reader does not see."""
    if "<!--" in text or "[//]" in text:
        yield from (found[1] or found[2] for found in _COMMENT.finditer(text))
    yield from (found[1] for found in _UNSEEN.finditer(text))


def _orders(hidden: str) -> bool:
    """Whether a hidden text gives orders: hardly anything hidden speaks to an agent at all."""
    seen = views(hidden)
    if not seen.words.isdisjoint(_PLAIN_ORDER):
        return True
    if not seen.words.isdisjoint(_AGENT) and not seen.words.isdisjoint(_ORDER):
        return True
    return _instructs(seen)


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


def _encoded_order(text: str, seen: Views) -> bool:
    """Whether a base64 text gives orders, or is to be decoded and followed."""
    told = not seen.words.isdisjoint(_set("decode decoded base64 encoded baseb4"))
    told = told and not seen.words.isdisjoint(_FOLLOW)
    for count, found in enumerate(_BLOB.finditer(text)):
        if count == _MOST_BLOBS:
            break
        said = _decoded(found[0])
        if said and (told or _instructs(views(said))):
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
