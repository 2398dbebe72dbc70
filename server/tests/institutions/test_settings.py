"""Settings of institutions: who may read and change them, and which IP addresses they allow."""

from collections.abc import Callable
from dataclasses import replace
from ipaddress import ip_network
from typing import Any

import httpx
import pytest
from applications import AnotherServer
from catalog.factories import join
from identity.people import elsewhere
from institutions.members import outcome
from licenses.factories import issue, make_product, product_key
from testkit import Owner, client_of
from world import World

from licet_server.app import Application
from licet_server.identity.rules.memberships import Role
from licet_server.institutions.rules.institutions import InstitutionSettings, is_admitted
from licet_server.kit.addresses import plain
from licet_server.kit.platform import Platform

FORBIDDEN, NOT_FOUND = (403, "Forbidden"), (404, "NotFound")
FAR = "198.51.100.7"
TRUSTED = (ip_network("203.0.113.1"),)


def path_of(owner: Owner) -> str:
    return f"/api/institutions/{owner.institution_id}/settings"


async def change(owner: Owner, **settings: Any) -> dict[str, Any]:
    return dict(await owner.ok("PUT", path_of(owner), settings))


def at(owner: Owner, client: httpx.AsyncClient) -> Owner:
    """The session of the user, used from another IP address."""
    return replace(owner, client=client)


async def test_settings_are_unrestricted_by_default(owner: Owner) -> None:
    shown = await owner.ok("GET", path_of(owner))
    assert shown == {
        "ipAllowList": [],
        "runtimeRateLimit": None,
        "apiKeyRateLimit": None,
        "expiryReminderDays": [30, 7, 1],
        "telemetryRetentionDays": 90,
        "timeZone": "UTC",
        "requireSecondFactor": False,
        "callerAddress": shown["callerAddress"],
        "callerAddressAllowed": True,
    }
    assert shown["callerAddress"].startswith("10.0.")


async def test_a_change_leaves_absent_fields(owner: Owner) -> None:
    first = await change(owner, runtimeRateLimit=600, ipAllowList=[" 10.0.0.0/8 "])
    assert first["ipAllowList"] == ["10.0.0.0/8"]
    second = await change(owner, apiKeyRateLimit=1_000_000)
    assert second == {**first, "apiKeyRateLimit": 1_000_000}
    assert await owner.ok("GET", path_of(owner)) == second
    cleared = await change(owner, runtimeRateLimit=None, ipAllowList=None)
    assert (cleared["runtimeRateLimit"], cleared["ipAllowList"]) == (None, [])
    assert cleared["apiKeyRateLimit"] == 1_000_000


async def test_a_list_without_the_callers_address_needs_to_be_confirmed(owner: Owner) -> None:
    address = (await owner.ok("GET", path_of(owner)))["callerAddress"]
    wanted = {"ipAllowList": ["192.0.2.1", "2001:db8::/32"], "runtimeRateLimit": 600}
    for confirm in ({}, {"confirm": False}):
        refused = await owner.send("PUT", path_of(owner), {**wanted, **confirm})
        assert outcome(refused) == (400, "InvalidRequest")
        [error] = refused.json()["errors"]
        assert error["field"] == "ipAllowList"
        assert address in error["message"]
        assert "confirm: true" in error["message"]
        stored = await owner.ok("GET", path_of(owner))
        assert (stored["ipAllowList"], stored["runtimeRateLimit"]) == ([], None)
    await change(owner, ipAllowList=["192.0.2.1", address])
    await change(owner, ipAllowList=[])
    assert (await change(owner, **wanted, confirm=True))["callerAddressAllowed"] is False


async def test_reminder_days_are_sorted_and_may_be_empty(owner: Owner) -> None:
    changed = await change(owner, expiryReminderDays=[1, 14, 1], telemetryRetentionDays=7)
    assert (changed["expiryReminderDays"], changed["telemetryRetentionDays"]) == ([14, 1], 7)
    assert (await change(owner, expiryReminderDays=None))["expiryReminderDays"] == []
    assert (await owner.ok("GET", path_of(owner)))["telemetryRetentionDays"] == 7


async def test_changes_are_recorded_before_and_after(owner: Owner) -> None:
    await change(owner, runtimeRateLimit=600, ipAllowList=["10.0.0.0/8"])
    await change(owner, runtimeRateLimit=600)
    await change(owner)
    await change(owner, runtimeRateLimit=None)
    path = f"/api/institutions/{owner.institution_id}/audit?kind=institution.settings_changed"
    last, first = (await owner.ok("GET", path))["items"]
    assert first["changes"] == {
        "runtimeRateLimit": [None, 600],
        "ipAllowList": [[], ["10.0.0.0/8"]],
    }
    assert last["changes"] == {"runtimeRateLimit": [600, None]}
    assert (last["subjectId"], last["actorName"]) == (owner.institution_id, owner.email)


@pytest.mark.parametrize(
    ("settings", "fields"),
    [
        ({"ipAllowList": ["10.0.0.1", "somewhere", "10.0.0.1/33"]}, [1, 2]),
        ({"ipAllowList": ["203.0.113.7/24"]}, [0]),
        ({"ipAllowList": ["::ffff:203.0.113.7"]}, [0]),
        ({"ipAllowList": ["10.0.0.1"] * 101}, ["ipAllowList"]),
        ({"ipAllowList": "10.0.0.1"}, ["ipAllowList"]),
        ({"runtimeRateLimit": 0}, ["runtimeRateLimit"]),
        ({"runtimeRateLimit": 1_000_001, "apiKeyRateLimit": -1}, None),
        ({"apiKeyRateLimit": 1.5}, ["apiKeyRateLimit"]),
        ({"apiKeyRateLimit": "60"}, ["apiKeyRateLimit"]),
        ({"telemetryRetentionDays": 0}, ["telemetryRetentionDays"]),
        ({"telemetryRetentionDays": 3651}, ["telemetryRetentionDays"]),
        ({"telemetryRetentionDays": None}, ["telemetryRetentionDays"]),
        ({"expiryReminderDays": list(range(1, 12))}, ["expiryReminderDays"]),
        ({"expiryReminderDays": 7}, ["expiryReminderDays"]),
    ],
)
async def test_bad_settings_are_named(
    owner: Owner, settings: dict[str, Any], fields: list[Any] | None
) -> None:
    answer = await owner.send("PUT", path_of(owner), settings)
    assert outcome(answer) == (400, "InvalidRequest")
    wanted = [f"ipAllowList[{item}]" if isinstance(item, int) else item for item in fields or []]
    named = [item["field"] for item in answer.json()["errors"]]
    assert named == (wanted or ["runtimeRateLimit", "apiKeyRateLimit"])
    assert (await owner.ok("GET", path_of(owner)))["ipAllowList"] == []


@pytest.mark.specification("institutions.settings")
async def test_other_addresses_are_refused_with_a_reason(
    world: World, application: Application
) -> None:
    """Lists omit it; requests for it by id or by filter are refused."""
    made = await world.issue()
    await change(world.owner, ipAllowList=["10.0.0.0/8"])
    async with elsewhere(application, FAR) as client:
        user = at(world.owner, client)
        for path in ("/api/institutions", "/api/products", "/api/licenses"):
            assert (await user.ok("GET", path))["items"] == [], path
            assert (await world.owner.ok("GET", path))["items"] != [], path
        figures = await user.ok("GET", "/api/statistics/overview")
        assert (figures["products"], figures["licenses"]) == (0, 0)
        institution = f"/api/institutions/{world.owner.institution_id}"
        of = {"institutionId": world.owner.institution_id}
        for method, path, query in (
            ("GET", institution, {}),
            ("PUT", institution, {}),
            ("GET", f"{institution}/settings", {}),
            ("PUT", f"{institution}/settings", {}),
            ("GET", f"{institution}/overview", {}),
            ("GET", f"{institution}/audit", {}),
            ("GET", f"/api/products/{world.product['id']}", {}),
            ("PUT", f"/api/products/{world.product['id']}", {}),
            ("DELETE", f"/api/products/{world.product['id']}", {}),
            ("GET", f"/api/products/{world.product['id']}/credentials", {}),
            ("GET", f"/api/products/{world.product['id']}/releases", {}),
            ("GET", f"/api/licenses/{made['id']}", {}),
            ("PUT", f"/api/licenses/{made['id']}", {}),
            ("POST", f"/api/licenses/{made['id']}/revoke", {}),
            ("GET", f"/api/licenses/{made['id']}/file", {}),
            ("GET", f"/api/licenses/{made['id']}/activations", {}),
            ("GET", f"/api/licenses/{made['id']}/ledger", {}),
            ("GET", "/api/statistics/overview", of),
            ("GET", "/api/statistics/meter-usage", of),
            ("GET", "/api/api-keys", of),
            ("POST", "/api/meter/reconcile", {}),
        ):
            body: dict[str, object] | None = {} if method in {"PUT", "POST"} else None
            answer = await user.send(method, path, body, params=query)
            assert outcome(answer) == FORBIDDEN, (method, path, answer.text)
        for path in (institution, "/api/webhooks", "/api/connectors", "/api/api-keys"):
            refused = await user.send("GET", path)
            assert outcome(refused) == FORBIDDEN
            assert "ipAllowList" in refused.json()["detail"], path
        assert (await world.owner.send("GET", institution)).is_success
        # It takes effect, and is lifted, at the next request.
        await change(world.owner, ipAllowList=[])
        assert (await user.send("GET", institution)).is_success


async def test_outsiders_learn_nothing_about_an_allow_list(owner: Owner, stranger: Owner) -> None:
    await change(owner, ipAllowList=["192.0.2.1"], confirm=True)
    assert outcome(await stranger.send("GET", path_of(owner))) == NOT_FOUND


async def test_applications_may_use_any_address(world: World, application: Application) -> None:
    made = await world.issue()
    headers = {"x-api-key": await product_key(world.owner, world.product)}
    await change(world.owner, ipAllowList=["10.0.0.0/8"])
    async with elsewhere(application, FAR) as client:
        body = {"licenseKey": made["licenseKey"]}
        answer = await client.post("/api/licenses/validate", json=body, headers=headers)
        assert answer.json()["valid"] is True


async def test_api_keys_of_the_institution_are_barred_as_well(
    owner: Owner, application: Application
) -> None:
    made = await issue(owner, await make_product(owner))
    body = {"name": "CI", "scopes": ["Licenses.Write"]}
    key = (await owner.ok("POST", "/api/api-keys", body))["secret"]
    headers = {"authorization": f"Bearer {key}"}
    await change(owner, ipAllowList=["10.0.0.0/8"])
    paths = ("/api/licenses", f"/api/licenses/{made['id']}")
    async with elsewhere(application, FAR) as client:
        for path in paths:
            refused = await client.get(path, headers=headers)
            assert outcome(refused) == FORBIDDEN
            assert "institution" in refused.json()["detail"]
    for path in paths:
        assert (await owner.client.get(path, headers=headers)).is_success


async def test_other_institutions_of_a_user_are_not_affected(
    owner: Owner, new_owner: Callable[..., Any], application: Application, platform: Platform
) -> None:
    user = await new_owner("Of two")
    await join(platform, owner, user, Role.ADMIN)
    theirs = await make_product(owner)
    own = await make_product(user, institutionId=user.institution_id)
    await change(owner, ipAllowList=["192.0.2.0/24"], confirm=True)
    async with elsewhere(application, FAR) as client:
        there = at(user, client)
        listed = (await there.ok("GET", "/api/products"))["items"]
        assert [item["id"] for item in listed] == [own["id"]]
        assert (await there.send("GET", f"/api/products/{own['id']}")).is_success
        assert outcome(await there.send("GET", f"/api/products/{theirs['id']}")) == NOT_FOUND
        nothing = await there.send("GET", "/api/licenses/01b92571-ea00-7032-a7e8-1d0429f5abbb")
        assert outcome(nothing) == NOT_FOUND
        assert "ipAllowList" in nothing.json()["detail"]
        made = await there.ok("POST", "/api/products", {"name": "New", "initialVersion": "1"})
        assert made["institutionId"] == user.institution_id
    async with elsewhere(application, "192.0.2.9") as client:
        there = at(user, client)
        assert len((await there.ok("GET", "/api/products"))["items"]) == 3


async def test_unknown_institution_is_not_found_even_for_barred_operator(
    owner: Owner, admin: Owner
) -> None:
    await change(owner, ipAllowList=["192.0.2.1"], confirm=True)
    nowhere = "/api/institutions/01b92571-ea00-7032-a7e8-1d0429f5abbb"
    assert outcome(await admin.send("GET", nowhere)) == NOT_FOUND


async def test_system_admin_can_change_a_list_that_bars_all_members(
    owner: Owner, admin: Owner
) -> None:
    told = await change(owner, ipAllowList=["192.0.2.1"], confirm=True)
    assert told["callerAddressAllowed"] is False
    assert outcome(await owner.send("GET", path_of(owner))) == FORBIDDEN
    assert outcome(await owner.send("PUT", path_of(owner), {"ipAllowList": []})) == FORBIDDEN
    assert (await owner.send("GET", "/api/auth/me")).is_success
    # A system Admin is barred as well, except to correct the list.
    institution = f"/api/institutions/{owner.institution_id}"
    for path in ("", "/overview", "/audit"):
        assert outcome(await admin.send("GET", institution + path)) == FORBIDDEN
    shown = await admin.ok("GET", path_of(owner))
    assert (shown["ipAllowList"], shown["callerAddressAllowed"]) == (["192.0.2.1"], False)
    await admin.ok("PUT", path_of(owner), {"ipAllowList": ["192.0.2.1", "10.0.0.0/8"]})
    assert (await owner.send("GET", path_of(owner))).is_success


@pytest.mark.parametrize(
    ("peer", "forwarded", "lets_in"),
    [
        ("203.0.113.1", "198.51.100.7", True),
        ("203.0.113.1", "198.51.100.7, 192.0.2.66", False),
        ("203.0.113.1", None, False),
        ("192.0.2.66", "198.51.100.7", False),
        ("198.51.100.7", "192.0.2.66", True),
        ("::ffff:198.51.100.7", None, True),
        ("2001:db8::7", None, True),
        ("2001:db9::7", None, False),
    ],
)
async def test_the_address_is_the_callers(
    owner: Owner,
    another_server: AnotherServer,
    peer: str,
    forwarded: str | None,
    lets_in: bool,
) -> None:
    """Only a trusted proxy may forward it."""
    await change(owner, ipAllowList=["198.51.100.7", "2001:db8::/32"], confirm=True)
    behind_proxy = await another_server(trusted_proxies=TRUSTED)
    async with client_of(behind_proxy, peer) as client:
        headers = {"x-forwarded-for": forwarded} if forwarded else {}
        path = f"/api/institutions/{owner.institution_id}"
        answer = await at(owner, client).send("GET", path, headers=headers)
    assert outcome(answer) == ((200, None) if lets_in else FORBIDDEN)


def test_addresses_match_in_either_form() -> None:
    settings = InstitutionSettings(ip_allow_list=("203.0.113.0/24",))
    assert settings.admits("::ffff:203.0.113.9")
    assert not settings.admits("::ffff:203.0.114.9")
    assert plain("::ffff:203.0.113.9") == "203.0.113.9"
    assert plain("2001:db8::9") == "2001:db8::9"
    assert not is_admitted(["203.0.113.0/24"], "nonsense")
    assert plain("nonsense") == "nonsense"
