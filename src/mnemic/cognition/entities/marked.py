"""Names that marks of their own tell: hosts of addresses, titles in quotes, handles, hashtags.

What is code, an address or a path is taken out of the text, character for character, so that
nothing in it is taken for a name and all else stays where it was.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from mnemic.cognition.entities.lists import Language
from mnemic.cognition.entities.named import Named
from mnemic.model.graph import EntityKind

_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]{1,400}`", re.S)
_ADDRESS = re.compile(r"\b(?:https?://|www\.)([\w-]+(?:\.[\w-]+)+)?[^\s<>\"]*", re.I)
_MAIL = re.compile(r"[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64})+")
_PATH = re.compile(
    r"(?<![\w/\\])(?:[A-Za-z]:|[a-z~.][\w.-]{0,64})?(?:[\\/][\w.-]{1,64}){2,16}[\\/]?"
)
"""A list as "Lisbon/Porto/Braga" begins with a capital and is none."""
_TITLE = re.compile(
    r'(?<![\w"])"([^"\n]{2,60})"(?!\w)|“([^“”\n]{2,60})”|«\s?([^«»\n]{2,60}?)\s?»|„([^„“”\n]{2,60})[“”]'
    r"|(?<![\w'])'([^'\n]{2,60})'(?!\w)"
)
_DENSE_TITLE = re.compile(r"[《『]([^《》『』\n]{1,30})[》』]")
_SENTENCE = re.compile(r"[.?!…;]|, ")
_TITLE_WORDS = 7
_SMALL = 4
"""Letters of a word that a title may have without a capital."""
_MARK = re.compile(r"(?<![\w&/@#])([@#])(\w[\w.-]{1,39})(?![\w/@(])")
_COLOUR = re.compile(r"[0-9a-fA-F]{3}(?:[0-9a-fA-F]{3})?")


def without_shown(text: str) -> tuple[str, list[Named]]:
    """The text with code, addresses and paths blanked, and the hosts of the addresses."""
    hosts: list[Named] = []
    if "`" in text:
        text = _CODE.sub(_blank, text)
    if "://" in text or "www." in text:
        for found in _ADDRESS.finditer(text):
            whole = (found[1] or "").lower()
            host = whole.removeprefix("www.")
            if host and not host.replace(".", "").isdigit():
                start = found.start(1) + len(whole) - len(host)
                hosts.append(Named(host, EntityKind.THING, start))
        text = _ADDRESS.sub(_blank, text)
    if "@" in text:
        text = _MAIL.sub(_blank, text)
    if "/" in text or "\\" in text:
        text = _PATH.sub(_blank, text)
    return text, hosts


def _blank(found: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", found[0])


def titles(text: str, language: Language) -> Iterator[tuple[Named, int]]:
    """Titles in quotes, each with the place after it."""
    for found in _DENSE_TITLE.finditer(text):
        yield Named(found[1], EntityKind.WORK, found.start(1)), found.end(1)
    for found in _TITLE.finditer(text):
        group = found.lastindex
        if group is not None and _is_title(found[group], _before(text, found.start()), language):
            yield Named(found[group], EntityKind.WORK, found.start(group)), found.end(group)


def _is_title(quoted: str, before: str, language: Language) -> bool:
    """Whether a quote is the name of something, and not what somebody said."""
    words = quoted.split()
    if not 0 < len(words) <= _TITLE_WORDS or _SENTENCE.search(quoted):
        return False
    if not words[0][0].isupper() and not words[0][0].isdigit():
        return False
    if before in language.works:
        return True
    written = [word[0].isupper() or word[0].isdigit() for word in words]
    small = [len(word) <= _SMALL for word in words]
    return len(words) > 1 and written[-1] and all(map(max, written, small))


def _before(text: str, at: int) -> str:
    words = text[max(0, at - 20) : at].split()
    return words[-1].lower().strip(",:(") if words else ""


def handles(text: str) -> Iterator[Named]:
    """Handles and hashtags, with their mark."""
    for found in _MARK.finditer(text):
        name = found[2].rstrip(".-")
        if not any(map(str.isalpha, name)):
            continue
        if found[1] == "@":
            yield Named(f"@{name}", EntityKind.PERSON, found.start())
        elif not _COLOUR.fullmatch(name):
            yield Named(f"#{name}", EntityKind.TOPIC, found.start())
