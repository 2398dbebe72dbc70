"""Query parameters of lists: those that no list takes are refused by name."""

from litestar.handlers import HTTPRouteHandler
from world import World

from licet_server.app import Application

LISTS_AT_LEAST = 40


def lists_of(application: Application) -> list[tuple[str, frozenset[str]]]:
    return [
        (route.path_format, handler.opt["list_parameters"])
        for route in application.litestar.routes
        for handler in getattr(route, "route_handlers", [])
        if isinstance(handler, HTTPRouteHandler) and "list_parameters" in handler.opt
    ]


async def test_every_list_refuses_a_parameter_that_it_does_not_take(
    world: World, application: Application
) -> None:
    lists = [path for path, _ in lists_of(application) if "{" not in path]
    assert len(lists_of(application)) >= LISTS_AT_LEAST
    for path in lists:
        answer = await world.owner.send("GET", path, params={"noSuchFilter": "1", "page": "1"})
        if answer.status_code == 403:  # of system Admins
            continue
        assert answer.status_code == 400, (path, answer.text)
        assert [item["field"] for item in answer.json()["errors"]] == ["noSuchFilter"], path


async def test_the_refusal_names_the_parameter_that_was_meant(world: World) -> None:
    query = {"pagesize": "5", "Status": "Active", "zzz": ""}
    answer = await world.owner.send("GET", "/api/licenses", params=query)
    errors = {item["field"]: item["message"] for item in answer.json()["errors"]}
    assert errors["pagesize"].endswith("Did you mean pageSize?")
    assert errors["Status"].endswith("Did you mean status?")
    assert "takes activationMode, after" in errors["zzz"] or "which takes" in errors["zzz"]


async def test_who_may_not_list_learns_nothing_of_the_parameters(world: World) -> None:
    answer = await world.owner.client.get("/api/licenses", params={"zzz": "1"})
    assert answer.status_code == 401
