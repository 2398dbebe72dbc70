"""Who caused a change."""

from dataclasses import dataclass
from typing import Literal
from uuid import UUID

ActorKind = Literal["User", "ApiKey", "ProductKey", "System"]


@dataclass(frozen=True, slots=True)
class Origin:
    """Who caused a change, from which IP address, in which request."""

    actor_kind: ActorKind = "System"
    actor_id: UUID | None = None
    actor_name: str | None = None
    ip_address: str | None = None
    request_id: str | None = None
