"""Machines that change: recognized by their components, up to a point."""

from collections.abc import Mapping
from typing import Any

import pytest
from catalog.factories import bad_fields, refusal
from devices.proving import Prover
from statements import sent_statements
from world import World

TWO_SEATS = {"maxActiveUsersCount": 2}
THREE_OF_FIVE = {"machineMatch": {"atLeast": 3, "of": 5}}
NAMES = ("board", "cpu", "disk", "osInstall", "tpm")
ANOTHER = (403, "HardwareMismatch")
UNPROVEN = (403, "DeviceProofRequired")


def parts(**changed: int) -> Mapping[str, str]:
    """The components of one machine; those that are named are others."""
    return {name: f"{at:04x}{changed.get(name, 0):012x}" for at, name in enumerate(NAMES)}


OTHER_PARTS = parts(**dict.fromkeys(NAMES, 99))


async def kinds_of(world: World, device: Mapping[str, Any] | str) -> list[str]:
    """The events about a device that come from what it is."""
    subject = device if isinstance(device, str) else device["id"]
    about = {"drifted", "rekeyed", "clone_detected", "change_accepted"}
    kinds = [event["kind"].partition(".")[2] for event in await world.events_of(subject)]
    return [kind for kind in kinds if kind in about]


async def later(world: World, **time: float) -> None:
    world.clock.advance(**time)
    await world.owner.sign_in()


async def test_a_machine_with_a_new_hardware_id_keeps_its_seat(world: World) -> None:
    license_ = await world.issue("Concurrent", maxActiveUsersCount=1, **THREE_OF_FIVE)
    made = await world.activate(license_, "machine-1", components=parts())
    assert made.status_code == 201, made.text
    session = await world.connected(license_, "machine-1", components=parts())
    await later(world, days=1)
    again = await world.activate(license_, "machine-2", components=parts(osInstall=1))
    assert again.status_code == 200, again.text
    [device] = await world.devices(license_)
    assert (device["id"], device["hardwareId"]) == (made.json()["activationId"], "machine-2")
    at = "2030-01-16T12:00:00Z"
    assert device["components"] == [
        {"name": name, "changedAt": at if name == "osInstall" else None} for name in NAMES
    ]
    assert device["drifts"] == [{"at": at, "names": ["hardwareId", "osInstall"]}]
    [drift] = [e for e in await world.events_of(device["id"]) if e["kind"] == "activation.drifted"]
    assert drift["data"]["changed"] == ["hardwareId", "osInstall"]
    assert "0000000000" not in str(drift), "names, and no values"
    assert (await world.heartbeat(session)).status_code == 404, "of the former hardware ID"
    assert (await world.validate(license_, "machine-1"))["status"] == "ActivationRequired"
    assert (await world.validate(license_, "machine-2"))["status"] == "Valid"


@pytest.mark.parametrize("route", ["validate", "refresh", "connect", "activate"])
@pytest.mark.parametrize("model", ["Concurrent", "NodeLocked"])
async def test_each_route_recognizes_a_machine(world: World, model: str, route: str) -> None:
    seats = {"maxActiveUsersCount": 1} if model == "Concurrent" else {}
    license_ = await world.issue(model, **seats, **THREE_OF_FIVE)
    exact = await world.issue(model, **seats)
    for item in (license_, exact):
        await world.activate(item, "machine-1", components=parts())
    for item, is_known in ((license_, True), (exact, False)):
        if route == "refresh":  # before it validates
            answer = await world.refresh(item, "machine-2", components=parts(disk=1))
            assert (answer.status_code < 300) is is_known, answer.text
        elif route == "validate":
            verdict = await world.validate(item, "machine-2", components=parts(disk=1))
            assert verdict["valid"] is is_known, verdict
        else:
            answer = await getattr(world, route)(item, "machine-2", components=parts(disk=1))
            assert (answer.status_code < 300) is is_known, answer.text
        [device] = await world.devices(item)
        assert device["hardwareId"] == ("machine-2" if is_known else "machine-1")
    assert await world.attempts(license_) == []


async def test_another_machine_gets_no_seat_of_this_one(world: World) -> None:
    license_ = await world.issue("NodeLocked", **THREE_OF_FIVE)
    await world.activate(license_, "machine-1", components=parts())
    changed = parts(board=1, cpu=1, tpm=1)
    for shown in (OTHER_PARTS, changed, {"board": parts()["board"]}, None):
        verdict = await world.validate(license_, "machine-2", components=shown)
        assert verdict["status"] == "HardwareMismatch"
        refused = await world.activate(license_, "machine-2", components=shown)
        assert refusal(refused) == (409, "MaxActivationsReached")
    [device] = await world.devices(license_)
    assert (device["hardwareId"], device["drifts"]) == ("machine-1", [])
    assert len(await world.attempts(license_)) == 1


async def test_two_changes_in_thirty_days_and_an_operator_who_accepts_them(world: World) -> None:
    license_ = await world.issue("Concurrent", maxActiveUsersCount=1, **THREE_OF_FIVE)
    await world.activate(license_, "machine-1", components=parts())
    two = {"board": 1, "cpu": 1}
    assert (await world.activate(license_, "machine-2", components=parts(**two))).status_code == 200
    await later(world, days=29)
    three = {**two, "tpm": 1}
    refused = await world.activate(license_, "machine-3", components=parts(**three))
    assert refusal(refused) == (409, "MaxActivationsReached")
    await later(world, days=400)
    refused = await world.activate(license_, "machine-3", components=parts(**three))
    assert refused.status_code == 409, "three of five are not those of the device any more"
    [device] = await world.devices(license_)
    accepted = await world.operate(device, "accept-change")
    assert accepted.status_code == 200, accepted.text
    answer = await world.activate(license_, "machine-3", components=parts(**three))
    assert answer.status_code == 200, answer.text
    await later(world, hours=1)
    await world.operate(device, "accept-change")
    all_of_them = {**three, "disk": 1, "osInstall": 1}
    answer = await world.activate(license_, "machine-4", components=parts(**all_of_them))
    assert answer.status_code == 200, "the thirty days are forgotten, and so is the day"
    assert await kinds_of(world, device) == [
        *("drifted", "change_accepted", "drifted", "change_accepted", "drifted"),
    ]


async def test_a_change_is_only_accepted_of_a_device_with_components(world: World) -> None:
    license_ = await world.issue("Concurrent", **TWO_SEATS, **THREE_OF_FIVE)
    device = (await world.activate(license_, "machine-1")).json()["activationId"]
    assert refusal(await world.operate(device, "accept-change")) == (409, "Conflict")


async def test_machines_with_equal_parts_do_not_take_turns_with_a_seat(world: World) -> None:
    license_ = await world.issue("Concurrent", maxActiveUsersCount=1, **THREE_OF_FIVE)
    for machine, code in (("machine-1", 201), ("machine-2", 200), ("machine-1", 409)):
        answer = await world.activate(license_, machine, components=parts())
        assert answer.status_code == code, (machine, answer.text)
    for days, code in ((2, 200), (2, 409), (30, 200)):
        await later(world, days=days)
        [device] = await world.devices(license_)
        other = "machine-1" if device["hardwareId"] == "machine-2" else "machine-2"
        answer = await world.activate(license_, other, components=parts())
        assert answer.status_code == code, (days, answer.text)


async def test_the_device_with_the_most_equal_components_is_the_one(world: World) -> None:
    license_ = await world.issue("Concurrent", **TWO_SEATS, **THREE_OF_FIVE)
    near = (await world.activate(license_, "near", components=parts(cpu=1))).json()
    same = (await world.activate(license_, "same")).json()
    await world.activate(license_, "same", components=parts())
    answer = await world.activate(license_, "new", components=parts())
    assert answer.json()["activationId"] == same["activationId"]
    await world.operate(same["activationId"], "block")
    refused = await world.activate(license_, "newer", components=parts())
    assert refusal(refused) == (403, "DeviceBlocked")
    answer = await world.activate(license_, "newer", components=parts(cpu=1))
    assert answer.json()["activationId"] == near["activationId"]


async def test_a_known_device_learns_its_components_once(world: World) -> None:
    license_ = await world.issue("Concurrent", maxActiveUsersCount=3)
    for machine in ("one", "two", "three"):
        await world.activate(license_, machine, components=parts())
    assert all(item["components"] == [] for item in await world.devices(license_)), "Exact"
    await world.owner.ok("PUT", f"/api/licenses/{license_['id']}", THREE_OF_FIVE)
    few = dict(list(parts().items())[:4])
    await world.activate(license_, "one", components=few)
    await world.activate(license_, "one", components=parts())
    await world.validate(license_, "two", components=OTHER_PARTS)
    third = dict.fromkeys(NAMES, "3" * 16)
    await world.connected(license_, "three", components=third)
    for device in await world.devices(license_):
        assert [item["name"] for item in device["components"]] == list(NAMES)
        assert device["drifts"] == []
    moved = await world.activate(license_, "four", components=third)
    assert moved.status_code == 200, moved.text


async def test_a_known_hardware_id_is_its_device_whatever_its_parts(world: World) -> None:
    license_ = await world.issue("Concurrent", **TWO_SEATS, **THREE_OF_FIVE)
    device = (await world.activate(license_, "machine-1", components=parts())).json()
    for shown in (parts(cpu=1), parts(cpu=1), OTHER_PARTS, OTHER_PARTS):
        answer = await world.activate(license_, "machine-1", components=shown)
        assert answer.status_code == 200, answer.text
        assert (await world.validate(license_, "machine-1", components=shown))["valid"]
    assert await kinds_of(world, device["activationId"]) == ["drifted", "clone_detected"]
    [listed] = await world.devices(license_)
    assert listed["drifts"][0]["names"] == ["cpu"]
    assert len(listed["drifts"]) == 1


async def test_what_a_known_device_shows_costs_no_statement(world: World) -> None:
    plain = await world.issue("Concurrent", **TWO_SEATS)
    license_ = await world.issue("Concurrent", **TWO_SEATS, **THREE_OF_FIVE)
    counts = []
    for item, shown in ((plain, {}), (license_, {"components": parts()})):
        await world.activate(item, "machine-1", **shown)
        found = []
        for route in ("activate", "validate", "connect", "validate"):
            with sent_statements() as sent:
                await getattr(world, route)(item, "machine-1", **shown)
            found.append(len(sent))
        counts.append(found)
    assert counts[0] == counts[1]


@pytest.mark.parametrize(
    "shown",
    [
        {"HardDisk": "0" * 16},
        {"hardwareId": "0" * 16},
        {"disk": "0" * 15},
        {"disk": "0" * 16 + "\n"},
        {"disk": "A" * 16},
        {"disk": 5},
        {f"disk{n}": "0" * 16 for n in range(9)},
        ["disk"],
    ],
    ids=range(8),
)
async def test_components_of_another_form_are_refused(world: World, shown: Any) -> None:
    license_ = await world.issue("Concurrent")
    for answer in (
        await world.activate(license_, "machine-1", components=shown),
        await world.connect(license_, "machine-1", components=shown),
        await world.call(
            "POST",
            "/api/licenses/validate",
            {"licenseKey": license_["licenseKey"], "components": shown},
        ),
    ):
        assert answer.status_code == 400
        assert all(field.startswith("components") for field in bad_fields(answer)), answer.text


async def test_a_policy_says_how_machines_are_recognized(world: World) -> None:
    body = {"productId": world.product["id"], "name": "Matched", "type": "NodeLocked"}
    policy = await world.owner.ok("POST", "/api/policies", {**body, **THREE_OF_FIVE})
    assert policy["machineMatch"] == THREE_OF_FIVE["machineMatch"]
    issue = {"policyId": policy["id"], "issuedTo": "tom@example.com"}
    license_ = await world.owner.ok("POST", "/api/licenses", issue)
    assert license_["machineMatch"] == {"atLeast": 3, "of": 5}
    path = f"/api/licenses/{license_['id']}"
    changed = await world.owner.ok("PUT", path, {"machineMatch": "Exact"})
    assert changed["machineMatch"] == "Exact"
    [event] = [e for e in await world.events_of(license_["id"]) if e["kind"] == "license.updated"]
    assert event["changes"]["machineMatch"] == [{"atLeast": 3, "of": 5}, "Exact"]
    converted = await world.owner.ok("PUT", f"/api/policies/{policy['id']}", {"machineMatch": None})
    assert converted["machineMatch"] is None


@pytest.mark.parametrize(
    ("model", "match", "field"),
    [
        ("Concurrent", {"atLeast": 2, "of": 4}, "machineMatch.atLeast"),
        ("Concurrent", {"atLeast": 5, "of": 4}, "machineMatch.atLeast"),
        ("Concurrent", {"atLeast": 5, "of": 9}, "machineMatch.of"),
        ("Concurrent", {"atLeast": 1, "of": 1}, "machineMatch.atLeast"),
        ("Concurrent", {"atLeast": 3}, "machineMatch.of"),
        ("Concurrent", {"atLeast": 3, "of": 5, "among": 6}, "machineMatch.among"),
        ("Concurrent", "3/5", "machineMatch"),
        ("Concurrent", 3, "machineMatch"),
        ("Floating", {"atLeast": 3, "of": 5}, "machineMatch"),
    ],
    ids=range(9),
)
async def test_terms_of_another_form_are_refused(
    world: World, model: str, match: Any, field: str
) -> None:
    seats = {"maxActiveUsersCount": 2, "issuedTo": "tom@example.com", "licenseName": "Paint"}
    body = {"productId": world.product["id"], "type": model, **seats, "machineMatch": match}
    assert field in bad_fields(await world.owner.send("POST", "/api/licenses", body))
    body = {"productId": world.product["id"], "name": "P", "type": model, "machineMatch": match}
    assert field in bad_fields(await world.owner.send("POST", "/api/policies", body))


async def test_a_file_names_what_its_device_is_recognized_by(world: World) -> None:
    license_ = await world.issue("NodeLocked", activationMode="Offline", **THREE_OF_FIVE)
    few = dict(list(parts().items())[:4])
    await world.activate(license_, "machine-1", components=few)
    assert "components" not in await world.claims_of((await world.file(license_)).text)
    await world.activate(license_, "machine-1", components=parts(cpu=7))
    refreshed = (await world.refresh(license_, "machine-1")).json()["file"]
    for text in ((await world.file(license_)).text, refreshed):
        claims = await world.claims_of(text)
        assert claims["components"] == parts(cpu=7)
        assert claims["machineMatch"] == {"atLeast": 3, "of": 5}
    path = f"/api/licenses/{license_['id']}"
    await world.owner.ok("PUT", path, {"machineMatch": "Exact"})
    assert "machineMatch" not in await world.claims_of((await world.file(license_)).text)


async def test_a_file_that_takes_a_seat_names_them_too(world: World) -> None:
    license_ = await world.issue(
        "Concurrent", activationMode="Offline", **TWO_SEATS, **THREE_OF_FIVE
    )
    await world.activate(license_, "machine-1", components=parts())
    claims = await world.claims_of((await world.file(license_, "machine-1")).text)
    assert claims["components"] == parts()


async def test_a_device_that_enrolled_enrolls_again_under_its_new_hardware_id(
    world: World,
) -> None:
    license_ = await world.issue("Concurrent", maxActiveUsersCount=1, **THREE_OF_FIVE)
    key = await world.owner.ok(
        "POST", f"/api/licenses/{license_['id']}/enrollment-keys", {"name": "Image"}
    )

    async def enroll(machine: str) -> Any:
        body = {"enrollmentKey": key["secret"], "hardwareId": machine, "components": parts()}
        return await world.call("POST", "/api/activations/enroll", body)

    first = await enroll("machine-1")
    assert first.status_code == 201, first.text
    second = await enroll("machine-2")
    assert second.status_code == 200, second.text
    for answer, machine, status in (
        (first, "machine-1", "LicenseNotFound"),
        (first, "machine-2", "LicenseNotFound"),
        (second, "machine-2", "Valid"),
    ):
        token = {"licenseKey": answer.json()["deviceToken"]}
        assert (await world.validate(token, machine))["status"] == status


REKEYED = {"deviceProof": "Required", **THREE_OF_FIVE}


async def test_a_machine_that_lost_its_key_gets_another_one(world: World) -> None:
    license_ = await world.issue("Concurrent", maxActiveUsersCount=1, **REKEYED)
    first = Prover.of(world)
    made = await first.activate(license_, "machine-1", components=parts())
    device = made.json()["activationId"]
    keys = [first]
    for turn in range(3):  # what the product allows in a year
        keys.append(Prover.of(world))
        await later(world, days=2)
        if turn == 1:
            verdict = await keys[-1].validate(license_, "machine-1", components=parts())
            assert verdict["valid"], verdict
        else:
            answer = await keys[-1].activate(license_, "machine-1", components=parts())
            assert answer.status_code == 200, answer.text
        [listed] = await world.devices(license_)
        assert listed["deviceKey"]["jkt"] == keys[-1].jkt
        assert refusal(await keys[-2].activate(license_, "machine-1")) == ANOTHER, "it sends none"
    last = Prover.of(world)
    answer = await last.activate(license_, "machine-1", components=parts())
    assert refusal(answer) == ANOTHER
    assert (await kinds_of(world, device)).count("rekeyed") == 3
    used = await world.owner.ok("GET", f"/api/licenses/{license_['id']}")
    assert used["seatsUsed"] == 1
    await later(world, days=366)
    answer = await last.activate(license_, "machine-1", components=parts())
    assert answer.status_code == 200, answer.text


async def test_another_key_without_the_components_is_a_clone(world: World) -> None:
    license_ = await world.issue("Concurrent", **TWO_SEATS, **REKEYED)
    first, other = Prover.of(world), Prover.of(world)
    made = await first.activate(license_, "machine-1", components=parts())
    device = made.json()["activationId"]
    for shown in (OTHER_PARTS, parts(board=1, cpu=1, disk=1), None):
        answer = await other.activate(license_, "machine-1", components=shown)
        assert refusal(answer) == ANOTHER
        assert (await other.validate(license_, "machine-1", components=shown))["valid"] is False
    assert await kinds_of(world, device) == ["clone_detected"]
    answer = await first.activate(license_, "copied", components=OTHER_PARTS)
    assert refusal(answer) == ANOTHER
    assert "key of another device" in answer.json()["detail"]
    assert len(await world.devices(license_)) == 1
    await later(world, days=1, seconds=1)
    await first.activate(license_, "copied", components=OTHER_PARTS)
    assert await kinds_of(world, device) == ["clone_detected"] * 2


@pytest.mark.parametrize("mode", ["Off", "WhenPresent", "Required"])
async def test_what_a_key_decides_under_each_setting(world: World, mode: str) -> None:
    license_ = await world.issue(
        "Concurrent", maxActiveUsersCount=1, deviceProof=mode, **THREE_OF_FIVE
    )
    first, other = Prover.of(world), Prover.of(world)
    made = await first.activate(license_, "machine-1", components=parts())
    device = made.json()["activationId"]
    await later(world, days=2)
    moved = await first.activate(license_, "machine-2", components=parts(osInstall=1))
    assert moved.status_code == 200, "the key and the components are those of the device"
    await later(world, days=2)
    unproven = await world.activate(license_, "machine-3", components=parts(osInstall=1))
    expected = {"Off": 200, "WhenPresent": 409, "Required": 403}[mode]
    assert unproven.status_code == expected, unproven.text
    await later(world, days=60)
    lost = await other.activate(license_, "machine-4", components=parts(osInstall=1))
    assert lost.status_code == 200, lost.text
    [listed] = await world.devices(license_)
    assert listed["id"] == device
    assert listed["deviceKey"]["jkt"] == (first if mode == "Off" else other).jkt
    assert ("rekeyed" in await kinds_of(world, device)) is (mode != "Off")


async def test_releases_and_new_keys_have_one_budget(world: World) -> None:
    license_ = await world.issue("Concurrent", maxActiveUsersCount=2, **REKEYED)
    path = f"/api/products/{world.product['id']}"
    await world.owner.ok("PUT", path, {"settings": {"deviceReleasesPerYear": 1}})
    first, other = Prover.of(world), Prover.of(world)
    await first.activate(license_, "machine-1", components=parts())
    assert (await other.activate(license_, "machine-1", components=parts())).status_code == 200
    third = Prover.of(world)
    assert refusal(await third.activate(license_, "machine-1", components=parts())) == ANOTHER
    await world.owner.ok("PUT", path, {"settings": {"deviceReleasesPerYear": 0}})
    await later(world, days=366)
    assert refusal(await third.activate(license_, "machine-1", components=parts())) == ANOTHER


async def test_a_repeated_activation_of_a_moved_machine_is_refused(world: World) -> None:
    license_ = await world.issue("Concurrent", **TWO_SEATS, **REKEYED)
    machine = Prover.of(world)
    await machine.activate(license_, "machine-1", components=parts())
    world.clock.advance(seconds=2)
    moved = await machine.activate(license_, "machine-2", components=parts())
    assert moved.status_code == 200, moved.text
    machine.repeated = True
    assert refusal(await machine.activate(license_, "machine-2", components=parts())) == UNPROVEN


async def test_a_device_over_the_limit_is_recognized_and_waits(world: World) -> None:
    license_ = await world.issue("Concurrent", maxActiveUsersCount=2, **THREE_OF_FIVE)
    await world.activate(license_, "first", components=OTHER_PARTS)
    await later(world, minutes=1)
    await world.activate(license_, "machine-1", components=parts())
    path = f"/api/licenses/{license_['id']}"
    await world.owner.ok("PUT", path, {"maxActiveUsersCount": 1})
    refused = await world.activate(license_, "machine-2", components=parts())
    assert refusal(refused) == (409, "MaxActivationsReached")
    await world.owner.ok("PUT", path, {"maxActiveUsersCount": 2})
    assert (await world.validate(license_, "machine-2", components=parts()))["valid"]
