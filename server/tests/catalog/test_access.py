"""The catalog: who may see and change it, and what is recorded of it."""

from collections.abc import Callable
from typing import Any

import pytest
from catalog.factories import (
    bad_fields,
    events_of,
    join,
    make_features,
    make_product,
    refusal,
)
from testkit import FakeClock, Owner

from licet_server.identity.rules.memberships import Role
from licet_server.kit.platform import Platform


@pytest.mark.specification("roles.viewer")
async def test_strangers_find_nothing_and_viewers_change_nothing(
    owner: Owner, stranger: Owner, new_owner: Callable[..., Any], platform: Platform
) -> None:
    made = await make_product(owner)
    [feature] = await make_features(owner, made, "one")
    product = f"/api/products/{made['id']}"
    [release] = (await owner.ok("GET", f"{product}/releases"))["items"]
    body = {"name": "Set", "featureNames": ["one"]}
    the_set = (await owner.ok("POST", f"{product}/entitlement-sets", body))["id"]
    [key] = (await owner.ok("GET", f"{product}/credentials"))["keys"]
    viewer = await new_owner("Viewer")
    await join(platform, owner, viewer, Role.VIEWER)
    reads = [
        product,
        f"{product}/keys/status",
        f"{product}/releases",
        f"{product}/features",
        f"{product}/entitlement-sets",
        f"/api/releases/{release['id']}",
    ]
    writes: list[tuple[str, str, Any]] = [
        ("GET", f"{product}/credentials", None),
        ("POST", f"{product}/credentials/rotate", {}),
        ("DELETE", f"{product}/credentials/{key['id']}", None),
        ("POST", f"{product}/keys/generate", {"keySize": 2048}),
        ("PUT", product, {"name": "Mine"}),
        ("POST", f"{product}/releases", {"version": "2"}),
        ("POST", f"{product}/features", {"name": "two"}),
        ("POST", f"{product}/entitlement-sets", {"name": "Two", "featureNames": []}),
        ("PUT", f"/api/releases/{release['id']}", {"version": "2"}),
        ("DELETE", f"/api/releases/{release['id']}", None),
        ("PUT", f"/api/features/{feature}", {"name": "two"}),
        ("PUT", f"/api/entitlement-sets/{the_set}", {"name": "Two"}),
        ("DELETE", f"/api/entitlement-sets/{the_set}", None),
        ("DELETE", f"/api/features/{feature}", None),
        ("DELETE", product, None),
    ]
    for path in reads:
        assert (await viewer.send("GET", path)).status_code == 200, path
        assert refusal(await stranger.send("GET", path)) == (404, "NotFound"), path
    for method, path, sent in writes:
        assert refusal(await viewer.send(method, path, sent)) == (403, "Forbidden"), path
        assert refusal(await stranger.send(method, path, sent)) == (404, "NotFound"), path
    assert (await owner.ok("GET", product))["name"] == "Aurora"
    mine = {"name": "X", "initialVersion": "1", "institutionId": owner.institution_id}
    assert refusal(await viewer.send("POST", "/api/products", mine)) == (403, "Forbidden")
    assert bad_fields(await stranger.send("POST", "/api/products", mine)) == ["institutionId"]
    assert (await stranger.ok("GET", "/api/products"))["totalCount"] == 0


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
