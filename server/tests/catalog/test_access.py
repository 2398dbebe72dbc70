"""The catalog: who may see and change it, and what is recorded of it."""

from catalog.factories import (
    events_of,
    make_product,
)
from testkit import FakeClock, Owner

from licet_server.kit.platform import Platform


async def test_changes_are_recorded_with_who_made_them(
    owner: Owner, platform: Platform, clock: FakeClock
) -> None:
    made = await make_product(owner)
    path = f"/api/products/{made['id']}"
    clock.advance(seconds=1)
    await owner.ok("PUT", path, {"name": "Borealis", "settings": {"deviceReleasesPerYear": 0}})
    clock.advance(seconds=1)
    await owner.ok("PUT", path, {"name": "Borealis"})
    await owner.ok("DELETE", path)
    created, updated, deleted = await events_of(platform, made["id"])
    assert [created["kind"], updated["kind"], deleted["kind"]] == [
        "product.created",
        "product.updated",
        "product.deleted",
    ]
    assert created["changes"]["name"] == [None, "Aurora"]
    assert updated["changes"] == {
        "name": ["Aurora", "Borealis"],
        "settings.deviceReleasesPerYear": [3, 0],
    }
    assert str(updated["actor_id"]) == owner.user_id
    assert deleted["changes"]["name"] == ["Borealis", None]
