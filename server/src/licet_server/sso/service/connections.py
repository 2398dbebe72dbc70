"""An institution's connection to its identity provider, and the domains of its users."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from licet_server.events.rules.kinds import EventKind
from licet_server.events.rules.model import differences
from licet_server.events.service.recording import record_event
from licet_server.identity.errors import invalid_link
from licet_server.identity.rules.memberships import Role
from licet_server.identity.service.throttling import (
    AttemptLimit,
    count_attempt,
    limit_failures,
    limits_of_emailed_token,
)
from licet_server.identity.service.tokens import digest
from licet_server.institutions.rules.institutions import Institution
from licet_server.institutions.rules.operators import Operator
from licet_server.institutions.service.institutions import fetch_institution, record_institution
from licet_server.institutions.service.members import enforce_sso, lock_institution
from licet_server.kit import limits, mail
from licet_server.kit.database import Connection
from licet_server.kit.errors import FieldError, Refused, bad_field, bad_fields
from licet_server.kit.keyring import Keyring
from licet_server.kit.mail import Email
from licet_server.kit.origin import Origin
from licet_server.kit.platform import Platform
from licet_server.kit.text import pasted_secret, quoted
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.sso import errors, storage
from licet_server.sso.rules import (
    DOMAIN_MAILBOXES,
    DOMAIN_TOKEN_LIFE,
    STATE_RANDOM_BYTES,
    AllowedProviders,
    SsoConfiguration,
    configuration_breaches,
    domain_of,
    institution_of_state,
    state_of,
)


def confirm_domain_email(
    email: str, address: str, token: str, *, domain: str, institution_name: str, requested_by: str
) -> Email:
    """Write the email with a token that confirms a domain; its names are untrusted."""
    return Email(
        email,
        f"Confirm the domain {domain} for single sign-on",
        (
            (
                f"{requested_by} asks that people with email addresses in {domain} sign in to "
                f"Licet through the identity provider of the institution "
                f"{quoted(institution_name)}."
            ),
            (
                "The operator of that provider can then sign in as any of them. If you run this "
                "domain and agree, open this link within seven days. It works once:"
            ),
            f"{address}/confirm-domain?token={token}",
            f"If the page asks for a code, enter this one: {token}",
            "If you did not expect this, ignore this email: nothing happens.",
        ),
    )


DOMAIN_EMAILS_PER_HOUR = 10


@dataclass(frozen=True, slots=True)
class ConnectionDraft:
    """A change by an Owner: the fields to change, named as in `SsoConfiguration`.

    `secret` is `None` to clear it; without `has_secret` it stays.
    """

    changes: Mapping[str, Any]
    has_secret: bool
    secret: str | None


async def find_connection(
    db: Connection, operator: Operator, institution_id: UUID
) -> SsoConfiguration | None:
    """Find the connection of an institution that the operator sees."""
    await fetch_institution(db, operator, institution_id)
    return await storage.fetch_connection(db, institution_id)


async def fetch_connection(
    db: Connection, operator: Operator, institution_id: UUID
) -> SsoConfiguration:
    """Fetch the connection of an institution that the operator sees and that has one."""
    found = await find_connection(db, operator, institution_id)
    if found is None:
        raise errors.not_connected()
    return found


async def save_connection(
    work: UnitOfWork,
    operator: Operator,
    institution_id: UUID,
    draft: ConnectionDraft,
    allowed: AllowedProviders,
) -> SsoConfiguration:
    """Connect a provider, or change the connection; omitted domains are given up.

    Raises:
        Refused: `NotFound`, `Forbidden`, `InvalidRequest`.
    """
    institution = await _lock(work, operator, institution_id)
    current = await storage.fetch_connection(work.db, institution_id)
    base = current or _new(work, institution_id, draft)
    changed = replace(base, **draft.changes, updated_at=work.now)
    if changed.issuer != base.issuer and not draft.has_secret and base.client_secret is not None:
        raise bad_field("clientSecret", "is required with another issuer, which has its own.")
    if draft.has_secret:
        changed = replace(changed, client_secret=_seal(work, changed, draft.secret))
    if breaches := list(configuration_breaches(changed, allowed)):
        raise bad_fields(breaches)
    await storage.save_connection(work.db, changed)
    await storage.keep_domains(work.db, institution_id, changed.domains)
    return await _settle(
        work, institution, current, has_new_secret=draft.has_secret and current is not None
    )


async def delete_connection(work: UnitOfWork, operator: Operator, institution_id: UUID) -> None:
    """Disconnect the provider: members sign in with their passwords again.

    Sessions that it opened end at their next refresh.
    """
    institution = await _lock(work, operator, institution_id)
    current = await storage.fetch_connection(work.db, institution_id)
    if current is None:
        raise errors.not_connected()
    await storage.delete_connection(work.db, institution_id)
    await enforce_sso(work, institution, enforced=False)
    await record_institution(
        work, EventKind.INSTITUTION_SSO_REMOVED, institution, differences(current.facts(), {})
    )


async def confirm_domain(
    work: UnitOfWork, operator: Operator, institution_id: UUID, domain: str
) -> SsoConfiguration:
    """Confirm a domain by the word of a system Admin; repeating it changes nothing.

    Raises:
        Refused: `NotFound`, `InvalidRequest` for a domain that the connection does not name,
            `Conflict` if another institution has it.
    """
    institution = await _lock(work, operator, institution_id)
    return await _confirm(work, institution, domain)


async def mail_confirmation(
    platform: Platform,
    origin: Origin,
    operator: Operator,
    institution_id: UUID,
    *,
    domain: str,
    email: str,
) -> None:
    """Email a token that confirms a domain to those who run it.

    Raises:
        Refused: `NotFound`, `Forbidden`, `InvalidRequest`, `RateLimited`.
    """
    async with platform.database.reading() as db:
        institution = await fetch_institution(db, operator, institution_id)
        current = await fetch_connection(db, operator, institution_id)
    if domain not in current.domains:
        raise _unnamed_domain()
    mailbox, _, host = email.partition("@")
    if host != domain or mailbox not in DOMAIN_MAILBOXES:
        allowed = ", ".join(f"{item}@{domain}" for item in DOMAIN_MAILBOXES)
        raise bad_field(
            "email", f"must be one of {allowed}: only the owner of a domain reads these."
        )
    limit = AttemptLimit(f"sso-domain:{institution_id}", DOMAIN_EMAILS_PER_HOUR, limits.HOUR)
    await count_attempt(platform, limit)
    token = state_of(institution_id, secrets.token_bytes(STATE_RANDOM_BYTES))
    async with platform.unit_of_work(origin) as work:
        await storage.insert_domain_token(
            work.db,
            institution_id=institution_id,
            token_hash=digest(token),
            domain=domain,
            now=work.now,
            expires_at=work.now + DOMAIN_TOKEN_LIFE,
        )
        message = confirm_domain_email(
            email,
            work.address,
            token,
            domain=domain,
            institution_name=institution.name,
            requested_by=operator.email,
        )
        await mail.write(work, message)
        await record_event(
            work,
            EventKind.INSTITUTION_SSO_DOMAIN_MAILED,
            institution_id=institution.id,
            subject_id=institution.id,
            data={
                "id": institution.id,
                "name": institution.name,
                "domain": domain,
                "email": email,
            },
        )


async def confirm_domain_by_token(platform: Platform, origin: Origin, token: str) -> str:
    """Confirm the domain that a token was emailed for; returns it.

    Raises:
        Refused: `Unauthorized`, `Conflict`, `RateLimited`.
    """
    async with limit_failures(platform, *limits_of_emailed_token(origin)):
        institution_id = institution_of_state(token)
        if institution_id is None:
            raise invalid_link()
        async with platform.unit_of_work(origin) as work:
            institution = await lock_institution(work, institution_id)
            domain = await storage.use_domain_token(
                work.db, institution_id, digest(token), work.now
            )
            if institution is None or domain is None:
                raise invalid_link()
            await _confirm(work, institution, domain)
    return domain


def open_secret(keyring: Keyring, configuration: SsoConfiguration) -> str | None:
    """Return the client secret of the service at the provider, if it has one."""
    if configuration.client_secret is None:
        return None
    return keyring.open(configuration.client_secret, _place(configuration)).decode()


def may_sign_in_as(configuration: SsoConfiguration, email: str) -> bool:
    """Check whether the provider is responsible for an email address."""
    return domain_of(email) in configuration.confirmed_domains


async def _lock(work: UnitOfWork, operator: Operator, institution_id: UUID) -> Institution:
    operator.authorized(institution_id)
    institution = await lock_institution(work, institution_id)
    if institution is None:
        raise operator.unseen("institution")
    return institution


def _new(work: UnitOfWork, institution_id: UUID, draft: ConnectionDraft) -> SsoConfiguration:
    missing = [
        FieldError(field, "is required.")
        for name, field in (("issuer", "issuer"), ("client_id", "clientId"), ("domains", "domains"))
        if not draft.changes.get(name)
    ]
    if missing:
        raise bad_fields(missing)
    return SsoConfiguration(
        institution_id=institution_id,
        id=work.new_id(),
        issuer=draft.changes["issuer"],
        client_id=draft.changes["client_id"],
        domains=(),
        default_role=Role.VIEWER,
        updated_at=work.now,
    )


async def _confirm(work: UnitOfWork, institution: Institution, domain: str) -> SsoConfiguration:
    current = await storage.fetch_connection(work.db, institution.id)
    if current is None:
        raise errors.not_connected()
    if domain not in current.domains:
        raise _unnamed_domain()
    holder = await storage.confirm_domain(work.db, institution.id, domain, work.now)
    if holder != institution.id:
        raise errors.domain_taken(domain)
    return await _settle(work, institution, current)


async def _settle(
    work: UnitOfWork,
    institution: Institution,
    before: SsoConfiguration | None,
    *,
    has_new_secret: bool = False,
) -> SsoConfiguration:
    """Bring the institution in line with its connection, and record what has changed."""
    after = await storage.fetch_connection(work.db, institution.id)
    if after is None:
        raise errors.not_connected()
    await enforce_sso(work, institution, enforced=after.is_enforced)
    changes = differences({} if before is None else before.facts(), after.facts())
    if has_new_secret:
        changes["clientSecret"] = ["...", "..."]
    if set(changes) == {"confirmedDomains"}:
        kind = EventKind.INSTITUTION_SSO_DOMAIN_CONFIRMED
        await record_institution(work, kind, institution, changes)
    elif changes:
        await record_institution(work, EventKind.INSTITUTION_SSO_CHANGED, institution, changes)
    return after


def _seal(work: UnitOfWork, configuration: SsoConfiguration, secret: str | None) -> bytes | None:
    if not secret:
        return None
    return work.keyring.seal(pasted_secret(secret).encode(), _place(configuration))


def _place(configuration: SsoConfiguration) -> str:
    return f"sso_connections.client_secret:{configuration.id}"


def _unnamed_domain() -> Refused:
    return bad_field("domain", "is not one of the domains of this connection. Add it first.")
