"""API keys as their users see them; institutions decide what a key may do."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountApiKey:
    """A live API key that a user created: it works whatever their password is."""

    id: UUID
    name: str
    institution_id: UUID
    institution_name: str
    created_at: datetime
    last_used_at: datetime | None
