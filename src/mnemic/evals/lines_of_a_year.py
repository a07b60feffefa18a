"""What people say in the simulated year: sentences of our own, filled from lists."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Attribute:
    """Something that is so of somebody, with one value at a time.

    Args:
        question: asks for it.
        told: ways to say it.
        changed: ways to say that it is so from now on.
        values: what it can be.
    """

    question: str
    told: tuple[str, ...]
    changed: tuple[str, ...]
    values: tuple[str, ...]


NAMES = tuple(
    "Marta Tom Ines Bruno Clara Hugo Lena Nuno Olga Paul Rita Sven Tania Ugo Vera Wim Xenia Yara "
    "Zeno Alba Boris Cora Dario Edda Felix Greta Henk Ilse Jonas Karin Leon Mona Nils Oskar Petra "
    "Quim Rosa Silas Thea Urs Viola Walter Alma Basil Celia Dirk Elsa Fabio Gita Hanno".split()
)

ATTRIBUTES: tuple[Attribute, ...] = (
    Attribute(
        "Where does {name} live?",
        (
            "{name} lives in {value}.",
            "{name}'s flat is in {value}.",
            "{name} wrote from {value}, where they live.",
        ),
        ("{name} has moved to {value}.", "{name} lives in {value} now."),
        ("Porto", "Ghent", "Turin", "Bergen", "Graz", "Leeds", "Malmo", "Split", "Brno", "Nantes"),
    ),
    Attribute(
        "What is {name}'s job?",
        ("{name} works as a {value}.", "{name} is a {value} by trade."),
        ("{name} works as a {value} now.", "{name} has become a {value}."),
        ("baker", "nurse", "carpenter", "translator", "pilot", "florist", "welder", "librarian"),
    ),
    Attribute(
        "What does {name} drink in the morning?",
        ("{name} drinks {value} in the morning.", "Mornings mean {value} for {name}."),
        ("{name} drinks {value} in the morning from now on.",),
        ("mint tea", "black coffee", "cocoa", "oat milk", "carrot juice", "hot water"),
    ),
    Attribute(
        "What pet does {name} have?",
        ("{name} has a {value} at home.", "{name} keeps a {value}."),
        ("{name} has a {value} now.", "{name} gave the other pet away and keeps a {value}."),
        ("tortoise", "parrot", "greyhound", "ferret", "hamster", "tabby cat", "goldfish"),
    ),
    Attribute(
        "Which instrument does {name} play?",
        ("{name} plays the {value}.", "{name} practises the {value} on Sundays."),
        ("{name} has changed over to the {value}.",),
        ("cello", "trumpet", "accordion", "harp", "oboe", "banjo", "marimba"),
    ),
    Attribute(
        "What is {name} allergic to?",
        ("{name} is allergic to {value}.", "{name} must not eat {value}."),
        ("{name} turns out to be allergic to {value}, the doctor says.",),
        ("peanuts", "shellfish", "celery", "walnuts", "kiwi", "sesame", "mustard"),
    ),
    Attribute(
        "Which sport does {name} do?",
        ("{name} goes in for {value}.", "{name} does {value} twice a week."),
        ("{name} does {value} these days.",),
        ("fencing", "rowing", "climbing", "judo", "archery", "curling", "handball"),
    ),
    Attribute(
        "What car does {name} drive?",
        ("{name} drives a {value}.", "{name} came in the {value}."),
        ("{name} bought a {value} and drives that now.",),
        ("red van", "blue hatchback", "old tractor", "white pickup", "green cabrio"),
    ),
)
"""One value at a time each."""

_DISHES = ("pasta", "soup", "curry", "salad", "stew", "pancakes", "risotto", "tacos", "pie")
_WITH = ("mushrooms", "lentils", "spinach", "beans", "pumpkin", "cheese", "leeks", "olives")
_PLACES = ("by the river", "at the corner", "near the station", "in the garden", "at the market")
_WEATHER = ("rainy", "bright", "windy", "foggy", "mild", "icy", "grey", "stormy", "warm")
_DOING = ("read", "walked", "swept the stairs", "sorted papers", "watered the plants", "slept")
_WHEN = ("this morning", "after lunch", "in the evening", "before work", "around noon", "late")
_FILMS = ("a film about trains", "a play", "the news", "a match", "an old western", "a quiz")
_THINGS = ("screws", "envelopes", "a lamp", "batteries", "soap", "a notebook", "candles", "a rope")
_TALK = (
    "We had {dish} with {with_} {place} {when}.",
    "It was {weather} {when}, so I {doing}.",
    "I {doing} {when} and then watched {film}.",
    "Bought {thing} {place} {when}; paid {number} euros.",
    "The bus came {number} minutes late {when}, and it was {weather}.",
    "Thinking of making {dish} with {with_} {when}.",
    "Somebody left {thing} {place}, odd.",
    "The neighbours were loud {when}, I {doing} anyway.",
    "Watched {film} {when}; it took {number} minutes.",
    "Dreamt of {thing} and {dish}, no idea why.",
)


def told(chance: random.Random, attribute: Attribute, name: str, value: str) -> str:
    """One of the ways to say that something is so."""
    return _filled(chance.choice(attribute.told), name, value)


def changed(chance: random.Random, attribute: Attribute, name: str, value: str) -> str:
    """One of the ways to say that it is so from now on."""
    return _filled(chance.choice(attribute.changed), name, value)


def _filled(line: str, name: str, value: str) -> str:
    return line.format(name=name, value=value)


def small_talk(chance: random.Random) -> str:
    """Something that nobody will ask for."""

    def one(several: Sequence[str]) -> str:
        return chance.choice(several)

    return one(_TALK).format(
        dish=one(_DISHES),
        with_=one(_WITH),
        place=one(_PLACES),
        weather=one(_WEATHER),
        doing=one(_DOING),
        when=one(_WHEN),
        film=one(_FILMS),
        thing=one(_THINGS),
        number=chance.randint(2, 90),
    )
