"""What leaves a brain in a file, and what a file brings in: the same rights hold both ways."""

from __future__ import annotations

import json
from pathlib import Path

from mnemic import BoundMemory, Memory
from mnemic.evals.prove.case import Cases, Mark
from mnemic.evals.prove.tombstones import VALUE
from mnemic.evals.prove.world import World, readers, said

SECRET = "The okapi sleeps in the north barn"
GONE = "The old barn was painted green"

cases = Cases()
_S, _T, _D = Mark.SCOPE_ENFORCED, Mark.TOMBSTONE, Mark.NEGATIVE_EVAL


def _texts(
    world: World, memory: Memory, bound: BoundMemory | None, *, withheld: bool = False
) -> str:
    """All that an export holds, in each form."""
    found: list[str] = []
    for end in (".json", "", ".sqlite") if bound is None else (".json", ""):
        path = world.file("", ".tmp").with_suffix(f".export{len(found)}{end}")
        memory.export(path, bind=bound, withheld=withheld)
        files = [path] if path.is_file() else [one for one in path.rglob("*") if one.is_file()]
        found += [one.read_bytes().decode("utf-8", "replace") for one in files]
    return "\n".join(found)


@cases.negative("export.scope", _S, "A caller's export holds nothing of another user.")
def export_scope(world: World) -> None:
    """In no form, and no key of the brain's either."""
    memory = world.own()
    ana, mallory = world.bind(memory=memory), world.bind("mallory", memory)
    world.told(ana, SECRET)
    world.told(mallory, "mallory's own note")
    text = _texts(world, memory, mallory)
    world.control("mallory's own note" in text, "the caller's own is there")
    world.control(SECRET in _texts(world, memory, ana), "the owner of the text is given it")
    world.never(SECRET in text, "another user's text is in it")
    world.never('"mnemic_key_ring"' in text, "the keys are in it")


@cases.negative("export.withheld", _D, "No export holds what is withheld, unless its owner asks.")
def export_withheld(world: World) -> None:
    """What was forgotten is in the file of the brain, and in no copy that goes out of it."""
    memory = world.own()
    ana = world.bind(memory=memory)
    world.told(ana, SECRET)
    ana.forget(world.told(ana, GONE).id)
    for bound in (ana, None):
        text = _texts(world, memory, bound)
        world.control(SECRET in text, "what is believed is there")
        world.never(GONE in text, "what was forgotten is in an export")
    asked = _texts(world, memory, None, withheld=True)
    world.control(GONE in asked, "an owner who asks is given it")


@cases.negative("import.scope", _S, "A file files nothing for another than its importer.")
def import_scope(world: World) -> None:
    """Whatever scope its records name."""
    memory = world.own()
    ana, mallory = world.bind(memory=memory), world.bind("mallory", memory)
    victim = ana.principal.owner
    rows = [
        {"id": "a", "content": "I owe mallory money", "scope": "user", "scope_id": victim},
        {"id": "b", "content": "mallory's own line", "scope": "user", "scope_id": ""},
    ]
    text = json.dumps({"meta": {"scope_id_form": "encoded"}, "traces": rows})
    result = memory.import_from(world.file(text, ".json"), bind=mallory)
    world.control(said(mallory) == {"mallory's own line"}, "the importer's own line is taken")
    world.never(said(ana), "something was filed for another user")
    world.never(result.failed != 1 and result, "the other line is not told as an error")


@cases.negative("import.states", _T, "A file cannot say that something is verified, or a person's.")
def import_states(world: World) -> None:
    """Not even one of our own form; only an owner's restore of a whole brain is believed."""
    memory = world.own()
    ana = world.bind(memory=memory)
    own = {"trust": "verified", "origin": "person", "channel": "sdk", "source": "human_approval"}
    metadata = json.dumps({"mnemic": own})
    row = {"id": "a", "content": SECRET, "scope": "user", "scope_id": "", "metadata": metadata}
    text = json.dumps({"meta": {}, "traces": [row]})
    memory.import_from(world.file(text, ".json"), bind=ana)
    found = ana.list()
    world.control([one.content for one in found] == [SECRET], "the text is there")
    trace = found[0]
    world.never(trace.trust != "believed" and trace.trust, "the file set its trust")
    world.never(trace.channel != "import" and trace.channel, "the file set its channel")


@cases.negative("restore.tombstones", _T, "A restored brain refuses what was rejected before.")
def restored(world: World) -> None:
    """From both forms of a whole brain; and one that holds something already does too."""
    memory = world.own()
    ana = world.bind(memory=memory)
    ana.forget(world.told(ana, VALUE).id, reason="wrong")
    world.told(ana, SECRET)
    for end in (".json", ".sqlite"):
        path = world.file("", ".tmp").with_suffix(f".whole{end}")
        memory.export(path)
        for name, before in (("an empty brain", ()), ("one that holds something", ("a note",))):
            other = world.own()
            who = world.bind(memory=other)
            for text in before:
                world.told(who, text)
            world.control(other.import_from(path).imported, f"{name} takes the rest")
            world.control(SECRET in said(who), f"{name} gives it")
            world.refuses(who.remember(VALUE), f"the rejected value, in {name}")
            world.never(readers(who, VALUE), "a reader gives it")


@cases.negative("import.old_note", _T, "A note that was exported before undoes no correction.")
def old_note(world: World) -> None:
    """A folder of notes is older than the brain as soon as that changes."""
    memory = world.own()
    ana = world.bind(memory=memory)
    trace = world.told(ana, VALUE)
    other = world.told(ana, SECRET)
    folder = Path(world.file("", ".notes.txt")).with_suffix(".folder")
    memory.export(folder, format="markdown", bind=ana)
    now = {"The spare key is with Rosa", "The okapi sleeps in the south barn"}
    for of, text in zip((trace, other), sorted(now, reverse=True), strict=True):
        ana.update(of.id, content=text)
    ana.correct(trace.id, "The spare key is in the shed", reason="moved")
    ana.correct(trace.id, "The spare key is with Rosa", reason="back again")
    memory.import_from(folder, format="markdown", bind=ana)
    world.control(said(ana) == now, "the newer texts stand")
    world.never(readers(ana, SECRET), "a reader gives what was updated since")
    world.never(readers(ana, VALUE), "a reader gives the old value")
    ana.forget(trace.id)
    memory.import_from(folder, format="markdown", bind=ana)
    world.never(said(ana) - now, "a note has brought back what was forgotten")
