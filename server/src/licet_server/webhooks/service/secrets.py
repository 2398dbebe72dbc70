"""Signing secrets of webhooks."""

from uuid import UUID

from licet_server.kit.signing_secrets import SecretOf


def secret_of(webhook_id: UUID) -> SecretOf:
    """Return what the signing secret of a webhook is bound to."""
    return SecretOf("webhooks", webhook_id)
