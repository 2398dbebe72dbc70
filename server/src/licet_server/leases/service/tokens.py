"""The tokens of leases, by which devices use what they took away."""

from decimal import Decimal

from msgspec import Struct

from licet_server.catalog.service.signing import SigningKey, sign
from licet_server.kit.amounts import plain
from licet_server.kit.platform import Platform
from licet_server.leases.rules.model import Lease
from licet_server.leases.service.locking import id_of
from licet_server.licenses.rules.entitlements import Entitlements
from licet_server.licenses.rules.model import License
from licet_server.licenses.service import reading
from licet_server.metering.service.holding import fetch_wallet
from licet_server.sessions.service.reading import count_seats
from licet_server.validation.schemas import license_seen

TOKEN_TYPE = "lease+jwt"  # noqa: S105 - a type
_NBF_SECONDS = 300
"""The clock of the device may be so far behind."""


class IssuedLease(Struct, frozen=True, kw_only=True):
    """A lease with its newest token: a seat with those of its license, credits with the balance."""

    lease: Lease
    token: str
    seats_used: int | None = None
    seats_total: int | None = None
    balance: Decimal | None = None


async def issued(
    platform: Platform, lease: Lease, license_: License, key: SigningKey
) -> IssuedLease:
    """Sign the newest token of a lease, as it was signed before where it was."""
    now = platform.now()
    used: int | None = None
    total: int | None = None
    balance: Decimal | None = None
    async with platform.database.reading() as db:
        [details] = await reading.fetch_details(db, [license_])
        if lease.is_credits:
            balance = (await fetch_wallet(db, id_of(license_))).balance
        else:
            used, total = await count_seats(db, license_, now)
    at = int(lease.signed_at.timestamp())
    claims: dict[str, object] = {
        "iss": platform.settings.issuer,
        "jti": str(lease.id),
        "aud": str(lease.product_id),
        "sub": str(lease.license_id),
        "seq": lease.seq,
        "iat": at,
        "nbf": at - _NBF_SECONDS,
        "exp": int(lease.ends_at.timestamp()),
        "cnf": {"jkt": lease.jkt},
        "kind": lease.kind,
        "quantity": int(lease.quantity),
        "hardwareId": lease.hardware_id,
        "licenseKeyHash": lease.license_key_hash,
        "license": license_seen(license_, details.entitlements, now),
        "product": {"id": str(lease.product_id), "name": details.product_name},
        "release": {
            "id": str(license_.software_release_id),
            "version": details.release_version,
        },
    }
    if lease.is_credits:
        claims.update(_of_credits(lease, license_, details.entitlements))
    token = await sign(key, TOKEN_TYPE, claims)
    return IssuedLease(
        lease=lease, token=token, seats_used=used, seats_total=total, balance=balance
    )


def _of_credits(lease: Lease, license_: License, entitlements: Entitlements) -> dict[str, object]:
    """Return what a token says of credits, in which amounts are texts, so that they stay exact."""
    said: dict[str, object] = {
        "quantity": f"{plain(lease.quantity):f}",
        "mode": license_.traits.meter_mode,
    }
    if lease.prices is not None:
        said["prices"] = dict(lease.prices)
    elif entitlements.features is None:
        said["anyFeature"] = True
    return said
