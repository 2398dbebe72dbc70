"""Reads survive whatever the database can hold: extreme values in each column of each table.

Each variant writes one extreme value into the columns of a table, walks every list, detail, search,
statistics, export and what applications ask, runs every job, and puts the rows back.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import httpx
import pytest
from applications import ApplicationWith, emptied
from licenses.factories import FUTURE
from sqlalchemy import Column, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.types import Date, DateTime
from testkit import FakeClock
from volumes import is_long
from walls.table import BODIES, ENDLESS, IN_QUERY, Route, routes
from walls.tenant import Tenant, found_tenant
from world import World

from licet_server.app import Application
from licet_server.catalog.access import ProductKey
from licet_server.kit.database import metadata
from licet_server.kit.outages import sqlstate_of
from licet_server.kit.platform import Platform
from licet_server.worker import JOBS

INSTANTS = ("-infinity", "infinity", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999Z")
BEYOND_PYTHON = ("4713-01-01T00:00:00Z BC", "294276-12-31T23:59:59Z")
"""Instants that the database can hold and `datetime` cannot."""
GATES = {"users", "sign_ins", "memberships", "institutions", "product_keys", "api_keys"}
"""Tables that every request reads before it reads others."""
INTEGRITY_VIOLATED = "23"
NOT_OF_ROWS = {"check_for_upgrade"}
"""Jobs that read nothing of the database."""
CHUNKS = 2


@dataclass(frozen=True)
class Variant:
    """Columns that get an extreme value, where they have one or where they have none."""

    name: str
    columns: tuple[Column[Any], ...]
    value: str
    fills: bool = False

    def __str__(self) -> str:
        return f"{self.name} = {self.value}{' where null' if self.fills else ''}"

    async def write(self, db: AsyncConnection) -> int:
        """Write the value, and return in how many rows. Constraints may forbid it."""
        written = 0
        condition = "IS NULL" if self.fills else "IS NOT NULL"
        for column in self.columns:
            statement = (
                f"UPDATE {column.table} SET {column.name} = {literal(column, self.value)} "
                f"WHERE {column.name} {condition}"
            )
            try:
                async with db.begin_nested():
                    written += (await db.execute(text(statement))).rowcount
            except DBAPIError as refused:
                if not (sqlstate_of(refused) or "").startswith(INTEGRITY_VIOLATED):
                    raise
        return written


def literal(column: Column[Any], value: str) -> str:
    """Return a value of a column's type as SQL has it."""
    return f"'{value}'::{'timestamptz' if isinstance(column.type, DateTime) else 'date'}"


def is_of_time(column: Column[Any]) -> bool:
    return isinstance(column.type, (Date, DateTime))


def variants() -> Iterator[Variant]:
    """Yield what is written; in the long form, each value into each column on its own."""
    columns = [item for table in metadata.sorted_tables for item in table.columns]
    times = tuple(filter(is_of_time, columns))
    if is_long():
        for column in times:
            for value in (*INSTANTS, *BEYOND_PYTHON):
                if value in INSTANTS or isinstance(column.type, DateTime):
                    name = f"{column.table}.{column.name}"
                    yield Variant(name, (column,), value)
                    yield Variant(name, (column,), value, fills=True)
        return
    of_licenses = tuple(item for item in times if item.table.name == "licenses")
    of_gates = tuple(item for item in times if item.table.name in GATES)
    others = tuple(item for item in times if item not in {*of_licenses, *of_gates})
    for value in (*INSTANTS, *BEYOND_PYTHON):
        yield Variant("licenses", of_licenses, value)
    for value in ("-infinity", "infinity"):
        yield Variant("licenses", of_licenses, value, fills=True)
        yield Variant("gates", of_gates, value)
        yield Variant("others", others, value)
        yield Variant("others", others, value, fills=True)


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
        async with self._platform.database.transaction() as db:
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
        if route.name not in ENDLESS
        and (
            route.method == "GET" or (isinstance(route.access, ProductKey) and route.name in BODIES)
        )
        and re.match(r"/api/(?!auth/sso)", route.template)
        and tenant.ids.keys() >= {*re.findall(r"{(\w+)}", route.template)}
    ]
    return sorted(found, key=lambda route: route.method == "DELETE")


@pytest.fixture
async def application(application_with: ApplicationWith, clock: FakeClock) -> Application:
    """The application on a database of its own, since rows and jobs of all tenants change."""
    return await emptied(await application_with("extreme rows"))


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
