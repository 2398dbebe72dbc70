"""Queries of the keys that licenses had before. They are kept: support is asked about them."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from msgspec.structs import replace
from sqlalchemy import ColumnElement, Select, and_, bindparam, func, or_, select, update
from sqlalchemy.dialects.postgresql import insert

from licet_server.kit.database import Connection, Id, Instant, String
from licet_server.kit.kept import kept
from licet_server.kit.statements import Arrays
from licet_server.kit.text import start_pattern
from licet_server.kit.visibility import Visibility
from licet_server.licenses.rules.model import License, LicenseKeyOf
from licet_server.licenses.storage.records import LICENSE_COLUMNS, license_of
from licet_server.licenses.tables import license_former_keys as former
from licet_server.licenses.tables import licenses

_MOST = 1_000
"""How many former keys that begin alike are read at once, the latest ones."""

_WANTED = Arrays("wanted", institution_id=Id, product_id=Id, key=String)
_BY_KEYS = (
    select(*LICENSE_COLUMNS, former.c.license_key, former.c.normal_key)
    .select_from(_WANTED.table)
    .join(
        former,
        and_(
            former.c.institution_id == _WANTED.c.institution_id,
            former.c.product_id == _WANTED.c.product_id,
            former.c.normal_key == _WANTED.c.key,
        ),
    )
    .join(
        licenses,
        and_(
            licenses.c.institution_id == former.c.institution_id,
            licenses.c.id == former.c.license_id,
        ),
    )
    .where(former.c.expires_at > bindparam("now", type_=Instant))
)


async def fetch_by_former_keys(
    db: Connection, keys: Sequence[LicenseKeyOf], now: datetime
) -> dict[LicenseKeyOf, License]:
    """Fetch the licenses that had these keys and still answer to them.

    Each has the key that it was asked for by, so that its verdicts and files fit the application
    that sent it.
    """
    found = {}
    for row in await db.execute(_BY_KEYS, {**_WANTED.given(keys), "now": now}):
        *columns, license_key, normal_key = row
        item = license_of(columns)
        found[item.institution_id, item.product_id, normal_key] = replace(
            item, license_key=license_key, normal_key=normal_key
        )
    return found


async def fetch_by_starts(
    db: Connection, visibility: Visibility, starts: Sequence[str]
) -> dict[UUID, str]:
    """Return the licenses that had a key that begins so, by ID, each with its latest such key.

    They are of institutions of which something is visible; whether they are visible is not judged.
    Of many, they are those of the latest keys, the latest first.
    """
    found: dict[UUID, str] = {}
    for license_id, normal_key in await _fetch_by_starts(db, visibility, starts):
        found.setdefault(license_id, normal_key)
    return found


async def fetch_ids_by_starts(
    db: Connection, visibility: Visibility, starts: Sequence[str]
) -> tuple[UUID, ...] | None:
    """Return all licenses that `fetch_by_starts` is about; `None` where they are too many."""
    rows = await _fetch_by_starts(db, visibility, starts)
    if len(rows) == _MOST:
        return None
    return tuple(dict.fromkeys(license_id for license_id, _ in rows))


async def _fetch_by_starts(
    db: Connection, visibility: Visibility, starts: Sequence[str]
) -> Sequence[tuple[UUID, str]]:
    if not starts:
        return []
    found = await db.execute(*_by_starts(visibility, tuple(map(start_pattern, starts))))
    return [(row.license_id, row.normal_key) for row in found]


@kept
def _by_starts(visibility: Visibility, patterns: tuple[str, ...]) -> Select[Any]:
    return (
        select(former.c.license_id, former.c.normal_key)
        .where(_begins(visibility.institutions + visibility.narrowed, patterns))
        .order_by(former.c.expires_at.desc(), former.c.normal_key)
        .limit(_MOST)
    )


def had_key(institution_ids: tuple[UUID, ...], patterns: tuple[str, ...]) -> ColumnElement[bool]:
    """Match the licenses of institutions that had a key of these patterns, however many there are.

    That reads each license, so it is for beginnings that many keys have.
    """
    had = select(former.c.license_id).where(_begins(institution_ids, patterns))
    return licenses.c.id.in_(had)


def _begins(institution_ids: tuple[UUID, ...], patterns: tuple[str, ...]) -> ColumnElement[bool]:
    return and_(
        former.c.institution_id.in_(institution_ids),
        or_(*(former.c.normal_key.like(pattern) for pattern in patterns)),
    )


async def keep_former_key(db: Connection, license_: License, expires_at: datetime) -> None:
    """Let a license answer to its present key until then, and to no earlier one any longer."""
    of_license = and_(
        former.c.institution_id == license_.institution_id, former.c.license_id == license_.id
    )
    ends = func.least(former.c.expires_at, expires_at)
    await db.execute(update(former).where(of_license).values(expires_at=ends))
    key = {
        "institution_id": license_.institution_id,
        "product_id": license_.product_id,
        "normal_key": license_.normal_key,
    }
    stored = {
        "license_key": license_.license_key,
        "license_id": license_.id,
        "expires_at": expires_at,
    }
    statement = insert(former).values(**key, **stored)
    await db.execute(statement.on_conflict_do_update(index_elements=list(key), set_=stored))
