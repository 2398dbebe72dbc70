"""Encrypts the secrets of connectors."""

from uuid import UUID

from licet_server.kit.keyring import Keyring
from licet_server.kit.signing_secrets import SecretOf


def secret_of(connector_id: UUID) -> SecretOf:
    """Return the context that the signing secret of a connector is encrypted for."""
    return SecretOf("connectors", connector_id)


def seal_api_key(keyring: Keyring, connector_id: UUID, api_key: str) -> bytes:
    """Return the API key encrypted for storage."""
    return keyring.seal(api_key.encode(), secret_of(connector_id).place("api_key"))
