"""Searches everything that the operator sees."""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol
from uuid import UUID

from licet_server.catalog.reading import find_products, find_releases, product_names
from licet_server.customers.service.customers import search_customers
from licet_server.devices.service.lookup import search_devices
from licet_server.institutions.rules.operators import Operator, Scope
from licet_server.kit.database import Connection
from licet_server.kit.visibility import Visibility
from licet_server.licenses.rules.keys import normal_starts
from licet_server.licenses.service.reading import find_by_ids, find_former_keys, find_licenses
from licet_server.search.rules import GROUP_MAX, HitKind, SearchHit, SearchResult, match_of, ranked
from licet_server.sessions.service.reading import search_sessions

SCOPES: Mapping[HitKind, Scope] = {
    HitKind.LICENSE: Scope.LICENSES_READ,
    HitKind.CUSTOMER: Scope.CUSTOMERS_READ,
    HitKind.PRODUCT: Scope.PRODUCTS_READ,
    HitKind.DEVICE: Scope.ACTIVATIONS_READ,
    HitKind.SESSION: Scope.ACTIVATIONS_READ,
    HitKind.RELEASE: Scope.RELEASES_READ,
}
"""The scope that an API key needs to find each kind."""

_FOUND_MAX = GROUP_MAX + 1


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchQuery:
    """A search in a transaction; `administered` is what the operator sees as an Admin."""

    db: Connection
    text: str
    now: datetime
    visibility: Visibility
    administered: Visibility


async def search(
    db: Connection, operator: Operator, text: str, visibility: Visibility, now: datetime
) -> SearchResult:
    """Return the best hits of each kind that the operator, or their API key by scope, may find.

    `db` is a transaction. Devices and sessions are for Owners and Admins.
    """
    query = SearchQuery(
        db=db,
        text=" ".join(text.split()),
        now=now,
        visibility=visibility,
        administered=visibility.within(*filter(operator.is_admin_of, operator.roles)),
    )
    key = operator.api_key
    return await find(query, [kind for kind in HitKind if key is None or key.covers(SCOPES[kind])])


async def find(query: SearchQuery, kinds: Iterable[HitKind]) -> SearchResult:
    """Return the best hits of these kinds."""
    if not query.text:
        return SearchResult([])
    return ranked([hit for kind in kinds for hit in await _FINDERS[kind](query)])


class _Found(Protocol):
    @property
    def id(self) -> UUID: ...
    @property
    def institution_id(self) -> UUID: ...


class _OnDevice(_Found, Protocol):
    @property
    def license_id(self) -> UUID: ...
    @property
    def product_id(self) -> UUID: ...
    @property
    def device_name(self) -> str | None: ...
    @property
    def hardware_id(self) -> str: ...


def _hit(kind: HitKind, item: _Found, **known: Any) -> SearchHit:
    """Return a hit with what is known of it, by the names of `SearchHit`."""
    unknown: dict[str, Any] = dict.fromkeys(SearchHit.__struct_fields__)
    given = {"former_key": False, **known, "id": item.id, "institution_id": item.institution_id}
    return SearchHit(**{**unknown, **given, "kind": kind})


async def _licenses(query: SearchQuery) -> list[SearchHit]:
    found = await find_licenses(query.db, query.visibility, query.text, _FOUND_MAX)
    former = await find_former_keys(query.db, query.visibility, query.text)
    others = [item for item in former if item not in {license_.id for license_ in found}]
    found += (await find_by_ids(query.db, query.visibility, others[:_FOUND_MAX])).values()
    products = await product_names(
        query.db, [(item.institution_id, item.product_id) for item in found]
    )
    texts = (query.text, *normal_starts(query.text))
    return [
        _hit(
            HitKind.LICENSE,
            item,
            match=match_of(
                texts,
                (
                    str(item.id),
                    item.license_name,
                    item.issued_to,
                    item.normal_key,
                    former.get(item.id),
                    *item.tags,
                ),
            ),
            title=item.license_name,
            detail=item.issued_to,
            status=item.status(query.now),
            product_id=item.product_id,
            product_name=products.get(item.product_id),
            former_key=item.id in former,
        )
        for item in found
    ]


async def _customers(query: SearchQuery) -> list[SearchHit]:
    found = await search_customers(query.db, query.visibility, query.text, _FOUND_MAX)
    return [
        _hit(
            HitKind.CUSTOMER,
            item,
            match=match_of(
                [query.text],
                (
                    str(item.id),
                    item.name,
                    item.email,
                    item.company,
                    item.external_reference,
                    *item.tags,
                ),
            ),
            title=item.name,
            detail=item.email,
        )
        for item in found
    ]


async def _products(query: SearchQuery) -> list[SearchHit]:
    found = await find_products(query.db, query.visibility, query.text, _FOUND_MAX)
    return [
        _hit(
            HitKind.PRODUCT,
            item,
            match=match_of([query.text], (str(item.id), item.name)),
            title=item.name,
        )
        for item in found
    ]


async def _releases(query: SearchQuery) -> list[SearchHit]:
    found = await find_releases(query.db, query.visibility, query.text, _FOUND_MAX)
    return [
        _hit(
            HitKind.RELEASE,
            item,
            match=match_of(
                [query.text],
                (str(item.id), item.version, f"{item.product_name} {item.version}"),
            ),
            title=item.version,
            detail=item.channel,
            status=item.status,
            product_id=item.product_id,
            product_name=item.product_name,
        )
        for item in found
    ]


async def _devices(query: SearchQuery) -> list[SearchHit]:
    if not query.administered.institutions:
        return []
    found = await search_devices(query.db, query.administered, query.text, _FOUND_MAX, query.now)
    return await _of_licenses(query, HitKind.DEVICE, [(item, item.status.value) for item in found])


async def _sessions(query: SearchQuery) -> list[SearchHit]:
    if not query.administered.institutions:
        return []
    found = await search_sessions(query.db, query.administered, query.text, _FOUND_MAX, query.now)
    return await _of_licenses(
        query,
        HitKind.SESSION,
        [(item, "Live" if item.lease_id is None else "Borrowed") for item in found],
    )


async def _of_licenses(
    query: SearchQuery, kind: HitKind, found: Sequence[tuple[_OnDevice, str]]
) -> list[SearchHit]:
    """Return hits of what is on devices, each with its status and the license that it is of."""
    items = [item for item, _ in found]
    licenses = await find_by_ids(
        query.db, query.administered, list({item.license_id for item in items})
    )
    products = await product_names(
        query.db, list({(item.institution_id, item.product_id) for item in items})
    )
    return [
        _hit(
            kind,
            item,
            match=match_of([query.text], (str(item.id), item.device_name, item.hardware_id)),
            title=item.device_name or item.hardware_id,
            detail=item.hardware_id,
            status=status,
            product_id=item.product_id,
            product_name=products.get(item.product_id),
            license_id=item.license_id,
            license_name=licenses[item.license_id].license_name,
        )
        for item, status in found
        if item.license_id in licenses
    ]


_FINDERS: Mapping[HitKind, Callable[[SearchQuery], Awaitable[list[SearchHit]]]] = {
    HitKind.LICENSE: _licenses,
    HitKind.CUSTOMER: _customers,
    HitKind.PRODUCT: _products,
    HitKind.RELEASE: _releases,
    HitKind.DEVICE: _devices,
    HitKind.SESSION: _sessions,
}
