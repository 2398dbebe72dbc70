"""Queries of connections to identity providers, their domains, and sign-ins through them."""

from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from sqlalchemy import ColumnElement, and_, delete, func, insert, literal, or_, select, update
from sqlalchemy.dialects.postgresql import ARRAY, aggregate_order_by
from sqlalchemy.dialects.postgresql import insert as upsert

from licet_server.kit.database import Connection, String
from licet_server.kit.rows import Rows, refuse_violations
from licet_server.sso.errors import not_admitted
from licet_server.sso.rules import Attempt, SsoConfiguration
from licet_server.sso.tables import (
    sso_attempts,
    sso_connections,
    sso_domain_tokens,
    sso_domains,
    sso_identities,
    sso_sign_ins,
)

_CONFIRMED = (
    select(func.array_agg(aggregate_order_by(sso_domains.c.domain, sso_domains.c.domain)))
    .where(sso_domains.c.institution_id == sso_connections.c.institution_id)
    .correlate(sso_connections)
    .scalar_subquery()
)
CONNECTIONS = Rows[SsoConfiguration, UUID](
    sso_connections,
    SsoConfiguration,
    lambda institution_id: sso_connections.c.institution_id == institution_id,
    computed={"confirmed_domains": func.coalesce(_CONFIRMED, literal([], ARRAY(String)))},
)


async def fetch_connection(db: Connection, institution_id: UUID) -> SsoConfiguration | None:
    of_institution = sso_connections.c.institution_id == institution_id
    return await CONNECTIONS.one(db, CONNECTIONS.select(of_institution))


async def fetch_connection_of_domain(db: Connection, domain: str) -> SsoConfiguration | None:
    """Fetch the connection of the institution that has confirmed a domain."""
    is_confirmed = sso_domains.c.institution_id == sso_connections.c.institution_id
    statement = CONNECTIONS.select(sso_domains.c.domain == domain).join(sso_domains, is_confirmed)
    return await CONNECTIONS.one(db, statement)


async def save_connection(db: Connection, configuration: SsoConfiguration) -> None:
    """Store a connection, whether the institution has one already or not."""
    key = [sso_connections.c.institution_id, sso_connections.c.id]
    stored, changed = CONNECTIONS.values(configuration), CONNECTIONS.changes(configuration)
    statement = upsert(sso_connections).values(stored)
    await db.execute(statement.on_conflict_do_update(index_elements=key, set_=changed))


async def delete_connection(db: Connection, institution_id: UUID) -> None:
    """Delete a connection and give up its domains."""
    for table in (sso_domain_tokens, sso_domains, sso_connections):
        await db.execute(delete(table).where(table.c.institution_id == institution_id))


async def confirm_domain(
    db: Connection, institution_id: UUID, domain: str, now: datetime
) -> UUID | None:
    """Confirm a domain unless it is taken; returns the institution that has it."""
    await db.execute(
        upsert(sso_domains)
        .values(domain=domain, institution_id=institution_id, confirmed_at=now)
        .on_conflict_do_nothing()
    )
    statement = select(sso_domains.c.institution_id).where(sso_domains.c.domain == domain)
    holder: UUID | None = (await db.execute(statement)).scalar_one_or_none()
    return holder


async def keep_domains(db: Connection, institution_id: UUID, domains: Collection[str]) -> None:
    """Give up all confirmed domains and tokens of the institution but those."""
    for column in (sso_domains.c.domain, sso_domain_tokens.c.domain):
        table = column.table
        await db.execute(
            delete(table).where(
                table.c.institution_id == institution_id, column.not_in(list(domains))
            )
        )


async def insert_domain_token(
    db: Connection,
    *,
    institution_id: UUID,
    token_hash: bytes,
    domain: str,
    now: datetime,
    expires_at: datetime,
) -> None:
    await db.execute(
        insert(sso_domain_tokens).values(
            institution_id=institution_id,
            token_hash=token_hash,
            domain=domain,
            created_at=now,
            expires_at=expires_at,
        )
    )


async def use_domain_token(
    db: Connection, institution_id: UUID, token_hash: bytes, now: datetime
) -> str | None:
    """Delete the token and return its domain; of concurrent callers exactly one gets it."""
    statement = (
        delete(sso_domain_tokens)
        .where(
            sso_domain_tokens.c.institution_id == institution_id,
            sso_domain_tokens.c.token_hash == token_hash,
            sso_domain_tokens.c.expires_at > now,
        )
        .returning(sso_domain_tokens.c.domain)
    )
    domain: str | None = (await db.execute(statement)).scalar_one_or_none()
    return domain


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderSession:
    """A session that a provider opened; `refresh_token` is sealed."""

    institution_id: UUID
    id: UUID
    issuer: str
    subject: str
    refresh_token: bytes | None = field(repr=False)
    admitted_at: datetime


SESSIONS = Rows[ProviderSession, UUID](
    sso_sign_ins,
    ProviderSession,
    lambda institution_id: sso_sign_ins.c.institution_id == institution_id,
)


async def insert_attempt(
    db: Connection,
    attempt: Attempt,
    *,
    state_hash: bytes,
    browser_hash: bytes,
    now: datetime,
    expires_at: datetime,
) -> None:
    await db.execute(
        insert(sso_attempts).values(
            institution_id=attempt.institution_id,
            state_hash=state_hash,
            browser_hash=browser_hash,
            issuer=attempt.issuer,
            nonce=attempt.nonce,
            code_verifier=attempt.code_verifier,
            created_at=now,
            expires_at=expires_at,
        )
    )


async def take_attempt(
    db: Connection, institution_id: UUID, state_hash: bytes, browser_hash: bytes, now: datetime
) -> Attempt | None:
    """Delete the attempt and return it; of concurrent callers exactly one gets it."""
    statement = (
        delete(sso_attempts)
        .where(
            sso_attempts.c.institution_id == institution_id,
            sso_attempts.c.state_hash == state_hash,
            sso_attempts.c.browser_hash == browser_hash,
            sso_attempts.c.expires_at > now,
        )
        .returning(
            sso_attempts.c.institution_id,
            sso_attempts.c.issuer,
            sso_attempts.c.nonce,
            sso_attempts.c.code_verifier,
        )
    )
    row = (await db.execute(statement)).one_or_none()
    return None if row is None else Attempt(**row._mapping)


async def delete_expired(db: Connection, now: datetime) -> int:
    """Delete expired attempts and domain tokens; returns how many."""
    total = 0
    for table in (sso_attempts, sso_domain_tokens):
        total += (await db.execute(delete(table).where(table.c.expires_at <= now))).rowcount
    return total


async def fetch_linked_user(
    db: Connection, institution_id: UUID, issuer: str, subject: str
) -> UUID | None:
    """Fetch the member to whom a user of the provider is linked."""
    statement = select(sso_identities.c.user_id).where(
        sso_identities.c.institution_id == institution_id,
        sso_identities.c.issuer == issuer,
        sso_identities.c.subject == subject,
    )
    user_id: UUID | None = (await db.execute(statement)).scalar_one_or_none()
    return user_id


async def link_user(
    db: Connection,
    *,
    institution_id: UUID,
    issuer: str,
    subject: str,
    user_id: UUID,
    now: datetime,
) -> None:
    """Link a user of the provider to a member.

    Raises:
        Refused: `Forbidden` if the member is linked to another user of the provider.
    """
    with refuse_violations({}, lambda: not_admitted("linked")):
        await db.execute(
            insert(sso_identities).values(
                institution_id=institution_id,
                issuer=issuer,
                subject=subject,
                user_id=user_id,
                created_at=now,
            )
        )


async def claim_session(
    db: Connection, institution_id: UUID, sign_in_id: UUID, now: datetime, until: datetime
) -> ProviderSession | None:
    """Let one caller ask the provider; the others get `None` until it has answered."""
    is_free = or_(sso_sign_ins.c.asked_until.is_(None), sso_sign_ins.c.asked_until <= now)
    statement = (
        update(sso_sign_ins)
        .where(_is(institution_id, sign_in_id), is_free)
        .values(asked_until=until)
        .returning(*SESSIONS.columns)
    )
    row = (await db.execute(statement)).one_or_none()
    return None if row is None else SESSIONS.item(row)


async def session_exists(db: Connection, institution_id: UUID, sign_in_id: UUID) -> bool:
    statement = select(sso_sign_ins.c.id).where(_is(institution_id, sign_in_id))
    return (await db.execute(statement)).first() is not None


async def release_session(db: Connection, institution_id: UUID, sign_in_id: UUID) -> None:
    """Let the next request ask again."""
    await db.execute(
        update(sso_sign_ins).where(_is(institution_id, sign_in_id)).values(asked_until=None)
    )


async def save_admission(
    db: Connection,
    institution_id: UUID,
    sign_in_id: UUID,
    *,
    refresh_token: bytes,
    now: datetime,
) -> None:
    await db.execute(
        update(sso_sign_ins)
        .where(_is(institution_id, sign_in_id))
        .values(refresh_token=refresh_token, admitted_at=now, asked_until=None)
    )


def _is(institution_id: UUID, sign_in_id: UUID) -> ColumnElement[bool]:
    return and_(sso_sign_ins.c.institution_id == institution_id, sso_sign_ins.c.id == sign_in_id)
