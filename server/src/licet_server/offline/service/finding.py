"""Finds the license that a request without any credentials is about."""

from licet_server.catalog.service.lookup import find_place
from licet_server.kit.database import Connection
from licet_server.kit.errors import Refused
from licet_server.kit.platform import Platform
from licet_server.licenses.errors import unknown_license_key
from licet_server.licenses.rules.keys import normal_form, signed_hash
from licet_server.licenses.rules.model import License
from licet_server.licenses.service import reading
from licet_server.licenses.service.reading import count_unknown_key
from licet_server.offline import errors
from licet_server.offline.rules.requests import AskedRequest


async def find_asked(
    db: Connection, platform: Platform, asked: AskedRequest, license_key: str | None
) -> License | None:
    """Return the license of a request; `None` where neither it nor the caller names a key.

    Raises:
        Refused: `LicenseNotFound`, `InvalidRequest` for another key than that of the request.
    """
    if license_key is None:
        if asked.key_hash is None:
            return None
        found = await reading.find_by_key_hash(db, asked.key_hash)
        return _one([item for item in found if item.product_id == asked.product_id])
    key_hash = signed_hash(license_key)
    if asked.key_hash not in {None, key_hash}:
        raise errors.other_key()
    place = await find_place(db, asked.product_id)
    normal_key = normal_form(license_key)
    if place is None or normal_key is None:
        raise unknown_license_key()
    wanted = (place[0], asked.product_id, normal_key)
    by_key = await reading.find_by_keys(db, [wanted], platform.now())
    return _one(list(by_key.values()))


def _one(found: list[License]) -> License:
    if not found:
        raise unknown_license_key()
    return found[0]


async def counted(platform: Platform, refused: Refused, address: str) -> Refused:
    """Count a refusal of an unknown key against the address, and return it.

    Raises:
        Refused: `RateLimited` where the address sent too many.
    """
    if refused.code is unknown_license_key().code:
        await count_unknown_key(platform, address)
    return refused
