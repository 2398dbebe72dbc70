"""How many statements the requests of operators cost; and that sharing them keeps no access."""

import asyncio
from typing import Any

import pytest
from applications import AnotherServer
from catalog.factories import NOWHERE
from licenses.factories import license_body, make_product
from sqlalchemy import Engine, event
from statements import sent_statements
from testkit import FakeClock, Owner, client_of
from world import World

from licet_server.app import Application

SCOPES = ["Products.Read", "Licenses.Read", "Licenses.Write"]
AT_ONCE = 40


async def key_of(owner: Owner) -> dict[str, Any]:
    """An API key in use, whose last use is already recorded for this minute."""
    key: dict[str, Any] = await owner.ok(
        "POST", "/api/api-keys", {"name": "Automation", "scopes": SCOPES}
    )
    answer = await owner.client.get("/api/products", headers=bearer(key["secret"]))
    assert answer.is_success
    return key


def bearer(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"}


@pytest.fixture(params=["session", "API key"])
async def headers(request: pytest.FixtureRequest, owner: Owner) -> dict[str, str]:
    if request.param == "session":
        return owner.headers
    return bearer((await key_of(owner))["secret"])


async def test_one_product_costs_two_statements(world: World, headers: dict[str, str]) -> None:
    with sent_statements() as sent:
        answer = await world.owner.client.get(
            f"/api/products/{world.product['id']}", headers=headers
        )
    assert answer.is_success
    assert len(sent) == 2


async def test_a_page_of_licenses_costs_four(world: World, headers: dict[str, str]) -> None:
    for _ in range(3):
        await world.issue()
    with sent_statements() as sent:
        answer = await world.owner.client.get("/api/licenses", headers=headers)
    assert answer.json()["totalCount"] == 3
    assert len(sent) == 4


@pytest.mark.undivided
async def test_pages_that_are_asked_for_together_are_those_asked_for_alone(
    world: World, headers: dict[str, str]
) -> None:
    other = await make_product(world.owner, name="Borealis")
    for product in (world.product, other) * 3:
        await world.owner.ok("POST", "/api/licenses", license_body(product))
    queries = [
        *(f"pageSize=2&page={page}" for page in (1, 3, 2, 4)),
        *(f"productId={item}&pageSize=2" for item in (other["id"], NOWHERE, world.product["id"])),
        "pageSize=4&sort=-createdAt",
        "pageSize=100&page=101",
    ]

    async def list_licenses(query: str) -> tuple[int, dict[str, Any]]:
        answer = await world.owner.client.get(f"/api/licenses?{query}", headers=headers)
        found = answer.json()
        found.pop("requestId", None)
        return answer.status_code, found

    alone = [await list_licenses(query) for query in queries]
    with sent_statements() as sent:
        together = await asyncio.gather(*map(list_licenses, queries * 4))
    assert together == alone * 4
    pages = [item for item in sent if "FROM licenses" in item and "LIMIT" in item]
    assert len(pages) < len(together) / 2


async def test_issuing_a_license_costs_four(world: World, headers: dict[str, str]) -> None:
    await world.issue()  # creates the customer
    body = license_body(world.product)
    with sent_statements() as sent:
        answer = await world.owner.client.post("/api/licenses", headers=headers, json=body)
    assert answer.status_code == 201
    assert len(sent) == 4


@pytest.mark.undivided
async def test_requests_that_arrive_together_are_admitted_together(
    owner: Owner, stranger: Owner, headers: dict[str, str]
) -> None:
    path = f"/api/products/{(await make_product(owner))['id']}"
    senders = [headers, stranger.headers] * (AT_ONCE // 2)
    with sent_statements() as sent:
        answers = await asyncio.gather(*(owner.client.get(path, headers=item) for item in senders))
    assert [answer.status_code for answer in answers] == [200, 404] * (AT_ONCE // 2)
    admissions = [item for item in sent if "sign_ins" in item or "api_keys" in item]
    assert len(admissions) <= AT_ONCE // 4


@pytest.mark.undivided
async def test_look_ups_that_arrive_together_share_statements(
    world: World, stranger: Owner, headers: dict[str, str]
) -> None:
    """Each caller gets what they see, also of what others asked for in the same statement."""
    policy = {"productId": world.product["id"], "name": "Team", "type": "Perpetual"}
    made = [
        f"/api/products/{world.product['id']}",
        f"/api/products/{(await make_product(world.owner, name='Borealis'))['id']}",
        f"/api/policies/{(await world.owner.ok('POST', '/api/policies', policy))['id']}",
        f"/api/products/{NOWHERE}",
    ]
    asked = [(path, sender) for path in made for sender in (headers, stranger.headers)] * 5
    with sent_statements() as sent:
        answers = await asyncio.gather(
            *(world.owner.client.get(path, headers=sender) for path, sender in asked)
        )
    for (path, sender), answer in zip(asked, answers, strict=True):
        if sender is stranger.headers or path.endswith(NOWHERE):
            assert answer.status_code == 404
        else:
            assert answer.json()["id"] == path.rpartition("/")[2]
    look_ups = [item for item in sent if "sign_ins" not in item and "api_keys" not in item]
    assert len(look_ups) <= AT_ONCE // 4


@pytest.mark.undivided
async def test_look_ups_of_each_kind_share_statements(world: World) -> None:
    owner = world.owner
    hook = {"url": "https://hooks.example.com/licet", "eventTypes": ["license.created"]}
    trial = await make_product(owner, name="Trial", mode="Test")
    clock = {"productId": trial["id"]}
    for path in (
        f"/api/webhooks/{(await owner.ok('POST', '/api/webhooks', hook))['id']}",
        f"/api/test-clocks/{(await owner.ok('POST', '/api/test-clocks', clock))['id']}",
        f"/api/institutions/{owner.institution_id}",
    ):
        with sent_statements() as sent:
            answers = await asyncio.gather(*(owner.ok("GET", path) for _ in range(AT_ONCE)))
        assert {answer["id"] for answer in answers} == {path.rpartition("/")[2]}
        assert len([item for item in sent if "sign_ins" not in item]) <= AT_ONCE // 4, path


@pytest.fixture
async def other_process(another_server: AnotherServer) -> Any:
    """A second application on the same database, as in another process."""
    async with client_of(await another_server()) as client:
        yield client


async def test_a_session_that_ends_amid_requests_is_refused_everywhere(
    owner: Owner, other_process: Any
) -> None:
    path = f"/api/products/{(await make_product(owner))['id']}"
    before = [asyncio.create_task(owner.send("GET", path)) for _ in range(AT_ONCE)]
    await owner.ok("DELETE", "/api/auth/sessions")
    after = await asyncio.gather(
        *(client.get(path, headers=owner.headers) for client in [owner.client, other_process] * 20)
    )
    assert {answer.status_code for answer in after} == {401}
    assert {(await task).status_code for task in before} <= {200, 401}


async def test_a_key_revoked_amid_requests_is_refused_everywhere(
    owner: Owner, other_process: Any
) -> None:
    path = f"/api/products/{(await make_product(owner))['id']}"
    key = await key_of(owner)
    sent = bearer(key["secret"])
    before = [asyncio.create_task(owner.client.get(path, headers=sent)) for _ in range(AT_ONCE)]
    await owner.ok("DELETE", f"/api/api-keys/{key['id']}")
    after = await asyncio.gather(
        *(client.get(path, headers=sent) for client in [owner.client, other_process] * 20)
    )
    assert {answer.status_code for answer in after} == {401}
    assert {(await task).status_code for task in before} <= {200, 401}


async def test_requests_that_arrive_together_record_one_use_of_a_key(
    owner: Owner, clock: FakeClock
) -> None:
    sent = bearer((await key_of(owner))["secret"])
    clock.advance(minutes=1)
    written: list[int] = []

    def note(_connection: Any, cursor: Any, statement: str, *_: Any) -> None:
        if statement.startswith("UPDATE api_keys"):
            written.append(cursor.rowcount)

    event.listen(Engine, "after_cursor_execute", note)
    try:
        await asyncio.gather(
            *(owner.client.get("/api/products", headers=sent) for _ in range(AT_ONCE))
        )
    finally:
        event.remove(Engine, "after_cursor_execute", note)
    assert sum(written) == 1


def test_dependencies_are_resolved_in_turn(application: Application) -> None:
    """No task is started for any of them, and connections are taken last of their level."""
    models = [
        model
        for route in application.litestar.routes
        for _, model in getattr(route, "route_handler_map", {}).values()
    ]
    assert models
    assert all(len(batch) == 1 for model in models for batch in model.dependency_batches)
