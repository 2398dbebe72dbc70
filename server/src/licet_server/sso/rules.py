"""Connections of institutions to their identity providers, and the users of those."""

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from licet_server.events.rules.model import facts_of
from licet_server.identity.rules.memberships import Role
from licet_server.kit.emails import is_email, normal_email
from licet_server.kit.errors import FieldError, Refused
from licet_server.kit.outbound.targets import (
    Address,
    is_inner,
    is_public,
    literal_address,
    split_url,
)
from licet_server.kit.text import one_line
from licet_server.sso import errors

URL_MAX = 1_000


@dataclass(frozen=True, slots=True)
class AllowedProviders:
    """The targets allowed besides public addresses; plain http is for local ones only."""

    private: bool
    own_machine: bool

    def admits(self, address: Address) -> bool:
        """Check whether a connection to the address is allowed."""
        if is_public(address) or self.private:
            return True
        return self.own_machine and address.is_loopback

    def breach(self, url: str) -> str | None:
        """Return why the service refuses to call a URL, as far as the URL itself shows."""
        parts = split_url(url)
        if parts is None or len(url) > URL_MAX:
            return "must be a URL such as https://login.example.com, in ASCII."
        host = (parts.hostname or "").removesuffix(".")
        is_own = _is_own_machine(host)
        if parts.scheme != "https" and not (parts.scheme == "http" and is_own):
            return "must begin with https://."
        if "@" in parts.netloc or "#" in url:
            return "must not contain a user name, a password or a # part."
        if is_own and (self.own_machine or self.private):
            return None
        if is_inner(host) and not self.private:
            return "must point to a public address."
        return None


def _is_own_machine(host: str) -> bool:
    address = literal_address(host)
    return host.lower() == "localhost" if address is None else address.is_loopback


DOMAINS_MAX = 50
ROLES_MAX = 100
DOMAIN_TOKEN_LIFE = timedelta(days=7)
CLIENT_TEXT_MAX = 500

DOMAIN_MAILBOXES = ("admin", "administrator", "hostmaster", "postmaster", "webmaster")
"""The mailboxes that receive a token that confirms a domain.

Only those who run a domain read them. Any other mailbox may be anyone's, as at a mail provider, and
confirming a domain permits signing in as every user in it.
"""

_LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_DOMAIN = re.compile(rf"(?:{_LABEL}\.)+[a-z][a-z0-9-]{{0,61}}[a-z0-9]")


@dataclass(frozen=True, slots=True, kw_only=True)
class SsoConfiguration:
    """The connection of an institution to its identity provider.

    `client_secret` is sealed. Domains count once they are confirmed. `default_role` is for users
    whom no entry of `role_map` matches; without one, they are not admitted. Roles are never Owner.
    """

    institution_id: UUID
    id: UUID
    issuer: str
    client_id: str
    client_secret: bytes | None = field(default=None, repr=False)
    domains: tuple[str, ...]
    confirmed_domains: tuple[str, ...] = ()
    enforced: bool = False
    default_role: Role | None = None
    role_claim: str | None = None
    role_map: Mapping[str, Role] = field(default_factory=dict)
    updated_at: datetime

    @property
    def is_enforced(self) -> bool:
        """Return whether members have to sign in through the provider, once they can."""
        return self.enforced and bool(self.confirmed_domains)

    def facts(self) -> dict[str, object]:
        """Return the data of events; secrets are left out."""
        return facts_of(self, omit={"institution_id", "id", "client_secret", "updated_at"})


def normal_domain(text: str) -> str:
    """Return a domain in the form in which domains are compared."""
    return text.strip().lower().removesuffix(".")


def is_domain(text: str) -> bool:
    """Check whether the text is a domain in lower case, such as `example.com`."""
    return len(text) <= 253 and _DOMAIN.fullmatch(text) is not None


def domain_of(email: str) -> str:
    """Return the domain of an email address."""
    return normal_domain(email.rpartition("@")[2])


def configuration_breaches(
    configuration: SsoConfiguration, allowed: AllowedProviders
) -> Iterator[FieldError]:
    """Yield what is wrong with a configuration."""
    if (breach := issuer_breach(configuration.issuer, allowed)) is not None:
        yield FieldError("issuer", breach)
    if not configuration.domains:
        yield FieldError("domains", "must name at least one domain, such as example.com.")
    for place, domain in enumerate(configuration.domains):
        if not is_domain(domain):
            yield FieldError(f"domains[{place}]", "must be a domain such as example.com.")
    if configuration.default_role is Role.OWNER:
        yield FieldError("defaultRole", "cannot be Owner: only an Owner can make someone an Owner.")
    for value, role in configuration.role_map.items():
        if role is Role.OWNER:
            yield FieldError(
                f"roleMap.{value}", "cannot be Owner: only an Owner can make someone an Owner."
            )
    if configuration.role_map and not configuration.role_claim:
        yield FieldError("roleClaim", "is required with roleMap: the claim to look roles up in.")


def issuer_breach(issuer: str, allowed: AllowedProviders) -> str | None:
    """Return why a URL cannot be an issuer."""
    if "?" in issuer:
        return "must not contain a ? part."
    return allowed.breach(issuer)


ATTEMPT_LIFE = timedelta(minutes=10)
STATE_RANDOM_BYTES = 32
KEPT_WHILE_UNAVAILABLE = timedelta(hours=4)
"""The time that sessions outlive the last answer of a provider that is unavailable."""
CHECK_LEASE = timedelta(seconds=30)

_ID_BYTES = 16
_STATE = re.compile(r"[A-Za-z0-9_-]{64}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """A sign-in in progress: what was sent to the provider, which its answer has to match."""

    institution_id: UUID
    issuer: str
    nonce: str = field(repr=False)
    code_verifier: str = field(repr=False)


def state_of(institution_id: UUID, random_bytes: bytes) -> str:
    """Return a state that contains its institution, so that looking it up touches one tenant."""
    if len(random_bytes) != STATE_RANDOM_BYTES:
        raise ValueError(f"a state needs {STATE_RANDOM_BYTES} random bytes")
    return urlsafe_b64encode(institution_id.bytes + random_bytes).decode()


def institution_of_state(state: str) -> UUID | None:
    """Return the institution in a state or a domain token; `None` for other text."""
    if _STATE.fullmatch(state) is None:
        return None
    return UUID(bytes=urlsafe_b64decode(state)[:_ID_BYTES])


_NAME_MAX = 200
_SUBJECT_MAX = 255
_VALUES_MAX = 1_000


class ProviderFault(Exception):
    """A fault that ends a sign-in through a provider; `reason` is for programs."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason

    def refused(self) -> Refused:
        """Return the refusal of the sign-in."""
        return errors.not_admitted(self.reason)


class NotAdmitted(ProviderFault):
    """Claims of no user whom the institution admits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderUser:
    """A user whom the provider vouches for and the institution admits."""

    issuer: str
    subject: str
    email: str
    full_name: str
    role: Role
    role_is_mapped: bool
    seen_at: datetime | None


def provider_user_of(configuration: SsoConfiguration, claims: Mapping[str, Any]) -> ProviderUser:
    """Return the user that verified claims name.

    Raises:
        NotAdmitted: without an address in a confirmed domain, or without a role.
    """
    subject = claims.get("sub")
    if not isinstance(subject, str) or not 0 < len(subject) <= _SUBJECT_MAX or "\0" in subject:
        raise NotAdmitted("subject")
    email = claims.get("email")
    if not isinstance(email, str) or not is_email(normal_email(email)):
        raise NotAdmitted("email")
    email = normal_email(email)
    if claims.get("email_verified") in {False, "false"}:
        raise NotAdmitted("email_verified")
    if domain_of(email) not in configuration.confirmed_domains:
        raise NotAdmitted("domain")
    mapped = mapped_role(configuration, claims)
    role = mapped or configuration.default_role
    if role is None:
        raise NotAdmitted("role")
    return ProviderUser(
        issuer=configuration.issuer,
        subject=subject,
        email=email,
        full_name=_full_name(claims, email),
        role=role,
        role_is_mapped=bool(configuration.role_claim),
        seen_at=_instant(claims.get("auth_time")),
    )


def mapped_role(configuration: SsoConfiguration, claims: Mapping[str, Any]) -> Role | None:
    """Return the highest role that the claim gives."""
    values = claim_values(configuration.role_claim, claims)
    roles = {configuration.role_map[value] for value in values if value in configuration.role_map}
    return next((role for role in Role if role in roles), None)


def claim_values(name: str | None, claims: Mapping[str, Any]) -> Collection[str]:
    """Return the texts in a claim. A name with dots can be a path: `realm_access.roles`."""
    if name is None:
        return ()
    found: Any = claims.get(name)
    if found is None:
        found = claims
        for part in name.split("."):
            found = found.get(part) if isinstance(found, Mapping) else None
    if isinstance(found, str):
        return (found,)
    if isinstance(found, list):
        return [item for item in found[:_VALUES_MAX] if isinstance(item, str)]
    return ()


def _full_name(claims: Mapping[str, Any], email: str) -> str:
    parts = (claims.get("given_name"), claims.get("family_name"))
    composed = " ".join(item for item in parts if isinstance(item, str))
    for text in (claims.get("name"), composed, email.partition("@")[0]):
        if isinstance(text, str) and (name := one_line(text)[:_NAME_MAX].strip()):
            return name
    return email


def _instant(seconds: object) -> datetime | None:
    if isinstance(seconds, bool) or not isinstance(seconds, int | float):
        return None
    try:
        return datetime.fromtimestamp(seconds, UTC)
    except (OverflowError, ValueError, OSError):
        return None
