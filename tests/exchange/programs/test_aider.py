"""aider's chat as Markdown: who a line is from."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from mnemic.exchange.programs import aider
from mnemic.exchange.programs.found import Skip
from mnemic.model.origin import Role
from tests.exchange.programs.made import contents, drafts, errors, items, kinds, reasons, whole

CHAT = """
# aider chat started at 2026-03-01 09:00:00

> aider v1..
> Here is what I know.
It goes on without a sign...

#### Why does it leak?..
####..
####     Tell me...

Look at the seams:

#### A heading of the answer

> a quote of the answer

```
#### code
```

> Tokens: 1 sent...

#### /add hull.md..

> Added hull.md..

#### /ask is it tarred?..

No.

#### /test..
> === test session ===
platform x
=== 1 failed ===..
> Attempt to fix?..

The test is wrong.

#### # Fix any errors below, if possible...
#### x..

#### !ls..

#### <blank>..

# aider chat started at 2026-03-02 09:00:00

#### Again...
""".replace("..\n", "  \n")


def chat(tmp_path: Path, text: str = CHAT) -> Path:
    return whole(tmp_path / "boat" / ".aider.chat.history.md", text)


def test_who_says_what(tmp_path: Path) -> None:
    found = items("aider", chat(tmp_path), timezone="Europe/Lisbon")
    assert [(draft.role, draft.content) for draft in drafts(found)] == [
        (Role.USER, "Why does it leak?\n\n    Tell me."),
        (
            Role.ASSISTANT,
            "Look at the seams:\n\n#### A heading of the answer\n\n> a quote of the answer\n\n"
            "```\n#### code\n```",
        ),
        (Role.USER, "is it tarred?"),
        (Role.ASSISTANT, "No."),
        (Role.ASSISTANT, "The test is wrong."),
        (Role.USER, "Again."),
    ]
    assert reasons(found) == {Skip.TOOL_OUTPUT: 5, Skip.COMMAND: 3, Skip.NO_TEXT: 1}
    first, last = drafts(found)[0], drafts(found)[-1]
    assert (first.thread, last.thread) == ("boat 2026-03-01 09:00:00", "boat 2026-03-02 09:00:00")
    assert first.time == datetime(2026, 3, 1, 9, tzinfo=UTC)
    assert first.metadata == {"project": "boat"}
    assert found[0].where.endswith(".aider.chat.history.md:line 4")


def test_the_time_is_the_one_of_the_zone(tmp_path: Path) -> None:
    file = chat(tmp_path)
    times = [drafts(items("aider", file, timezone=zone))[0].time for zone in ("Asia/Tokyo", "UTC")]
    assert times == [datetime(2026, 3, 1, tzinfo=UTC), datetime(2026, 3, 1, 9, tzinfo=UTC)]


def test_a_chat_whose_line_ends_were_stripped_is_read(tmp_path: Path) -> None:
    text = (
        "# aider chat started at 2026-03-01 09:00:00\n\n> v1\n\n#### Tar it.\n\nDone.\n\n> 1 sent\n"
    )
    found = items("aider", chat(tmp_path, text))
    assert contents(found) == ["Tar it.", "Done."]
    assert reasons(found) == {Skip.TOOL_OUTPUT: 2}


def test_a_part_of_a_chat_is_found_when_it_is_named(tmp_path: Path) -> None:
    file = whole(tmp_path / "part.md", CHAT)
    whole(tmp_path / "other.md", "# Notes\n")
    assert list(kinds("aider", tmp_path)) == list(kinds("aider", file)) == [("part.md", "session")]


def test_prompts_give_what_no_chat_did(tmp_path: Path) -> None:
    known = "# 2026-03-01 08:00:00.5\n+Why does it leak?\n+\n+    Tell me.\n"
    gone = "# 2026-02-01 08:00:00\n+Before\n+all.\n+\n\n# 2026-02-01 08:00:01\n+/exit\n"
    history = f"\n{known}\n{gone}"
    chat(tmp_path)
    whole(tmp_path / "boat" / ".aider.input.history", history)
    found = items("aider", tmp_path)
    assert contents(found)[-1] == "Before\nall."
    assert drafts(found)[-1].time == datetime(2026, 2, 1, 8, tzinfo=UTC)
    assert (reasons(found)[Skip.REPEATED], reasons(found)[Skip.COMMAND]) == (1, 4)


def test_conventions_and_places(tmp_path: Path) -> None:
    file = whole(tmp_path / "boat" / "CONVENTIONS.md", "# Style\n\nTar first.\n")
    (draft,) = drafts(items("aider", file))
    assert (draft.content, draft.metadata["project"]) == ("Style\nTar first.", "boat")
    assert aider.places(Path("/h"), Path("/p"), {}, "linux") == [
        Path("/p/.aider.chat.history.md"),
        Path("/p/.aider.input.history"),
        Path("/p/CONVENTIONS.md"),
    ]
    env = {"AIDER_CHAT_HISTORY_FILE": "/x/a.aider.chat.history.md"}
    assert aider.places(Path("/h"), None, env, "linux") == [
        Path("/x/a.aider.chat.history.md"),
        Path("/h/.aider.input.history"),
    ]


def test_a_line_without_end_is_told(tmp_path: Path) -> None:
    found = items("aider", chat(tmp_path, CHAT + "x" * (17 << 20)))
    assert len(errors(found)) == 1
    assert contents(found)[-1] == "Again."
