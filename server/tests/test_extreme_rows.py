"""Reads survive whatever the database can hold: extreme values in each column of each table.

Each variant writes one extreme value into the columns of a table, walks every list, detail, search,
statistics, export and what applications ask, runs every job, and puts the rows back.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import httpx
import pytest
from applications import ApplicationWith, despite_background, emptied
from filled_tables import fill_empty_tables
from licenses.factories import FUTURE
from sqlalchemy import Boolean, Column, text
from sqlalchemy.dialects import postgresql
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.types import (
    BigInteger,
    Date,
    DateTime,
    Integer,
    LargeBinary,
    Numeric,
    Text,
    TypeDecorator,
    TypeEngine,
)
from testkit import FakeClock
from volumes import is_long
from walls.table import BODIES, ENDLESS, IN_QUERY, Route, routes
from walls.tenant import Tenant, found_tenant
from world import World

from licet_server.app import Application
from licet_server.catalog.access import ProductKey
from licet_server.kit.database import Connection, metadata
from licet_server.kit.outages import sqlstate_of
from licet_server.kit.platform import Platform
from licet_server.worker import JOBS

INSTANTS = ("-infinity", "infinity", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999Z")
BEYOND_PYTHON = ("4713-01-01T00:00:00Z BC", "294276-12-31T23:59:59Z")
"""Instants that the database can hold and `datetime` cannot."""
TEXTS = (
    "",
    "\u0301",
    "\x01\r\n\x7f\u2028\u202e",
    "no name <no@address@@>",
    "null",
    "a" * 300_000,
)
DOCUMENTS = (
    "null",
    "7",
    '"text"',
    "[1, null]",
    '[{"a": [null]}]',
    '{"a": {"b": [1]}, "name": 1, "en": 7}',
    "{}",
)
"""Of JSON; the first is not the null of SQL."""
NUMBERS = ("NaN", "-999999999999999999.999999", "999999999999999999.999999")
INTEGERS = ("-2147483648", "2147483647", "0")
BIG_INTEGERS = ("-9223372036854775808", "9223372036854775807", "0")
TRUTHS = ("true", "false")
BYTES = ("\\x", "\\x00ff")
ROUNDS = 7
"""How many values the columns of a kind get at most."""
SOME_ROUNDS = 4
"""The same in the short form, in which each group of tables begins with another value."""
STEP = 3
"""From the first round of a group of tables to that of the next."""
GATES = {"users", "sign_ins", "memberships", "institutions", "product_keys", "api_keys"}
"""Tables that every request reads before it reads others."""
FORBIDDEN = ("23", "54")
"""States of SQL: a constraint is violated, or an index cannot hold the value."""
FILLED = 1
"""Rounds of the short form in which columns without a value get one."""
DAMAGED = {"GET /api/releases/{release_id}/files/{file_id}/content"}
"""Routes that must fail where a row contradicts what the file store has."""
DOCUMENTED = ("/api/docs", "/api/openapi.json")
"""Routes that tell of the API and read no row."""
NOT_OF_ROWS = {"check_for_upgrade"}
"""Jobs that read nothing of the database."""
CHUNKS = 2


@dataclass(frozen=True)
class Variant:
    """Columns that each get an extreme value, where they have one or where they have none.

    Without a value, they get null.
    """

    name: str
    values: Mapping[Column[Any], str | None]
    fills: bool = False

    def __str__(self) -> str:
        kinds = {f"{column.type}": value for column, value in self.values.items()}
        return f"{self.name}{' where null' if self.fills else ''} {str(kinds)[:400]}"

    async def write(self, db: AsyncConnection) -> int:
        """Write the values, and return into how many rows.

        A value that constraints forbid in all rows, such as the same in each, goes into one.
        """
        written = 0
        for column, value in self.values.items():
            table, name = column.table.name, f'"{column.name}"'
            condition = f"{name} IS {'NULL' if self.fills else 'NOT NULL'}"
            assigned = f"UPDATE {table} SET {name} = {literal(column, value)} WHERE {condition}"
            one = f"ctid = (SELECT min(ctid) FROM {table} WHERE {condition})"
            for statement in (assigned, f"{assigned} AND {one}"):
                try:
                    async with db.begin_nested():
                        written += (await db.exec_driver_sql(statement)).rowcount
                    break
                except DBAPIError as refused:
                    if not (sqlstate_of(refused) or "").startswith(FORBIDDEN):
                        raise
        return written


def literal(column: Column[Any], value: str | None) -> str:
    """Return a value of a column's type as SQL has it."""
    if value is None:
        return "NULL"
    kind = column.type.compile(dialect=postgresql.dialect())  # type: ignore[no-untyped-call]
    return f"CAST('{value}' AS {kind})"


def values_of(kind: TypeEngine[Any]) -> Sequence[str]:
    """Return the extreme values of a type."""
    if isinstance(kind, TypeDecorator):
        return values_of(kind.impl_instance)
    values: tuple[tuple[type[TypeEngine[Any]], Sequence[str]], ...] = (
        (postgresql.JSONB, DOCUMENTS),
        (DateTime, (*INSTANTS, *BEYOND_PYTHON)),
        (Date, INSTANTS),
        (BigInteger, BIG_INTEGERS),
        (Integer, INTEGERS),
        (Numeric, NUMBERS),
        (Boolean, TRUTHS),
        (LargeBinary, BYTES),
        (Text, TEXTS),
    )
    return next((found for of_kind, found in values if isinstance(kind, of_kind)), ())


def variants() -> Iterator[Variant]:
    """Yield what is written: one value after the other into all columns of some tables at once.

    In the long form, that is one table after the other, and every value into each column.
    """
    groups: dict[str, list[Column[Any]]] = {}
    for table in metadata.sorted_tables:
        group = table.name if is_long() else group_of(table.name)
        for column in table.columns:
            if column.computed is None and not column.foreign_keys:
                groups.setdefault(group, []).append(column)
    for place, (name, columns) in enumerate(groups.items()):
        nullable = [column for column in columns if column.nullable]
        for number in range(ROUNDS if is_long() else SOME_ROUNDS):
            yield Variant(name, chosen(columns, (number + place * STEP) % ROUNDS))
            if is_long() or number < FILLED:
                yield Variant(name, chosen(nullable, number), fills=True)
        yield Variant(name, dict.fromkeys(nullable))


def chosen(columns: Iterable[Column[Any]], number: int) -> dict[Column[Any], str | None]:
    """Return a value for each column that has one."""
    of_columns = ((column, values_of(column.type)) for column in columns)
    return {
        column: found[(number + (place if is_varied(found) else 0)) % len(found)]
        for place, (column, found) in enumerate(of_columns)
        if found
    }


def is_varied(values: Sequence[str]) -> bool:
    """Return whether columns begin with another value each, so that a few rounds have them all."""
    return values is DOCUMENTS and not is_long()


def group_of(table: str) -> str:
    return table if table == "licenses" else "gates" if table in GATES else "others"


class Rows:
    """Every row of the database as it was, to put back."""

    def __init__(self, platform: Platform) -> None:
        self._platform = platform

    async def keep(self) -> None:
        async with self._platform.database.transaction() as db:
            await db.execute(text("DROP SCHEMA IF EXISTS kept CASCADE"))
            await db.execute(text("CREATE SCHEMA kept"))
            for name in metadata.tables:
                await db.execute(text(f"CREATE TABLE kept.{name} AS TABLE public.{name}"))

    async def put_back(self) -> None:
        await despite_background(self._platform, _put_back)


async def _put_back(db: Connection) -> None:
    for table in reversed(metadata.sorted_tables):
        await db.execute(text(f"DELETE FROM public.{table.name}"))
    for table in metadata.sorted_tables:
        stored = [item.name for item in table.columns if item.computed is None]
        names = ", ".join(f'"{item}"' for item in stored)
        await db.execute(
            text(
                f"INSERT INTO public.{table.name} ({names}) OVERRIDING SYSTEM VALUE "
                f"SELECT {names} FROM kept.{table.name}"
            )
        )


@dataclass
class Walk:
    """Requests that read, with the answers of the rows as they were."""

    tenant: Tenant
    client: httpx.AsyncClient
    platform: Platform
    reads: Sequence[Route]

    async def faults(self) -> list[str]:
        """Return what did not survive."""
        found = []
        for route in self.reads:
            answer = await self._ask(route)
            if answer.status_code >= 500:
                found.append(f"{route.name} {answer.status_code}")
        return found

    async def failed_jobs(self) -> list[str]:
        failed = []
        for job in JOBS:
            if job.name in NOT_OF_ROWS:
                continue
            try:
                await job.run(self.platform)
            except Exception as error:  # noqa: BLE001 - named by the test
                failed.append(f"{job.name} {type(error).__name__} {str(error)[:300]}")
        return failed

    async def _ask(self, route: Route) -> httpx.Response:
        headers = dict(self.tenant.owner.headers)
        if isinstance(route.access, ProductKey):
            headers = {"x-api-key": self.tenant.product_key}
        options: dict[str, Any] = {"headers": headers}
        if route.name in IN_QUERY:
            options["params"] = IN_QUERY[route.name](self.tenant)
        if route.method != "GET":
            options["json"] = BODIES[route.name](self.tenant)
        return await self.client.request(route.method, self.tenant.url(route.template), **options)


def reads_of(application: Application, tenant: Tenant) -> list[Route]:
    """Every GET, and what applications ask."""
    found = [
        route
        for route in routes(application)
        if route.name not in {*ENDLESS, *DAMAGED}
        and (
            route.method == "GET" or (isinstance(route.access, ProductKey) and route.name in BODIES)
        )
        and re.match(r"/api/(?!auth/sso)", route.template)
        and not route.template.startswith(DOCUMENTED)
        and tenant.ids.keys() >= {*re.findall(r"{(\w+)}", route.template)}
    ]
    return sorted(found, key=lambda route: route.method == "DELETE")


@pytest.fixture
async def application(application_with: ApplicationWith, clock: FakeClock) -> Application:
    """The application on a database of its own, since rows and jobs of all tenants change."""
    return await emptied(await application_with("extreme rows"))


def test_every_value_is_written() -> None:
    written = {
        (values_of(column.type), value)
        for variant in variants()
        for column, value in variant.values.items()
        if value is not None
    }
    kinds = {kind for kind, _ in written}
    assert kinds >= {TEXTS, DOCUMENTS, NUMBERS, INTEGERS, BIG_INTEGERS, TRUTHS, BYTES, INSTANTS}
    assert written == {(kind, value) for kind in kinds for value in kind}


@pytest.mark.parametrize("chunk", range(CHUNKS))
async def test_reads_survive_extreme_values(
    application: Application,
    platform: Platform,
    client: httpx.AsyncClient,
    new_owner: Callable[..., Any],
    chunk: int,
) -> None:
    tenant = await found_tenant(new_owner, platform)
    async with platform.database.transaction() as db:
        await db.execute(text("UPDATE webhooks SET url = 'https://127.0.0.1:1/'"))
        assert await fill_empty_tables(db) == set()
    walk = Walk(tenant, client, platform, reads_of(application, tenant))
    rows = Rows(platform)
    await rows.keep()
    assert await walk.faults() == []
    await rows.put_back()
    assert await walk.failed_jobs() == []
    await rows.put_back()
    broken: dict[str, list[str]] = {}
    tried = 0
    for variant in list(variants())[chunk::CHUNKS]:
        async with platform.database.transaction() as db:
            if not await variant.write(db):
                continue
        tried += 1
        if faults := await walk.faults() + await walk.failed_jobs():
            broken[str(variant)] = faults
        await rows.put_back()
    assert tried
    assert broken == {}


@pytest.mark.parametrize("value", [*INSTANTS, *BEYOND_PYTHON])
async def test_a_license_with_an_impossible_end_is_listed_and_can_be_repaired(
    world: World, value: str
) -> None:
    license_ = await world.issue("Subscription")
    other = await world.issue("Perpetual")
    async with world.platform.database.transaction() as db:
        statement = f"UPDATE licenses SET expiration_date = '{value}' WHERE id = :id"
        await db.execute(text(statement), {"id": license_["id"]})
    for sort in ("expirationDate", "-expirationDate"):
        listed = await world.owner.ok("GET", "/api/licenses", params={"sort": sort})
        assert {item["id"] for item in listed["items"]} == {license_["id"], other["id"]}
    shown = await world.read(license_)
    is_over = "BC" in value or value.startswith(("-", "0"))
    assert shown["status"] == ("Expired" if is_over else "Active")
    assert (await world.validate(license_))["status"] == ("Expired" if is_over else "Valid")
    await world.owner.ok("PUT", f"/api/licenses/{license_['id']}", {"expirationDate": FUTURE})
    assert (await world.read(license_))["expirationDate"] == FUTURE
    assert (await world.validate(license_))["status"] == "Valid"
