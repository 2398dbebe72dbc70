"""The JSON Schema of the file for editors."""

from typing import Any

import msgspec

from licet_server.as_code.schemas import File

_DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schema_document() -> bytes:
    """The schema as a JSON document."""
    schema = _plain(msgspec.json.schema(File))
    document = {"$schema": _DIALECT, "title": "Licet as code", **schema}
    return msgspec.json.format(msgspec.json.encode(document), indent=2) + b"\n"


def _plain(value: Any) -> Any:
    """Return the schema with amounts as numbers instead of texts."""
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if not isinstance(value, dict):
        return value
    if value.get("format") == "decimal":
        return {"type": "number"}
    return {name: _plain(item) for name, item in value.items()}
