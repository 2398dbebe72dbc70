"""What this machine keeps of reserved credits, next to its state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from licet._amounts import plain, read_plain
from licet._copy_lock import CopyLock
from licet._error_codes import optional_int
from licet._journal import Journal
from licet._kept_file import Form, KeptFile, optional_text, stated


@dataclass(frozen=True, slots=True)
class PendingCredits:
    """A request whose answer has not arrived. It is sent again as it was.

    Attributes:
        amount: How many credits are reserved; ``None`` for a renewal.
        seq: The newest token that was there; ``None`` when credits are reserved.
    """

    idempotency_key: str
    days: int
    amount: Decimal | None = None
    seq: int | None = None


@dataclass(frozen=True, slots=True)
class KeptCredits:
    """What is kept of reserved credits.

    Attributes:
        token: The newest token. Not verified here.
        pending: The request under way.
        returning: The receipt of credits that are not spent any more, until it is reported.
        reported: How many lines of the journal the server has.
    """

    token: str | None = None
    pending: PendingCredits | None = None
    returning: str | None = None
    reported: int = 0


NO_CREDITS = KeptCredits()


class CreditStore:
    """The files of reserved credits.

    Attributes:
        kept: The token, and the requests under way.
        journal: What was spent.
        moment: Taken while a charge is written, which is short.
        turn: Taken while requests are made about the credits.
    """

    def __init__(self, state: Path) -> None:
        path = state.with_suffix(".credits")
        self.kept = KeptFile(path, _FORM)
        self.journal = Journal(state.with_suffix(".journal"))
        self.moment = CopyLock(path.with_name(f"{path.name}.lock"))
        self.turn = CopyLock(path.with_name(f"{path.name}.report.lock"))


def _to_json(kept: KeptCredits) -> dict[str, Any]:
    pending = kept.pending
    request = pending and {
        "idempotencyKey": pending.idempotency_key,
        "days": pending.days,
        "amount": None if pending.amount is None else plain(pending.amount),
        "seq": pending.seq,
    }
    return {
        "token": kept.token,
        "pending": request and stated(request),
        "returning": kept.returning,
        "reported": kept.reported or None,
    }


def _from_json(raw: Mapping[str, Any]) -> KeptCredits:
    pending = raw.get("pending")
    return KeptCredits(
        token=optional_text(raw.get("token")),
        pending=_pending(pending) if isinstance(pending, dict) else None,
        returning=optional_text(raw.get("returning")),
        reported=max(0, optional_int(raw.get("reported")) or 0),
    )


def _pending(raw: Mapping[str, Any]) -> PendingCredits | None:
    key, days = optional_text(raw.get("idempotencyKey")), optional_int(raw.get("days"))
    if key is None or days is None:
        return None
    try:
        amount = None if raw.get("amount") is None else read_plain(raw["amount"])
    except ValueError:
        return None
    return PendingCredits(key, days, amount, optional_int(raw.get("seq")))


_FORM = Form("reserved credits are", NO_CREDITS, _from_json, _to_json)
