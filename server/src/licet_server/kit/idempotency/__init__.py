"""`Idempotency-Key`: the response to a request is stored with its effect, and replayed."""

from licet_server.kit.idempotency.purging import purge_idempotency_keys
from licet_server.kit.idempotency.storage import (
    KEPT_FOR,
    StoredResponse,
    claim,
    forget_responses,
    store_response,
)

__all__ = [
    "KEPT_FOR",
    "StoredResponse",
    "claim",
    "forget_responses",
    "purge_idempotency_keys",
    "store_response",
]
