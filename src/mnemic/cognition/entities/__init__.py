"""Names in texts: of people, places, organisations, works and things."""

from mnemic.cognition.entities.find import find_entities
from mnemic.cognition.entities.named import EntityFinder, Named, entity_key
from mnemic.cognition.entities.said import named_in_facts

__all__ = ["EntityFinder", "Named", "entity_key", "find_entities", "named_in_facts"]
