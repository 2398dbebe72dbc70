"""Passkeys, single sign-on, and second factors that institutions require.

Revision ID: 0009_companies
Revises: 0008_release_tokens
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0009_companies"
down_revision = "0008_release_tokens"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "passkey_challenges",
        sa.Column("challenge_hash", sa.LargeBinary(), nullable=False),
        sa.Column("purpose", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "(user_id IS NULL) = (purpose = 'SignIn')", name=op.f("passkey_challenges_user_check")
        ),
        sa.CheckConstraint(
            "purpose IN ('Register', 'SignIn', 'SecondFactor', 'StepUp')",
            name=op.f("passkey_challenges_purpose_check"),
        ),
        sa.ForeignKeyConstraint(
            ["user_id"],
            ["users.id"],
            name=op.f("passkey_challenges_user_id_fkey"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("challenge_hash", name=op.f("passkey_challenges_pkey")),
        info={"tenant": False},
    )
    op.create_index(
        op.f("passkey_challenges_expires_at_idx"),
        "passkey_challenges",
        ["expires_at"],
        unique=False,
    )
    op.create_index(
        op.f("passkey_challenges_user_id_idx"), "passkey_challenges", ["user_id"], unique=False
    )
    op.create_table(
        "passkeys",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("credential_id", sa.LargeBinary(), nullable=False),
        sa.Column("public_key", sa.LargeBinary(), nullable=False),
        sa.Column("sign_count", sa.BigInteger(), nullable=False),
        sa.Column(
            "transports", postgresql.JSONB(none_as_null=True, astext_type=sa.Text()), nullable=False
        ),
        sa.Column("backed_up", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("last_used_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("passkeys_user_id_fkey"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("passkeys_pkey")),
        sa.UniqueConstraint("credential_id", name=op.f("passkeys_credential_id_key")),
        info={"tenant": False},
    )
    op.create_index(op.f("passkeys_user_id_idx"), "passkeys", ["user_id"], unique=False)
    op.create_table(
        "sso_attempts",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("state_hash", sa.LargeBinary(), nullable=False),
        sa.Column("browser_hash", sa.LargeBinary(), nullable=False),
        sa.Column("issuer", sa.Text(), nullable=False),
        sa.Column("nonce", sa.Text(), nullable=False),
        sa.Column("code_verifier", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["institution_id"],
            ["institutions.id"],
            name=op.f("sso_attempts_institution_id_fkey"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("institution_id", "state_hash", name=op.f("sso_attempts_pkey")),
    )
    op.create_index(
        op.f("sso_attempts_expires_at_idx"), "sso_attempts", ["expires_at"], unique=False
    )
    op.create_table(
        "sso_connections",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("issuer", sa.Text(), nullable=False),
        sa.Column("client_id", sa.Text(), nullable=False),
        sa.Column("client_secret", sa.LargeBinary(), nullable=True),
        sa.Column(
            "domains", postgresql.JSONB(none_as_null=True, astext_type=sa.Text()), nullable=False
        ),
        sa.Column("enforced", sa.Boolean(), nullable=False),
        sa.Column("default_role", sa.Text(), nullable=True),
        sa.Column("role_claim", sa.Text(), nullable=True),
        sa.Column(
            "role_map", postgresql.JSONB(none_as_null=True, astext_type=sa.Text()), nullable=False
        ),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "default_role IN ('Admin', 'Member', 'Viewer')",
            name=op.f("sso_connections_default_role_check"),
        ),
        sa.ForeignKeyConstraint(
            ["institution_id"],
            ["institutions.id"],
            name=op.f("sso_connections_institution_id_fkey"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("institution_id", "id", name=op.f("sso_connections_pkey")),
        sa.UniqueConstraint("institution_id", name=op.f("sso_connections_institution_id_key")),
    )
    op.create_table(
        "sso_domain_tokens",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("token_hash", sa.LargeBinary(), nullable=False),
        sa.Column("domain", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["institution_id"],
            ["institutions.id"],
            name=op.f("sso_domain_tokens_institution_id_fkey"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint(
            "institution_id", "token_hash", name=op.f("sso_domain_tokens_pkey")
        ),
    )
    op.create_index(
        op.f("sso_domain_tokens_expires_at_idx"), "sso_domain_tokens", ["expires_at"], unique=False
    )
    op.create_table(
        "sso_domains",
        sa.Column("domain", sa.Text(), nullable=False),
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("confirmed_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["institution_id"],
            ["institutions.id"],
            name=op.f("sso_domains_institution_id_fkey"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("domain", name=op.f("sso_domains_pkey")),
        info={"tenant": False},
    )
    op.create_index(
        op.f("sso_domains_institution_id_idx"), "sso_domains", ["institution_id"], unique=False
    )
    op.create_table(
        "sso_identities",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("issuer", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["institution_id", "user_id"],
            ["memberships.institution_id", "memberships.user_id"],
            name=op.f("sso_identities_institution_id_user_id_fkey"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint(
            "institution_id", "issuer", "subject", name=op.f("sso_identities_pkey")
        ),
        sa.UniqueConstraint(
            "institution_id",
            "user_id",
            "issuer",
            name=op.f("sso_identities_institution_id_user_id_issuer_key"),
        ),
    )
    op.create_table(
        "sso_sign_ins",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("issuer", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("refresh_token", sa.LargeBinary(), nullable=True),
        sa.Column("admitted_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("asked_until", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["id"], ["sign_ins.id"], name=op.f("sso_sign_ins_id_fkey"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["institution_id"],
            ["institutions.id"],
            name=op.f("sso_sign_ins_institution_id_fkey"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("institution_id", "id", name=op.f("sso_sign_ins_pkey")),
    )
    op.create_index(op.f("sso_sign_ins_id_idx"), "sso_sign_ins", ["id"], unique=False)
    op.add_column(
        "institutions",
        sa.Column("sso_enforced", sa.Boolean(), server_default=sa.text("false"), nullable=False),
    )
    op.add_column(
        "institutions",
        sa.Column(
            "second_factor_required", sa.Boolean(), server_default=sa.text("false"), nullable=False
        ),
    )
    op.add_column(
        "sign_ins",
        sa.Column("has_used_factor", sa.Boolean(), server_default=sa.text("false"), nullable=False),
    )
    op.add_column("sign_ins", sa.Column("through_institution_id", sa.Uuid(), nullable=True))
    op.add_column(
        "users",
        sa.Column("has_passkey", sa.Boolean(), server_default=sa.text("false"), nullable=False),
    )


def downgrade() -> None:
    raise RuntimeError("Restore a backup of the earlier release instead.")
