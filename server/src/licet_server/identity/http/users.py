"""Routes of the accounts of the instance, for system Admins."""

from typing import Annotated
from uuid import UUID

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
from licet_server.kit.web.routes import Routes

ROUTES = Routes("Service")


@ROUTES.get("/api/users", access=SystemAdmin())
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


@ROUTES.put("/api/users/{user_id:uuid}", access=SystemAdmin())
async def change_account(
    work: Given[UnitOfWork],
    account_hooks: Given[AccountHooks],
    user: Given[SignedInUser],
    user_id: FromPath[UUID],
    data: JSONBody[AccountChange],
) -> AccountView:
    """Disable a user's account, or enable it again; not your own.

    Its sessions end, and it cannot be signed in to. API keys that its user created do not work
    while it is disabled. The user gets an email.
    """
    if data.disabled is True:
        await users.disable_account(work, account_hooks, user, user_id)
    elif data.disabled is False:
        await users.enable_account(work, account_hooks, user_id)
    return account_view(await fetch_account(work.db, account_hooks, user_id))


@ROUTES.delete("/api/users/{user_id:uuid}/sessions", access=SystemAdmin())
async def end_sessions_of_user(
    work: Given[UnitOfWork], account_hooks: Given[AccountHooks], user_id: FromPath[UUID]
) -> None:
    """Sign a user out everywhere, effective immediately; they get an email."""
    await users.end_sessions(work, account_hooks, user_id)


@ROUTES.delete(
    "/api/users/{user_id:uuid}/totp",
    access=SystemAdmin(),
    step_up=StepUp(),
    problems=(ErrorCode.CONFLICT,),
)
async def remove_second_factor(
    work: Given[UnitOfWork],
    account_hooks: Given[AccountHooks],
    user: Given[SignedInUser],
    user_id: FromPath[UUID],
) -> None:
    """Turn off the second factor of a user who has lost it; all their sessions end.

    They get an email. Turn off your own at `DELETE /api/auth/totp`.
    """
    await users.remove_second_factor(work, account_hooks, user, user_id)


@ROUTES.act("/api/users/{user_id:uuid}/verify-email", access=SystemAdmin())
async def mark_email_verified(
    work: Given[UnitOfWork], account_hooks: Given[AccountHooks], user_id: FromPath[UUID]
) -> AccountView:
    """Mark a user's email address as verified, if you know that it is theirs."""
    return account_view(await verify_email_of(work, account_hooks, user_id))


@ROUTES.get("/api/mails", access=SystemAdmin())
async def list_mails(
    platform: Given[Platform], db: Given[Connection], paging: Given[Paging]
) -> Listing[MailView]:
    """List the emails of the last 30 days, newest first; a sent one has no text any more."""
    return (await fetch_mails(db, platform.keyring, paging)).of(mail_view)
