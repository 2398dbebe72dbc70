"""A `kill -9` at any moment loses nothing and doubles nothing; the next run goes on."""

import asyncio
import signal
from typing import Any

import pytest
from archives import killed
from archives.history import (
    TABLES,
    archive,
    archives_of,
    everything,
    findings,
    settle,
    years_later,
)
from archives.killed import MOMENTS, ROWS_DELETED
from e2e.forked import Forked
from patience import PATIENCE_S, until_found
from testkit import FakeClock, Owner

from licet_server.archives.rules import ArchiveKind
from licet_server.archives.service.files import delete_unknown, list_unknown
from licet_server.events.rules.kinds import EventKind
from licet_server.kit.platform import Platform
from licet_server.metering.service.archiving import reconcile_archives
from licet_server.metering.service.reconciling import reconcile_all

Past = dict[str, dict[str, Any]]


async def run_and_die(platform: Platform, now: str, kind: ArchiveKind, moment: str) -> None:
    settings = platform.settings
    given = [str(settings.database_url), str(settings.data_dir), now, kind.value, moment]
    said = settings.data_dir / "said.txt"
    process = Forked(killed.main, *given, variables={}, output=said)
    assert await asyncio.to_thread(process.wait, PATIENCE_S) == -signal.SIGKILL, said.read_text()


async def archive_the_rest(platform: Platform) -> None:
    """The database may need a moment to notice that the process is gone."""

    async def is_alone() -> bool:
        await archive(platform, rows=2)
        async with platform.database.reading() as db:
            busy = "SELECT count(*) FROM pg_locks WHERE relation = 'archive_heads'::regclass"
            return not (await db.exec_driver_sql(busy)).scalar_one()

    await until_found(is_alone)
    await archive(platform, rows=2)


CASES = [
    *((ArchiveKind.LEDGER, moment) for moment in (*MOMENTS, ROWS_DELETED)),
    (ArchiveKind.EVENTS, ROWS_DELETED),
    (ArchiveKind.EVENTS, "after its event is recorded"),
    (ArchiveKind.SESSIONS, ROWS_DELETED),
    (ArchiveKind.ACCESS_ATTEMPTS, ROWS_DELETED),
]


@pytest.mark.parametrize(("kind", "moment"), CASES)
async def test_nothing_is_lost_or_doubled(
    owner: Owner,
    past: Past,
    platform: Platform,
    clock: FakeClock,
    kind: ArchiveKind,
    moment: str,
) -> None:
    await years_later(platform, clock)
    before = await everything(platform, owner.institution_id)
    await run_and_die(platform, clock.now.isoformat(), kind, moment)
    at_once = await everything(platform, owner.institution_id)
    assert at_once[kind.value][: len(before[kind.value])] == before[kind.value]
    committed = moment == "after the first archive is committed"
    assert len(await archives_of(platform, owner.institution_id)) <= committed
    await archive_the_rest(platform)
    after = await everything(platform, owner.institution_id)
    after["Events"] = [r for r in after["Events"] if r["kind"] != EventKind.ARCHIVE_CREATED]
    assert after == before
    assert {item.kind for item in await archives_of(platform, owner.institution_id)} == set(TABLES)
    await settle(platform)
    assert await findings(platform, owner.institution_id) == []
    assert (await reconcile_all(platform.database, None, lambda *_: None)).mismatches == []
    assert await reconcile_archives(platform) == []
    await delete_unknown(platform, await list_unknown(platform))
    assert await list_unknown(platform) == []
    assert await findings(platform, owner.institution_id) == []
