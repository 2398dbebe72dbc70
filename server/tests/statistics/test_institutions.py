"""The overview of an institution: figures, latest events, and who sees them."""

from typing import Any

from plans import explain, taken_down
from sqlalchemy import text
from testkit import FakeClock, Owner
from unhurried import unhurried
from volumes import is_long
from world import Vendor, World, open_vendor

from licet_server.identity.rules.memberships import Role

LENGTH = 100_000 if is_long() else 30_000


async def read(user: Owner, owner: Owner | None = None) -> dict[str, Any]:
    institution_id = (owner or user).institution_id
    return dict(await user.ok("GET", f"/api/institutions/{institution_id}/overview"))


def kinds(overview: dict[str, Any]) -> list[str]:
    return [item["type"] for item in overview["recentActivity"]]


async def happen(vendor: Vendor, clock: FakeClock) -> None:
    """Activate a device, create a key, change settings."""
    made = await vendor.issue("Concurrent")
    clock.advance(seconds=1)
    await vendor.activate(made, "machine-1", deviceName="Studio PC")
    clock.advance(seconds=1)
    await vendor.owner.ok("POST", "/api/api-keys", {"name": "CI", "scopes": ["Products.Read"]})
    clock.advance(seconds=1)
    path = f"/api/institutions/{vendor.owner.institution_id}/settings"
    await vendor.owner.ok("PUT", path, {"runtimeRateLimit": 600})


async def test_overview_has_figures_and_newest_events_first(world: World) -> None:
    await happen(world, world.clock)
    overview = await read(world.owner)
    figures = {name: value for name, value in overview.items() if name != "recentActivity"}
    assert figures == {
        "products": 1,
        "licenses": 1,
        "activeLicenses": 1,
        "expiringIn30Days": 0,
        "activations": 1,
        "pendingActivations": 0,
        "blockedActivations": 0,
        "liveSessions": 0,
        "unreviewedAccessAttempts": 0,
        "members": 1,
    }
    assert kinds(overview)[:4] == [
        "institution.settings_changed",
        "api_key.created",
        "activation.created",
        "license.created",
    ]
    first, key, device, license_, *_ = overview["recentActivity"]
    assert set(first) == {
        "id",
        "type",
        "occurredAt",
        "subjectId",
        "subjectName",
        "licenseId",
        "licenseName",
        "productId",
        "actorKind",
        "actorName",
        "test",
    }
    assert (first["actorKind"], first["actorName"]) == ("User", world.owner.email)
    assert (first["productId"], first["occurredAt"]) == (None, "2030-01-15T12:00:03Z")
    assert (device["productId"], device["actorKind"]) == (world.product["id"], "ProductKey")
    assert (key["subjectName"], key["licenseId"], key["licenseName"]) == ("CI", None, None)
    assert license_["subjectName"] == license_["licenseName"] == device["licenseName"]
    assert license_["subjectId"] == license_["licenseId"] == device["licenseId"]
    assert device["subjectName"] == "Studio PC"
    await world.owner.ok("DELETE", f"/api/licenses/{license_['licenseId']}")
    later = (await read(world.owner))["recentActivity"]
    gone = next(item for item in later if item["type"] == "license.created")
    assert (gone["subjectName"], gone["licenseId"]) == (license_["subjectName"], None)


async def test_overview_lists_at_most_twenty_events(world: World) -> None:
    for number in range(21):
        await world.owner.ok(
            "PUT", f"/api/products/{world.product['id']}", {"name": f"No {number}"}
        )
    overview = await read(world.owner)
    assert kinds(overview) == ["product.updated"] * 20


async def test_viewers_see_no_events_about_people(world: World, stranger: Owner) -> None:
    await world.join(stranger, Role.VIEWER)
    await happen(world, world.clock)
    told = await read(stranger, world.owner)
    seen = await read(world.owner)
    assert told["members"] == seen["members"] == 2
    hidden = ("api_key.", "activation.", "session.", "access_attempt.")
    public = [kind for kind in kinds(seen) if not kind.startswith(hidden)]
    assert kinds(told)[: len(public)] == public != kinds(seen)
    assert {(item["actorKind"], item["actorName"]) for item in told["recentActivity"]} == {
        (None, None)
    }
    async with world.platform.database.transaction() as db:
        for number, kind in enumerate(("user.x", "member.x", "invitation.x", "apixkey.x")):
            await db.execute(
                text(_EVENT),
                {"i": world.owner.institution_id, "k": kind, "p": None, "n": str(number)},
            )
    assert kinds(await read(world.owner))[:4] == ["apixkey.x", "invitation.x", "member.x", "user.x"]
    assert kinds(await read(stranger, world.owner)) == ["apixkey.x", *kinds(told)][:20]


async def test_members_see_assigned_products_only(world: World, stranger: Owner) -> None:
    await world.join(stranger, Role.MEMBER)
    other = await open_vendor(world.owner, name="Borealis")
    await happen(other, world.clock)
    await world.issue("Perpetual")
    await world.issue("Perpetual")
    told = await read(stranger, world.owner)
    assert (told["products"], told["licenses"], told["activations"]) == (1, 2, 0)
    assert {item["productId"] for item in told["recentActivity"]} == {world.product["id"]}
    assert kinds(told)[:2] == ["license.created"] * 2
    async with world.platform.database.transaction() as db:
        await db.execute(
            text("DELETE FROM assigned_products WHERE user_id = :u"), {"u": stranger.user_id}
        )
    nothing = await read(stranger, world.owner)
    assert (nothing["products"], nothing["recentActivity"]) == (0, [])


_EVENT = """
INSERT INTO events (institution_id, id, kind, occurred_at, subject_id, product_id, data, actor_kind)
SELECT :i, ('ffffffff-0000-7000-8000-' || lpad(:n, 12, '0'))::uuid, :k, now(), uuidv7(), :p, '{}',
    'User'
"""
_FILL = f"""
INSERT INTO events (institution_id, id, kind, occurred_at, subject_id, product_id, data, actor_kind)
SELECT :i, uuidv7(), 'license.updated', now(), uuidv7(), CAST(:p AS uuid), '{{}}', 'User'
FROM generate_series(1, {LENGTH})
"""


async def test_overview_reads_only_the_end_of_a_long_history(world: World, stranger: Owner) -> None:
    """Also by a Member whose one product has had no events for a long time."""
    await world.join(stranger, Role.MEMBER)
    busy = await open_vendor(world.owner, name="Busy")
    given = {"i": world.owner.institution_id, "p": busy.product["id"]}
    async with unhurried(world.platform) as db:
        await db.execute(text(_FILL), given)
    try:
        for analyzed in (False, True):
            if analyzed:
                async with world.platform.database.reading() as db:
                    await db.execute(text("ANALYZE events"))
            for user in (world.owner, stranger):
                with taken_down("events") as taken:
                    assert (await read(user, world.owner))["recentActivity"]
                [question] = taken
                assert (await explain(world.platform, question)).pages < 60, (analyzed, user)
    finally:
        async with unhurried(world.platform) as db:
            await db.execute(text("DELETE FROM events WHERE product_id = :p"), {"p": given["p"]})
