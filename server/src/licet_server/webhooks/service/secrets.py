"""Secrets that deliveries are signed with: made, sealed, replaced with some time to spare."""

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
    """A secret in the form that the libraries of Standard Webhooks take."""
    return f"whsec_{base64.b64encode(secrets.token_bytes(_SECRET_BYTES)).decode()}"


def seal_secret(keyring: Keyring, webhook_id: UUID, secret: str) -> bytes:
    """The secret as it is stored."""
    return keyring.seal(secret.encode(), _place(webhook_id))


def replace_secret(
    keyring: Keyring, webhook_id: UUID, stored: SealedSecrets, secret: str, now: datetime
) -> SealedSecrets:
    """The new secret in place of the present one, which signs as well for 24 hours more."""
    present = keyring.open(stored.secret, _place(webhook_id))
    return replace(
        stored,
        secret=seal_secret(keyring, webhook_id, secret),
        previous=keyring.seal(present, _previous_place(webhook_id)),
        previous_until=now + OVERLAP,
    )


def open_secrets(
    keyring: Keyring, webhook_id: UUID, stored: SealedSecrets, now: datetime
) -> list[str]:
    """The secrets that sign now, newest first.

    Raises:
        CannotOpen: when the master key is not the one that they were sealed under.
    """
    opened = [keyring.open(stored.secret, _place(webhook_id)).decode()]
    is_over = stored.previous_until is None or now >= stored.previous_until
    if stored.previous is not None and not is_over:
        opened.append(keyring.open(stored.previous, _previous_place(webhook_id)).decode())
    return opened


def _place(webhook_id: UUID) -> str:
    return f"webhooks.secret:{webhook_id}"


def _previous_place(webhook_id: UUID) -> str:
    return f"webhooks.previous_secret:{webhook_id}"
