"""One Trial for each device, where the product says so; the first one, whatever became of it."""

import asyncio
from typing import Any
from uuid import UUID

import pytest
from catalog.factories import bad_fields, refusal
from sqlalchemy import func, select
from sqlalchemy.dialects.postgresql import insert
from world import World

from licet_server.devices.rules.admission import MIN_NEW_ROWS_PER_DAY
from licet_server.devices.service import admission
from licet_server.devices.service.admission import begin_trial
from licet_server.devices.tables import trial_devices
from licet_server.kit.database import Connection
from licet_server.kit.origin import Origin
from licet_server.licenses.rules.model import License
from licet_server.licenses.service.reading import find_by_keys

TRIAL_ALREADY_USED = (403, "TrialAlreadyUsed")


async def set_up(world: World, **settings: Any) -> None:
    path = f"/api/products/{world.product['id']}"
    await world.owner.ok("PUT", path, {"settings": settings})


@pytest.fixture
async def once(world: World) -> World:
    await set_up(world, trialOncePerDevice=True)
    return world


async def test_another_trial_is_refused_on_the_device_and_the_first_works_on(once: World) -> None:
    first, second = await once.issue("Trial"), await once.issue("Trial")
    for _ in range(2):
        assert (await once.validate(first, "machine-1"))["valid"]
        told = await once.validate(second, "machine-1")
        assert (told["valid"], told["status"]) == (False, "TrialAlreadyUsed")
        assert "another trial" in told["message"]
    assert refusal(await once.activate(second, "machine-1")) == TRIAL_ALREADY_USED
    assert refusal(await once.connect(second, "machine-1")) == TRIAL_ALREADY_USED
    assert refusal(await once.refresh(second, "machine-1")) == TRIAL_ALREADY_USED
    assert (await once.activate(first, "machine-1")).status_code == 201
    assert (await once.activate(first, "machine-1")).status_code == 200
    assert (await once.validate(second, "machine-2"))["valid"]
    assert (await once.validate(await once.issue("Perpetual"), "machine-1"))["valid"]
    explained = await once.owner.ok(
        "POST", f"/api/licenses/{second['id']}/explain", {"hardwareId": "machine-1"}
    )
    assert explained["status"] == "TrialAlreadyUsed"


async def test_a_trial_must_name_its_device(once: World) -> None:
    trial = await once.issue("Trial")
    assert (await once.validate(trial))["status"] == "HardwareIdRequired"
    assert bad_fields(await once.refresh(trial)) == ["hardwareId"]


@pytest.mark.parametrize("end", ["delete", "revoke", "expire", "convert", "deactivate"])
async def test_a_trial_counts_whatever_became_of_it(once: World, end: str) -> None:
    first = await once.issue("Trial")
    second = await once.issue("Trial", expirationDate="2040-01-01T00:00:00Z")
    assert (await once.activate(first, "machine-1")).status_code == 201
    place = f"/api/licenses/{first['id']}"
    match end:
        case "delete":
            assert (await once.owner.send("DELETE", place)).status_code == 204
        case "revoke":
            await once.owner.ok("POST", f"{place}/revoke")
        case "expire":
            once.clock.advance(days=400)
        case "convert":
            await once.owner.ok("POST", f"{place}/convert", {"type": "Perpetual"})
            assert (await once.validate(first, "machine-1"))["valid"]
        case _:
            await once.deactivate(first, "machine-1")
    assert refusal(await once.activate(second, "machine-1")) == TRIAL_ALREADY_USED


async def test_devices_from_before_the_setting_have_had_their_oldest_trial(world: World) -> None:
    first, second = await world.issue("Trial"), await world.issue("Trial")
    for trial in (first, second):
        assert (await world.activate(trial, "machine-1")).status_code == 201
    await set_up(world, trialOncePerDevice=True)
    assert (await world.validate(second, "machine-1"))["status"] == "TrialAlreadyUsed"
    assert refusal(await world.activate(second, "machine-1")) == TRIAL_ALREADY_USED
    assert (await world.validate(first, "machine-1"))["valid"]


async def test_nothing_is_stored_without_the_setting(world: World) -> None:
    trial = await world.issue("Trial")
    await world.activate(trial, "machine-1")
    await world.validate(trial, "machine-2")
    assert await stored(world) == 0
    assert (await world.validate(await world.issue("Trial"), "machine-1"))["valid"]


async def stored(world: World) -> int:
    statement = select(func.count()).where(trial_devices.c.product_id == world.product["id"])
    async with world.platform.database.reading() as db:
        return int((await db.execute(statement)).scalar_one())


async def race(world: World) -> set[UUID]:
    """Begin many trials on one device at once. Returns those that are taken for its first."""
    made = [await world.issue("Trial") for _ in range(8)]
    institution, product = UUID(world.owner.institution_id), UUID(world.product["id"])
    keys = [(institution, product, item["licenseKey"].replace("-", "")) for item in made]
    async with world.platform.database.reading() as db:
        found = await find_by_keys(db, keys, world.clock())

    async def begin(license_: License) -> UUID:
        async with world.platform.unit_of_work(Origin()) as work:
            return await begin_trial(work, license_, "machine-1")

    return set(await asyncio.gather(*(begin(found[key]) for key in keys)))


async def test_of_trials_that_begin_at_once_one_is_the_first(once: World) -> None:
    assert len(await race(once)) == 1
    made = [await once.issue("Trial") for _ in range(8)]
    told = await asyncio.gather(*(once.validate(item, "machine-2") for item in made * 2))
    valid = {item["license"]["id"] for item in told if item["valid"]}
    assert len(valid) == 1
    assert sum(item["valid"] for item in told) == 2
    assert await stored(once) == 2


async def test_control_without_the_key_several_trials_begin(
    once: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def overwrite(db: Connection, key: Any, license_id: UUID, now: Any) -> None:
        values = dict(zip(("institution_id", "product_id", "hardware_id"), key, strict=True))
        statement = insert(trial_devices).values(**values, license_id=license_id, first_used_at=now)
        await db.execute(
            statement.on_conflict_do_update(
                index_elements=list(values), set_={"license_id": license_id}
            )
        )

    monkeypatch.setattr(admission, "insert_first_trial", overwrite)
    assert len(await race(once)) > 1


async def test_the_first_devices_of_a_trial_are_limited_a_day(
    once: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    trial = await once.issue("Trial")

    async def many(*_: Any) -> int:
        return MIN_NEW_ROWS_PER_DAY

    assert (await once.validate(trial, "machine-1"))["valid"]
    monkeypatch.setattr(admission, "count_trial_devices", many)
    body = {"licenseKey": trial["licenseKey"], "hardwareId": "machine-2"}
    answer = await once.call("POST", "/api/licenses/validate", body)
    assert refusal(answer) == (429, "RateLimited")
    assert (await once.validate(trial, "machine-1"))["valid"]
