"""Query parameters of operators' routes: those that a route does not take are refused by name."""

import re
from uuid import UUID

import pytest
from litestar.handlers import HTTPRouteHandler
from world import World

from licet_server.app import Application

ROUTES_AT_LEAST = 70


def routes_with_parameters(application: Application) -> list[tuple[str, str]]:
    return [
        (min(handler.http_methods), route.path_format)
        for route in application.litestar.routes
        for handler in getattr(route, "route_handlers", [])
        if isinstance(handler, HTTPRouteHandler) and "query_parameters" in handler.opt
    ]


async def test_every_route_of_operators_refuses_a_parameter_that_it_does_not_take(
    world: World, application: Application
) -> None:
    routes = routes_with_parameters(application)
    assert len(routes) >= ROUTES_AT_LEAST
    for method, template in routes:
        path = re.sub("{.*?}", str(UUID(int=1)), template)
        answer = await world.owner.send(method, path, {}, params={"noSuchFilter": "1"})
        if answer.status_code == 403:  # of system Admins
            continue
        assert answer.status_code == 400, (path, answer.text)
        assert [item["field"] for item in answer.json()["errors"]] == ["noSuchFilter"], path


async def test_a_misspelled_dry_run_changes_nothing(world: World) -> None:
    made = await world.issue()
    body = {"ids": [made["id"]], "action": "revoke"}
    answer = await world.owner.send("POST", "/api/licenses/bulk?dryrun=true", body)
    assert answer.json()["errors"] == [
        {"field": "dryrun", "message": "is not a parameter of this route. Did you mean dryRun?"}
    ]
    after = await world.owner.ok("GET", f"/api/licenses/{made['id']}")
    assert after["status"] == "Active"


async def test_the_refusal_names_the_parameter_that_was_meant(world: World) -> None:
    query = {"pagesize": "5", "Status": "Active", "zzz": ""}
    answer = await world.owner.send("GET", "/api/licenses", params=query)
    errors = {item["field"]: item["message"] for item in answer.json()["errors"]}
    assert errors["pagesize"].endswith("Did you mean pageSize?")
    assert errors["Status"].endswith("Did you mean status?")
    assert "takes activationMode, after" in errors["zzz"] or "which takes" in errors["zzz"]


async def test_a_route_without_parameters_refuses_one_that_would_seem_to_narrow_it(
    world: World,
) -> None:
    made = await world.issue()
    path = f"/api/licenses/{made['id']}"
    answer = await world.owner.send("POST", f"{path}/revoke?dryRun=true")
    assert answer.json()["errors"] == [
        {"field": "dryRun", "message": "is not a parameter of this route, which takes none."}
    ]
    assert (await world.owner.ok("GET", path))["status"] == "Active"


async def test_a_filter_that_is_sent_twice_is_refused_unless_both_count(world: World) -> None:
    query = [("status", "Active"), ("status", "Expired"), ("tag", "a"), ("tag", "b")]
    answer = await world.owner.send("GET", "/api/licenses", params=query)
    assert answer.json()["errors"] == [{"field": "status", "message": "must be sent once."}]


@pytest.mark.parametrize("page", ["401", "10001", "99999999999999999999"])
async def test_a_page_beyond_the_last_row_names_the_way_that_has_no_limit(
    world: World, page: str
) -> None:
    answer = await world.owner.send("GET", "/api/licenses", params={"page": page})
    [error] = answer.json()["errors"]
    assert error["field"] == "page"
    assert "Use ?after=<id> instead" in error["message"]


async def test_who_may_not_list_learns_nothing_of_the_parameters(world: World) -> None:
    answer = await world.owner.client.get("/api/licenses", params={"zzz": "1"})
    assert answer.status_code == 401
