"""Signs that a text plays another part of a conversation: the system, the developer, the tool.

A model knows who speaks by marks in its prompt. A text that brings its own is not what it claims
to be.
"""

from __future__ import annotations

import re

from mnemic.cognition.screen.views import Views, folded_word


def _any_of(flags: re.RegexFlag, *patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), flags | re.MULTILINE)


_S = r"\s{0,4}"
_ORDER = r"(?:instructions?|directives?)"

_IN_BRACKETS = _any_of(
    re.IGNORECASE,
    rf"<\|{_S}/?{_S}(?:im_start|im_end|system|user|assistant|start_header_id|end_header_id|eot_id"
    rf"|begin_of_text|endoftext|end){_S}\|>",
    r"(?-i:\[/?INST\])|<</?SYS>>",
    rf"(?<!<)<{_S}/?{_S}(?:system|important)"
    rf"[-_ ]?(?:prompt|message|{_ORDER}|reminder|override)?{_S}>",
    rf"^\W{{0,4}}\[{_S}(?:system|override){_S}\]",
    rf"\[{_S}(?:system|session|admin|security|developer)[ _]"
    r"(?:prompt|message|override|update|notice|note|alert)"
    r"\b[^\]\n]{0,60}\]",
    rf"[\[{{#]{_S}(?:ai|llm|agent|assistant|hidden|priority)[ _-]?{_ORDER}{_S}[\]}}]",
    rf"\[{_S}(?:hidden|{_ORDER}){_S}\]{_S}:|<{_S}hidden{_S}>{_S}\w{{1,20}} \w{{1,20}} \w",
)

_IN_LINE = _any_of(
    re.IGNORECASE,
    r"^[ \t]{0,8}#{1,6}[ \t]{0,8}(?:system|instruction)(?:[ \t](?:prompt|message))?[ \t]{0,4}:",
    r"^[ \t>]{0,8}(?:system|assistant)[ \t]{0,4}:[^\n]{0,200}?"
    r"\b(?:you (?:are|must|will|shall)|the (?:assistant|user)|ignore|disregard)\b",
    r"^[ \t>*]{0,8}(?:developer|system|admin) message[ \t*]{0,8}:",
    rf"^\W{{0,8}}(?:new|updated|actual) (?:{_ORDER}|system prompt)[ \t]{{0,4}}:",
    r"^thought:[^\n]{1,300}\n{1,3}action:",
    r"\bsystem[ _-]prompt[ \t]{0,4}:",
    r"\bbegin system (?:message|prompt)\b",
)

_IN_CAPITALS = _any_of(
    re.NOFLAG,
    r"(?<![\w-])SYSTEM(?: (?:OVERRIDE|MESSAGE|PROMPT|NOTICE|ALERT|INSTRUCTIONS?|NOTE))?[ \t]{0,4}:",
    r"\b(?:AGENT|AI|ASSISTANT|LLM|BOT|MODEL|CLAUDE|CHATGPT)[_ -]"
    r"(?:INSTRUCTIONS?|NOTE|DIRECTIVE|COMMAND|NOTICE)[ \t]{0,4}:",
    r"(?:[Yy]ou are|[Aa]ct as|[Pp]retend you are|[Pp]retend to be|[Bb]ecome|[Aa]s)"
    r" (?:now |a )?DAN\b",
)

_WORDS = frozenset(
    map(
        folded_word,
        "system developer admin action ai llm agent bot model claude chatgpt assistant dan role"
        " instruction instructions directive directives".split(),
    )
)
"""One of these is in every mark of a line: most texts need not be searched."""


def plays_a_role(seen: Views) -> bool:
    """Whether a text has the marks of another speaker than its own."""
    text = seen.text
    if ("<" in text or "[" in text or "{" in text) and _IN_BRACKETS.search(text):
        return True
    if _WORDS.isdisjoint(seen.vocabulary):
        return False
    return bool(_IN_LINE.search(text) or _IN_CAPITALS.search(text))
