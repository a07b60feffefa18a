"""A rejected value in other clothes: each disguise is a case of its own.

What a reader takes for the same text is the same value; what means something else is not. Both
are asked for, since a memory that refuses everything would pass the first half.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from functools import partial

from mnemic.evals.prove.case import Cases, Kind, Mark
from mnemic.evals.prove.world import World

VALUE = "Ana keeps the spare key under a blue vase in Lisbon"

_HEAP = "\u0300\u0301\u0302"
_CYRILLIC = str.maketrans("aeopcxyABEKMHOPCTX", "аеорсхуАВЕКМНОРСТХ")
_GREEK = str.maketrans("oABEZHIKMNOPTYX", "οΑΒΕΖΗΙΚΜΝΟΡΤΥΧ")


def _shifted(first: str, offset: int) -> Callable[[str], str]:
    """Letters of a run of 26 as those that stand elsewhere in the code chart."""

    def shift(text: str) -> str:
        return "".join(chr(ord(c) + offset) if 0 <= ord(c) - ord(first) < 26 else c for c in text)

    return shift


def _wide(text: str) -> str:
    return "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text)


DISGUISES: dict[str, tuple[str, Callable[[str], str]]] = {
    "capitals": ("in capitals", str.upper),
    "spacing": ("with other white space", lambda text: "\t" + text.replace(" ", "\u00a0 ") + "\n"),
    "line_ends": ("a word a line", lambda text: text.replace(" ", "\n")),
    "zero_width": ("with a zero-width space after each letter", "\u200b".join),
    "soft_hyphen": ("with soft hyphens", lambda text: text.replace("a", "a\u00ad")),
    "direction_marks": ("within direction marks", lambda text: f"\u202a{text}\u202c"),
    "tag_characters": ("with tag characters", lambda text: f"{text}\U000e0041\U000e007f"),
    "full_width": ("in full width", _wide),
    "cyrillic": ("with Cyrillic look-alikes", lambda text: text.translate(_CYRILLIC)),
    "greek": ("with Greek look-alikes", lambda text: text.translate(_GREEK)),
    "mathematical": ("in mathematical letters", _shifted("a", 0x1D41A - ord("a"))),
    "circled": ("in circled letters", _shifted("a", 0x24D0 - ord("a"))),
    "figures": ("with figures for letters", lambda text: text.replace("Lisbon", "L1sb0n")),
    "strokes": ("struck through", lambda text: "".join(f"{c}\u0336" for c in text)),
    "heaped_marks": ("with heaped accents", lambda text: text.replace("a", f"a{_HEAP}")),
    "quotes": ("in quotes, with a full stop", lambda text: f"“{text}.”"),
    "brackets": ("in brackets", lambda text: f"[{text}]"),
    "emphasis": ("in Markdown emphasis", lambda text: f"**{text}**"),
    "bullet": ("as a bullet", lambda text: f"- {text}!"),
    "commas": ("with a comma after each word", lambda text: text.replace(" ", ", ")),
    "quoted_word": ("with a word in quotes", lambda text: text.replace("Lisbon", '"Lisbon"')),
}  # fmt: skip

SHORT = {
    "date": "2026-05-01",
    "price": "$499",
    "version": "v2.3.1",
    "dose": "5 mg",
    "number": "42",
    "phone": "+351 912 345 678",
    "address": "ana@example.org",
    "name": "O'Neil",
}

SCRIPTS = {
    "russian": ("Мой код 4711", "Мой код 4712"),
    "chinese": ("我住在里斯本", "我住在波尔图"),
    "arabic": ("أعيش في لشبونة", "أعيش في بورتو"),
    "japanese": ("パスポートは青い", "パスポートは赤い"),
    "accented": ("José vive em São Paulo", "Jose vive em Sao Paulo"),
}
"""A value, and another one that a normal form of ASCII letters only would take for the same."""

APART = (
    ("5 mg", "5 µg"),
    ("-5", "5"),
    ("C++", "C"),
    ("v2.3.1", "v2.3.10"),
    ("$499", "€499"),
    ("2026-05-01", "2026-01-05"),
    ("10²", "102"),
    ("Is Ana in Lisbon?", "Ana is in Lisbon"),
)

cases = Cases()


def _rejected(world: World, value: str) -> None:
    ana = world.bind()
    trace = world.told(ana, value)
    ana.forget(trace.id, reason="wrong")


def _disguised(disguise: Callable[[str], str], world: World) -> None:
    _rejected(world, VALUE)
    ana = world.bind()
    world.refuses(ana.remember(disguise(VALUE)), "the disguised value")
    world.never(ana.count(), "something of it is there")


def _short(value: str, world: World) -> None:
    _rejected(world, value)
    ana = world.bind()
    clothes = (value, f" {value}. ", value.upper(), _wide(value), f"“{value}”")
    world.refuses(ana.remember_many(clothes), value)
    world.refuses(ana.remember("an aside", tags=[value]), f"{value} as a tag")


def _in_script(value: str, other: str, world: World) -> None:
    _rejected(world, value)
    ana = world.bind()
    world.control(ana.remember(other).trace, f"{other!r}, another value, is taken")
    world.refuses(ana.remember(value), value)
    world.refuses(ana.remember(unicodedata.normalize("NFD", f"{value}.")), f"{value}, decomposed")


for _name, (_how, _disguise) in DISGUISES.items():
    _says = f"A rejected value {_how} is refused."
    cases.add(
        f"disguise.{_name}", Mark.TOMBSTONE, Kind.NEGATIVE, _says, partial(_disguised, _disguise)
    )
for _name, _value in SHORT.items():
    _says = f"A rejected value as short as {_value!r} does not come back."
    cases.add(f"short.{_name}", Mark.TOMBSTONE, Kind.NEGATIVE, _says, partial(_short, _value))
for _name, (_value, _other) in SCRIPTS.items():
    _says = f"A rejected value that is {_name} is told from another such value, and stays out."
    cases.add(
        f"script.{_name}",
        Mark.TOMBSTONE,
        Kind.NEGATIVE,
        _says,
        partial(_in_script, _value, _other),
    )


@cases.obligation(
    "tombstone.refuses_no_other_value", Mark.TOMBSTONE, "What means something else is taken."
)
def other_values(world: World) -> None:
    """Values that look near a rejected one to a careless normal form."""
    ana = world.bind()
    for number, (rejected, other) in enumerate(APART):
        _rejected(world, rejected)
        taken = ana.remember(other, type="semantic", thread=f"t{number}")
        world.must(taken.trace, f"{other!r} was refused after {rejected!r} was rejected")


@cases.obligation(
    "tombstone.no_false_refusal",
    Mark.TOMBSTONE,
    "Of 200 unrelated values of the lengths of 40 rejected ones, none is refused.",
)
def unrelated_values(world: World) -> None:
    """Dates, prices, versions and names that have nothing to do with the rejected ones."""
    ana = world.bind()
    rejected = [f"2026-0{n}-1{n}" for n in range(1, 9)] + [f"${n}99" for n in range(1, 9)]
    rejected += [f"v{n}.0.{n}" for n in range(1, 13)] + [f"room {n}0{n}" for n in range(1, 13)]
    for receipt in ana.remember_many(rejected):
        ana.forget(world.trace(receipt).id, reason="wrong")
    others = [f"2027-{n % 12 + 1:02}-{n % 28 + 1:02}" for n in range(50)]
    others += [f"€{n}50" for n in range(50)] + [f"v{n}.1.0" for n in range(50)]
    others += [f"hall {n}1{n}" for n in range(50)]
    refused = [r.message for r in ana.remember_many(others) if r.status == "refused"]
    world.must(not refused, f"{len(refused)} of {len(others)} were refused")
    again = [r for r in ana.remember_many(rejected) if r.status != "refused"]
    world.must(not again, f"{len(again)} of {len(rejected)} rejected values came back")
