"""The three benchmark files as questions with gold turns, ready to be asked of a brain.

Names that the files give to turns, sessions and dialogues are hashed before anything is stored:
LongMemEval's session ids say which are evidence. What a file holds that cannot be asked is
counted under `dropped`, so that a figure never hides how many questions it stands on.
"""

from __future__ import annotations

import hashlib
import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from mnemic import Draft
from mnemic.errors import ImportFormatError
from mnemic.exchange.benchmarks import beam, locomo, longmemeval
from mnemic.exchange.common import Item, is_record, load_json

LOCOMO_CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop"}
"""LoCoMo's numbers of questions that the dialogue answers."""

_ADVERSARIAL = 5
"""LoCoMo's number of questions that sound as if the dialogue answered them, and it does not."""

S_LIKE_DISTRACTORS = 45
"""Sessions of other questions in an S-like haystack: about 48 in all, as LongMemEval-S has."""

BEAM_QUESTIONS = "probing_questions/probing_questions.json"

_EVIDENCE = re.compile(r"D:?(\d+):(\d+)")
_HASH_PREFIX = "mnemic-bench/"


@dataclass(frozen=True, slots=True)
class Turn:
    """A message to be stored, the key by which gold names it, and its (hashed) session."""

    key: str
    session: str
    draft: Draft


@dataclass(frozen=True, slots=True)
class Question:
    """A question, its category, and the keys of the turns and sessions that answer it.

    `own_sessions` are those of its own haystack, gold or not, and `asked_at` is when it was asked
    (LongMemEval only).
    """

    id: str
    text: str
    category: str
    gold: frozenset[str]
    gold_sessions: frozenset[str]
    own_sessions: frozenset[str] = frozenset()
    asked_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Store:
    """What goes into one brain, or to one user of it, and what is asked of it.

    `unanswerable` are questions that nothing in it answers: they have no gold.
    """

    name: str
    turns: tuple[Turn, ...]
    questions: tuple[Question, ...]
    unanswerable: tuple[Question, ...] = ()


@dataclass(frozen=True, slots=True)
class Dataset:
    """A benchmark file: its stores, and what was left out of them and why, with counts."""

    stores: tuple[Store, ...]
    dropped: Mapping[str, int]


def hashed(name: str) -> str:
    """A name that tells nothing: 16 hex digits of the SHA-256 of the prefixed name."""
    return hashlib.sha256((_HASH_PREFIX + name).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def load_locomo(path: str | Path) -> Dataset:
    """LoCoMo: a store a dialogue. Raises ImportFormatError."""
    data = load_json(path)
    dropped: Counter[str] = Counter()
    turns = _turns_by_store(locomo.parse(data), dropped)
    stores = []
    for number, dialogue in enumerate(data, 1):
        name = locomo.sample_id(dialogue, number) if is_record(dialogue) else ""
        if name in turns:
            questions = _locomo_questions(name, dialogue, turns[name], dropped)
            stores.append(_store(name, turns[name], questions))
    return _dataset(stores, dropped, path)


def _locomo_questions(
    name: str, dialogue: dict[str, Any], turns: tuple[Turn, ...], dropped: Counter[str]
) -> Iterator[Question]:
    session_of = {turn.key: turn.session for turn in turns}
    for number, record in enumerate(_records(dialogue.get("qa"))):
        category = record.get("category")
        if category == _ADVERSARIAL and _is_text(record.get("question")):
            yield _unanswerable(f"{name}/{number}", record["question"], "adversarial")
            continue
        if category not in LOCOMO_CATEGORIES:
            dropped["questions of an unknown category"] += 1
            continue
        gold = set()
        for dia_id in evidence_ids(record.get("evidence"), dropped):
            key = f"{name}/{dia_id}"
            if key in session_of:
                gold.add(key)
            else:
                dropped["evidence ids of no turn"] += 1
        if not gold or not _is_text(record.get("question")):
            dropped["questions without usable evidence"] += 1
            continue
        yield Question(
            id=f"{name}/{number}",
            text=record["question"],
            category=LOCOMO_CATEGORIES[category],
            gold=frozenset(gold),
            gold_sessions=frozenset(session_of[key] for key in gold),
        )


def evidence_ids(evidence: object, dropped: Counter[str]) -> list[str]:
    """Turn ids in LoCoMo's evidence strings; several may share one, and some are written oddly.

    "D8:6; D9:17" is two ids, "D:11:26" is D11:26, "D30:05" is D30:5; a string with none counts
    as dropped.
    """
    ids: list[str] = []
    for text in evidence if isinstance(evidence, list) else []:
        found = _EVIDENCE.findall(str(text))
        if not found:
            dropped["evidence ids of no turn"] += 1
        ids += [f"D{int(session)}:{int(turn)}" for session, turn in found]
    return ids


def load_longmemeval(path: str | Path) -> Dataset:
    """LongMemEval: every session once, in one store. Raises ImportFormatError."""
    data = load_json(path)
    dropped: Counter[str] = Counter()
    turns = _turns(longmemeval.parse(data), dropped)
    questions = _longmemeval_questions(data, turns, dropped)
    return _dataset([_store("longmemeval", turns, questions)], dropped, path)


def _longmemeval_questions(
    data: list[Any], turns: tuple[Turn, ...], dropped: Counter[str]
) -> Iterator[Question]:
    known = {turn.key for turn in turns}
    for record in data:
        if longmemeval.haystack_problem(record) is not None:
            continue  # counted with the turns
        question_id = str(record.get("question_id", ""))
        if question_id.endswith("_abs") and _is_text(record.get("question")):
            yield _unanswerable(
                question_id,
                record["question"],
                "abstention",
                longmemeval.parse_time(record.get("question_date"), UTC),
            )
            continue
        gold = set()
        for name, session in zip(
            record["haystack_session_ids"], record["haystack_sessions"], strict=True
        ):
            for number, turn in enumerate(_as_list(session)):
                if is_record(turn) and turn.get("has_answer"):
                    gold.add(f"{name}/{number}")
        gold &= known
        if not gold or not _is_text(record.get("question")):
            dropped["questions without usable evidence"] += 1
            continue
        sessions = _as_list(record.get("answer_session_ids")) or [
            key.rpartition("/")[0] for key in gold
        ]
        yield Question(
            id=question_id,
            text=record["question"],
            category=str(record.get("question_type", "unknown")),
            gold=frozenset(gold),
            gold_sessions=frozenset(hashed(str(name)) for name in sessions),
            own_sessions=frozenset(hashed(str(name)) for name in record["haystack_session_ids"]),
            asked_at=longmemeval.parse_time(record.get("question_date"), UTC),
        )


def s_like(dataset: Dataset) -> Dataset:
    """LongMemEval with a haystack a question: its own sessions and 45 others, drawn by its id.

    The distractors are evidence sessions of other questions; that is not the official S split,
    and its figures compare with none published for it.
    """
    (pool,) = dataset.stores
    by_session: dict[str, list[Turn]] = {}
    for turn in pool.turns:
        by_session.setdefault(turn.session, []).append(turn)
    stores = []
    for question in pool.questions:
        others = [name for name in by_session if name not in question.own_sessions]
        drawn = random.Random(int(hashed(question.id), 16)).sample(
            others, min(S_LIKE_DISTRACTORS, len(others))
        )
        chosen = question.own_sessions.union(drawn)
        turns = tuple(turn for turn in pool.turns if turn.session in chosen)
        stores.append(Store(hashed(question.id), turns, (question,)))
    return replace(dataset, stores=tuple(stores))


def load_beam(path: str | Path) -> Dataset:
    """BEAM: a store a conversation. Raises ImportFormatError."""
    data = load_json(path)
    dropped: Counter[str] = Counter()
    turns = _turns_by_store(beam.parse(data), dropped)
    stores = []
    for name, conversation in data.items():
        if name in turns:
            questions = _beam_questions(name, conversation, turns[name], dropped)
            stores.append(_store(name, turns[name], questions))
    return _dataset(stores, dropped, path)


def _beam_questions(
    name: str, conversation: dict[str, Any], turns: tuple[Turn, ...], dropped: Counter[str]
) -> Iterator[Question]:
    session_of = {turn.key: turn.session for turn in turns}
    abilities = conversation.get(BEAM_QUESTIONS)
    for ability, records in abilities.items() if is_record(abilities) else ():
        for number, record in enumerate(_records(records)):
            if ability == "abstention" and _is_text(record.get("question")):
                yield _unanswerable(f"{name}/{number}", record["question"], ability)
                continue
            if not record.get("source_chat_ids"):
                dropped[f"{ability} questions without source turns"] += 1
                continue
            named = {f"{name}/{one}" for one in _numbers(record["source_chat_ids"])}
            gold = frozenset(named & session_of.keys())
            dropped["evidence ids of no turn"] += len(named - gold)
            if not gold or not _is_text(record.get("question")):
                dropped["questions without usable evidence"] += 1
                continue
            yield Question(
                id=f"{name}/{ability}/{number}",
                text=record["question"],
                category=ability,
                gold=gold,
                gold_sessions=frozenset(session_of[key] for key in gold),
            )


def _unanswerable(
    name: str, text: str, category: str, asked_at: datetime | None = None
) -> Question:
    """A question that nothing answers."""
    nothing: frozenset[str] = frozenset()
    return Question(name, text, category, nothing, nothing, asked_at=asked_at)


def _store(name: str, turns: tuple[Turn, ...], questions: Iterable[Question]) -> Store:
    """A store of the file's name for it, hashed; what has no gold is asked apart."""
    answerable: list[Question] = []
    others: list[Question] = []
    for question in questions:
        (answerable if question.gold else others).append(question)
    return Store(hashed(name), turns, tuple(answerable), tuple(others))


def _numbers(value: object) -> Iterator[int]:
    """The whole numbers of a nest of lists and objects: BEAM groups its sources by purpose."""
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, list):
        for part in value:
            yield from _numbers(part)
    elif isinstance(value, int | str) and str(value).strip().isdigit():
        yield int(value)


def _turns(items: Iterable[Item], dropped: Counter[str]) -> tuple[Turn, ...]:
    """Turns with their threads hashed; items that could not be read are counted."""
    turns = []
    for item in items:
        if item.draft is None:
            dropped["turns that cannot be read"] += 1
        else:
            session = hashed(item.draft.thread or item.where)
            turns.append(Turn(item.where, session, replace(item.draft, thread=session)))
    return tuple(turns)


def _turns_by_store(items: Iterable[Item], dropped: Counter[str]) -> dict[str, tuple[Turn, ...]]:
    """Turns by the dialogue that their key begins with, in the file's order."""
    stores: dict[str, list[Turn]] = {}
    for turn in _turns(items, dropped):
        stores.setdefault(turn.key.rpartition("/")[0], []).append(turn)
    return {name: tuple(turns) for name, turns in stores.items()}


def _dataset(stores: list[Store], dropped: Counter[str], path: str | Path) -> Dataset:
    if not any(store.questions for store in stores):
        raise ImportFormatError(f"{path} holds no question with evidence among its turns")
    return Dataset(tuple(stores), {why: count for why, count in dropped.items() if count})


def _records(value: object) -> list[dict[str, Any]]:
    return [record for record in _as_list(value) if is_record(record)]


def _as_list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())
