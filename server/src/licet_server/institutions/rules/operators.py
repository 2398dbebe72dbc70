"""Who may do what: roles, and the operator that a request speaks for."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, TypeVar
from uuid import UUID

from licet_server.identity.errors import (
    address_not_in_institution,
    email_not_verified,
    forbidden,
    no_institution,
    scope_missing,
)
from licet_server.institutions.rules.api_keys import ApiKey, Scope
from licet_server.institutions.rules.ip_allow_list import is_admitted
from licet_server.kit.errors import Refused, not_found
from licet_server.kit.visibility import Visibility


class Role(StrEnum):
    """What a member may do in an institution; each role can do all that those after it can."""

    OWNER = "Owner"
    ADMIN = "Admin"
    MEMBER = "Member"
    VIEWER = "Viewer"

    def covers(self, needed: "Role") -> bool:
        """Whether this role may do what `needed` may."""
        order = list(Role)
        return order.index(self) <= order.index(needed)


class OfInstitution(Protocol):
    """Something that belongs to an institution."""

    @property
    def institution_id(self) -> UUID:
        """Whose it is."""
        ...


Thing = TypeVar("Thing", bound=OfInstitution)


@dataclass(frozen=True, slots=True)
class RoleGrant:
    """A role in an institution, which lets people in from the addresses in its list alone."""

    institution_id: UUID
    role: Role
    ip_allow_list: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Grants:
    """What a person, or the API key for him, can reach: roles, and what is assigned to a Member.

    `roles` holds the institutions that let him in, oldest membership first; `barred` those that
    do not, from his address.
    """

    roles: Mapping[UUID, Role]
    barred: frozenset[UUID] = frozenset()
    products: tuple[UUID, ...] = ()
    releases: tuple[UUID, ...] = ()


def grants_of(
    held: Sequence[RoleGrant],
    address: str,
    *,
    products: Sequence[UUID] = (),
    releases: Sequence[UUID] = (),
) -> Grants:
    """What these holdings open from an address; of two for an institution the later one counts."""
    by_institution = {item.institution_id: item for item in held}
    roles = {
        item.institution_id: item.role
        for item in by_institution.values()
        if is_admitted(item.ip_allow_list, address)
    }
    barred = frozenset(by_institution.keys() - roles.keys())
    return Grants(roles, barred, tuple(products), tuple(releases))


@dataclass(frozen=True, slots=True)
class Operator:
    """The person behind a request, or behind the API key of it, with the role that it takes."""

    user_id: UUID
    email: str
    sign_in_id: UUID
    is_system_admin: bool
    grants: Grants
    needed: Role
    email_verified: bool
    api_key: ApiKey | None = None

    @property
    def roles(self) -> Mapping[UUID, Role]:
        """His institutions, oldest membership first; for a system Admin, all institutions."""
        return self.grants.roles

    @property
    def visibility(self) -> Visibility:
        """The things he may see; all others do not exist for him."""
        narrowed = tuple(item for item, role in self.roles.items() if role is Role.MEMBER)
        return Visibility(
            institutions=tuple(item for item in self.roles if item not in narrowed),
            narrowed=narrowed,
            products=self.grants.products,
            releases=self.grants.releases,
        )

    def visibility_of(self, institution_id: UUID | None) -> Visibility:
        """The same in one institution, if it is named.

        Raises:
            Refused: `NotFound`, or `Forbidden` where the institution does not let him in from his
                address.
        """
        if institution_id is None:
            return self.visibility
        if institution_id not in self.roles:
            raise self.unseen("institution")
        return self.visibility.within(institution_id)

    def found(self, item: Thing | None, what: str) -> Thing:
        """What was looked for within his visibility, if he holds the role that the route asks for.

        Raises:
            Refused: `NotFound`, `Forbidden`.
        """
        if item is None:
            raise self.unseen(what)
        self.authorize(item.institution_id)
        return item

    def unseen(self, what: str) -> Refused:
        """The refusal of what he does not see: it may stand in an institution that bars him."""
        return address_not_in_institution(what) if self.grants.barred else not_found(what)

    def authorize(self, institution_id: UUID) -> None:
        """Check the role that the route asks for in an institution that he sees.

        Raises:
            Refused: `Forbidden`.
        """
        role = self.roles.get(institution_id)
        if role is None or not role.covers(self.needed):
            raise forbidden(self.needed)

    def authorized(self, institution_id: UUID | None) -> list[UUID]:
        """The institutions in which he holds the role that the route asks for, or the one named.

        Raises:
            Refused: `NotFound` for one that he does not see, `Forbidden` without the role.
        """
        if institution_id is not None:
            if institution_id not in self.roles:
                raise self.unseen("institution")
            self.authorize(institution_id)
            return [institution_id]
        found = [item for item, role in self.roles.items() if role.covers(self.needed)]
        if not found:
            raise forbidden(self.needed)
        return found

    def institution_for_new(self, given: UUID | None) -> UUID | None:
        """Where something new goes: the institution named, else that of the oldest membership.

        `None` when the named institution does not exist for him.

        Raises:
            Refused: `Forbidden` without the role there, or without any membership.
        """
        if given is None:
            if not self.roles:
                raise self.unseen("institution") if self.grants.barred else no_institution()
            given = next(iter(self.roles))
        if given not in self.roles:
            return None
        self.authorize(given)
        return given

    def require_scope(self, scope: Scope) -> None:
        """Check that the API key, where one acts for him, is good for that as well.

        Raises:
            Refused: `Forbidden`.
        """
        if self.api_key is not None and not self.api_key.covers(scope):
            raise scope_missing(scope)

    def require_verified_email(self) -> None:
        """Check that his address is known to be his.

        Raises:
            Refused: `Forbidden`.
        """
        if not self.email_verified:
            raise email_not_verified()
