"""How users are locked on one PostgreSQL, and where a database is spread over several nodes.

There, the rows of users are on every node, and Citus locks them on the first worker. While that one
is away, nobody would sign in.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid5

import pytest
from locks import WAITING
from patience import until_found
from sqlalchemy import event, insert, update
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from licet_server.identity.storage.second_factors import use_step
from licet_server.identity.storage.users import (
    delete_accounts,
    lock_enabled_admins,
    lock_user,
    lock_user_with_password,
    update_password_hash,
)
from licet_server.identity.tables import users
from licet_server.kit.database import create_engine

ONE, OTHER = (uuid5(UUID(int=0), name) for name in ("one", "other"))
LOCKS: dict[str, Callable[[AsyncConnection], Awaitable[Any]]] = {
    "lock_user": lambda db: lock_user(db, ONE),
    "lock_user_with_password": lambda db: lock_user_with_password(db, ONE, "old"),
    "lock_enabled_admins": lock_enabled_admins,
    "delete_accounts": lambda db: delete_accounts(db, [ONE]),
}


@pytest.fixture(
    params=[pytest.param("", marks=pytest.mark.undivided, id="whole"), "distributed=true"]
)
async def engine(
    request: pytest.FixtureRequest, new_database: Callable[[], str]
) -> AsyncIterator[AsyncEngine]:
    url = await asyncio.to_thread(new_database)
    joined = f"{url}{'&' if '?' in url else '?'}{request.param}" if request.param else url
    made = create_engine(joined, 3)
    now = datetime(2030, 1, 1, tzinfo=UTC)
    given = {"full_name": "", "created_at": now, "password_hash": "old"}
    async with made.begin() as db:
        for one in (ONE, OTHER):
            values = {"id": one, "email": f"{one}@example.com", "is_system_admin": one == ONE}
            await db.execute(insert(users).values(**given, **values))
    yield made
    await made.dispose()


@pytest.mark.parametrize("name", LOCKS)
async def test_only_one_postgresql_locks_their_rows(
    engine: AsyncEngine, request: pytest.FixtureRequest, name: str
) -> None:
    sent: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        sent.append(statement)

    async with engine.begin() as db:
        event.listen(engine.sync_engine, "before_cursor_execute", note)
        await LOCKS[name](db)
    locked = ["FOR NO KEY UPDATE" in statement for statement in sent]
    if "distributed" not in request.node.callspec.id:
        assert locked == [name != "delete_accounts"]
        return
    held = ["pg_advisory_xact_lock" in statement for statement in sent]
    before = [False] * (name == "lock_enabled_admins")  # who they are, before they are held
    assert (held, any(locked)) == ([*before, True, False], False)


@pytest.mark.parametrize("name", LOCKS)
async def test_what_another_transaction_changes_is_awaited(engine: AsyncEngine, name: str) -> None:
    async with engine.connect() as first, engine.connect() as second, engine.connect() as third:
        await lock_user(first, ONE)
        waiting = asyncio.ensure_future(LOCKS[name](second))

        async def waits() -> bool:
            assert not waiting.done(), "it waits for nobody"
            return bool((await third.execute(WAITING)).scalar_one())

        await until_found(waits)
        assert await lock_user(third, OTHER) is not None
        await update_password_hash(first, ONE, "new")
        await first.commit()
        found = await waiting
        if name == "lock_user_with_password":
            assert found is None


async def test_a_code_is_used_up_once_and_changes_no_user(engine: AsyncEngine) -> None:
    """A change of users would need every node of a spread database."""
    sent: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        sent.append(statement)

    now = datetime(2030, 1, 1, tzinfo=UTC)
    async with engine.begin() as db:
        factor = {"totp_secret": b"sealed", "totp_confirmed_at": now, "totp_last_step": 10}
        await db.execute(update(users).where(users.c.id == ONE).values(**factor))
        event.listen(engine.sync_engine, "before_cursor_execute", note)
        used = [await use_step(db, ONE, step) for step in (10, 12, 12, 11, 13)]
        assert not await use_step(db, OTHER, 13)
    assert used == [False, True, False, False, True]
    assert len(sent) == 6
    assert not any("UPDATE users" in statement for statement in sent)
