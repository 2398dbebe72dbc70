"""Receipts: a device signs that it has given its seat back, and no longer uses it."""

from enum import StrEnum
from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct

from licet_server.devices.rules.signed import LAST_SECOND, read_signed
from licet_server.kit.errors import Refused
from licet_server.leases import errors
from licet_server.leases.rules.model import Lease

RECEIPT_TYPE = "receipt+jwt"


class ReceiptFault(StrEnum):
    """Why a text is no receipt for a lease."""

    MALFORMED = "Malformed"
    OTHER_KEY = "OtherKey"
    OTHER_PRODUCT = "OtherProduct"
    OTHER_LEASE = "OtherLease"
    OTHER_KIND = "OtherKind"
    OTHER_SEQ = "OtherSeq"


class _Claims(Struct, frozen=True):
    aud: str
    lease: UUID
    seq: Annotated[int, Meta(ge=1)]
    iat: Annotated[int, Meta(ge=0, le=LAST_SECOND)]
    kind: str


def read_receipt(text: str, lease: Lease) -> int | ReceiptFault:
    """Return the `seq` of the token that the device gave back, or what is wrong with the receipt.

    When it was signed does not matter: the clock of a device may have been wrong for weeks.
    """
    signed = read_signed(text, RECEIPT_TYPE, _Claims)
    if signed is None:
        return ReceiptFault.MALFORMED
    key, claims = signed
    if key.jkt != lease.jkt:
        return ReceiptFault.OTHER_KEY
    if claims.aud != str(lease.product_id):
        return ReceiptFault.OTHER_PRODUCT
    if claims.lease != lease.id:
        return ReceiptFault.OTHER_LEASE
    if claims.kind != "Returned":
        return ReceiptFault.OTHER_KIND
    return claims.seq if claims.seq <= lease.seq else ReceiptFault.OTHER_SEQ


def refusal_of(fault: ReceiptFault) -> Refused:
    """Return the refusal of a receipt."""
    return errors.bad_receipt(_REASONS[fault])


_REASONS = {
    ReceiptFault.MALFORMED: "must be one ES256 JWS of at most 2 kB, with its public key.",
    ReceiptFault.OTHER_KEY: "is signed by another key than that of the lease.",
    ReceiptFault.OTHER_PRODUCT: "is for another product.",
    ReceiptFault.OTHER_LEASE: "is for another lease.",
    ReceiptFault.OTHER_KIND: "must have the kind Returned.",
    ReceiptFault.OTHER_SEQ: "names a seq that the lease has not reached.",
}
