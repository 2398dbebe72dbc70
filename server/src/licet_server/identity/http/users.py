"""Routes of the accounts of the instance, for system Admins."""

from typing import Annotated
from uuid import UUID

from litestar import delete, get, post, put
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, JSONBody, QueryParameter

from licet_server.identity.access import StepUp, SystemAdmin
from licet_server.identity.rules.users import SignedInUser
from licet_server.identity.schemas.users import (
    AccountChange,
    AccountView,
    MailView,
    account_view,
    mail_view,
)
from licet_server.identity.service import users
from licet_server.identity.service.hooks import AccountHooks
from licet_server.identity.service.users import fetch_account, list_accounts, verify_email_of
from licet_server.kit.database import Connection
from licet_server.kit.errors import ErrorCode
from licet_server.kit.mail import list_mails as fetch_mails
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.kit.web.dependencies import Given

_TAGS = ["Service"]


@get("/api/users", access=SystemAdmin(), tags=_TAGS)
async def list_users(
    db: Given[Connection],
    account_hooks: Given[AccountHooks],
    paging: Given[Paging],
    search: Annotated[str | None, QueryParameter(max_length=200)] = None,
) -> Listing[AccountView]:
    """List all accounts, or those whose address or name begins with `search`.

    Sorts by email, fullName, createdAt.
    """
    return (await list_accounts(db, account_hooks, paging, search)).of(account_view)


@put("/api/users/{user_id:uuid}", access=SystemAdmin(), tags=_TAGS)
async def change_account(
    work: Given[UnitOfWork],
    account_hooks: Given[AccountHooks],
    user: Given[SignedInUser],
    user_id: FromPath[UUID],
    data: JSONBody[AccountChange],
) -> AccountView:
    """Disable a user's account, or enable it again; not your own.

    Its sessions end, and it cannot be signed in to. API keys that its user created do not work
    while it is disabled. The user gets an e-mail.
    """
    if data.disabled is True:
        await users.disable_account(work, account_hooks, user, user_id)
    elif data.disabled is False:
        await users.enable_account(work, account_hooks, user_id)
    return account_view(await fetch_account(work.db, account_hooks, user_id))


@delete("/api/users/{user_id:uuid}/sessions", access=SystemAdmin(), tags=_TAGS)
async def end_sessions_of_user(
    work: Given[UnitOfWork], account_hooks: Given[AccountHooks], user_id: FromPath[UUID]
) -> None:
    """Sign a user out everywhere, effective immediately; they get an e-mail."""
    await users.end_sessions(work, account_hooks, user_id)


@delete(
    "/api/users/{user_id:uuid}/totp",
    access=SystemAdmin(),
    step_up=StepUp(),
    problems=(ErrorCode.CONFLICT,),
    tags=_TAGS,
)
async def remove_second_factor(
    work: Given[UnitOfWork],
    account_hooks: Given[AccountHooks],
    user: Given[SignedInUser],
    user_id: FromPath[UUID],
) -> None:
    """Turn off the second factor of a user who has lost it; all their sessions end.

    They get an e-mail. Turn off your own at `DELETE /api/auth/totp`.
    """
    await users.remove_second_factor(work, account_hooks, user, user_id)


@post("/api/users/{user_id:uuid}/verify-email", access=SystemAdmin(), status_code=200, tags=_TAGS)
async def mark_email_verified(
    work: Given[UnitOfWork], account_hooks: Given[AccountHooks], user_id: FromPath[UUID]
) -> AccountView:
    """Mark a user's e-mail address as verified, if you know that it is theirs."""
    return account_view(await verify_email_of(work, account_hooks, user_id))


@get("/api/mails", access=SystemAdmin(), tags=["Service"])
async def list_mails(
    platform: Given[Platform], db: Given[Connection], paging: Given[Paging]
) -> Listing[MailView]:
    """List the e-mails of the last 30 days, newest first; a sent one has no text any more."""
    return (await fetch_mails(db, platform.keyring, paging)).of(mail_view)


ROUTES: list[HTTPRouteHandler] = [
    list_users,
    change_account,
    end_sessions_of_user,
    remove_second_factor,
    mark_email_verified,
    list_mails,
]
