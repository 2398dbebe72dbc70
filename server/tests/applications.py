"""The applications that the tests of a process share, one for each set of settings."""

from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import replace
from typing import Any, Protocol

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from testkit import FakeClock, running, settings_for

from licet_server.app import Application
from licet_server.events.service.sealing import begin_chain
from licet_server.kit.database import Connection, metadata
from licet_server.kit.origin import CONSOLE
from licet_server.kit.outages import is_transaction_conflict
from licet_server.kit.passwords import Passwords
from licet_server.kit.platform import Platform
from licet_server.kit.settings import Settings

# To truncate every table takes a second, since each table and index gets a new file. To delete many
# rows takes longer still.
_LARGE_BYTES = 1_000_000
_TABLES = " ".join(table.name for table in reversed(metadata.sorted_tables))
_EMPTY = f"""
DO $$
DECLARE name text; has_rows boolean;
BEGIN
    FOREACH name IN ARRAY string_to_array('{_TABLES}', ' ')
    LOOP
        EXECUTE format('SELECT EXISTS (SELECT 1 FROM %I)', name) INTO has_rows;
        IF has_rows AND pg_relation_size(name) > {_LARGE_BYTES} THEN
            EXECUTE format('TRUNCATE %I CASCADE', name);
        ELSIF has_rows THEN
            EXECUTE format('DELETE FROM %I', name);
        END IF;
    END LOOP;
END $$
"""


_Key = tuple[str, frozenset[tuple[str, Any]]]


class ApplicationWith(Protocol):
    """Get the application with some settings, which starts when it is asked for the first time.

    Most tests share a database, and each has its own tenant. `database` names another one, for
    tests of jobs that work on all tenants; it is `emptied` before each of them.
    """

    async def __call__(self, database: str = "", **settings: Any) -> Application: ...


class AnotherServer(Protocol):
    """Get a second server on the database of a test's application; they share nothing else.

    It starts when it is asked for the first time with some settings. To build one takes more than
    most tests do.
    """

    async def __call__(self, **settings: Any) -> Application: ...


class Applications:
    """Starts each application once, and stops all of them."""

    def __init__(
        self,
        new_database: Callable[[], str],
        folders: pytest.TempPathFactory,
        clock: FakeClock,
        passwords: Passwords,
    ) -> None:
        self._new_database = new_database
        self._folders = folders
        self._clock = clock
        self._passwords = passwords
        self._running: dict[_Key, Application] = {}
        self._open = AsyncExitStack()

    async def get(self, database: str = "", **settings: Any) -> Application:
        key = (database, frozenset(settings.items()))
        if key not in self._running:
            folder = self._folders.mktemp("data")
            await self._start(key, settings_for(self._new_database(), folder, **settings))
        return self._running[key]

    async def twin_of(self, application: Application, **settings: Any) -> Application:
        given = replace(application.platform.settings, **settings)
        key = (f"twin in {given.data_dir}", frozenset(settings.items()))
        if key not in self._running:
            await self._start(key, given)
        return self._running[key]

    async def _start(self, key: _Key, settings: Settings) -> None:
        app = running(settings, self._clock, self._passwords)
        self._running[key] = await self._open.enter_async_context(app)

    async def stop(self) -> None:
        await self._open.aclose()


async def despite_background(
    platform: Platform, write: Callable[[Connection], Awaitable[Any]]
) -> None:
    """Write to all tables in a transaction, again while what runs beside it wins a deadlock.

    What applications requested is stored seconds later, and locks customers and licenses before the
    requests, where a test that deletes every row begins with these. The service tries again; so
    must the test, if it is the one whose transaction the database ends.
    """
    while True:
        try:
            async with platform.database.transaction() as db:
                await write(db)
        except DBAPIError as error:
            if is_transaction_conflict(error):
                continue
            raise
        return


async def emptied(application: Application) -> Application:
    """Return the application as after its start: without a row of the tests before."""
    platform = application.platform
    await despite_background(platform, lambda db: db.execute(text(_EMPTY)))
    async with platform.unit_of_work(CONSOLE) as work:
        await begin_chain(work)
    return application
