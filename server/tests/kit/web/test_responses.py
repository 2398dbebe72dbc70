"""Responses of handlers: JSON that is sent at once is what the framework would send."""

from typing import Any

import pytest
from litestar import Response
from litestar.datastructures import Cookie

from licet_server.kit.web.responses import JsonResponse, hash_of_json

NAMED = {"headers": {"x-name": "value"}}
BAKED = {"cookies": [Cookie("name", "value")]}


@pytest.mark.parametrize("content", [{"a": [1, "ä", None]}, [], None, b'{"a":1}'])
@pytest.mark.parametrize("options", [{}, {"status_code": 201}, NAMED, BAKED])
@pytest.mark.parametrize("of_route", [{}, NAMED, BAKED])
async def test_json_is_sent_as_the_framework_sends_it(
    content: object, options: dict[str, Any], of_route: dict[str, Any]
) -> None:
    given = {"media_type": "application/json", **options}
    ours = await sent(JsonResponse(content, **given), of_route)
    assert ours == await sent(Response(content, **given), of_route)


async def test_what_has_no_body_and_what_is_text_are_sent_as_by_the_framework() -> None:
    for options in ({"status_code": 204}, {"status_code": 304}, {"media_type": "text/plain"}):
        assert await sent(JsonResponse(None, **options), {}) == await sent(
            Response(None, **options), {}
        )


async def sent(response: Any, of_route: dict[str, Any]) -> list[dict[str, Any]]:
    messages: list[dict[str, Any]] = []

    async def send(message: dict[str, Any]) -> None:
        messages.append(message)

    await response.to_asgi_response(app=None, request=None, **of_route)({}, None, send)
    return messages


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        (b'{"a": 1, "b": 2}', b'{"b":2,"a":1}', True),
        (b'{"a": 1.5}', b'{"a": 1.50}', True),
        (b'{"a": 1}', b'{"a": 1.0}', True),
        (b'{"a": 1}', b'{"a": "1"}', False),
        (b'{"a": 1.5}', b'{"a": "1.5"}', False),
        (b'{"a": 999999999999999.000001}', b'{"a": 999999999999999.000002}', False),
    ],
)
def test_bodies_are_the_same_if_their_values_are(one: bytes, other: bytes, is_same: bool) -> None:
    assert (hash_of_json(one) == hash_of_json(other)) == is_same
