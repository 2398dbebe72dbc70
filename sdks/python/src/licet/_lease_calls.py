"""What the calls about borrowed seats and reserved credits have in common."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar
from urllib.parse import quote

from licet._error_codes import optional_int
from licet._faults import CHECK_ADDRESS
from licet._flow import Flow, run
from licet._jose import RejectedTokenError, decode_segment, read_object
from licet._transport import Transport
from licet.errors import UnexpectedReplyError

LEASES = "/leases"
LENT = frozenset({200, 201})
MAX_DAYS = 366
REPORT_SECONDS = 2.0
PAUSE_SECONDS = 0.05
FINAL = frozenset({400, 404, 409})
"""The statuses after which the same receipt is not taken any more."""

ENDS_RENEWALS = frozenset({"LeaseForked", "LeaseNotFound"})
SETTLES = ENDS_RENEWALS | {"LeaseLimitReached", "IdempotencyKeyReused"}
"""The codes by which a renewal was not made, whatever became of earlier attempts."""

S = TypeVar("S")


def action(lease_id: str, name: str) -> str:
    """The path of what is done with a lease."""
    return f"{LEASES}/{quote(lease_id, safe='')}/{name}"


def run_alone(flow: Flow[S], connect: Callable[[], Transport]) -> S:
    """Run a flow with a connection of its own."""
    transport = connect()
    try:
        return run(flow, transport)
    finally:
        transport.close()


def require_days(days: object) -> None:
    """Check for how many days something is to be lent.

    Raises:
        ValueError: It is not a number from 1 to 366.
    """
    if not 1 <= (optional_int(days) or 0) <= MAX_DAYS:
        raise ValueError(f"days must be an integer from 1 to {MAX_DAYS}.")


def receipt_claims(receipt: str) -> dict[str, Any]:
    """The claims of a receipt of this device; none if the file that had it is damaged."""
    try:
        return read_object(decode_segment(receipt.split(".")[1]))
    except (RejectedTokenError, IndexError):
        return {}


def unexpected_reply(why: str, request_id: str | None) -> UnexpectedReplyError:
    """The error for a lease that is not the one that was asked for."""
    return UnexpectedReplyError(
        f"The lease in the response cannot be trusted: {why}.",
        hint=CHECK_ADDRESS,
        http_status=200,
        request_id=request_id,
    )
