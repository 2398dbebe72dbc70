"""A look at the portal as a customer: read only, for a short time, and recorded."""

import base64
from collections.abc import Callable
from typing import Any

from licenses.factories import issue, make_product
from litestar.handlers import HTTPRouteHandler
from test_routes import routes_of
from testkit import Owner
from world import World

from licet_server.app import Application
from licet_server.institutions.access import PortalReader
from licet_server.kit.web.access import declared_access

NO_ID = "01900000-0000-7000-8000-000000000000"


async def look(owner: Owner, license_: dict[str, Any]) -> dict[str, str]:
    path = f"/api/customers/{license_['customerId']}/portal-view"
    opened = await owner.ok("POST", path)
    assert opened["expiresIn"] == 900
    return {"authorization": f"Bearer {opened['token']}"}


def is_reader(handler: HTTPRouteHandler) -> bool:
    return isinstance(declared_access(handler), PortalReader)


async def test_look_shows_what_this_institution_issued_and_is_recorded(
    world: World, new_owner: Callable[..., Any]
) -> None:
    license_ = await world.issue("Floating", issuedTo="Ada@example.com")
    other = await new_owner()
    foreign = await issue(other, await make_product(other), issuedTo="ada@example.com")
    headers = await look(world.owner, license_)
    listed = await world.owner.client.get("/api/portal/licenses", headers=headers)
    assert [item["id"] for item in listed.json()["items"]] == [license_["id"]]
    path = f"/api/portal/licenses/{foreign['id']}"
    assert (await world.owner.client.get(path, headers=headers)).status_code == 404
    log = await world.owner.ok("GET", f"/api/institutions/{world.owner.institution_id}/audit")
    [event] = [e for e in log["items"] if e["kind"] == "customer.portal_viewed"]
    assert (event["actorName"], event["subjectId"]) == (
        world.owner.email,
        license_["customerId"],
    )


async def test_a_token_that_no_one_could_have_signed_is_refused(world: World) -> None:
    head = base64.urlsafe_b64encode(b'{"alg": "HS256", "crit": 1}').decode().rstrip("=")
    headers = {"authorization": f"Bearer {head}.e30.e30"}
    answer = await world.owner.client.get("/api/portal/licenses", headers=headers)
    assert (answer.status_code, answer.json()["errorCode"]) == (401, "Unauthorized")


async def test_no_other_route_accepts_a_look(world: World, application: Application) -> None:
    license_ = await world.issue("Floating", issuedTo="ada@example.com")
    headers = await look(world.owner, license_)
    routes = routes_of(application)
    assert {name.split()[0] for name, handler in routes.items() if is_reader(handler)} == {"GET"}
    accepted = set()
    for name, handler in routes.items():
        access = declared_access(handler)
        if access is None or access.security is None or is_reader(handler):
            continue
        method, path = name.split()
        address = "/".join(NO_ID if "{" in part else part for part in path.split("/"))
        answer = await world.owner.client.request(method, address, headers=headers)
        if answer.status_code != 401:
            accepted.add(name)
    assert accepted == set()


async def test_look_ends_with_its_time_and_with_the_session(world: World) -> None:
    license_ = await world.issue("Floating", issuedTo="ada@example.com")
    headers = await look(world.owner, license_)
    world.clock.advance(seconds=901)
    answer = await world.owner.client.get("/api/portal/licenses", headers=headers)
    assert answer.status_code == 401
