"""Names for what SQLAlchemy gives: rows and queries of any columns."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Row, Select

AnyRow = Row[*tuple[Any, ...]]
AnySelect = Select[*tuple[Any, ...]]
