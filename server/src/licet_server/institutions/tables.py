"""Tables of institutions (the tenants), their members, invitations and API keys."""

from sqlalchemy import (
    Boolean,
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    PrimaryKeyConstraint,
    Table,
    UniqueConstraint,
    text,
)

from licet_server.kit.database import (
    REFERENCE,
    SEALED,
    Bytes,
    Id,
    Instant,
    String,
    belongs_to,
    metadata,
)
from licet_server.kit.stored_json import ALLOW_LIST, JsonOf

institutions = Table(
    "institutions",
    metadata,
    Column("id", Id, primary_key=True),
    Column("name", String, nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("plan", String, nullable=False, server_default=text("'Unlimited'")),
    Column("products_limit", Integer),
    Column("licenses_limit", Integer),
    Column("ip_allow_list", ALLOW_LIST, nullable=False, server_default=text("'[]'")),
    Column(
        "expiry_reminder_days",
        JsonOf(list[int]),
        nullable=False,
        server_default=text("'[30, 7, 1]'"),
    ),
    Column("telemetry_retention_days", Integer, nullable=False, server_default=text("90")),
    Column("time_zone", String, nullable=False, server_default=text("'UTC'")),
    Column("sso_enforced", Boolean, nullable=False, server_default=text("false")),
    Column("second_factor_required", Boolean, nullable=False, server_default=text("false")),
    CheckConstraint("plan IN ('Free', 'Pro', 'Unlimited')", name="plan"),
    CheckConstraint("products_limit >= 0", name="products_limit"),
    CheckConstraint("licenses_limit >= 0", name="licenses_limit"),
    CheckConstraint("telemetry_retention_days BETWEEN 1 AND 3650", name="telemetry_retention_days"),
    info=REFERENCE,
)
"""The limits are an institution's own and override those of its plan."""

memberships = Table(
    "memberships",
    metadata,
    Column("institution_id", ForeignKey("institutions.id", ondelete="CASCADE"), nullable=False),
    Column("user_id", ForeignKey("users.id", ondelete="CASCADE"), nullable=False),
    Column("role", String, nullable=False),
    Column("created_at", Instant, nullable=False),
    PrimaryKeyConstraint("institution_id", "user_id"),
    CheckConstraint("role IN ('Owner', 'Admin', 'Member', 'Viewer')", name="role"),
    Index("memberships_user_id_idx", "user_id", "created_at"),
    info=REFERENCE,
)
"""They are few, and each request of an operator reads those of a user, in all institutions."""


assigned_products = Table(
    "assigned_products",
    metadata,
    Column("institution_id", Id, nullable=False),
    Column("user_id", Id, nullable=False, index=True),
    Column("product_id", Id, nullable=False),
    PrimaryKeyConstraint("institution_id", "user_id", "product_id"),
    belongs_to("user_id", "memberships.user_id"),
    belongs_to("product_id", "products.id"),
    Index("assigned_products_product_idx", "institution_id", "product_id"),
)
"""The products that a Member sees, besides assigned releases of others."""

assigned_releases = Table(
    "assigned_releases",
    metadata,
    Column("institution_id", Id, nullable=False),
    Column("user_id", Id, nullable=False, index=True),
    Column("release_id", Id, nullable=False),
    PrimaryKeyConstraint("institution_id", "user_id", "release_id"),
    belongs_to("user_id", "memberships.user_id"),
    belongs_to("release_id", "releases.id"),
    Index("assigned_releases_release_idx", "institution_id", "release_id"),
)

invitations = Table(
    "invitations",
    metadata,
    Column("institution_id", ForeignKey("institutions.id", ondelete="CASCADE"), nullable=False),
    Column("id", Id, nullable=False),
    Column("email", String, nullable=False),
    Column("role", String, nullable=False),
    Column("mailed_hash", Bytes),
    Column("link_hash", Bytes),
    Column("link_token", Bytes, info=SEALED),
    Column("created_at", Instant, nullable=False),
    Column("expires_at", Instant, nullable=False),
    Column("accepted_at", Instant),
    Column("revoked_at", Instant),
    PrimaryKeyConstraint("institution_id", "id"),
    UniqueConstraint("institution_id", "mailed_hash"),
    UniqueConstraint("institution_id", "link_hash"),
    CheckConstraint("role IN ('Owner', 'Admin', 'Member', 'Viewer')", name="role"),
    CheckConstraint(
        "(accepted_at IS NULL AND revoked_at IS NULL) "
        "OR (mailed_hash IS NULL AND link_hash IS NULL AND link_token IS NULL)",
        name="tokens",
    ),
    Index(
        "invitations_open_key",
        "institution_id",
        "email",
        unique=True,
        postgresql_where=text("accepted_at IS NULL AND revoked_at IS NULL"),
    ),
    Index(
        "invitations_address_idx",
        "email",
        postgresql_where=text("accepted_at IS NULL AND revoked_at IS NULL"),
    ),
)
"""Addresses are in lower case. A closed invitation has no tokens."""


invited_products = Table(
    "invited_products",
    metadata,
    Column("institution_id", Id, nullable=False),
    Column("invitation_id", Id, nullable=False),
    Column("product_id", Id, nullable=False),
    PrimaryKeyConstraint("institution_id", "invitation_id", "product_id"),
    belongs_to("invitation_id", "invitations.id"),
    belongs_to("product_id", "products.id"),
    Index("invited_products_product_idx", "institution_id", "product_id"),
)

invited_releases = Table(
    "invited_releases",
    metadata,
    Column("institution_id", Id, nullable=False),
    Column("invitation_id", Id, nullable=False),
    Column("release_id", Id, nullable=False),
    PrimaryKeyConstraint("institution_id", "invitation_id", "release_id"),
    belongs_to("invitation_id", "invitations.id"),
    belongs_to("release_id", "releases.id"),
    Index("invited_releases_release_idx", "institution_id", "release_id"),
)

api_keys = Table(
    "api_keys",
    metadata,
    Column("institution_id", ForeignKey("institutions.id", ondelete="CASCADE"), nullable=False),
    Column("id", Id, nullable=False),
    Column("maker_id", ForeignKey("users.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("name", String, nullable=False),
    Column("description", String),
    Column("scopes", JsonOf(list[str]), nullable=False),
    Column("ip_allow_list", ALLOW_LIST, nullable=False),
    Column("token_hash", Bytes, nullable=False),
    Column("expires_at", Instant),
    Column("last_used_at", Instant),
    Column("created_at", Instant, nullable=False),
    Column("revoked_at", Instant),
    PrimaryKeyConstraint("institution_id", "id"),
    UniqueConstraint("institution_id", "token_hash"),
)

institution_appearances = Table(
    "institution_appearances",
    metadata,
    Column("institution_id", ForeignKey("institutions.id", ondelete="CASCADE"), primary_key=True),
    Column("display_name", String),
    Column("color", String),
    Column("welcome", String),
    Column("welcome_translations", JsonOf(dict[str, str]), nullable=False, server_default="{}"),
    Column("support_email", String),
    Column("support_url", String),
    Column("renewal_url", String),
    Column("logo", Bytes),
    Column("logo_media_type", String),
    Column("logo_version", String),
    CheckConstraint(
        "(logo IS NULL) = (logo_media_type IS NULL) AND (logo IS NULL) = (logo_version IS NULL)",
        name="logo",
    ),
)
"""The appearance of institutions to their licensees; one that set nothing has no row."""
