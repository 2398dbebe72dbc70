"""Checks of query parameters beyond those of the framework."""

from datetime import UTC, datetime
from difflib import get_close_matches

from litestar import Litestar

from licet_server.kit.errors import FieldError, bad_field, bad_fields
from licet_server.kit.web.context import HttpRequest

_OF_LISTS = {"page", "pageSize"}


def name_list_parameters(app: Litestar) -> None:
    """Note on the handler of each list which query parameters it takes, as `list_parameters`."""
    for route in app.routes:
        for handler, model in getattr(route, "route_handler_map", {}).values():
            names = {item.field_alias for item in model.expected_query_params}
            if names >= _OF_LISTS:
                handler.opt["list_parameters"] = frozenset(names)


def refuse_unknown_parameters(request: HttpRequest) -> None:
    """Check that a list takes every query parameter of the request.

    A misspelled filter would otherwise list everything.

    Raises:
        Refused: `InvalidRequest` naming each parameter that it does not take.
    """
    known = request.route_handler.opt.get("list_parameters")
    if known is None or not request.scope["query_string"]:
        return
    unknown = [name for name in dict.fromkeys(request.query_params) if name not in known]
    if unknown:
        raise bad_fields(FieldError(name, _unknown(name, known)) for name in unknown)


def _unknown(name: str, known: frozenset[str]) -> str:
    lowered = {item.lower(): item for item in known}
    close = get_close_matches(name.lower(), lowered, n=1, cutoff=0.7)
    if close:
        return f"is not a parameter of this list. Did you mean {lowered[close[0]]}?"
    return f"is not a parameter of this list, which takes {', '.join(sorted(known))}."


def instant_of(name: str, given: datetime | None) -> datetime | None:
    """The time of the parameter `name` in UTC; `None` where it was not sent.

    Raises:
        Refused: `InvalidRequest` for a time without its zone, or one beyond the calendar.
    """
    if given is None:
        return None
    try:
        if given.tzinfo is not None:
            return given.astimezone(UTC)
    except OverflowError:
        pass
    raise bad_field(name, "must be a time with a zone, for example 2026-11-22T09:30:00Z.")
