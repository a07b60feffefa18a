"""Which parts of a line are names, and what kind of thing each one names."""

from __future__ import annotations

from dataclasses import dataclass

from mnemic.cognition.entities.lists import Language, Names, names
from mnemic.cognition.entities.runs import Part, is_acronym, is_coined, is_joined
from mnemic.model.graph import EntityKind

_INFLECTED = ("ing", "ed", "ly", "tion", "ness", "ment")
"""Ends of English words that may open a sentence before a name: "Visited Lisbon"."""
_GERMAN_NOUNS = (
    "ung",
    "heit",
    "keit",
    "schaft",
    "tion",
    "tät",
    "nis",
    "tum",
    "ismus",
    "ern",
    "chen",
)
_AROUND = 24
"""Characters before and after a name that are looked at."""
_ARTICLES = frozenset(
    "der die das den dem des ein eine einen einem einer mein meine meinem meinen meiner dein deine"
    " sein seine ihr ihre unser unsere kein keine im am zum zur vom beim ins".split()
)


@dataclass(frozen=True, slots=True)
class Line:
    """A line, and how its capitals are to be read.

    Args:
        text: the line.
        language: of the text.
        is_german: nouns have capitals.
        strict: its capitals tell nothing, as in a heading: only known names count.
    """

    text: str
    language: Language
    is_german: bool
    strict: bool


def kind_of(line: Line, part: Part) -> EntityKind | None:
    """What a part names; None if it is no name."""
    lists = names()
    known = _known(part, lists)
    first = part.words[0]
    if known is not None and len(part.words) == 1 and not part.titled and not first.isupper():
        return EntityKind.PERSON if _is_also_given(line, part) else known
    if len(part.words) == 1 and (len(first.rstrip(".")) < 2 or _is_shouted(first, line.language)):
        return None
    if known is None and not part.titled and not _vouched(line, part):
        return None
    if part.titled:
        return EntityKind.PERSON
    if known is not None and not (known is EntityKind.PERSON and _head(part, lists)):
        return known
    return _told_by_itself(part, lists) or _told_around(line, part) or EntityKind.THING


def _known(part: Part, lists: Names) -> EntityKind | None:
    label = part.label.lower()
    found = lists.known.get(label)
    if found is None and label.partition(" ")[0].partition("-")[0] in lists.given:
        return EntityKind.PERSON
    return found


def _is_also_given(line: Line, part: Part) -> bool:
    """Whether a known name is a person's here: "Zara's birthday"."""
    if part.words[0].lower() not in names().given:
        return False
    return part.owns or word_after(line.text, part) in line.language.said


def _head(part: Part, lists: Names) -> EntityKind | None:
    """What the last word of several makes of them."""
    return lists.heads.get(part.words[-1].lower().rstrip(".")) if len(part.words) > 1 else None


def _is_shouted(word: str, language: Language) -> bool:
    if word.isupper():
        return not is_acronym(word) or word.lower() in language.ordinary
    return False


def _vouched(line: Line, part: Part) -> bool:
    """Whether something tells that a part is a name that is not known as one."""
    first = part.words[0]
    if any(is_coined(word) for word in part.words) or is_acronym(first):
        return not (line.strict and first.isupper())
    if line.strict:
        return False
    if line.is_german:
        return _in_german(line, part)
    return not part.opens or len(part.words) > 1 or _told_by_what_follows(line, part)


def _in_german(line: Line, part: Part) -> bool:
    lists = names()
    around = words_before(line.text, part.start)
    before = around[-1] if around else ""
    if before in _ARTICLES:
        return False
    if _head(part, lists) is EntityKind.ORGANIZATION:
        return True
    low = part.words[0].lower()
    if low in line.language.nouns or low.endswith(_GERMAN_NOUNS) or len(part.words) > 1:
        return False
    if word_after(line.text, part) in line.language.said:
        return True
    return line.language.cues.get(before) is EntityKind.PLACE


def _told_by_what_follows(line: Line, part: Part) -> bool:
    """Whether the only word of a part that opens a sentence is a name all the same."""
    low = part.words[0].lower()
    if low.endswith(_INFLECTED):
        return False
    after = line.text[part.start + len(low) : part.start + len(low) + _AROUND]
    if part.owns:
        return after[2:4].strip().islower()
    if after.startswith((" and I ", ", my ", ", our ")):
        return True
    return word_after(line.text, part) in line.language.said


def opens_with_plain_word(part: Part) -> bool:
    """Whether a part of several words begins with a plain one: "Visited Lisbon"."""
    if not part.opens or len(part.words) == 1 or part.words[1] == "&":
        return False
    lists = names()
    low, second = part.words[0].lower(), part.words[1].lower()
    if low in lists.given or low in lists.fronts or part.label.lower() in lists.known:
        return False
    if second in lists.given:
        return True
    return low.endswith(_INFLECTED) and _head(part, lists) is None


def _told_by_itself(part: Part, lists: Names) -> EntityKind | None:
    if len(part.words) > 1:
        head = _head(part, lists)
        if head is not None:
            return head
        if "&" in part.words:
            return EntityKind.ORGANIZATION
        if part.words[0].lower() in lists.known:
            return EntityKind.THING  # "Google Maps"
        front = lists.fronts.get(part.words[0].lower().rstrip("."))
        if front is not None or "of" not in part.words:
            return front
        return lists.heads.get(part.words[part.words.index("of") - 1].lower())
    return None


def _told_around(line: Line, part: Part) -> EntityKind | None:
    first, language = part.words[0], line.language
    if is_coined(first) and not is_joined(first):
        return EntityKind.THING
    before = words_before(line.text, part.start)
    last = before[-1] if before else ""
    if last in language.works and len(part.words) > 1:
        return EntityKind.WORK
    cue = language.cues.get(last.rstrip(","))
    if cue is not EntityKind.PERSON and not language.employs.isdisjoint(before):
        return EntityKind.ORGANIZATION
    if cue is not None:
        return cue
    if last in language.titles or is_joined(first):
        return EntityKind.PERSON
    return EntityKind.PERSON if word_after(line.text, part) in language.said else None


def words_before(text: str, start: int) -> list[str]:
    """The two words before a place, in small letters, an article left out."""
    words = text[max(0, start - _AROUND) : start].lower().split()
    if words and words[-1] == "the":
        words.pop()
    return [word.lstrip("(\"'“„«¿¡") for word in words[-2:]]


def word_after(text: str, part: Part) -> str:
    """The word after a part, in lower case; empty if a mark stands between."""
    end = part.start + len(part.label)
    after = text[end : end + _AROUND]
    return after[1:].partition(" ")[0].lower().strip(".,;:!?\"'") if after[:1] == " " else ""
