"""Reads and writes connectors."""

from collections.abc import Collection, Sequence
from dataclasses import fields
from typing import Any
from uuid import UUID

import msgspec
from sqlalchemy import ColumnElement, Row, Select, and_, delete, exists, insert, select, update

from licet_server.connectors.rules.model import (
    Connector,
    ConnectorKind,
    Consequence,
    Order,
    PaymentFailureConsequence,
    SaleRule,
)
from licet_server.connectors.tables import connector_events, connectors
from licet_server.kit.database import Connection
from licet_server.kit.paging import Listing, Paging, fetch_listing
from licet_server.kit.signing_secrets import SealedSecrets

_NAMES = [item.name for item in fields(Connector) if item.name != "has_api_key"]
_COLUMNS = [
    *(connectors.c[name] for name in _NAMES),
    connectors.c.api_key.is_not(None).label("has_api_key"),
]


def connector_of(row: Row[Any, *tuple[Any, ...]]) -> Connector:
    """Read a connector from a row with its columns."""
    stored = {name: row._mapping[name] for name in (*_NAMES, "has_api_key")}
    stored["kind"] = ConnectorKind(stored["kind"])
    stored["rules"] = tuple(msgspec.convert(stored["rules"], list[SaleRule]))
    stored["on_refund"] = Consequence(stored["on_refund"])
    stored["on_dispute"] = Consequence(stored["on_dispute"])
    stored["on_payment_failed"] = PaymentFailureConsequence(stored["on_payment_failed"])
    return Connector(**stored)


def _values(item: Connector) -> dict[str, Any]:
    stored = {name: getattr(item, name) for name in _NAMES if name != "previous_until"}
    stored["rules"] = list(item.rules)
    return stored


def _same(item: Connector) -> ColumnElement[bool]:
    return and_(connectors.c.institution_id == item.institution_id, connectors.c.id == item.id)


async def insert_connector(
    db: Connection, item: Connector, secret: bytes, api_key: bytes | None
) -> None:
    """Insert a connector with its encrypted secrets."""
    await db.execute(insert(connectors).values(**_values(item), secret=secret, api_key=api_key))


async def list_connectors(
    db: Connection, institution_ids: Sequence[UUID], paging: Paging
) -> Listing[Connector]:
    """List the connectors of these institutions."""
    listing = await fetch_listing(
        db,
        select(*_COLUMNS).where(connectors.c.institution_id.in_(institution_ids)),
        paging,
        id_column=connectors.c.id,
        sortable={
            "name": connectors.c.name,
            "createdAt": connectors.c.created_at,
            "updatedAt": connectors.c.updated_at,
        },
    )
    return listing.of(connector_of)


def _one(institution_ids: Collection[UUID], connector_id: UUID) -> Select[Any]:
    return select(*_COLUMNS).where(
        connectors.c.institution_id.in_(institution_ids), connectors.c.id == connector_id
    )


async def fetch_connector(
    db: Connection, institution_ids: Collection[UUID], connector_id: UUID
) -> Connector | None:
    """Fetch a connector in one of these institutions."""
    row = (await db.execute(_one(institution_ids, connector_id))).one_or_none()
    return None if row is None else connector_of(row)


async def fetch_names(
    db: Connection, institution_ids: Collection[UUID], connector_ids: Collection[UUID]
) -> dict[UUID, str]:
    """Fetch the names of connectors."""
    statement = select(connectors.c.id, connectors.c.name).where(
        connectors.c.institution_id.in_(institution_ids), connectors.c.id.in_(connector_ids)
    )
    return {row.id: row.name for row in await db.execute(statement)}


async def fetch_connector_of(db: Connection, order: Order) -> Connector:
    """Fetch the connector of an order."""
    statement = _one([order.institution_id], order.connector_id)
    return connector_of((await db.execute(statement)).one())


async def lock_connector(
    db: Connection, institution_ids: Collection[UUID], connector_id: UUID
) -> Connector | None:
    """Fetch a connector `FOR NO KEY UPDATE`; it receives events meanwhile."""
    statement = _one(institution_ids, connector_id).with_for_update(key_share=True)
    row = (await db.execute(statement)).one_or_none()
    return None if row is None else connector_of(row)


async def find_connector(
    db: Connection, connector_id: UUID
) -> tuple[Connector, SealedSecrets] | None:
    """Fetch the connector that an inbox belongs to, whatever institution has it."""
    statement = select(*_COLUMNS, connectors.c.secret, connectors.c.previous_secret).where(
        connectors.c.id == connector_id
    )
    row = (await db.execute(statement)).one_or_none()
    if row is None:
        return None
    secrets = SealedSecrets(row.secret, row.previous_secret, row.previous_until)
    return connector_of(row), secrets


async def claim_connector(db: Connection, others: Collection[UUID]) -> Connector | None:
    """Lock a connector with pending events that is none of the others, and nobody works on.

    One process at a time links the events of a connector, so that no two make an order of the same.
    """
    pending = exists().where(
        connector_events.c.institution_id == connectors.c.institution_id,
        connector_events.c.connector_id == connectors.c.id,
        connector_events.c.status == "Pending",
    )
    statement = (
        select(*_COLUMNS)
        .where(pending, connectors.c.is_enabled, connectors.c.id.not_in(others))
        .limit(1)
        .with_for_update(key_share=True, skip_locked=True, of=connectors)
    )
    row = (await db.execute(statement)).one_or_none()
    return None if row is None else connector_of(row)


async def save_connector(db: Connection, item: Connector) -> None:
    """Store a changed connector; its secrets stay as they are."""
    await db.execute(update(connectors).where(_same(item)).values(**_values(item)))


async def save_api_key(db: Connection, item: Connector, api_key: bytes | None) -> None:
    """Store another encrypted API key, or none."""
    await db.execute(update(connectors).where(_same(item)).values(api_key=api_key))


async def fetch_secrets(db: Connection, item: Connector) -> SealedSecrets:
    """Fetch the encrypted signing secrets of a connector."""
    columns = (connectors.c.secret, connectors.c.previous_secret, connectors.c.previous_until)
    return SealedSecrets(*(await db.execute(select(*columns).where(_same(item)))).one())


async def save_secrets(db: Connection, item: Connector, stored: SealedSecrets) -> None:
    """Store the encrypted signing secrets of a connector."""
    await db.execute(
        update(connectors)
        .where(_same(item))
        .values(
            secret=stored.secret,
            previous_secret=stored.previous,
            previous_until=stored.previous_until,
            updated_at=item.updated_at,
        )
    )


async def delete_connector(db: Connection, item: Connector) -> None:
    """Delete a connector with its events and orders; licenses stay."""
    await db.execute(delete(connectors).where(_same(item)))
