"""How a trace stands in a note: front matter, its text, and for Obsidian tags and links below.

    ---
    id: "mt_..."
    type: "semantic"
    ...
    ---

    The text.

    #tag #other-tag

    **Related:**
    - [[Somebody]]

The hash of the text as it was exported tells later whether the note was edited.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from mnemic.model.trust import READABLE, Trust
from mnemic.store.types import AnyRow

MAX_HEAD_CHARS = 1 << 16

_FENCE = "---"
_TAGS = re.compile(r"(?:^|\n)(#[^\s#]+(?:[ \t]+#[^\s#]+)*)\s*\Z")
_RELATED = re.compile(
    r"(?:^|\n)\*\*Related:\*\*[ \t]*\n((?:- \[\[[^\[\]\n]{1,300}\]\][ \t]*(?:\n|\Z))+)\s*\Z"
)
# Bounded, and without an opening bracket in it: else a page of those would take minutes.
_LINK = re.compile(
    r"(?<!!)\[\[([^\[\]|#\n]{1,300})(?:#[^\[\]|\n]{0,300})?(?:\|[^\[\]\n]{0,300})?\]\]"
)
_EMBED = re.compile(r"!\[\[[^\[\]\n]{0,300}\]\]")
_TAG = re.compile(r"(?:(?<=\s)|^)#([^\s#.,;:!?()\[\]{}\"'`]*[^\W\d_][^\s#.,;:!?()\[\]{}\"'`]*)")
_UNPLAIN = re.compile('["\\\\\x00-\x1f\x7f-\xa0\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]')
_CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Note:
    """A note taken apart.

    Args:
        head: its front matter.
        body: what stands below, line ends as LF.
    """

    head: Mapping[str, Any]
    body: str


def written(row: AnyRow, *, obsidian: bool) -> str:
    """The note of a trace, of a row with `TRACE_COLUMNS`."""
    tags, entities = json.loads(row.tags), json.loads(row.entities)
    head: dict[str, Any] = {
        "id": row.id,
        "type": row.type,
        "scope": row.scope,
        "scopeId": row.scope_id,
        "scopeIdForm": "encoded",
        "strength": row.strength,
        "tags": tags,
        "createdAt": row.time,
        "thread": row.thread,
        "speaker": row.speaker,
        "role": row.role,
        "source": row.source,
        "validFrom": row.valid_from,
        "validTo": row.valid_to,
        "trust": None if Trust(row.trust) in READABLE else row.trust,
        "contentHash": hash_of(row.content),
    }
    lines = [_FENCE, *_front(head), _FENCE, "", row.content]
    if obsidian and (forms := [form for tag in tags if (form := tag_form(tag))]):
        lines += ["", " ".join(f"#{form}" for form in forms)]
    if obsidian and (labels := [label for one in entities if (label := link_form(one))]):
        lines += ["", "**Related:**", *(f"- [[{label}]]" for label in labels)]
    return "\n".join(lines) + "\n"


def _front(head: Mapping[str, Any]) -> Iterable[str]:
    """Lines of YAML: every text is quoted, so that none is read as anything else."""
    for name, value in head.items():
        if value is None or value == []:
            continue
        if isinstance(value, list):
            yield f"{name}:"
            yield from (f"  - {_quoted(one)}" for one in value)
        else:
            yield f"{name}: {_quoted(value) if isinstance(value, str) else json.dumps(value)}"


def _quoted(text: str) -> str:
    """A text in the double quotes of YAML, with escapes for what YAML takes for no text."""
    return '"' + _UNPLAIN.sub(lambda found: f"\\U{ord(found[0]):08x}", text) + '"'


def hash_of(text: str) -> str:
    """SHA-256 of a text without the white space around it, line ends as LF."""
    plain = text.replace("\r\n", "\n").replace("\r", "\n").strip()
    return hashlib.sha256(plain.encode("utf-8", "surrogatepass")).hexdigest()


def tag_form(tag: str) -> str:
    """A tag as a tag line writes it: white space as "-", and without "#"; may be empty."""
    return "-".join(tag.replace("#", " ").split())


def link_form(label: str) -> str:
    """A label as a link can hold it: on one line, without brackets and bars."""
    return " ".join(re.sub(r"[\[\]|#]", " ", label).split())


def taken_apart(text: str) -> Note:
    """The front matter and the body of a note.

    Front matter is data: what is no mapping of YAML, or is marked as another language, gives no
    fields, and nothing in it runs.
    """
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    if not text.startswith(_FENCE):
        return Note({}, text)
    first, _, rest = text.partition("\n")
    found = re.search(r"^(?:---|\.\.\.)[ \t]*$", rest, re.MULTILINE)
    if found is None or found.start() > MAX_HEAD_CHARS:
        return Note({}, text)
    head = _yaml(rest[: found.start()]) if first.strip() == _FENCE else {}
    return Note(head, rest[found.end() :].lstrip("\n"))


def _yaml(text: str) -> Mapping[str, Any]:
    import yaml  # type: ignore[import-untyped]  # loaded when there is a note to read

    if re.search(r"(?:^|[\s\[{,:-])[&*]\w", text):
        return {}  # anchors: a few lines of them can stand for a gigabyte
    try:
        found = yaml.safe_load(text)
    except (yaml.YAMLError, RecursionError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


@dataclass(frozen=True, slots=True)
class Cut:
    """A body, and what was taken from its end.

    Args:
        text: what is left.
        tags: of the tag line that was taken off.
        links: of the list of links that was taken off.
    """

    text: str
    tags: tuple[str, ...] = ()
    links: tuple[str, ...] = ()


def below(body: str) -> list[Cut]:
    """A body whole, and with a list of links, a tag line, or both taken from its end.

    Any of them may be what was exported: a text may itself end in a line of hashtags.
    """
    cuts = [Cut(body)]
    if found := _RELATED.search(body):
        links = tuple(one.strip() for one in _LINK.findall(found[1]))
        cuts.append(Cut(body[: found.start()], (), links))
    last = cuts[-1]
    if found := _TAGS.search(last.text.rstrip()):
        tags = tuple(one.lstrip("#") for one in found[1].split())
        cuts.append(Cut(last.text.rstrip()[: found.start()], tags, last.links))
    return cuts


def tags_in(body: str) -> list[str]:
    """Tags in the text, code left out, each once."""
    return list(dict.fromkeys(_TAG.findall(_CODE.sub(" ", body))))


def links_in(body: str) -> list[str]:
    """What the text links to, without aliases and headings, each once."""
    found = (one.strip() for one in _LINK.findall(_CODE.sub(" ", body)))
    return [one for one in dict.fromkeys(found) if one]


def without_embeds(body: str) -> str:
    """The text without embedded pictures and files."""
    return _EMBED.sub("", body)
