"""Secrets that sign messages: created, encrypted for storage, and rotated with an overlap."""

import base64
import secrets
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import NamedTuple
from uuid import UUID

from licet_server.kit.keyring import CannotOpen, Keyring

OVERLAP = timedelta(hours=24)

_SECRET_BYTES = 32


class SecretOf(NamedTuple):
    """The row that a secret belongs to; encrypted for one row, it opens for no other."""

    table: str
    id: UUID

    def place(self, column: str) -> str:
        """Return what the secret in a column is bound to."""
        return f"{self.table}.{column}:{self.id}"


@dataclass(frozen=True, slots=True)
class SealedSecrets:
    """The encrypted secret of a row, and the previous one, valid until `previous_until`."""

    secret: bytes = field(repr=False)
    previous: bytes | None = field(default=None, repr=False)
    previous_until: datetime | None = None


def new_secret() -> str:
    """Return a secret in the format of the Standard Webhooks libraries."""
    return f"whsec_{base64.b64encode(secrets.token_bytes(_SECRET_BYTES)).decode()}"


def seal_secret(keyring: Keyring, of: SecretOf, secret: str) -> bytes:
    """Return the secret encrypted for storage."""
    return keyring.seal(secret.encode(), of.place("secret"))


def replace_secret(
    keyring: Keyring, of: SecretOf, stored: SealedSecrets, secret: str, now: datetime
) -> SealedSecrets:
    """Replace the current secret, which stays valid for 24 hours, unless it cannot be opened."""
    sealed = seal_secret(keyring, of, secret)
    try:
        current = keyring.open(stored.secret, of.place("secret"))
    except CannotOpen:  # a lost master key must not prevent a new secret
        return SealedSecrets(sealed)
    return SealedSecrets(sealed, keyring.seal(current, of.place("previous_secret")), now + OVERLAP)


def open_secrets(keyring: Keyring, of: SecretOf, stored: SealedSecrets, now: datetime) -> list[str]:
    """Return the secrets that are valid now, newest first.

    Raises:
        CannotOpen: if they were encrypted under a different master key.
    """
    opened = [keyring.open(stored.secret, of.place("secret")).decode()]
    has_ended = stored.previous_until is None or now >= stored.previous_until
    if stored.previous is not None and not has_ended:
        opened.append(keyring.open(stored.previous, of.place("previous_secret")).decode())
    return opened
