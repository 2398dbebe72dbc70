"""Queries of sign-ins through identity providers: attempts, links to members, and sessions."""

from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from sqlalchemy import ColumnElement, and_, delete, insert, or_, select, update

from licet_server.kit.database import Connection
from licet_server.kit.rows import Rows, refuse_violations
from licet_server.sso.errors import not_admitted
from licet_server.sso.rules.configuration import Attempt
from licet_server.sso.tables import (
    sso_attempts,
    sso_domain_tokens,
    sso_identities,
    sso_sign_ins,
)


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
