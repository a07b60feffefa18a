"""The steps of the demonstration, each a few calls of the public API.

Pilar repairs bicycles and talks to an assistant: three conversations, with a change of mind
between the first and the second. They were written for this demonstration.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from importlib.resources import as_file, files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mnemic import AuditReport, Hit, ImportResult, Memory

USER = "pilar"
CHAT = "pilar.jsonl"
_MOMENT = timedelta(milliseconds=1)


@dataclass(frozen=True, slots=True)
class Question:
    """A question, and words that the line which answers it holds; None when none should."""

    text: str
    holds: str | None


HALL = Question("Is Pilar taking the hall on Dok Noord?", "I'm not taking the hall")
ALLERGY = Question("What is Pilar allergic to?", "Never latex")
PHYSIO = Question("When is her physio?", "Thursday at 8")
WINTER = Question("What did you suggest for the winter?", "winter storage offer")
TUNER = Question("Who tunes accordions?", "Wannes in Aalst")
QUESTIONS = (HALL, ALLERGY, PHYSIO, WINTER, TUNER)

KEY_BOX = Question("Which number opens the key box?", "4471")

REFUSED = 2
"""Lines that the second import must refuse: the forgotten one, and the one that was corrected."""

MOVED = "Physio with Hanne has moved to every Monday at 18:15."
RIGHT = "Wannes in Aalter still tunes accordions. I'd trust him with it."


@dataclass(frozen=True, slots=True)
class Answer:
    """The best line for a question, or None where nothing was found."""

    question: Question
    hit: Hit | None

    @property
    def right(self) -> bool:
        """Whether the line is the one that answers."""
        if self.hit is None or self.question.holds is None:
            return self.hit is None and self.question.holds is None
        return self.question.holds in self.hit.trace.content


@dataclass(frozen=True, slots=True)
class Moment:
    """One way to ask: its clocks, and what each question gets."""

    label: str
    as_of: datetime | None
    known_at: datetime | None
    answers: tuple[Answer, ...]

    @property
    def right(self) -> bool:
        """Whether each question got what these clocks should give."""
        return all(answer.right for answer in self.answers)


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What became of a line that was forgotten, and of the chat's second import."""

    before: Answer
    after: Answer
    again: ImportResult
    after_import: Answer

    @property
    def stays(self) -> bool:
        """Whether it was there, is gone, and was kept out."""
        gone = not self.after.right and not self.after_import.right
        return self.before.right and gone and self.again.imported == 0


class Story:
    """The demonstration on one brain; the steps are called in the order they stand in."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory
        self.pilar = memory.bind(user=USER, actor="demo")

    def import_chat(self) -> ImportResult:
        """Import the three conversations."""
        with as_file(files(__package__).joinpath(CHAT)) as path:
            return self.memory.import_from(path, bind=self.pilar)

    def ask(
        self,
        question: Question,
        *,
        as_of: datetime | None = None,
        known_at: datetime | None = None,
    ) -> Answer:
        """The best line for a question."""
        hits = self.pilar.recall(question.text, limit=1, as_of=as_of, known_at=known_at)
        return Answer(question, hits[0] if hits else None)

    def ask_as_another(self, question: Question) -> int:
        """How many lines another user gets for the same question."""
        return len(self.memory.bind(user="joris", actor="demo").recall(question.text))

    def change(self, physio: Hit, tuner: Hit) -> tuple[Moment, ...]:
        """Something changed in the world, and something was wrong; then ask on both clocks.

        The physio moved a week ago: the old line gets an end, a new one begins. The tuner's town
        was a slip: its line is corrected, as if it had always said so.
        """
        before = datetime.now(UTC) - _MOMENT
        week_ago, month_ago = before - timedelta(days=7), before - timedelta(days=30)
        self.pilar.correct(physio.trace.id, valid_to=week_ago, reason="moved to another day")
        self.pilar.remember(MOVED, role="user", speaker="Pilar", time=week_ago, valid_from=week_ago)
        self.pilar.correct(tuner.trace.id, RIGHT, reason="it is Aalter, not Aalst")
        old, new, wrong, right = "Thursday at 8", "Monday at 18:15", "Aalst", "Aalter"
        return (
            self._moment("now", None, None, new, right),
            self._moment("as_of last month", month_ago, None, old, right),
            self._moment("known_at before", None, before, old, wrong),
            self._moment("known_at last month", None, month_ago, None, None),
        )

    def _moment(
        self,
        label: str,
        as_of: datetime | None,
        known_at: datetime | None,
        physio: str | None,
        tuner: str | None,
    ) -> Moment:
        questions = (Question(PHYSIO.text, physio), Question(TUNER.text, tuner))
        answers = [self.ask(one, as_of=as_of, known_at=known_at) for one in questions]
        return Moment(label, as_of, known_at, tuple(answers))

    def forget(self) -> Forgotten:
        """Forget a line, and import the chat again."""
        before = self.ask(KEY_BOX)
        if before.hit is not None:
            self.pilar.forget(before.hit.trace.id, reason="she asked to")
        after = self.ask(KEY_BOX)
        return Forgotten(before, after, self.import_chat(), self.ask(KEY_BOX))

    def verify(self) -> AuditReport:
        """Walk the audit chain."""
        return self.memory.audit.verify()
