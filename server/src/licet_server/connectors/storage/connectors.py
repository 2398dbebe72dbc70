"""Reads and writes connectors."""

from collections.abc import Collection
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Select, exists, or_, select, true, update

from licet_server.connectors.rules.model import Connector, Order
from licet_server.connectors.tables import connector_events, connectors
from licet_server.kit.database import Connection
from licet_server.kit.kept import kept
from licet_server.kit.rows import Rows
from licet_server.kit.signing_secrets import SealedSecrets
from licet_server.kit.statements import related

_within = connectors.c.institution_id.in_

CONNECTORS = Rows(
    connectors,
    Connector,
    _within,
    computed={"has_api_key": connectors.c.api_key.is_not(None)},
    sortable={
        "name": connectors.c.name,
        "createdAt": connectors.c.created_at,
        "updatedAt": connectors.c.updated_at,
    },
)


async def fetch_names(
    db: Connection, institution_ids: Collection[UUID], connector_ids: Collection[UUID]
) -> dict[UUID, str]:
    rows = await db.execute(*_names(institution_ids, connector_ids))
    return {row.id: row.name for row in rows}


@kept
def _names(institution_ids: Collection[UUID], connector_ids: Collection[UUID]) -> Select[Any]:
    return select(connectors.c.id, connectors.c.name).where(
        connectors.c.institution_id.in_(institution_ids), connectors.c.id.in_(connector_ids)
    )


async def fetch_last_events(
    db: Connection, institution_ids: Collection[UUID], connector_ids: Collection[UUID]
) -> dict[UUID, datetime]:
    """Fetch when connectors last received an event; those without any are omitted."""
    last = (
        select(connector_events.c.received_at)
        .where(related(connector_events, connectors))
        .order_by(connector_events.c.id.desc())
        .limit(1)
        .correlate(connectors)
        .lateral("last")
    )
    statement = (
        select(connectors.c.id, last.c.received_at)
        .select_from(connectors.join(last, true()))
        .where(connectors.c.institution_id.in_(institution_ids), connectors.c.id.in_(connector_ids))
    )
    return {row.id: row.received_at for row in await db.execute(statement)}


async def fetch_rejected(
    db: Connection, institution_id: UUID, since: datetime, limit: int
) -> list[Connector]:
    """Fetch the enabled connectors that rejected a message since then, the latest first."""
    return await CONNECTORS.all(db, *_rejected(institution_id, since, limit))


@kept
def _rejected(institution_id: UUID, since: datetime, limit: int) -> Select[Any]:
    return (
        CONNECTORS.select(
            connectors.c.institution_id == institution_id,
            connectors.c.is_enabled,
            connectors.c.last_rejected_at > since,
        )
        .order_by(connectors.c.last_rejected_at.desc(), connectors.c.id)
        .limit(limit)
    )


async def save_rejection(
    db: Connection, item: Connector, reason: str, now: datetime, before: datetime
) -> None:
    """Note a rejected message, unless one was noted since `before` or the connector is locked."""
    is_old = or_(connectors.c.last_rejected_at.is_(None), connectors.c.last_rejected_at <= before)
    free = (
        select(connectors.c.id)
        .where(CONNECTORS.same(item), is_old)
        .with_for_update(key_share=True, skip_locked=True)
    )
    await db.execute(
        update(connectors)
        .where(CONNECTORS.same(item), connectors.c.id.in_(free))
        .values(last_rejected_at=now, last_rejection=reason)
    )


async def try_lock(db: Connection, item: Connector) -> bool:
    """Lock a connector, unless it is locked or was deleted; return whether that was done."""
    statement = (
        select(connectors.c.id)
        .where(CONNECTORS.same(item))
        .with_for_update(key_share=True, skip_locked=True)
    )
    return (await db.execute(statement)).scalar_one_or_none() is not None


async def fetch_connector_of(db: Connection, order: Order) -> Connector:
    [found] = await CONNECTORS.all(db, *_named(order.institution_id, order.connector_id))
    return found


@kept
def _named(institution_id: UUID, connector_id: UUID) -> Select[Any]:
    return CONNECTORS.select(
        connectors.c.institution_id == institution_id, connectors.c.id == connector_id
    )


async def find_connector(
    db: Connection, connector_id: UUID
) -> tuple[Connector, SealedSecrets] | None:
    """Fetch the connector of an inbox, of any institution, with its sealed secrets."""
    row = (await db.execute(*_of_inbox(connector_id))).one_or_none()
    if row is None:
        return None
    sealed = SealedSecrets(row.secret, row.previous_secret, row.previous_until)
    return CONNECTORS.item(row), sealed


@kept
def _of_inbox(connector_id: UUID) -> Select[Any]:
    secrets = (connectors.c.secret, connectors.c.previous_secret)
    return CONNECTORS.select(connectors.c.id == connector_id).add_columns(*secrets)


async def claim_connector(db: Connection, others: Collection[UUID]) -> Connector | None:
    """Lock another connector with pending events than these that no process has locked.

    One process at a time links the events of a connector, so that no two create the same order.
    """
    return await CONNECTORS.one(db, *_claiming(others))


@kept
def _claiming(others: Collection[UUID]) -> Select[Any]:
    pending = exists().where(
        related(connector_events, connectors), connector_events.c.status == "Pending"
    )
    return (
        CONNECTORS.select(pending, connectors.c.is_enabled, connectors.c.id.not_in(others))
        .limit(1)
        .with_for_update(key_share=True, skip_locked=True, of=connectors)
    )


async def save_api_key(db: Connection, item: Connector, api_key: bytes | None) -> None:
    """Store another encrypted API key, or none."""
    await db.execute(update(connectors).where(CONNECTORS.same(item)).values(api_key=api_key))


async def fetch_secrets(db: Connection, item: Connector) -> SealedSecrets:
    """Fetch the encrypted signing secrets of a connector."""
    columns = (connectors.c.secret, connectors.c.previous_secret, connectors.c.previous_until)
    return SealedSecrets(*(await db.execute(select(*columns).where(CONNECTORS.same(item)))).one())


async def save_secrets(db: Connection, item: Connector, stored: SealedSecrets) -> None:
    """Store the encrypted signing secrets of a connector."""
    await db.execute(
        update(connectors)
        .where(CONNECTORS.same(item))
        .values(
            secret=stored.secret,
            previous_secret=stored.previous,
            previous_until=stored.previous_until,
            updated_at=item.updated_at,
        )
    )
