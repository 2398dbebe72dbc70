"""Queries of API keys."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec
from sqlalchemy import and_, bindparam, or_, select, update

from licet_server.identity.rules.memberships import Role
from licet_server.identity.rules.users import User
from licet_server.identity.storage.users import user_of
from licet_server.identity.tables import users
from licet_server.institutions.rules.members import Assignments
from licet_server.institutions.rules.operators import ApiKey, RoleGrant
from licet_server.institutions.storage.operators import ASSIGNED
from licet_server.institutions.tables import api_keys, institutions, memberships
from licet_server.kit.database import Bytes, Connection, Id, Instant
from licet_server.kit.limits import api_key_limit
from licet_server.kit.rows import Rows
from licet_server.kit.statements import Arrays


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyInUse:
    """A key with its creator and their current access to the institution.

    `rate_limit` is in requests per minute; `None` is unlimited.
    """

    key: ApiKey
    maker: User
    role_grant: RoleGrant
    assigned: Assignments
    rate_limit: int | None


API_KEYS = Rows[ApiKey, Collection[UUID]](
    api_keys,
    ApiKey,
    api_keys.c.institution_id.in_,
    sortable={"name": api_keys.c.name, "createdAt": api_keys.c.id},
)
_NAMES = [field.name for field in fields(ApiKey)]
_PREFIXED = [api_keys.c[name].label(f"key_{name}") for name in _NAMES]
"""The columns of a key, which come first, beside those of its maker, which have the same names."""

ApiKeyHash = tuple[UUID, bytes]
"""An institution, and the hash of an API key's secret."""

_ASKED = Arrays("asked", institution_id=Id, token_hash=Bytes)
_BY_HASHES = (
    select(
        *_PREFIXED,
        api_keys.c.token_hash,
        users,
        memberships.c.role,
        institutions.c.ip_allow_list,
        *(column.label(f"assigned_{name}") for name, column in ASSIGNED.items()),
        api_key_limit(_ASKED.c.institution_id).label("rate_limit"),
    )
    .select_from(api_keys)
    .join(users, users.c.id == api_keys.c.maker_id)
    .join(institutions, institutions.c.id == api_keys.c.institution_id)
    .join(
        memberships,
        and_(
            memberships.c.institution_id == api_keys.c.institution_id,
            memberships.c.user_id == api_keys.c.maker_id,
        ),
    )
    .where(
        api_keys.c.institution_id == _ASKED.c.institution_id,
        api_keys.c.token_hash == _ASKED.c.token_hash,
        users.c.disabled_at.is_(None),
    )
)


async def fetch_by_hashes(
    db: Connection, hashes: Sequence[ApiKeyHash]
) -> dict[ApiKeyHash, KeyInUse]:
    """Fetch the keys with these secrets, except those whose maker has left or is disabled.

    One statement, because every request with a key runs it; built only once.
    """
    rows: Any = await db.execute(_BY_HASHES, _ASKED.given(dict.fromkeys(hashes)))
    return {(row.key_institution_id, row.token_hash): _key_in_use(row) for row in rows}


def _key_in_use(row: Any) -> KeyInUse:
    return KeyInUse(
        key=msgspec.convert(dict(zip(_NAMES, row, strict=False)), ApiKey),
        maker=user_of(row),
        role_grant=RoleGrant(row.key_institution_id, Role(row.role), row.ip_allow_list),
        assigned=Assignments(row.assigned_product_ids, row.assigned_release_ids),
        rate_limit=row.rate_limit,
    )


_MARK_USED = (
    update(api_keys)
    .where(
        api_keys.c.institution_id == bindparam("of_institution", type_=Id),
        api_keys.c.id == bindparam("of_key", type_=Id),
        or_(
            api_keys.c.last_used_at.is_(None),
            api_keys.c.last_used_at <= bindparam("due", type_=Instant),
        ),
    )
    .values(last_used_at=bindparam("used_at", type_=Instant))
)


async def mark_used(db: Connection, item: ApiKey, now: datetime, due: datetime) -> None:
    """Record a use, unless another request has recorded one after `due`."""
    given = {"of_institution": item.institution_id, "of_key": item.id, "due": due, "used_at": now}
    await db.execute(_MARK_USED, given)


async def fetch_keys_of(db: Connection, institution_id: UUID, maker_id: UUID) -> list[ApiKey]:
    """Fetch the keys that a user created in an institution and that are not revoked."""
    statement = API_KEYS.select(
        api_keys.c.institution_id == institution_id,
        api_keys.c.maker_id == maker_id,
        api_keys.c.revoked_at.is_(None),
    )
    return await API_KEYS.all(db, statement)


async def fetch_keys_of_account(
    db: Connection, maker_id: UUID, now: datetime
) -> list[tuple[ApiKey, str]]:
    """Fetch the live keys that a user created anywhere, each with the name of its institution."""
    statement = (
        select(*API_KEYS.columns, institutions.c.name.label("institution_name"))
        .join(institutions, institutions.c.id == api_keys.c.institution_id)
        .where(api_keys.c.maker_id == maker_id)
        .order_by(api_keys.c.id)
    )
    rows: Any = await db.execute(statement)
    found = [(API_KEYS.item(row), row.institution_name) for row in rows]
    return [(key, name) for key, name in found if key.is_live(now)]
