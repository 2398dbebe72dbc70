"""The figures of the instance: right, and bounded on large tables."""

import asyncio
import os
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from connectors.factories import make_connector, open_stall
from events.factories import event_of
from events.factories import record as record_events
from msgspec import structs
from plans import explain, taken_down
from prometheus_client.parser import text_string_to_metric_families
from sqlalchemy import text
from testkit import FakeClock, Owner
from webhooks.factories import make_webhook
from world import open_vendor

from licet_server.app import Application
from licet_server.audit.service.evidence import anchor_heads
from licet_server.connectors.rules.model import ConnectorKind
from licet_server.connectors.service.linking import link_pending
from licet_server.events.service.sealing import seal_events
from licet_server.kit.backlogs import COUNTED
from licet_server.kit.backups.spool import Progress, Spool
from licet_server.kit.instance_metrics import InstanceMetrics
from licet_server.kit.platform import Platform
from licet_server.kit.postgres.account import account_of
from licet_server.kit.settings import MailServer
from licet_server.metering.service.usage import roll_up
from licet_server.monitoring import instance_metrics
from licet_server.worker import dispatch_events

MANY, STEP = 60_000, 20_000
PAGES = 1_500
"""What one statement may touch; the filled tables have more than that."""

_FILL_EVENTS = """
INSERT INTO events (institution_id, id, kind, occurred_at, subject_id, data, actor_kind, dispatched,
    permanent)
SELECT :institution, uuidv7(), 'license.created', :now, :institution, '{}', 'System', true, false
FROM generate_series(1, :many)
"""
_FILL_DELIVERIES = """
INSERT INTO webhook_deliveries (institution_id, id, webhook_id, event_id, event_type, status,
    created_at, delivered_at)
SELECT institution_id, uuidv7(), :webhook, id, kind, 'Delivered', :now, :now
FROM events WHERE institution_id = :institution LIMIT 10000
"""
_FILL_SLOTS = """
INSERT INTO session_slots (institution_id, license_id, n, session_id, product_id, hardware_id,
    instance_key, connected_at, last_heartbeat_at, expires_at)
SELECT :institution, :license, 1000 + :done + n, uuidv7(), :product, 'machine',
    uuid_send(uuidv7()), now, now, now + make_interval(hours => n % 2 * 2 - 1)
FROM generate_series(1, :many) AS n, CAST(:now AS timestamptz) AS now
"""
_FILL_MAILS = """
INSERT INTO mails (id, recipient, subject, status, created_at, due_at, sent_at)
SELECT uuidv7(), 'a@example.com', 'Hello', 'Sent', :now, :now, :now
FROM generate_series(1, :many)
"""

_FILL_ORDERS = """
INSERT INTO orders (institution_id, id, connector_id, external_id, status, lines, created_at,
    updated_at)
SELECT :institution, uuidv7(), :connector, '', 'Fulfilled', '[]', :now, :now
FROM generate_series(1, :many)
"""
_FILL_INBOX = """
INSERT INTO connector_events (institution_id, id, connector_id, external_id, type, received_at,
    status, body)
SELECT :institution, uuidv7(), :connector, CAST(:done + n AS text), 'order.paid', :now, 'Processed',
    ''
FROM generate_series(1, :many) AS n
"""


@pytest.fixture
async def application(fresh_application: Application) -> Application:
    """An application on a database in which nothing waits."""
    return fresh_application


def with_mail_server(platform: Platform) -> Platform:
    server = MailServer("127.0.0.1", 9, "never", "licet@example.com")
    return replace(platform, settings=replace(platform.settings, mail_server=server))


async def read(metrics: InstanceMetrics, name: str) -> dict[str, float]:
    """The values of a figure, by its label if it has one."""
    return {
        next(iter(sample.labels.values()), ""): sample.value
        for family in text_string_to_metric_families((await metrics.render()).decode())
        for sample in family.samples
        if sample.name == name
    }


async def test_backlogs_tell_how_much_waits_and_how_late_it_is(
    owner: Owner, platform: Platform, clock: FakeClock
) -> None:
    await dispatch_events(platform)
    await seal_events(platform)
    await anchor_heads(platform)
    nothing = instance_metrics(platform)
    assert await read(nothing, "licet_backlog_items") == {
        "events": 0,
        "seals": 0,
        "webhooks": 0,
        "rollups": 0,
        "inbox": 0,
        "orders": 0,
    }
    await make_webhook(owner, "https://receiver.example.com/hook")
    await dispatch_events(platform)
    await seal_events(platform)
    await record_events(platform, event_of(owner, "license.created"))
    await dispatch_events(platform)
    clock.advance(seconds=30)
    await record_events(platform, *[event_of(owner, "license.updated")] * 2)
    await platform_mail(platform)
    clock.advance(seconds=60)
    waiting = instance_metrics(with_mail_server(platform))
    assert await read(waiting, "licet_backlog_items") == {
        "events": 2,
        "seals": 3,
        "webhooks": 1,
        "mail": 1,
        "rollups": 0,
        "inbox": 0,
        "orders": 0,
    }
    assert await read(waiting, "licet_backlog_oldest_seconds") == {
        "events": 60,
        "seals": 90,
        "webhooks": 90,
        "mail": 60,
        "rollups": 0,
        "inbox": 0,
        "orders": 0,
    }


async def test_what_shops_have_sold_waits_to_be_worked_off(
    owner: Owner, platform: Platform, clock: FakeClock
) -> None:
    stall = await open_stall(owner, platform, clock)
    vendor = stall.shop()
    vendor.buy()
    await stall.deliver(*vendor.sent)
    clock.advance(seconds=30)

    async def waiting() -> dict[str, tuple[float, float]]:
        metrics = instance_metrics(platform)
        items = await read(metrics, "licet_backlog_items")
        late = await read(metrics, "licet_backlog_oldest_seconds")
        return {name: (items[name], late[name]) for name in ("inbox", "orders")}

    assert await waiting() == {"inbox": (len(vendor.sent), 30), "orders": (0, 0)}
    path = f"/api/connectors/{stall.connector['id']}"
    await owner.ok("PUT", path, {"enabled": False})
    assert await waiting() == {"inbox": (0, 0), "orders": (0, 0)}
    await owner.ok("PUT", path, {"enabled": True})
    await link_pending(platform)
    clock.advance(seconds=20)
    assert await waiting() == {"inbox": (0, 0), "orders": (1, 20)}
    await stall.work_off()
    assert await waiting() == {"inbox": (0, 0), "orders": (0, 0)}


async def platform_mail(platform: Platform) -> None:
    async with platform.database.transaction() as db:
        await db.execute(
            text(
                "INSERT INTO mails (id, recipient, subject, status, created_at, due_at) "
                "VALUES (uuidv7(), 'a@example.com', 'Hello', 'Waiting', :now, :now)"
            ),
            {"now": platform.clock()},
        )


async def test_seats_and_ledger_entries_are_exact_while_they_are_few(
    owner: Owner, platform: Platform, clock: FakeClock
) -> None:
    vendor = await open_vendor(owner)
    license_ = await vendor.issue("Floating", maxActiveUsersCount=5)
    sessions = [await vendor.connected(license_, f"machine-{n}") for n in range(3)]
    await vendor.disconnect(sessions[0])
    assert await read(instance_metrics(platform), "licet_seats_in_use") == {"": 2}
    meter_shop = await open_vendor(owner, name="Metered")
    metered = await meter_shop.issue("MeteredCount", initialMeterBalance=10)
    for _ in range(3):
        await meter_shop.consume(metered, "export")
    items = await read(instance_metrics(platform), "licet_backlog_items")
    assert items["rollups"] == 4, "the grant and three charges"
    await roll_up(platform)
    assert (await read(instance_metrics(platform), "licet_backlog_items"))["rollups"] == 0
    clock.advance(days=1)
    assert await read(instance_metrics(platform), "licet_seats_in_use") == {"": 0}


async def test_concurrent_readers_share_one_reading_and_its_result_is_kept(
    platform: Platform,
) -> None:
    metrics = instance_metrics(platform)
    with taken_down("pg_stat_activity") as taken:
        await asyncio.gather(*(metrics.render() for _ in range(20)))
        await metrics.render()
    assert len(taken) <= 1
    sizes = await read(metrics, "licet_table_bytes")
    assert sizes["events"] > 0
    assert (await read(metrics, "licet_database_bytes"))[""] > sum(sizes.values())


async def test_a_locked_table_hides_its_own_figures_only(platform: Platform) -> None:
    metrics = instance_metrics(platform)
    async with platform.database.transaction() as db:
        await db.execute(text("LOCK TABLE webhooks IN ACCESS EXCLUSIVE MODE"))
        assert await read(metrics, "licet_database_up") == {"": 1}
        items = await read(metrics, "licet_backlog_items")
        assert items.keys() == {"events", "seals", "rollups", "inbox", "orders"}
        assert await read(metrics, "licet_seats_in_use") == {"": 0}


async def fill(platform: Platform, statement: str, given: dict[str, Any]) -> None:
    filled = text(statement)
    async with platform.database.transaction() as db:
        await db.execute(filled, {name: given[name] for name in filled._bindparams})


async def test_large_tables_are_not_read_through(
    owner: Owner, platform: Platform, clock: FakeClock
) -> None:
    vendor = await open_vendor(owner)
    license_ = await vendor.issue("Floating", maxActiveUsersCount=5)
    webhook = await make_webhook(owner, "https://receiver.example.com/hook")
    given: dict[str, Any] = {
        "institution": UUID(owner.institution_id),
        "webhook": UUID(webhook["id"]),
        "license": UUID(license_["id"]),
        "product": UUID(vendor.product["id"]),
        "connector": UUID((await make_connector(owner, ConnectorKind.GENERIC))["id"]),
        "now": clock.now,
    }
    for done in range(0, MANY, STEP):
        for statement in (_FILL_EVENTS, _FILL_SLOTS, _FILL_MAILS, _FILL_ORDERS, _FILL_INBOX):
            await fill(platform, statement, {**given, "done": done, "many": STEP})
    await fill(platform, _FILL_DELIVERIES, given)
    metrics = instance_metrics(with_mail_server(platform))
    for table in (
        "events",
        "webhook_deliveries",
        "session_slots",
        "mails",
        "orders",
        "connector_events",
    ):
        metrics = instance_metrics(with_mail_server(platform))
        with taken_down(table) as taken:
            assert await read(metrics, "licet_database_up") == {"": 1}
        for question in taken:
            explained = await explain(platform, question)
            assert explained.pages < PAGES, (question.statement, explained)
            assert table not in explained.scanned, question.statement
    seats = (await read(metrics, "licet_seats_in_use"))[""]
    assert MANY / 2 * 0.8 < seats < MANY / 2 * 1.2, "an estimate from a sample"
    undispatched = (
        "UPDATE events SET dispatched = false WHERE id IN (SELECT id FROM events LIMIT 20000)"
    )
    await fill(platform, undispatched, {})
    metrics = instance_metrics(platform)
    with taken_down("events") as taken:
        assert (await read(metrics, "licet_backlog_items"))["events"] == COUNTED
    for question in taken:
        assert "events" not in (await explain(platform, question)).scanned, question.statement


async def test_backups_tell_what_waits_and_how_old_the_newest_is(
    platform: Platform, clock: FakeClock, tmp_path: Path
) -> None:
    url = (tmp_path / "store").as_uri()
    settings = replace(platform.settings, data_dir=tmp_path, backup_url=url)
    metrics = instance_metrics(replace(platform, settings=settings))
    assert await read(metrics, "licet_backup_waiting_seconds") == {}, "no cluster is here"
    (cluster := tmp_path / "postgres").mkdir()
    (cluster / "PG_VERSION").touch()
    spool = Spool(cluster, account_of(os.geteuid()))
    spool.create()
    began = Progress(series="a", system="1", began_at=clock())
    spool.write_progress(began)
    clock.advance(hours=1)
    assert await read(metrics, "licet_backup_waiting_bytes") == {"": 0}
    assert await read(metrics, "licet_backup_base_age_seconds") == {"": 3600}, (
        "the first is awaited"
    )
    spool.write_progress(structs.replace(began, base_at=clock()))
    clock.advance(minutes=1)
    assert await read(metrics, "licet_backup_base_age_seconds") == {"": 60}
    segment = spool.folder / f"{'0' * 24}.gz"
    segment.write_bytes(b"changes")
    os.utime(segment, (clock().timestamp() - 30, clock().timestamp() - 30))
    assert await read(metrics, "licet_backup_waiting_bytes") == {"": 7}
    assert await read(metrics, "licet_backup_waiting_seconds") == {"": 30}
