"""A person who is erased is erased from archives, too, and these are verified as before."""

import asyncio
import gzip
import hashlib
import signal
from decimal import Decimal
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from archives.history import archive, change, everything, findings, settle, years_later
from customers import killed
from customers.dump import archives_of, dump_of, lines_with
from customers.killed import MOMENTS
from customers.scene import Scene, make_scene
from e2e.forked import Forked
from patience import PATIENCE_S, until_found
from testkit import FakeClock, Owner

from licet_server.app import Application
from licet_server.archives.rules import Archive, ArchiveKind
from licet_server.archives.service.erasing import list_erasures, request_erasure
from licet_server.archives.service.files import (
    ArchiveChanged,
    ArchiveMissing,
    delete_unknown,
    list_archives,
    list_unknown,
)
from licet_server.audit.rules import Finding
from licet_server.devices.service.requests import purge_requests
from licet_server.events.rules.kinds import EventKind
from licet_server.events.rules.model import INSTANCE
from licet_server.events.rules.personal_data import Traces
from licet_server.events.service.recording import record_event
from licet_server.kit.origin import CONSOLE
from licet_server.kit.passwords import Passwords
from licet_server.kit.platform import Platform
from licet_server.metering.service.archiving import reconcile_archives
from licet_server.worker import erase_archived


@pytest.fixture(scope="module")
def shared_application(module_application: Application) -> Application:
    """An application on a database of its own, which is dumped and archived."""
    return module_application


@pytest.fixture
async def scene(
    owner: Owner,
    platform: Platform,
    fast_passwords: Passwords,
    client: Any,
    clock: FakeClock,
) -> Scene:
    """Everything that could be archived is."""
    found = await make_scene(owner, platform, fast_passwords, client)
    # The newest entry of a ledger stays in its table.
    body = {"licenseId": found.licenses["MeteredToken"]["id"], "amount": 1}
    await owner.ok("POST", "/api/meter/grant", body)
    await owner.ok("GET", f"/api/licenses/{body['licenseId']}/requests")  # stores them all
    await years_later(platform, clock)
    assert await archive(platform) > 0
    await settle(platform)
    await purge_requests(platform)
    await owner.sign_in()
    return found


def named(platform: Platform, scene: Scene, *others: str) -> tuple[list[str], list[str]]:
    """The lines of the dump and of the archives that name the person."""
    texts = (scene.name, scene.email, *others)
    return lines_with(dump_of(platform), *texts), lines_with(archives_of(platform), *texts)


async def is_verified(platform: Platform, scene: Scene) -> bool:
    await settle(platform)
    found = await findings(platform, scene.vendor.owner.institution_id, str(INSTANCE))
    return found == [] and await reconcile_archives(platform) == []


async def numbers_of(platform: Platform, scene: Scene) -> dict[str, Any]:
    """What an erasure leaves as it is."""
    rows = await everything(platform, scene.vendor.owner.institution_id)
    ledger = {row["id"]: (Decimal(str(row["amount"])), row["sequence"]) for row in rows["Ledger"]}
    sessions = {row["id"]: row["hardware_id"] for row in rows["Sessions"]}
    told = {row["id"]: row["kind"] for row in rows["Events"] if row["seal_number"]}
    return {"ledger": ledger, "sessions": sessions, "events": told}


async def test_archives_have_nothing_of_an_erased_customer(
    scene: Scene, platform: Platform
) -> None:
    _, before = named(platform, scene)
    assert len(before) > 20
    numbers = await numbers_of(platform, scene)
    await scene.erase("Keep")
    assert named(platform, scene)[1] == before, "a request reads no archive"
    assert await erase_archived(platform) == 1
    assert named(platform, scene) == ([], [])
    assert await is_verified(platform, scene)
    after = await numbers_of(platform, scene)
    assert (after["ledger"], after["sessions"]) == (numbers["ledger"], numbers["sessions"])
    assert numbers["events"].items() <= after["events"].items()
    assert await list_unknown(platform) == []
    assert await erase_archived(platform) == 0


async def test_others_stay_in_archives(scene: Scene, platform: Platform, clock: FakeClock) -> None:
    other = "somebody.else@quill.example"
    await scene.vendor.issue("Concurrent", issuedTo=other)
    await years_later(platform, clock)
    await archive(platform)
    await settle(platform)
    await scene.vendor.owner.sign_in()
    before = lines_with(archives_of(platform), other)
    assert before
    await scene.erase("Keep")
    await erase_archived(platform)
    assert lines_with(archives_of(platform), other) == before


async def test_what_the_instance_has_archived_of_the_institution_is_erased(
    scene: Scene, platform: Platform, clock: FakeClock
) -> None:
    license_ = scene.licenses["Concurrent"]
    async with platform.unit_of_work(CONSOLE) as work:
        await record_event(
            work,
            EventKind.LICENSE_SUSPENDED,
            institution_id=UUID(scene.vendor.owner.institution_id),
            subject_id=UUID(license_["id"]),
            data={"id": license_["id"], "licenseName": scene.name, "reason": scene.email},
        )
    await years_later(platform, clock)
    await archive(platform)
    await settle(platform)
    await scene.vendor.owner.sign_in()
    await scene.erase("Keep")
    await erase_archived(platform)
    assert named(platform, scene) == ([], [])
    assert await is_verified(platform, scene)


async def test_addresses_that_only_archives_know_are_found(
    owner: Owner,
    platform: Platform,
    fast_passwords: Passwords,
    client: Any,
    clock: FakeClock,
) -> None:
    """A former address leads to what is still in the tables."""
    scene = await make_scene(owner, platform, fast_passwords, client)
    former = f"formerly.{scene.email}"
    await owner.ok("PUT", scene.path, {"email": former})
    await owner.ok("PUT", scene.path, {"email": scene.email})
    await years_later(platform, clock)
    await archive(platform)
    await settle(platform)
    await owner.sign_in()
    view = {"list": "Customers", "name": "One", "filters": {"search": former}}
    await owner.ok("POST", "/api/views", view)
    await scene.erase("Keep")
    in_dump, _ = named(platform, scene, former)
    assert in_dump, "the table does not know the former address"
    await erase_archived(platform)
    assert named(platform, scene, former) == ([], [])
    assert await is_verified(platform, scene)


async def test_several_processes_at_once(scene: Scene, platform: Platform) -> None:
    await scene.erase("Keep")
    done = await asyncio.gather(*(erase_archived(platform) for _ in range(3)))
    assert sum(done) == 1
    assert named(platform, scene) == ([], [])
    assert await is_verified(platform, scene)


async def test_archives_are_verified_while_they_are_rewritten(
    scene: Scene, platform: Platform
) -> None:
    await scene.erase("Keep")

    async def verify_again() -> list[Any]:
        found = await findings(platform, scene.vendor.owner.institution_id)
        return [*found, *await reconcile_archives(platform)]

    *verified, done = await asyncio.gather(
        *(verify_again() for _ in range(5)), erase_archived(platform)
    )
    assert (verified, done) == ([[]] * 5, 1)


async def run_and_die(platform: Platform, clock: FakeClock, moment: str) -> None:
    settings, now = platform.settings, clock.now.isoformat()
    given = [str(settings.database_url), str(settings.data_dir), now, moment]
    said = settings.data_dir / "said.txt"
    process = Forked(killed.main, *given, variables={}, output=said)
    assert await asyncio.to_thread(process.wait, PATIENCE_S) == -signal.SIGKILL, said.read_text()


async def erase_the_rest(platform: Platform) -> int:
    """The database may need a moment to notice that the process is gone."""
    return int(await until_found(lambda: erase_archived(platform)))


@pytest.mark.parametrize("moment", MOMENTS)
async def test_after_a_kill_the_next_run_goes_on(
    scene: Scene, platform: Platform, clock: FakeClock, moment: str
) -> None:
    await scene.erase("Keep")
    await run_and_die(platform, clock, moment)
    assert await is_verified(platform, scene)
    assert await erase_the_rest(platform) == 1
    await delete_unknown(platform, await list_unknown(platform))
    assert named(platform, scene) == ([], [])
    assert await is_verified(platform, scene)


async def test_the_old_file_is_deleted_after_a_kill(
    scene: Scene, platform: Platform, clock: FakeClock
) -> None:
    """What a crash may leave behind is a new file that no archive refers to."""
    await scene.erase("Keep")
    await run_and_die(platform, clock, "after that is committed")
    assert named(platform, scene)[1]
    assert await erase_the_rest(platform) == 1
    assert await list_unknown(platform) == []
    assert named(platform, scene) == ([], [])


def file_of(platform: Platform, item: Archive) -> Path:
    folder = platform.settings.data_dir / "files" / "archives" / str(item.institution_id)
    return folder / f"{item.id}.000000"


async def stored(platform: Platform, scene: Scene, kind: ArchiveKind) -> list[Archive]:
    async with platform.database.reading() as db:
        return await list_archives(db, UUID(scene.vendor.owner.institution_id), kind)


async def test_an_archive_that_cannot_be_read_keeps_the_erasure_waiting(
    scene: Scene, platform: Platform
) -> None:
    first, *_ = await stored(platform, scene, ArchiveKind.LEDGER)
    path = file_of(platform, first)
    content = path.read_bytes()
    path.unlink()
    await scene.erase("Keep")
    with pytest.raises(ArchiveMissing):
        await erase_archived(platform)
    assert named(platform, scene)[1] == [], "all others are rewritten"
    path.write_bytes(content)
    assert named(platform, scene)[1]
    assert await erase_archived(platform) == 1
    assert named(platform, scene) == ([], [])


@pytest.mark.parametrize("line", [None, '["{}"]'])
async def test_an_archive_that_cannot_be_read_delays_nobody_else(
    scene: Scene, platform: Platform, stranger: Owner, line: str | None
) -> None:
    first, *_ = await stored(platform, scene, ArchiveKind.EVENTS)
    lines = "" if line is None else f"{line.format(scene.email)}\n" * first.rows
    content = gzip.compress(lines.encode()) if lines else b"no gzip"
    before = file_of(platform, first).read_bytes()
    await replace_file(platform, first, content)
    await scene.erase("Keep")
    traces = Traces(
        license_ids=frozenset(),
        subject_ids=frozenset({UUID(int=1)}),
        user_ids=frozenset(),
        addresses=frozenset(),
    )
    async with platform.unit_of_work(CONSOLE) as work:
        await request_erasure(work, UUID(stranger.institution_id), traces)
    with pytest.raises(ArchiveChanged):
        await erase_archived(platform)
    waiting = [item.institution_id for item in await list_erasures(platform)]
    assert waiting == [UUID(scene.vendor.owner.institution_id)]
    await replace_file(platform, first, before)
    assert await erase_archived(platform) == 1
    assert named(platform, scene) == ([], [])


async def replace_file(platform: Platform, item: Archive, content: bytes) -> None:
    file_of(platform, item).write_bytes(content)
    await change(
        platform,
        "UPDATE archives SET size = :size, sha256 = :hash WHERE id = :id",
        size=len(content),
        hash=hashlib.sha256(content).digest(),
        id=item.id,
    )


@pytest.mark.parametrize("kind", [ArchiveKind.EVENTS, ArchiveKind.LEDGER])
async def test_the_file_from_before_cannot_be_put_back(
    scene: Scene, platform: Platform, kind: ArchiveKind
) -> None:
    before = await stored(platform, scene, kind)
    contents = {item.id: file_of(platform, item).read_bytes() for item in before}
    await scene.erase("Keep")
    await erase_archived(platform)
    await settle(platform)
    after = await stored(platform, scene, kind)
    old, new = next(pair for pair in zip(before, after, strict=True) if pair[0] != pair[1])
    file_of(platform, old).write_bytes(contents[old.id])
    await change(
        platform,
        "UPDATE archives SET id = :old, size = :size, sha256 = :hash WHERE id = :new",
        old=old.id,
        size=old.size,
        hash=old.sha256,
        new=new.id,
    )
    found = await findings(platform, scene.vendor.owner.institution_id)
    assert (Finding.ARCHIVE_CHANGED, kind) in found
