"""Whatever a program writes: no crash, no shape unforeseen, and nothing passed over in silence."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemic import Settings
from mnemic.encode.resolve import resolve
from mnemic.exchange.common import Item
from mnemic.exchange.programs.reading import UNFORESEEN
from mnemic.model.origin import Channel
from mnemic.model.scope import Principal
from tests.exchange.programs.made import drafts, errors, items, lines, whole

KEYS = (
    "type role content message text kind payload data id uuid sessionId timestamp model cwd parts "
    "toolCalls thoughts requests response value messages k v i $set $rewindTo source subagent "
    "bubbleId fullConversationHeadersOnly conversation conversationMap toolFormerData thinking "
    "tabs bubbles allComposers createdAt isMeta isSidechain agentId loglines items conversations "
    "state time directory parentID title inlineReference summary displayContent context session_id"
).split()
WORDS = (
    "user assistant gemini system text thinking tool_use tool_result message session_meta "
    "response_item event_msg compacted user_message reasoning markdownContent inlineReference "
    "user.message assistant.message session.start session.compaction_complete summary tool "
    "requests response 2026-03-01T09:00:00Z /x \ud800 a"
).split()
SCALARS = (
    st.none()
    | st.booleans()
    | st.sampled_from([0, 1, 2, 3, -1, 10**30, 1e308, 1_750_000_000_000])
    | st.sampled_from([*WORDS, "", " ", "<user_query>", "\0"])
)
VALUES: st.SearchStrategy[Any] = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=6)
    ),
    max_leaves=14,
)
RECORDS = st.dictionaries(st.sampled_from(KEYS), VALUES, min_size=1, max_size=8)
LINES = st.lists(
    RECORDS | VALUES.map(json.dumps) | st.sampled_from(['{"a', "\x00", "[]"]), max_size=6
)

JSONL = {
    "claude-code": "s.jsonl",
    "cursor": "t.jsonl",
    "codex": "r.jsonl",
    "gemini": "chats/session-1.jsonl",
    "copilot": "session-state/s/events.jsonl",
}
WHOLE = {
    "claude-code": ("one.json", "loglines"),
    "cursor": ("one.json", "conversations"),
    "codex": ("one.json", "items"),
    "gemini": ("chats/session-1.json", "messages"),
    "copilot": ("chatSessions/c.json", "requests"),
}


ANN, SETTINGS, NOW = Principal(user="ann", channel=Channel.IMPORT), Settings(), 1_800_000_000_000


def sound(found: list[Item]) -> None:
    assert [one for one in errors(found) if UNFORESEEN in one] == []
    for draft in drafts(found):
        resolve(draft, ANN, SETTINGS, NOW)  # refuses what could not be stored


@pytest.mark.parametrize("name", JSONL)
@settings(max_examples=40)
@given(records=LINES)
def test_lines_of_any_shape(name: str, records: list[Any], tmp_path: Path) -> None:
    file = lines(tmp_path / JSONL[name], *records)
    found = items(name, file.parent if "/" not in JSONL[name] else tmp_path)
    sound(found)
    if not records:
        return
    told = {item.where for item in found}
    count = sum(bool(line.strip()) for line in file.read_bytes().split(b"\n"))
    if any(str(file) in where for where in told):  # a chat is found by what is in it
        assert len({where for where in told if ":line " in where}) == count


@settings(max_examples=40)
@given(records=LINES)
def test_logs_of_changes_of_any_shape(records: list[Any], tmp_path: Path) -> None:
    start = {
        "kind": 0,
        "v": {"requests": [{"message": {"text": "a"}, "response": [{"value": "b"}]}]},
    }
    sound(items("copilot", lines(tmp_path / "chatSessions" / "c.jsonl", start, *records).parent))


@settings(max_examples=40)
@given(
    kind=st.integers(0, 4),
    keys=st.lists(
        st.sampled_from(["requests", "response", "message", "text", 0, 1, -1, None, "value"])
    ),
    value=VALUES,
    index=st.none() | st.integers(-2, 3) | st.text(max_size=1),
)
def test_changes_of_any_shape(
    kind: int, keys: list[Any], value: Any, index: Any, tmp_path: Path
) -> None:
    start = {
        "kind": 0,
        "v": {"requests": [{"message": {"text": "a"}, "response": [{"value": "b"}]}]},
    }
    change = {"kind": kind, "k": keys, "v": value} | ({} if index is None else {"i": index})
    sound(items("copilot", lines(tmp_path / "chatSessions" / "c.jsonl", start, change).parent))


@pytest.mark.parametrize("name", WHOLE)
@settings(max_examples=40)
@given(held=st.lists(VALUES, max_size=5), more=RECORDS)
def test_lists_of_any_shape(
    name: str, held: list[Any], more: dict[str, Any], tmp_path: Path
) -> None:
    path, key = WHOLE[name]
    more = {one: value for one, value in more.items() if one != key}
    file = whole(tmp_path / path, {key: held, "sessionId": "s"} | more)
    found = items(name, file.parent if "/" not in path else tmp_path)
    sound(found)
    places = {where.split(":")[2] for item in found if (where := item.where).count(":") > 1}
    places |= {item.where.rsplit(":", 1)[-1] for item in found}
    assert len([one for one in places if one.split(" ")[-1].isdigit()]) >= len(held)


@settings(max_examples=20)
@given(
    rows=st.lists(
        st.tuples(st.sampled_from(["composerData:c", "bubbleId:c:b"]), VALUES), max_size=4
    )
)
def test_rows_of_any_shape(rows: list[tuple[str, Any]], tmp_path: Path) -> None:
    file = tmp_path / "state.vscdb"
    file.unlink(missing_ok=True)
    with closing(sqlite3.connect(file, isolation_level=None)) as held:
        for table in ("ItemTable", "cursorDiskKV"):
            held.execute(f"CREATE TABLE {table} (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)")
        for key, value in rows:
            held.execute("INSERT INTO cursorDiskKV VALUES (?, ?)", (key, json.dumps(value)))
        for key, (_, value) in zip(
            ("composer.composerData", "interactive.sessions"), rows, strict=False
        ):
            held.execute("INSERT INTO ItemTable VALUES (?, ?)", (key, json.dumps(value)))
    sound(items("cursor", file))
    sound(items("copilot", file))


@settings(max_examples=40)
@given(session=VALUES, message=VALUES, part=VALUES)
def test_files_of_opencode_of_any_shape(
    session: Any, message: Any, part: Any, tmp_path: Path
) -> None:
    whole(tmp_path / "session" / "p" / "s.json", session)
    whole(tmp_path / "message" / "s" / "m.json", message)
    whole(tmp_path / "part" / "m" / "p.json", part)
    sound(items("opencode", tmp_path))


MARKED = st.sampled_from(
    [
        *("# aider chat started at 2026-03-01 09:00:00", "#### said  ", "> told  ", "> quote"),
        *("user:", "assistant:", "[Thinking] hm", "[Tool call] x", "[Tool result] y"),
        *("```", "+typed", "words", ""),
    ]
)


@settings(max_examples=60)
@given(text=st.lists(MARKED, max_size=25))
def test_texts_of_any_shape(text: list[str], tmp_path: Path) -> None:
    told = "\n".join(text)
    sound(items("aider", whole(tmp_path / ".aider.chat.history.md", told)))
    sound(items("aider", whole(tmp_path / ".aider.input.history", told)))
    found = items("cursor", whole(tmp_path / "agent-transcripts" / "t.txt", told))
    sound(found)
    # Who speaks is told from the first turn on; before that, each line is an error.
    first = next((n for n, line in enumerate(text) if line in ("user:", "assistant:")), len(text))
    assert len(errors(found)) == sum(bool(line.strip()) for line in text[:first])
