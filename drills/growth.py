"""Years of events and ledger entries in minutes: how large the tables stay while rows are archived.

Simulated days pass. On each, rows are added in bulk and by small transactions, such as those of the
service, and what is older than the settings keep moves to archives; on every other day only after
the small transactions, so that both can be compared within one run. At the end everything is
verified: chains, archives, and wallets against their ledgers.
"""

import argparse
import asyncio
import logging
import os
import secrets
import statistics
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from decimal import Decimal
from pathlib import Path
from time import perf_counter
from typing import Any
from uuid import UUID

import structlog
from sqlalchemy import text
from testkit import FakeClock

from licet_server.app import build_platform
from licet_server.archives.service.events import archive_events
from licet_server.audit.service.verifying import verify
from licet_server.events.rules.chain import SALT_BYTES, extend, mark_of
from licet_server.events.rules.kinds import EventKind
from licet_server.events.rules.model import Event, RecordedEvent
from licet_server.events.service.recording import record_batch
from licet_server.events.service.sealing import begin_chain, open_secret, seal_events
from licet_server.events.storage import chains
from licet_server.identity.service.users import create_user
from licet_server.institutions.service.institutions import create_institution_with_owner
from licet_server.kit.ids import new_id
from licet_server.kit.keyring import create_key_file
from licet_server.kit.origin import Origin
from licet_server.kit.platform import Platform
from licet_server.kit.postgres import EmbeddedPostgres
from licet_server.kit.settings import Settings
from licet_server.metering.service.archiving import archive_ledger, reconcile_archives
from licet_server.metering.service.reconciling import reconcile_all
from licet_server.metering.service.usage import roll_up
from licet_server.migrations import migrate
from licet_server.worker import dispatch_events

WALLETS = 100
_LEAST_DAYS = 4
SMALL = 25
_SIZES = """
SELECT c.relname, pg_total_relation_size(c.oid), s.n_dead_tup,
       (SELECT count(*) FROM archives)
FROM pg_class c JOIN pg_stat_user_tables s ON s.relid = c.oid
WHERE c.relname IN ('events', 'meter_entries') ORDER BY 1
"""
_CHARGE = """
WITH w AS (
    UPDATE meter_wallets SET balance = balance - 1, version = version + 1
    WHERE institution_id = :i AND license_id = :l RETURNING *
)
INSERT INTO meter_entries (institution_id, license_id, id, sequence, created_at, quantity, type,
                           amount, balance_after, feature_name, idempotency_key)
SELECT institution_id, license_id, :id, version, :now, 1, 'Consume', -1, balance, 'export', :key
FROM w
"""


@dataclass
class World:
    """The instance, and what the rows are about."""

    platform: Platform
    clock: FakeClock
    institution_id: UUID
    product_id: UUID
    license_ids: list[UUID]
    versions: list[int]
    alone: list[float] = field(default_factory=list)
    beside: list[float] = field(default_factory=list)


async def create_world(platform: Platform, clock: FakeClock) -> World:
    """An institution with wallets."""
    async with platform.unit_of_work(Origin()) as work:
        await begin_chain(work)
        user = await create_user(
            work,
            email="owner@example.com",
            full_name="Owner",
            password_hash="none",
            is_system_admin=False,
            verified=True,
        )
    async with platform.unit_of_work(Origin("User", user.id, user.email)) as work:
        made = await create_institution_with_owner(work, owner_id=user.id, name="Growth")
    product_id = new_id(clock())
    license_ids = [new_id(clock()) for _ in range(WALLETS)]
    balance = Decimal(10**12)
    async with platform.database.transaction() as db:
        for license_id in license_ids:
            given = {
                "i": made.id, "l": license_id, "p": product_id, "b": balance,
                "id": new_id(clock()), "now": clock(),
            }  # fmt: skip
            for sql in (
                "INSERT INTO meter_wallets VALUES (:i, :l, :p, 'Count', :b, 1)",
                "INSERT INTO meter_counts VALUES (:i, :l, 0)",
                (
                    "INSERT INTO meter_entries (institution_id, license_id, id, sequence, "
                    "created_at, type, amount, balance_after) "
                    "VALUES (:i, :l, :id, 1, :now, 'InitialGrant', :b, :b)"
                ),
            ):
                await db.execute(text(sql), given)
    return World(platform, clock, made.id, product_id, license_ids, [1] * WALLETS)


async def add_events(world: World, number: int) -> None:
    """Add sealed events of the day in bulk."""
    instants = [world.clock.now + timedelta(days=1) * n / number for n in range(number)]
    new = [_event(world, instant, n) for n, instant in enumerate(instants)]
    async with world.platform.database.transaction() as db:
        locked = await chains.lock_chain(db, world.institution_id)
        assert locked is not None
        chain, stored = locked
        secret = open_secret(world.platform.keyring, chain, stored)
        assert secret is not None
        salted = [(event, secrets.token_bytes(SALT_BYTES)) for event in new]
        sealed = await asyncio.to_thread(extend, secret, chain.number, chain.seal, salted)
        _, last, seal, _ = sealed[-1]
        rows = [
            (e.institution_id, e.id, e.kind, e.occurred_at, e.subject_id, e.subject_name,
             e.license_id, e.product_id, e.data_json, e.actor_kind, e.request_id, True, at, mac,
             salt)
            for e, at, mac, salt in sealed
        ]  # fmt: skip
        names = (
            "institution_id id kind occurred_at subject_id subject_name license_id product_id "
            "data actor_kind request_id dispatched seal_number seal salt"
        )
        await _copy(db, "events", names.split(), rows)
        mark = mark_of(secret, world.institution_id, last, seal)
        head = replace(chain, number=last, seal=seal, mark=mark)
        await chains.save_head(db, head, world.clock.now)


def _event(world: World, instant: datetime, n: int) -> RecordedEvent:
    license_id = world.license_ids[n % WALLETS]
    session_id = new_id(instant)
    data = (
        f'{{"id": "{session_id}", "licenseId": "{license_id}", "deviceName": "Machine {n % 977}", '
        f'"hardwareId": "h1m-{n % 977:032x}", "connectedAt": "{instant.isoformat()}"}}'
    )
    return RecordedEvent(
        institution_id=world.institution_id,
        id=session_id,
        kind=EventKind.SESSION_STARTED if n % 2 else EventKind.SESSION_ENDED,
        occurred_at=instant,
        subject_id=session_id,
        subject_name=f"Machine {n % 977}",
        license_id=license_id,
        product_id=world.product_id,
        data_json=data,
        changes_json=None,
        actor_kind="ProductKey",
        actor_id=None,
        actor_name=None,
        ip_address=None,
        request_id=None,
    )


async def add_entries(world: World, number: int) -> None:
    """Add charges of the day in bulk."""
    rows: list[tuple[Any, ...]] = []
    each = number // WALLETS
    for at, license_id in enumerate(world.license_ids):
        for n in range(each):
            instant = world.clock.now + timedelta(days=1) * n / each
            world.versions[at] += 1
            version = world.versions[at]
            balance = Decimal(10**12 - version + 1)
            rows.append(
                (world.institution_id, license_id, new_id(instant), version, instant, 1, "Consume",
                 Decimal(-1), balance, "export", f"key-{version}")
            )  # fmt: skip
    names = (
        "institution_id license_id id sequence created_at quantity type amount balance_after "
        "feature_name idempotency_key"
    )
    async with world.platform.database.transaction() as db:
        await _copy(db, "meter_entries", names.split(), rows)
        sql = (
            "UPDATE meter_wallets SET version = version + :n, balance = balance - :n "
            "WHERE institution_id = :i"
        )
        await db.execute(text(sql), {"n": each, "i": world.institution_id})


async def _copy(db: Any, table: str, names: Sequence[str], rows: Sequence[Any]) -> None:
    raw = await db.get_raw_connection()
    await raw.driver_connection.copy_records_to_table(table, records=rows, columns=names)


async def small_transactions(world: World) -> float:
    """What applications cause: an event and a charge each; return how many a second."""
    began = perf_counter()
    now = world.clock.now + timedelta(hours=23, minutes=59)
    for n in range(SMALL):
        at = n % WALLETS
        license_id = world.license_ids[at]
        event = Event(
            kind=EventKind.SESSION_STARTED,
            institution_id=world.institution_id,
            subject_id=new_id(now),
            data={"licenseId": license_id, "deviceName": "Machine"},
            product_id=world.product_id,
        )
        async with world.platform.database.transaction() as db:
            await record_batch(db, [(event, Origin("User"))], now)
        world.versions[at] += 1
        given = {
            "i": world.institution_id, "l": license_id, "id": new_id(now), "now": now,
            "key": f"key-{world.versions[at]}",
        }  # fmt: skip
        async with world.platform.database.transaction() as db:
            await db.execute(text(_CHARGE), given)
    return 2 * SMALL / (perf_counter() - began)


async def archive(world: World) -> tuple[int, float]:
    """Archive what is due; return how many rows, and the seconds."""
    began = perf_counter()
    rows = await archive_events(world.platform) + await archive_ledger(world.platform)
    return rows, perf_counter() - began


async def live_a_day(world: World, number: int, *, archiving: bool) -> tuple[int, float]:
    """Add the rows of a day, archive, and go on to the next one."""
    await add_events(world, number)
    await add_entries(world, number)
    await roll_up(world.platform)
    rows, seconds = 0, 0.0
    if archiving:
        task = asyncio.create_task(archive(world))
        rates: list[float] = []
        while not task.done():
            rates.append(await small_transactions(world))
        world.beside += rates
        rows, seconds = await task
    else:
        world.alone.append(await small_transactions(world))
        rows, seconds = await archive(world)
    await dispatch_events(world.platform)
    await seal_events(world.platform)
    world.clock.now += timedelta(days=1)
    return rows, seconds


async def sizes(world: World) -> tuple[list[Any], float]:
    """Bytes and dead rows of both tables, and the megabytes of archives."""
    async with world.platform.database.reading() as db:
        rows = (await db.execute(text(_SIZES))).all()
        archived = (await db.execute(text("SELECT coalesce(sum(size), 0) FROM archives"))).scalar()
    return list(rows), float(archived or 0) / 1e6


async def drill(platform: Platform, clock: FakeClock, number: int, days: int) -> None:
    """Fill the tables with what the settings keep, then let further days pass."""
    world = await create_world(platform, clock)
    kept = platform.settings.keep_events
    began = perf_counter()
    for _ in range(kept):
        await add_events(world, number)
        await add_entries(world, number)
        await roll_up(platform)
        clock.now += timedelta(days=1)
    print(f"{kept} days of {number:,} events and as many charges: {perf_counter() - began:.0f} s")
    print("  day  events MB   dead   ledger MB   dead   archives MB   archived rows/s")
    measured: list[int] = []
    scans = await _scans(world)
    total, spent = 0, 0.0
    for day in range(days):
        rows, seconds = await live_a_day(world, number, archiving=day % 2 == 1)
        total, spent = total + rows, spent + seconds
        (events, ledger), archived = await sizes(world)
        measured.append(events[1] + ledger[1])
        if day % 5 == 4:
            print(
                f"{day + 1:5}  {events[1] / 1e6:9.0f} {events[2]:6,}  {ledger[1] / 1e6:10.0f} "
                f"{ledger[2]:6,}  {archived:12.0f}  {total / max(spent, 0.001):16,.0f}"
            )
    _show_ratios(world, measured, total)
    print(f"scans of a whole table on these days: {await _scans(world) - scans}")
    await _check(world)


def _show_ratios(world: World, measured: Sequence[int], total: int) -> None:
    half = len(measured) // 2
    alone, beside = statistics.median(world.alone), statistics.median(world.beside)
    print(f"archived rows: {total:,}")
    print(
        "largest size in the second half / in the first: "
        f"{max(measured[half:]) / max(measured[:half]):.3f}"
    )
    print(f"small transactions a second: alone {alone:,.0f}, beside archiving {beside:,.0f}")
    first, last = world.alone[: len(world.alone) // 2], world.alone[len(world.alone) // 2 :]
    print(
        f"ratios: beside / alone {beside / alone:.2f}, second half / first half "
        f"{statistics.median(last) / statistics.median(first):.2f}"
    )


async def _check(world: World) -> None:
    with _timed("audit verify"):
        verified = await verify(world.platform, [], lambda *_: None)
    print(f"  {verified.events:,} events, {verified.archives} archives: {verified.breaches}")
    with _timed("reconcile"):
        table = await reconcile_all(world.platform.database, None, lambda *_: None)
        archived = await reconcile_archives(world.platform)
    print(f"  {table.checked} wallets: {[*table.mismatches, *archived]}")


async def _scans(world: World) -> int:
    """How often a whole table was read, of events and the ledger."""
    sql = (
        "SELECT sum(seq_scan)::int FROM pg_stat_user_tables "
        "WHERE relname IN ('events', 'meter_entries')"
    )
    async with world.platform.database.reading() as db:
        return int((await db.execute(text(sql))).scalar_one())


@contextmanager
def _timed(what: str) -> Iterator[None]:
    began = perf_counter()
    yield
    print(f"{what}: {perf_counter() - began:.1f} s")


def main() -> None:
    """Run the drill on a database of its own, in a temporary folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=10_000, help="events, and charges, of each day")
    parser.add_argument("--kept", type=int, default=100, help="days that the tables keep")
    parser.add_argument("--days", type=int, default=60, help="days that pass after these")
    given = parser.parse_args()
    if given.days < _LEAST_DAYS:
        parser.error(f"--days must be {_LEAST_DAYS} or more, so that both halves can be compared")
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    with tempfile.TemporaryDirectory(prefix="licet-growth-") as name:
        folder = Path(name)
        folder.chmod(0o711 if os.geteuid() == 0 else 0o700)
        # Days pass in seconds here, so autovacuum has to look more often, too.
        settings = {"autovacuum_naptime": "2s"}
        with EmbeddedPostgres(folder, log=print, settings=settings) as cluster:
            url = cluster.create_database("growth").url
            asyncio.run(_run(url, folder, given.rows, given.kept, given.days))


async def _run(url: str, folder: Path, number: int, kept: int, days: int) -> None:
    await migrate(url)
    create_key_file(folder / "master.key")
    settings = Settings(data_dir=folder, database_url=url, keep_events=kept, keep_ledger=kept)
    clock = FakeClock()
    platform = build_platform(settings, clock)
    try:
        await drill(platform, clock, number, days)
    finally:
        await platform.database.close()


if __name__ == "__main__":
    main()
