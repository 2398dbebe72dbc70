"""What handlers ask for by name: `work` to change, `db` to read, `paging` for lists.

`work` and `db` stand on `platform`, so that the framework resolves them last and alone: whatever
refuses the request (a bad page, a bad filter) does so before a connection is taken.
"""

from collections.abc import AsyncGenerator
from typing import Annotated, Any, TypeAlias, TypeVar
from uuid import UUID

from litestar import Request
from litestar.di import Dependency, Provide
from litestar.params import QueryParameter, SkipValidationMarker

from licet_server.kit.database import Connection
from licet_server.kit.errors import bad_field
from licet_server.kit.paging import Paging
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.kit.web.context import context_of

Value = TypeVar("Value")

Given: TypeAlias = Annotated[Value, Dependency(kind="named"), SkipValidationMarker()]
"""`operator: Given[Operator]`: handed in by the edge, so that the framework need not convert it."""

_BEFORE_ALL = UUID(int=0)


async def provide_work(
    request: Request[Any, Any, Any], platform: Given[Platform]
) -> AsyncGenerator[UnitOfWork, None]:
    """One transaction per request: committed when the handler returns, before it is answered."""
    async with platform.unit_of_work(context_of(request).origin()) as work:
        yield work


async def provide_db(platform: Given[Platform]) -> AsyncGenerator[Connection, None]:
    """A connection for reading, in autocommit."""
    async with platform.database.reading() as db:
        yield db


def provide_platform(request: Request[Any, Any, Any]) -> Platform:
    """For handlers that must not hold a connection while they compute."""
    return context_of(request).platform


def provide_paging(
    page: Annotated[int, QueryParameter(name="page", ge=1, le=10_000, description="From 1.")] = 1,
    page_size: Annotated[int, QueryParameter(name="pageSize", ge=1, le=100)] = 25,
    sort: Annotated[
        str | None, QueryParameter(name="sort", description="A field; with - for descending.")
    ] = None,
    after: Annotated[
        str | None,
        QueryParameter(
            name="after",
            description="The keyset walk in creation order: empty for its start, then `nextAfter`.",
        ),
    ] = None,
) -> Paging:
    """Page or walk, as asked for in the query."""
    return Paging(page, page_size, sort or None, _after(after))


def _after(text: str | None) -> UUID | None:
    if text is None:
        return None
    try:
        return UUID(text) if text else _BEFORE_ALL
    except ValueError:
        raise bad_field("after", "must be the nextAfter of the previous page, or empty.") from None


DEPENDENCIES = {
    "work": Provide(provide_work),
    "db": Provide(provide_db),
    "platform": Provide(provide_platform, sync_to_thread=False),
    "paging": Provide(provide_paging, sync_to_thread=False),
}
