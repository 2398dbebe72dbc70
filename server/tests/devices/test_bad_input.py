"""Invalid devices on every route: a clear error code, and nothing is stored."""

from typing import Any

import pytest
from catalog.factories import bad_fields, refusal
from devices.books import total_rows
from testkit import Owner
from world import World, open_vendor

RUNTIME = {
    "activate": ("POST", "/api/activations"),
    "validate": ("POST", "/api/licenses/validate"),
    "refresh": ("POST", "/api/licenses/refresh"),
    "connect": ("POST", "/api/sessions/connect"),
    "release": ("DELETE", "/api/activations/current"),
}
BAD_IDS: list[Any] = [
    "",
    " ",
    "\t\n",
    "\u00a0\u2003",
    "x" * 257,
    "x" * 10_000,
    "a\0b",
    "\0",
    7,
    1.5,
    True,
    ["machine-1"],
    {"id": "machine-1"},
]


@pytest.mark.parametrize("route", RUNTIME)
async def test_invalid_hardware_ids(world: World, route: str) -> None:
    method, path = RUNTIME[route]
    licenses = [await world.issue("NodeLocked"), await world.issue("Concurrent")]
    before = await total_rows(world.platform)
    for license_ in licenses:
        for machine in BAD_IDS:
            body = {"licenseKey": license_["licenseKey"], "hardwareId": machine}
            answer = await world.call(method, path, body)
            assert bad_fields(answer) == ["hardwareId"], machine
            assert len(answer.json()["detail"]) < 300
        for raw in (rb'"\ud800"', rb'"\udc00x"', b'"\xff"', b'"a\x00b"'):
            content = b'{"licenseKey": "some-license-key", "hardwareId": ' + raw + b"}"
            answer = await world.owner.client.request(
                method,
                path,
                content=content,
                headers=world.key | {"content-type": "application/json"},
            )
            assert refusal(answer) == (400, "InvalidRequest"), raw
        if route not in {"validate", "refresh"}:
            for machine in ({}, {"hardwareId": None}):
                body = {"licenseKey": license_["licenseKey"], **machine}
                assert bad_fields(await world.call(method, path, body)) == ["hardwareId"]
    assert await total_rows(world.platform) == before


@pytest.mark.parametrize(
    ("fields", "bad"),
    [
        ({"deviceName": "x" * 257}, "deviceName"),
        ({"os": 5}, "os"),
        ({"os": "a\0b"}, "os"),
        ({"appVersion": ["2.0"]}, "appVersion"),
        ({"metadata": []}, "metadata"),
        ({"metadata": {"a": 1}}, "metadata"),
        ({"metadata": {"": "a"}}, "metadata"),
        ({"metadata": {"a": "x" * 501}}, "metadata"),
        ({"metadata": {"x" * 101: "a"}}, "metadata"),
        ({"metadata": {str(n): "a" for n in range(51)}}, "metadata"),
        ({"metadata": {"a\0": "b"}}, "metadata"),
        ({"metadata": {"a": "\0"}}, "metadata.a"),
        ({"licenseKey": ""}, "licenseKey"),
        ({"licenseKey": "x" * 301}, "licenseKey"),
        ({"licenseKey": None}, "licenseKey"),
    ],
)
async def test_invalid_details_of_a_device(world: World, fields: dict[str, Any], bad: str) -> None:
    license_ = await world.issue("Perpetual")
    before = await total_rows(world.platform)
    [found] = bad_fields(await world.activate(license_, "machine-1", **fields))
    assert found.startswith(bad)
    assert await total_rows(world.platform) == before


async def test_all_invalid_fields_are_reported_together(world: World) -> None:
    body = {"licenseKey": "", "hardwareId": " ", "os": 1, "metadata": {"a": 1}}
    answer = await world.call("POST", "/api/activations", body)
    assert {field.partition(".")[0] for field in bad_fields(answer)} >= {
        "licenseKey",
        "hardwareId",
        "os",
    }


@pytest.mark.parametrize("route", RUNTIME)
@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'"x"', b"null", b"\xff\xfe", b"{" * 5000])
async def test_malformed_bodies(world: World, route: str, content: bytes) -> None:
    method, path = RUNTIME[route]
    before = await total_rows(world.platform)
    answer = await world.owner.client.request(
        method, path, content=content, headers=world.key | {"content-type": "application/json"}
    )
    assert refusal(answer) == (400, "InvalidRequest")
    assert await total_rows(world.platform) == before


@pytest.mark.parametrize("route", RUNTIME)
async def test_licenses_of_other_products_and_institutions(
    world: World, stranger: Owner, route: str
) -> None:
    method, path = RUNTIME[route]
    sibling = await open_vendor(world.owner, name="Sibling")
    foreign = await open_vendor(stranger)
    licenses = [await sibling.issue("NodeLocked"), await foreign.issue("Concurrent")]
    before = await total_rows(world.platform)
    for license_ in licenses:
        body = {"licenseKey": license_["licenseKey"], "hardwareId": "machine-1"}
        answer = await world.call(method, path, body)
        if route == "validate":
            assert answer.json()["status"] == "LicenseNotFound"
            assert (answer.json()["license"], answer.json()["activation"]) == (None, None)
        else:
            assert refusal(answer) == (404, "LicenseNotFound")
    assert await total_rows(world.platform) == before


@pytest.mark.parametrize("machine", ["", "%20", "%00", "x" * 257, "a%00b", "%FF"])
async def test_files_for_invalid_hardware_ids(world: World, machine: str) -> None:
    license_ = await world.issue("NodeLocked")
    before = await total_rows(world.platform)
    path = f"/api/licenses/{license_['id']}/file?hardwareId={machine}"
    assert refusal(await world.owner.send("GET", path)) == (400, "InvalidRequest")
    assert await total_rows(world.platform) == before


async def test_deactivating_requires_license_key_and_hardware_id(world: World) -> None:
    license_ = await world.issue("Concurrent")
    await world.activate(license_, "machine-1")
    before = await total_rows(world.platform)
    for query, bad in (
        ({}, ["licenseKey", "hardwareId"]),
        ({"licenseKey": license_["licenseKey"]}, ["hardwareId"]),
        ({"hardwareId": "machine-1"}, ["licenseKey"]),
        ({"licenseKey": license_["licenseKey"], "hardwareId": " "}, ["hardwareId"]),
    ):
        answer = await world.owner.client.delete(
            "/api/activations/current", params=query, headers=world.key
        )
        assert bad_fields(answer) == bad
    assert await total_rows(world.platform) == before
