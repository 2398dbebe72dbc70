"""A term that starts with the first use begins once, with any use, in any process."""

import asyncio
import json
from contextlib import AsyncExitStack
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import httpx
import pytest
from catalog.factories import bad_fields, events_of, refusal
from joserfc import jws
from joserfc.jwk import RSAKey
from licenses.factories import product_key
from sqlalchemy import text
from statements import sent_statements
from testkit import FakeClock, client_of, running
from world import Vendor, World

from licet_server.app import Application
from licet_server.kit.database import Connection
from licet_server.kit.dates import TermEnd
from licet_server.kit.passwords import Passwords
from licet_server.kit.platform import Platform
from licet_server.licenses.rules.model import License
from licet_server.licenses.storage import terms
from licet_server.licenses.storage.records import LICENSE_COLUMNS, license_of
from licet_server.licenses.tables import licenses

TERM = timedelta(days=30)


class UseVendor(Vendor):
    """A product whose applications do everything."""

    async def policy(self, model: str = "Subscription", **fields: Any) -> dict[str, Any]:
        body = {
            "productId": self.product["id"],
            "name": f"{model} {len((await self.owner.ok('GET', '/api/policies'))['items'])}",
            "type": model,
            "durationDays": TERM.days,
            "termStarts": "FirstUse",
            **fields,
        }
        return dict(await self.owner.ok("POST", "/api/policies", body))

    async def pending(
        self, model: str = "Subscription", *, given: Any = None, **fields: Any
    ) -> dict[str, Any]:
        """A license whose term has not begun."""
        policy = await self.policy(model, **fields)
        body = {"policyId": policy["id"], "issuedTo": "customer@example.com", **(given or {})}
        made = dict(await self.owner.ok("POST", "/api/licenses", body))
        assert (made["expirationDate"], made["termDays"]) == (None, TERM.days)
        return made

    async def begun_at(self, license_: dict[str, Any]) -> datetime | None:
        """When the term began, by its end; `None` if it has not begun."""
        stored = await self.read(license_)
        assert (stored["expirationDate"] is None) == (stored["termDays"] is not None)
        end = stored["expirationDate"]
        return None if end is None else datetime.fromisoformat(end) - TERM


@pytest.fixture
async def vendor(world: World) -> UseVendor:
    return UseVendor(
        world.owner, world.product, {"X-API-KEY": await product_key(world.owner, world.product)}
    )


async def begins(platform: Platform, license_: dict[str, Any]) -> list[dict[str, Any]]:
    """The recorded beginnings of the term."""
    told = await events_of(platform, license_["id"])
    return [item for item in told if "termDays" in (item["changes"] or {})][1:]


async def test_the_first_valid_verdict_begins_the_term(
    vendor: UseVendor, platform: Platform, clock: FakeClock
) -> None:
    made = await vendor.pending()
    assert made["status"] == "Active"
    clock.advance(days=400)
    await vendor.owner.sign_in()
    assert await vendor.begun_at(made) is None
    explained = await vendor.owner.ok("POST", f"/api/licenses/{made['id']}/explain", {})
    assert "begin with its first use" in json.dumps(explained)
    assert await vendor.begun_at(made) is None
    told = await vendor.validate(made, signed=True, nonce="n")
    ends = (clock() + TERM).isoformat().replace("+00:00", "Z")
    assert (told["status"], told["license"]["expirationDate"]) == ("Valid", ends)
    assert await vendor.begun_at(made) == clock()
    [begun] = await begins(platform, made)
    assert begun["kind"] == "license.updated"
    assert begun["changes"] == {"expirationDate": [None, ends], "termDays": [TERM.days, None]}
    assert begun["actor_kind"] == "ProductKey"
    clock.advance(days=29)
    assert (await vendor.validate(made))["license"]["expirationDate"] == ends
    clock.advance(days=1)
    assert (await vendor.validate(made))["status"] == "Expired"
    assert len(await begins(platform, made)) == 1


async def test_what_is_not_valid_begins_nothing(vendor: UseVendor) -> None:
    credentials = {"username": "ada", "password": "a long enough password"}
    guarded = await vendor.pending("Perpetual", given=credentials)
    assert (await vendor.validate(guarded))["status"] == "CredentialsRequired"
    assert await vendor.begun_at(guarded) is None
    bound = await vendor.pending("NodeLocked", deviceBindingMode="OwnerApproval")
    assert (await vendor.validate(bound, "machine-1"))["status"] == "PendingApproval"
    assert (await vendor.activate(bound, "machine-1")).status_code == 202
    assert await vendor.begun_at(bound) is None
    [device] = await vendor.devices(bound)
    assert (await vendor.operate(device, "approve")).is_success
    assert await vendor.begun_at(bound) is None
    assert (await vendor.activate(bound, "machine-1")).status_code == 200
    assert await vendor.begun_at(bound) is not None
    full = await vendor.pending("Concurrent", maxActiveUsersCount=1)
    assert (await vendor.validate(full, "machine-1"))["status"] == "ActivationRequired"
    assert await vendor.begun_at(full) is None
    suspended = await vendor.pending()
    await vendor.owner.ok("POST", f"/api/licenses/{suspended['id']}/suspend")
    assert (await vendor.validate(suspended))["status"] == "Suspended"
    assert await vendor.begun_at(suspended) is None


async def test_every_use_begins_the_term(vendor: UseVendor, clock: FakeClock) -> None:
    activated = await vendor.pending("Concurrent", maxActiveUsersCount=1)
    assert (await vendor.activate(activated, "machine-1")).status_code == 201
    connected = await vendor.pending("Floating", maxActiveUsersCount=1)
    await vendor.connected(connected)
    consumed = await vendor.pending("MeteredCount", initialMeterBalance=5)
    await vendor.consumed(consumed)
    refreshed = await vendor.pending(activationMode="Offline")
    assert (await vendor.refresh(refreshed)).status_code == 200
    seated = await vendor.pending("Concurrent", maxActiveUsersCount=1, activationMode="Offline")
    assert (await vendor.refresh(seated, "machine-1")).status_code == 200
    for made in (activated, connected, consumed, refreshed, seated):
        assert await vendor.begun_at(made) == clock(), made["type"]


async def test_a_file_ends_with_the_term_that_it_begins(
    vendor: UseVendor, clock: FakeClock
) -> None:
    path = f"/api/products/{vendor.product['id']}/keys/public/download"
    key = RSAKey.import_key((await vendor.owner.send("GET", path)).text)
    plain = await vendor.pending(activationMode="Offline")
    seated = await vendor.pending("Concurrent", maxActiveUsersCount=1, activationMode="Offline")
    bound = await vendor.pending("NodeLocked", activationMode="Offline")
    for made, machine in ((plain, None), (seated, "machine-1"), (bound, "machine-1")):
        answer = await vendor.file(made, machine)
        assert answer.status_code == 200, answer.text
        claims = json.loads(jws.deserialize_compact(answer.text, key, ["RS256"]).payload)
        assert datetime.fromisoformat(claims["license"]["expirationDate"]) == clock() + TERM
        assert claims["exp"] == int((clock() + TERM).timestamp())
        assert await vendor.begun_at(made) == clock()


async def test_who_may_not_change_licenses_begins_no_term_by_a_file(vendor: UseVendor) -> None:
    made = await vendor.pending(activationMode="Offline")
    body = {"name": "Reader", "scopes": ["Licenses.Read"]}
    reader = await vendor.owner.ok("POST", "/api/api-keys", body)
    headers = {"Authorization": f"Bearer {reader['secret']}"}
    path = f"/api/licenses/{made['id']}/file"
    assert (await vendor.owner.client.get(path, headers=headers)).status_code == 403
    assert await vendor.begun_at(made) is None
    await vendor.validate(made)
    assert (await vendor.owner.client.get(path, headers=headers)).status_code == 200


async def test_an_operator_may_give_an_end_before_the_first_use(
    vendor: UseVendor, platform: Platform
) -> None:
    made = await vendor.pending()
    place = f"/api/licenses/{made['id']}"
    body = {"ids": [made["id"]], "action": "extend", "days": 5}
    [refused] = (await vendor.owner.ok("POST", "/api/licenses/bulk", body))["refused"]
    assert refused["errorCode"] == "Conflict"
    assert bad_fields(await vendor.owner.send("PUT", place, {"expirationDate": None})) == [
        "expirationDate"
    ]
    end = "2031-06-01T00:00:00Z"
    changed = await vendor.owner.ok("PUT", place, {"expirationDate": end})
    assert (changed["expirationDate"], changed["termDays"]) == (end, None)
    assert (await vendor.validate(made))["license"]["expirationDate"] == end
    assert len(await begins(platform, made)) == 1


async def test_a_given_end_wins_over_a_term_from_the_first_use(vendor: UseVendor) -> None:
    policy = await vendor.policy()
    end = "2031-06-01T00:00:00Z"
    body = {"policyId": policy["id"], "issuedTo": "ada@example.com", "expirationDate": end}
    made = await vendor.owner.ok("POST", "/api/licenses", body)
    assert (made["expirationDate"], made["termDays"]) == (end, None)


async def test_a_converted_trial_keeps_no_term_of_its_own(vendor: UseVendor) -> None:
    made = await vendor.pending("Trial", graceDays=3)
    path = f"/api/licenses/{made['id']}/convert"
    converted = await vendor.owner.ok("POST", path, {"type": "Perpetual"})
    assert (converted["expirationDate"], converted["termDays"]) == (None, None)
    assert converted["graceDays"] == 0


@pytest.mark.undivided
async def test_a_license_without_a_pending_term_pays_nothing(vendor: UseVendor) -> None:
    begun, plain = await vendor.pending(), await vendor.issue("Subscription")
    with sent_statements() as first:
        await vendor.validate(begun)
    sent = {}
    for made in (begun, plain):
        await vendor.validate(made)
        with sent_statements() as taken:
            assert (await vendor.validate(made))["status"] == "Valid"
        assert not any(item.startswith(("INSERT", "UPDATE", "DELETE")) for item in taken)
        sent[made["id"]] = len(taken)
    assert sent[begun["id"]] == sent[plain["id"]] < len(first)


# --- several processes -------------------------------------------------------------------------


@pytest.fixture(scope="module")
async def processes(
    shared_application: Application, shared_clock: FakeClock, fast_passwords: Passwords
) -> Any:
    """Clients of four applications on one database, as in processes whose clocks differ."""
    settings = shared_application.platform.settings
    async with AsyncExitStack() as stack:
        clients = []
        for n in range(1, 5):
            app = await stack.enter_async_context(
                running(settings, partial(_ahead, shared_clock, n), fast_passwords)
            )
            clients.append(await stack.enter_async_context(client_of(app)))
        yield clients


def _ahead(clock: FakeClock, seconds: int) -> datetime:
    return clock() + timedelta(seconds=seconds)


async def used_at_once(
    vendor: UseVendor, processes: list[httpx.AsyncClient], made: dict[str, Any]
) -> set[str | None]:
    """Validate and activate for the first time in all processes; the ends that they tell."""
    body = {"licenseKey": made["licenseKey"], "hardwareId": "machine-1"}
    calls = [
        client.post(path, json=body, headers=vendor.key)
        for client in processes
        for path in ("/api/licenses/validate", "/api/licenses/validate", "/api/activations")
    ]
    answers = await asyncio.gather(*calls)
    assert {answer.status_code for answer in answers} <= {200, 201}
    told = [answer.json() for answer in answers if "license" in answer.json()]
    assert {item["status"] for item in told} == {"Valid"}
    return {item["license"]["expirationDate"] for item in told}


async def test_processes_that_use_a_license_first_at_once_begin_its_term_once(
    vendor: UseVendor, processes: list[httpx.AsyncClient], platform: Platform
) -> None:
    for _ in range(3):
        made = await vendor.pending()
        ends = await used_at_once(vendor, processes, made)
        assert ends == {(await vendor.read(made))["expirationDate"]}
        assert len(await begins(platform, made)) == 1


async def test_control_without_the_condition_the_term_begins_again(
    vendor: UseVendor,
    processes: list[httpx.AsyncClient],
    platform: Platform,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What was read before decides, as without the condition in the statement."""
    made = await vendor.pending()
    body = {"licenseKey": made["licenseKey"]}
    all_have_read = asyncio.Barrier(len(processes))

    async def begin_again(
        db: Connection, license_: License, end: TermEnd, now: datetime
    ) -> License | None:
        await all_have_read.wait()
        statement = "UPDATE licenses SET expiration_date = :end, term_days = NULL WHERE id = :id"
        await db.execute(text(statement), {"end": end.end, "id": license_.id})
        found = licenses.select().with_only_columns(*LICENSE_COLUMNS)
        return license_of((await db.execute(found.where(licenses.c.id == license_.id))).one())

    monkeypatch.setattr(terms, "begin_term", begin_again)
    await asyncio.gather(
        *(item.post("/api/licenses/validate", json=body, headers=vendor.key) for item in processes)
    )
    assert len(await begins(platform, made)) == len(processes)


async def test_a_term_that_becomes_longer_meanwhile_begins_as_the_longer_one(
    vendor: UseVendor, platform: Platform, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = await vendor.pending()
    begin = terms.begin_term
    lengths: list[int | None] = []

    async def prolong_first(
        db: Connection, license_: License, end: TermEnd, now: datetime
    ) -> License | None:
        lengths.append(license_.term_days)
        if len(lengths) == 1:
            async with platform.database.transaction() as other:
                statement = "UPDATE licenses SET term_days = 60 WHERE id = :id"
                await other.execute(text(statement), {"id": license_.id})
        return await begin(db, license_, end, now)

    monkeypatch.setattr(terms, "begin_term", prolong_first)
    answer = await vendor.validate(made)
    end = clock() + 2 * TERM
    assert (lengths, answer["status"]) == ([30, 60], "Valid")
    assert datetime.fromisoformat(answer["license"]["expirationDate"]) == end
    assert await vendor.begun_at(made) == end - TERM


async def test_a_revocation_that_comes_first_begins_no_term(
    vendor: UseVendor, platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = await vendor.pending()
    begin = terms.begin_term

    async def revoke_first(
        db: Connection, license_: License, end: TermEnd, now: datetime
    ) -> License | None:
        await vendor.owner.ok("POST", f"/api/licenses/{made['id']}/revoke")
        return await begin(db, license_, end, now)

    monkeypatch.setattr(terms, "begin_term", revoke_first)
    assert (await vendor.validate(made))["status"] == "Revoked"
    assert (await vendor.read(made))["termDays"] == TERM.days
    assert await begins(platform, made) == []
    assert refusal(await vendor.refresh(made)) == (400, "LicenseInvalid")
