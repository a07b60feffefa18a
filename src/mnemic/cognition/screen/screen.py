"""Whether a text may be believed at once, or has to wait for a person.

Three things make it wait: it holds a secret, it tries to steer the agent, or it says something
grave about a person. What is found is named by its rule; the text itself is never repeated, as
a finding is written to places that outlive it.
"""

from __future__ import annotations

from mnemic.cognition.screen.marks import marks
from mnemic.cognition.screen.rules import rules
from mnemic.cognition.screen.secrets import secrets
from mnemic.cognition.screen.views import views
from mnemic.model.concern import Concern, Finding

_GRAVITY = {concern: place for place, concern in enumerate(Concern)}


def screen(text: str) -> tuple[Finding, ...]:
    """What makes a text wait for a person.

    Args:
        text: the text, of any length; the time it takes grows linearly with it.

    Returns:
        The findings, the gravest concern first and by sign within one, each once; empty for a
        text that may be believed.
    """
    seen = views(text)
    found = {*rules().found(seen), *marks(seen), *secrets(text, seen)}
    if not found:
        return ()
    return tuple(sorted(found, key=lambda one: (_GRAVITY[one.concern], one.sign)))
