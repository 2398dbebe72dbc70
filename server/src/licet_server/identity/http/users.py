"""The accounts of the instance, for those who look after it."""

from typing import Annotated
from uuid import UUID

from litestar import delete, get, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, QueryParameter

from licet_server.identity.schemas.accounts import AccountView, account_view
from licet_server.identity.service import administration
from licet_server.identity.service.administration import list_accounts
from licet_server.institutions.access import SystemAdmin
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.database import Connection
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.kit.web.context import HttpRequest, context_of
from licet_server.kit.web.dependencies import Given

_TAGS = ["Service"]


@get("/api/users", access=SystemAdmin(), tags=_TAGS)
async def list_users(
    db: Given[Connection],
    paging: Given[Paging],
    search: Annotated[str | None, QueryParameter(max_length=200)] = None,
) -> Listing[AccountView]:
    """All accounts, or those whose address or name begins with `search`.

    Sorts by email, fullName, createdAt.
    """
    return (await list_accounts(db, paging, search)).of(account_view)


@delete("/api/users/{user_id:uuid}/totp", access=SystemAdmin(), tags=_TAGS)
async def take_off_factor(
    request: HttpRequest,
    platform: Given[Platform],
    operator: Given[Operator],
    user_id: FromPath[UUID],
) -> None:
    """Turn off the second factor of somebody who has lost it; he is signed out everywhere.

    He is told by mail. One's own is turned off at `DELETE /api/auth/totp`.
    """
    await administration.take_off_factor(platform, context_of(request).origin(), operator, user_id)


@post("/api/users/{user_id:uuid}/verify-email", access=SystemAdmin(), status_code=200, tags=_TAGS)
async def vouch_for_email(work: Given[UnitOfWork], user_id: FromPath[UUID]) -> AccountView:
    """Take somebody's address for verified, on your word that it is his."""
    return account_view(await administration.vouch_for_email(work, user_id))


ROUTES: list[HTTPRouteHandler] = [list_users, take_off_factor, vouch_for_email]
