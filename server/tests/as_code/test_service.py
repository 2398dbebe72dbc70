"""Requests to the service, in the place of which stands a function."""

from collections.abc import Callable

import httpx
import pytest

from licet_server.as_code.errors import ServerRefused
from licet_server.as_code.rules.requests import ApiRequest
from licet_server.as_code.service import Service
from licet_server.kit.settings import InvalidSetting

GET = ApiRequest("GET", "/api/products", None)
POST = ApiRequest("POST", "/api/products", {"name": "Aurora"})


def service(
    respond: Callable[[httpx.Request], httpx.Response], waits: list[float] | None = None
) -> Service:
    waited = [] if waits is None else waits
    transport = httpx.MockTransport(respond)
    return Service("https://licet.test", "licet_ak_x", transport=transport, wait=waited.append)


@pytest.mark.parametrize(
    ("status", "request_", "attempts"),
    [(429, GET, 5), (429, POST, 5), (503, GET, 5), (503, POST, 1), (500, GET, 1), (409, POST, 1)],
)
def test_only_requests_without_effect_are_retried(
    status: int, request_: ApiRequest, attempts: int
) -> None:
    seen: list[httpx.Request] = []
    waits: list[float] = []

    def respond(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        problem = {"detail": "Later.", "errorCode": "RateLimited"}
        return httpx.Response(status, json=problem, headers={"retry-after": "7"})

    with service(respond, waits) as found, pytest.raises(ServerRefused, match=r"Later\."):
        found.send(request_)
    assert (len(seen), waits) == (attempts, [7.0] * (attempts - 1))
    assert {request.headers["x-api-key"] for request in seen} == {"licet_ak_x"}


def test_a_list_is_read_to_its_end() -> None:
    pages = {"": ([{"id": "a"}], "a"), "a": ([{"id": "b"}], None)}

    def respond(request: httpx.Request) -> httpx.Response:
        assert request.url.params["productId"] == "p"
        items, following = pages[request.url.params["after"]]
        return httpx.Response(200, json={"items": items, "nextAfter": following})

    with service(respond) as found:
        items = list(found.list_all("/api/policies?productId=p"))
    assert [item["id"] for item in items] == ["a", "b"]


def test_a_refusal_names_the_fields_on_lines_of_their_own() -> None:
    problem = {
        "detail": "Check url.",
        "errorCode": "InvalidRequest",
        "errors": [{"field": "url", "message": "must\x1b[31m be public."}],
    }
    with (
        service(lambda _: httpx.Response(400, json=problem)) as found,
        pytest.raises(ServerRefused) as caught,
    ):
        found.send(POST)
    assert str(caught.value) == "Check url.\nurl: must [31m be public."
    assert caught.value.code == "InvalidRequest"


@pytest.mark.parametrize(
    "response",
    [
        httpx.Response(200, text="<html>Welcome</html>"),
        httpx.Response(502, text="Bad Gateway"),
        httpx.Response(301, headers={"location": "https://elsewhere.test"}),
        httpx.Response(200, json=["a"]),
        httpx.Response(200, json={"hello": "there"}),
    ],
)
def test_response_of_another_service_is_rejected(response: httpx.Response) -> None:
    with service(lambda _: response) as found, pytest.raises(ServerRefused, match="as Licet does"):
        list(found.list_all("/api/products"))


def test_unreachable_service_is_reported() -> None:
    def respond(request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("refused")

    with (
        service(respond) as found,
        pytest.raises(ServerRefused, match=r"does not respond: refused"),
    ):
        found.send(GET)


@pytest.mark.parametrize(
    "address", ["", "licet.test", "ftp://licet.test", "https://", "https:///x"]
)
def test_invalid_url_is_rejected(address: str) -> None:
    with pytest.raises(InvalidSetting, match="must be the URL"):
        Service(address, "licet_ak_x")


def test_no_key_goes_to_another_computer_without_tls() -> None:
    with pytest.raises(InvalidSetting, match="must begin with https"):
        Service("http://licet.test", "licet_ak_x")
    for own in ("http://127.0.0.1:8000", "http://localhost", "http://[::1]:8000"):
        with Service(own, "licet_ak_x"):
            pass
