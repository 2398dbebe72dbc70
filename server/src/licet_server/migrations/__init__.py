"""The schema's history, applied by `licet-server migrate` and at every start.

Knows every feature's tables, as a composition root must.
"""

import asyncio
import re
from collections.abc import Callable
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import text
from sqlalchemy.engine import Connection
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

import licet_server.archives.tables
import licet_server.catalog.tables
import licet_server.connectors.tables
import licet_server.customers.tables
import licet_server.delivery.tables
import licet_server.devices.tables
import licet_server.events.tables
import licet_server.identity.tables
import licet_server.institutions.tables
import licet_server.kit.idempotency
import licet_server.kit.limits.storage
import licet_server.kit.mail.outbox
import licet_server.kit.master_key
import licet_server.leases.tables
import licet_server.licenses.tables
import licet_server.metering.tables
import licet_server.notifications.tables
import licet_server.offline.tables
import licet_server.saved_views.tables
import licet_server.sessions.tables
import licet_server.sso.tables
import licet_server.telemetry.tables
import licet_server.upgrades.tables
import licet_server.webhooks.tables  # noqa: F401 - the imports register the tables
from licet_server.kit.connecting import connect_arguments
from licet_server.kit.outages import sqlstate_of
from licet_server.migrations.turns import TurnLost, take_turn

_FOLDER = Path(__file__).parent
_MADE_ELSEWHERE = {
    # IF NOT EXISTS fails all the same when another process makes the table at that very moment.
    "23505",  # unique_violation
    "42710",  # duplicate_object
    "42P07",  # duplicate_table
}


_CONNECTION = {
    "application_name": "licet",
    "statement_timeout": "0",
    # Citus refuses to refer to an institution after it has changed rows on several connections.
    # PostgreSQL alone keeps the setting, and does nothing with it.
    "citus.multi_shard_modify_mode": "sequential",
}
_one_at_a_time = asyncio.Lock()
"""Within a process, since Alembic's state is global."""
_LOCKED = {
    "40P01",  # deadlock_detected
    "55P03",  # lock_not_available
}
_PAUSE_S = 3
_ATTEMPTS = 120
_DEVELOPMENT_REVISION = re.compile(r"00\d\d(_\w+)?")
"""Revisions from before the first release, which is 1001."""


class MigrationBlocked(Exception):
    """A table was locked for so long that the schema could not be upgraded."""


class UnknownSchema(Exception):
    """This release cannot bring the schema of the database up to date."""


def config(connection: Connection | None = None) -> Config:
    """Alembic's configuration, without a file."""
    settings = Config()
    settings.set_main_option("script_location", str(_FOLDER))
    settings.set_main_option("path_separator", "os")
    settings.attributes["connection"] = connection
    return settings


async def migrate(
    url: str, say: Callable[[str], None] = lambda _: None, *, to: str = "head"
) -> None:
    """Bring the schema to a version, the newest one, in one transaction; a no-op if it is there.

    Indexes that are created concurrently divide the transaction. Several processes may call it at
    once: they take turns at a lock on the version table. Tables in use are waited for without
    blocking requests; `say` is told.

    Raises:
        MigrationBlocked: when a table stays locked for 10 minutes.
        UnknownSchema: when the database belongs to a newer release, or to a development version.
    """
    arguments = connect_arguments(url, _CONNECTION, command_timeout=None)
    engine = create_async_engine("postgresql+asyncpg://", connect_args=arguments)
    try:
        await _make_version_table(engine)
        async with _one_at_a_time:
            await _upgrade_between_requests(engine, say, to)
    finally:
        await engine.dispose()


async def _upgrade_between_requests(
    engine: AsyncEngine, say: Callable[[str], None], to: str
) -> None:
    for attempt in range(1, _ATTEMPTS + 1):
        try:
            async with engine.connect() as connection:
                await connection.run_sync(_upgrade, to)
        except TurnLost:
            continue
        except DBAPIError as error:
            if sqlstate_of(error) not in _LOCKED:
                raise
            say(f"A table is in use; the migration tries again in {_PAUSE_S} s (try {attempt})")
            await asyncio.sleep(_PAUSE_S)
        else:
            return
    raise MigrationBlocked(
        "The schema could not be upgraded, because another connection keeps a table locked. End "
        "it (pg_stat_activity shows long transactions), then start again. Nothing is lost."
    )


async def _make_version_table(engine: AsyncEngine) -> None:
    statement = (
        "CREATE TABLE IF NOT EXISTS alembic_version "
        "(version_num VARCHAR(32) NOT NULL CONSTRAINT alembic_version_pkc PRIMARY KEY)"
    )
    try:
        async with engine.begin() as connection:
            await connection.execute(text(statement))
    except DBAPIError as error:
        if getattr(error.orig, "sqlstate", None) not in _MADE_ELSEWHERE:
            raise


def _upgrade(connection: Connection, to: str) -> None:
    present = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    connection.rollback()
    if present is not None:
        require_known(present)
    settings = config(connection)
    settings.attributes["take_turn"] = take_turn
    command.upgrade(settings, to)


def require_known(revision: str) -> None:
    """Check that this release knows a version of the schema.

    Raises:
        UnknownSchema: when it is of a newer release, or of a development version.
    """
    known = ScriptDirectory.from_config(config()).walk_revisions()
    if revision not in {item.revision for item in known}:
        raise UnknownSchema(_unknown(revision))


def _unknown(revision: str) -> str:
    if _DEVELOPMENT_REVISION.fullmatch(revision):
        return (
            "The database was created by a development version of Licet, from before the first "
            "release, and cannot be upgraded. Start with an empty data folder or database."
        )
    return (
        "The database belongs to a newer release of Licet. Start that release, or restore a "
        "backup that this one created."
    )
