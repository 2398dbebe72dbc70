"""The routes that take a body, and the fields of their bodies."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import msgspec
from litestar.handlers import HTTPRouteHandler
from msgspec import Struct

from licet_server.app import Application
from licet_server.kit.web.access import declared_access
from licet_server.kit.web.body import struct_of


@dataclass(frozen=True)
class Place:
    """A route that takes a body."""

    method: str
    path: str
    body: type[Struct]
    access: Any


def places_of(application: Application) -> list[Place]:
    found = []
    for route in application.litestar.routes:
        for handler in getattr(route, "route_handlers", []):
            if not isinstance(handler, HTTPRouteHandler):
                continue
            data = handler.parsed_fn_signature.parameters.get("data")
            if data is not None:
                for method in handler.http_methods - {"OPTIONS"}:
                    body = struct_of(data.raw)
                    found.append(Place(method, route.path_format, body, declared_access(handler)))
    return sorted(found, key=lambda place: (place.path, place.method))


def type_of(kind: type[Struct], path: tuple[str, ...]) -> Any:
    """Return the type of the field with this path, as it is annotated."""
    name, *rest = path
    [field] = [item for item in msgspec.structs.fields(kind) if item.encode_name == name]
    return type_of(struct_of(field.type), tuple(rest)) if rest else field.type


def fields_of(kind: type[Struct], prefix: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The path of every field, also inside nested structs."""
    for field in msgspec.structs.fields(kind):
        yield (*prefix, field.encode_name)
        try:
            inner = struct_of(field.type)
        except (StopIteration, RuntimeError):
            continue
        if issubclass(inner, Struct):
            yield from fields_of(inner, (*prefix, field.encode_name))
