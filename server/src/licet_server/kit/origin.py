"""Who caused a change."""

from typing import Literal
from uuid import UUID

from msgspec import Struct

ActorKind = Literal["User", "ApiKey", "ProductKey", "Connector", "Console", "System"]


class Origin(Struct, frozen=True):
    """Who caused a change, from which IP address, in which request.

    `of_instance` is set for those who administer the service itself: system Admins and the console.
    What they change is recorded for the instance as well.
    """

    actor_kind: ActorKind = "System"
    actor_id: UUID | None = None
    actor_name: str | None = None
    ip_address: str | None = None
    request_id: str | None = None
    of_instance: bool = False


CONSOLE = Origin(actor_kind="Console", of_instance=True)
"""Whoever runs a command of `licet-server`."""
