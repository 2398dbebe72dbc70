"""Old rows leave their tables and are in archives, each exactly once."""

import asyncio
from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest
from archives.history import (
    DAYS,
    SOURCES,
    archive,
    archives_of,
    change,
    everything,
    findings,
    in_archives,
    in_table,
    settle,
    years_later,
)
from catalog.factories import make_product
from sqlalchemy import text
from structlog.testing import capture_logs
from testkit import FakeClock, Owner
from world import World

from licet_server.archives.rules import ROWS_PER_ARCHIVE, Archive, ArchiveKind
from licet_server.archives.service import archiving
from licet_server.archives.service.archiving import RowsChanged, archive_rows
from licet_server.archives.service.events import EVENTS
from licet_server.archives.service.files import list_unknown
from licet_server.audit.service.verifying import verify
from licet_server.devices.service.attempts import ATTEMPTS
from licet_server.events.rules.kinds import EventKind
from licet_server.events.rules.model import INSTANCE
from licet_server.events.service.sealing import list_chained
from licet_server.events.storage.reading import count_by_day
from licet_server.kit.files import Files
from licet_server.kit.platform import Platform
from licet_server.kit.visibility import Visibility
from licet_server.metering.service.archiving import LEDGER
from licet_server.sessions.service.ending import SESSIONS
from licet_server.worker import delete_orphans

Past = dict[str, dict[str, Any]]


async def test_every_row_is_in_its_table_or_in_an_archive(
    owner: Owner, past: Past, platform: Platform, clock: FakeClock
) -> None:
    before = await everything(platform, owner.institution_id)
    await years_later(platform, clock)
    sealed = await everything(platform, owner.institution_id)
    assert await archive(platform) > 0
    await settle(platform)
    after = await everything(platform, owner.institution_id)
    new = [row for row in after["Events"] if row["kind"] == EventKind.ARCHIVE_CREATED]
    assert len(new) == len(await archives_of(platform, owner.institution_id)) > 8
    after["Events"] = [row for row in after["Events"] if row not in new]
    assert after == sealed
    assert {kind: len(rows) for kind, rows in after.items()} == {
        kind: len(rows) for kind, rows in before.items()
    }
    left = {kind: await in_table(platform, owner.institution_id, kind) for kind in ArchiveKind}
    assert left[ArchiveKind.SESSIONS] == left[ArchiveKind.ACCESS_ATTEMPTS] == []
    assert len(left[ArchiveKind.LEDGER]) == 2, "the newest entry of each wallet stays"
    assert len(left[ArchiveKind.EVENTS]) == len(new) + 1, "the last event that was sealed stays"
    assert await findings(platform, owner.institution_id) == []


async def test_archived_rows_can_be_put_back(
    owner: Owner, past: Past, platform: Platform, clock: FakeClock
) -> None:
    """A line has everything that its row had."""
    await years_later(platform, clock)
    before = await in_table(platform, owner.institution_id, ArchiveKind.LEDGER)
    await archive(platform, [LEDGER])
    sql = (
        "INSERT INTO meter_entries SELECT * FROM "
        "json_populate_record(NULL::meter_entries, CAST(:line AS json))"
    )
    for archived in await archives_of(platform, owner.institution_id):
        for line in await archiving.files.read_stored_lines(platform.files, archived):
            await change(platform, sql, line=line.decode())
    assert await in_table(platform, owner.institution_id, ArchiveKind.LEDGER) == before


async def test_few_rows_wait_for_more(
    owner: Owner, past: Past, platform: Platform, clock: FakeClock
) -> None:
    await years_later(platform, clock, days=DAYS + 5)
    await archive(platform, rows=ROWS_PER_ARCHIVE)
    assert await archives_of(platform, owner.institution_id) == []
    await archive(platform, [LEDGER], rows=4)
    assert await archives_of(platform, owner.institution_id) != []
    clock.advance(days=40)
    await archive(platform, [SESSIONS], rows=ROWS_PER_ARCHIVE)
    assert await in_table(platform, owner.institution_id, ArchiveKind.SESSIONS) == []


async def test_nothing_is_archived_before_its_time(
    owner: Owner, past: Past, platform: Platform, clock: FakeClock
) -> None:
    await years_later(platform, clock, days=DAYS - 4)
    await archive(platform, rows=1)
    assert await archives_of(platform, owner.institution_id) == []


async def test_archiving_can_be_turned_off(
    owner: Owner, past: Past, platform: Platform, clock: FakeClock
) -> None:
    await years_later(platform, clock)
    off = replace(platform, settings=replace(platform.settings, archiving=False))
    await archive(off)
    assert await archives_of(platform, owner.institution_id) == []


async def test_live_sessions_and_unsealed_events_stay(world: World) -> None:
    floating = await world.issue("Floating", expirationDate=None)
    body = {"licenseKey": floating["licenseKey"], "hardwareId": "machine-1"}
    await world.call("POST", "/api/sessions/connect", body)
    world.clock.advance(days=DAYS + 40)
    await archive(world.platform)
    assert await archives_of(world.platform, world.owner.institution_id) == []
    assert (
        len(await in_table(world.platform, world.owner.institution_id, ArchiveKind.SESSIONS)) == 1
    )


async def test_an_attempt_that_is_repeated_stays_and_counters_agree(
    world: World, past: Past
) -> None:
    bound = past["bound"]
    world.clock.advance(days=100)
    await world.validate(bound, "stranger-1")
    await years_later(world.platform, world.clock, days=DAYS - 50)
    await archive(world.platform, [ATTEMPTS])
    await world.owner.sign_in()
    shown = await world.attempts(bound)
    assert [item["attemptedHardwareId"] for item in shown] == ["stranger-1"]
    async with world.platform.database.reading() as db:
        sql = "SELECT unreviewed_attempts FROM device_counters WHERE license_id = :id"
        assert (await db.execute(text(sql), {"id": bound["id"]})).scalar_one() == 1
    await world.validate(bound, "stranger-0")
    assert len(await world.attempts(bound)) == 2


async def test_events_are_counted_by_day_as_before(
    owner: Owner, past: Past, platform: Platform, clock: FakeClock
) -> None:
    kinds = [EventKind.SESSION_STARTED, EventKind.SESSION_ENDED, EventKind.LICENSE_CREATED]

    async def count() -> dict[Any, int]:
        period = {"since": clock.now.replace(year=2029), "until": clock.now.replace(year=2032)}
        mine = Visibility((UUID(owner.institution_id),))
        async with platform.database.reading() as db:
            return await count_by_day(db, mine, kinds, **period)

    await years_later(platform, clock)
    before = await count()
    await archive(platform)
    assert await count() == before
    assert sum(before.values()) == 3 + 3 + 4


async def test_what_was_taken_back_is_not_counted_in_archives(
    world: World, platform: Platform, clock: FakeClock
) -> None:
    kinds = [EventKind.LICENSE_REVOKED, EventKind.LICENSE_RESTORED]
    path = f"/api/licenses/{(await world.issue())['id']}"
    for act in ("revoke", "restore", "revoke"):
        await world.owner.ok("POST", f"{path}/{act}")
        clock.advance(minutes=1)
    period = {"since": clock.now.replace(year=2029), "until": clock.now.replace(year=2032)}
    mine = Visibility((UUID(world.owner.institution_id),))
    await years_later(platform, clock)
    await archive(platform)
    async with platform.database.reading() as db:
        counts = await count_by_day(db, mine, kinds, **period)
        rows = await db.execute(
            text("SELECT kind, number FROM event_days WHERE kind LIKE 'license.re%'")
        )
        archived = {row.kind: row.number for row in rows}
    assert {kind: count for (_, kind), count in counts.items()} == dict.fromkeys(kinds, 1)
    assert archived == {EventKind.LICENSE_RESTORED: 1}, "the last revocation stays in its table"


async def test_several_processes_at_once_archive_each_row_once(
    owner: Owner, past: Past, platform: Platform, clock: FakeClock
) -> None:
    await years_later(platform, clock)
    before = await everything(platform, owner.institution_id)
    numbers = await asyncio.gather(*(archive(platform) for _ in range(3)))
    await archive(platform)
    after = await everything(platform, owner.institution_id)
    after["Events"] = [r for r in after["Events"] if r["kind"] != EventKind.ARCHIVE_CREATED]
    assert after == before
    assert sum(numbers) > 0
    await settle(platform)
    assert await findings(platform, owner.institution_id) == []


async def test_a_row_that_changes_meanwhile_undoes_the_archive(
    owner: Owner, past: Past, platform: Platform, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    await years_later(platform, clock)
    before = await in_table(platform, owner.institution_id, ArchiveKind.ACCESS_ATTEMPTS)
    store = archiving.files.store

    async def store_and_change(*given: Any) -> None:
        await store(*given)
        await change(platform, "UPDATE access_attempts SET attempt_count = attempt_count + 1")

    monkeypatch.setattr(archiving.files, "store", store_and_change)
    with pytest.raises(RowsChanged):
        await archive(platform, [ATTEMPTS])
    monkeypatch.undo()
    left = await in_table(platform, owner.institution_id, ArchiveKind.ACCESS_ATTEMPTS)
    assert [row["attempt_count"] - 1 for row in left] == [row["attempt_count"] for row in before]
    assert await archives_of(platform, owner.institution_id) == []
    assert await list_unknown(platform) == []
    assert await archive(platform, [ATTEMPTS]) == len(before)


async def test_rows_that_change_meanwhile_do_not_stop_the_institutions_after_theirs(
    owner: Owner,
    stranger: Owner,
    platform: Platform,
    clock: FakeClock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for each in (owner, stranger):
        await make_product(each)
    await years_later(platform, clock)
    async with platform.database.reading() as db:
        chained = [str(item) for item in await list_chained(db)]
    changing, later = sorted((owner.institution_id, stranger.institution_id), key=chained.index)
    store = archiving.files.store

    async def store_and_change(files: Files, archived: Archive, content: bytes) -> None:
        await store(files, archived, content)
        if str(archived.institution_id) == changing:
            sql = "UPDATE events SET actor_name = 'Changed' WHERE institution_id = :i"
            await change(platform, sql, i=changing)

    monkeypatch.setattr(archiving.files, "store", store_and_change)
    with capture_logs() as logs, pytest.raises(RowsChanged):
        await archive(platform, [EVENTS])
    assert await archives_of(platform, changing) == []
    assert await archives_of(platform, later) != []
    told = [item for item in logs if item["event"] == "rows_changed"]
    assert told == [
        {
            "event": "rows_changed",
            "log_level": "error",
            "kind": "Events",
            "institution_id": changing,
        }
    ]


async def test_unreliable_store_loses_no_rows(
    owner: Owner, past: Past, platform: Platform, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    await years_later(platform, clock)
    before = await everything(platform, owner.institution_id)

    async def write_half(files: Any, key: Any, chunks: Any) -> int:
        return 0

    monkeypatch.setattr("licet_server.kit.files.Files.write", write_half)
    with pytest.raises(archiving.files.ArchiveMissing):
        await archive(platform)
    assert await everything(platform, owner.institution_id) == before


async def test_the_archives_of_a_deleted_institution_go_with_it_except_for_its_events(
    world: World, past: Past
) -> None:
    await years_later(world.platform, world.clock)
    await archive(world.platform)
    await world.owner.sign_in()
    for license_ in past.values():
        await world.owner.ok("DELETE", f"/api/licenses/{license_['id']}")
    await world.owner.ok("DELETE", f"/api/products/{world.product['id']}")
    await world.owner.ok("DELETE", f"/api/institutions/{world.owner.institution_id}")
    assert await delete_orphans(world.platform) > 3
    assert await in_table(world.platform, world.owner.institution_id, ArchiveKind.LEDGER) == []
    left = await archives_of(world.platform, world.owner.institution_id)
    assert {item.kind for item in left} == {ArchiveKind.EVENTS}
    assert await list_unknown(world.platform) == []
    await settle(world.platform)
    assert await findings(world.platform, world.owner.institution_id) == []
    await years_later(world.platform, world.clock)
    await archive(world.platform, [EVENTS])
    await settle(world.platform)
    assert await findings(world.platform, world.owner.institution_id) == []


async def test_events_of_the_instance_are_archived_and_still_say_who_must_have_a_chain(
    owner: Owner, stranger: Owner, platform: Platform, clock: FakeClock
) -> None:
    gone = {"i": owner.institution_id}
    # Other tests have recorded events of the instance, some of them years later.
    await years_later(platform, clock, days=2_000)
    await archive(platform, [EVENTS], rows=1)
    told = await in_archives(platform, str(INSTANCE), ArchiveKind.EVENTS)
    assert owner.institution_id in {row["subject_id"] for row in told}
    await settle(platform)
    for table in ("events", "audit_chains"):
        await change(platform, f"DELETE FROM {table} WHERE institution_id = :i", **gone)
    await change(platform, "DELETE FROM institutions WHERE id = :i", **gone)
    found = await verify(platform, [], lambda *_: None)
    assert owner.institution_id in {str(item.institution_id) for item in found.breaches}


async def test_a_lost_chain_gets_no_archive(
    owner: Owner, past: Past, platform: Platform, clock: FakeClock
) -> None:
    """It could not tell of the archive."""
    await years_later(platform, clock)
    await change(
        platform, "DELETE FROM audit_chains WHERE institution_id = :i", i=owner.institution_id
    )
    await archive(platform)
    assert await archives_of(platform, owner.institution_id) == []


async def test_the_jobs_keep_each_kind_as_long_as_the_settings_say(
    owner: Owner, past: Past, platform: Platform, clock: FakeClock
) -> None:
    await years_later(platform, clock, days=130)
    for source in SOURCES:
        await archive_rows(platform, source, platform.settings.keep_sessions)
    kinds = {item.kind for item in await archives_of(platform, owner.institution_id)}
    assert kinds == set(ArchiveKind)


async def test_chains_are_verified_while_their_events_are_archived(
    owner: Owner, past: Past, platform: Platform, clock: FakeClock
) -> None:
    await years_later(platform, clock)
    verified, archived = await asyncio.gather(
        asyncio.gather(*(findings(platform, owner.institution_id) for _ in range(5))),
        archive(platform, [EVENTS], rows=1),
    )
    assert archived > 10
    assert verified == [[]] * 5
