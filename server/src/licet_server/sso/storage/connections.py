"""Queries of connections to identity providers and their domains."""

from collections.abc import Collection
from datetime import datetime
from uuid import UUID

from sqlalchemy import delete, func, insert, literal, select
from sqlalchemy.dialects.postgresql import ARRAY, aggregate_order_by
from sqlalchemy.dialects.postgresql import insert as upsert

from licet_server.kit.database import Connection, String
from licet_server.kit.rows import Rows
from licet_server.sso.rules.configuration import SsoConfiguration
from licet_server.sso.tables import sso_connections, sso_domain_tokens, sso_domains

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
