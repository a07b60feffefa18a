"""The shape of the house: which floor knows which, who may read the traces, what may be written.

All of it is read from the code, without running it.
"""

from __future__ import annotations

import ast
import getpass
import re
import shutil
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "mnemic"
FILES = sorted(SOURCE.rglob("*.py"))

FLOORS: list[set[str]] = [
    {"model"},
    {"mind_settings", "errors"},
    {"settings"},
    {"store", "cognition"},
    {"index", "govern", "graph"},
    {"encode", "retrieve"},
    {"context", "exchange", "maintain", "mind", "consolidate", "reviewer"},
    {"bound"},
    {"tools"},
    {"memory"},
    {"aio"},
    {"evals", "server", "plot"},
    {"cli"},
    {"__init__", "__main__"},
]
"""From the ground up. A room may use those of lower floors, and nothing else but itself."""

FLOOR_OF = {room: number for number, rooms in enumerate(FLOORS) for room in rooms}


def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"), str(path))


def name_of(path: Path) -> str:
    return path.relative_to(SOURCE).as_posix()


# --- floors ----------------------------------------------------------------------------------


def room_of(file: str) -> str:
    """The room that a file stands in: the folder, or the file itself on the top level."""
    return file.split("/", maxsplit=1)[0].removesuffix(".py")


def public_names() -> dict[str, str]:
    """The module that each public name comes from, as the package's head tells type checkers."""
    found = {"__version__": "mnemic.model"}
    for node in ast.walk(parsed(SOURCE / "__init__.py")):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("mnemic"):
            for alias in node.names:
                found[alias.name] = f"{node.module}.{alias.name}"
    return found


PUBLIC = public_names()


def rooms_used(tree: ast.AST, file: str) -> Iterator[tuple[int, str]]:
    """The line and the room of each import of our own, wherever it stands."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level:
            yield node.lineno, f"a relative import in {file}"
            continue
        elif isinstance(node, ast.ImportFrom) and node.module == "mnemic":
            names = [PUBLIC.get(alias.name, f"mnemic.{alias.name}") for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module or ""]
        else:
            continue
        for name in names:
            top, _, rest = name.partition(".")
            if top == "mnemic":
                yield node.lineno, rest.split(".")[0] or "__init__"


def upward(tree: ast.AST, file: str) -> list[str]:
    """The imports of a file that do not lead to a lower floor."""
    own = room_of(file)
    return [
        f"{file}:{line} ({own}) uses {room}"
        for line, room in rooms_used(tree, file)
        if room != own and not FLOOR_OF.get(room, 99) < FLOOR_OF[own]
    ]


def test_every_room_stands_on_a_floor() -> None:
    assert {room_of(name_of(path)) for path in FILES} == FLOOR_OF.keys()


@pytest.mark.parametrize(
    "planted",
    [
        "from mnemic.retrieve.recall import recall",
        "def late():\n    import mnemic.memory",
        "if TYPE_CHECKING:\n    from mnemic.retrieve import recall",
        "from mnemic import memory",
        "from mnemic import Memory",
        "from .. import memory",
        "from mnemic import nowhere",
    ],
)
def test_an_import_that_leads_up_is_seen(planted: str) -> None:
    assert upward(ast.parse("from mnemic.index.view import View"), "encode/write.py") == []
    assert len(upward(ast.parse(planted), "encode/write.py")) == 1


def test_imports_lead_down_only() -> None:
    assert [line for path in FILES for line in upward(parsed(path), name_of(path))] == []


# --- who may read and write the traces -------------------------------------------------------

TABLES = {"traces", "trace_versions"}
READERS = ("store/visible.py", "store/whole.py", "store/engrams.py")
WRITERS = ("encode/", "retrieve/touch.py")
BARE = {"evals/floor.py": "times bare SQL on a copy of a brain of its own"}

_RAW_READ = re.compile(r"\b(?:from|join)\s+[\"`\[]?(?:traces|trace_versions)\b", re.I)
_RAW_WRITE = re.compile(
    r"\b(?:insert\s+(?:or\s+\w+\s+)?into|update|delete\s+from)\s+[\"`\[]?(?:traces|trace_versions)\b",
    re.I,
)
_READS = {"select", "select_from", "join", "join_from", "outerjoin", "exists", "alias", "cte"}
_WRITES = {"insert", "insert_rows", "update", "delete"}


class Tables(ast.NodeVisitor):
    """Finds what a file does with the two tables, under whatever name it knows them.

    A name is a table's when it was imported, or was given something that holds one. What
    `visible` gives back is not: that is the way to read.
    """

    def __init__(self, tree: ast.Module) -> None:
        self.reads: list[int] = []
        self.writes: list[int] = []
        self._names: set[str] = set()
        for _ in range(3):  # an alias of an alias of an alias
            for node in ast.walk(tree):
                self._learn(node)
        self.visit(tree)

    def _learn(self, node: ast.AST) -> None:
        if isinstance(node, ast.ImportFrom | ast.Import):
            for alias in node.names:
                if alias.name in TABLES:
                    self._names.add(alias.asname or alias.name)
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                self._assigned(target, node.value)
        elif isinstance(node, ast.AnnAssign | ast.NamedExpr) and node.value is not None:
            self._assigned(node.target, node.value)

    def _assigned(self, target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
            for name, part in zip(target.elts, value.elts, strict=False):
                self._assigned(name, part)
        elif isinstance(target, ast.Name) and self._is_held(value):
            self._names.add(target.id)

    def _is_held(self, node: ast.AST) -> bool:
        """Whether an expression holds a table or a column of one, calls left aside."""
        if isinstance(node, ast.Call):
            return False
        return self._is_table(node) or any(map(self._is_held, ast.iter_child_nodes(node)))

    def _is_table(self, node: ast.AST) -> bool:
        if isinstance(node, ast.Name):
            return node.id in self._names
        return isinstance(node, ast.Attribute) and node.attr in TABLES and not _is_field(node)

    def _names_one(self, nodes: list[ast.expr]) -> bool:
        return any(self._is_table(part) for node in nodes for part in ast.walk(node))

    def visit_Call(self, node: ast.Call) -> None:
        name, of = _called(node)
        given = [*node.args, *(keyword.value for keyword in node.keywords)]
        on_one = of is not None and self._is_table(of)
        if name in _READS and (self._names_one(given) or on_one):
            self.reads.append(node.lineno)
        elif name in _WRITES and (self._names_one(given[:1]) or on_one):
            self.writes.append(node.lineno)
        elif _begins_with_select(node) and self._names_one(given):
            self.reads.append(node.lineno)  # a condition draws its table in
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, str):
            self.writes += [node.lineno] if _RAW_WRITE.search(node.value) else []
            plain = re.sub(r"\bdelete\s+from\b", "", node.value, flags=re.I)
            self.reads += [node.lineno] if _RAW_READ.search(plain) else []


def _is_field(node: ast.Attribute) -> bool:
    """`self.traces`, `stats.traces`: a number of traces, not the table."""
    return not (isinstance(node.value, ast.Name) and node.value.id in ("schema", "tables"))


def _called(node: ast.Call) -> tuple[str, ast.expr | None]:
    if isinstance(node.func, ast.Attribute):
        return node.func.attr, node.func.value
    return (node.func.id, None) if isinstance(node.func, ast.Name) else ("", None)


def _begins_with_select(node: ast.Call) -> bool:
    """Whether a chain of calls begins with `select(...)` or `exists(...)`."""
    at: ast.expr = node
    while isinstance(at, ast.Call):
        name, of = _called(at)
        if of is None:
            return name in ("select", "exists")
        at = of
    return False


def trespasses(tree: ast.Module, file: str) -> list[str]:
    """Where a file reads or writes the traces without being the one that may."""
    found = Tables(tree)
    reads = [] if file in READERS or file in BARE else found.reads
    writes = [] if file.startswith(WRITERS) or file in BARE else found.writes
    return [f"{file}:{line} reads the traces" for line in reads] + [
        f"{file}:{line} writes the traces" for line in writes
    ]


IMPORTED = (
    "from mnemic.store.schema import trace_versions, traces\n_t, _v = traces.c, trace_versions.c\n"
)
READING = {
    "the table": "select(traces)",
    "a column": "select(_t.id)",
    "a column within": "select(func.count(distinct(_t.thread)))",
    "several": "select(partitions.c.id, _v.content)",
    "an alias": "from mnemic.store.schema import traces as everything\nselect(everything.c.id)",
    "an alias of it": "_COLUMNS = (_v.digest, _t.filed_by)\nselect(*_COLUMNS)",
    "through the module": "from mnemic.store import schema\nselect(schema.traces)",
    "select_from": "select(func.count()).select_from(traces)",
    "a method": "traces.select()",
    "a join": "query.join(trace_versions, x == y)",
    "a join of it": "traces.join(trace_versions)",
    "a condition": "select(partitions.c.id).where(x).where(_t.id == partitions.c.id)",
    "exists": "exists().where(_t.id == x)",
    "raw": "connection.execute(text('SELECT content FROM trace_versions'))",
    "raw, quoted": "connection.execute(text('select * from \"traces\" t'))",
    "raw, joined": "sql = '''SELECT 1 FROM index_entries e\n JOIN  traces t'''",
    "raw, in parts": "sql = f'SELECT {columns} FROM traces'",
}
WRITING = {
    "insert": "insert(traces).values(x)",
    "many": "insert_rows(traces, connection, rows)",
    "update": "update(trace_versions).where(_v.version == 1)",
    "delete": "delete(traces)",
    "a method": "traces.update().values(x)",
    "raw": "connection.execute(text('UPDATE traces SET strength = 1'))",
    "raw delete": "connection.execute(text('DELETE FROM traces'))",
}
ALLOWED = {
    "the one way": "visible(brain, reach, clocks, _t.id, _v.content)",
    "a condition on it": "visible(b, r, c, _t.id).where(_t.time < x)",
    "another table": "select(partitions.c.id).where(partitions.c.brain_id == x)",
    "a number of traces": "Stats(traces=stats.traces)",
    "a word": "'most traces from the last year'",
}


@pytest.mark.parametrize("planted", READING)
def test_a_planted_read_is_seen(planted: str) -> None:
    tree = ast.parse(IMPORTED + READING[planted])
    for file in ("retrieve/listing.py", "encode/write.py", "maintain/health.py"):
        assert any("reads" in line for line in trespasses(tree, file))
    assert [line for file in READERS for line in trespasses(tree, file)] == []


@pytest.mark.parametrize("planted", WRITING)
def test_a_planted_write_is_seen(planted: str) -> None:
    tree = ast.parse(IMPORTED + WRITING[planted])
    for file in ("retrieve/listing.py", "memory.py"):
        assert [line.split(" ", 1)[1] for line in trespasses(tree, file)] == ["writes the traces"]
    assert trespasses(tree, "encode/change.py") == trespasses(tree, "retrieve/touch.py") == []


@pytest.mark.parametrize("planted", ALLOWED)
def test_what_is_allowed_is_allowed(planted: str) -> None:
    assert trespasses(ast.parse(IMPORTED + ALLOWED[planted]), "retrieve/listing.py") == []


def test_the_traces_are_read_in_two_places_and_written_in_two() -> None:
    for file in READERS:
        assert Tables(parsed(SOURCE / file)).reads
        assert not Tables(parsed(SOURCE / file)).writes
    assert all(Tables(parsed(SOURCE / file)).reads for file in BARE)  # or it needs no leave
    found = [
        line
        for path in FILES
        if "migrations" not in path.parts
        for line in trespasses(parsed(path), name_of(path))
    ]
    assert found == []


# --- files -----------------------------------------------------------------------------------


def test_no_file_is_longer_than_six_hundred_lines() -> None:
    lengths = {name_of(path): len(path.read_text("utf-8").splitlines()) for path in FILES}
    assert {name: length for name, length in lengths.items() if length > 600} == {}


def tracked() -> list[tuple[str, str]]:
    """The name and the text of each file that git tracks."""
    git = shutil.which("git")
    if git is None or not (ROOT / ".git").exists():
        pytest.skip("this is no checkout")
    listed = subprocess.run([git, "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True)
    found = []
    for name in listed.stdout.decode().split("\0"):
        path = ROOT / name
        if name and path.is_file():
            try:
                found.append((name, path.read_text("utf-8")))
            except UnicodeDecodeError:
                continue
    return found


def machine_words() -> list[str]:
    """What would tell on which machine a file was made; put together so that it is not here."""
    slash = "/"
    words = [slash + top + slash for top in ("work", "root", "Users", "mnt")]
    words += [f"{Path.home()}/", "--index" + "-url", "--extra-index" + "-url"]
    words += ["pypi" + ".org", "python" + "hosted", "local" + "host:", str(ROOT)]
    host, user = socket.gethostname(), getpass.getuser()
    words += [host] if len(host) > 4 else []
    words += [user] if len(user) > 4 else []
    return words


def telling(text: str) -> list[str]:
    addresses = re.findall(r"\b(?!127\.0\.0\.1|0\.0\.0\.0)\d{1,3}(?:\.\d{1,3}){3}\b", text)
    return [word for word in machine_words() if word in text] + addresses


def test_a_machine_that_is_named_is_seen() -> None:
    slash = "/"
    assert telling(f"see {slash}work{slash}notes.txt")
    assert telling(f"pip install --index{'-url'} x")
    assert telling(f"10.0.0.{7}")
    assert telling("a path such as src/mnemic, version 1.2.3") == []


def test_no_file_names_a_machine() -> None:
    found = {name: telling(text) for name, text in tracked()}
    assert {name: words for name, words in found.items() if words} == {}
