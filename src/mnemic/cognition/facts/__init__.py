"""Facts that can be compared: found in plain sentences by rules, and set against each other."""

from mnemic.cognition.facts.attributes import Attribute, attribute
from mnemic.cognition.facts.compare import Relation, compare
from mnemic.cognition.facts.find import find_facts

__all__ = ["Attribute", "Relation", "attribute", "compare", "find_facts"]
