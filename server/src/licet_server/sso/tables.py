"""Tables of connections to identity providers, confirmed domains, and sign-ins."""

from sqlalchemy import (
    Boolean,
    CheckConstraint,
    Column,
    ForeignKey,
    PrimaryKeyConstraint,
    Table,
    UniqueConstraint,
)

from licet_server.kit.database import (
    GLOBAL,
    REFERENCE,
    SEALED,
    Bytes,
    Id,
    Instant,
    String,
    belongs_to,
    metadata,
)
from licet_server.kit.stored_json import JsonOf

sso_connections = Table(
    "sso_connections",
    metadata,
    Column("institution_id", ForeignKey("institutions.id", ondelete="CASCADE"), nullable=False),
    Column("id", Id, nullable=False),
    Column("issuer", String, nullable=False),
    Column("client_id", String, nullable=False),
    Column("client_secret", Bytes, info=SEALED),
    Column("domains", JsonOf(list[str]), nullable=False),
    Column("enforced", Boolean, nullable=False),
    Column("default_role", String),
    Column("role_claim", String),
    Column("role_map", JsonOf(dict[str, str]), nullable=False),
    Column("updated_at", Instant, nullable=False),
    PrimaryKeyConstraint("institution_id", "id"),
    UniqueConstraint("institution_id"),
    CheckConstraint("default_role IN ('Admin', 'Member', 'Viewer')", name="default_role"),
)

sso_domains = Table(
    "sso_domains",
    metadata,
    Column("domain", String, primary_key=True),
    Column(
        "institution_id",
        ForeignKey("institutions.id", ondelete="CASCADE"),
        nullable=False,
        index=True,
    ),
    Column("confirmed_at", Instant, nullable=False),
    info=REFERENCE,
)
"""Confirmed domains, each of one institution."""

sso_domain_tokens = Table(
    "sso_domain_tokens",
    metadata,
    Column("institution_id", ForeignKey("institutions.id", ondelete="CASCADE"), nullable=False),
    Column("token_hash", Bytes, nullable=False),
    Column("domain", String, nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("expires_at", Instant, nullable=False, index=True),
    PrimaryKeyConstraint("institution_id", "token_hash"),
)

sso_attempts = Table(
    "sso_attempts",
    metadata,
    Column("institution_id", ForeignKey("institutions.id", ondelete="CASCADE"), nullable=False),
    Column("state_hash", Bytes, nullable=False),
    Column("browser_hash", Bytes, nullable=False),
    Column("issuer", String, nullable=False),
    Column("nonce", String, nullable=False),
    Column("code_verifier", String, nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("expires_at", Instant, nullable=False, index=True),
    PrimaryKeyConstraint("institution_id", "state_hash"),
)

sso_identities = Table(
    "sso_identities",
    metadata,
    Column("institution_id", Id, nullable=False),
    Column("issuer", String, nullable=False),
    Column("subject", String, nullable=False),
    Column("user_id", Id, nullable=False),
    Column("created_at", Instant, nullable=False),
    PrimaryKeyConstraint("institution_id", "issuer", "subject"),
    UniqueConstraint("institution_id", "user_id", "issuer"),
    belongs_to("user_id", "memberships.user_id"),
)
"""Users of a provider, linked to members. A removed member who returns is linked again."""

sso_sign_ins = Table(
    "sso_sign_ins",
    metadata,
    Column("institution_id", ForeignKey("institutions.id", ondelete="CASCADE"), nullable=False),
    Column("id", ForeignKey("sign_ins.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("issuer", String, nullable=False),
    Column("subject", String, nullable=False),
    Column("refresh_token", Bytes, info=SEALED),
    Column("admitted_at", Instant, nullable=False),
    Column("asked_until", Instant),
    PrimaryKeyConstraint("institution_id", "id"),
    info=GLOBAL,
)
"""Sessions that a provider opened, with the tokens to ask whether it still admits the user.

Until `asked_until`, one request asks it; others continue without asking.
"""
