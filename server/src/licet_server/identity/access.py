"""Access to routes of a user's own account, and of system Admins."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from litestar import Request
from litestar.connection import ASGIConnection

from licet_server.identity import errors
from licet_server.identity.rules.users import API_KEY_PREFIX, Lasting, SignedInUser, may_leave
from licet_server.identity.service import tokens
from licet_server.identity.service.sessions import authenticate_user
from licet_server.identity.service.users import ProviderAccounts
from licet_server.kit.web.context import context_of

RefuseApiKey = Callable[[ASGIConnection, str], Awaitable[None]]  # type: ignore[type-arg]
"""Refuses a bearer token that is an API key, and does nothing for other tokens.

`institutions.access` implements it; `app.py` wires it as `state["refuse_api_key"]`.
"""


_READING = frozenset({"GET", "HEAD"})


@dataclass(frozen=True)
class UserOnly:
    """A signed-in user, whatever institutions they belong to; API keys are refused.

    `leaves` says what outlives a request that changes something.
    """

    leaves: Lasting = field(default=Lasting.ACCOUNT, kw_only=True)

    security = "operatorToken"

    @property
    def alternative_security(self) -> str | None:
        """Return `None`: only an access token is accepted."""
        return None

    def describe(self) -> str:
        """Return one line for the API page."""
        return "Any signed-in operator."

    async def admit(self, connection: ASGIConnection) -> None:  # type: ignore[type-arg]
        """Authenticate the access token.

        Raises:
            Refused: `Unauthorized`; `Forbidden` or `RateLimited` for an API key.
        """
        token = bearer_token(connection)
        refuse_api_key: RefuseApiKey = connection.app.state["refuse_api_key"]
        await refuse_api_key(connection, token)
        platform = context_of(connection).platform
        async with platform.database.reading() as db:
            user = await authenticate_user(db, platform.keyring, platform.clock(), token)
        store_user(connection, user)
        await require_may_leave(connection, user, self.leaves)


@dataclass(frozen=True)
class SystemAdmin(UserOnly):
    """A user who administers the whole instance."""

    leaves: Lasting = field(default=Lasting.SERVICE, kw_only=True)

    def describe(self) -> str:
        """Return one line for the API page."""
        return "Requires a system Admin."

    async def admit(self, connection: ASGIConnection) -> None:  # type: ignore[type-arg]
        """Authenticate the access token.

        Raises:
            Refused: `Unauthorized`, `Forbidden`.
        """
        await UserOnly.admit(self, connection)
        require_system_admin(signed_in_user(connection))


@dataclass(frozen=True)
class StepUp:
    """A proof of identity within the last 15 minutes: what the route does is hard to undo."""

    always = True

    def describe(self) -> str:
        """Return one sentence for the API page."""
        return "A signed-in user needs a step-up."

    async def check(self, connection: ASGIConnection) -> None:  # type: ignore[type-arg]
        """Check the last proof of the session; API keys, where a scope admits them, need none.

        Raises:
            Refused: `StepUpRequired`.
        """
        signed_in_user(connection).require_proof(context_of(connection).platform.clock())


@dataclass(frozen=True)
class StepUpFor(StepUp):
    """A step-up for some requests; the use case knows which, and checks it."""

    what: str
    always = False

    def describe(self) -> str:
        """Return one sentence for the API page."""
        return f"A signed-in user needs a step-up to {self.what}."

    async def check(self, connection: ASGIConnection) -> None:  # type: ignore[type-arg]
        """Leave the check to the use case, which knows the body."""


def sends_token(connection: ASGIConnection) -> bool:  # type: ignore[type-arg]
    """Check whether the request has a credential of an operator, valid or not."""
    headers = context_of(connection).headers
    return b"authorization" in headers or bool(_api_key_in(headers))


def bearer_token(connection: ASGIConnection) -> str:  # type: ignore[type-arg]
    """Return the token in the Authorization header, or without it the API key in X-API-KEY.

    Raises:
        Refused: `Unauthorized` without one.
    """
    headers = context_of(connection).headers
    if b"authorization" not in headers and (token := _api_key_in(headers)):
        return token
    scheme, _, token = headers.get(b"authorization", b"").decode("latin-1").partition(" ")
    if scheme.lower() != "bearer" or not token:
        raise errors.unauthorized()
    return token.strip()


def _api_key_in(headers: Mapping[bytes, bytes]) -> str:
    """Return the API key in X-API-KEY; empty for a product key, which is sent there, too."""
    sent = headers.get(b"x-api-key", b"").decode("latin-1").strip()
    return sent if sent.startswith(API_KEY_PREFIX) else ""


def store_user(connection: ASGIConnection, user: SignedInUser) -> None:  # type: ignore[type-arg]
    """Make the user the caller of the request and the actor of its events."""
    context = context_of(connection)
    context.caller = user
    context.actor_kind = "User"
    context.actor_id = user.user_id
    context.actor_name = user.email
    context.of_instance = user.is_system_admin


async def require_may_leave(
    connection: ASGIConnection,  # type: ignore[type-arg]
    user: SignedInUser,
    lasting: Lasting,
) -> None:
    """Check that the credential of the user permits what would outlive the request.

    Raises:
        Refused: `Forbidden`.
    """
    if connection.scope.get("method") in _READING:
        return
    if may_leave(user.credential, lasting, exists_for_provider=False):
        return
    accounts: ProviderAccounts = connection.app.state["provider_accounts"]
    async with context_of(connection).platform.database.reading() as db:
        is_allowed = await accounts.may_leave(db, user, lasting)
    if not is_allowed:
        raise errors.own_sign_in_required()


def require_system_admin(user: SignedInUser) -> None:
    """Check that the user administers the instance.

    Raises:
        Refused: `Forbidden`.
    """
    if not user.is_system_admin:
        raise errors.system_admin_only()


def provide_user(request: Request[Any, Any, Any]) -> SignedInUser:
    """Return the user that the route's access admitted."""
    return signed_in_user(request)


def signed_in_user(connection: ASGIConnection) -> SignedInUser:  # type: ignore[type-arg]
    """Return the user that the route's access admitted.

    Raises:
        TypeError: the route does not admit users.
    """
    user = context_of(connection).caller
    if not isinstance(user, SignedInUser):
        raise TypeError("this route does not admit users")
    return user


def access_ends_at(connection: ASGIConnection) -> datetime:  # type: ignore[type-arg]
    """Return when the access token of an admitted user expires."""
    platform = context_of(connection).platform
    return tokens.access_ends_at(platform.keyring, platform.clock(), bearer_token(connection))
