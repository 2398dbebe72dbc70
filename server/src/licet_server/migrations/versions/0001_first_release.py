"""The schema of the first release.

Revision ID: 0001_first_release
Revises:
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0001_first_release"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:  # noqa: PLR0915 - one statement for each table and index
    op.create_table(
        "idempotency_records",
        sa.Column("caller", sa.Text(), nullable=False),
        sa.Column("route", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("body_hash", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("status", sa.Integer(), nullable=True),
        sa.Column("answer", sa.LargeBinary(), nullable=True),
        sa.PrimaryKeyConstraint("caller", "route", "key", name=op.f("idempotency_records_pkey")),
    )
    op.create_table(
        "institutions",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("plan", sa.Text(), server_default=sa.text("'Unlimited'"), nullable=False),
        sa.Column("products_limit", sa.Integer(), nullable=True),
        sa.Column("licenses_limit", sa.Integer(), nullable=True),
        sa.Column(
            "ip_allow_list",
            postgresql.JSONB(none_as_null=True, astext_type=sa.Text()),
            server_default=sa.text("'[]'"),
            nullable=False,
        ),
        sa.Column(
            "expiry_reminder_days",
            postgresql.JSONB(none_as_null=True, astext_type=sa.Text()),
            server_default=sa.text("'[30, 7, 1]'"),
            nullable=False,
        ),
        sa.Column(
            "telemetry_retention_days", sa.Integer(), server_default=sa.text("90"), nullable=False
        ),
        sa.CheckConstraint(
            "plan IN ('Free', 'Pro', 'Unlimited')", name=op.f("institutions_plan_check")
        ),
        sa.CheckConstraint("licenses_limit >= 0", name=op.f("institutions_licenses_limit_check")),
        sa.CheckConstraint("products_limit >= 0", name=op.f("institutions_products_limit_check")),
        sa.CheckConstraint(
            "telemetry_retention_days BETWEEN 1 AND 3650",
            name=op.f("institutions_telemetry_retention_days_check"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("institutions_pkey")),
    )
    op.create_table(
        "mails",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("recipient", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("paragraphs", sa.LargeBinary(), nullable=True),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("attempts", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("sent_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint(
            "status IN ('Waiting', 'Sent', 'Failed')", name=op.f("mails_status_check")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("mails_pkey")),
    )
    op.create_index("mails_created_at_idx", "mails", ["created_at"], unique=False)
    op.create_index(
        "mails_due_idx",
        "mails",
        ["due_at"],
        unique=False,
        postgresql_where=sa.text("status = 'Waiting'"),
    )
    op.create_table(
        "meter_entries",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("license_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("sequence", sa.BigInteger(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("activation_id", sa.Uuid(), nullable=True),
        sa.Column("quantity", sa.BigInteger(), nullable=True),
        sa.Column("type", sa.Text(), nullable=False),
        sa.Column("amount", sa.Numeric(precision=24, scale=6), nullable=False),
        sa.Column("balance_after", sa.Numeric(precision=24, scale=6), nullable=False),
        sa.Column("unit_price", sa.Numeric(precision=24, scale=6), nullable=True),
        sa.Column("feature_name", sa.Text(), nullable=True),
        sa.Column("idempotency_key", sa.Text(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("external_reference", sa.Text(), nullable=True),
        sa.CheckConstraint(
            "CASE type WHEN 'Consume' THEN amount <= 0 WHEN 'Adjust' THEN amount <> 0 ELSE amount > 0 END",
            name=op.f("meter_entries_amount_check"),
        ),
        sa.CheckConstraint(
            "sequence IS NOT NULL OR (type = 'Consume' AND amount = 0)",
            name=op.f("meter_entries_refusal_check"),
        ),
        sa.CheckConstraint(
            "type IN ('InitialGrant', 'Consume', 'AdminGrant', 'Adjust') AND (type = 'Consume') = (feature_name IS NOT NULL AND quantity IS NOT NULL)",
            name=op.f("meter_entries_type_check"),
        ),
        sa.CheckConstraint("balance_after >= 0", name=op.f("meter_entries_balance_after_check")),
        sa.PrimaryKeyConstraint(
            "institution_id", "license_id", "id", name=op.f("meter_entries_pkey")
        ),
    )
    op.create_index(
        "meter_entries_created_idx",
        "meter_entries",
        ["created_at"],
        unique=False,
        postgresql_using="brin",
    )
    op.create_index(
        "meter_entries_idempotency_key",
        "meter_entries",
        ["institution_id", "license_id", "idempotency_key"],
        unique=True,
        postgresql_where=sa.text("idempotency_key IS NOT NULL"),
    )
    op.create_index(
        "meter_entries_sequence_key",
        "meter_entries",
        ["institution_id", "license_id", "sequence"],
        unique=True,
        postgresql_where=sa.text("sequence IS NOT NULL"),
    )
    op.create_table(
        "password_reset_requests",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("email", sa.Text(), nullable=False),
        sa.Column("requested_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("password_reset_requests_pkey")),
    )
    op.create_table(
        "portal_invitations",
        sa.Column("token_hash", sa.LargeBinary(), nullable=False),
        sa.Column("email", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("token_hash", name=op.f("portal_invitations_pkey")),
    )
    op.create_index(
        op.f("portal_invitations_email_idx"), "portal_invitations", ["email"], unique=False
    )
    op.create_index(
        op.f("portal_invitations_expires_at_idx"),
        "portal_invitations",
        ["expires_at"],
        unique=False,
    )
    op.create_table(
        "portal_requests",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("email", sa.Text(), nullable=False),
        sa.Column("requested_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("portal_requests_pkey")),
    )
    op.create_table(
        "rate_counters",
        sa.Column("bucket", sa.Text(), nullable=False),
        sa.Column("ends_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("bucket", "ends_at", name=op.f("rate_counters_pkey")),
        prefixes=["UNLOGGED"],
    )
    op.create_index("rate_counters_ends_at_idx", "rate_counters", ["ends_at"], unique=False)
    op.create_table(
        "setup_tokens",
        sa.Column("token_hash", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("token_hash", name=op.f("setup_tokens_pkey")),
    )
    op.create_table(
        "telemetry_device_months",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("product_id", sa.Uuid(), nullable=False),
        sa.Column("month", sa.Date(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("device", sa.LargeBinary(), nullable=False),
        sa.Column("license_id", sa.Uuid(), nullable=False),
        sa.Column("days", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint(
            "institution_id",
            "product_id",
            "month",
            "name",
            "device",
            "license_id",
            name=op.f("telemetry_device_months_pkey"),
        ),
        postgresql_with={"fillfactor": 70},
    )
    op.create_table(
        "telemetry_events",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("product_id", sa.Uuid(), nullable=False),
        sa.Column("license_id", sa.Uuid(), nullable=True),
        sa.Column("device", sa.LargeBinary(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("occurred_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("received_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column(
            "properties", postgresql.JSONB(none_as_null=True, astext_type=sa.Text()), nullable=False
        ),
        sa.PrimaryKeyConstraint("institution_id", "id", name=op.f("telemetry_events_pkey")),
    )
    op.create_index(
        "telemetry_events_name_idx",
        "telemetry_events",
        ["institution_id", "product_id", "name", "id"],
        unique=False,
    )
    op.create_index(
        "telemetry_events_product_idx",
        "telemetry_events",
        ["institution_id", "product_id", "id"],
        unique=False,
    )
    op.create_table(
        "telemetry_name_days",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("product_id", sa.Uuid(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("events", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint(
            "institution_id", "product_id", "day", "name", name=op.f("telemetry_name_days_pkey")
        ),
        postgresql_with={"fillfactor": 50},
    )
    op.create_table(
        "telemetry_tallies",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("product_id", sa.Uuid(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("events", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint(
            "institution_id", "product_id", "day", name=op.f("telemetry_tallies_pkey")
        ),
        postgresql_with={"fillfactor": 50},
    )
    op.create_table(
        "users",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("email", sa.Text(), nullable=False),
        sa.Column("email_verified_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("full_name", sa.Text(), nullable=False),
        sa.Column("password_hash", sa.Text(), nullable=False),
        sa.Column("is_system_admin", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("totp_secret", sa.LargeBinary(), nullable=True),
        sa.Column("totp_confirmed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("totp_last_step", sa.BigInteger(), nullable=True),
        sa.CheckConstraint(
            "totp_confirmed_at IS NULL OR totp_secret IS NOT NULL", name=op.f("users_totp_check")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("users_pkey")),
    )
    op.create_index("users_email_key", "users", [sa.literal_column("lower(email)")], unique=True)
    op.create_index(
        "users_email_start_idx",
        "users",
        [sa.literal_column("lower(email)").label("email")],
        unique=False,
        postgresql_ops={"email": "text_pattern_ops"},
    )
    op.create_index(
        "users_full_name_start_idx",
        "users",
        [sa.literal_column("lower(full_name)").label("full_name")],
        unique=False,
        postgresql_ops={"full_name": "text_pattern_ops"},
    )
    op.create_table(
        "api_keys",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("maker_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("description", sa.Text(), nullable=True),
        sa.Column(
            "scopes", postgresql.JSONB(none_as_null=True, astext_type=sa.Text()), nullable=False
        ),
        sa.Column(
            "ip_allow_list",
            postgresql.JSONB(none_as_null=True, astext_type=sa.Text()),
            nullable=False,
        ),
        sa.Column("token_hash", sa.LargeBinary(), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("last_used_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("revoked_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["institution_id"],
            ["institutions.id"],
            name=op.f("api_keys_institution_id_fkey"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["maker_id"], ["users.id"], name=op.f("api_keys_maker_id_fkey"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("institution_id", "id", name=op.f("api_keys_pkey")),
        sa.UniqueConstraint(
            "institution_id", "token_hash", name=op.f("api_keys_institution_id_token_hash_key")
        ),
    )
    op.create_index(op.f("api_keys_maker_id_idx"), "api_keys", ["maker_id"], unique=False)
    op.create_table(
        "audit_chains",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("secret", sa.LargeBinary(), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("seal", sa.LargeBinary(), nullable=False),
        sa.Column("mark", sa.LargeBinary(), nullable=False),
        sa.Column("sealed_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["institution_id"],
            ["institutions.id"],
            name=op.f("audit_chains_institution_id_fkey"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("institution_id", "id", name=op.f("audit_chains_pkey")),
        sa.UniqueConstraint("institution_id", name=op.f("audit_chains_institution_id_key")),
    )
    op.create_table(
        "event_topics",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("topic", sa.Text(), nullable=False),
        sa.Column("recorded_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["institution_id"],
            ["institutions.id"],
            name=op.f("event_topics_institution_id_fkey"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("institution_id", "topic", name=op.f("event_topics_pkey")),
    )
    op.create_table(
        "events",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("occurred_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("subject_id", sa.Uuid(), nullable=False),
        sa.Column("subject_name", sa.Text(), nullable=True),
        sa.Column("license_id", sa.Uuid(), nullable=True),
        sa.Column("product_id", sa.Uuid(), nullable=True),
        sa.Column(
            "data", postgresql.JSONB(none_as_null=True, astext_type=sa.Text()), nullable=False
        ),
        sa.Column(
            "changes", postgresql.JSONB(none_as_null=True, astext_type=sa.Text()), nullable=True
        ),
        sa.Column("actor_kind", sa.Text(), nullable=False),
        sa.Column("actor_id", sa.Uuid(), nullable=True),
        sa.Column("actor_name", sa.Text(), nullable=True),
        sa.Column("ip_address", sa.Text(), nullable=True),
        sa.Column("request_id", sa.Text(), nullable=True),
        sa.Column("dispatched", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("seal_number", sa.BigInteger(), nullable=True),
        sa.Column("seal", sa.LargeBinary(), nullable=True),
        sa.CheckConstraint(
            "(seal_number IS NULL) = (seal IS NULL)", name=op.f("events_seal_check")
        ),
        sa.ForeignKeyConstraint(
            ["institution_id"],
            ["institutions.id"],
            name=op.f("events_institution_id_fkey"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("institution_id", "id", name=op.f("events_pkey")),
    )
    op.create_index(
        "events_kind_idx", "events", ["institution_id", "kind", "occurred_at"], unique=False
    )
    op.create_index(
        "events_license_idx",
        "events",
        ["institution_id", "license_id", "id"],
        unique=False,
        postgresql_where=sa.text("license_id IS NOT NULL"),
    )
    op.create_index(
        "events_product_idx",
        "events",
        ["institution_id", "product_id", "occurred_at", "id"],
        unique=False,
        postgresql_where=sa.text("product_id IS NOT NULL"),
    )
    op.create_index(
        "events_seal_key",
        "events",
        ["institution_id", "seal_number"],
        unique=True,
        postgresql_where=sa.text("seal_number IS NOT NULL"),
    )
    op.create_index(
        "events_subject_idx", "events", ["institution_id", "subject_id", "id"], unique=False
    )
    op.create_index(
        "events_undispatched_idx",
        "events",
        ["id"],
        unique=False,
        postgresql_where=sa.text("NOT dispatched"),
    )
    op.create_index(
        "events_unsealed_idx",
        "events",
        ["institution_id", "id"],
        unique=False,
        postgresql_where=sa.text("seal_number IS NULL"),
    )
    op.create_table(
        "invitations",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("email", sa.Text(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("mailed_hash", sa.LargeBinary(), nullable=True),
        sa.Column("link_hash", sa.LargeBinary(), nullable=True),
        sa.Column("link_token", sa.LargeBinary(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("accepted_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("revoked_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint(
            "role IN ('Owner', 'Admin', 'Member', 'Viewer')", name=op.f("invitations_role_check")
        ),
        sa.CheckConstraint(
            "(accepted_at IS NULL AND revoked_at IS NULL) OR (mailed_hash IS NULL AND link_hash IS NULL AND link_token IS NULL)",
            name=op.f("invitations_tokens_check"),
        ),
        sa.ForeignKeyConstraint(
            ["institution_id"],
            ["institutions.id"],
            name=op.f("invitations_institution_id_fkey"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("institution_id", "id", name=op.f("invitations_pkey")),
        sa.UniqueConstraint(
            "institution_id", "link_hash", name=op.f("invitations_institution_id_link_hash_key")
        ),
        sa.UniqueConstraint(
            "institution_id", "mailed_hash", name=op.f("invitations_institution_id_mailed_hash_key")
        ),
    )
    op.create_index(
        "invitations_open_key",
        "invitations",
        ["institution_id", "email"],
        unique=True,
        postgresql_where=sa.text("accepted_at IS NULL AND revoked_at IS NULL"),
    )
    op.create_table(
        "mailed_tokens",
        sa.Column("token_hash", sa.LargeBinary(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("purpose", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "purpose IN ('PasswordReset', 'EmailVerification')",
            name=op.f("mailed_tokens_purpose_check"),
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("mailed_tokens_user_id_fkey"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("token_hash", name=op.f("mailed_tokens_pkey")),
    )
    op.create_index(
        op.f("mailed_tokens_expires_at_idx"), "mailed_tokens", ["expires_at"], unique=False
    )
    op.create_index(op.f("mailed_tokens_user_id_idx"), "mailed_tokens", ["user_id"], unique=False)
    op.create_table(
        "memberships",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "role IN ('Owner', 'Admin', 'Member', 'Viewer')", name=op.f("memberships_role_check")
        ),
        sa.ForeignKeyConstraint(
            ["institution_id"],
            ["institutions.id"],
            name=op.f("memberships_institution_id_fkey"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("memberships_user_id_fkey"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("institution_id", "user_id", name=op.f("memberships_pkey")),
    )
    op.create_index(
        "memberships_user_id_idx", "memberships", ["user_id", "created_at"], unique=False
    )
    op.create_table(
        "meter_feature_days",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("product_id", sa.Uuid(), nullable=False),
        sa.Column("mode", sa.Text(), nullable=False),
        sa.Column("feature_name", sa.Text(), nullable=False),
        sa.Column("consumed", sa.Numeric(precision=38, scale=6), nullable=False),
        sa.ForeignKeyConstraint(
            ["institution_id"],
            ["institutions.id"],
            name=op.f("meter_feature_days_institution_id_fkey"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint(
            "institution_id",
            "day",
            "product_id",
            "mode",
            "feature_name",
            name=op.f("meter_feature_days_pkey"),
        ),
    )
    op.create_table(
        "meter_license_days",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("license_id", sa.Uuid(), nullable=False),
        sa.Column("product_id", sa.Uuid(), nullable=False),
        sa.Column("mode", sa.Text(), nullable=False),
        sa.Column("consumed", sa.Numeric(precision=38, scale=6), nullable=False),
        sa.Column("granted", sa.Numeric(precision=38, scale=6), nullable=False),
        sa.Column("adjusted", sa.Numeric(precision=38, scale=6), nullable=False),
        sa.ForeignKeyConstraint(
            ["institution_id"],
            ["institutions.id"],
            name=op.f("meter_license_days_institution_id_fkey"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint(
            "institution_id", "day", "license_id", name=op.f("meter_license_days_pkey")
        ),
    )
    op.create_table(
        "meter_wallets",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("license_id", sa.Uuid(), nullable=False),
        sa.Column("product_id", sa.Uuid(), nullable=False),
        sa.Column("mode", sa.Text(), nullable=False),
        sa.Column("balance", sa.Numeric(precision=24, scale=6), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.Column("low_balance_threshold", sa.Numeric(precision=24, scale=6), nullable=True),
        sa.Column("closed_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint(
            "mode = 'Token' OR balance = trunc(balance)", name=op.f("meter_wallets_whole_check")
        ),
        sa.CheckConstraint("mode IN ('Count', 'Token')", name=op.f("meter_wallets_mode_check")),
        sa.CheckConstraint("balance >= 0", name=op.f("meter_wallets_balance_check")),
        sa.CheckConstraint(
            "low_balance_threshold >= 0", name=op.f("meter_wallets_low_balance_threshold_check")
        ),
        sa.ForeignKeyConstraint(
            ["institution_id"],
            ["institutions.id"],
            name=op.f("meter_wallets_institution_id_fkey"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("institution_id", "license_id", name=op.f("meter_wallets_pkey")),
        postgresql_with={"fillfactor": 50},
    )
    op.create_table(
        "notification_preferences",
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("in_app", sa.Boolean(), nullable=True),
        sa.Column("email", sa.Boolean(), nullable=True),
        sa.CheckConstraint(
            "in_app IS NOT NULL OR email IS NOT NULL",
            name=op.f("notification_preferences_chosen_check"),
        ),
        sa.ForeignKeyConstraint(
            ["user_id"],
            ["users.id"],
            name=op.f("notification_preferences_user_id_fkey"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("user_id", "kind", name=op.f("notification_preferences_pkey")),
    )
    op.create_table(
        "notifications",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("event_id", sa.Uuid(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("product_id", sa.Uuid(), nullable=True),
        sa.Column("subject_id", sa.Uuid(), nullable=False),
        sa.Column("subject_kind", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("read_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["institution_id"],
            ["institutions.id"],
            name=op.f("notifications_institution_id_fkey"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("notifications_user_id_fkey"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("institution_id", "id", name=op.f("notifications_pkey")),
        sa.UniqueConstraint(
            "institution_id",
            "user_id",
            "event_id",
            name=op.f("notifications_institution_id_user_id_event_id_key"),
        ),
    )
    op.create_index("notifications_created_at_idx", "notifications", ["created_at"], unique=False)
    op.create_index(
        "notifications_unread_idx",
        "notifications",
        ["user_id", "id"],
        unique=False,
        postgresql_where=sa.text("read_at IS NULL"),
    )
    op.create_index("notifications_user_idx", "notifications", ["user_id", "id"], unique=False)
    op.create_table(
        "products",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("description", sa.Text(), nullable=True),
        sa.Column("access_type", sa.Text(), nullable=False),
        sa.Column(
            "settings", postgresql.JSONB(none_as_null=True, astext_type=sa.Text()), nullable=False
        ),
        sa.Column("license_count", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "access_type IN ('Opened', 'Associated')", name=op.f("products_access_type_check")
        ),
        sa.CheckConstraint("license_count >= 0", name=op.f("products_license_count_check")),
        sa.ForeignKeyConstraint(
            ["institution_id"],
            ["institutions.id"],
            name=op.f("products_institution_id_fkey"),
            ondelete="RESTRICT",
        ),
        sa.PrimaryKeyConstraint("institution_id", "id", name=op.f("products_pkey")),
    )
    op.create_index(
        "products_name_key",
        "products",
        ["institution_id", sa.literal_column("lower(name)")],
        unique=True,
    )
    op.create_table(
        "rate_limits",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("runtime", sa.Integer(), nullable=True),
        sa.Column("api_key", sa.Integer(), nullable=True),
        sa.CheckConstraint("api_key BETWEEN 1 AND 1000000", name=op.f("rate_limits_api_key_check")),
        sa.CheckConstraint("runtime BETWEEN 1 AND 1000000", name=op.f("rate_limits_runtime_check")),
        sa.ForeignKeyConstraint(
            ["institution_id"],
            ["institutions.id"],
            name=op.f("rate_limits_institution_id_fkey"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("institution_id", name=op.f("rate_limits_pkey")),
    )
    op.create_table(
        "recovery_codes",
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("code_hash", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("recovery_codes_user_id_fkey"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("user_id", "code_hash", name=op.f("recovery_codes_pkey")),
    )
    op.create_table(
        "sign_ins",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("last_used_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("ip_address", sa.Text(), nullable=True),
        sa.Column("user_agent", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("sign_ins_user_id_fkey"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("sign_ins_pkey")),
    )
    op.create_index(op.f("sign_ins_last_used_at_idx"), "sign_ins", ["last_used_at"], unique=False)
    op.create_index(op.f("sign_ins_user_id_idx"), "sign_ins", ["user_id"], unique=False)
    op.create_table(
        "webhooks",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column(
            "event_types",
            postgresql.JSONB(none_as_null=True, astext_type=sa.Text()),
            nullable=False,
        ),
        sa.Column("description", sa.Text(), nullable=True),
        sa.Column("secret", sa.LargeBinary(), nullable=False),
        sa.Column("previous_secret", sa.LargeBinary(), nullable=True),
        sa.Column("previous_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("is_enabled", sa.Boolean(), nullable=False),
        sa.Column("disabled_reason", sa.Text(), nullable=True),
        sa.Column("disabled_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("failing_since", sa.DateTime(timezone=True), nullable=True),
        sa.Column("last_attempt_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("last_status", sa.Text(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "disabled_reason IN ('Gone', 'Failing')", name=op.f("webhooks_disabled_reason_check")
        ),
        sa.CheckConstraint(
            "last_status IN ('Delivered', 'Failed')", name=op.f("webhooks_last_status_check")
        ),
        sa.CheckConstraint(
            "disabled_reason IS NULL OR NOT is_enabled", name=op.f("webhooks_enabled_check")
        ),
        sa.CheckConstraint(
            "is_enabled = (disabled_at IS NULL)", name=op.f("webhooks_disabled_at_check")
        ),
        sa.ForeignKeyConstraint(
            ["institution_id"],
            ["institutions.id"],
            name=op.f("webhooks_institution_id_fkey"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("institution_id", "id", name=op.f("webhooks_pkey")),
    )
    op.create_table(
        "assigned_products",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("product_id", sa.Uuid(), nullable=False),
        sa.ForeignKeyConstraint(
            ["institution_id", "product_id"],
            ["products.institution_id", "products.id"],
            name=op.f("assigned_products_institution_id_product_id_fkey"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["institution_id", "user_id"],
            ["memberships.institution_id", "memberships.user_id"],
            name=op.f("assigned_products_institution_id_user_id_fkey"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint(
            "institution_id", "user_id", "product_id", name=op.f("assigned_products_pkey")
        ),
    )
    op.create_index(
        "assigned_products_product_idx",
        "assigned_products",
        ["institution_id", "product_id"],
        unique=False,
    )
    op.create_index(
        op.f("assigned_products_user_id_idx"), "assigned_products", ["user_id"], unique=False
    )
    op.create_table(
        "entitlement_sets",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("product_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["institution_id", "product_id"],
            ["products.institution_id", "products.id"],
            name=op.f("entitlement_sets_institution_id_product_id_fkey"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("institution_id", "id", name=op.f("entitlement_sets_pkey")),
        sa.UniqueConstraint(
            "institution_id",
            "product_id",
            "id",
            name=op.f("entitlement_sets_institution_id_product_id_id_key"),
        ),
    )
    op.create_index(
        "entitlement_sets_name_key",
        "entitlement_sets",
        ["institution_id", "product_id", sa.literal_column("lower(name)")],
        unique=True,
    )
    op.create_table(
        "features",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("product_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("display_name", sa.Text(), nullable=True),
        sa.Column("description", sa.Text(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["institution_id", "product_id"],
            ["products.institution_id", "products.id"],
            name=op.f("features_institution_id_product_id_fkey"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("institution_id", "id", name=op.f("features_pkey")),
        sa.UniqueConstraint(
            "institution_id",
            "product_id",
            "id",
            name=op.f("features_institution_id_product_id_id_key"),
        ),
    )
    op.create_index(
        "features_name_key",
        "features",
        ["institution_id", "product_id", sa.literal_column("lower(name)")],
        unique=True,
    )
    op.create_table(
        "invited_products",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("invitation_id", sa.Uuid(), nullable=False),
        sa.Column("product_id", sa.Uuid(), nullable=False),
        sa.ForeignKeyConstraint(
            ["institution_id", "invitation_id"],
            ["invitations.institution_id", "invitations.id"],
            name=op.f("invited_products_institution_id_invitation_id_fkey"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["institution_id", "product_id"],
            ["products.institution_id", "products.id"],
            name=op.f("invited_products_institution_id_product_id_fkey"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint(
            "institution_id", "invitation_id", "product_id", name=op.f("invited_products_pkey")
        ),
    )
    op.create_index(
        "invited_products_product_idx",
        "invited_products",
        ["institution_id", "product_id"],
        unique=False,
    )
    op.create_table(
        "meter_counts",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("license_id", sa.Uuid(), nullable=False),
        sa.Column("counted", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["institution_id", "license_id"],
            ["meter_wallets.institution_id", "meter_wallets.license_id"],
            name=op.f("meter_counts_institution_id_license_id_fkey"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("institution_id", "license_id", name=op.f("meter_counts_pkey")),
    )
    op.create_table(
        "product_associations",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("product_id", sa.Uuid(), nullable=False),
        sa.Column("associated_institution_id", sa.Uuid(), nullable=False),
        sa.ForeignKeyConstraint(
            ["associated_institution_id"],
            ["institutions.id"],
            name=op.f("product_associations_associated_institution_id_fkey"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["institution_id", "product_id"],
            ["products.institution_id", "products.id"],
            name=op.f("product_associations_institution_id_product_id_fkey"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint(
            "institution_id",
            "product_id",
            "associated_institution_id",
            name=op.f("product_associations_pkey"),
        ),
    )
    op.create_index(
        op.f("product_associations_associated_institution_id_idx"),
        "product_associations",
        ["associated_institution_id"],
        unique=False,
    )
    op.create_table(
        "product_images",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("product_id", sa.Uuid(), nullable=False),
        sa.Column("media_type", sa.Text(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.Column("version", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["institution_id", "product_id"],
            ["products.institution_id", "products.id"],
            name=op.f("product_images_institution_id_product_id_fkey"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("institution_id", "product_id", name=op.f("product_images_pkey")),
    )
    op.create_index("product_images_product_idx", "product_images", ["product_id"], unique=False)
    op.create_table(
        "product_keys",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("product_id", sa.Uuid(), nullable=False),
        sa.Column("key_hash", sa.LargeBinary(), nullable=False),
        sa.Column("secret", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("revoked_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["institution_id", "product_id"],
            ["products.institution_id", "products.id"],
            name=op.f("product_keys_institution_id_product_id_fkey"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("institution_id", "id", name=op.f("product_keys_pkey")),
        sa.UniqueConstraint(
            "institution_id", "key_hash", name=op.f("product_keys_institution_id_key_hash_key")
        ),
    )
    op.create_index(
        "product_keys_product_idx",
        "product_keys",
        ["institution_id", "product_id", "id"],
        unique=False,
    )
    op.create_table(
        "refresh_tokens",
        sa.Column("token_hash", sa.LargeBinary(), nullable=False),
        sa.Column("sign_in_id", sa.Uuid(), nullable=False),
        sa.Column("issued_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("rotated_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["sign_in_id"],
            ["sign_ins.id"],
            name=op.f("refresh_tokens_sign_in_id_fkey"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("token_hash", name=op.f("refresh_tokens_pkey")),
    )
    op.create_index(
        "refresh_tokens_rotated_at_idx",
        "refresh_tokens",
        ["rotated_at"],
        unique=False,
        postgresql_where=sa.text("rotated_at IS NOT NULL"),
    )
    op.create_index(
        op.f("refresh_tokens_sign_in_id_idx"), "refresh_tokens", ["sign_in_id"], unique=False
    )
    op.create_table(
        "releases",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("product_id", sa.Uuid(), nullable=False),
        sa.Column("version", sa.Text(), nullable=False),
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("notes", sa.Text(), nullable=True),
        sa.Column("published_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "status <> 'Published' OR published_at IS NOT NULL",
            name=op.f("releases_published_at_check"),
        ),
        sa.CheckConstraint(
            "status IN ('Draft', 'Published', 'Yanked')", name=op.f("releases_status_check")
        ),
        sa.ForeignKeyConstraint(
            ["institution_id", "product_id"],
            ["products.institution_id", "products.id"],
            name=op.f("releases_institution_id_product_id_fkey"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("institution_id", "id", name=op.f("releases_pkey")),
    )
    op.create_index(
        "releases_product_idx", "releases", ["institution_id", "product_id", "id"], unique=False
    )
    op.create_index(
        "releases_published_idx",
        "releases",
        ["institution_id", "product_id", "published_at", "id"],
        unique=False,
    )
    op.create_index(
        "releases_version_key",
        "releases",
        [
            "institution_id",
            "product_id",
            sa.literal_column("lower(version)"),
            sa.literal_column("lower(channel)"),
        ],
        unique=True,
    )
    op.create_table(
        "rsa_keys",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("product_id", sa.Uuid(), nullable=False),
        sa.Column("kid", sa.Text(), nullable=False),
        sa.Column("key_size", sa.Integer(), nullable=False),
        sa.Column("private_key", sa.LargeBinary(), nullable=False),
        sa.Column("public_key", sa.LargeBinary(), nullable=False),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("retired_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["institution_id", "product_id"],
            ["products.institution_id", "products.id"],
            name=op.f("rsa_keys_institution_id_product_id_fkey"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("institution_id", "id", name=op.f("rsa_keys_pkey")),
        sa.UniqueConstraint(
            "institution_id",
            "product_id",
            "generation",
            name=op.f("rsa_keys_institution_id_product_id_generation_key"),
        ),
    )
    op.create_index(
        "rsa_keys_live_key",
        "rsa_keys",
        ["institution_id", "product_id"],
        unique=True,
        postgresql_where=sa.text("retired_at IS NULL"),
    )
    op.create_table(
        "webhook_deliveries",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("webhook_id", sa.Uuid(), nullable=False),
        sa.Column("event_id", sa.Uuid(), nullable=False),
        sa.Column("event_type", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("attempts", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("delivered_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("response_status", sa.Integer(), nullable=True),
        sa.Column("response_body", sa.Text(), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("duration_ms", sa.Integer(), nullable=True),
        sa.CheckConstraint(
            "(status = 'Delivered') = (delivered_at IS NOT NULL)",
            name=op.f("webhook_deliveries_delivered_at_check"),
        ),
        sa.CheckConstraint(
            "(status = 'Pending') = (due_at IS NOT NULL)",
            name=op.f("webhook_deliveries_due_at_check"),
        ),
        sa.CheckConstraint(
            "status IN ('Pending', 'Delivered', 'Failed')",
            name=op.f("webhook_deliveries_status_check"),
        ),
        sa.ForeignKeyConstraint(
            ["institution_id", "event_id"],
            ["events.institution_id", "events.id"],
            name=op.f("webhook_deliveries_institution_id_event_id_fkey"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["institution_id", "webhook_id"],
            ["webhooks.institution_id", "webhooks.id"],
            name=op.f("webhook_deliveries_institution_id_webhook_id_fkey"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("institution_id", "id", name=op.f("webhook_deliveries_pkey")),
    )
    op.create_index(
        "webhook_deliveries_created_at_idx", "webhook_deliveries", ["created_at"], unique=False
    )
    op.create_index(
        "webhook_deliveries_due_idx",
        "webhook_deliveries",
        ["institution_id", "webhook_id", "due_at"],
        unique=False,
        postgresql_where=sa.text("status = 'Pending'"),
    )
    op.create_index(
        "webhook_deliveries_event_idx",
        "webhook_deliveries",
        ["institution_id", "event_id"],
        unique=False,
    )
    op.create_index(
        "webhook_deliveries_webhook_idx",
        "webhook_deliveries",
        ["institution_id", "webhook_id", "id"],
        unique=False,
    )
    op.create_table(
        "assigned_releases",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("release_id", sa.Uuid(), nullable=False),
        sa.ForeignKeyConstraint(
            ["institution_id", "release_id"],
            ["releases.institution_id", "releases.id"],
            name=op.f("assigned_releases_institution_id_release_id_fkey"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["institution_id", "user_id"],
            ["memberships.institution_id", "memberships.user_id"],
            name=op.f("assigned_releases_institution_id_user_id_fkey"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint(
            "institution_id", "user_id", "release_id", name=op.f("assigned_releases_pkey")
        ),
    )
    op.create_index(
        "assigned_releases_release_idx",
        "assigned_releases",
        ["institution_id", "release_id"],
        unique=False,
    )
    op.create_index(
        op.f("assigned_releases_user_id_idx"), "assigned_releases", ["user_id"], unique=False
    )
    op.create_table(
        "entitlement_set_features",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("product_id", sa.Uuid(), nullable=False),
        sa.Column("entitlement_set_id", sa.Uuid(), nullable=False),
        sa.Column("feature_id", sa.Uuid(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["institution_id", "product_id", "entitlement_set_id"],
            [
                "entitlement_sets.institution_id",
                "entitlement_sets.product_id",
                "entitlement_sets.id",
            ],
            name="entitlement_set_features_set_fkey",
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["institution_id", "product_id", "feature_id"],
            ["features.institution_id", "features.product_id", "features.id"],
            name="entitlement_set_features_feature_fkey",
        ),
        sa.ForeignKeyConstraint(
            ["institution_id", "product_id"],
            ["products.institution_id", "products.id"],
            name=op.f("entitlement_set_features_institution_id_product_id_fkey"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint(
            "institution_id",
            "entitlement_set_id",
            "feature_id",
            name=op.f("entitlement_set_features_pkey"),
        ),
    )
    op.create_index(
        "entitlement_set_features_feature_idx",
        "entitlement_set_features",
        ["institution_id", "feature_id"],
        unique=False,
    )
    op.create_index(
        "entitlement_set_features_product_idx",
        "entitlement_set_features",
        ["institution_id", "product_id"],
        unique=False,
    )
    op.create_table(
        "feature_prices",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("product_id", sa.Uuid(), nullable=False),
        sa.Column("feature_id", sa.Uuid(), nullable=False),
        sa.Column("token_cost", sa.Numeric(precision=24, scale=6), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("replaced_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint("token_cost > 0", name=op.f("feature_prices_token_cost_check")),
        sa.ForeignKeyConstraint(
            ["institution_id", "product_id", "feature_id"],
            ["features.institution_id", "features.product_id", "features.id"],
            name=op.f("feature_prices_institution_id_product_id_feature_id_fkey"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("institution_id", "id", name=op.f("feature_prices_pkey")),
    )
    op.create_index(
        "feature_prices_active_key",
        "feature_prices",
        ["institution_id", "feature_id"],
        unique=True,
        postgresql_where=sa.text("replaced_at IS NULL"),
    )
    op.create_index(
        "feature_prices_feature_idx",
        "feature_prices",
        ["institution_id", "product_id", "feature_id", "id"],
        unique=False,
    )
    op.create_table(
        "invited_releases",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("invitation_id", sa.Uuid(), nullable=False),
        sa.Column("release_id", sa.Uuid(), nullable=False),
        sa.ForeignKeyConstraint(
            ["institution_id", "invitation_id"],
            ["invitations.institution_id", "invitations.id"],
            name=op.f("invited_releases_institution_id_invitation_id_fkey"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["institution_id", "release_id"],
            ["releases.institution_id", "releases.id"],
            name=op.f("invited_releases_institution_id_release_id_fkey"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint(
            "institution_id", "invitation_id", "release_id", name=op.f("invited_releases_pkey")
        ),
    )
    op.create_index(
        "invited_releases_release_idx",
        "invited_releases",
        ["institution_id", "release_id"],
        unique=False,
    )
    op.create_table(
        "licenses",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("product_id", sa.Uuid(), nullable=False),
        sa.Column("software_release_id", sa.Uuid(), nullable=False),
        sa.Column("customer_institution_id", sa.Uuid(), nullable=True),
        sa.Column("type", sa.Text(), nullable=False),
        sa.Column("license_key", sa.Text(), nullable=False),
        sa.Column("normal_key", sa.Text(), nullable=False),
        sa.Column("license_name", sa.Text(), nullable=False),
        sa.Column("issued_to", sa.Text(), nullable=True),
        sa.Column("issuer", sa.Text(), nullable=True),
        sa.Column("expiration_date", sa.DateTime(timezone=True), nullable=True),
        sa.Column("max_active_users_count", sa.Integer(), nullable=True),
        sa.Column("activation_mode", sa.Text(), nullable=False),
        sa.Column("device_binding_mode", sa.Text(), nullable=True),
        sa.Column("entitlement_set_id", sa.Uuid(), nullable=True),
        sa.Column("initial_meter_balance", sa.Numeric(precision=24, scale=6), nullable=True),
        sa.Column("username", sa.Text(), nullable=True),
        sa.Column("password_hash", sa.Text(), nullable=True),
        sa.Column("notes", sa.Text(), nullable=True),
        sa.Column(
            "metadata", postgresql.JSONB(none_as_null=True, astext_type=sa.Text()), nullable=True
        ),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("suspended_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("revoked_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("reminded_for", sa.DateTime(timezone=True), nullable=True),
        sa.Column("reminded_days", sa.Integer(), nullable=True),
        sa.Column(
            "search_words",
            postgresql.TSVECTOR(),
            sa.Computed(
                "to_tsvector('simple'::regconfig, regexp_replace(license_name || ' ' || coalesce(issued_to, '') || ' ' || coalesce(issuer, ''), '[^[:alnum:]]+', ' ', 'g'))",
                persisted=True,
            ),
            nullable=True,
        ),
        sa.CheckConstraint(
            "(reminded_for IS NULL) = (reminded_days IS NULL)", name=op.f("licenses_reminded_check")
        ),
        sa.CheckConstraint(
            "initial_meter_balance > 0", name=op.f("licenses_initial_meter_balance_check")
        ),
        sa.CheckConstraint(
            "max_active_users_count > 0", name=op.f("licenses_max_active_users_count_check")
        ),
        sa.ForeignKeyConstraint(
            ["institution_id", "entitlement_set_id"],
            ["entitlement_sets.institution_id", "entitlement_sets.id"],
            name=op.f("licenses_institution_id_entitlement_set_id_fkey"),
        ),
        sa.ForeignKeyConstraint(
            ["institution_id", "product_id"],
            ["products.institution_id", "products.id"],
            name=op.f("licenses_institution_id_product_id_fkey"),
        ),
        sa.ForeignKeyConstraint(
            ["institution_id", "software_release_id"],
            ["releases.institution_id", "releases.id"],
            name=op.f("licenses_institution_id_software_release_id_fkey"),
        ),
        sa.PrimaryKeyConstraint("institution_id", "id", name=op.f("licenses_pkey")),
    )
    op.create_index(
        "licenses_entitlement_set_idx",
        "licenses",
        ["institution_id", "entitlement_set_id"],
        unique=False,
    )
    op.create_index(
        "licenses_expiration_idx",
        "licenses",
        ["institution_id", "expiration_date", "id"],
        unique=False,
    )
    op.create_index(
        "licenses_issued_to_idx",
        "licenses",
        ["institution_id", sa.literal_column("lower(issued_to)"), "id"],
        unique=False,
    )
    op.create_index(
        "licenses_key_start_idx",
        "licenses",
        ["institution_id", "normal_key"],
        unique=False,
        postgresql_ops={"normal_key": "text_pattern_ops"},
    )
    op.create_index(
        "licenses_name_idx", "licenses", ["institution_id", "license_name", "id"], unique=False
    )
    op.create_index(
        "licenses_normal_key_key",
        "licenses",
        ["institution_id", "product_id", "normal_key"],
        unique=True,
    )
    op.create_index(
        "licenses_product_idx", "licenses", ["institution_id", "product_id", "id"], unique=False
    )
    op.create_index(
        "licenses_receiver_idx",
        "licenses",
        [sa.literal_column("lower(issued_to)"), "id"],
        unique=False,
    )
    op.create_index(
        "licenses_release_idx", "licenses", ["institution_id", "software_release_id"], unique=False
    )
    op.create_index(
        "licenses_reminder_idx",
        "licenses",
        ["institution_id", "expiration_date"],
        unique=False,
        postgresql_include=["id", "reminded_for", "reminded_days"],
        postgresql_where=sa.text(
            "revoked_at IS NULL AND suspended_at IS NULL AND (reminded_for IS DISTINCT FROM expiration_date OR reminded_days > 0)"
        ),
    )
    op.create_index(
        "licenses_revoked_idx",
        "licenses",
        ["institution_id", "id"],
        unique=False,
        postgresql_where=sa.text("revoked_at IS NOT NULL"),
    )
    op.create_index(
        "licenses_search_idx", "licenses", ["search_words"], unique=False, postgresql_using="gin"
    )
    op.create_index(
        "licenses_suspended_idx",
        "licenses",
        ["institution_id", "id"],
        unique=False,
        postgresql_where=sa.text("suspended_at IS NOT NULL AND revoked_at IS NULL"),
    )
    op.create_index(
        "licenses_type_expiration_idx",
        "licenses",
        ["institution_id", "type", "expiration_date"],
        unique=False,
    )
    op.create_index("licenses_type_idx", "licenses", ["institution_id", "type", "id"], unique=False)
    op.create_table(
        "release_files",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("release_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("platform", sa.Text(), nullable=True),
        sa.Column("size_bytes", sa.BigInteger(), nullable=False),
        sa.Column("sha256", sa.LargeBinary(), nullable=False),
        sa.Column("content_type", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("length(sha256) = 32", name=op.f("release_files_sha256_check")),
        sa.CheckConstraint("size_bytes > 0", name=op.f("release_files_size_bytes_check")),
        sa.ForeignKeyConstraint(
            ["institution_id", "release_id"],
            ["releases.institution_id", "releases.id"],
            name=op.f("release_files_institution_id_release_id_fkey"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("institution_id", "id", name=op.f("release_files_pkey")),
    )
    op.create_index(
        "release_files_name_key",
        "release_files",
        [
            "institution_id",
            "release_id",
            sa.literal_column("lower(name)"),
            sa.literal_column("lower(coalesce(platform, ''))"),
        ],
        unique=True,
    )
    op.create_index(
        "release_files_release_idx",
        "release_files",
        ["institution_id", "release_id", "id"],
        unique=False,
    )
    op.create_table(
        "access_attempts",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("license_id", sa.Uuid(), nullable=False),
        sa.Column("product_id", sa.Uuid(), nullable=False),
        sa.Column("attempted_hardware_id", sa.Text(), nullable=False),
        sa.Column("bound_hardware_id", sa.Text(), nullable=False),
        sa.Column("ip_address", sa.Text(), nullable=False),
        sa.Column("entry_point", sa.Text(), nullable=False),
        sa.Column("attempt_count", sa.BigInteger(), nullable=False),
        sa.Column("first_seen_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("last_seen_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("alerted_on", sa.Date(), nullable=False),
        sa.Column("reviewed_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["institution_id", "license_id"],
            ["licenses.institution_id", "licenses.id"],
            name=op.f("access_attempts_institution_id_license_id_fkey"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("institution_id", "id", name=op.f("access_attempts_pkey")),
        sa.UniqueConstraint(
            "institution_id",
            "license_id",
            "attempted_hardware_id",
            name="access_attempts_machine_key",
        ),
    )
    op.create_index(
        "access_attempts_license_idx",
        "access_attempts",
        ["institution_id", "license_id", "id"],
        unique=False,
    )
    op.create_index(
        "access_attempts_unreviewed_idx",
        "access_attempts",
        ["institution_id", "product_id"],
        unique=False,
        postgresql_where=sa.text("reviewed_at IS NULL"),
    )
    op.create_table(
        "activations",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("license_id", sa.Uuid(), nullable=False),
        sa.Column("product_id", sa.Uuid(), nullable=False),
        sa.Column("hardware_id", sa.Text(), nullable=False),
        sa.Column("device_name", sa.Text(), nullable=True),
        sa.Column("os", sa.Text(), nullable=True),
        sa.Column("app_version", sa.Text(), nullable=True),
        sa.Column(
            "metadata", postgresql.JSONB(none_as_null=True, astext_type=sa.Text()), nullable=True
        ),
        sa.Column("holds_seat", sa.Boolean(), nullable=False),
        sa.Column("bound", sa.Boolean(), nullable=False),
        sa.Column("blocked_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("activated_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("last_seen_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "holds_seat = (activated_at IS NOT NULL)", name=op.f("activations_activated_at_check")
        ),
        sa.CheckConstraint(
            "holds_seat OR NOT bound", name=op.f("activations_bound_holds_seat_check")
        ),
        sa.ForeignKeyConstraint(
            ["institution_id", "license_id"],
            ["licenses.institution_id", "licenses.id"],
            name=op.f("activations_institution_id_license_id_fkey"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("institution_id", "id", name=op.f("activations_pkey")),
        sa.UniqueConstraint(
            "institution_id", "license_id", "hardware_id", name="activations_device_key"
        ),
    )
    op.create_index(
        "activations_bound_key",
        "activations",
        ["institution_id", "license_id"],
        unique=True,
        postgresql_where=sa.text("bound"),
    )
    op.create_index(
        "activations_license_idx",
        "activations",
        ["institution_id", "license_id", "id"],
        unique=False,
    )
    op.create_index(
        "activations_pending_idx",
        "activations",
        ["institution_id", "product_id", "id"],
        unique=False,
        postgresql_where=sa.text("NOT holds_seat AND blocked_at IS NULL"),
    )
    op.create_table(
        "device_counters",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("license_id", sa.Uuid(), nullable=False),
        sa.Column("seats_used", sa.Integer(), server_default="0", nullable=False),
        sa.Column("unreviewed_attempts", sa.Integer(), server_default="0", nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("new_rows", sa.Integer(), server_default="0", nullable=False),
        sa.Column("uncounted", sa.Integer(), server_default="0", nullable=False),
        sa.CheckConstraint("seats_used >= 0", name=op.f("device_counters_seats_used_check")),
        sa.CheckConstraint(
            "unreviewed_attempts >= 0", name=op.f("device_counters_unreviewed_attempts_check")
        ),
        sa.ForeignKeyConstraint(
            ["institution_id", "license_id"],
            ["licenses.institution_id", "licenses.id"],
            name=op.f("device_counters_institution_id_license_id_fkey"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("institution_id", "license_id", name=op.f("device_counters_pkey")),
    )
    op.create_table(
        "device_releases",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("license_id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("released_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["institution_id", "license_id"],
            ["licenses.institution_id", "licenses.id"],
            name=op.f("device_releases_institution_id_license_id_fkey"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("institution_id", "id", name=op.f("device_releases_pkey")),
    )
    op.create_index(
        "device_releases_license_idx",
        "device_releases",
        ["institution_id", "license_id", "released_at"],
        unique=False,
    )
    op.create_table(
        "session_slots",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("license_id", sa.Uuid(), nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("session_id", sa.Uuid(), nullable=True),
        sa.Column("product_id", sa.Uuid(), nullable=False),
        sa.Column("hardware_id", sa.Text(), nullable=True),
        sa.Column("instance_key", sa.LargeBinary(), nullable=True),
        sa.Column("connected_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("last_heartbeat_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint(
            "(session_id IS NULL) = (expires_at IS NULL)",
            name=op.f("session_slots_expires_at_check"),
        ),
        sa.ForeignKeyConstraint(
            ["institution_id", "license_id"],
            ["licenses.institution_id", "licenses.id"],
            name=op.f("session_slots_institution_id_license_id_fkey"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint(
            "institution_id", "license_id", "n", name=op.f("session_slots_pkey")
        ),
        sa.UniqueConstraint("institution_id", "instance_key", name="session_slots_instance_key"),
        sa.UniqueConstraint("institution_id", "session_id", name="session_slots_session_key"),
        postgresql_with={"fillfactor": 50},
    )
    op.create_index(
        "session_slots_free_idx",
        "session_slots",
        ["institution_id", "license_id", "n"],
        unique=False,
        postgresql_where=sa.text("session_id IS NULL"),
    )
    op.create_table(
        "sessions",
        sa.Column("institution_id", sa.Uuid(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("license_id", sa.Uuid(), nullable=False),
        sa.Column("product_id", sa.Uuid(), nullable=False),
        sa.Column("hardware_id", sa.Text(), nullable=False),
        sa.Column("instance_id", sa.Text(), nullable=True),
        sa.Column("device_name", sa.Text(), nullable=True),
        sa.Column("app_version", sa.Text(), nullable=True),
        sa.Column("connected_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("last_heartbeat_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("end_reason", sa.Text(), nullable=True),
        sa.CheckConstraint(
            "(ended_at IS NULL) = (end_reason IS NULL)", name=op.f("sessions_end_reason_check")
        ),
        sa.ForeignKeyConstraint(
            ["institution_id", "license_id"],
            ["licenses.institution_id", "licenses.id"],
            name=op.f("sessions_institution_id_license_id_fkey"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("institution_id", "id", name=op.f("sessions_pkey")),
    )
    op.create_index(
        "sessions_license_idx", "sessions", ["institution_id", "license_id", "id"], unique=False
    )
    # Most wallets and institutions have few entries, so the planner would take a wallet for one row
    # and may read all of a busy one to find a key. Told that a wallet has a hundred, and that it
    # determines its institution, it uses the index of keys, whenever the table was last analyzed.
    op.execute(
        "ALTER TABLE meter_entries ALTER COLUMN institution_id SET (n_distinct = -0.001), "
        "ALTER COLUMN license_id SET (n_distinct = -0.01)"
    )
    op.execute(
        "CREATE STATISTICS meter_entries_wallet (dependencies) "
        "ON institution_id, license_id FROM meter_entries"
    )


def downgrade() -> None:
    raise RuntimeError("There is no schema before the first release.")
