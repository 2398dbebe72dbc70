"""The secrets of connectors: created, encrypted, and rotated with an overlap."""

import base64
import secrets
from datetime import datetime, timedelta
from uuid import UUID

from licet_server.connectors import errors
from licet_server.connectors.storage.connectors import SealedSecrets
from licet_server.kit.keyring import CannotOpen, Keyring

OVERLAP = timedelta(hours=24)

_SECRET_BYTES = 32


def new_secret() -> str:
    """Return a secret in the format of the Standard Webhooks libraries."""
    return f"whsec_{base64.b64encode(secrets.token_bytes(_SECRET_BYTES)).decode()}"


def seal_secret(keyring: Keyring, connector_id: UUID, secret: str) -> bytes:
    """Return the signing secret encrypted for storage."""
    return keyring.seal(secret.encode(), _place("secret", connector_id))


def seal_api_key(keyring: Keyring, connector_id: UUID, api_key: str) -> bytes:
    """Return the API key encrypted for storage."""
    return keyring.seal(api_key.encode(), _place("api_key", connector_id))


def replace_secret(
    keyring: Keyring, connector_id: UUID, stored: SealedSecrets, secret: str, now: datetime
) -> SealedSecrets:
    """Replace the current signing secret, which stays valid for 24 hours, unless it is lost."""
    sealed = seal_secret(keyring, connector_id, secret)
    try:
        current = keyring.open(stored.secret, _place("secret", connector_id))
    except CannotOpen:  # a lost master key must not keep the connector from a new secret
        return SealedSecrets(sealed)
    previous = keyring.seal(current, _place("previous_secret", connector_id))
    return SealedSecrets(sealed, previous, now + OVERLAP)


def open_secrets(
    keyring: Keyring, connector_id: UUID, stored: SealedSecrets, now: datetime
) -> list[str]:
    """Return the signing secrets that are valid now, newest first.

    Raises:
        Refused: `Conflict` if they were encrypted under a master key that is lost.
    """
    places = [(stored.secret, _place("secret", connector_id))]
    has_ended = stored.previous_until is None or now >= stored.previous_until
    if stored.previous is not None and not has_ended:
        places.append((stored.previous, _place("previous_secret", connector_id)))
    try:
        return [keyring.open(sealed, place).decode() for sealed, place in places]
    except CannotOpen:
        raise errors.secret_lost() from None


def _place(column: str, connector_id: UUID) -> str:
    return f"connectors.{column}:{connector_id}"
