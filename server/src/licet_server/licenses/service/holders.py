"""Who holds licenses, as their vendor sees it: an end user, or the institution of a customer."""

from dataclasses import dataclass, replace
from typing import Literal, Protocol
from uuid import UUID

from licet_server.identity.rules.memberships import Role
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.database import Connection
from licet_server.licenses.rules.model import License
from licet_server.licenses.service.customers import fetch_received_license, lock_received_license
from licet_server.licenses.service.receivers import fetch_own_license, lock_own_license

HolderKind = Literal["EndUser", "Customer"]


class LicenseHolder(Protocol):
    """A user with the licenses that they hold, or manage for their institution."""

    @property
    def kind(self) -> HolderKind:
        """As events name it."""
        ...

    @property
    def user_id(self) -> UUID:
        """The user."""
        ...

    async def fetch(self, db: Connection, license_id: UUID) -> License:
        """One of the licenses, to read.

        Raises:
            Refused: `NotFound`, `Forbidden`.
        """
        ...

    async def lock(self, db: Connection, license_id: UUID) -> License:
        """One of the licenses, to change something under it: fetched `FOR NO KEY UPDATE`.

        Raises:
            Refused: `NotFound`, `Forbidden`.
        """
        ...


@dataclass(frozen=True, slots=True)
class EndUserHolder:
    """The licenses issued to a user with a verified e-mail address."""

    operator: Operator
    kind: HolderKind = "EndUser"

    @property
    def user_id(self) -> UUID:
        """The user."""
        return self.operator.user_id

    async def fetch(self, db: Connection, license_id: UUID) -> License:
        """One of the licenses, to read."""
        return await fetch_own_license(db, self.operator, license_id)

    async def lock(self, db: Connection, license_id: UUID) -> License:
        """One of the licenses, to change something under it."""
        return await lock_own_license(db, self.operator, license_id)


@dataclass(frozen=True, slots=True)
class CustomerHolder:
    """The licenses of the user's institutions; Owners and Admins change something under them."""

    operator: Operator
    kind: HolderKind = "Customer"

    @property
    def user_id(self) -> UUID:
        """The user."""
        return self.operator.user_id

    async def fetch(self, db: Connection, license_id: UUID) -> License:
        """One of the licenses, to read."""
        return await fetch_received_license(db, self.operator, license_id)

    async def lock(self, db: Connection, license_id: UUID) -> License:
        """One of the licenses, to change something under it."""
        admin = replace(self.operator, needed=Role.ADMIN)
        return await lock_received_license(db, admin, license_id)
