"""A text as sentences of words, without what is quoted, shown or asked in it.

Only the start of a text is read: `MOST_CHARS` characters and `MOST_SENTENCES` sentences. What a
person says of themselves stands in short messages; what comes later is a pasted document.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from mnemic.cognition.facts.attributes import anchor_words, table
from mnemic.cognition.facts.words import words

MOST_CHARS = 20_000
MOST_SENTENCES = 100
_MOST_WORDS = 120
"""Of a sentence; a longer one is no sentence."""

_MOST_LETTERS = 80
"""Of a word; a longer one is no word."""

GLUE = "\ue000"
"""Stands for a space within a short quote, which is one word: a title may be a value."""
SHOWN = "\ue001"
"""Stands for a longer quote or for code: no value, and nothing said by the speaker."""

_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`", re.S)
_QUOTE = re.compile(
    r"(?<![\w])\"([^\"]{1,2000})\"|“([^“”]{1,2000})”|«([^«»]{1,2000})»|(?<![\w'])'([^'\n]{2,400})'(?!\w)"
)
_OPEN_QUOTE = re.compile(r"(?<!\d)[\"“«][^\n]*")
_TITLE_WORDS = 6
_LISTED = re.compile(r"\s*(?:[-*•·–>#|+]|\(?\d{1,3}[.)]|\(?[a-z]\))\s|\s*[>#|]")
_LABEL = re.compile(r"\s*([A-Z][\w.'-]*(?: [A-Z][\w.'-]*)?):\s")
_END = re.compile(r"(?<=[.!?…])[\"')\]]*\s+")
_SHORTENED = re.compile(r"(?:\b(?:Mr|Mrs|Ms|Dr|St|Prof|Jr|Sr|vs|e\.g|i\.e|[A-Z]))\.\Z")
_UNLESS_CAPITAL = re.compile(r"\b(?:[ap]\.m|inc|ltd|co|corp|etc|ave|blvd|no|approx)\.\Z", re.I)
_EDGES = re.compile(r"([^\w€$£¥₹₩₽+\ue000-\ue001]*)(.*?)([^\w€£¥₹₩₽%+#\ue000-\ue001]*)", re.S)
_SEPARATING = re.compile(r"[,;:.!?()\[\]{}…—–/]|-\Z|--")


_ASKED_BACK = frozenset("i you he she it we they".split())
_ADDING = frozenset({"and", "so", "because"})
_JOINING = _ADDING | {"but", "also", "then", "or"}


@dataclass(slots=True)
class Sentence:
    """The words of a sentence: as written, in lower case, and what separates each from the next.

    Args:
        raw: the words with the marks around them.
        core: the words without these marks.
        low: the same in lower case, shortened forms written out.
        end: the marks after each word, "" where the sentence runs on.
        all_lower: the whole message is written without a capital.
    """

    raw: list[str]
    core: list[str]
    low: list[str]
    end: list[str]
    all_lower: bool

    def __len__(self) -> int:
        return len(self.low)

    def text(self, start: int, stop: int | None = None) -> str:
        """The words from `start` on with the marks around them, in one line."""
        return " ".join(self.raw[start:stop]).replace(GLUE, " ")

    def value(self, start: int, stop: int) -> str:
        """The words from `start` until before `stop`, without the marks around them all."""
        first, last = self.raw[start], self.core[stop - 1]
        if stop - start == 1:
            return last
        opened = first[first.find(self.core[start]) :]
        return " ".join((opened, *self.raw[start + 1 : stop - 1], last))

    def until(self, stop: int) -> Sentence:
        """The sentence cut off before a word."""
        return Sentence(
            self.raw[:stop], self.core[:stop], self.low[:stop], self.end[:stop], self.all_lower
        )

    def is_capital(self, at: int) -> bool:
        """Whether the word at a place is written with a capital, or is a short quote."""
        return at < len(self.core) and (self.core[at][:1].isupper() or GLUE in self.core[at])


def read_sentences(text: str) -> Iterator[Sentence]:
    """The sentences in which a fact may be said, without the question that may end them.

    At most `MOST_SENTENCES` are looked at. The caller cuts the text to `MOST_CHARS`.
    """
    text = without_shown(text.replace("’", "'"))
    all_lower = text.islower()
    anchors = table().anchors
    for count, part in enumerate(_parts(text)):
        if count >= MOST_SENTENCES:
            return
        if anchors.stand_in(anchor_words(part)):
            sentence = _sentence(part, all_lower)
            if sentence is not None:
                yield sentence


def without_shown(text: str) -> str:
    """The text with code and quotes put out of reach."""
    if "`" in text:
        text = _CODE.sub(SHOWN, text)
    if '"' in text or "“" in text or "«" in text or " '" in text:
        text = _OPEN_QUOTE.sub(SHOWN, _QUOTE.sub(_quoted, text))
    return text


def _quoted(found: re.Match[str]) -> str:
    inner = next(group for group in found.groups() if group is not None).split()
    if not inner or len(inner) > _TITLE_WORDS:
        return f" {SHOWN} "
    return GLUE + GLUE.join(inner) + GLUE


def _parts(text: str) -> Iterator[str]:
    for line in text.split("\n"):
        if _LISTED.match(line):
            continue
        label = _LABEL.match(line)
        if label and label.group(1).lower() not in words().labels:
            continue  # a form, or a transcript in which somebody else may speak
        held = ""
        for part in _END.split(line):
            if held and not _runs_on(held, part):
                yield held
                held = part
            else:
                held = f"{held} {part}" if held else part
        if held:
            yield held


def _runs_on(before: str, after: str) -> bool:
    """Whether a full stop between two parts ends a shortened word, not a sentence."""
    if not before.endswith("."):
        return False
    goes_on = after[:1].islower() and _UNLESS_CAPITAL.search(before)
    return bool(_SHORTENED.search(before) or goes_on)


def _sentence(part: str, all_lower: bool) -> Sentence | None:
    """The words of a sentence; None for a question and for what is too long to be one."""
    sentence = _split(part, all_lower)
    if not 1 < len(sentence) <= _MOST_WORDS:
        return None
    asks = "?" in sentence.end[-1]
    start, is_question = _cut(sentence)
    if asks and not is_question:
        return None
    if is_question and len(sentence) - start <= 3 and sentence.low[-1] in _ASKED_BACK:
        return None  # "I live here, don't I?"
    return sentence.until(start)


def _split(part: str, all_lower: bool) -> Sentence:
    lists = words()
    raw: list[str] = []
    core: list[str] = []
    low: list[str] = []
    end: list[str] = []
    for token in part.split():
        if len(token) > _MOST_LETTERS:
            token = SHOWN
        if token.isalpha():
            raw.append(token)
            core.append(token)
            low.append(token.lower())
            end.append("")
            continue
        before, bare, after = _EDGES.fullmatch(token).groups()  # type: ignore[union-attr]
        if end and (not bare or (before and _SEPARATING.search(before))):
            end[-1] += before or token
        if not bare:
            if raw:
                raw[-1] += f" {token}"
            continue
        if after and not _SEPARATING.search(after):
            after = ""
        small = bare.lower()
        written = lists.contractions.get(small)
        if written is None:
            raw.append(token)
            core.append(bare)
            low.append(small)
            end.append(after)
        else:
            raw += [token, *written[1:]]
            core += [bare[:1] + written[0][1:], *written[1:]]
            low += written
            end += [""] * (len(written) - 1) + [after]
    return Sentence(raw, core, low, end, all_lower)


def _cut(sentence: Sentence) -> tuple[int, bool]:
    """Where a question or a guess begins that nothing before it depends on; else the end.

    Tells as well whether it is a question.
    """
    lists = words()
    low, end = sentence.low, sentence.end
    for at in range(len(low)):
        if at and not end[at - 1] and low[at] not in _ADDING:
            continue
        first = at
        while first + 1 < len(low) and low[first] in _JOINING:
            first += 1
        if low[first] in lists.questions and (at == 0 or end[at - 1]):
            return at, True
        if at and _guesses(low, first, low[at]):
            return at, False
    return len(low), False


def _guesses(low: list[str], at: int, joined: str) -> bool:
    """Whether a clause with a guess of its own begins: "..., and I think ..."."""
    if low[at : at + 1] != ["i"] or joined not in _JOINING:
        return False
    rest = low[at + 1 : at + 6]
    if rest[:3] == ["am", "not", "sure"] or rest[:4] == ["am", "still", "not", "sure"]:
        return rest[-1] not in ("sure", "not")
    adding = joined in _ADDING or rest[:1] == ["might"]
    return adding and rest[:1] != [] and rest[0] in words().hedged_on and len(rest) > 2
