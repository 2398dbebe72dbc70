"""What this machine keeps of a borrowed seat, next to its state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from licet._copy_lock import CopyLock
from licet._error_codes import optional_int
from licet._kept_file import Form, KeptFile, optional_text, stated

SUFFIX = ".lease"


@dataclass(frozen=True, slots=True)
class PendingRequest:
    """A request whose answer has not arrived. It is sent again as it was.

    Attributes:
        session_id: The session whose seat is borrowed.
        seq: The newest token that was there; ``None`` when the seat is borrowed.
    """

    idempotency_key: str
    days: int
    session_id: str | None = None
    seq: int | None = None


@dataclass(frozen=True, slots=True)
class KeptLease:
    """What is kept of a borrowed seat.

    Attributes:
        token: The newest token. Not verified here.
        session_id: The session whose seat was borrowed.
        pending: The request under way.
        returning: The receipt of a seat that is not used any more, until it is reported.
    """

    token: str | None = None
    session_id: str | None = None
    pending: PendingRequest | None = None
    returning: str | None = None


NOTHING_KEPT = KeptLease()


class LeaseFile(KeptFile[KeptLease]):
    """The file of a lease.

    Attributes:
        turn: Taken while the lease is changed with the server.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(path, _FORM)
        self.turn = CopyLock(path.with_name(f"{path.name}.lock"))


def _to_json(kept: KeptLease) -> dict[str, Any]:
    pending = kept.pending
    request = pending and {
        "idempotencyKey": pending.idempotency_key,
        "days": pending.days,
        "sessionId": pending.session_id,
        "seq": pending.seq,
    }
    return {
        "token": kept.token,
        "sessionId": kept.session_id,
        "pending": request and stated(request),
        "returning": kept.returning,
    }


def _from_json(raw: Mapping[str, Any]) -> KeptLease:
    pending = raw.get("pending")
    return KeptLease(
        token=optional_text(raw.get("token")),
        session_id=optional_text(raw.get("sessionId")),
        pending=_pending(pending) if isinstance(pending, dict) else None,
        returning=optional_text(raw.get("returning")),
    )


def _pending(raw: Mapping[str, Any]) -> PendingRequest | None:
    key, days = optional_text(raw.get("idempotencyKey")), optional_int(raw.get("days"))
    if key is None or days is None:
        return None
    session_id = optional_text(raw.get("sessionId"))
    return PendingRequest(key, days, session_id, optional_int(raw.get("seq")))


_FORM = Form("a borrowed seat is", NOTHING_KEPT, _from_json, _to_json)
