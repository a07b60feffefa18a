"""The little language in which the rules of the screen are written, and what it compiles to.

    (ignore|disregard) (all|any)? <2> (rule|rules)

A word stands for itself. `(a|b c)` is a choice, `?` makes the word or choice before it optional,
`{name}` is a choice kept under `words` of the same file. `<n>` is a gap of up to n words, none of
them in the list `barrier`. `~n` holds where none of the next n words of the sentence is in the
list `own`: the words by which a person speaks of themselves. A `^` at the very start is the start
of a clause; a `!` there makes the phrase strong: it is looked for without spaces too. In a
language written without spaces every phrase is, and a gap counts letters.

Every repeat of the regular expression that comes out is bounded: no rule can make the screen
slower than linear.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from mnemic.cognition.screen.views import folded_word

_TOKEN = re.compile(r"(?P<gap><\d+>)|(?P<own>~\d+)|(?P<sign>[()|?])|(?P<word>[^\s<>~()|?]+)")
_MARK = r"[ \n,]"
_LETTER = r"[^ \n,.]"
_LETTERS_A_WORD = 8
_LONGEST_WORD = 40

_COMMON = {
    folded_word(word): -place
    for place, word in enumerate(
        "i you the a and to of is in it that this on for with be do are as at by my me we us if can"
        " an all any have so was were not no what when will from had has he she they i'm you're"
        " about after also always am anything been before being best don't every everything first"
        " keep most must need never new only or really see should these use without work"
        " now".split()
    )
}
"""Words that stand in every other text, the most common first: a poor reason to try a rule."""

_RARE = -len(_COMMON)


@dataclass(frozen=True, slots=True)
class Phrase:
    """A compiled phrase.

    Args:
        line: the regular expression for the line of a text.
        dense: the one for a text without spaces.
        words: sets of words. A text that lacks all words of one of them cannot hold the phrase.
            The first is the one that fewest texts meet.
    """

    line: str
    dense: str
    words: tuple[frozenset[str], ...]


def phrase(source: str, lists: Mapping[str, str], *, spaced: bool = True) -> Phrase:
    """Compile a phrase.

    Args:
        source: the phrase, without the `!` of a strong one.
        lists: the word lists of its file.
        spaced: whether its language puts spaces between words.

    Raises:
        ValueError: it does not follow the grammar, or names a list that is not there.
    """
    start = r"[\n,.]" if source.startswith("^") else r"[ \n,.]"
    parser = _Parser(source.removeprefix("^"), lists, _LETTERS_A_WORD if spaced else 1)
    found = parser.choice()
    if parser.here:
        raise ValueError(f"{source!r}: {parser.here!r} stands where nothing can")
    line = f"{start}(?:{found.line})"
    return Phrase(line, found.dense, _ranked(found.words))


class _Parser:
    """Reads a phrase from left to right.

    Args:
        source: the phrase.
        lists: the word lists that it may name.
        letters: how many letters a gap of one word is where there are no spaces.
    """

    def __init__(self, source: str, lists: Mapping[str, str], letters: int) -> None:
        self._source = source
        self._lists = lists
        self._letters = letters
        self._tokens = list(_tokens(source, lists))
        self._tokens.reverse()

    @property
    def here(self) -> str:
        """The next token; nothing at the end."""
        return self._tokens[-1] if self._tokens else ""

    def choice(self) -> Phrase:
        """`a b|c`."""
        options = [self._sequence()]
        while self.here == "|":
            self._tokens.pop()
            options.append(self._sequence())
        return options[0] if len(options) == 1 else _either(options)

    def _sequence(self) -> Phrase:
        """`a b c`."""
        items: list[Phrase] = []
        while self.here not in ("", "|", ")"):
            item = self._item()
            if self.here == "?":
                self._tokens.pop()
                item = Phrase(f"(?:{item.line})?", f"(?:{item.dense})?", ())
            items.append(item)
        if not items:
            raise ValueError(f"{self._source!r}: a phrase or an option of it is empty")
        return Phrase(
            "".join(item.line for item in items),
            "".join(item.dense for item in items),
            tuple(need for item in items for need in item.words),
        )

    def _item(self) -> Phrase:
        token = self._tokens.pop()
        if token == "(":
            inner = self.choice()
            if self.here != ")":
                raise ValueError(f"{self._source!r}: a bracket is not closed")
            self._tokens.pop()
            return inner
        if token in ("?", ")"):
            raise ValueError(f"{self._source!r}: {token!r} stands where nothing can")
        if token[0] in "<~":
            return self._look(token[0], int(token.strip("<>~")))
        return _word(token)

    def _look(self, kind: str, count: int) -> Phrase:
        """A gap of so many words, or a look ahead over so many."""
        word = rf"{_LETTER}{{1,{_LONGEST_WORD}}}{_MARK}"
        if kind == "~":
            own = self._list("own")
            if not own:
                raise ValueError(f"{self._source!r}: '~' needs a list 'own'")
            return Phrase(rf"(?!(?:{word}){{0,{count}}}?(?:{own})[ \n,.])", "", ())
        barrier = self._list("barrier")
        kept = rf"(?!(?:{barrier})[ \n,.])" if barrier else ""
        dense = rf"\w{{0,{count * self._letters}}}?"
        return Phrase(rf"(?:{kept}{word}){{0,{count}}}?", dense, ())

    def _list(self, name: str) -> str:
        """The words of a list as options of a regular expression; nothing without the list."""
        words = self._lists.get(name)
        return "|".join(map(folded_word, words.split("|"))) if words else ""


def _tokens(source: str, lists: Mapping[str, str]) -> Iterator[str]:
    try:
        whole = re.sub(r"\{(\w+)\}", lambda found: f"({lists[found[1]]})", source)
    except KeyError as missing:
        raise ValueError(f"{source!r}: there is no list {missing}") from None
    for found in _TOKEN.finditer(whole):
        yield found[0]


def _word(text: str) -> Phrase:
    """A word: in the line up to the mark after it, or to the end of the sentence."""
    bare = folded_word(text)
    if re.fullmatch(r"\w+", bare) is None:
        raise ValueError(f"{text!r} is no word of a phrase")
    return Phrase(rf"{bare}(?:{_MARK}|(?=\.))", bare, (frozenset([bare]),))


def _either(options: list[Phrase]) -> Phrase:
    """One of several; it needs one of the words that each of them needs, if each needs any."""
    needs = [_ranked(option.words)[0] for option in options if option.words]
    return Phrase(
        f"(?:{'|'.join(option.line for option in options)})",
        f"(?:{'|'.join(option.dense for option in options)})",
        (frozenset().union(*needs),) if len(needs) == len(options) else (),
    )


def _ranked(needs: tuple[frozenset[str], ...]) -> tuple[frozenset[str], ...]:
    """The sets, the one first that fewest texts have a word of."""
    return tuple(sorted(needs, key=_commonness))


def _commonness(words: frozenset[str]) -> tuple[int, int]:
    return max(_COMMON.get(word, _RARE) for word in words), len(words)
