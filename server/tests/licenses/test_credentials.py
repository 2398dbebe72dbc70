"""A license with a user name and a password: every runtime route asks for them first."""

from collections.abc import Callable, Coroutine
from typing import Any
from uuid import UUID

import httpx
import pytest
from catalog.factories import bad_fields, refusal
from devices.books import state_of
from patience import until
from testkit import FakeClock, FastPasswords
from walls.table import closed_routes
from world import Vendor, World

from licet_server.app import Application
from licet_server.catalog.access import ProductKey

RIGHT = {"username": "jö", "password": "s3cret pass"}
Ask = Callable[..., Coroutine[Any, Any, httpx.Response]]


@pytest.fixture
async def guarded(world: World) -> dict[str, Any]:
    return await world.issue("Perpetual", **RIGHT)


def header(fields: dict[str, Any]) -> dict[str, bytes]:
    names = {"username": "X-License-Username", "password": "X-License-Password"}
    return {names[name]: str(value).encode() for name, value in fields.items()}


NO_ID = str(UUID(int=0))


def ways(vendor: Vendor, license_: dict[str, Any]) -> dict[str, Ask]:
    """Every runtime route that names the license, asked with these credentials."""
    key = license_["licenseKey"]
    event = {"name": "file.exported", "occurredAt": FakeClock.START.isoformat()}
    bodies: dict[str, tuple[str, str, dict[str, Any]]] = {
        "activate": ("POST", "/api/activations", {}),
        "deactivate": ("DELETE", "/api/activations/current", {}),
        "connect": ("POST", "/api/sessions/connect", {}),
        "refresh": ("POST", "/api/licenses/refresh", {}),
        "consume": ("POST", "/api/meter/consume", {"featureName": "export"}),
        "telemetry": ("POST", "/api/telemetry", {"events": [event]}),
        "release": ("POST", f"/api/activations/{NO_ID}/release", {}),
        "borrow": ("POST", "/api/leases", {"days": 1, "idempotencyKey": "a-key"}),
    }
    queries = {
        "balance": ("GET", "/api/meter/balance"),
        "devices": ("GET", "/api/activations"),
        "update": ("GET", "/api/updates/latest"),
        "deactivate by query": ("DELETE", "/api/activations/current"),
    }

    def by_body(method: str, path: str, more: dict[str, Any]) -> Ask:
        async def ask(machine: str = "machine-1", **given: Any) -> httpx.Response:
            body = {"licenseKey": key, "hardwareId": machine, **more, **given}
            return await vendor.call(method, path, body)

        return ask

    def by_query(method: str, path: str) -> Ask:
        async def ask(machine: str = "machine-1", **given: Any) -> httpx.Response:
            query = {"licenseKey": key, "hardwareId": machine}
            headers = {name: value.encode() for name, value in vendor.key.items()} | header(given)
            sent = [(name.encode(), value) for name, value in headers.items()]
            return await vendor.owner.client.request(method, path, params=query, headers=sent)

        return ask

    asked = {name: by_body(*given) for name, given in bodies.items()}
    return asked | {name: by_query(*given) for name, given in queries.items()}


@pytest.mark.specification("mission-7")
async def test_nothing_is_told_before_the_credentials_fit(
    world: World, guarded: dict[str, Any]
) -> None:
    """The answers are the same for a device that is known, blocked or new."""
    blocked = (await world.activate(guarded, "machine-1", **RIGHT)).json()["activationId"]
    await world.operate(blocked, "block")
    await world.activate(guarded, "machine-2", **RIGHT)
    before = await state_of(world.platform, guarded)
    for name, ask in ways(world, guarded).items():
        world.clock.advance(minutes=1)
        in_headers = name in {"balance", "devices", "update", "deactivate by query"}
        fields = ["X-License-Username", "X-License-Password"]
        fields = fields if in_headers else ["username", "password"]
        for machine in ("machine-1", "machine-2", "machine-3"):
            assert bad_fields(await ask(machine)) == fields, name
            assert bad_fields(await ask(machine, username=RIGHT["username"])) == fields[1:], name
            for wrong in ({"password": "x"}, {"username": "JÖ"}):
                told = await ask(machine, **(RIGHT | wrong))
                assert refusal(told) == (401, "InvalidCredentials"), name
    assert await state_of(world.platform, guarded) == before


async def test_with_the_credentials_everything_works(world: World, guarded: dict[str, Any]) -> None:
    expected = {
        "activate": 201,
        "connect": 201,
        "refresh": 200,
        "consume": 400,
        "telemetry": 202,
        "balance": 400,
        "update": 200,
        "deactivate": 204,
    }
    asked = ways(world, guarded)
    for name, status in expected.items():
        answer = await asked[name](**RIGHT)
        assert answer.status_code == status, name
        if status == 400:
            assert refusal(answer) == (400, "NotMeteredLicense")
    await asked["activate"](**RIGHT)
    assert (await asked["deactivate by query"](**RIGHT)).status_code == 204


@pytest.mark.specification("mission-7")
async def test_a_revoked_license_tells_it_only_with_the_credentials(
    world: World, guarded: dict[str, Any]
) -> None:
    await world.owner.ok("POST", f"/api/licenses/{guarded['id']}/revoke")
    told = await world.validate(guarded)
    assert (told["status"], told["license"], told["seat"]) == ("CredentialsRequired", None, None)
    assert (await world.validate(guarded, **RIGHT))["status"] == "Revoked"


async def test_credentials_fit_in_every_form_of_unicode(
    world: World, guarded: dict[str, Any]
) -> None:
    typed = {"username": " \ufeffjo\u0308\ufeff", "password": "s3cret\u00a0pass"}
    assert (await world.validate(guarded, **typed))["status"] != "CredentialsInvalid"


async def test_wrong_credentials_are_limited_for_a_license_and_an_address(
    world: World, guarded: dict[str, Any]
) -> None:
    for n in range(10):
        answer = await world.activate(guarded, f"machine-{n}", **(RIGHT | {"password": "x"}))
        assert refusal(answer) == (401, "InvalidCredentials")
    refused = await world.activate(guarded, "machine-1", **RIGHT)
    assert refusal(refused) == (429, "RateLimited")
    assert int(refused.headers["Retry-After"]) <= 60
    body = {"licenseKey": guarded["licenseKey"], **RIGHT}
    assert (await world.call("POST", "/api/licenses/validate", body)).status_code == 429
    assert bad_fields(await world.activate(guarded, "machine-1")) == ["username", "password"]
    world.clock.advance(minutes=1)
    for n in range(12):  # correct ones count for nothing
        answer = await world.activate(guarded, f"machine-{n}", **RIGHT)
        assert answer.status_code == 201
    for bad in (7, "", "x" * 300, "\0"):
        answer = await world.activate(guarded, "machine-1", username=bad, password="x")
        assert answer.status_code in {400, 401}


async def test_a_header_that_is_not_utf_8_is_a_bad_field(
    world: World, guarded: dict[str, Any]
) -> None:
    headers = [(b"X-API-KEY", world.key["X-API-KEY"].encode()), (b"X-License-Username", b"\xff")]
    query = {"licenseKey": guarded["licenseKey"]}
    answer = await world.owner.client.get("/api/updates/latest", params=query, headers=headers)
    assert bad_fields(answer) == ["X-License-Username"]


@pytest.mark.specification("mission-7")
async def test_every_runtime_route_that_names_a_license_is_asked_here(
    world: World, guarded: dict[str, Any], application: Application
) -> None:
    """Those that name a session or a lease ask for nothing: it began with the credentials."""
    asked = {(await ask()).request.url.path for ask in ways(world, guarded).values()}
    of_sessions = {"/api/sessions/heartbeat", "/api/sessions/disconnect"}
    of_leases = {f"/api/leases/{{lease_id}}/{act}" for act in ("renew", "report", "return")}
    runtime = {
        route.template.replace("{activation_id}", NO_ID)
        for route in closed_routes(application)
        if isinstance(route.access, ProductKey)
    }
    with_verdicts = {"/api/licenses/validate", "/api/licenses/validate-many"}
    flags = {"/ofrep/v1/evaluate/flags", "/ofrep/v1/evaluate/flags/{key}"}
    by_another_key = {"/api/activations/enroll"}
    assert runtime == asked | of_sessions | of_leases | with_verdicts | flags | by_another_key


async def test_no_connection_is_open_while_a_password_is_hashed(
    world: World, fast_passwords: FastPasswords, monkeypatch: pytest.MonkeyPatch
) -> None:
    hash_, pools = fast_passwords.hash, world.platform.database.pools

    async def look(password: str) -> str:
        # The background returns what it has in a moment; the request would, once this has ended.
        await until(lambda: not any(pool.in_use for pool in pools().values()))
        return await hash_(password)

    monkeypatch.setattr(fast_passwords, "hash", look)
    before = fast_passwords.runs
    made = await world.issue("Perpetual", **RIGHT)
    await world.owner.ok("PUT", f"/api/licenses/{made['id']}", {"password": "another"})
    several = {"productId": world.product["id"], "type": "Perpetual", "licenseName": "Site"}
    await world.owner.ok("POST", "/api/licenses/batch", {**several, **RIGHT, "count": 3})
    assert fast_passwords.runs == before + 3
