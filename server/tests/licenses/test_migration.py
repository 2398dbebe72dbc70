"""The migration that adds reminders: licenses that had expired before get no reminder."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime

import pytest
from alembic import command
from sqlalchemy import Connection, text
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from testkit import numbers

from licet_server.kit.ids import new_id
from licet_server.kit.postgres import EmbeddedPostgres
from licet_server.migrations import config, migrate

BEFORE = "0013"
ENDED, FUTURE = datetime(2020, 5, 1, tzinfo=UTC), datetime(2999, 5, 1, tzinfo=UTC)
ENDS = {"ended": ENDED, "running": FUTURE, "endless": None}

_OWNER = "INSERT INTO institutions (id, name, created_at) VALUES (:owner, 'Vendor', now())"
_PRODUCT = """
INSERT INTO products (institution_id, id, name, access_type, settings, created_at, updated_at)
VALUES (:owner, :product, 'Aurora', 'Opened', '{}', now(), now())
"""
_RELEASE = """
INSERT INTO releases (institution_id, id, product_id, version, channel, status, created_at,
    updated_at)
VALUES (:owner, :release, :product, '1.0.0', 'Stable', 'Draft', now(), now())
"""
_LICENSE = """
INSERT INTO licenses (institution_id, id, product_id, software_release_id, type, license_key,
    normal_key, license_name, activation_mode, metadata, created_at, updated_at, expiration_date)
VALUES (:owner, :license, :product, :release, 'Trial', :name, :name, :name, 'Online', '{}', now(),
    now(), :ends)
"""


def _upgrade(connection: Connection) -> None:
    command.upgrade(config(connection), BEFORE)


@pytest.fixture
async def old(postgres: EmbeddedPostgres) -> AsyncIterator[AsyncEngine]:
    """A database before the migration."""
    engine = create_async_engine(postgres.create_database(f"old_{next(numbers)}").url)
    async with engine.begin() as connection:
        await connection.run_sync(_upgrade)
    yield engine
    await engine.dispose()


async def test_licenses_expired_before_the_migration_get_no_reminder(old: AsyncEngine) -> None:
    given = {name: new_id(ENDED) for name in ("owner", "product", "release")}
    async with old.begin() as connection:
        for statement in (_OWNER, _PRODUCT, _RELEASE):
            await connection.execute(text(statement), given)
        for name, ends in ENDS.items():
            row = {**given, "license": new_id(ENDED), "name": name, "ends": ends}
            await connection.execute(text(_LICENSE), row)
    await migrate(old.url.render_as_string(hide_password=False))
    reminded = "SELECT license_name, reminded_for, reminded_days FROM licenses"
    async with old.connect() as connection:
        rows = (await connection.execute(text(reminded))).all()
        days = await connection.execute(text("SELECT expiry_reminder_days FROM institutions"))
        assert days.scalar_one() == [30, 7, 1]
    assert {name: (until, left) for name, until, left in rows} == {
        "ended": (ENDED, 0),
        "running": (None, None),
        "endless": (None, None),
    }
