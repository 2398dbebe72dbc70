"""Dependencies that handlers request by name: `work` to change, `db` to read, `paging` for lists.

A handler that finds every row by its key reads with `keyed`.

`work`, `db` and `keyed` depend on `platform`, so the framework resolves them last: a request with a
bad page or filter is refused before a connection is taken.
"""

from collections.abc import AsyncGenerator, Callable, Iterable
from datetime import UTC, datetime
from difflib import get_close_matches
from typing import Annotated, Any, TypeAlias, TypeVar
from uuid import UUID

from litestar import Litestar, Request
from litestar.di import Dependency as NamedDependency
from litestar.di import Provide
from litestar.handlers import HTTPRouteHandler
from litestar.params import QueryParameter, SkipValidationMarker

from licet_server.kit.database import Connection
from licet_server.kit.errors import FieldError, bad_field, bad_fields
from licet_server.kit.paging import Paging
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.kit.web.context import HttpRequest, RequestContext, context_of


def name_parameters(app: Litestar, is_of_operators: Callable[[HTTPRouteHandler], bool]) -> None:
    """Note on each handler of operators which query parameters it takes, as `query_parameters`.

    Each is noted with whether it may be sent several times.
    """
    for route in app.routes:
        for handler, model in getattr(route, "route_handler_map", {}).values():
            if is_of_operators(handler):
                taken = {item.field_alias: item.is_sequence for item in model.expected_query_params}
                handler.opt["query_parameters"] = taken


def refuse_unknown_parameters(request: HttpRequest) -> None:
    """Check that a route of operators takes every query parameter of the request.

    A misspelled filter would otherwise list everything, and a misspelled `dryRun` change it; of a
    repeated one, the last would count.

    Raises:
        Refused: `InvalidRequest` naming each parameter that it does not take, or not twice.
    """
    known = request.route_handler.opt.get("query_parameters")
    if known is None or not request.scope["query_string"]:
        return
    given = request.query_params
    wrong = [FieldError(name, _unknown(name, known)) for name in given.dict() if name not in known]
    wrong += [
        FieldError(name, "must be sent once.")
        for name, values in given.dict().items()
        if len(values) > 1 and not known.get(name, True)
    ]
    if wrong:
        raise bad_fields(wrong)


def _unknown(name: str, known: Iterable[str]) -> str:
    lowered = {item.lower(): item for item in known}
    close = get_close_matches(name.lower(), lowered, n=1, cutoff=0.7)
    if close:
        return f"is not a parameter of this route. Did you mean {lowered[close[0]]}?"
    return f"is not a parameter of this route, which takes {', '.join(sorted(known)) or 'none'}."


def instant_of(name: str, given: datetime | None) -> datetime | None:
    """Return the time of the parameter `name` in UTC; `None` where it was not sent.

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


Value = TypeVar("Value")

Given: TypeAlias = Annotated[Value, NamedDependency(kind="named"), SkipValidationMarker()]
"""A dependency, such as `operator: Given[Operator]`, that the framework does not validate."""

_LOWEST_ID = UUID(int=0)


class Dependency(Provide):
    """A dependency that equals itself alone.

    For each route the framework compares every dependency with every other, 400,000 times in all.
    By attributes, that takes a tenth of the time in which the application is composed.
    """

    __eq__ = object.__eq__
    __hash__ = object.__hash__


def service(value: object) -> Dependency:
    """Return a dependency that is the same object in every request."""
    return Dependency(lambda: value, sync_to_thread=False)


async def provide_work(
    request: Request[Any, Any, Any], platform: Given[Platform]
) -> AsyncGenerator[UnitOfWork, None]:
    """Open one transaction per request, committed after the handler and before the response."""
    async with platform.unit_of_work(context_of(request).origin()) as work:
        yield work


async def provide_db(platform: Given[Platform]) -> AsyncGenerator[Connection, None]:
    """Open a connection for reading, in autocommit."""
    async with platform.database.reading() as db:
        yield db


async def provide_keyed(platform: Given[Platform]) -> AsyncGenerator[Connection, None]:
    """Open a connection that keeps its plans, for a handler that finds every row by its key."""
    async with platform.database.looking_up() as keyed:
        yield keyed


def provide_platform(request: Request[Any, Any, Any]) -> Platform:
    """Provide the platform, for handlers that must not hold a connection while they compute."""
    return context_of(request).platform


def provide_context(request: Request[Any, Any, Any]) -> RequestContext:
    """Provide the context of the request."""
    return context_of(request)


def provide_paging(
    page: Annotated[
        int, QueryParameter(name="page", ge=1, description="The page number, from 1.")
    ] = 1,
    page_size: Annotated[int, QueryParameter(name="pageSize", ge=1, le=100)] = 25,
    sort: Annotated[
        str | None,
        QueryParameter(
            name="sort", description="The field to sort by; prefix it with - for descending."
        ),
    ] = None,
    after: Annotated[
        str | None,
        QueryParameter(
            name="after",
            description="Pages in creation order: empty for the first, then `nextAfter`.",
        ),
    ] = None,
) -> Paging:
    """Read the requested page from the query."""
    return Paging(page, page_size, sort or None, _after(after))


def _after(text: str | None) -> UUID | None:
    if text is None:
        return None
    try:
        return UUID(text) if text else _LOWEST_ID
    except ValueError:
        raise bad_field("after", "must be the nextAfter of the previous page, or empty.") from None


def resolve_in_turn(litestar: Litestar) -> None:
    """Resolve the dependencies of every route one after another, connections last.

    The framework starts a task for each of several, which costs more than most of ours take.
    """
    for route in litestar.routes:
        for _, model in getattr(route, "route_handler_map", {}).values():
            model.dependency_batches = [
                {item} for batch in model.dependency_batches for item in sorted(batch, key=_turn)
            ]


def _turn(dependency: Any) -> tuple[bool, str]:
    return dependency.provide.has_async_generator_dependency, dependency.key


DEPENDENCIES = {
    "work": Dependency(provide_work),
    "db": Dependency(provide_db),
    "keyed": Dependency(provide_keyed),
    "context": Dependency(provide_context, sync_to_thread=False),
    "platform": Dependency(provide_platform, sync_to_thread=False),
    "paging": Dependency(provide_paging, sync_to_thread=False),
}
