"""Credits that are set aside in a wallet for devices, and how they come out of there."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal

from licet._amounts import EXACT
from licet.testing._problems import Refused
from licet.testing._state import Hold, Lease, License, Wallet
from licet.testing._wallet import record_entry


def metered(license_: License) -> Wallet:
    """The wallet of a metered license."""
    if license_.wallet is None:
        raise Refused("NotMeteredLicense")
    return license_.wallet


def held_credits(license_: License, now: datetime) -> Decimal:
    """How many credits of a license are set aside."""
    total = Decimal(0)
    for lease in license_.leases:
        if lease.hold is not None and lease.is_held(now):
            total = EXACT.add(total, lease.hold.left)
    return total


def set_aside(lease: Lease, hold: Hold, now: datetime) -> None:
    """Take credits out of the balance for a lease."""
    lease.hold = hold
    record_entry(
        metered(lease.license), "LeaseHold", hold.amount.copy_negate(), now, lease_id=lease.id
    )


def put_back(lease: Lease, amount: Decimal, now: datetime) -> None:
    """Put credits of a lease back into the balance, from where they can be charged."""
    if lease.hold is None or not amount:
        return
    lease.hold.left = EXACT.subtract(lease.hold.left, amount)
    record_entry(metered(lease.license), "LeaseSettle", amount, now, lease_id=lease.id)


def put_back_rest(lease: Lease, now: datetime) -> Decimal:
    """Put back all credits that are left of a lease; returns how many these are."""
    rest = Decimal(0) if lease.hold is None else lease.hold.left
    put_back(lease, rest, now)
    return rest


def end_by_force(lease: Lease, now: datetime) -> None:
    """End a lease for the vendor: its rest is put back, its seat is free."""
    if lease.is_held(now):
        put_back_rest(lease, now)
        lease.ended_at = now


def settle_overdue(license_: License, now: datetime) -> None:
    """End the reservations of which nothing was heard for too long after their end."""
    for lease in license_.leases:
        if lease.hold is None or lease.ended_at is not None or now < lease.settles_at:
            continue
        lease.ended_at = lease.settles_at
        rest = put_back_rest(lease, lease.settles_at)
        if rest and license_.on_unreturned == "Charge":
            charged = rest.copy_negate()
            record_entry(
                metered(license_), "LeaseCharge", charged, lease.settles_at, lease_id=lease.id
            )
