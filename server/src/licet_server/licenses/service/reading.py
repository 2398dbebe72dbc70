"""Finds licenses: for operators by ID or by text, at run time by key."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from operator import attrgetter, itemgetter
from uuid import UUID

from msgspec import Struct

from licet_server.catalog.reading import entitled_features, release_names
from licet_server.catalog.rules.model import Product, ProductCaller, ReleaseName
from licet_server.catalog.service.lookup import find_product
from licet_server.institutions.rules.operators import Operator
from licet_server.kit import limits
from licet_server.kit.batching import Batching, Coalescing
from licet_server.kit.database import Connection
from licet_server.kit.ids import id_in
from licet_server.kit.look_ups import LookUps, Source
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.platform import Platform
from licet_server.kit.tags import Tags
from licet_server.kit.visibility import Visibility
from licet_server.licenses import errors
from licet_server.licenses.rules.entitlements import Entitlements, entitlements_of
from licet_server.licenses.rules.keys import normal_starts
from licet_server.licenses.rules.model import (
    License,
    LicenseFilter,
    LicenseId,
    LicenseKeyOf,
    LicenseTerms,
)
from licet_server.licenses.rules.runtime import NO_CREDENTIALS, Credentials
from licet_server.licenses.rules.tokens import DeviceTokenOf, sought
from licet_server.licenses.service.credentials import LicenseCredentials
from licet_server.licenses.service.noting import note_license
from licet_server.licenses.storage import lists
from licet_server.licenses.storage import records as storage
from licet_server.licenses.storage import terms as stored_terms
from licet_server.licenses.storage.device_tokens import fetch_by_tokens
from licet_server.licenses.storage.former_keys import fetch_by_former_keys, fetch_by_starts
from licet_server.licenses.storage.offline_keys import fetch_by_key_hash

_NO_SET = UUID(int=0)
_RELEASE_OF = attrgetter("institution_id", "product_id", "software_release_id")


class LicenseDetails(Struct, frozen=True, kw_only=True):
    """A license with the names behind its ids, and what it entitles to."""

    license: License
    product_name: str
    release_version: str
    entitlements: Entitlements


async def keys_to_send(db: Connection, license_ids: Iterable[tuple[UUID, UUID]]) -> dict[UUID, str]:
    """Return license keys by license; institutions and licenses are given.

    Missing licenses are omitted, and those of a person who was erased.
    """
    return await storage.fetch_keys_to_send(db, license_ids)


async def fetch_license(source: Source, operator: Operator, license_id: UUID) -> License:
    """Return a license that the operator sees with the role that the route requires."""
    found = await storage.fetch_license(source, operator.visibility, license_id)
    return operator.found(found, "license")


async def lock_license(db: Connection, operator: Operator, license_id: UUID) -> License:
    """Fetch a license `FOR UPDATE`; concurrent changes wait until the transaction ends."""
    return operator.found(
        await storage.lock_license(db, operator.visibility, license_id), "license"
    )


async def lock_by_id(db: Connection, license_id: LicenseId) -> License | None:
    """Fetch a license `FOR UPDATE`, for a caller that may know it."""
    institution_id, own_id = license_id
    return await storage.lock_license(db, Visibility(institutions=(institution_id,)), own_id)


async def around_product(
    source: Source, visibility: Visibility, product_id: UUID | None
) -> Visibility:
    """Return what is visible in the institution of a product, whose licenses are to be listed.

    The list of one institution is read from an index; those of several are merged, and a plan for
    any product walks through all licenses of an institution that has none of this one.
    """
    if product_id is None or len(visibility.institutions + visibility.narrowed) < 2:
        return visibility
    product = await find_product(source, visibility, product_id)
    return visibility if product is None else visibility.within(product.institution_id)


def is_walked(visibility: Visibility, filters: LicenseFilter, paging: Paging) -> bool:
    """Return whether a page is read in the order of a key, so that one plan serves every page."""
    is_newest_first = paging.after is None and paging.sort in {None, "-createdAt"}
    return is_newest_first and filters.is_unfiltered and not visibility.narrowed


async def list_licenses(
    db: Connection,
    visibility: Visibility,
    filters: LicenseFilter,
    paging: Paging,
    now: datetime,
) -> Listing[License]:
    """Return the visible licenses that match the filters.

    With `expiring_before`, sorted by expiration date unless another order is requested.
    """
    if filters.expiring_before is not None and paging.sort is None:
        paging = replace(paging, sort="expirationDate")
    counted = None
    if filters.is_unfiltered and paging.after is None and not visibility.releases:
        counted = _counted(visibility, filters.product_id)
    return await lists.list_licenses(db, visibility, filters, paging, now, counted=counted)


async def walk_licenses(
    look_ups: LookUps, visibility: Visibility, product_id: UUID | None, paging: Paging
) -> Listing[License]:
    """Return a page that `is_walked`; those that are asked for together share a statement."""
    counted = _counted(visibility, product_id)
    return await lists.walk_licenses(look_ups, visibility, product_id, paging, counted)


def _counted(visibility: Visibility, product_id: UUID | None) -> Visibility:
    return visibility if product_id is None else visibility.of_product(product_id)


async def known_tags(db: Connection, visibility: Visibility) -> Tags:
    """Return the tags of the newest visible licenses that have any."""
    return await lists.fetch_known_tags(db, visibility)


async def fetch_details(db: Connection, licenses: Sequence[License]) -> list[LicenseDetails]:
    """Add names and features to many licenses, with one statement for each kind."""
    names = await release_names(db, list(set(map(_RELEASE_OF, licenses))))
    entitlements = await find_entitlements(db, licenses)
    return [
        _details(item, names[item.product_id, item.software_release_id], entitlements)
        for item in licenses
    ]


async def details_of(
    db: Connection, licenses: Sequence[License], product: Product, version: str
) -> list[LicenseDetails]:
    """Add the product's name, the version of a release, which are known, and the features."""
    entitlements = await find_entitlements(db, licenses)
    names = ReleaseName(product.name, version)
    return [_details(item, names, entitlements) for item in licenses]


def _details(
    license_: License, names: ReleaseName, entitlements: Mapping[UUID, Entitlements]
) -> LicenseDetails:
    return LicenseDetails(
        license=license_,
        product_name=names.product_name,
        release_version=names.version,
        entitlements=entitlements[license_.id],
    )


async def find_entitlements(
    db: Connection, licenses: Sequence[License]
) -> dict[UUID, Entitlements]:
    """Return what each of these licenses entitles to,, if any has an entitlement set."""
    keys = {
        (item.institution_id, item.entitlement_set_id)
        for item in licenses
        if item.entitlement_set_id is not None
    }
    by_set = await entitled_features(db, list(keys))
    return {
        item.id: entitlements_of(item, by_set.get(item.entitlement_set_id or _NO_SET, {}))
        for item in licenses
    }


async def find_by_keys(
    db: Connection, wanted: Sequence[LicenseKeyOf | DeviceTokenOf], now: datetime
) -> dict[LicenseKeyOf | DeviceTokenOf, License]:
    """Return the licenses that answer to these keys and tokens; unknown ones are omitted.

    Only a key that no license has is looked up among those that were replaced.
    """
    found: dict[LicenseKeyOf | DeviceTokenOf, License] = {}
    keys = [item for item in dict.fromkeys(wanted) if not isinstance(item, DeviceTokenOf)]
    if keys:
        found |= (await storage.fetch_by_keys(db, keys)).items()
    others = [item for item in wanted if item not in found]
    return found | await find_by_other_keys(db, others, now)


async def find_by_other_keys(
    db: Connection, wanted: Sequence[LicenseKeyOf | DeviceTokenOf], now: datetime
) -> dict[LicenseKeyOf | DeviceTokenOf, License]:
    """Return the licenses that answer to keys that they had before, or to device tokens."""
    former, tokens = [], []
    for item in dict.fromkeys(wanted):
        if isinstance(item, DeviceTokenOf):
            tokens.append(item)
        else:
            former.append(item)
    found: dict[LicenseKeyOf | DeviceTokenOf, License] = {}
    if former:
        found |= (await fetch_by_former_keys(db, former, now)).items()
    if tokens:
        found |= (await fetch_by_tokens(db, tokens)).items()
    return found


async def find_by_key_hash(db: Connection, key_hash: str) -> list[License]:
    """Return the licenses with this hash of the key that answer offline requests.

    They are of any product, since the hash is all that some requests have.
    """
    return await fetch_by_key_hash(db, key_hash)


async def find_by_ids(
    db: Connection, visibility: Visibility, license_ids: Sequence[UUID]
) -> dict[UUID, License]:
    """Return these licenses by id; missing and invisible ones are omitted."""
    return await storage.fetch_by_ids(db, visibility, license_ids)


async def find_terms(db: Connection, ids: Sequence[LicenseId]) -> dict[UUID, LicenseTerms]:
    """Return the terms of these licenses by id, in one statement; missing licenses are omitted."""
    return await stored_terms.fetch_terms(db, list(dict.fromkeys(ids))) if ids else {}


async def lock_terms(db: Connection, ids: Sequence[LicenseId]) -> dict[UUID, LicenseTerms]:
    """Fetch terms `FOR NO KEY UPDATE`: one transaction at a time, in order of arrival.

    A decision based on a cap or a status is committed before either changes. With a shared lock,
    new transactions could keep overtaking a change that waits, and starve it.
    """
    return await stored_terms.lock_terms(db, list(dict.fromkeys(ids))) if ids else {}


async def add_blocked_devices(db: Connection, license_id: LicenseId, count: int) -> None:
    """Add to the number of blocked devices of a license; its terms must be locked."""
    await stored_terms.add_blocked_devices(db, license_id, count)


async def find_licenses(
    db: Connection, visibility: Visibility, text: str, limit: int
) -> list[License]:
    """Licenses by ID, key, name, receiver or words of these, a few of each and in no order.

    `db` is a transaction.
    """
    found = await find_named(db, visibility, text, limit)
    if id_in(text) is None:
        found += await lists.fetch_worded(db, visibility, text, limit)
    return list({item.id: item for item in found}.values())


async def find_named(
    db: Connection, visibility: Visibility, text: str, limit: int
) -> list[License]:
    """Licenses with this ID, name, receiver or tag, and with a key or a name that begins so.

    A few of each, in no order; one may be returned twice.
    """
    identifier = id_in(text)
    if identifier is not None:
        return list((await find_by_ids(db, visibility, [identifier])).values())
    return await lists.fetch_named(db, visibility, text, limit)


async def find_former_keys(db: Connection, visibility: Visibility, text: str) -> dict[UUID, str]:
    """Return the former key that begins so, by ID of the license, of what may be visible."""
    return await fetch_by_starts(db, visibility, normal_starts(text))


UNKNOWN_KEYS_A_MINUTE = 120


class LicenseLookup:
    """Concurrent requests share one statement; nothing is cached between them."""

    def __init__(
        self, platform: Platform, credentials: LicenseCredentials, batching: Batching
    ) -> None:
        self._platform = platform
        self._credentials = credentials
        self._look_ups: Coalescing[LicenseKeyOf | DeviceTokenOf, License | None] = (
            batching.concurrent("licenses", self._look_up, itemgetter(0))
        )

    async def aclose(self) -> None:
        """Serve what is queued, then stop."""
        await self._look_ups.aclose()

    async def find(
        self,
        caller: ProductCaller,
        license_key: str,
        hardware_id: str | None,
        address: str,
        credentials: Credentials = NO_CREDENTIALS,
    ) -> License:
        """Return the current license of the caller's product with this key, or device token.

        The request comes from `address`.

        Raises:
            Refused: `LicenseNotFound`; `InvalidRequest` or `InvalidCredentials` where the license
                has a user name and a password that the request has not; `RateLimited` when the
                address sent too many unknown keys, or too many wrong passwords were sent.
        """
        key = sought(caller.institution_id, caller.product_id, license_key, hardware_id)
        found = None if key is None else await self._look_ups.submit(key)
        if found is None:
            await count_unknown_key(self._platform, address)
            raise errors.unknown_license_key()
        await self.admit(found, address, credentials)
        return found

    async def admit(self, license_: License, address: str, credentials: Credentials) -> None:
        """Check that a request may know the license that was found for it, which is noted.

        Raises:
            Refused: as `find`, but for a license that is not found.
        """
        note_license(license_)
        await self._credentials.require(license_, credentials, address)

    async def _look_up(self, keys: Sequence[LicenseKeyOf | DeviceTokenOf]) -> list[License | None]:
        async with self._platform.database.keyed() as db:
            found = await find_by_keys(db, keys, self._platform.now())
        return [found.get(key) for key in keys]


async def count_unknown_key(platform: Platform, address: str) -> None:
    """Count a key that does not exist against the address that sent it.

    Raises:
        Refused: `RateLimited` beyond 120 a minute.
    """
    bucket = limits.address_bucket("unknown-key", address)
    await limits.take(platform.database, bucket, UNKNOWN_KEYS_A_MINUTE, platform.clock())
