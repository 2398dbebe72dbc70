"""What is left when somebody deletes, rewrites or floods: the instance's log, anchors, bounds."""

from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from applications import ApplicationWith, emptied
from licenses.factories import make_product, product_key
from sqlalchemy import text
from testkit import Owner
from world import World

from licet_server.app import Application
from licet_server.audit.rules import Finding
from licet_server.audit.service.evidence import (
    anchor_heads,
    begin_instance_chain,
    confirm_clock,
    read_heads,
)
from licet_server.audit.service.verifying import verify
from licet_server.events.rules.kinds import PERMANENT_PER_HOUR
from licet_server.events.rules.model import INSTANCE
from licet_server.events.service.recording import delete_transient_events, summarize_omitted_events
from licet_server.events.service.sealing import seal_events
from licet_server.kit.clock_trust import read_confirmation
from licet_server.kit.origin import Origin
from licet_server.kit.platform import Platform


@pytest.fixture(scope="module")
async def shared_application(application_with: ApplicationWith) -> Application:
    """An application on a database of its own, since every chain of it is verified."""
    return await emptied(await application_with("fresh"))


async def log_of_instance(admin: Owner, **query: Any) -> list[dict[str, Any]]:
    found = await admin.ok("GET", "/api/audit", params={"pageSize": 100, **query})
    return list(found["items"])


async def scalar(platform: Platform, sql: str, **given: Any) -> Any:
    async with platform.database.transaction() as db:
        return (await db.execute(text(sql), given)).scalar()


def anchoring(platform: Platform, folder: Path) -> Platform:
    """The platform with a file of heads of its own."""
    return replace(platform, settings=replace(platform.settings, heads_file=folder / "heads"))


async def test_a_clock_that_the_console_confirms_is_in_the_log_of_the_instance(
    admin: Owner, platform: Platform, tmp_path: Path
) -> None:
    here = replace(platform, settings=replace(platform.settings, data_dir=tmp_path))
    confirmation = await confirm_clock(here)
    [entry, *_] = await log_of_instance(admin, kind="instance.clock_confirmed")
    assert (entry["actorKind"], entry["actorName"]) == ("Console", None)
    assert datetime.fromisoformat(entry["data"]["at"]) == confirmation.at
    assert read_confirmation(tmp_path) == confirmation


async def test_the_audit_log_outlives_its_institution(
    owner: Owner, admin: Owner, platform: Platform
) -> None:
    await owner.ok("PUT", f"/api/institutions/{owner.institution_id}", {"name": "Soon gone"})
    await owner.ok("DELETE", f"/api/institutions/{owner.institution_id}")
    path = f"/api/institutions/{owner.institution_id}/audit"
    entries = (await admin.ok("GET", path))["items"]
    assert [item["kind"] for item in entries] == [
        "institution.deleted",
        "institution.updated",
        "institution.created",
    ]
    assert entries[0]["actorName"] == owner.email
    assert entries[0]["changes"] == {"name": ["Soon gone", None]}
    assert (await owner.send("GET", path)).status_code == 404
    [entry] = await log_of_instance(
        admin, subjectId=owner.institution_id, kind="institution.deleted"
    )
    assert entry["data"]["institutionId"] == owner.institution_id
    await seal_events(platform)
    found = await verify(platform, [], lambda *_: None)
    assert not [item for item in found.breaches if str(item.institution_id) in path]


async def test_a_manual_deletion_is_found_although_it_leaves_no_trace(
    owner: Owner, platform: Platform
) -> None:
    await seal_events(platform)
    for table, column in (("events", "institution_id"), ("audit_chains", "institution_id"),
                          ("institutions", "id")):  # fmt: skip
        await scalar(
            platform,
            f"DELETE FROM {table} WHERE {column} = :i RETURNING 1",
            i=owner.institution_id,
        )
    found = await verify(platform, [], lambda *_: None)
    assert Finding.LOST in {
        item.finding for item in found.breaches if str(item.institution_id) == owner.institution_id
    }


async def test_what_system_admins_do_is_recorded_for_the_instance(
    admin: Owner, owner: Owner, stranger: Owner
) -> None:
    for who, name in ((owner, "Renamed by its Owner"), (admin, "Renamed by a system Admin")):
        await who.ok("PUT", f"/api/institutions/{owner.institution_id}", {"name": name})
    entries = await log_of_instance(admin, subjectId=owner.institution_id)
    assert [item["kind"] for item in entries] == ["institution.updated", "institution.created"]
    assert entries[0]["actorName"] == admin.email
    assert entries[0]["data"]["name"] == "Renamed by a system Admin"
    for path in ("/api/audit", f"/api/institutions/{INSTANCE}/audit"):
        assert (await stranger.send("GET", path)).status_code in {403, 404}
    csv = await admin.send("GET", "/api/audit", headers={"accept": "text/csv"})
    assert csv.text.startswith("id,kind,occurredAt")


async def test_heads_are_anchored_once_outside_the_database(
    owner: Owner, platform: Platform, tmp_path: Path
) -> None:
    anchored = anchoring(platform, tmp_path)
    path = anchored.settings.audit_heads_file
    await seal_events(platform)
    assert await anchor_heads(anchored) >= 1
    assert await anchor_heads(anchored) == 0
    before = path.read_bytes()
    await make_product(owner)
    await seal_events(platform)
    assert await anchor_heads(anchored) == 1
    assert path.read_bytes().startswith(before)
    newest = list(read_heads(path))[-1]
    assert newest.institution_id == UUID(owner.institution_id)
    stored = "SELECT seal FROM audit_chains WHERE institution_id = :i"
    assert newest.seal == await scalar(platform, stored, i=owner.institution_id)
    assert path.stat().st_mode & 0o077 == 0


async def test_a_head_that_could_not_be_written_is_anchored_later(
    owner: Owner, platform: Platform, tmp_path: Path
) -> None:
    await make_product(owner)
    await seal_events(platform)
    with pytest.raises(FileNotFoundError):
        await anchor_heads(anchoring(platform, tmp_path / "missing"))
    assert await anchor_heads(anchoring(platform, tmp_path)) >= 1


async def test_the_chain_of_the_instance_is_begun_once(platform: Platform, tmp_path: Path) -> None:
    """Once it has been anchored, it is not begun anew when all of it is gone."""
    anchored = anchoring(platform, tmp_path)
    path = anchored.settings.audit_heads_file
    chain = "SELECT count(*) FROM audit_chains WHERE institution_id = :i"
    async with platform.unit_of_work(Origin()) as work:
        await work.db.execute(text("SAVEPOINT before"))
        await begin_instance_chain(work, path)
        assert (await work.db.execute(text(chain), {"i": INSTANCE})).scalar() == 1
        for table in ("events", "audit_chains"):
            await work.db.execute(
                text(f"DELETE FROM {table} WHERE institution_id = :i"),
                {"i": INSTANCE},
            )
        path.write_text(
            f'{{"event":"audit_sealed","institution_id":"{INSTANCE}","number":1,"seal":"00"}}\n'
        )
        await begin_instance_chain(work, path)
        assert (await work.db.execute(text(chain), {"i": INSTANCE})).scalar() == 0
        path.unlink()
        await begin_instance_chain(work, path)
        assert (await work.db.execute(text(chain), {"i": INSTANCE})).scalar() == 1
        await work.db.execute(text("ROLLBACK TO SAVEPOINT before"))


async def test_events_of_applications_beyond_the_hourly_limit_are_only_counted(
    world: World,
) -> None:
    license_ = await world.issue("Concurrent", maxActiveUsersCount=5)
    key = {"x-api-key": await product_key(world.owner, world.product)}
    body = {"licenseKey": license_["licenseKey"], "hardwareId": "machine-1"}
    for _ in range(55):
        for method, path in (("POST", ""), ("DELETE", "/current")):
            answer = await world.owner.client.request(
                method, f"/api/activations{path}", json=body, headers=key
            )
            assert answer.is_success, answer.text
        world.clock.advance(seconds=2)
    of_license = "FROM events WHERE license_id = :l AND occurred_at < :t"
    given = {"l": license_["id"], "t": world.clock()}
    recorded = await scalar(world.platform, f"SELECT count(*) {of_license}", **given)
    permanent = await scalar(world.platform, f"SELECT count(*) {of_license} AND permanent", **given)
    assert recorded == 111
    assert permanent == PERMANENT_PER_HOUR
    await world.owner.ok("POST", f"/api/licenses/{license_['id']}/suspend", {})
    later = {"l": license_["id"], "t": world.clock.now.replace(minute=59)}
    kept = await scalar(world.platform, f"SELECT count(*) {of_license} AND permanent", **later)
    assert kept == permanent + 1
    await seal_events(world.platform)
    assert await scalar(
        world.platform, f"SELECT count(*) {of_license} AND seal IS NULL AND permanent", **given
    ) == 0  # fmt: skip

    assert await summarize_omitted_events(world.platform) == 0
    world.clock.advance(hours=1)
    assert await summarize_omitted_events(world.platform) == 1
    assert await summarize_omitted_events(world.platform) == 0
    await world.owner.sign_in()
    events = (await world.owner.ok("GET", f"/api/licenses/{license_['id']}/events"))["items"]
    [summary] = [item for item in events if item["type"] == "license.events_omitted"]
    assert sum(summary["data"]["counts"].values()) == recorded - permanent
    world.clock.advance(days=8)
    assert await delete_transient_events(world.platform) >= recorded - permanent
    assert await scalar(world.platform, f"SELECT count(*) {of_license}", **given) == permanent
