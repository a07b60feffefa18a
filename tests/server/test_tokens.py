"""Who a client is: what tokens may be, and what no message may repeat."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic import Principal
from mnemic.errors import InvalidInput
from mnemic.server.mcp.tokens import Tokens, tokens_from, tokens_in

ANA, BOB = "ana-0123456789abcdef", "bob-0123456789abcdef"


def test_a_token_stands_for_its_principal() -> None:
    ids = {"user": "bob", "namespace": "acme", "persona": "poet", "actor": "editor"}
    bob = Principal(user="bob", namespace="acme", persona="poet", actor="editor")
    tokens = tokens_from(json.dumps({ANA: {"user": "ana"}, BOB: ids}), "here")
    assert tokens.principal_of(f"Bearer {ANA}") == Principal(user="ana")
    assert tokens.principal_of(f"bearer  {BOB} ") == bob
    assert tokens.principals == (Principal(user="ana"), bob)


def test_two_tokens_may_stand_for_one_principal() -> None:
    tokens = tokens_from(json.dumps({ANA: {"user": "ana"}, BOB: {"user": "ana"}}), "here")
    assert tokens.principals == (Principal(user="ana"),)
    assert tokens.principal_of(f"Bearer {ANA}") == tokens.principal_of(f"Bearer {BOB}")


@given(st.one_of(st.none(), st.text(), st.text().map(lambda text: f"Bearer {text}")))
def test_nothing_else_stands_for_anybody(header: str | None) -> None:
    tokens = Tokens.of({ANA: Principal(user="ana")})
    assert tokens.principal_of(f"Bearer {ANA}") is not None
    assert tokens.principal_of(header) is None


def test_tokens_are_not_kept() -> None:
    tokens = Tokens.of({ANA: Principal(user="ana")})
    assert "'ana'" in repr(tokens)
    assert ANA not in repr(tokens)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "is no JSON: line 1, column 2"),
        ("[]", "must hold an object"),
        ("{}", "there is no token"),
        (f'{{"{ANA}": "ana"}}', "token 1 must have ids"),
        (f'{{"{ANA}": {{}}}}', "token 1: a principal needs at least one"),
        (f'{{"{ANA}": {{"user": ""}}}}', "token 1: user is blank"),
        (f'{{"{ANA}": {{"usr": "ana"}}}}', "token 1 has 'usr'; the ids are: user, thread"),
        (f'{{"{ANA}": {{"channel": "sdk"}}}}', "token 1 has 'channel'"),
        (f'{{"{ANA}": {{"user": "a"}}, "{ANA}": {{"user": "b"}}}}', "token 2 is there twice"),
        (f'{{"{ANA[:15]}": {{"user": "ana"}}}}', "token 1 (of 'ana') must have at least 16"),
        (f'{{"{ANA} \\u00e9": {{"user": "ana"}}}}', "printable ASCII"),
        ("[" * 100_000, "is no JSON"),
    ],
)
def test_what_cannot_be_tokens_is_told_without_telling_them(text: str, words: str) -> None:
    assert tokens_from(f'{{"{ANA}": {{"user": "ana"}}}}', "here").principals
    with pytest.raises(InvalidInput) as raised:
        tokens_from(text, "here")
    assert words in str(raised.value)
    assert ANA[:15] not in str(raised.value)


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="cannot be read"):
        tokens_in(tmp_path / "none.json")
    file = tmp_path / "tokens.json"
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(InvalidInput, match="cannot be read"):
        tokens_in(file)
    file.write_text(json.dumps({ANA: {"user": "ana"}}))
    assert tokens_in(file).principals == (Principal(user="ana"),)
