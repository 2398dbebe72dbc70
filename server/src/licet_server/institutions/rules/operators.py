"""Authorization: grants of roles, and the operator behind a request."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Protocol, TypeVar
from uuid import UUID

from licet_server.identity.rules.memberships import (
    NO_SIGN_IN_RULES,
    Closure,
    Role,
    SessionTrust,
    SignInRules,
    closure_of,
)
from licet_server.identity.rules.users import SignedInUser
from licet_server.institutions.errors import (
    forbidden,
    institution_barred,
    institution_closed,
    no_institution,
    scope_missing,
    unseen_from_here,
    user_required,
)
from licet_server.institutions.rules.institutions import is_admitted
from licet_server.kit.errors import Refused, not_found
from licet_server.kit.visibility import Visibility


class Scope(StrEnum):
    """A purpose that an API key may be used for. A write scope includes the read scope."""

    LICENSES_READ = "Licenses.Read"
    LICENSES_WRITE = "Licenses.Write"
    ACTIVATIONS_READ = "Activations.Read"
    ACTIVATIONS_WRITE = "Activations.Write"
    PRODUCTS_READ = "Products.Read"
    PRODUCTS_WRITE = "Products.Write"
    RELEASES_READ = "Releases.Read"
    RELEASES_WRITE = "Releases.Write"
    METER_READ = "Meter.Read"
    METER_WRITE = "Meter.Write"
    STATISTICS_READ = "Statistics.Read"
    WEBHOOKS_READ = "Webhooks.Read"
    WEBHOOKS_WRITE = "Webhooks.Write"
    CUSTOMERS_READ = "Customers.Read"
    CUSTOMERS_WRITE = "Customers.Write"
    CONNECTORS_READ = "Connectors.Read"
    CONNECTORS_WRITE = "Connectors.Write"
    MEMBERS_READ = "Members.Read"
    MEMBERS_WRITE = "Members.Write"
    AUDIT_READ = "Audit.Read"


_WRITING = {
    Scope.LICENSES_READ: Scope.LICENSES_WRITE,
    Scope.ACTIVATIONS_READ: Scope.ACTIVATIONS_WRITE,
    Scope.PRODUCTS_READ: Scope.PRODUCTS_WRITE,
    Scope.RELEASES_READ: Scope.RELEASES_WRITE,
    Scope.METER_READ: Scope.METER_WRITE,
    Scope.WEBHOOKS_READ: Scope.WEBHOOKS_WRITE,
    Scope.CUSTOMERS_READ: Scope.CUSTOMERS_WRITE,
    Scope.CONNECTORS_READ: Scope.CONNECTORS_WRITE,
    Scope.MEMBERS_READ: Scope.MEMBERS_WRITE,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiKey:
    """A key of an institution. It can do what its scopes allow, and no more than its maker.

    `maker_id` is the user who created it, or who rotated it last.
    """

    institution_id: UUID
    id: UUID
    maker_id: UUID
    name: str
    description: str | None
    scopes: tuple[Scope, ...]
    ip_allow_list: tuple[str, ...]
    expires_at: datetime | None
    last_used_at: datetime | None = None
    created_at: datetime
    revoked_at: datetime | None = None

    def is_live(self, now: datetime) -> bool:
        """Check whether the key is neither revoked nor expired at `now`."""
        in_time = self.expires_at is None or now < self.expires_at
        return self.revoked_at is None and in_time

    def covers(self, needed: Scope) -> bool:
        """Check whether the key has the scope."""
        return needed in self.scopes or _WRITING.get(needed) in self.scopes

    def admits(self, address: str) -> bool:
        """Check whether the key may be used from the IP address; without a list, from any."""
        return is_admitted(self.ip_allow_list, address)


class OfInstitution(Protocol):
    """Something that belongs to an institution."""

    @property
    def institution_id(self) -> UUID:
        """Return the institution that it belongs to."""
        ...


Item = TypeVar("Item", bound=OfInstitution)


@dataclass(frozen=True, slots=True)
class RoleGrant:
    """A role in an institution, which may allow certain IP addresses and sessions only."""

    institution_id: UUID
    role: Role
    ip_allow_list: Sequence[str] = ()
    rules: SignInRules = NO_SIGN_IN_RULES


@dataclass(frozen=True, slots=True)
class Grants:
    """The access of an operator: roles, and the products and releases assigned to a Member.

    `roles` holds the institutions that allow the operator's IP address, oldest membership first;
    `barred` holds those that do not, `closed` those that require another way to sign in.
    """

    roles: Mapping[UUID, Role]
    barred: frozenset[UUID] = frozenset()
    closed: Mapping[UUID, Closure] = field(default_factory=dict)
    products: tuple[UUID, ...] = ()
    releases: tuple[UUID, ...] = ()


def grants_of(
    role_grants: Sequence[RoleGrant],
    address: str,
    trust: SessionTrust | None = None,
    *,
    products: Sequence[UUID] = (),
    releases: Sequence[UUID] = (),
) -> Grants:
    """Return what role grants permit from an IP address; the last one of an institution counts.

    API keys have no session, so `trust` is `None`: their makers proved who they are to create them.
    """
    by_institution = {item.institution_id: item for item in role_grants}
    closed = {} if trust is None else _closed(by_institution.values(), trust)
    roles = {
        item.institution_id: item.role
        for item in by_institution.values()
        if item.institution_id not in closed and is_admitted(item.ip_allow_list, address)
    }
    barred = frozenset(by_institution.keys() - roles.keys() - closed.keys())
    return Grants(
        roles=roles,
        barred=barred,
        closed=closed,
        products=tuple(products),
        releases=tuple(releases),
    )


def _closed(role_grants: Iterable[RoleGrant], trust: SessionTrust) -> dict[UUID, Closure]:
    found = {
        item.institution_id: closure_of(item.institution_id, item.role, item.rules, trust)
        for item in role_grants
    }
    return {item: closure for item, closure in found.items() if closure is not None}


@dataclass(frozen=True, slots=True, kw_only=True)
class Operator(SignedInUser):
    """The user behind a request, or behind its API key, with their access.

    `needed` is the role that the route requires. For an API key, `sign_in_id` is the key's ID.
    """

    grants: Grants
    needed: Role
    api_key: ApiKey | None = None

    @property
    def roles(self) -> Mapping[UUID, Role]:
        """Return the operator's institutions, oldest membership first; all for a system Admin."""
        return self.grants.roles

    @property
    def first_institution(self) -> UUID | None:
        """Return the institution of the oldest membership."""
        return next(iter(self.roles), None)

    @property
    def visibility(self) -> Visibility:
        """Return what the operator may see; everything else does not exist for them."""
        narrowed = tuple(item for item, role in self.roles.items() if role is Role.MEMBER)
        return Visibility(
            institutions=tuple(item for item in self.roles if item not in narrowed),
            narrowed=narrowed,
            products=self.grants.products,
            releases=self.grants.releases,
        )

    @property
    def receiving(self) -> tuple[UUID, ...]:
        """Return the institutions for which the operator sees what vendors license to them.

        A Member sees only what is assigned to them, and received licenses cannot be assigned.
        """
        return tuple(item for item, role in self.roles.items() if role is not Role.MEMBER)

    def visibility_of(self, institution_id: UUID | None) -> Visibility:
        """Return what the operator may see, limited to one institution if it is given.

        Raises:
            Refused: `NotFound`, or `Forbidden` if the institution bars the operator's IP address.
        """
        if institution_id is None:
            return self.visibility
        if institution_id not in self.roles:
            raise self._unseen_institution(institution_id)
        return self.visibility.within(institution_id)

    def found(self, item: Item | None, what: str) -> Item:
        """Return the item that was looked up within the visibility, after a check of the role.

        Raises:
            Refused: `NotFound`, `Forbidden`.
        """
        if item is None:
            raise self.unseen(what)
        self.authorize(item.institution_id)
        return item

    def unseen(self, what: str) -> Refused:
        """Return the refusal of what is not visible, possibly because an institution is barred."""
        if self.grants.barred:
            return unseen_from_here(what, is_anything_seen=bool(self.roles))
        for closure in self.grants.closed.values():
            return institution_closed(closure)
        return not_found(what)

    def _unseen_institution(self, institution_id: UUID) -> Refused:
        if (closure := self.grants.closed.get(institution_id)) is not None:
            return institution_closed(closure)
        barred = institution_id in self.grants.barred
        return institution_barred() if barred else not_found("institution")

    def authorize(self, institution_id: UUID) -> None:
        """Check the role that the route requires, in an institution that the operator sees.

        Raises:
            Refused: `Forbidden`.
        """
        role = self.roles.get(institution_id)
        if role is None or not role.covers(self.needed):
            raise forbidden(self.needed)

    def authorized(self, institution_id: UUID | None) -> list[UUID]:
        """Return the given institution, or all in which the operator has the required role.

        Raises:
            Refused: `NotFound` for one the operator does not see, `Forbidden` without the role;
                `SsoRequired` as for `require_role_somewhere`.
        """
        if institution_id is not None:
            if institution_id not in self.roles:
                raise self._unseen_institution(institution_id)
            self.authorize(institution_id)
            return [institution_id]
        self.require_role_somewhere()
        return [item for item, role in self.roles.items() if role.covers(self.needed)]

    def require_open(self) -> None:
        """Check that the session has access to an institution, if the operator belongs to any.

        Raises:
            Refused: `SsoRequired`, `Forbidden`.
        """
        if not self.roles and self.grants.closed:
            raise institution_closed(next(iter(self.grants.closed.values())))

    @property
    def has_role_everywhere(self) -> bool:
        """Return whether the operator has the required role in all their institutions."""
        return all(role.covers(self.needed) for role in self.roles.values())

    def require_role_somewhere(self) -> None:
        """Check that the operator has the role that the route requires in any institution.

        Raises:
            Refused: `Forbidden`.
        """
        if any(role.covers(self.needed) for role in self.roles.values()):
            return
        if self.grants.barred or self.grants.closed:
            raise self.unseen("institution")
        raise forbidden(self.needed) if self.roles else no_institution()

    def is_admin_of(self, institution_id: UUID) -> bool:
        """Check whether the operator is Owner or Admin of the institution."""
        role = self.roles.get(institution_id)
        return role is not None and role.covers(Role.ADMIN)

    def institution_for_new(self, given: UUID | None) -> UUID | None:
        """Return where to create something: the given institution, or the oldest membership's.

        `None` if the operator does not see the given institution.

        Raises:
            Refused: `Forbidden` without the role there, or without any membership.
        """
        if given is None:
            if not self.roles:
                if self.grants.barred or self.grants.closed:
                    raise self.unseen("institution")
                raise no_institution()
            given = next(iter(self.roles))
        if given not in self.roles:
            return None
        self.authorize(given)
        return given

    def giver(self, role: Role) -> Role:
        """Return the role whose powers over members the operator has, given their own.

        Owners prove who they are before they make someone an Owner, which an API key cannot. So
        the key of an Owner has the powers of an Admin.
        """
        return Role.ADMIN if self.api_key is not None and role is Role.OWNER else role

    def require_user(self, what: str) -> None:
        """Check that a user acts in a session of their own, not through an API key.

        Raises:
            Refused: `Forbidden`.
        """
        if self.api_key is not None:
            raise user_required(what)

    def require_scope(self, scope: Scope) -> None:
        """Check that the API key of the request, if there is one, has a further scope.

        Raises:
            Refused: `Forbidden`.
        """
        if not self.covers(scope):
            raise scope_missing(scope)

    def covers(self, scope: Scope) -> bool:
        """Check whether the API key of the request, if there is one, has a further scope."""
        return self.api_key is None or self.api_key.covers(scope)
