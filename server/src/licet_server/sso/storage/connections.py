"""Queries on connections to identity providers and their domains."""

from collections.abc import Collection
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Row, delete, func, insert, select
from sqlalchemy.dialects.postgresql import aggregate_order_by
from sqlalchemy.dialects.postgresql import insert as upsert

from licet_server.identity.rules.memberships import Role
from licet_server.kit.database import Connection
from licet_server.sso.rules.configuration import SsoConfiguration
from licet_server.sso.tables import sso_connections, sso_domain_tokens, sso_domains

_CONFIRMED = (
    select(func.array_agg(aggregate_order_by(sso_domains.c.domain, sso_domains.c.domain)))
    .where(sso_domains.c.institution_id == sso_connections.c.institution_id)
    .correlate(sso_connections)
    .scalar_subquery()
    .label("confirmed_domains")
)


async def fetch_connection(db: Connection, institution_id: UUID) -> SsoConfiguration | None:
    statement = select(sso_connections, _CONFIRMED).where(
        sso_connections.c.institution_id == institution_id
    )
    row = (await db.execute(statement)).one_or_none()
    return None if row is None else _configuration(row)


async def fetch_connection_of_domain(db: Connection, domain: str) -> SsoConfiguration | None:
    """The connection of the institution that has confirmed a domain."""
    statement = (
        select(sso_connections, _CONFIRMED)
        .join(sso_domains, sso_domains.c.institution_id == sso_connections.c.institution_id)
        .where(sso_domains.c.domain == domain)
    )
    row = (await db.execute(statement)).one_or_none()
    return None if row is None else _configuration(row)


async def save_connection(db: Connection, configuration: SsoConfiguration) -> None:
    values = {
        "issuer": configuration.issuer,
        "client_id": configuration.client_id,
        "client_secret": configuration.sealed_secret,
        "domains": list(configuration.domains),
        "enforced": configuration.enforced,
        "default_role": configuration.default_role,
        "role_claim": configuration.role_claim,
        "role_map": dict(configuration.role_map),
        "updated_at": configuration.updated_at,
    }
    statement = upsert(sso_connections).values(
        institution_id=configuration.institution_id, id=configuration.id, **values
    )
    await db.execute(
        statement.on_conflict_do_update(
            index_elements=[sso_connections.c.institution_id, sso_connections.c.id], set_=values
        )
    )


async def delete_connection(db: Connection, institution_id: UUID) -> None:
    """Delete a connection and give up its domains."""
    for table in (sso_domain_tokens, sso_domains, sso_connections):
        await db.execute(delete(table).where(table.c.institution_id == institution_id))


async def confirm_domain(
    db: Connection, institution_id: UUID, domain: str, now: datetime
) -> UUID | None:
    """Confirm a domain that nobody has; returns the institution that has it in the end."""
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


def _configuration(row: Row[Any]) -> SsoConfiguration:
    return SsoConfiguration(
        institution_id=row.institution_id,
        id=row.id,
        issuer=row.issuer,
        client_id=row.client_id,
        sealed_secret=row.client_secret,
        domains=tuple(row.domains),
        confirmed_domains=tuple(row.confirmed_domains or ()),
        enforced=row.enforced,
        default_role=None if row.default_role is None else Role(row.default_role),
        role_claim=row.role_claim,
        role_map={value: Role(role) for value, role in row.role_map.items()},
        updated_at=row.updated_at,
    )
