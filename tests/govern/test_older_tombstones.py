"""What brains of the first revision had rejected stays rejected in this one."""

from __future__ import annotations

import hashlib
import hmac
import unicodedata
from pathlib import Path

import pytest
from sqlalchemy import text

from mnemic import Memory, Settings, Status
from mnemic.store import migrations, sqlite
from tests.conftest import Opener
from tests.govern.readers import id_of

KEY = b"k" * 32
SCOPES = {"user": "ana", "thread": "ana//monday", "persona": "ana::coach", "organization": "acme"}


def mark(scope: str, scope_id: str, value: str) -> bytes:
    """The digest that the first revision kept of a value."""
    folded = unicodedata.normalize("NFKC", value).casefold()
    form = " ".join(unicodedata.normalize("NFKC", folded).split())
    mac = hmac.new(KEY, digestmod=hashlib.sha256)
    for part in ("tombstone", scope, scope_id, form):
        mac.update(len(part.encode()).to_bytes(8, "big") + part.encode())
    return mac.digest()


def value_of(scope: str) -> str:
    return f"The {scope} gate is green"


def lifted_in(scope: str) -> str:
    return f"The {scope} wall is high"


@pytest.fixture
def older(tmp_path: Path) -> Path:
    """The file of a brain of revision 0001 in which a value was rejected in each scope."""
    path = tmp_path / "brain.db"
    engine = sqlite.connect(path, Settings())
    with engine.connect() as connection, connection.begin():
        connection.exec_driver_sql(f"PRAGMA application_id = {sqlite.APPLICATION_ID}")
        migrations.upgrade(connection, "0001")
        connection.execute(
            text("INSERT INTO key_ring (brain_id, version, key, created_at) VALUES (:b, 1, :k, 1)"),
            {"b": "main", "k": KEY},
        )
        for scope, scope_id in SCOPES.items():
            for value, lifted in ((value_of(scope), None), (lifted_in(scope), 5)):
                connection.execute(
                    text("INSERT INTO tombstones VALUES (:b, :s, :i, :d, 1, :l)"),
                    {"b": "main", "s": scope, "i": scope_id, "l": lifted,
                     "d": mark(scope, scope_id, value)},
                )  # fmt: skip
    engine.dispose()
    return path


@pytest.fixture
def memory(older: Path, open_brain: Opener) -> Memory:
    """That brain, brought up to date."""
    return open_brain()


@pytest.mark.parametrize("scope", SCOPES)
def test_a_value_of_the_first_form_stays_rejected(memory: Memory, scope: str) -> None:
    ana = memory.bind(user="ana", thread="monday", persona="coach", organization="acme")
    for value in (value_of(scope), value_of(scope).upper(), f" {value_of(scope)}\n"):
        assert ana.remember(value, scope=scope).reason == "rejected"
    assert ana.remember(f"{value_of(scope)}, they say", scope=scope).status in (
        Status.STORED, Status.CANDIDATE
    )  # fmt: skip
    assert ana.remember("The gate is grey", scope=scope).status is Status.STORED


@pytest.mark.parametrize("scope", SCOPES)
def test_one_that_was_lifted_stays_lifted(memory: Memory, scope: str) -> None:
    ana = memory.bind(user="ana", thread="monday", persona="coach", organization="acme")
    assert ana.remember(lifted_in(scope), scope=scope).status is Status.STORED


def test_it_holds_under_a_new_key_and_in_another_process(
    memory: Memory, open_brain: Opener
) -> None:
    memory.rotate_key()
    for each in (memory, open_brain()):
        ana = each.bind(user="ana")
        assert ana.remember(value_of("user")).reason == "rejected"
        assert ana.remember(f"fine {id(each)}").status is Status.STORED


def test_it_holds_for_the_users_other_scopes_too(memory: Memory) -> None:
    ana = memory.bind(user="ana", thread="tuesday")
    assert ana.remember(value_of("user"), scope="thread").reason == "rejected"
    assert memory.bind(user="bob").remember(value_of("user")).status is Status.STORED


def test_a_value_that_is_rejected_anew_has_a_mark_of_the_new_form(memory: Memory) -> None:
    ana = memory.bind(user="ana")
    ana.forget(id_of(ana.remember("The wall is low")), reason="wrong")
    assert ana.remember("“The wall is low.”").reason == "rejected"
    assert memory.stats().tombstones == len(SCOPES) + 1


def test_readmitting_lifts_the_older_ones_as_well(memory: Memory) -> None:
    ana = memory.bind(user="ana")
    assert memory.reviewer("eva").readmit(ana.principal, reason="r") == len(SCOPES) - 1
    assert ana.remember(value_of("user")).status is Status.STORED
