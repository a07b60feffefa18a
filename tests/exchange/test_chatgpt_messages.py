"""ChatGPT's export: what each kind of message becomes."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter
from typing import Any

import pytest

from mnemic.exchange.chats.chatgpt_marks import readable
from mnemic.model.origin import Role, SourceType
from mnemic.model.trace import TraceType
from tests.exchange.chat_support import (
    contents,
    drafts,
    only,
    skipped,
)
from tests.exchange.chatgpt_samples import message, one


def test_custom_instructions_are_memories_of_their_own(tmp_path: Path) -> None:
    wrapped = message(
        "user",
        kind="user_editable_context",
        content={"user_profile": "I sail.", "user_instructions": "Be brief."},
        metadata={"is_visually_hidden_from_conversation": True},
    )
    draft = only(one(tmp_path, wrapped))
    assert (draft.content, draft.type) == ("I sail.\n\nBe brief.", TraceType.SEMANTIC)
    assert (draft.tags, draft.role) == (("custom instructions",), Role.USER)
    bare = {"about_user_message": "I row.", "about_model_message": None}
    wrapped["metadata"]["user_context_message_data"] = bare
    assert only(one(tmp_path, wrapped)).content == "I row."
    old = message("system", "", metadata={"user_context_message_data": bare})
    assert only(one(tmp_path, old)).tags == ("custom instructions",)
    wrapped["content"] = {"content_type": "user_editable_context"}
    wrapped["metadata"] = {}
    assert skipped(one(tmp_path, wrapped)) == {"boat/n1": "no text"}


def test_what_the_assistant_saved_is_a_memory(tmp_path: Path) -> None:
    items = one(
        tmp_path,
        message("assistant", "Ines owns a sloop.", to="bio"),
        message("tool", "Model set context updated.", author={"role": "tool", "name": "bio"}),
        message(
            "assistant",
            kind="model_editable_context",
            content={"model_set_context": "1. Ines sails."},
        ),
        message("assistant", kind="model_editable_context", content={"model_set_context": ""}),
    )
    saved = drafts(items)
    assert [draft.content for draft in saved] == ["Ines owns a sloop.", "1. Ines sails."]
    assert {draft.tags for draft in saved} == {("saved memory",)}
    assert {draft.type for draft in saved} == {TraceType.SEMANTIC}
    assert {draft.source for draft in saved} == {SourceType.AGENT_INFERENCE}
    assert skipped(items) == {"boat/n2": "tool output", "boat/n4": "no text"}


@pytest.mark.parametrize(
    ("not_said", "reason"),
    [
        (message("system", "You are helpful."), "system message"),
        (message("tool", "42"), "tool output"),
        (message("assistant", "x = 42", kind="code", to="python"), "tool call"),
        (message("assistant", "{}", to="browser"), "tool call"),
        (message("assistant", kind="thoughts", content={"thoughts": [{"c": "Hm"}]}), "thinking"),
        (message("assistant", kind="reasoning_recap", content={"content": "Hm"}), "thinking"),
        (message("assistant", kind="execution_output", content={"text": "42"}), "tool output"),
        (message("tool", kind="tether_browsing_display", content={"result": "x"}), "tool output"),
        (message("tool", kind="system_error", content={"text": "x"}), "system message"),
        (
            message("user", "Hid", metadata={"is_visually_hidden_from_conversation": True}),
            "hidden",
        ),
        (message("user", ""), "no text"),
        (message("user", " \n"), "no text"),
        (message("user", None, 7, {"content_type": "x"}), "attachment"),
        (message("user", {"asset_pointer": "file-service://f1"}), "attachment"),
        (message("user", "", metadata={"attachments": [{"name": "a.pdf"}]}), "attachment"),
    ],
)
def test_what_was_not_said_is_passed_over_with_its_reason(
    tmp_path: Path, not_said: Any, reason: str
) -> None:
    items = one(tmp_path, message("user", "Said."), not_said)
    assert contents(items) == ["Said."]
    assert skipped(items) == {"boat/n2": reason}


def test_what_was_said_aloud_is_kept_and_images_are_named(tmp_path: Path) -> None:
    draft = only(
        one(
            tmp_path,
            message(
                "user",
                {"content_type": "audio_transcription", "text": "Look at this."},
                {"content_type": "audio_asset_pointer", "asset_pointer": "sediment://s1"},
                "It is my boat.",
                {"text": "No kind."},
                {"asset_pointer": "sediment://i1"},
                kind="multimodal_text",
                metadata={"attachments": [{"name": "boat.png"}, {"id": "f9"}, "odd"]},
            ),
        )
    )
    assert draft.content == "Look at this.\nIt is my boat.\nNo kind."
    assert draft.metadata["attachments"] == ["boat.png", "f9", "sediment://s1", "sediment://i1"]


def test_code_and_quotes_are_read(tmp_path: Path) -> None:
    code = message("assistant", kind="code", content={"parts": None, "text": "print(42)"})
    quote = message(
        "user",
        kind="tether_quote",
        content={"parts": None, "title": "Varnish", "text": "Three coats."},
    )
    cited = message(
        "assistant", "Use \ue203spar varnish\ue204\ue200cite\ue202turn0search1\ue201 on it."
    )
    found = drafts(one(tmp_path, code, quote, cited))
    assert [draft.content for draft in found] == [
        "print(42)",
        "Varnish\nThree coats.",
        "Use spar varnish on it.",
    ]
    assert found[1].source is SourceType.RETRIEVED_DOCUMENT


@pytest.mark.parametrize(
    ("marked", "shown"),
    [
        ("plain, naïve and 漢字", "plain, naïve and 漢字"),
        ("a\ue200cite\ue202turn0search1\ue202turn0news2\ue201b", "ab"),
        ("\ue203a\ue204", "a"),
        ('a\ue200image_group\ue202{"query":["boats"]}\ue201', "a"),
        ('In \ue200entity\ue202["city","Lisbon","in Portugal"]\ue201.', "In Lisbon."),
        ("In \ue200entity\ue202Lisbon\ue201.", "In Lisbon."),
        ("\ue200navlist\ue202On varnish\ue202turn0news26\ue201", "On varnish"),
        ("\ue200link_title\ue202The yard\ue202search1\ue201", "The yard"),
        ("\ue200cite\ue202 never ended", "\ue200cite\ue202 never ended"),
        ('\ue200entity\ue202["city"]\ue201', '["city"]'),
        ("\ue200entity\ue202" + "[" * 20_000 + "\ue201", "[" * 20_000),
    ],
)
def test_marks_of_the_app_are_replaced_by_what_they_show(marked: str, shown: str) -> None:
    assert readable(marked) == shown


def test_marks_without_an_end_are_not_slow() -> None:
    start = perf_counter()
    assert readable("\ue200cite\ue202a" * 200_000)
    assert perf_counter() - start < 5
