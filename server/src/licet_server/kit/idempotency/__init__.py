"""`Idempotency-Key`: the answer to a request is stored with its effect and answered again."""

from licet_server.kit.idempotency.storage import KEPT_FOR, StoredAnswer, claim, store_answer

__all__ = ["KEPT_FOR", "StoredAnswer", "claim", "store_answer"]
