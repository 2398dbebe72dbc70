"""The secrets that sign deliveries: created, encrypted, and rotated with an overlap."""

import base64
import secrets
from dataclasses import replace
from datetime import datetime, timedelta
from uuid import UUID

from licet_server.kit.keyring import Keyring
from licet_server.webhooks.storage.webhooks import SealedSecrets

OVERLAP = timedelta(hours=24)

_SECRET_BYTES = 32


def new_secret() -> str:
    """Return a secret in the format of the Standard Webhooks libraries."""
    return f"whsec_{base64.b64encode(secrets.token_bytes(_SECRET_BYTES)).decode()}"


def seal_secret(keyring: Keyring, webhook_id: UUID, secret: str) -> bytes:
    """Return the secret encrypted for storage."""
    return keyring.seal(secret.encode(), _place(webhook_id))


def replace_secret(
    keyring: Keyring, webhook_id: UUID, stored: SealedSecrets, secret: str, now: datetime
) -> SealedSecrets:
    """Replace the current secret, which keeps signing for 24 hours."""
    current = keyring.open(stored.secret, _place(webhook_id))
    return replace(
        stored,
        secret=seal_secret(keyring, webhook_id, secret),
        previous=keyring.seal(current, _previous_place(webhook_id)),
        previous_until=now + OVERLAP,
    )


def open_secrets(
    keyring: Keyring, webhook_id: UUID, stored: SealedSecrets, now: datetime
) -> list[str]:
    """Return the secrets that sign now, newest first.

    Raises:
        CannotOpen: if they were encrypted under a different master key.
    """
    opened = [keyring.open(stored.secret, _place(webhook_id)).decode()]
    has_ended = stored.previous_until is None or now >= stored.previous_until
    if stored.previous is not None and not has_ended:
        opened.append(keyring.open(stored.previous, _previous_place(webhook_id)).decode())
    return opened


def _place(webhook_id: UUID) -> str:
    return f"webhooks.secret:{webhook_id}"


def _previous_place(webhook_id: UUID) -> str:
    return f"webhooks.previous_secret:{webhook_id}"
