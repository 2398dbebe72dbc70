"""Access kinds that other features declare on their routes: an operator with a role."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from litestar import Request
from litestar.connection import ASGIConnection

from licet_server.identity import errors
from licet_server.identity.service import tokens
from licet_server.identity.service.sessions import authenticate
from licet_server.identity.service.tokens import is_api_token
from licet_server.institutions.rules.api_keys import Scope
from licet_server.institutions.rules.operators import Operator, Role
from licet_server.institutions.service.api_keys import authenticate_api_key
from licet_server.kit.limits import KeyLimits
from licet_server.kit.web.context import context_of


@dataclass(frozen=True, slots=True)
class SignedIn:
    """Any operator with a valid access token, whatever his roles."""

    needed: Role = Role.VIEWER
    scope: Scope | None = None
    security: str = "operatorToken"

    def describe(self) -> str:
        """One line for the API page."""
        return "Any signed-in operator."

    async def admit(self, connection: ASGIConnection) -> None:  # type: ignore[type-arg]
        """Authenticate the bearer token: of an operator, or of an API key where a scope is for it.

        Raises:
            Refused: `Unauthorized`, `Forbidden`, `RateLimited`.
        """
        context = context_of(connection)
        scheme, _, token = connection.headers.get("authorization", "").partition(" ")
        if scheme.lower() != "bearer" or not token:
            raise errors.unauthorized()
        if is_api_token(token.strip()):
            await self._admit_api_key(connection, token.strip())
            return
        platform = context.platform
        async with platform.database.reading() as db:
            operator = await authenticate(
                db, platform.keyring, platform.clock(), token.strip(), context.address, self.needed
            )
        context.caller = operator
        context.actor_kind = "User"
        context.actor_id = operator.user_id
        context.actor_name = operator.email

    async def _admit_api_key(self, connection: ASGIConnection, token: str) -> None:  # type: ignore[type-arg]
        context = context_of(connection)
        platform = context.platform
        caller = await authenticate_api_key(
            platform.database, platform.clock(), token, context.address, self.needed
        )
        key = caller.key
        if caller.rate_limit is not None:
            key_limits: KeyLimits = connection.app.state["key_limits"]
            await key_limits.take(f"api-key:{key.id}", caller.rate_limit)
        if self.scope is None:
            raise errors.no_api_keys_here()
        if not key.covers(self.scope):
            raise errors.scope_missing(self.scope)
        context.caller = caller.operator
        context.actor_kind = "ApiKey"
        context.actor_id = key.id
        context.actor_name = key.name


@dataclass(frozen=True, slots=True)
class InstitutionRole(SignedIn):
    """An operator who holds at least the role `needed` in the institution that he acts on.

    The use case names the institution, through `Operator.authorize`.
    """

    def describe(self) -> str:
        """One line for the API page."""
        keys = f", or an API key with the scope {self.scope}" if self.scope is not None else ""
        return f"Takes the role {self.needed} or higher in the institution{keys}."


@dataclass(frozen=True, slots=True)
class MaybeSignedIn:
    """Anybody; whoever sends an access token is admitted as the operator that it stands for."""

    security: str | None = None

    def describe(self) -> str:
        """One line for the API page."""
        return "Open to everybody; an access token that is sent must be a valid one."

    async def admit(self, connection: ASGIConnection) -> None:  # type: ignore[type-arg]
        """Authenticate the bearer token, if there is any.

        Raises:
            Refused: `Unauthorized` for one that is none; `Forbidden` for an API key.
        """
        if "authorization" in connection.headers:
            await SignedIn().admit(connection)


@dataclass(frozen=True, slots=True)
class EndUser(SignedIn):
    """A signed-in person whose address is known to be his, whatever institutions he is in."""

    def describe(self) -> str:
        """One line for the API page."""
        return "Takes a signed-in person with a verified e-mail address, and shows what is his."

    async def admit(self, connection: ASGIConnection) -> None:  # type: ignore[type-arg]
        """Authenticate the bearer token.

        Raises:
            Refused: `Unauthorized`, `Forbidden`.
        """
        await SignedIn.admit(self, connection)
        _operator_of(connection).require_verified_email()


@dataclass(frozen=True, slots=True)
class SystemAdmin(SignedIn):
    """An operator who looks after the whole instance."""

    def describe(self) -> str:
        """One line for the API page."""
        return "Takes a system Admin."

    async def admit(self, connection: ASGIConnection) -> None:  # type: ignore[type-arg]
        """Authenticate the bearer token.

        Raises:
            Refused: `Unauthorized`, `Forbidden`.
        """
        await SignedIn.admit(self, connection)
        if not _operator_of(connection).is_system_admin:
            raise errors.system_admin_only()


def access_ends_at(connection: ASGIConnection) -> datetime:  # type: ignore[type-arg]
    """When the access token expires by which an operator was admitted."""
    platform = context_of(connection).platform
    token = connection.headers.get("authorization", "").partition(" ")[2]
    return tokens.access_ends_at(platform.keyring, platform.clock(), token.strip())


def provide_operator(request: Request[Any, Any, Any]) -> Operator:
    """The operator whom the route's access admitted."""
    return _operator_of(request)


def _operator_of(connection: ASGIConnection) -> Operator:  # type: ignore[type-arg]
    operator = context_of(connection).caller
    if not isinstance(operator, Operator):
        raise TypeError("this route admits no operator")
    return operator


def operator_if_any(request: Request[Any, Any, Any]) -> Operator | None:
    """The operator on a route that admits others, too."""
    caller = context_of(request).caller
    return caller if isinstance(caller, Operator) else None
