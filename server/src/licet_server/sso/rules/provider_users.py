"""Users of a provider, read from its claims, and the roles that the claims give them."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from licet_server.identity.rules.memberships import Role
from licet_server.kit.emails import is_email, normal_email
from licet_server.kit.text import one_line
from licet_server.sso.rules.configuration import SsoConfiguration, domain_of

_NAME_MAX = 200
_SUBJECT_MAX = 255
_VALUES_MAX = 1_000


class NotAdmitted(Exception):
    """Claims of no user whom the institution admits; `reason` is for programs."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


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
