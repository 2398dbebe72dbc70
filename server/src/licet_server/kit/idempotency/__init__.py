"""`Idempotency-Key`: the answer to a request is stored with its effect and answered again."""

from licet_server.kit.idempotency.storage import KEPT_FOR, StoredResponse, claim, store_response

__all__ = ["KEPT_FOR", "StoredResponse", "claim", "store_response"]
