"""`openapi` and `asyncapi`: print what the API and webhooks are; they need no database."""

import json
import tempfile
from pathlib import Path
from typing import Any

from licet_server import __version__
from licet_server.app import build_app, build_platform
from licet_server.cli.options import CheckedFile, WrittenFile, hand_out
from licet_server.events.rules.kinds import DELIVERED, EventKind, subject_traits
from licet_server.kit.keyring import new_master_key
from licet_server.kit.settings import Settings
from licet_server.kit.web.openapi.document import openapi_document

_NOWHERE = "postgresql+asyncpg://nobody@127.0.0.1:1/none"


def openapi(*, check: CheckedFile = None, write: WrittenFile = None) -> None:
    """Print the OpenAPI document, write it to a file, or check that a file is up to date."""
    with tempfile.TemporaryDirectory() as folder:
        nothing = Settings(
            data_dir=Path(folder), database_url=_NOWHERE, master_keys=(new_master_key(),)
        )
        platform = build_platform(nothing)
        document = openapi_document(build_app(platform).litestar)
    hand_out(document, check, write)


Json = dict[str, Any]

_TEST = "A test was requested."
SENT = {**DELIVERED, EventKind.WEBHOOK_TEST: _TEST}
"""What happened when each kind is sent."""

_CHANNEL = "webhook"


def asyncapi(*, check: CheckedFile = None, write: WrittenFile = None) -> None:
    """Print the AsyncAPI document of webhooks, write it, or check that a file is up to date."""
    hand_out(f"{json.dumps(asyncapi_document(), indent=2)}\n".encode(), check, write)


def asyncapi_document() -> Json:
    """Return what webhooks send, by the event catalog, as AsyncAPI 3.0."""
    sent = {kind.value: _reference(f"components/messages/{kind}") for kind in SENT}
    in_channel = [_reference(f"channels/{_CHANNEL}/messages/{kind}") for kind in SENT]
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Licet webhooks",
            "version": __version__,
            "license": {"name": "Apache-2.0"},
            "description": "Events that Licet sends with POST to the URL of a webhook. Each is "
            "signed as in Standard Webhooks 1.0, and may arrive more than once.",
        },
        "defaultContentType": "application/json",
        "channels": {
            _CHANNEL: {
                "address": None,
                "description": "The URL of a webhook, as it is when the attempt starts.",
                "messages": sent,
            }
        },
        "operations": {
            "sendEvent": {
                "action": "send",
                "channel": _reference(f"channels/{_CHANNEL}"),
                "summary": "Send an event to each webhook that subscribes to its kind.",
                "bindings": {"http": {"method": "POST", "bindingVersion": "0.3.0"}},
                "messages": in_channel,
            }
        },
        "components": {
            "messages": {kind.value: _message(kind) for kind in SENT},
            "schemas": {"headers": _headers()},
        },
    }


def _message(kind: EventKind) -> Json:
    return {
        "name": kind.value,
        "title": kind.value,
        "summary": SENT[kind],
        "headers": _reference("components/schemas/headers"),
        "payload": {
            "type": "object",
            "required": ["type", "timestamp", "test", "data"],
            "properties": {
                "type": {"const": kind.value},
                "timestamp": {
                    "type": "string",
                    "format": "date-time",
                    "description": "When it happened, in UTC.",
                },
                "test": {"type": "boolean", "description": "Whether it is about a Test product."},
                "data": {"type": "object", "properties": _data(kind)},
            },
        },
    }


def _data(kind: EventKind) -> Json:
    """Describe what the catalog promises of the data; there may be more."""
    traits = subject_traits(kind)
    found: Json = {}
    if traits.name_field is not None:
        found[traits.name_field] = {
            "type": ["string", "null"],
            "description": "The name of what the event is about, as it was then.",
        }
    if traits.license_field is not None:
        found[traits.license_field] = {
            "type": "string",
            "format": "uuid",
            "description": "The license that it belongs to.",
        }
    if kind is EventKind.LICENSE_CREATED:
        found["licenseKey"] = {
            "type": "string",
            "description": "Only to webhooks with `includeKeys`.",
        }
    return found


def _headers() -> Json:
    texts = {
        "webhook-id": "Identifies the event; the same for each attempt and each replay.",
        "webhook-timestamp": "When this attempt started, in seconds since 1970.",
        "webhook-signature": "One or more signatures, separated by spaces.",
    }
    return {
        "type": "object",
        "required": list(texts),
        "properties": {
            name: {"type": "string", "description": text} for name, text in texts.items()
        },
    }


def _reference(place: str) -> Json:
    return {"$ref": f"#/{place}"}
