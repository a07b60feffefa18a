"""`mnemic erase`: what goes, what stays, what the certificate says, and who is asked first."""

from __future__ import annotations

import sqlite3
import sys
from contextlib import closing
from datetime import UTC, datetime

import pytest
from rich.console import RenderableType

from mnemic import Certificate, Residue
from mnemic.cli import erasing
from mnemic.cli.output import console
from tests.cli.conftest import Cli
from tests.cli.terminal import on_terminal

CERTIFICATE = {
    "target",
    "at",
    "erased",
    "returned",
    "counts",
    "audit_seq",
    "audit_hash",
    "compacted",
    "searched",
    "residues",
    "ok",
}
KEY = "The spare key lies under the blue flowerpot."


def contents(cli: Cli, *args: str) -> list[str]:
    return sorted(one["content"] for one in cli.json("list", *args)["traces"])


def bytes_of(cli: Cli) -> bytes:
    return b"".join(file.read_bytes() for file in cli.brain.parent.iterdir())


def test_one_trace_goes_from_the_file_as_well(cli: Cli) -> None:
    trace = cli.remember(KEY)
    cli.remember("The tram is late.")
    assert b"flowerpot" in bytes_of(cli)
    told = cli.json("erase", trace, "--yes")
    assert set(told) == CERTIFICATE
    assert (told["ok"], told["target"], told["erased"]) == (True, "trace", [trace])
    hashes = {one["seq"]: one["hash"] for one in cli.json("audit", "log")["entries"]}
    assert hashes[told["audit_seq"]] == told["audit_hash"]
    assert told["counts"]["traces"] == 1
    assert contents(cli) == ["The tram is late."]
    assert b"flowerpot" not in bytes_of(cli)
    cli.error("history", trace, code=1)
    assert cli.json("remember", KEY, code=1)["status"] == "refused"


def test_the_certificate_is_a_table(cli: Cli) -> None:
    trace = cli.remember(KEY)
    text = cli("erase", trace, "--yes").stdout
    for part in (
        "1 traces (trace)",
        "written anew",
        "pieces in",
        "rows taken out",
        "trace_versions",
        "nothing of it is left",
    ):
        assert part in text
    assert "flowerpot" not in text
    entries = cli.json("audit", "log", f"--trace={trace}")["entries"]
    assert (entries[-1]["action"], entries[-1]["outcome"]) == ("erase", "erased")
    assert max(map(len, text.splitlines())) <= 80


def test_what_rested_on_it_goes_or_returns_to_review(cli: Cli) -> None:
    first, second = cli.remember(KEY), cli.remember("Tove has a key too.")
    alone = cli.remember("Somebody can let us in.", f"--derived-from={first}")
    both = cli.remember(
        "There are two keys.", f"--derived-from={first}", f"--derived-from={second}"
    )
    told = cli.json("erase", first, "--yes")
    assert sorted(told["erased"]) == sorted([first, alone])
    assert told["returned"] == [both]
    assert [one["kind"] for one in cli.items()] == ["support_lost"]
    third = cli.remember("A third key.")
    cli("remember", "All the keys.", f"--derived-from={second}", f"--derived-from={third}")
    text = cli("erase", third, "--yes").stdout
    assert "1 wait for a reviewer" in text


def test_all_of_a_user(cli: Cli) -> None:
    cli.remember(KEY)
    cli.remember("On the walk.", "--thread=walks", "--scope=thread")
    cli.remember("Not yours.", "--user=bob")
    told = cli.json("erase", "--user-data", "--yes")
    assert (told["target"], len(told["erased"])) == ("user", 2)
    assert contents(cli, "--thread=walks") == []
    assert contents(cli, "--user=bob") == ["Not yours."]
    assert cli.json("remember", "Something new.")["status"] == "stored"
    assert "nothing of user 'eve'" in cli.error("erase", "--user-data", "--user=eve", "-y", code=1)


def test_of_a_conversation(cli: Cli) -> None:
    cli.remember(KEY, "--thread=walks")
    cli.remember("In another one.", "--thread=talks")
    cli.remember("Not yours.", "--user=bob", "--thread=walks")
    assert len(cli.json("erase", "--of-thread=walks", "--yes")["erased"]) == 1
    assert contents(cli) == ["In another one."]
    assert contents(cli, "--user=bob") == ["Not yours."]


def test_of_a_source_whoever_filed_it(cli: Cli) -> None:
    for user in ("me", "bob"):
        cli.remember(f"{KEY} So says {user}.", "--source-id=manual.pdf", f"--user={user}")
    cli.remember("Of my own.")
    assert len(cli.json("erase", "--source=manual.pdf", "--yes")["erased"]) == 2
    assert contents(cli) == ["Of my own."]
    assert contents(cli, "--user=bob") == []


def test_a_user_who_is_forgotten_stays_out_until_readmitted(cli: Cli) -> None:
    cli.remember(KEY)
    assert cli.json("erase", "--forget-user", "--yes")["ok"] is True
    refused = cli.json("remember", "Something new.", code=1)
    assert (refused["status"], refused["reason"]) == ("refused", "forgotten")
    assert cli.json("remember", "Something new.", "--user=bob")["status"] == "stored"
    cli("review", "readmit", "--reason=came back")
    assert cli.json("remember", "Something new.")["status"] == "stored"


def test_namespaces_keep_users_of_one_name_apart(cli: Cli) -> None:
    cli.remember("At Acme.", "--namespace=acme")
    cli.remember("At Initech.", "--namespace=initech")
    cli("erase", "--user-data", "--namespace=acme", "--yes")
    assert contents(cli, "--namespace=acme") == []
    assert contents(cli, "--namespace=initech") == ["At Initech."]


def test_another_user_s_trace_is_not_found(cli: Cli) -> None:
    trace = cli.remember(KEY)
    cli.error("erase", trace, "--user=bob", "--yes", code=1)
    assert contents(cli) == [KEY]


def test_without_a_terminal_it_takes_a_yes(cli: Cli) -> None:
    trace = cli.remember(KEY)
    for words in ([trace], ["--user-data"], ["--forget-user"]):
        assert "--yes" in cli.error("erase", *words, code=2, stdin="y\n")
    assert contents(cli) == [KEY]


def test_what_could_not_be_taken_out_of_the_file_is_a_no(cli: Cli) -> None:
    trace = cli.remember(KEY)
    cli.env["MNEMIC_STORAGE__BUSY_TIMEOUT_MS"] = "50"
    with closing(sqlite3.connect(cli.brain, isolation_level=None)) as other:
        other.execute("BEGIN")
        other.execute("SELECT count(*) FROM traces").fetchone()
        told = cli.json("erase", trace, "--yes", code=1)
        assert (told["ok"], told["compacted"]) == (False, False)
        assert cli.json("compact", code=1) == {"compacted": False}
        assert "may still be in the file" in " ".join(cli("doctor", code=1).stdout.split())
        other.execute("ROLLBACK")
    assert contents(cli) == []
    assert cli("compact").stdout == "written anew\n"
    assert cli.json("doctor")["ok"] is True


def certificate(*residues: Residue, ok: bool) -> str:
    """How a certificate with some residues reads."""
    made = Certificate(
        target="trace",
        at=datetime(2026, 6, 1, tzinfo=UTC),
        erased=("mt_1",),
        returned=(),
        counts={"traces": 1},
        audit_seq=7,
        audit_hash="f" * 64,
        compacted=ok,
        searched={"pieces": 3, "bytes": 1_000, "questions": 2},
        residues=residues,
        ok=ok,
    )
    parts: list[RenderableType] = erasing.certificate(made)
    out = console()
    with out.capture() as captured:
        for part in parts:
            out.print(part)
    return captured.get()


def test_what_was_found_is_listed_the_worst_first() -> None:
    shared = [Residue(f"brain.db at {at}", shared=True) for at in range(12)]
    text = certificate(*shared, Residue("recall of mt_9", shared=False), ok=False)
    lines = [line for line in text.splitlines() if "mt_9" in line or "brain.db" in line]
    assert "mt_9" in lines[0]
    assert lines[0].rstrip().endswith("no")
    assert "by what stays" in lines[1]
    assert "and 3 more" in text
    assert "something of it may be left" in text
    assert "not written anew" in text
    assert "nothing of it is left" in certificate(*shared, ok=True)


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_on_a_terminal_it_shows_what_goes_and_asks(cli: Cli) -> None:
    trace, brain = cli.remember(f"{KEY} \x1b[31mred"), {"MNEMIC_BRAIN": str(cli.brain)}
    for answer in ("n\n", "\n", "yse\n", "\x04"):
        seen = on_terminal("erase", trace, env=brain, answers=[("[y/N]", answer)], code=1)
        assert "nothing was erased" in seen
        assert KEY in seen
        assert "\x1b[31mred" not in seen
    assert len(contents(cli)) == 1
    seen = on_terminal("erase", trace, env=brain, answers=[("[y/N]", "y\n")])
    assert "nothing of it is left" in seen
    assert contents(cli) == []


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["--user-data"], "all that user 'me' filed"),
        (["--forget-user"], "take nothing more"),
        (["--of-thread=walks"], "thread 'walks'"),
        (["--source=manual.pdf"], "whoever filed it"),
        (["mt_0"], "trace 'mt_0'"),
    ],
)
def test_the_question_says_what_is_meant(cli: Cli, words: list[str], named: str) -> None:
    cli("init")
    brain = {"MNEMIC_BRAIN": str(cli.brain)}
    seen = on_terminal("erase", *words, env=brain, answers=[("[y/N]", "n\n")], code=1)
    assert named in " ".join(seen.split())
