"""Whose figures are asked for."""

from dataclasses import dataclass
from uuid import UUID


@dataclass(frozen=True, slots=True)
class Scope:
    """Institutions that the operator sees, and one product of theirs or all (`None`)."""

    institution_ids: list[UUID]
    product_id: UUID | None
