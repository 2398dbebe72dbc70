"""The body of an event, and the headers of Standard Webhooks 1.0."""

from collections.abc import Sequence
from datetime import datetime
from urllib.parse import urlsplit
from uuid import UUID

import msgspec
from standardwebhooks import Webhook as Signer

from licet_server import __version__
from licet_server.events.rules.model import RecordedEvent


def body_of(event: RecordedEvent) -> bytes:
    """Return `{type, timestamp, data}`, with the data exactly as it was recorded."""
    parts = {
        "type": event.kind,
        "timestamp": event.occurred_at,
        "data": msgspec.Raw(event.data_json.encode()),
    }
    return msgspec.json.encode(parts)


def headers_of(
    url: str, secrets: Sequence[str], event_id: UUID, body: bytes, now: datetime
) -> dict[str, str]:
    """Return the headers of an attempt that starts now, signed with each of the secrets."""
    signatures = [Signer(secret).sign(str(event_id), now, body.decode()) for secret in secrets]
    return {
        "host": urlsplit(url).netloc,
        "accept-encoding": "identity",
        "content-type": "application/json",
        "user-agent": f"Licet-Webhooks/{__version__}",
        "webhook-id": str(event_id),
        "webhook-timestamp": str(int(now.timestamp())),
        "webhook-signature": " ".join(signatures),
    }
