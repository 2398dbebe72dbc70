"""Issues and ends device tokens."""

from uuid import UUID

from licet_server.kit.database import Connection
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.licenses.rules.model import License
from licet_server.licenses.rules.tokens import DeviceTokenOf, new_token
from licet_server.licenses.storage import device_tokens as storage

TOKENS_KEPT = 1_000
"""How many tokens of a device work: users of a terminal server or jobs of a CI project are one."""


async def issue_device_token(
    work: UnitOfWork, license_: License, activation_id: UUID, hardware_id: str
) -> str:
    """Issue a token to a device that has an activation. The license's terms must be locked."""
    token = DeviceTokenOf(license_.institution_id, license_.product_id, new_token(), hardware_id)
    await storage.insert_token(
        work.db,
        token,
        license_id=license_.id,
        activation_id=activation_id,
        now=work.recorded_at,
        kept=TOKENS_KEPT,
    )
    return token.token


async def end_device_tokens(db: Connection, institution_id: UUID, activation_id: UUID) -> None:
    """End the tokens of a device that is removed, although its activation is kept."""
    await storage.delete_tokens(db, institution_id, activation_id)
