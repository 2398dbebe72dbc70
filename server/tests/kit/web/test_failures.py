"""What a request is told, and what the log says, when the database fails in its many ways."""

from collections.abc import AsyncIterator

import httpx
import pytest
import structlog
from applications import ApplicationWith
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from testkit import FakeClock, Owner

from licet_server.app import Application
from licet_server.kit.limits import take
from licet_server.kit.outages import OutcomeUnknown, is_unavailable
from licet_server.kit.platform import Platform

TEMPORARY = (
    "25006",
    "53100",
    "53200",
    "53300",
    "55P03",
    "57014",
    "57P03",
    "58030",
    "40001",
    "40P01",
)
PRODUCT = {"name": "A product", "initialVersion": "1.0.0"}
RAISING = """
    CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN {statement}; RETURN NULL; END $$;
    CREATE CONSTRAINT TRIGGER fail AFTER INSERT ON {table}
    DEFERRABLE INITIALLY {moment} FOR EACH ROW EXECUTE FUNCTION fail()
"""
DYING = "PERFORM pg_terminate_backend(pg_backend_pid())"


@pytest.fixture
async def application(
    application_with: ApplicationWith, clock: FakeClock
) -> AsyncIterator[Application]:
    """The application on a database that a test may break, and that is mended after it."""
    app = await application_with("failures")
    yield app
    await app.platform.database.close()  # connections of a test may be read-only
    async with app.platform.database.transaction() as db:
        await db.execute(text("SET TRANSACTION READ WRITE"))
        await db.execute(text("DROP FUNCTION IF EXISTS fail() CASCADE"))
        await db.execute(text(f'ALTER DATABASE "{name_of(app.platform)}" RESET ALL'))
    await app.platform.database.close()


def name_of(platform: Platform) -> str:
    """Return the name of the database."""
    return str(platform.settings.database_url).partition("?")[0].rpartition("/")[2]


async def fail_on_insert(platform: Platform, table: str, statement: str, moment: str) -> None:
    function, trigger = RAISING.format(table=table, statement=statement, moment=moment).split("$$;")
    async with platform.database.transaction() as db:
        await db.execute(text(function + "$$"))
        await db.execute(text(trigger))


@pytest.mark.parametrize("state", TEMPORARY)
async def test_what_passes_by_itself_is_an_outage(platform: Platform, state: str) -> None:
    statement = f"DO $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '{state}'; END $$"
    with pytest.raises(DBAPIError) as caught:
        async with platform.database.transaction() as db:
            await db.execute(text(statement))
    assert is_unavailable(caught.value)


async def test_a_full_disk_is_no_fault_of_the_service(owner: Owner, platform: Platform) -> None:
    full = "RAISE EXCEPTION 'No space left on device' USING ERRCODE = '53100'"
    await fail_on_insert(platform, "products", full, "IMMEDIATE")
    response = await owner.send("POST", "/api/products", PRODUCT)
    assert (response.status_code, response.json()["errorCode"]) == (503, "Unavailable")
    assert int(response.headers["retry-after"]) > 0
    assert "Nothing was changed" in response.json()["detail"]


async def test_a_commit_that_was_not_confirmed_is_not_called_undone(
    owner: Owner, platform: Platform
) -> None:
    await fail_on_insert(platform, "products", DYING, "DEFERRED")
    response = await owner.send("POST", "/api/products", PRODUCT)
    assert (response.status_code, response.json()["errorCode"]) == (503, "Unavailable")
    assert int(response.headers["retry-after"]) > 0
    assert "may or may not have been stored" in response.json()["detail"]


async def test_a_connection_lost_before_the_commit_has_changed_nothing(
    owner: Owner, platform: Platform
) -> None:
    await fail_on_insert(platform, "products", DYING, "IMMEDIATE")
    response = await owner.send("POST", "/api/products", PRODUCT)
    assert response.status_code == 503
    assert "Nothing was changed" in response.json()["detail"]


@pytest.mark.parametrize("connection", ["reading", "relaxed"])
async def test_a_single_statement_that_was_not_confirmed_is_in_doubt(
    platform: Platform, connection: str
) -> None:
    await fail_on_insert(platform, "rate_counters", DYING, "IMMEDIATE")
    insert = "INSERT INTO rate_counters (bucket, ends_at, count) VALUES ('b', now(), 1)"
    with pytest.raises(OutcomeUnknown) as caught:
        async with getattr(platform.database, connection)() as db:
            await db.execute(text(insert))
    assert is_unavailable(caught.value)
    with pytest.raises(DBAPIError):
        async with getattr(platform.database, connection)() as db:
            await db.execute(text("SELECT pg_terminate_backend(pg_backend_pid())"))


async def test_a_read_only_database_is_not_ready(
    owner: Owner, client: httpx.AsyncClient, platform: Platform
) -> None:
    assert (await client.get("/health/ready")).status_code == 200
    async with platform.database.reading() as db:
        await db.execute(
            text(f'ALTER DATABASE "{name_of(platform)}" SET default_transaction_read_only = on')
        )
    await platform.database.close()  # connections from before may write
    response = await client.get("/health/ready")
    assert response.status_code == 503
    assert int(response.headers["retry-after"]) > 0
    response = await owner.send("POST", "/api/products", PRODUCT)
    assert (response.status_code, response.json()["errorCode"]) == (503, "Unavailable")
    assert (await client.get("/health/live")).status_code == 200


async def test_the_log_says_which_request_failed_and_how(owner: Owner, platform: Platform) -> None:
    full = "RAISE EXCEPTION 'No space left on device' USING ERRCODE = '53100'"
    await fail_on_insert(platform, "products", full, "IMMEDIATE")
    with structlog.testing.capture_logs() as lines:
        headers = {"x-request-id": "request-1"}
        await owner.send("POST", "/api/products", PRODUCT, headers=headers)
    [line] = [line for line in lines if line["event"] == "unavailable"]
    facts = {name: line[name] for name in ("request_id", "method", "route", "sqlstate")}
    assert facts == {
        "request_id": "request-1",
        "method": "POST",
        "route": "/api/products",
        "sqlstate": "53100",
    }


async def test_a_count_that_was_not_confirmed_puts_no_request_in_doubt(platform: Platform) -> None:
    await fail_on_insert(platform, "rate_counters", DYING, "IMMEDIATE")
    with pytest.raises(DBAPIError) as caught:
        await take(platform.database, "bucket", 10, platform.clock())
    assert is_unavailable(caught.value)
