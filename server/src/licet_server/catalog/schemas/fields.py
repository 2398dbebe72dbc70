"""What a request body holds."""

from typing import Any

from msgspec import UNSET

from licet_server.kit.web.body import Body


def given(body: Body) -> dict[str, Any]:
    """The fields that the request holds, by their names in the domain; nested ones likewise."""
    found: dict[str, Any] = {}
    for field in body.__struct_fields__:
        value = getattr(body, field)
        if value is not UNSET:
            found[field] = given(value) if isinstance(value, Body) else value
    return found
