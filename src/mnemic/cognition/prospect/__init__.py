"""What is to be done later: the times, events and matters at which it is remembered."""

from mnemic.cognition.prospect.clocks import Hours
from mnemic.cognition.prospect.expressions import When, find_when
from mnemic.cognition.prospect.notice import Noticed, intended
from mnemic.cognition.prospect.recurrence import checked_rule, next_after
from mnemic.cognition.prospect.triggers import (
    Intention,
    Trigger,
    Waiting,
    after_firing,
    by_importance,
    is_due,
)

__all__ = [
    "Hours",
    "Intention",
    "Noticed",
    "Trigger",
    "Waiting",
    "When",
    "after_firing",
    "by_importance",
    "checked_rule",
    "find_when",
    "intended",
    "is_due",
    "next_after",
]
