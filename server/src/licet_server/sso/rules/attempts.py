"""Sign-ins that are under way at a provider."""

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass, field
from datetime import timedelta
from uuid import UUID

ATTEMPT_LIFE = timedelta(minutes=10)
STATE_RANDOM_BYTES = 32
KEPT_WHILE_AWAY = timedelta(hours=4)
"""For how long sessions go on while their provider cannot be asked, from the last time it could."""
CHECK_LEASE = timedelta(seconds=30)

_ID_BYTES = 16
_STATE = re.compile(r"[A-Za-z0-9_-]{64}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """What was sent to the provider, and what its answer has to fit."""

    institution_id: UUID
    issuer: str
    nonce: str = field(repr=False)
    code_verifier: str = field(repr=False)


def state_of(institution_id: UUID, random_bytes: bytes) -> str:
    """A state that contains its institution, so that looking it up touches one tenant."""
    if len(random_bytes) != STATE_RANDOM_BYTES:
        raise ValueError(f"a state needs {STATE_RANDOM_BYTES} random bytes")
    return urlsafe_b64encode(institution_id.bytes + random_bytes).decode()


def institution_of_state(state: str) -> UUID | None:
    """The institution in a state or a domain token; `None` for other text."""
    if _STATE.fullmatch(state) is None:
        return None
    return UUID(bytes=urlsafe_b64decode(state)[:_ID_BYTES])
