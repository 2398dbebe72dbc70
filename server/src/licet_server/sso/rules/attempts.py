"""Sign-ins in progress at a provider."""

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass, field
from datetime import timedelta
from uuid import UUID

ATTEMPT_LIFE = timedelta(minutes=10)
STATE_RANDOM_BYTES = 32
KEPT_WHILE_UNAVAILABLE = timedelta(hours=4)
"""The time that sessions outlive the last answer of a provider that is unavailable."""
CHECK_LEASE = timedelta(seconds=30)

_ID_BYTES = 16
_STATE = re.compile(r"[A-Za-z0-9_-]{64}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """A sign-in in progress: what was sent to the provider, which its answer has to match."""

    institution_id: UUID
    issuer: str
    nonce: str = field(repr=False)
    code_verifier: str = field(repr=False)


def state_of(institution_id: UUID, random_bytes: bytes) -> str:
    """Return a state that contains its institution, so that looking it up touches one tenant."""
    if len(random_bytes) != STATE_RANDOM_BYTES:
        raise ValueError(f"a state needs {STATE_RANDOM_BYTES} random bytes")
    return urlsafe_b64encode(institution_id.bytes + random_bytes).decode()


def institution_of_state(state: str) -> UUID | None:
    """Return the institution in a state or a domain token; `None` for other text."""
    if _STATE.fullmatch(state) is None:
        return None
    return UUID(bytes=urlsafe_b64decode(state)[:_ID_BYTES])
