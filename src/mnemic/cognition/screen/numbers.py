"""Finds numbers that are a secret: cards, bank accounts, US social security numbers.

A long number is told from an order number or a date by its form and its check digits.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_DIGITS = re.compile(r"\d[\d -]{8}")
"""Any of them has at least nine digits, all but the first two together (an IBAN's country)."""

_CARD = re.compile(
    r"(?<![\w./,-])(?<!\d )(?:\d{4}([ -]?)\d{4}\1\d{4}\1\d{1,7}|3[47]\d{2}([ -]?)\d{6}\2\d{5}"
    r"|3[068]\d{2}([ -]?)\d{6}\3\d{4})(?![\w/-])(?!\.\d)(?! \d)"
)
_ISSUERS = (
    (re.compile(r"4"), (16,)),
    (re.compile(r"5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720"), (16,)),
    (re.compile(r"3[47]"), (15,)),
    (re.compile(r"6011|65|64[4-9]"), (16, 19)),
    (re.compile(r"35(?:2[89]|[3-8])"), (16,)),
    (re.compile(r"3(?:0[0-5]|[68])"), (14,)),
    (re.compile(r"62"), (16, 17, 18, 19)),
)
"""How a card's number begins, and how many digits it has (ISO/IEC 7812)."""

_NOT_A_CARD = re.compile(
    r"\b(?:order|tracking|invoice|parcel|booking|reference|ref|isbn|id|serial|ticket|case)\b"
    r"[^\n\d]{0,20}\Z",
    re.IGNORECASE,
)
_BEFORE = 40

_IBAN = re.compile(r"(?<!\w)[A-Za-z]{2}\d{2}(?: ?[A-Za-z0-9]{4}){2,7}(?: ?[A-Za-z0-9]{1,4})?(?!\w)")
_IBAN_LENGTHS = range(15, 35)

_SSN = re.compile(r"(?<![\w-])(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\w-])")
_NAMED_SSN = re.compile(
    r"\b(?:ssn|social security(?: number| no\.?| #)?)\b[^\n\d]{0,20}"
    r"(?<!\d)\d{3}[ -]?\d{2}[ -]?\d{4}(?!\d)",
    re.IGNORECASE,
)


def numbers(text: str) -> Iterator[str]:
    """The signs of the secret numbers in a text; one may come several times."""
    if _DIGITS.search(text) is None:
        return
    if any(_is_card(found) for found in _CARD.finditer(text)):
        yield "card-number"
    if _SSN.search(text) or _NAMED_SSN.search(text):
        yield "social-security-number"
    if any(_holds_iban(found[0]) for found in _IBAN.finditer(text)):
        yield "iban"


def _is_card(found: re.Match[str]) -> bool:
    digits = re.sub(r"\D", "", found[0])
    if not any(start.match(digits) and len(digits) in sizes for start, sizes in _ISSUERS):
        return False
    before = found.string[max(0, found.start() - _BEFORE) : found.start()]
    return _luhn(digits) and _NOT_A_CARD.search(before) is None


def _luhn(digits: str) -> bool:
    """Luhn's check: every second digit from the right doubled, all digits summed (ISO/IEC 7812)."""
    total = 0
    for place, digit in enumerate(reversed(digits)):
        total += sum(divmod(int(digit) * (1 + place % 2), 10))
    return total % 10 == 0


def _holds_iban(written: str) -> bool:
    """Whether an IBAN stands at the start: the words after it may look like more groups of it."""
    groups = written.split(" ")
    return any(_is_iban("".join(groups[:count])) for count in range(1, len(groups) + 1))


def _is_iban(iban: str) -> bool:
    """ISO 13616: country and check digits to the end, letters as 10 to 35, rest 1 modulo 97."""
    if len(iban) not in _IBAN_LENGTHS or not iban.isascii():
        return False
    return int("".join(str(int(char, 36)) for char in iban[4:] + iban[:4])) % 97 == 1
