"""Receipts: a device signs what it spent, or that it has given back what it took away."""

from decimal import Decimal
from enum import StrEnum
from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct

from licet_server.devices.rules.signed import LAST_SECOND, read_signed
from licet_server.kit.errors import Refused
from licet_server.leases import errors
from licet_server.leases.rules.journal import Account, read_plain
from licet_server.leases.rules.model import Lease, LeaseKind

RECEIPT_TYPE = "receipt+jwt"


class ReceiptKind(StrEnum):
    """What a device signs: what it has used so far, or that it uses nothing any more."""

    USED = "Used"
    RETURNED = "Returned"


class ReceiptFault(StrEnum):
    """Why a text is no receipt for a lease."""

    MALFORMED = "Malformed"
    OTHER_KEY = "OtherKey"
    OTHER_PRODUCT = "OtherProduct"
    OTHER_LEASE = "OtherLease"
    OTHER_KIND = "OtherKind"
    OTHER_SEQ = "OtherSeq"
    NO_ACCOUNT = "NoAccount"


class Receipt(Struct, frozen=True):
    """The `seq` of the token that the device has, and what it accounts for: nothing for a seat."""

    seq: int
    account: Account | None


class _Claims(Struct, frozen=True):
    aud: str
    lease: UUID
    seq: Annotated[int, Meta(ge=1)]
    iat: Annotated[int, Meta(ge=0, le=LAST_SECOND)]
    kind: str
    used: str | None = None
    lines: Annotated[int, Meta(ge=0, le=2**31 - 1)] | None = None
    head: str | None = None


def read_receipt(text: str, lease: Lease, kind: ReceiptKind) -> Receipt | ReceiptFault:
    """Return what a receipt of this kind says, or what is wrong with it.

    When it was signed does not matter: the clock of a device may have been wrong for weeks.
    """
    signed = read_signed(text, RECEIPT_TYPE, _Claims)
    if signed is None:
        return ReceiptFault.MALFORMED
    key, claims = signed
    account = _account_of(claims) if lease.kind is LeaseKind.CREDITS else None
    faults = {
        ReceiptFault.OTHER_KEY: key.jkt != lease.jkt,
        ReceiptFault.OTHER_PRODUCT: claims.aud != str(lease.product_id),
        ReceiptFault.OTHER_LEASE: claims.lease != lease.id,
        ReceiptFault.OTHER_KIND: claims.kind != kind,
        ReceiptFault.OTHER_SEQ: claims.seq > lease.seq,
        ReceiptFault.NO_ACCOUNT: account is None and lease.kind is LeaseKind.CREDITS,
    }
    found = next((fault for fault, is_so in faults.items() if is_so), None)
    return Receipt(claims.seq, account) if found is None else found


def _account_of(claims: _Claims) -> Account | None:
    used: Decimal | None = None if claims.used is None else read_plain(claims.used)
    if used is None or claims.lines is None or claims.head is None:
        return None
    return Account(used=used, lines=claims.lines, head=claims.head)


def refusal_of(fault: ReceiptFault) -> Refused:
    """Return the refusal of a receipt."""
    return errors.bad_receipt(_REASONS[fault])


_REASONS = {
    ReceiptFault.MALFORMED: "must be one ES256 JWS of at most 2 kB, with its public key.",
    ReceiptFault.OTHER_KEY: "is signed by another key than that of the lease.",
    ReceiptFault.OTHER_PRODUCT: "is for another product.",
    ReceiptFault.OTHER_LEASE: "is for another lease.",
    ReceiptFault.OTHER_KIND: "must have the kind Used to report, and Returned to return.",
    ReceiptFault.OTHER_SEQ: "names a seq that the lease has not reached.",
    ReceiptFault.NO_ACCOUNT: "must have used, lines and head, which account for the reservation.",
}
