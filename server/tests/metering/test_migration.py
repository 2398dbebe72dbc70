"""Metered licenses from before there were wallets: they get theirs, and the books balance."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest
from alembic import command
from sqlalchemy import Connection, text
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from testkit import numbers

from licet_server.kit.ids import new_id
from licet_server.kit.postgres import EmbeddedPostgres
from licet_server.migrations import config, migrate

ISSUED = datetime(2029, 5, 1, 12, 0, tzinfo=UTC)
BALANCES = {"MeteredToken": Decimal("12.500001"), "MeteredCount": Decimal(100), "Perpetual": None}

_OWNER = "INSERT INTO institutions (id, name, created_at) VALUES (:owner, 'Vendor', :now)"
_PRODUCT = """
INSERT INTO products (institution_id, id, name, access_type, settings, created_at, updated_at)
VALUES (:owner, :product, 'Aurora', 'Opened', '{}', :now, :now)
"""
_RELEASE = """
INSERT INTO releases (institution_id, id, product_id, version, channel, status, created_at,
    updated_at)
VALUES (:owner, :release, :product, '1.0.0', 'Stable', 'Draft', :now, :now)
"""
_LICENSE = """
INSERT INTO licenses (institution_id, id, product_id, software_release_id, type, license_key,
    normal_key, license_name, activation_mode, initial_meter_balance, metadata, created_at,
    updated_at, revoked_at)
VALUES (:owner, :license, :product, :release, :type, :type, :type, :type, 'Online', :balance,
    '{}', :now, :now, :revoked)
"""
_BOOKS = """
SELECT w.license_id, w.product_id, w.mode, w.balance, w.version, w.low_balance_threshold,
    w.closed_at, c.counted, e.sequence, e.created_at, e.type, e.amount, e.balance_after,
    e.feature_name
FROM meter_wallets AS w
LEFT JOIN meter_counts AS c USING (institution_id, license_id)
LEFT JOIN meter_entries AS e USING (institution_id, license_id)
WHERE w.institution_id = :owner
"""


def _upgrade_to_0002(connection: Connection) -> None:
    command.upgrade(config(connection), "0002")


@pytest.fixture
async def old(postgres: EmbeddedPostgres) -> AsyncIterator[AsyncEngine]:
    """A database as it was before metering."""
    engine = create_async_engine(postgres.create_database(f"old_{next(numbers)}").url)
    async with engine.begin() as connection:
        await connection.run_sync(_upgrade_to_0002)
    yield engine
    await engine.dispose()


async def issue_all(old: AsyncEngine) -> dict[str, Any]:
    """A vendor's licenses of three models; answers the ids."""
    ids: dict[str, Any] = {name: new_id(ISSUED) for name in ("owner", "product", "release")}
    given = {**ids, "now": ISSUED}
    async with old.begin() as connection:
        for statement in (_OWNER, _PRODUCT, _RELEASE):
            await connection.execute(text(statement), given)
        for kind, balance in BALANCES.items():
            ids[kind] = new_id(ISSUED)
            row = {**given, "license": ids[kind], "type": kind, "balance": balance}
            row["revoked"] = ISSUED if kind == "MeteredCount" else None
            await connection.execute(text(_LICENSE), row)
    return ids


async def test_metered_licenses_get_their_wallets(old: AsyncEngine) -> None:
    ids = await issue_all(old)
    url = old.url.render_as_string(hide_password=False)
    await migrate(url)
    await migrate(url)
    async with old.connect() as connection:
        rows = (await connection.execute(text(_BOOKS), {"owner": ids["owner"]})).mappings()
        books = {row["license_id"]: dict(row) for row in rows}
    modes = {"MeteredToken": "Token", "MeteredCount": "Count"}
    assert books == {
        ids[kind]: {
            "license_id": ids[kind],
            "product_id": ids["product"],
            "mode": mode,
            "balance": BALANCES[kind],
            "version": 1,
            "low_balance_threshold": None,
            "closed_at": None,
            "counted": 0,
            "sequence": 1,
            "created_at": ISSUED,
            "type": "InitialGrant",
            "amount": BALANCES[kind],
            "balance_after": BALANCES[kind],
            "feature_name": None,
        }
        for kind, mode in modes.items()
    }
