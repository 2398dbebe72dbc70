"""Access to routes of institutions: operators, their roles, and API keys."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from litestar import Request
from litestar.connection import ASGIConnection

from licet_server.identity.access import (
    SystemAdmin,
    UserOnly,
    bearer_token,
    require_may_leave,
    require_system_admin,
    sends_token,
    store_user,
)
from licet_server.identity.rules.memberships import Role
from licet_server.identity.rules.users import Lasting
from licet_server.institutions import errors
from licet_server.institutions.rules.operators import Operator, Scope
from licet_server.institutions.service.api_keys import ApiKeyCaller, ApiKeyLookup, is_api_token
from licet_server.institutions.service.operators import OperatorLookup
from licet_server.kit.database import Connection
from licet_server.kit.limits import KeyLimits
from licet_server.kit.web import admission
from licet_server.kit.web.context import context_of

FindTarget = Callable[[Connection, Operator, UUID], Awaitable[object]]
"""Finds what a path names for the operator; refuses what they may not see or change."""

_BODY_METHODS = frozenset({"POST", "PUT"})


@dataclass(frozen=True)
class SignedIn(UserOnly):
    """Any operator with a valid access token, whatever their roles.

    An API key needs `scope`, or `other_scope` where two are accepted; without any, it is refused.
    """

    needed: Role = Role.VIEWER
    scope: Scope | None = None
    other_scope: Scope | None = None

    @property
    def scopes(self) -> tuple[Scope, ...]:
        """Return the scopes that open the route to an API key; none if API keys are refused."""
        return tuple(item for item in (self.scope, self.other_scope) if item is not None)

    @property
    def alternative_security(self) -> str | None:
        """Return the scheme of API keys, where they are accepted."""
        return "apiKey" if self.scopes else None

    def describe(self) -> str:
        """Return one line for the API page."""
        return f"Any signed-in operator{self.described_keys}."

    @property
    def described_keys(self) -> str:
        """Return the part of the line that says which API keys are accepted."""
        return f", or an API key with the scope {' or '.join(self.scopes)}" if self.scopes else ""

    async def admit(self, connection: ASGIConnection) -> None:  # type: ignore[type-arg]
        """Authenticate the bearer token: an access token, or an API key if a scope is declared.

        Raises:
            Refused: `Unauthorized`, `Forbidden`, `RateLimited`.
        """
        token = bearer_token(connection)
        if is_api_token(token):
            await self._admit_api_key(connection, token)
            return
        context = context_of(connection)
        look_up: OperatorLookup = connection.app.state["operators"]
        operator = await look_up.find(token, context.address, self.needed)
        store_user(connection, operator)
        operator.require_open()
        await require_may_leave(connection, operator, self.leaves)
        await _take_turn(connection, ("users", operator.user_id))

    async def _admit_api_key(self, connection: ASGIConnection, token: str) -> None:  # type: ignore[type-arg]
        caller = await _authenticate_api_key(connection, token, self.needed)
        if not self.scopes:
            raise errors.no_api_keys_here()
        if not any(map(caller.key.covers, self.scopes)):
            raise errors.scope_missing(*self.scopes)
        context = context_of(connection)
        context.caller = caller.operator
        context.actor_kind = "ApiKey"
        context.actor_id = caller.key.id
        context.actor_name = caller.key.name
        await require_may_leave(connection, caller.operator, self.leaves)
        await _take_turn(connection, ("API keys", caller.key.institution_id))


@dataclass(frozen=True)
class InstitutionRole(SignedIn):
    """An operator with at least the role `needed` in the institution that they act on.

    The use case checks the institution, through `Operator.authorize`. Requests that may have a body
    are checked here as well, so that its validation reveals nothing to those who may not send it.
    `finds` finds what the path names, where its IDs do not stand for what they usually do.
    """

    leaves: Lasting = field(default=Lasting.INSTITUTION, kw_only=True)
    finds: FindTarget | None = field(default=None, kw_only=True)

    async def admit(self, connection: ASGIConnection) -> None:  # type: ignore[type-arg]
        """Authenticate the token, and check the role before the body is read.

        Raises:
            Refused: `Unauthorized`, `Forbidden`, `RateLimited`, `NotFound`.
        """
        await SignedIn.admit(self, connection)
        if connection.scope.get("method") not in _BODY_METHODS:
            return
        operator = _operator_of(connection)
        operator.require_role_somewhere()
        if not operator.has_role_everywhere:
            await _check_target(connection, operator, self.finds)

    def describe(self) -> str:
        """Return one line for the API page."""
        role = f"Requires the role {self.needed} or higher in the institution"
        return f"{role}{self.described_keys}."


@dataclass(frozen=True)
class AnyScope(InstitutionRole):
    """A role, or an API key with one of these scopes, whose route shows what the scope covers."""

    any_of: tuple[Scope, ...] = ()

    @property
    def scopes(self) -> tuple[Scope, ...]:
        """Return the scopes that open the route to an API key."""
        return self.any_of


@dataclass(frozen=True)
class InstitutionRoleOrReceiver(InstitutionRole):
    """A role in an institution, or being the end user of the license, as the use case decides."""

    def describe(self) -> str:
        """Return one line for the API page."""
        return f"{InstitutionRole.describe(self)} Also for the end user whose license it is."


@dataclass(frozen=True)
class MaybeSignedIn:
    """Anybody; a request with an access token is admitted as its operator."""

    leaves: Lasting = Lasting.ACCOUNT
    security: str | None = None
    alternative_security: str | None = None

    def describe(self) -> str:
        """Return one line for the API page."""
        return "Open to everybody; an access token, if one is sent, must be valid."

    async def admit(self, connection: ASGIConnection) -> None:  # type: ignore[type-arg]
        """Authenticate the bearer token, if there is one.

        Raises:
            Refused: `Unauthorized` for an invalid one; `Forbidden` for an API key.
        """
        if sends_token(connection):
            await SignedIn(leaves=self.leaves).admit(connection)


@dataclass(frozen=True)
class EndUser(SignedIn):
    """A signed-in user with a verified email address, whatever institutions they belong to.

    They receive licenses of vendors; see `receiver_of` for those that a session may see.
    """

    leaves: Lasting = field(default=Lasting.INSTITUTION, kw_only=True)

    def describe(self) -> str:
        """Return one line for the API page."""
        return "Requires a signed-in user with a verified email address, and shows what is theirs."

    async def admit(self, connection: ASGIConnection) -> None:  # type: ignore[type-arg]
        """Authenticate the access token.

        Raises:
            Refused: `Unauthorized`, `Forbidden`.
        """
        await SignedIn.admit(self, connection)
        _operator_of(connection).require_verified_email()


@dataclass(frozen=True)
class PortalReader(EndUser):
    """An end user, or an operator who looks at the portal as a customer, to read only."""

    def describe(self) -> str:
        """Return one line for the API page."""
        return f"{EndUser.describe(self)} Also for a look at the portal as a customer."

    async def admit(self, connection: ASGIConnection) -> None:  # type: ignore[type-arg]
        """Authenticate an access token or, for a GET request, the token of a look at the portal.

        Raises:
            Refused: `Unauthorized`, `Forbidden`.
        """
        context = context_of(connection)
        look_up: OperatorLookup = connection.app.state["operators"]
        viewer = None
        if connection.scope.get("method") == "GET":
            viewer = await look_up.find_viewer(bearer_token(connection), context.address)
        if viewer is None:
            await EndUser.admit(self, connection)
            return
        store_user(connection, viewer.operator)
        context.caller = viewer.receiver
        await _take_turn(connection, ("users", viewer.operator.user_id))


@dataclass(frozen=True)
class SystemAdminOperator(SystemAdmin):
    """A system Admin as an operator, for routes of institutions."""

    async def admit(self, connection: ASGIConnection) -> None:  # type: ignore[type-arg]
        """Authenticate the access token.

        Raises:
            Refused: `Unauthorized`, `Forbidden`.
        """
        await SignedIn(leaves=self.leaves).admit(connection)
        require_system_admin(_operator_of(connection))


async def _check_target(
    connection: ASGIConnection,  # type: ignore[type-arg]
    operator: Operator,
    finds: FindTarget | None,
) -> None:
    """Check the role where the path names the target; operators may have several roles."""
    targets: Mapping[str, FindTarget] = connection.app.state["targets"]
    for name, value in connection.path_params.items():
        if (find := finds or targets.get(name)) is not None:
            async with context_of(connection).platform.database.looking_up() as db:
                await find(db, operator, value)
            return


async def refuse_api_key(connection: ASGIConnection, token: str) -> None:  # type: ignore[type-arg]
    """Refuse an API key on a route that is for users only; an invalid key is refused as such.

    Raises:
        Refused: `Unauthorized`, `Forbidden`, `RateLimited`.
    """
    if is_api_token(token):
        await _authenticate_api_key(connection, token, Role.VIEWER)
        raise errors.no_api_keys_here()


async def _take_turn(connection: ASGIConnection, lane: tuple[str, UUID]) -> None:  # type: ignore[type-arg]
    """Wait until a request without a body may be worked on; a body may come slowly."""
    if connection.scope.get("method") != "GET":
        return
    await admission.take(connection.app.state["queue"], context_of(connection), lane)


async def _authenticate_api_key(
    connection: ASGIConnection,  # type: ignore[type-arg]
    token: str,
    needed: Role,
) -> ApiKeyCaller:
    look_up: ApiKeyLookup = connection.app.state["api_keys"]
    caller = await look_up.find(token, context_of(connection).address, needed)
    if caller.rate_limit is not None:
        key_limits: KeyLimits = connection.app.state["key_limits"]
        await key_limits.take(f"api-key:{caller.key.id}", caller.rate_limit)
    return caller


def provide_operator(request: Request[Any, Any, Any]) -> Operator:
    """Return the operator that the route's access admitted."""
    return _operator_of(request)


def _operator_of(connection: ASGIConnection) -> Operator:  # type: ignore[type-arg]
    operator = context_of(connection).caller
    if not isinstance(operator, Operator):
        raise TypeError("this route does not admit operators")
    return operator


def operator_if_any(request: Request[Any, Any, Any]) -> Operator | None:
    """Return the operator on a route that admits others as well."""
    caller = context_of(request).caller
    return caller if isinstance(caller, Operator) else None
