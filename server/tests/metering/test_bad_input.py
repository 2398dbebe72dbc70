"""Bad amounts, texts and ids on every route of meters: a clear code, and nothing changes."""

import json
from dataclasses import dataclass
from typing import Any

import httpx
import pytest
from catalog.factories import NOWHERE, bad_fields, refusal
from licenses.factories import license_body
from metering.factories import new_key
from metering.ledger_checks import state_of
from testkit import Owner
from world import Vendor, open_vendor

from licet_server.kit.platform import Platform

JSON = {"content-type": "application/json"}
HERE = "@@here@@"

NO_NUMBERS = [
    "NaN",
    "Infinity",
    "-Infinity",
    '"NaN"',
    '"Infinity"',
    '"5"',
    '""',
    "true",
    "[1]",
    '{"a": 1}',
]
NO_AMOUNTS = [
    *NO_NUMBERS,
    "1e300",
    "-1e300",
    "1" + "0" * 18,
    "1" + "0" * 30,
    "1" * 10_000,
    "1" * 10_000 + ".5",
    "0.0000001",
    "-0.0000001",
    "1.1234567",
    "0." + "1" * 10_000,
    "1e-400",
]
NOTHING = ["0", "-0", "0.0", "-0.0"]
NEGATIVE = ["-1", "-0.5", "-1000000000000000"]
NO_QUANTITIES = [
    *NO_AMOUNTS,
    *NOTHING,
    *NEGATIVE,
    "0.5",
    "1.5",
    "1.0",
    "1e3",
    "1000000001",
]
TOO_LONG = json.dumps("x" * 10_000)
NO_TEXTS = ["7", "1.5", "true", "[]", "{}", '"a\\u0000b"', '"\\ud800"', '"\\udc00x"', TOO_LONG]
EMPTY = ['""']
BLANK = ['" "', '"\\t\\n"', '"\\u00a0\\u2003"']


@dataclass(frozen=True)
class Place:
    """A route with a body that it would take."""

    method: str
    path: str
    body: dict[str, Any]
    runtime: bool = False

    def with_raw(self, field: str, raw: str) -> bytes:
        """The body with a piece of JSON in the place of a field."""
        whole = json.dumps({**self.body, field: HERE})
        return whole.replace(json.dumps(HERE), raw).encode()


@dataclass
class Routes:
    """A vendor with a license of each mode, and the routes that move their balances."""

    vendor: Vendor
    platform: Platform
    places: dict[str, Place]

    async def send(self, name: str, content: bytes) -> httpx.Response:
        place, owner = self.places[name], self.vendor.owner
        headers = JSON | (self.vendor.key if place.runtime else owner.headers)
        return await owner.client.request(
            place.method, place.path, content=content, headers=headers
        )

    async def refuses(self, name: str, field: str, *raws: str) -> None:
        """Each of these values is refused by name, or as invalid JSON, and changes nothing."""
        before = await state_of(self.platform, self.vendor)
        for raw in raws:
            answer = await self.send(name, self.places[name].with_raw(field, raw))
            said = f"{name}.{field} = {raw[:40]}: {answer.status_code} {answer.text[:200]}"
            assert answer.status_code == 400, said
            assert set(bad_fields(answer)) <= {field, ""}, said
            assert len(answer.content) < 2_000, said
        assert await state_of(self.platform, self.vendor) == before


@pytest.fixture
async def routes(owner: Owner, platform: Platform) -> Routes:
    vendor = await open_vendor(owner)
    feature = await vendor.priced("export", 2)
    token, count = await vendor.issue("MeteredToken"), await vendor.issue("MeteredCount")
    places = {
        "price": Place("PUT", f"/api/meter/features/{feature['id']}/pricing", {"tokenCost": 3}),
    }
    for mode, made in (("token", token), ("count", count)):
        license_id, kind = made["id"], made["type"]
        charge = {"licenseKey": made["licenseKey"], "featureName": "export", "idempotencyKey": "k"}
        correction = {"licenseId": license_id, "amount": 1, "reason": "A correction"}
        warning = f"/api/licenses/{license_id}/meter-settings"
        places |= {
            f"consume {mode}": Place("POST", "/api/meter/consume", charge, runtime=True),
            f"grant {mode}": Place(
                "POST", "/api/meter/grant", {"licenseId": license_id, "amount": 1}
            ),
            f"adjust {mode}": Place("POST", "/api/meter/adjust", correction),
            f"warn {mode}": Place("PUT", warning, {"lowBalanceThreshold": 1}),
            f"issue {mode}": Place("POST", "/api/licenses", license_body(vendor.product, kind)),
        }
    return Routes(vendor, platform, places)


AMOUNTS = {
    "grant": "amount",
    "adjust": "amount",
    "warn": "lowBalanceThreshold",
    "issue": "initialMeterBalance",
}


@pytest.mark.parametrize("mode", ["token", "count"])
async def test_invalid_quantities(routes: Routes, mode: str) -> None:
    await routes.refuses(f"consume {mode}", "quantity", *NO_QUANTITIES)


@pytest.mark.parametrize("mode", ["token", "count"])
async def test_invalid_amounts(routes: Routes, mode: str) -> None:
    for name, field in AMOUNTS.items():
        below = [] if name == "adjust" else NEGATIVE
        absent = [] if name == "warn" else ["null", *NOTHING]
        whole = ["0.5", "1.5", "1.000001"] if mode == "count" else []
        await routes.refuses(f"{name} {mode}", field, *NO_AMOUNTS, *below, *absent, *whole)


async def test_invalid_prices(routes: Routes) -> None:
    much = ["100000000.000001", "1000000000"]
    await routes.refuses("price", "tokenCost", *NO_AMOUNTS, *NOTHING, *NEGATIVE, *much, "null")


BEYOND_DECIMALS = ["1e9999999999999999999", "-1e9999999999999999999", "1e-9999999999999999999"]


@pytest.mark.parametrize("name", ["consume token", "grant token", "adjust token", "price"])
async def test_exponents_beyond_every_decimal(routes: Routes, name: str) -> None:
    field = {"consume token": "quantity", "price": "tokenCost"}.get(name, "amount")
    await routes.refuses(name, field, *BEYOND_DECIMALS)


@pytest.mark.parametrize("raw", ["1e999999999999", "-1e999999999999", f"1.{'0' * 40}1"])
async def test_corrections_beyond_the_precision_of_the_arithmetic(routes: Routes, raw: str) -> None:
    await routes.refuses("adjust token", "amount", raw)


@pytest.mark.parametrize("mode", ["token", "count"])
async def test_invalid_texts_in_charges(routes: Routes, mode: str) -> None:
    name = f"consume {mode}"
    await routes.refuses(name, "licenseKey", *NO_TEXTS, *EMPTY, "null")
    await routes.refuses(name, "featureName", *NO_TEXTS, *EMPTY, *BLANK, "null")
    absent = ["null"] if mode == "token" else []
    await routes.refuses(name, "idempotencyKey", *NO_TEXTS, *EMPTY, *absent)
    await routes.refuses(name, "hardwareId", *NO_TEXTS, *EMPTY, *BLANK)
    await routes.refuses(name, "activationId", *NO_TEXTS, *EMPTY, '"x"', f'"{NOWHERE}0"')


async def test_invalid_texts_from_operators(routes: Routes) -> None:
    for field in ("reason", "externalReference"):
        await routes.refuses("grant token", field, *NO_TEXTS)
    await routes.refuses("adjust token", "reason", *NO_TEXTS, *EMPTY, *BLANK, "null")
    for name in ("grant token", "adjust token"):
        await routes.refuses(name, "licenseId", *NO_TEXTS, *EMPTY, "null", '"x"', f'"{NOWHERE}0"')


async def test_the_longest_texts_are_stored_unchanged(routes: Routes) -> None:
    vendor = routes.vendor
    made = await vendor.issue("MeteredCount")
    wide, feature = "\U0001f600" * 500, "\U0001f600" * 128
    assert (await vendor.grant(made, 1, reason=wide, externalReference=wide)).status_code == 200
    assert (await vendor.adjust(made, 1, reason=wide)).status_code == 200
    await vendor.consumed(made, feature, idempotencyKey=feature)
    assert (await vendor.consumed(made, feature, idempotencyKey=feature))["replayed"] is True
    _, granted, adjusted, used = await vendor.ledger(made)
    assert (granted["reason"], granted["externalReference"]) == (wide, wide)
    assert adjusted["reason"] == wide
    assert (used["featureName"], used["idempotencyKey"]) == (feature, feature)
    for field in ("featureName", "idempotencyKey"):
        await routes.refuses("consume count", field, json.dumps("\U0001f600" * 129))
    await routes.refuses("adjust token", "reason", json.dumps("\U0001f600" * 501))


async def test_every_bad_field_is_named_at_once(routes: Routes) -> None:
    before = await state_of(routes.platform, routes.vendor)
    bodies: dict[str, dict[str, Any]] = {
        "consume token": {
            "licenseKey": "",
            "featureName": " ",
            "idempotencyKey": "",
            "quantity": 0,
            "hardwareId": 1,
            "activationId": "x",
        },
        "grant token": {"licenseId": "x", "amount": 0, "reason": 1, "externalReference": 2},
        "adjust token": {"licenseId": 1, "amount": "1", "reason": " "},
    }
    for name, body in bodies.items():
        answer = await routes.send(name, json.dumps(body).encode())
        assert sorted(bad_fields(answer)) == sorted(body)
        required = {name for name in routes.places[name].body if name != "idempotencyKey"}
        assert set(bad_fields(await routes.send(name, b"{}"))) == required
    assert await state_of(routes.platform, routes.vendor) == before


async def test_unknown_fields_are_ignored_from_applications_and_refused_from_operators(
    routes: Routes,
) -> None:
    for name, place in routes.places.items():
        if not place.runtime:
            await routes.refuses(name, "nope", "1")
            continue
        answer = await routes.send(name, place.with_raw("nope", "1"))
        assert answer.status_code == 200, answer.text


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[]", b'"x"', b"null", b"\xff\xfe", b"[" * 100_000, b'{"a":' * 50_000],
)
async def test_invalid_bodies(routes: Routes, content: bytes) -> None:
    before = await state_of(routes.platform, routes.vendor)
    for name in routes.places:
        assert refusal(await routes.send(name, content)) == (400, "InvalidRequest"), name
    assert await state_of(routes.platform, routes.vendor) == before


async def test_depth_within_a_field(routes: Routes) -> None:
    deep = "[" * 50_000 + "]" * 50_000
    for name in ("consume token", "consume count"):
        for field in ("quantity", "featureName"):
            await routes.refuses(name, field, deep)
        answer = await routes.send(name, routes.places[name].with_raw("nope", deep))
        assert answer.status_code in {200, 400}, answer.text
    for name in ("grant token", "adjust count"):
        await routes.refuses(name, "amount", deep)


async def test_unknown_features(routes: Routes) -> None:
    vendor = routes.vendor
    made = await vendor.issue("MeteredToken")
    before = await state_of(routes.platform, vendor)
    for feature in ("unknown", "export ", "exp\u200bort", "%", "export\n", "'; --", "\U0001f600"):
        answer = await vendor.consume(made, feature, idempotencyKey=new_key())
        assert refusal(answer) == (422, "PricingNotConfigured"), feature
    assert await state_of(routes.platform, vendor) == before


async def test_unknown_ids_and_keys(routes: Routes) -> None:
    vendor = routes.vendor
    before = await state_of(routes.platform, vendor)
    absent = {"id": NOWHERE, "licenseKey": "x" * 20}
    assert refusal(await vendor.consume(absent, idempotencyKey="k")) == (404, "LicenseNotFound")
    for query in ("", "?licenseKey=", f"?licenseKey={'x' * 10_000}"):
        answer = await vendor.call("GET", f"/api/meter/balance{query}", None)
        assert bad_fields(answer) == ["licenseKey"]
    for key in ("%00", "%20", "%F0%9F%98%80", "%FF", "%27--"):
        answer = await vendor.call("GET", f"/api/meter/balance?licenseKey={key}", None)
        assert answer.status_code in {400, 404}, answer.text
    assert await state_of(routes.platform, vendor) == before


async def test_a_balance_has_a_maximum(routes: Routes) -> None:
    vendor, limit = routes.vendor, 10**15
    for kind in ("MeteredToken", "MeteredCount"):
        full = await vendor.issue(kind, initialMeterBalance=limit)
        before = await state_of(routes.platform, vendor)
        for amount in (1, limit):
            assert refusal(await vendor.grant(full, amount)) == (409, "Conflict")
            assert refusal(await vendor.adjust(full, amount)) == (409, "Conflict")
        assert await state_of(routes.platform, vendor) == before
        assert (await vendor.adjust(full, -limit)).json()["balance"] == 0
        assert (await vendor.grant(full, limit)).json()["balance"] == limit
    dear = await vendor.issue("MeteredToken", initialMeterBalance=limit)
    await vendor.priced("dear", 10**8)
    answer = await vendor.consume(dear, "dear", idempotencyKey="k", quantity=10**9)
    assert refusal(answer) == (402, "InsufficientBalance")
    assert answer.json()["cost"] == 10**17
    taken = await vendor.consumed(dear, "dear", quantity=10**7)
    assert (taken["cost"], taken["balance"]) == (limit, 0)
