"""Charges of many clients at once, who insist on an answer whatever ends meanwhile."""

import asyncio
import itertools
import os
import secrets
import signal
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from decimal import Decimal
from functools import partial
from typing import Any

from e2e.fleet import SERVERS, Fleet, License, at_once
from e2e.metering_judging import CHARGED, REFUSED, Books, Entry, Heard, Wallet
from e2e.process import children_of, lives
from e2e.vendor import Vendor
from e2e.wire import Gone
from patience import PATIENCE_S, eventually
from sqlalchemy import text

from licet_server.kit.postgres import EmbeddedPostgres

CONSUME = ("POST", "/api/meter/consume")
FEATURE = "Export"
PRICE = 0.37
DEFINITE = {CHARGED, REFUSED}
TO_BE_REPEATED = {409, 429, 503}
LATELY = 200
"""Among so many of the last charges, some are on their way."""

_dice = secrets.SystemRandom()
_numbers = itertools.count(1)


@dataclass(frozen=True, slots=True)
class Use:
    """A charge that an application asks for, once or many times."""

    license: License
    quantity: int
    key: str

    @property
    def body(self) -> dict[str, Any]:
        return {
            "licenseKey": self.license["licenseKey"],
            "featureName": FEATURE,
            "quantity": self.quantity,
            "idempotencyKey": self.key,
        }


@dataclass
class Told:
    """What clients were told, and how often they had to ask again."""

    heard: list[Heard] = field(default_factory=list)
    codes: Counter[str] = field(default_factory=Counter)
    servers: Counter[int] = field(default_factory=Counter)
    busy: Counter[str] = field(default_factory=Counter)
    odd: list[Any] = field(default_factory=list)

    def note(self, server: int, use: Use, status: int, body: Any) -> bool:
        """Whether this is the end of it."""
        self.codes[f"{status} {body.get('errorCode', '')}".strip()] += 1
        if status in DEFINITE:
            self.servers[server] += 1
            self.heard.append(Heard(use.license["id"], use.key, status, body))
        elif status in TO_BE_REPEATED:
            self.busy[body["detail"]] += 1
        else:
            self.odd.append((status, body))
        return status not in TO_BE_REPEATED

    @property
    def repeated(self) -> int:
        """How many answers tell what had happened before."""
        return sum(item.body["replayed"] for item in self.heard)


# Wallets and charges


def price(vendor: Vendor) -> None:
    """Give the feature that all use a price."""
    path = f"/api/products/{vendor.product}/features"
    feature = vendor.ok("POST", path, {"name": FEATURE})
    vendor.ok("PUT", f"/api/meter/features/{feature['id']}/pricing", {"tokenCost": PRICE})


def wallet(vendor: Vendor, model: str, balance: float) -> License:
    return vendor.issue(model, initialMeterBalance=balance)


def wallets(vendor: Vendor, number: int) -> list[License]:
    """Of both kinds; every fourth is soon empty."""
    models = itertools.cycle(["MeteredToken", "MeteredCount", "MeteredCount", "MeteredToken"])
    balances = itertools.cycle([100, 1_000_000, 1_000_000])
    return [
        wallet(vendor, model, balance)
        for model, balance in itertools.islice(zip(models, balances, strict=False), number)
    ]


def charges(hot: License, spread: Sequence[License], number: int) -> Iterator[Use]:
    """Half of them from one wallet. Every third repeats another one, lately or long ago."""
    made: list[Use] = []
    for n in range(number):
        if n % 3 == 2:
            yield _dice.choice(made[-LATELY:] if n % 2 else made)
            continue
        license_ = hot if _dice.random() < 0.5 else _dice.choice(spread)
        made.append(Use(license_, _dice.randint(1, 9), f"charge-{next(_numbers)}"))
        yield made[-1]


# Clients


async def insist(fleet: Fleet, use: Use, server: int, told: Told) -> None:
    """Ask with the same key until it is definite, another server where one is gone."""
    for more in itertools.count():
        asked = (server + more) % SERVERS
        try:
            status, body = await fleet.wires[asked].request(
                *CONSUME, fleet.vendor.api_key, use.body
            )
        except Gone:
            told.codes["unreached"] += 1
        else:
            if told.note(asked, use, status, body):
                return
        await asyncio.sleep(_dice.uniform(0.02, 0.2))


async def hang_up(fleet: Fleet, use: Use, server: int) -> None:
    """Ask, and do not wait for the answer."""
    wire = fleet.wires[server]
    with suppress(Gone):
        async with wire.hung_up(*CONSUME, fleet.vendor.api_key, use.body):
            pass


async def rage(fleet: Fleet, uses: Iterable[Use], told: Told, clients: int) -> None:
    """So many clients at a time, until each charge has an answer; some hang up at first."""
    left = iter(uses)

    async def live() -> None:
        for use in left:
            server = _dice.randrange(SERVERS)
            if _dice.random() < 0.02:
                await hang_up(fleet, use, server)
                server += 1
            await insist(fleet, use, server, told)

    await at_once(live() for _ in range(clients))


# What ends meanwhile


async def until_answered(told: Told, number: int, server: int | None = None) -> None:
    """Until there are so many definite answers, of one server or of all."""

    def holds() -> bool:
        counted = told.servers.total() if server is None else told.servers[server]
        return counted >= number

    await asyncio.to_thread(eventually, holds, f"{number} answers", 150)


async def kill_server(fleet: Fleet, victim: int) -> None:
    fleet.kill(victim)
    await asyncio.to_thread(eventually, partial(_is_dead, fleet.pids[victim]), "it is dead")


async def kill_database(cluster: EmbeddedPostgres) -> int:
    """The end of all its processes; answers the number of the first."""
    killed = cluster.server_pid
    assert killed is not None
    for pid in (killed, *await asyncio.to_thread(children_of, killed)):
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    return killed


async def until_database_is_back(fleet: Fleet, cluster: EmbeddedPostgres, killed: int) -> None:
    def holds() -> bool:
        return cluster.server_pid not in {None, killed}

    await asyncio.to_thread(eventually, holds, "the database is back")
    await fleet.platform.database.close()  # whose connections were to the one before


def _is_dead(pid: int) -> bool:
    return not lives(pid)


# What holds a charge up


@asynccontextmanager
async def wallet_held(fleet: Fleet, license_: License) -> AsyncIterator[int]:
    """Charges of the license wait for its wallet until the block ends; answers what for."""
    sql = "SELECT pg_backend_pid() FROM meter_wallets WHERE license_id = :license FOR UPDATE"
    async with fleet.platform.database.transaction() as db:
        yield (await db.execute(text(sql), {"license": license_["id"]})).scalar_one()


@asynccontextmanager
async def commits_held(fleet: Fleet) -> AsyncIterator[int]:
    """Charges wait in the middle of their commit until the block ends; answers what for."""
    await _run(fleet, *_HOLD_COMMITS)
    try:
        async with fleet.platform.database.transaction() as db:
            sql = "SELECT pg_backend_pid(), pg_advisory_xact_lock(1)"
            yield (await db.execute(text(sql))).scalar_one()
    finally:
        await _run(fleet, "DROP FUNCTION wait_for_test CASCADE")


_HOLD_COMMITS = (
    """
    CREATE FUNCTION wait_for_test() RETURNS trigger LANGUAGE plpgsql
    AS 'BEGIN PERFORM pg_advisory_xact_lock_shared(1); RETURN NULL; END'
    """,
    """
    CREATE CONSTRAINT TRIGGER wait_for_test AFTER INSERT ON meter_entries
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION wait_for_test()
    """,
)


async def until_one_waits(fleet: Fleet, holder: int) -> int:
    """Until a server waits for what is held; answers the process that does so in the database."""
    sql = "SELECT pid FROM pg_stat_activity WHERE :holder = ANY(pg_blocking_pids(pid))"
    return int((await _until_found(fleet, sql, holder=holder)).pid)


async def until_stored(fleet: Fleet, use: Use) -> None:
    sql = "SELECT id FROM meter_entries WHERE license_id = :license AND idempotency_key = :key"
    await _until_found(fleet, sql, license=use.license["id"], key=use.key)


async def end_backend(fleet: Fleet, pid: int) -> None:
    """Cut a server's connection to the database at the other end."""
    async with fleet.platform.database.reading() as db:
        await db.execute(text("SELECT pg_terminate_backend(:pid)"), {"pid": pid})


async def _until_found(fleet: Fleet, sql: str, **given: Any) -> Any:
    async with asyncio.timeout(PATIENCE_S), fleet.platform.database.reading() as db:
        while True:
            found = (await db.execute(text(sql), given)).first()
            if found is not None:
                return found
            await asyncio.sleep(0.02)


async def _run(fleet: Fleet, *statements: str) -> None:
    async with fleet.platform.database.transaction() as db:
        for statement in statements:
            await db.execute(text(statement))


# What is stored


async def read_books(fleet: Fleet, licenses: Iterable[License]) -> Books:
    """Wallets and ledger of these licenses, read past the service."""
    given = {"ids": [license_["id"] for license_ in licenses]}
    async with fleet.platform.database.reading() as db:
        wallets = await db.execute(text(_WALLETS), given)
        entries = await db.execute(text(_ENTRIES), given)
        return Books(
            [Wallet(*_plain(row)) for row in wallets], [Entry(*_plain(row)) for row in entries]
        )


_WALLETS = (
    "SELECT license_id, balance, version FROM meter_wallets "
    "WHERE license_id = ANY(CAST(:ids AS uuid[]))"
)
_ENTRIES = (
    "SELECT license_id, id, sequence, type, amount, balance_after, quantity, unit_price, "
    "idempotency_key FROM meter_entries WHERE license_id = ANY(CAST(:ids AS uuid[]))"
)


def _plain(row: Any) -> list[Any]:
    """Ids as clients see them."""
    kept = (int, str, Decimal, type(None))
    return [value if isinstance(value, kept) else str(value) for value in row]
