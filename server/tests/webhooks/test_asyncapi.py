"""The AsyncAPI document of webhooks: whole, and true to what is sent."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from webhooks.factories import deliver, make_webhook
from webhooks.receiver import Receiver
from world import World

from licet_server.cli.documents import asyncapi, asyncapi_document
from licet_server.events.rules.kinds import DELIVERED


def resolve(document: dict[str, Any], reference: str) -> Any:
    place: Any = document
    for name in reference.removeprefix("#/").split("/"):
        place = place[name]
    return resolve(document, place["$ref"]) if "$ref" in place else place


def references(part: Any) -> Iterator[str]:
    if isinstance(part, dict):
        if "$ref" in part:
            yield part["$ref"]
        part = list(part.values())
    if isinstance(part, list):
        for item in part:
            yield from references(item)


def test_every_kind_that_is_delivered_is_a_message() -> None:
    document = asyncapi_document()
    sent = {
        resolve(document, item["$ref"])["payload"]["properties"]["type"]["const"]
        for item in document["operations"]["sendEvent"]["messages"]
    }
    assert sent == {*DELIVERED, "webhook.test"}
    for reference in references(document):
        assert resolve(document, reference)


async def test_what_is_sent_is_what_is_described(world: World, receiver: Receiver) -> None:
    webhook = await make_webhook(world.owner, receiver.url, "*", includeKeys=True)
    license_ = await world.issue("Concurrent", maxActiveUsersCount=1)
    await world.activate(license_, "machine-1")
    await world.owner.ok("POST", f"/api/webhooks/{webhook['id']}/test")
    await deliver(world.platform)
    document = asyncapi_document()
    kinds = set()
    for request in receiver.received:
        event = json.loads(request.body)
        kinds.add(event["type"])
        message = document["components"]["messages"][event["type"]]
        headers = resolve(document, message["headers"]["$ref"])
        assert set(headers["required"]) <= request.headers.keys()
        strict = {**message["payload"], "additionalProperties": False}
        strict["properties"]["data"]["required"] = list(strict["properties"]["data"]["properties"])
        assert jsonschema_rs.is_valid(strict, event), event
    assert {"license.created", "activation.created", "webhook.test"} <= kinds


def test_a_stale_file_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "asyncapi.json"
    asyncapi(write=file)
    asyncapi(check=file)
    file.write_text("{}")
    with pytest.raises(SystemExit):
        asyncapi(check=file)
    assert "Run `make openapi`" in capsys.readouterr().err
