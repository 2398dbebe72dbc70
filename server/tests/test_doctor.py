"""The doctor finds rows that no rule lets in, repairs what is safe, and leaves what is sound."""

import asyncio
import json
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from uuid import UUID

import pytest
from applications import ApplicationWith, emptied
from audit.test_evidence import log_of_instance
from connectors.factories import open_stall
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import NameOID
from leases.reserver import TOKENS, Reserver
from sqlalchemy import column, select, text, update, values
from sqlalchemy.dialects.postgresql import JSONB
from testkit import FakeClock, Owner
from world import World

from licet_server.app import Application
from licet_server.catalog.service.signing import SigningKeys
from licet_server.doctor import service
from licet_server.doctor.rules import CHECKS, CheckName, CheckState, Finding, exit_code
from licet_server.doctor.service import examine, repair
from licet_server.doctor.storage import unreadable
from licet_server.doctor.storage.rows import find_rows
from licet_server.doctor.storage.unreadable import does_not_fit, find_unreadable
from licet_server.events.service.sealing import seal_events
from licet_server.kit.backups.spool import BackupStatus
from licet_server.kit.database import SEALED, Connection, metadata
from licet_server.kit.errors import ErrorCode, Refused
from licet_server.kit.origin import CONSOLE
from licet_server.kit.platform import Platform
from licet_server.kit.stored_json import JsonOf
from licet_server.worker import dispatch_events

GIB = 1024**3
MACHINES = [f"6f1c2a9d-4b7e-4c53-9a10-0d5e8b3f7a2{digit}" for digit in range(5)]


@pytest.fixture
async def application(application_with: ApplicationWith, clock: FakeClock) -> Application:
    """The application on a database of its own, since the checks read all tenants."""
    return await emptied(await application_with("doctor"))


async def break_rows(platform: Platform, *statements: str, **given: Any) -> None:
    async with platform.database.transaction() as db:
        for statement in statements:
            used = {name: value for name, value in given.items() if f":{name}" in statement}
            assert (await db.execute(text(statement), used)).rowcount


async def found_by(platform: Platform) -> dict[CheckName, Finding]:
    findings = {item.name: item for item in await examine(platform)}
    assert findings.keys() == CHECKS.keys()
    assert [item for item in findings.values() if item.state is CheckState.UNKNOWN] == []
    # The clock of the tests is years ahead of the database's.
    assert findings.pop(CheckName.CLOCK).count == 1
    return {name: item for name, item in findings.items() if item.state is CheckState.FOUND}


@asynccontextmanager
async def undone(db: Connection) -> AsyncIterator[None]:
    """Undo what the block changes."""
    nested = await db.begin_nested()
    yield
    await nested.rollback()


BROKEN: dict[CheckName, str] = {
    CheckName.UNREADABLE_VALUES: "UPDATE licenses SET metadata = '7' WHERE id = :id",
    CheckName.IMPOSSIBLE_DATES: (
        "UPDATE licenses SET expiration_date = '-infinity' WHERE id = :subscription"
    ),
    CheckName.DEVICE_SEATS: "UPDATE device_counters SET seats_used = 5 WHERE license_id = :id",
    CheckName.BLOCKED_DEVICES: "UPDATE licenses SET blocked_devices = 3 WHERE id = :id",
    CheckName.ACCESS_ATTEMPTS: (
        "UPDATE device_counters SET unreviewed_attempts = 7 WHERE license_id = :id"
    ),
    CheckName.LICENSE_COUNTS: "UPDATE products SET license_count = 99",
    CheckName.LICENSE_TERMS: "UPDATE licenses SET expiration_date = NULL WHERE id = :subscription",
    CheckName.LICENSE_KEYS: "UPDATE licenses SET normal_key = lower(normal_key) WHERE id = :id",
    CheckName.LICENSE_CUSTOMERS: "UPDATE licenses SET customer_id = NULL WHERE id = :subscription",
    CheckName.OTHER_PRODUCTS: (
        "UPDATE activations SET product_id = institution_id WHERE license_id = :id"
    ),
    CheckName.WALLETS: "UPDATE meter_wallets SET balance = balance + 1 WHERE license_id = :metered",
    CheckName.ORPHANED_WALLETS: (
        "INSERT INTO meter_wallets (institution_id, license_id, product_id, mode, balance, version)"
        " SELECT institution_id, product_id, product_id, 'Count', 0, 0 FROM licenses LIMIT 1"
    ),
    CheckName.SIGNING_KEYS: "UPDATE rsa_keys SET retired_at = created_at",
    CheckName.SECRETS: "UPDATE webhooks SET secret = ''",
    CheckName.OWNERS: "UPDATE memberships SET role = 'Admin' WHERE institution_id = :institution",
    CheckName.FAILING_WEBHOOKS: (
        "UPDATE webhooks SET failing_since = now() - interval '100 years'"
    ),
}


async def furnished(world: World) -> dict[str, Any]:
    """Issue licenses that each check has something to look at, and return their ids."""
    await world.priced()
    device = await world.issue("NodeLocked")
    await world.activate(device, MACHINES[0])
    hook = {"url": "https://hooks.example.com/", "eventTypes": ["license.created"]}
    await world.owner.ok("POST", "/api/webhooks", hook)
    return {
        "id": device["id"],
        "subscription": (await world.issue("Subscription"))["id"],
        "metered": (await world.issue("MeteredToken", initialMeterBalance=20))["id"],
        "institution": world.owner.institution_id,
    }


NESTED = {
    "connectors.rules": ('[{"match": {"product": "a"}}]', '["a"]'),
    "saved_views.filters": ('{"status": ["Active"], "search": "a"}', '["a"]'),
    "mail_templates.translations": ('{"en": {"subject": "Hello"}}', '{"en": "Hello"}'),
    "saved_views.columns": ('["name"]', '{"a": "name"}'),
}


@pytest.mark.parametrize("place", list(NESTED))
async def test_values_within_values_are_read_by_their_shape(world: World, place: str) -> None:
    table, name = place.split(".")
    kind = metadata.tables[table].c[name].type
    assert isinstance(kind, JsonOf)
    condition = does_not_fit(column(name, JSONB), kind.shape)
    for stored, is_wrong in zip(NESTED[place], (False, True), strict=True):
        row = values(column(name, JSONB), name="stored").data([(json.loads(stored),)])
        async with world.platform.database.reading() as db:
            answer = await db.execute(select(condition).select_from(row))
        assert answer.scalar_one() is is_wrong


@pytest.mark.parametrize("name", list(BROKEN))
async def test_a_broken_row_is_found_and_repaired(
    world: World, admin: Owner, name: CheckName
) -> None:
    ids = await furnished(world)
    assert await found_by(world.platform) == {}
    await break_rows(world.platform, BROKEN[name], **ids)
    found = await found_by(world.platform)
    assert found.keys() == {name}
    assert found[name].count == len(found[name].examples) == 1
    [finding] = [item for item in await repair(world.platform, CONSOLE) if item.name is name]
    is_repaired = CHECKS[name].repairs and name is not CheckName.WALLETS
    assert finding.repaired == int(is_repaired)
    assert exit_code([finding]) == int(not is_repaired)
    assert (await found_by(world.platform)).keys() == (set() if is_repaired else {name})
    log = await log_of_instance(admin, kind="instance.repaired")
    assert [item["data"]["check"] for item in log] == [name.value] * is_repaired


@pytest.mark.parametrize(
    ("statement", "name", "place"),
    [
        (
            "UPDATE licenses SET revoked_at = 'infinity' WHERE id = :id",
            CheckName.UNREADABLE_VALUES,
            "licenses.revoked_at",
        ),
        (
            "UPDATE session_slots SET expires_at = 'infinity'",
            CheckName.UNREADABLE_VALUES,
            "session_slots.expires_at",
        ),
        (
            "UPDATE customers SET created_at = '0044-03-15 BC', updated_at = '-infinity'",
            CheckName.UNREADABLE_VALUES,
            "customers.created_at updated_at",
        ),
        (
            """UPDATE licenses SET feature_values = '{"a": {"b": []}}' WHERE id = :id""",
            CheckName.UNREADABLE_VALUES,
            "licenses.feature_values",
        ),
        (
            "UPDATE device_counters SET over_limit = 7 WHERE license_id = :id",
            CheckName.DEVICE_SEATS,
            "counts 7 devices over the limit and has 0",
        ),
        (
            "UPDATE licenses SET max_active_users_count = 1 WHERE id = :id",
            CheckName.DEVICE_LIMIT,
            "has 2 devices with a seat and 1 seats",
        ),
    ],
)
async def test_what_only_the_database_lets_in_is_found(
    world: World, statement: str, name: CheckName, place: str
) -> None:
    license_ = await world.issue("Concurrent", maxActiveUsersCount=3)
    for machine in MACHINES[:2]:
        await world.activate(license_, machine)
    await world.connected(license_, MACHINES[0])
    assert await found_by(world.platform) == {}
    await break_rows(world.platform, statement, id=license_["id"])
    found = await found_by(world.platform)
    assert found.keys() == {name}
    assert place in found[name].examples[0]


UNSTORABLE = {
    """UPDATE products SET settings = '{"heartbeat_interval_seconds": "9"}'""": "products.settings",
    """UPDATE products SET settings = '{"trial_once_per_device": null}'""": "products.settings",
    """UPDATE products SET settings = '{"app_device_release": "Odd"}'""": "products.settings",
    """UPDATE products SET settings = '{"session_timeout_seconds": -1}'""": "products.settings",
    """UPDATE products SET settings = '{"default_channel": " "}'""": "products.settings",
    "UPDATE licenses SET issued_to = 'Jane <jane@example.com>'": "licenses.issued_to",
    "UPDATE licenses SET issued_to = 'jane@exam ple.com'": "licenses.issued_to",
    "UPDATE licenses SET issued_to = '0192fa'": "licenses.issued_to",
    "UPDATE customers SET email = 'jane ' || id": "customers.email",
    "UPDATE licenses SET fallback = 'Odd'": "licenses.fallback",
    "UPDATE licenses SET password_hash = 'plain'": "licenses.password_hash",
    "UPDATE institutions SET time_zone = 'Mars/Olympus'": "institutions.time_zone",
    """UPDATE institutions SET ip_allow_list = '["anywhere"]'""": "institutions.ip_allow_list",
}


async def test_values_that_no_route_would_store_are_found(world: World) -> None:
    await world.issue("Subscription")
    holder = await world.issue("Subscription", issuedTo=str(world.owner.user_id))
    sound = ("issued_to = 'Jane_D+1@xn--bcher-kva.example'", "issued_to = 'jörg@example.com'")
    for statement in UNSTORABLE | {f"UPDATE licenses SET {item}": "" for item in sound}:
        async with world.platform.database.transaction() as db, undone(db):
            await db.execute(text(f"{statement} WHERE id <> '{holder['id']}'"))
            found = [*(await find_unreadable(db, 5))[1], *await unreadable.find_misfits(db)]
        places = {item.split(" of ")[0] for item in found}
        assert places == set(filter(None, [UNSTORABLE.get(statement)])), statement


async def test_settings_are_repaired_as_they_are_read(world: World) -> None:
    stored = """{"device_releases_per_year": "7", "device_idle_days": 30, "later": 1}"""
    await break_rows(world.platform, f"UPDATE products SET settings = '{stored}'")
    shown = (await world.owner.ok("GET", f"/api/products/{world.product['id']}"))["settings"]
    await repair(world.platform, CONSOLE)
    assert await found_by(world.platform) == {}
    again = (await world.owner.ok("GET", f"/api/products/{world.product['id']}"))["settings"]
    assert again == shown
    assert (again["deviceReleasesPerYear"], again["deviceIdleDays"]) == (3, 30)


TERMS = {
    "max_active_users_count = NULL": ("Floating", "no number of seats"),
    "max_active_users_count = 2": ("NodeLocked", "seats that its model does not have"),
    "device_binding_mode = NULL": ("NodeLocked", "no device binding mode"),
    "device_binding_mode = 'AutoBind'": ("Floating", "a device binding mode that its model"),
    "activation_mode = 'Offline'": ("Floating", "an offline mode"),
    "issued_to = NULL": ("NodeLocked", "nobody that it is issued to"),
    "closed_at = now()": ("MeteredCount", "a closed wallet"),
    "username = 'jane'": ("NodeLocked", "a user name or a password alone"),
}


async def test_terms_that_a_model_does_not_have_are_found(world: World) -> None:
    made = {kind: await world.issue(kind) for kind in ("Floating", "NodeLocked", "MeteredCount")}
    for change, (kind, note) in TERMS.items():
        async with world.platform.database.transaction() as db, undone(db):
            place = "licenses" if kind != "MeteredCount" else "meter_wallets"
            key = "id" if place == "licenses" else "license_id"
            await db.execute(
                text(f"UPDATE {place} SET {change} WHERE {key} = '{made[kind]['id']}'")
            )
            name, now = CheckName.LICENSE_TERMS, world.clock()
            [found] = (await find_rows(db, name, now, timedelta(days=7), 5)).rows
        assert found.note.startswith(f"license {made[kind]['id']} has {note}")


KEYS = {
    "license_key = 'AAAAA-BBBBB-CCCCC-DDDDD-EEEEE', normal_key = 'AAAAABBBBBCCCCCDDDDDEEEEE'": True,
    "license_key = lower(normal_key), normal_key = lower(normal_key)": True,
    "normal_key = license_key": True,
    "license_key = lower(license_key)": False,
    "license_key = 'Our-1234-key', normal_key = 'Our-1234-key'": False,
    "license_key = 'Our-1234-key', normal_key = 'OUR1234KEY'": True,
    "license_key = '\"Our-1234-key\"', normal_key = '\"Our-1234-key\"'": True,
    "license_key = 'Our\u20131234\u2013key', normal_key = 'Our-1234-key'": False,
    "license_key = 'short', normal_key = 'short'": True,
}


async def test_licenses_that_are_not_found_by_their_key_are_found(world: World) -> None:
    license_ = await world.issue()
    for change, is_wrong in KEYS.items():
        async with world.platform.database.transaction() as db, undone(db):
            await db.execute(text(f"UPDATE licenses SET {change}"))
            found = await unreadable.find_unfindable(db)
            await (unreadable.repair_key(db, found[0]) if found else db.scalar(text("SELECT 1")))
            left = await unreadable.find_unfindable(db)
        assert [str(item.id) for item in found] == [license_["id"]] * is_wrong, change
        assert left == (found if "short" in change else [])


async def test_a_key_that_another_license_has_is_left(world: World) -> None:
    first, second = await world.issue(), await world.issue()
    twin = "UPDATE licenses SET license_key = :key WHERE id = :id"
    await break_rows(world.platform, twin, key=first["licenseKey"], id=second["id"])
    name = CheckName.LICENSE_KEYS
    [finding] = [item for item in await repair(world.platform, CONSOLE) if item.name is name]
    assert (finding.count, finding.repaired) == (1, 0)


async def test_pages_show_the_rest_where_no_master_key_opens_a_secret(world: World) -> None:
    """As after a lost master key."""
    institution = f"/api/institutions/{world.owner.institution_id}"
    body = {"email": "new@example.com", "role": "Viewer"}
    await world.owner.ok("POST", f"{institution}/invitations", body)
    columns = [item for table in metadata.sorted_tables for item in table.columns]
    async with world.platform.database.transaction() as db:
        for item in (found for found in columns if found.info == SEALED):
            await db.execute(update(item.table).where(item.is_not(None)).values({item.key: b"\1"}))
    product = f"/api/products/{world.product['id']}"
    keys = await world.owner.ok("GET", f"{product}/credentials")
    assert [item["apiKey"] for item in keys["keys"]] == ["unreadable"]
    [invited] = (await world.owner.ok("GET", f"{institution}/invitations"))["items"]
    assert invited["acceptUrl"] is None
    restarted = SigningKeys(world.platform.keyring)
    product_of = (UUID(world.owner.institution_id), UUID(world.product["id"]))
    async with world.platform.database.keyed() as db:
        with pytest.raises(Refused) as refused:
            await restarted.fetch(db, *product_of)
    assert refused.value.code is ErrorCode.KEYS_NOT_GENERATED
    found = await found_by(world.platform)
    assert found[CheckName.SECRETS].count >= 3
    await world.owner.ok("POST", f"{product}/credentials/rotate", {})


async def test_more_live_sessions_than_seats_are_found(world: World) -> None:
    license_ = await world.issue("Floating", maxActiveUsersCount=2)
    world.clock.advance(minutes=1)
    for machine in MACHINES[:2]:
        await world.connected(license_, machine)
    assert await found_by(world.platform) == {}
    lowered = "UPDATE licenses SET max_active_users_count = 1 WHERE id = :id"
    await break_rows(world.platform, lowered, id=license_["id"])
    found = await found_by(world.platform)
    assert found.keys() == {CheckName.SESSION_SEATS}
    [example] = found[CheckName.SESSION_SEATS].examples
    assert example == f"license {license_['id']} has 2 live sessions and 1 seats"
    world.clock.advance(minutes=1)
    await world.set_cap(license_, 1)
    assert await found_by(world.platform) == {}, "an operator may lower the cap"


async def test_credits_that_a_wallet_holds_for_no_device_are_found(world: World) -> None:
    license_ = await world.issue("MeteredCount", **TOKENS)
    await Reserver.of(world).reserved(license_, 100)
    assert await found_by(world.platform) == {}
    await break_rows(
        world.platform, "UPDATE leases SET spent = 1 WHERE license_id = :id", id=license_["id"]
    )
    [finding] = (await found_by(world.platform)).values()
    assert (finding.name, finding.count) == (CheckName.WALLETS, 1)
    assert list(finding.examples) == [f"license {license_['id']}: holds 100 and has reserved 99"]


async def test_an_order_without_its_license_is_found(
    owner: Owner, platform: Platform, clock: FakeClock
) -> None:
    stall = await open_stall(owner, platform, clock)
    shop = stall.shop()
    shop.buy()
    order = await stall.sell(shop)
    assert await found_by(platform) == {}
    lost = "DELETE FROM licenses WHERE id = :id"
    counted = "UPDATE products SET license_count = 0 WHERE license_count > 0"
    await break_rows(platform, lost, counted, id=order["licenseIds"][0])
    found = await found_by(platform)
    assert found.keys() == {CheckName.MISSING_LICENSES}
    [example] = found[CheckName.MISSING_LICENSES].examples
    assert example == f"order {order['id']} names license {order['licenseIds'][0]}"


async def test_a_changed_entry_of_the_audit_log_is_found(world: World) -> None:
    license_ = await world.issue()
    await seal_events(world.platform)
    assert await found_by(world.platform) == {}
    changed = "UPDATE events SET data = '{}' WHERE subject_id = :id AND kind = 'license.created'"
    await break_rows(world.platform, changed, id=license_["id"])
    found = await found_by(world.platform)
    assert found.keys() == {CheckName.AUDIT_LOG}
    [example] = found[CheckName.AUDIT_LOG].examples
    assert example.startswith(f"institution {world.owner.institution_id}: ")


async def test_work_that_waits_for_more_than_an_hour_is_found(world: World) -> None:
    await world.issue()
    world.clock.advance(minutes=59)
    assert await found_by(world.platform) == {}
    world.clock.advance(minutes=2)
    found = await found_by(world.platform)
    assert found.keys() == {CheckName.BACKLOGS}
    assert any(item.startswith("events: ") for item in found[CheckName.BACKLOGS].examples)
    await dispatch_events(world.platform)
    await seal_events(world.platform)
    assert await found_by(world.platform) == {}


@pytest.mark.parametrize(
    ("free", "total", "is_full"),
    [
        (2 * GIB, 100 * GIB, False),
        (GIB - 1, 100 * GIB, True),
        (GIB // 2, 4 * GIB, False),
        (GIB // 4, 4 * GIB, True),
    ],
)
async def test_a_disk_that_is_almost_full_is_found(
    world: World, monkeypatch: pytest.MonkeyPatch, free: int, total: int, is_full: bool
) -> None:
    usage = SimpleNamespace(free=free, total=total)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
    found = await found_by(world.platform)
    assert found.keys() == ({CheckName.DISK} if is_full else set())


@pytest.mark.parametrize(
    ("waiting", "base_age", "examples"),
    [
        (3599, timedelta(days=2), []),
        (7200, timedelta(days=2), ["changes: waiting for 2 hours"]),
        (0, timedelta(days=4), ["base backup: 4 days old"]),
    ],
)
async def test_backups_that_are_behind_are_found(
    world: World,
    monkeypatch: pytest.MonkeyPatch,
    waiting: float,
    base_age: timedelta,
    examples: list[str],
) -> None:
    status = BackupStatus(waiting, 0, base_age.total_seconds())
    monkeypatch.setattr(service, "measure_backups", lambda *_: status)
    found = await found_by(world.platform)
    assert [item for finding in found.values() for item in finding.examples] == examples
    assert found.keys() == ({CheckName.BACKUPS} if examples else set())


@pytest.mark.parametrize(("days", "is_found"), [(31, False), (29, True), (-1, True)])
async def test_a_certificate_that_expires_is_found(
    world: World, tmp_path: Path, days: int, is_found: bool
) -> None:
    path = tmp_path / "root.pem"
    end = world.clock() + timedelta(days=days)
    path.write_bytes(certificate(end))
    platform = with_certificate(world.platform, path)
    found = await found_by(platform)
    assert found.keys() == ({CheckName.CERTIFICATES} if is_found else set())
    if is_found:
        [example] = found[CheckName.CERTIFICATES].examples
        assert example == f"sslrootcert {path}: expires {end:%Y-%m-%d}"


@pytest.mark.parametrize("content", [None, b"", b"no certificate"])
async def test_a_certificate_that_cannot_be_read_is_unknown(
    world: World, tmp_path: Path, content: bytes | None
) -> None:
    path = tmp_path / "root.pem"
    if content is not None:
        path.write_bytes(content)
    findings = await examine(with_certificate(world.platform, path))
    assert [item.name for item in findings if item.state is CheckState.UNKNOWN] == [
        CheckName.CERTIFICATES
    ]


def with_certificate(platform: Platform, path: Path) -> Platform:
    url = f"postgresql://db.example.com/licet?sslrootcert={path}"
    return replace(platform, settings=replace(platform.settings, database_url=url))


def certificate(end: datetime) -> bytes:
    """A certificate in PEM form that is valid until then."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "db.example.com")])
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(end - timedelta(days=90))
        .not_valid_after(end)
        .sign(key, hashes.SHA256())
    )
    return made.public_bytes(Encoding.PEM)


async def test_a_lost_wallet_is_rebuilt(world: World) -> None:
    ids = await furnished(world)
    await break_rows(world.platform, "DELETE FROM meter_wallets WHERE license_id = :metered", **ids)
    [finding] = [item for item in await repair(world.platform, CONSOLE) if item.repaired]
    assert (finding.name, finding.repaired) == (CheckName.WALLETS, 1)
    assert await found_by(world.platform) == {}


@pytest.mark.parametrize(
    ("column", "stored", "shown"),
    [
        ("metadata", '{"a": {"b": 1}, "c": "d"}', {"a": '{"b":1}', "c": "d"}),
        ("metadata", "[1]", {}),
        ("feature_values", '{"seats": [1], "export": true}', {"export": True}),
    ],
)
async def test_what_is_repaired_is_stored_as_it_was_shown(
    world: World, column: str, stored: str, shown: object
) -> None:
    license_ = await world.issue()
    statement = f"UPDATE licenses SET {column} = '{stored}'"
    await break_rows(world.platform, statement)
    field = {"feature_values": "featureValues"}.get(column, column)
    assert (await world.read(license_))[field] == shown
    if column == "metadata":
        await repair(world.platform, CONSOLE)
        assert await found_by(world.platform) == {}
    assert (await world.read(license_))[field] == shown


async def test_seats_are_counted_exactly_while_devices_come_and_go(world: World) -> None:
    license_ = await world.issue("Trial", maxActiveUsersCount=None)
    await world.activate(license_, MACHINES[0])
    broken = "UPDATE device_counters SET seats_used = 70 WHERE license_id = :id"
    for _ in range(3):
        await break_rows(world.platform, broken, id=license_["id"])
        await asyncio.gather(
            repair(world.platform, CONSOLE),
            *(world.activate(license_, machine) for machine in MACHINES),
            repair(world.platform, CONSOLE),
            *(world.deactivate(license_, machine) for machine in MACHINES),
        )
        assert await found_by(world.platform) == {}


async def test_system_admins_look_and_repair(world: World, admin: Owner) -> None:
    await world.issue()
    await break_rows(world.platform, "UPDATE products SET license_count = 99")
    for method, path in (("GET", "/api/doctor"), ("POST", "/api/doctor/repair")):
        assert (await world.owner.send(method, path)).status_code == 403
    for method, path, repaired in (
        ("GET", "/api/doctor", 0),
        ("POST", "/api/doctor/repair", 1),
    ):
        shown = {item["name"]: item for item in (await admin.ok(method, path))["findings"]}
        assert (shown["LicenseCounts"]["count"], shown["LicenseCounts"]["repaired"]) == (
            1,
            repaired,
        )
    shown = {item["name"]: item for item in (await admin.ok("GET", "/api/doctor"))["findings"]}
    assert shown["LicenseCounts"]["state"] == "Sound"


async def test_a_check_that_cannot_look_does_not_stop_the_others(world: World) -> None:
    missing = replace(world.platform.settings, data_dir=Path("/nowhere/at/all"))
    findings = await examine(replace(world.platform, settings=missing))
    assert [item.name for item in findings if item.state is CheckState.UNKNOWN] == [CheckName.DISK]
    assert exit_code(findings) == 2
