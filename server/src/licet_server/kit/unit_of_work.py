"""The unit of work: what a use case needs to make a change in one transaction."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from licet_server.kit.database import Connection
from licet_server.kit.ids import new_id
from licet_server.kit.keyring import Keyring
from licet_server.kit.origin import Origin


@dataclass(frozen=True, slots=True)
class UnitOfWork:
    """One transaction, its instant, and its origin.

    `address` is the public address of the service, for links in e-mails.
    """

    db: Connection
    now: datetime
    origin: Origin
    keyring: Keyring
    address: str

    def new_id(self) -> UUID:
        """Return a new ID for something created now."""
        return new_id(self.now)
