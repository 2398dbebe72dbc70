"""Races over devices with real commits: in any order, the counters match the rows afterwards."""

import asyncio
from collections import Counter
from collections.abc import Callable, Coroutine
from typing import Any
from uuid import UUID

import pytest
from devices.books import assert_counters_match, counters_of, operator_of, waits_for_a_lock
from devices.proving import Prover
from world import World

from licet_server.devices.service import admission, recognition
from licet_server.devices.service import operators as service
from licet_server.devices.storage import activations
from licet_server.kit.origin import Origin
from licet_server.sessions.service.ending import SessionDeviceHooks


@pytest.mark.specification("models.concurrent")
async def test_sixty_concurrent_devices_fill_seven_seats(world: World) -> None:
    license_ = await world.issue("Concurrent", maxActiveUsersCount=7)
    answers = await asyncio.gather(*(world.activate(license_, f"machine-{n}") for n in range(60)))
    assert Counter(answer.status_code for answer in answers) == {201: 7, 409: 53}
    seen = sorted(answer.json()["seatsUsed"] for answer in answers if answer.status_code == 201)
    assert seen == list(range(1, 8))
    assert len(await world.devices(license_, pageSize="100")) == 7
    await assert_counters_match(world.platform, license_)


async def test_sixty_devices_while_the_cap_changes(world: World) -> None:
    """No device is admitted beyond the highest cap, and none is removed."""
    license_ = await world.issue("Concurrent", maxActiveUsersCount=5)
    place = f"/api/licenses/{license_['id']}"

    async def move(cap: int) -> int:
        changed = await world.owner.ok("PUT", place, {"maxActiveUsersCount": cap})
        return int(changed["seatsUsed"])

    calls: list[Coroutine[Any, Any, Any]] = []
    for n in range(60):
        calls.append(world.activate(license_, f"machine-{n}"))
        if n % 10 == 9:
            calls.append(move(3 if n % 20 == 9 else 7))
    results = await asyncio.gather(*calls)
    used = [result for result in results if isinstance(result, int)]
    codes = Counter(item.status_code for item in results if not isinstance(item, int))
    assert set(codes) == {201, 409}
    assert 3 <= codes[201] <= 7
    assert max(used) <= codes[201]
    for result in results:
        if not isinstance(result, int) and result.status_code == 201:
            assert result.json()["seatsUsed"] <= result.json()["seatsTotal"]
    await move(7)
    late = [(await world.activate(license_, f"late-{n}")).status_code for n in range(8)]
    assert late.count(201) == 7 - codes[201]
    assert (await counters_of(world.platform, license_))["seats_used"] == 7
    await assert_counters_match(world.platform, license_)


@pytest.mark.parametrize("model", ["Concurrent", "Perpetual", "NodeLocked"])
async def test_one_device_activates_concurrently(world: World, model: str) -> None:
    license_ = await world.issue(model)
    calls = [
        world.validate(license_, "machine-1")
        if n % 3 == 2
        else world.activate(license_, "machine-1")
        for n in range(30)
    ]
    results = await asyncio.gather(*calls)
    codes = Counter(item.status_code for item in results if not isinstance(item, dict))
    assert codes[201] <= 1
    assert codes[200] + codes[201] == 20
    verdicts = {item["status"] for item in results if isinstance(item, dict)}
    assert verdicts <= {"Valid", "ActivationRequired"}
    assert verdicts == {"Valid"} or model == "Concurrent"
    assert len(await world.devices(license_)) == 1
    stored = await counters_of(world.platform, license_)
    assert (stored["seats_used"], stored["new_rows"]) == (1, 1)
    await assert_counters_match(world.platform, license_)


async def test_two_approvals_at_once(world: World) -> None:
    for _ in range(4):
        license_ = await world.issue("NodeLocked", deviceBindingMode="OwnerApproval")
        for n in range(2):
            await world.activate(license_, f"machine-{n}")
        answers = await asyncio.gather(
            *(world.operate(item, "approve") for item in await world.devices(license_)),
            *(world.validate(license_, f"machine-{n % 3}") for n in range(6)),
        )
        assert sorted(answer.status_code for answer in answers[:2]) == [200, 409]  # type: ignore[attr-defined]
        statuses = sorted(item["status"] for item in await world.devices(license_))
        assert statuses in (["Active", "Pending"], ["Active", "Pending", "Pending"])
        await assert_counters_match(world.platform, license_)


@pytest.mark.specification("runtime.activate")
async def test_deactivation_races_activation(world: World) -> None:
    license_ = await world.issue("Concurrent", maxActiveUsersCount=2)
    machines = [f"machine-{n % 5}" for n in range(60)]
    answers = await asyncio.gather(
        *(
            (world.deactivate if n % 2 else world.activate)(license_, machine)
            for n, machine in enumerate(machines)
        )
    )
    assert {answer.status_code for answer in answers} <= {200, 201, 204, 404, 409}
    await assert_counters_match(world.platform, license_)
    taken = (await counters_of(world.platform, license_))["seats_used"]
    assert taken <= 2
    late = [(await world.activate(license_, f"late-{n}")).status_code for n in range(3)]
    assert late.count(201) == 2 - taken


async def test_deactivating_blocking_and_deleting_at_once(world: World) -> None:
    for _ in range(4):
        license_ = await world.issue("Concurrent", maxActiveUsersCount=9)
        for n in range(4):
            await world.activate(license_, f"machine-{n}")
        devices = await world.devices(license_)
        place = f"/api/licenses/{license_['id']}"
        answers = await asyncio.gather(
            *(world.operate(item, "deactivate") for item in devices[:2]),
            *(world.operate(item, "block") for item in devices),
            *(world.operate(item, "deactivate") for item in devices[1:]),
            world.owner.send("DELETE", place),
            *(world.operate(item, "unblock") for item in devices),
            *(world.activate(license_, f"machine-{n}") for n in range(6)),
            *(world.deactivate(license_, f"machine-{n}") for n in range(6)),
        )
        assert {answer.status_code for answer in answers} <= {200, 201, 204, 403, 404}
        assert (await world.owner.send("GET", place)).status_code == 404
        await assert_counters_match(world.platform, license_)


@pytest.mark.parametrize("action", ["block", "unblock", "deactivate"])
async def test_an_operator_s_change_is_not_overwritten_by_an_activation(
    world: World, monkeypatch: pytest.MonkeyPatch, action: str
) -> None:
    """The operator acts after the activation has read the device, and before it writes."""
    license_ = await world.issue("Concurrent")
    device = UUID((await world.activate(license_, "machine-1")).json()["activationId"])
    act: Callable[..., Any] = getattr(service, f"{action}_device")
    hooks = [] if action == "unblock" else [SessionDeviceHooks()]
    tasks: list[asyncio.Task[None]] = []

    async def operate() -> None:
        async with world.platform.unit_of_work(Origin()) as work:
            await act(work, *hooks, operator_of(world), device)

    async def read_then_operate(*given: Any) -> Any:
        found = await fetch(*given)
        monkeypatch.setattr(activations, "fetch_facts", fetch)
        tasks.append(asyncio.create_task(operate()))
        await waits_for_a_lock(world.platform, tasks[0])
        return found

    if action == "unblock":
        await world.operate(str(device), "block")
    fetch = activations.fetch_facts
    monkeypatch.setattr(activations, "fetch_facts", read_then_operate)
    answer = await world.activate(license_, "machine-1", deviceName="Renamed")
    await asyncio.gather(*tasks)
    assert answer.status_code == (403 if action == "unblock" else 200)
    expected = {"block": ["Blocked"], "unblock": ["Active"], "deactivate": []}[action]
    assert [item["status"] for item in await world.devices(license_)] == expected
    await assert_counters_match(world.platform, license_)


@pytest.mark.parametrize("action", ["block", "unblock", "deactivate", "approve"])
async def test_a_device_of_a_license_deleted_concurrently_is_not_found(
    world: World, monkeypatch: pytest.MonkeyPatch, action: str
) -> None:
    license_ = await world.issue("Concurrent")
    device = (await world.activate(license_, "machine-1")).json()["activationId"]

    async def read_then_delete(*given: Any) -> Any:
        found = await fetch(*given)
        monkeypatch.setattr(activations.ACTIVATIONS, "fetch", fetch)
        await world.owner.ok("DELETE", f"/api/licenses/{license_['id']}")
        return found

    fetch = activations.ACTIVATIONS.fetch
    monkeypatch.setattr(activations.ACTIVATIONS, "fetch", read_then_delete)
    answer = await world.operate(device, action)
    assert (answer.status_code, answer.json()["errorCode"]) == (404, "NotFound")


async def test_constant_activations_do_not_starve_the_vendor(world: World) -> None:
    """A change of the license that waited too long for its lock would fail with 500."""
    pool = await world.issue("Concurrent", maxActiveUsersCount=9)
    locked = await world.issue("NodeLocked")
    await world.validate(locked, "machine-0")
    done = asyncio.Event()

    async def never_stop(n: int) -> None:
        while not done.is_set():
            await world.activate(pool, f"machine-{n}")
            await world.validate(locked, f"machine-{n}")
            await world.deactivate(pool, f"machine-{n}")

    tasks = [asyncio.create_task(never_stop(n)) for n in range(20)]
    try:
        for license_ in (pool, locked):
            for action in ("suspend", "reinstate", "revoke"):
                await world.owner.ok("POST", f"/api/licenses/{license_['id']}/{action}")
    finally:
        done.set()
        await asyncio.gather(*tasks)


@pytest.mark.parametrize("checked", [True, False], ids=["checked", "control"])
async def test_of_two_machines_with_one_hardware_id_one_is_bound(
    world: World, monkeypatch: pytest.MonkeyPatch, checked: bool
) -> None:
    """Both are unknown when they ask, and have keys of their own."""
    if not checked:
        monkeypatch.setattr(admission, "fault_of_key", lambda *_: None)
        monkeypatch.setattr(recognition, "require_key", lambda *_: None)
    license_ = await world.issue("NodeLocked", deviceProof="Required")
    machines = [Prover.of(world) for _ in range(4)]
    answers = await asyncio.gather(*(one.activate(license_, "shared") for one in machines))
    codes = Counter(answer.status_code for answer in answers)
    assert codes == ({201: 1, 403: 3} if checked else {201: 1, 200: 3})
    [device] = await world.devices(license_)
    [first] = [
        machine.jkt
        for machine, answer in zip(machines, answers, strict=True)
        if answer.status_code == 201
    ]
    assert device["deviceKey"]["jkt"] == first
