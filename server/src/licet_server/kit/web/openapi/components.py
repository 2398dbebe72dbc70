"""Components of the OpenAPI document: plain, unique names, and an example for each.

A component is named after its class: `LicenseView` is published as `License`, `ConnectBody` as
`ConnectRequest`, `ConnectAnswer` as `ConnectResponse`, a page of licenses as `LicenseList`.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

Schema = Mapping[str, Any]
Schemas = dict[str, Any]
Examples = Mapping[str, object]
"""Example values by the name of a property, such as `licenseKey`."""

PREFIX = "#/components/schemas/"
_PAGE = re.compile(r"Listing_(?:.*\.)?(\w+?)_")
_SUFFIXES = (("View", ""), ("Body", "Request"), ("Answer", "Response"))
_MAX_DEPTH = 6
_ABSENT = object()
_TYPES: Mapping[str, tuple[type, ...]] = {
    "string": (str,),
    "boolean": (bool,),
    "integer": (int,),
    "number": (int, float),
    "array": (list,),
    "object": (dict,),
    "null": (type(None),),
}
_FORMATS: Mapping[Any, str] = {
    "uuid": "0197a3c2-5d4e-7b1a-9c3f-2e8d6f4a1b70",
    "date-time": "2026-11-22T09:30:00Z",
    "date": "2026-11-22",
}


def plain_name(key: str) -> str:
    """Return the published name of a component that the framework calls `key`."""
    page = _PAGE.fullmatch(key)
    if page is not None:
        return plain_name(page[1]) + "List"
    for suffix, replacement in _SUFFIXES:
        if key.endswith(suffix):
            return key.removesuffix(suffix) + replacement
    return key


def rename_components(document: dict[str, Any]) -> None:
    """Give every component its plain name, and point every reference at it.

    Raises:
        ValueError: when two components would share a name.
    """
    schemas: Schemas = document["components"]["schemas"]
    names = {key: plain_name(key) for key in schemas}
    taken: dict[str, str] = {}
    for key, name in names.items():
        if name in taken or not name.isalnum():
            raise ValueError(f"{key} needs a class name of its own: {name} is taken or not plain")
        taken[name] = key
    document["components"]["schemas"] = {names[key]: schemas[key] for key in sorted(schemas)}
    for schema in document["components"]["schemas"].values():
        schema.pop("title", None)
    for node in _references(document):
        node["$ref"] = PREFIX + names[node["$ref"].removeprefix(PREFIX)]


def add_examples(schemas: Schemas, values: Examples) -> None:
    """Give every component an example, made of the values for its properties."""
    writer = _ExampleWriter(schemas, values)
    for name, schema in schemas.items():
        schema.setdefault("example", writer.write(name, schema))


def merge_number_kinds(node: Any) -> None:
    """Leave whole numbers out of a `oneOf` that has numbers, which they are, too."""
    if isinstance(node, dict):
        options = node.get("oneOf")
        if isinstance(options, list) and {"type": "number"} in options:
            node["oneOf"] = [item for item in options if item != {"type": "integer"}]
        node = list(node.values())
    if isinstance(node, list):
        for item in node:
            merge_number_kinds(item)


def _references(node: Any) -> Iterator[dict[str, Any]]:
    if isinstance(node, dict):
        reference = node.get("$ref")
        if isinstance(reference, str) and reference.startswith(PREFIX):
            yield node
        for value in node.values():
            yield from _references(value)
    elif isinstance(node, list):
        for value in node:
            yield from _references(value)


class _ExampleWriter:
    """Writes an example for a schema, by the name of the property that it describes."""

    def __init__(self, schemas: Schemas, values: Examples) -> None:
        self._schemas = schemas
        self._values = values

    def write(self, name: str, schema: Schema, depth: int = 0) -> object:
        """Return an example; `depth` is the number of objects around it."""
        reference = schema.get("$ref")
        if reference is not None:
            key = reference.removeprefix(PREFIX)
            target = self._schemas[key]
            return self.write(name if "enum" in target else key, target, depth)
        options = schema.get("oneOf") or schema.get("anyOf")
        if options:
            return self._first_of(name, options, depth)
        if "const" in schema:
            return schema["const"]
        if "enum" in schema:
            preferred = self._values.get(name)
            return preferred if preferred in schema["enum"] else schema["enum"][0]
        if schema.get("properties"):
            return self._object(schema["properties"], depth)
        return self._value(name, schema, depth)

    def _first_of(self, name: str, options: Sequence[Schema], depth: int) -> object:
        if self._values.get(name, _ABSENT) is None:
            return None
        return self.write(name, next(item for item in options if item.get("type") != "null"), depth)

    def _object(self, properties: Mapping[str, Schema], depth: int) -> object:
        if depth >= _MAX_DEPTH:
            return {}
        return {key: self.write(key, part, depth + 1) for key, part in properties.items()}

    def _value(self, name: str, schema: Schema, depth: int) -> object:
        if name in self._values and _fits(self._values[name], schema):
            return self._values[name]
        if schema.get("type") == "array":
            inside = schema.get("items", {})
            return [self.write(name.removesuffix("s"), inside, depth)] if depth < _MAX_DEPTH else []
        return _plain_value(schema)


def _fits(value: object, schema: Schema) -> bool:
    """Return whether a value is of the schema's type: `email` is also the name of a switch."""
    kinds = schema.get("type", ())
    named = [kinds] if isinstance(kinds, str) else list(kinds)
    return not named or any(isinstance(value, _TYPES[kind]) for kind in named)


def _plain_value(schema: Schema) -> object:
    kind = schema.get("type")
    if kind == "object":
        return {}
    if kind == "boolean":
        return True
    if kind in {"integer", "number"}:
        return max(1, schema.get("minimum", 1))
    return schema.get("const") or _FORMATS.get(schema.get("format"), "text")


CodeSample = dict[str, str]

LANGUAGES = {
    "python": ("python", "Python SDK"),
    "ts": ("typescript", "TypeScript SDK"),
    "csharp": ("csharp", ".NET SDK"),
}
"""By the name of a code block: the language and the label of its samples."""

_PAGE_SAMPLES = Path(__file__).with_name("samples.md")
_HEADING = re.compile(r"^## (\w+)$", re.MULTILINE)
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


@cache
def code_samples() -> dict[str, list[CodeSample]]:
    """Return the samples by operation, each as `x-codeSamples` has them."""
    _, *pieces = _HEADING.split(_PAGE_SAMPLES.read_text(encoding="utf-8"))
    return {
        operation: [_sample(name, source) for name, source in _BLOCK.findall(text)]
        for operation, text in zip(pieces[::2], pieces[1::2], strict=True)
    }


def _sample(block: str, source: str) -> CodeSample:
    language, label = LANGUAGES[block]
    return {"lang": language, "label": label, "source": source.rstrip("\n")}
