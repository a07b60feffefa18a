"""Names in a text, found by rules.

Precise rather than greedy: a name missed is found another time, a wrong one joins what has
nothing to do with each other. The first word of a sentence counts only where it cannot be a plain
word. In German, where every noun has a capital, only known names and clear patterns count; in
scripts without capitals, only handles and titles in quotes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from mnemic.cognition.entities.kinds import Line, kind_of, opens_with_plain_word
from mnemic.cognition.entities.lists import Language, languages, told, unknown
from mnemic.cognition.entities.marked import handles, titles, without_shown
from mnemic.cognition.entities.named import Named, entity_key
from mnemic.cognition.entities.runs import Part, capital_runs, only_part, parts_of
from mnemic.model.graph import EntityKind

MOST_CHARS = 20_000
"""Characters of a text that are read."""
MOST_NAMES = 64
"""Names of a text that are given, the first ones."""

_TOLD_BY = 600
"""Characters of a text that tell its language."""
_HEADING_WORDS = 4
_OPENING = frozenset(".!?:…-–—•*>#|。！？")
_BETWEEN = " \t\"'“”„«»‘’([_*¿¡"
_SHORTENED = frozenset(
    {"e.g", "i.e", "vs", "approx", "no", "etc", "ca", "bzw", "z.b", "p.ex", "u.a"}
)
_CODE = ("@", "_", "=", "(")
_QUOTES = '"“«„《『'


def find_entities(text: str) -> tuple[Named, ...]:
    """The names in a text, each once, in the order in which they stand.

    Only the first 20,000 characters are read, and at most 64 names are given.

    Args:
        text: in any language; most is found in English, German, Spanish, French, Italian,
            Portuguese and Dutch.
    """
    shown, found = without_shown(text[:MOST_CHARS])
    if "@" in shown or "#" in shown:
        found += handles(shown)
    name = told(shown[:_TOLD_BY])
    language = languages()[name] if name else unknown()
    if " '" in shown or any(quote in shown for quote in _QUOTES):
        for title, end in titles(shown, language):
            found.append(title)
            shown = f"{shown[: title.start]}{' ' * (end - title.start)}{shown[end:]}"
    start = 0
    for line in shown.split("\n"):
        found += _in_line(line, start, language, is_german=name == "de")
        start += len(line) + 1
    return _once(found)


def _once(found: list[Named]) -> tuple[Named, ...]:
    found.sort(key=lambda one: one.start)
    once: dict[str, Named] = {}
    for one in found:
        key = entity_key(one.label)
        seen = once.get(key)
        if seen is None:
            once[key] = one
        elif seen.kind is EntityKind.THING:  # told elsewhere in the text
            once[key] = replace(seen, kind=one.kind)
    once.pop("", None)
    return tuple(once.values())[:MOST_NAMES]


def _in_line(text: str, start: int, language: Language, *, is_german: bool) -> Iterator[Named]:
    runs = [(found.start(), found[0]) for found in capital_runs().finditer(text)]
    if not runs:
        return
    line = Line(text, language, is_german, _is_loud(text, runs, language))
    for at, run in runs:
        for part in _parts(text, at, run, language):
            if part.opens and opens_with_plain_word(part):
                part = part.without_first()
            kind = kind_of(line, part)
            if kind is not None:
                yield Named(part.label, kind, start + part.start)


def _parts(text: str, at: int, run: str, language: Language) -> list[Part]:
    end = at + len(run)
    if text[end : end + 1] in _CODE:
        return []
    opens = _opens(text, at)
    before = text[at - 1] if at else " "
    if run.isalpha() and not before.isalpha():
        part = only_part(run, at, opens, language)
        return [] if part is None else [part]
    if before.isalpha():
        at, run = _with_small_start(text, at, run)
    return parts_of(run, at, opens, language)


def _with_small_start(text: str, at: int, run: str) -> tuple[int, str]:
    """A run with the small letters that it begins with: "iPhone", "macOS"."""
    first = at
    while first and text[first - 1].isalpha():
        first -= 1
    return first, text[first:at] + run


def _opens(text: str, at: int) -> bool:
    """Whether the word at a place is the first of a sentence."""
    end = at - 1
    while end >= 0 and text[end] in _BETWEEN:
        end -= 1
    if end < 0:
        return True
    if text[end] not in _OPENING:
        return False
    before = text[max(0, end - 8) : end].rpartition(" ")[2].lower()
    return not (text[end] == "." and before in _SHORTENED)


def _is_loud(text: str, runs: list[tuple[int, str]], language: Language) -> bool:
    """Whether the capitals of a line tell nothing: it is a heading, or shouted."""
    words = text.count(" ") + 1
    if words < _HEADING_WORDS:
        return False
    written = [word for _, run in runs for word in run.split() if word[0].isupper()]
    if len(written) * 2 < words:
        return False
    if sum(word.isupper() and len(word) > 1 for word in written) * 2 >= words:
        return True
    if len(written) * 10 < words * 7:
        return False
    if len(runs) == 1 and len(runs[0][1]) == len(text.strip()):
        return True
    return any(word.lower() in language.marks for word in written[1:] if word != "I")
