"""Bad input for every route there is, generated from the routes and their bodies.

A new route or field is covered by itself: the routes are walked, the fields read from the structs.
"""

import json
import re
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import httpx
import msgspec
import pytest
from bad_values import CREDENTIAL, NO_TEXT_IN_POSTGRESQL, VALUES
from body_places import Place, fields_of, places_of, type_of
from leases.borrower import some_lease
from licenses.factories import FUTURE, issue, make_product, product_key
from offline.machine import some_request
from testkit import FakeClock, Owner
from volumes import is_long
from world import Vendor

from licet_server.app import Application
from licet_server.catalog.access import ProductKey
from licet_server.identity.access import SystemAdmin
from licet_server.institutions.access import MaybeSignedIn
from licet_server.kit.errors import ErrorCode
from licet_server.kit.web.access import Anonymous, declared_access
from licet_server.kit.web.body import RuntimeBody
from licet_server.kit.web.problems import PROBLEM_JSON, STATUS

Item = TypeVar("Item")

JSON = {"content-type": "application/json"}
ISSUING = {"/api/licenses", "/api/licenses/batch"}
ALSO_SENT = {
    "/api/licenses/bulk": {"ids"},
    "/api/products/{product_id}/entitlement-sets": {"featureNames"},
    "/api/policies/{policy_id}/apply": {"licenseIds"},
    "/api/meter/reconcile": {"licenseId"},
    "/api/institutions/{institution_id}/sso": {"issuer", "clientId", "domains"},
}
"""Optional fields of which a body needs one or another."""
SOME = 3
"""How many values a field is tried with in the short form, if another of its type has all."""
SOME_STEP = len(VALUES) // SOME
PARTS = 4
"""A walk of all routes is cut into so many tests, which processes share."""


@dataclass
class World:
    """Things to act on, and the credentials for it."""

    owner: Owner
    admin: Owner
    ids: dict[str, str]
    key: str
    license_key: str

    def url(self, path: str) -> str:
        return re.sub(r"{(\w+)}", lambda found: self.ids[_plain(found[1])], path)

    def headers(self, access: Any) -> dict[str, str]:
        if isinstance(access, ProductKey):
            return {"x-api-key": self.key}
        if isinstance(access, SystemAdmin):
            return self.admin.headers
        is_open = isinstance(access, (Anonymous, MaybeSignedIn))
        return {} if is_open else self.owner.headers

    async def send(self, place: Place, content: str | bytes, **headers: str) -> httpx.Response:
        sent = {**JSON, **self.headers(place.access), **headers}
        url = self.url(place.path)
        return await self.owner.client.request(place.method, url, content=content, headers=sent)

    def sound_body(self, place: Place) -> dict[str, Any]:
        """A body that is right where the names of fields tell how."""
        known = {
            "productId": self.ids["productid"],
            "licenseKey": self.license_key,
            "context": {"licenseKey": self.license_key},
            "type": "Subscription",
            "expirationDate": FUTURE,
            "issuedTo": "a@example.com",
            "licenseName": "A license",
            "list": "Licenses",
            "name": "A name",
            "version": "9.9.9",
            "initialVersion": "1.0.0",
            "featureNames": [],
            "email": "a@example.com",
            "role": "Viewer",
            "url": "https://hooks.example.com/licet",
            "eventTypes": ["license.*"],
            "count": 2,
            "ids": [str(uuid.UUID(int=9))],
            "licenseIds": [str(uuid.UUID(int=9))],
            "action": "suspend",
            "licenseId": self.ids["licenseid"],
            "issuer": "https://login.example.com",
            "domains": ["example.com"],
            "credential": CREDENTIAL,
            "kind": "Generic",
            "match": {},
            "events": [{"name": "a", "occurredAt": FakeClock.START.isoformat()}],
        }
        fields = msgspec.structs.fields(place.body)
        return {
            field.encode_name: known.get(field.encode_name, "something")
            for field in fields
            if field.required
            or field.encode_name in ALSO_SENT.get(place.path, ())
            or (place.path in ISSUING and field.encode_name in known
                and field.encode_name not in {"licenseKey", "ids"})
        }  # fmt: skip


def _plain(name: str) -> str:
    return name.replace("_", "").lower()


@pytest.fixture
async def world(owner: Owner, admin: Owner) -> World:
    product = await make_product(owner)
    path = f"/api/products/{product['id']}"
    feature = await owner.ok("POST", f"{path}/features", {"name": "export"})
    body = {"name": "Standard", "featureNames": ["export"]}
    entitlements = await owner.ok("POST", f"{path}/entitlement-sets", body)
    license_ = await issue(owner, product, "Trial")
    template = {"productId": product["id"], "name": "Free", "type": "Perpetual"}
    policy = await owner.ok("POST", "/api/policies", template)
    releases = await owner.ok("GET", f"{path}/releases")
    team = f"/api/institutions/{owner.institution_id}/invitations"
    invited = await owner.ok("POST", team, {"email": "b@example.com", "role": "Viewer"})
    wanted = {"url": "https://hooks.example.com/licet", "eventTypes": ["*"]}
    webhook = await owner.ok("POST", "/api/webhooks", wanted)
    connector = await owner.ok("POST", "/api/connectors", {"kind": "Generic", "name": "Shop"})
    view = await owner.ok("POST", "/api/views", {"list": "Licenses", "name": "All"})
    tests = await make_product(owner, name="Borealis", mode="Test")
    test_clock = await owner.ok("POST", "/api/test-clocks", {"productId": tests["id"]})
    key = await product_key(owner, product)
    vendor = Vendor(owner, product, {"X-API-KEY": key})
    lease = await some_lease(vendor)
    waiting, _ = await some_request(vendor)
    ids = {
        "clockid": test_clock["id"],
        "institutionid": owner.institution_id,
        "productid": product["id"],
        "licenseid": license_["id"],
        "policyid": policy["id"],
        "releaseid": releases["items"][0]["id"],
        "featureid": feature["id"],
        "setid": entitlements["id"],
        "entitlementsetid": entitlements["id"],
        "userid": owner.user_id,
        "invitationid": invited["id"],
        "activationid": str(uuid.UUID(int=6)),
        "attemptid": str(uuid.UUID(int=9)),
        "associationid": str(uuid.UUID(int=5)),
        "connectorid": connector["id"],
        "eventid": str(uuid.UUID(int=3)),
        "key": "export",
        "keyid": str(uuid.UUID(int=7)),
        "leaseid": lease["leaseId"],
        "requestid": waiting["id"],
        "orderid": str(uuid.UUID(int=4)),
        "viewid": view["id"],
        "webhookid": webhook["id"],
        "fileid": str(uuid.UUID(int=8)),
        "token": "none",
        "kind": "issued",
        "customerid": license_["customerId"],
    }
    return World(owner, admin, ids, key, license_["licenseKey"])


def require_problem(answer: httpx.Response, what: str) -> dict[str, Any]:
    said = f"{what}: {answer.status_code} {answer.text[:300]}"
    assert 400 <= answer.status_code < 500, said
    assert answer.headers["content-type"] == PROBLEM_JSON, said
    problem: dict[str, Any] = answer.json()
    assert STATUS[ErrorCode(problem["errorCode"])] == answer.status_code, said
    return problem


def with_value(body: dict[str, Any], path: tuple[str, ...], raw: str) -> str:
    """The body as JSON, with a piece of text in the place of a field."""
    mark = "@@here@@"
    copy = json.loads(json.dumps(body))
    place = copy
    for name in path[:-1]:
        place = place.setdefault(name, {})
        if not isinstance(place, dict):
            return ""
    place[path[-1]] = mark
    return json.dumps(copy).replace(json.dumps(mark), raw)


@pytest.mark.parametrize("part", range(PARTS))
async def test_every_field_of_every_body_takes_bad_values(
    application: Application, world: World, part: int
) -> None:
    tried = refused = 0
    chosen = values_by_field(application)
    for place in places_of(application)[part::PARTS]:
        body = world.sound_body(place)
        for path in fields_of(place.body):
            name = ".".join(path)
            for kind in chosen[place, path]:
                raw = VALUES[kind]
                content = with_value(body, path, raw)
                answer = await world.send(place, content)
                what = f"{place.method} {place.path} {name} = {kind}"
                tried += 1
                if answer.is_success:
                    said = answer.text
                    assert kind not in NO_TEXT_IN_POSTGRESQL or "\\u0000" not in said, what
                    continue
                refused += 1
                if answer.status_code == 404 and place.path.startswith("/ofrep/"):
                    continue  # in the shape of that protocol
                problem = require_problem(answer, what)
                if problem["errorCode"] == "InvalidRequest" and kind not in {"surrogate", "null"}:
                    fields = {error["field"] for error in problem["errors"]}
                    assert fields, what
                    named = any(field.split("[")[0].startswith(path[0]) for field in fields)
                    assert named or fields <= {*body, ""}, f"{what}: {fields}"
    print(f"{tried} bodies, {refused} refused")
    assert tried > (400 if is_long() else 150)
    assert refused > tried / 2


def values_by_field(application: Application) -> dict[tuple[Place, tuple[str, ...]], list[str]]:
    """Return the kinds of values that each field is tried with.

    In the short form, one field of each type is tried with all of them, and every other field with
    some of them, which differ from field to field.
    """
    chosen: dict[tuple[Place, tuple[str, ...]], list[str]] = {}
    kinds, seen = list(VALUES), set[str]()
    for place in places_of(application):
        for path in fields_of(place.body):
            type_ = str(type_of(place.body, path))
            is_first = type_ not in seen
            seen.add(type_)
            first = len(chosen)
            some = [kinds[(first + step) % len(kinds)] for step in range(0, len(kinds), SOME_STEP)]
            chosen[place, path] = kinds if is_first or is_long() else some
    return chosen


def test_in_the_short_form_each_type_of_field_takes_every_value(application: Application) -> None:
    chosen = values_by_field(application)
    whole = {
        str(type_of(place.body, path))
        for (place, path), kinds in chosen.items()
        if kinds == list(VALUES)
    }
    assert whole == {str(type_of(place.body, path)) for place, path in chosen}
    assert {kind for kinds in chosen.values() for kind in kinds} == set(VALUES)
    assert min(map(len, chosen.values())) >= SOME


async def test_wrong_shapes_are_named(application: Application, world: World) -> None:
    """A list of objects fits no field: each body is refused by the name of the field."""
    for place in places_of(application):
        for path in fields_of(place.body):
            content = with_value(world.sound_body(place), path, '[{"no": "such"}]')
            answer = await world.send(place, content)
            problem = require_problem(answer, f"{place.path} {path}")
            if answer.status_code == 429:
                continue
            assert answer.status_code == 400, (place, path, problem)
            named = {error["field"] for error in problem["errors"]}
            assert any(field.startswith(".".join(path)) for field in named), (place, path, named)


BROKEN: dict[str, bytes] = {
    "empty": b"",
    "cut off": b'{"name": "x',
    "no JSON": b"name=x",
    "a list": b"[]",
    "a text": b'"x"',
    "a number": b"1",
    "null": b"null",
    "two values": b"{} {}",
    "nothing but depth": b"[" * 100_000,
    "depth": b'{"name":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    "objects in depth": b'{"a":' * 50_000 + b"1" + b"}" * 50_000,
    "no UTF-8": b'{"name": "\xff\xfe"}',
    "UTF-16": '{"name": "x"}'.encode("utf-16"),
    "a NUL": b"\0",
    "NaN": b'{"name": NaN}',
}


async def test_broken_bodies(application: Application, world: World) -> None:
    for number, place in enumerate(places_of(application)):
        optional = not any(field.required for field in msgspec.structs.fields(place.body))
        for kind, content in some_of(list(BROKEN.items()), number):
            answer = await world.send(place, content)
            if optional and kind in {"empty", "null"} and answer.status_code < 500:
                continue
            problem = require_problem(answer, f"{place.method} {place.path}: {kind}")
            lenient = issubclass(place.body, RuntimeBody)
            assert answer.status_code in {400, 429} or lenient, (place.path, kind, problem)
        big = b'{"name": "' + b"x" * 1_100_000 + b'"}'
        assert (await world.send(place, big)).status_code == 413
        other = await world.send(place, b"{}", **{"content-type": "text/plain"})
        assert other.status_code == 415
        unknown = await world.send(place, json.dumps({**world.sound_body(place), "nope": 1}))
        said = unknown.json() if unknown.content else {}
        names = {error["field"] for error in said.get("errors", [])}
        assert ("nope" in names) != issubclass(place.body, RuntimeBody), place.path


ODD_IDS = ("1", "null", "%00", "..%2f", "x" * 3000, str(uuid.UUID(int=1)) + "x")


async def test_ids_that_are_none(application: Application, world: World) -> None:
    for number, route in enumerate(application.litestar.routes):
        path = route.path_format
        if "{" not in path or path.startswith("/api/docs"):
            continue
        for handler in getattr(route, "route_handlers", []):
            access = declared_access(handler)
            for method in handler.http_methods - {"OPTIONS"}:
                for odd in some_of(ODD_IDS, number):
                    url = re.sub(r"{\w+}", odd, path)
                    headers = world.headers(access)
                    answer = await world.owner.client.request(method, url, headers=headers)
                    if method == "HEAD":
                        assert 400 <= answer.status_code < 500
                    else:
                        require_problem(answer, f"{method} {url[:80]}")


ODD_QUERIES = (
    "page=0", "page=-1", "page=x", "page=1e9", "page=99999999999999999999", "pageSize=101",
    "pageSize=", "pageSize=0", "sort=nope", "sort=-", "sort=--name", "sort=id;drop", "after=x",
    "page=10000&pageSize=100", "page=%00", "page=%ff",
)  # fmt: skip
SENSELESS_QUERIES = (
    "page=1&page=x", "search=%ff%fe", "search=%ed%a0%80", "search=%27%22%5c%25_", "%00=1", "&&&==",
    "search=" + "x" * 5000, "status=Nope", "type=99", "productId=x", "institutionId=x",
    "expiringBefore=x", "expiringBefore=9999-12-31T23:59:59-14:00", "issuedTo=%00",
    "expiringBefore=0001-01-01T00:00:00%2b14:00", "expiringBefore=2030-01-01T00:00:00",
    "protected=maybe", "hardwareId=" + "x" * 5000, "search=" + "%20" * 100,
)  # fmt: skip


@pytest.mark.parametrize("part", range(PARTS))
async def test_queries_that_make_no_sense(
    application: Application, world: World, part: int
) -> None:
    lists = 0
    for number, (path, access) in enumerate(readable_paths(application)[part::PARTS]):
        url, headers = world.url(path), world.headers(access)
        sound = await world.owner.client.get(url, headers=headers)
        is_list = sound.is_success and sound.content.startswith(b'{"items":')
        lists += is_list
        for query in some_of((*ODD_QUERIES, *SENSELESS_QUERIES), number):
            answer = await world.owner.client.get(f"{url}?{query}", headers=headers)
            if not answer.is_success:
                require_problem(answer, f"GET {path}?{query[:60]}")
            elif is_list:
                assert query not in ODD_QUERIES, f"GET {path}?{query} was accepted"
    assert lists >= 2


def some_of(whole: Sequence[Item], number: int) -> Sequence[Item]:
    """Return every third item in the short form, beginning elsewhere for each number."""
    return whole if is_long() else whole[number % 3 :: 3]


def readable_paths(application: Application) -> list[tuple[str, Any]]:
    """Every GET route whose answer ends, with who may call it."""
    return [
        (route.path_format, declared_access(handler))
        for route in application.litestar.routes
        for handler in getattr(route, "route_handlers", [])
        if route.path_format.startswith("/api/")
        and not route.path_format.startswith("/api/docs")
        and "GET" in handler.http_methods
        and handler.media_type != "text/event-stream"
    ]


async def test_credentials_that_are_none(
    application: Application, world: World, stranger: Owner, clock: FakeClock
) -> None:
    token, key = world.owner.token, world.key
    head, claims, signature = token.split(".")
    unsigned = "eyJhbGciOiJub25lIiwidHlwIjoiYXQrand0In0"
    tokens = [
        "", "x", "a.b.c", token[:-10], token + "x", f"{head}.{claims}.", f"{unsigned}.{claims}.",
        f"{head}.{stranger.token.split('.')[1]}.{signature}", token.swapcase(), "." * 10,
        "x" * 5_000, key,
    ]  # fmt: skip
    for odd in tokens:
        for scheme in ("Bearer ", "bearer  ", "Basic ", ""):
            if scheme.lower().startswith("bearer") and odd == token:
                continue
            headers = {"authorization": scheme + odd}
            answer = await world.owner.client.get("/api/products", headers=headers)
            assert require_problem(answer, odd[:30])["errorCode"] == "Unauthorized"
    raw = await world.owner.client.get("/api/products", headers={"authorization": b"Bearer \xff"})
    assert raw.status_code == 401

    body = {"licenseKey": world.license_key}
    keys = ["", "pk_", key[:-1], key + "x", key.swapcase(), key.removeprefix("pk_"), "x" * 5_000,
            token, "pk_" + "A" * 60]  # fmt: skip
    for odd in keys:
        headers = {"x-api-key": odd}
        answer = await world.owner.client.post("/api/licenses/validate", json=body, headers=headers)
        assert require_problem(answer, odd[:30])["errorCode"] == "Unauthorized"

    # One that was good: revoked, then expired.
    path = f"/api/products/{world.ids['productid']}/credentials"
    rotated = await world.owner.ok("POST", f"{path}/rotate", {"graceSeconds": 60})
    clock.advance(seconds=59)
    headers = {"x-api-key": key}
    alive = await world.owner.client.post("/api/licenses/validate", json=body, headers=headers)
    assert alive.status_code == 200
    clock.advance(seconds=2)
    late = await world.owner.client.post("/api/licenses/validate", json=body, headers=headers)
    assert late.status_code == 401
    second = await world.owner.ok("POST", f"{path}/rotate", {})
    gone = next(item for item in second["keys"] if item["apiKey"] == rotated["apiKey"])
    await world.owner.ok("DELETE", f"{path}/{gone['id']}")
    headers = {"x-api-key": rotated["apiKey"]}
    revoked = await world.owner.client.post("/api/licenses/validate", json=body, headers=headers)
    assert revoked.status_code == 401
    clock.advance(minutes=15)
    expired = await world.owner.send("GET", "/api/products")
    assert require_problem(expired, "an expired token")["errorCode"] == "Unauthorized"
