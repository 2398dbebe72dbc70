"""`Idempotency-Key`: the response to a request is stored with its effect, and replayed."""

from licet_server.kit.idempotency.storage import (
    KEPT_FOR,
    StoredResponse,
    claim,
    forget_responses,
    purge_idempotency_keys,
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
