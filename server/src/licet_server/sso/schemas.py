"""Wire shapes of single sign-on."""

from collections.abc import Iterator
from datetime import datetime
from typing import Annotated, Any, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType

from licet_server.identity.rules.memberships import Role
from licet_server.identity.schemas.users import EmailAddress, Secret
from licet_server.kit.emails import read_email
from licet_server.kit.errors import FieldError
from licet_server.kit.web.body import Body, Change, given
from licet_server.kit.web.views import view_of
from licet_server.sso.rules import (
    CLIENT_TEXT_MAX,
    DOMAINS_MAX,
    ROLES_MAX,
    URL_MAX,
    SsoConfiguration,
    is_domain,
    normal_domain,
)
from licet_server.sso.service.connections import ConnectionDraft

ClientText = Annotated[str, Meta(min_length=1, max_length=CLIENT_TEXT_MAX)]
Domain = Annotated[str, Meta(min_length=3, max_length=253)]
Claim = Annotated[str, Meta(min_length=1, max_length=200)]
RoleMap: TypeAlias = Annotated[
    dict[Annotated[str, Meta(min_length=1, max_length=500)], Role], Meta(max_length=ROLES_MAX)
]


class SsoChange(Change):
    """A connection to an identity provider; absent fields stay unchanged."""

    issuer: Annotated[str, Meta(min_length=1, max_length=URL_MAX)] | UnsetType = UNSET
    client_id: ClientText | UnsetType = UNSET
    client_secret: ClientText | UnsetType | None = UNSET
    domains: Annotated[list[Domain], Meta(max_length=DOMAINS_MAX)] | UnsetType = UNSET
    enforced: bool | UnsetType = UNSET
    default_role: Role | UnsetType | None = UNSET
    role_claim: Claim | UnsetType | None = UNSET
    role_map: RoleMap | UnsetType | None = UNSET

    def draft(self) -> ConnectionDraft:
        """Return the changes to make."""
        changes: dict[str, Any] = given(self)
        has_secret = "client_secret" in changes
        secret = changes.pop("client_secret", None)
        if "domains" in changes:
            changes["domains"] = tuple(dict.fromkeys(map(normal_domain, changes["domains"])))
        if "role_map" in changes:
            changes["role_map"] = dict(changes["role_map"] or {})
        return ConnectionDraft(changes, has_secret, secret)


class SsoView(Struct, rename="camel"):
    """A connection to an identity provider.

    `confirmedDomains` are those of `domains` that count. Register `redirectUri` at the provider.
    `active`: members have to sign in through the provider, because `enforced` is set and a domain
    is confirmed.
    """

    issuer: str
    client_id: str
    has_client_secret: bool
    domains: list[str]
    confirmed_domains: list[str]
    enforced: bool
    active: bool
    default_role: Role | None
    role_claim: str | None
    role_map: dict[str, Role]
    redirect_uri: str
    updated_at: datetime


class DomainBody(Body):
    """A domain of the connection."""

    domain: Domain

    def breaches(self, now: datetime) -> Iterator[FieldError]:
        if self.domain and not is_domain(normal_domain(self.domain)):
            yield FieldError("domain", "must be a domain such as example.com.")


class DomainEmailBody(DomainBody):
    """A domain of the connection, and who is asked to confirm it."""

    email: EmailAddress

    def breaches(self, now: datetime) -> Iterator[FieldError]:
        yield from DomainBody.breaches(self, now)
        if self.email and read_email(self.email) is None:
            yield FieldError("email", "must be an email address.")


class DomainTokenBody(Body):
    """A token that was emailed to confirm a domain."""

    token: Secret


class ConfirmedDomainView(Struct, rename="camel"):
    """A domain that is confirmed."""

    domain: str


class SsoCheckView(Struct, rename="camel"):
    """The result of a check of the provider; `problem` says why it cannot be used."""

    usable: bool
    problem: str | None


def sso_view(configuration: SsoConfiguration, redirect_uri: str) -> SsoView:
    return view_of(
        SsoView,
        configuration,
        has_client_secret=configuration.client_secret is not None,
        active=configuration.is_enforced,
        role_map=dict(configuration.role_map),
        redirect_uri=redirect_uri,
    )
