"""Products and everything in them; each row belongs to an institution."""

from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    PrimaryKeyConstraint,
    Table,
    UniqueConstraint,
    func,
    text,
)

from licet_server.kit.database import (
    SEALED,
    Bytes,
    Id,
    Instant,
    Json,
    String,
    belongs_to,
    metadata,
    own_key,
)
from licet_server.kit.stored_json import JsonOf

_PRODUCT = ["institution_id", "product_id"]
_OF_PRODUCT = ["products.institution_id", "products.id"]

products = Table(
    "products",
    metadata,
    Column("institution_id", ForeignKey("institutions.id", ondelete="RESTRICT"), nullable=False),
    Column("id", Id, nullable=False),
    Column("name", String, nullable=False),
    Column("description", String),
    Column("access_type", String, nullable=False),
    Column("test", Boolean, nullable=False, server_default=text("false")),
    Column("settings", JsonOf(dict[str, Any]), nullable=False),
    Column("license_count", Integer, nullable=False, server_default=text("0")),
    Column("created_at", Instant, nullable=False),
    Column("updated_at", Instant, nullable=False),
    PrimaryKeyConstraint("institution_id", "id"),
    # What licenses refer to, so that each is of test mode exactly if its product is.
    UniqueConstraint("institution_id", "id", "test", name="products_test_key"),
    CheckConstraint("access_type IN ('Opened', 'Associated')", name="access_type"),
    CheckConstraint("license_count >= 0", name="license_count"),
)
Index("products_name_key", products.c.institution_id, func.lower(products.c.name), unique=True)
Index(
    "products_of_tests_idx",
    products.c.institution_id,
    products.c.id,
    postgresql_where=text("test"),
)

test_clocks = Table(
    "test_clocks",
    metadata,
    *own_key(),
    Column("product_id", Id, nullable=False),
    Column("test", Boolean, nullable=False, server_default=text("true")),
    Column("now", Instant, nullable=False),
    Column("target", Instant),
    Column("status", String, nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("updated_at", Instant, nullable=False),
    UniqueConstraint("institution_id", "product_id", name="test_clocks_product_key"),
    # No live product goes by a clock of its own.
    CheckConstraint("test", name="test"),
    ForeignKeyConstraint(
        [*_PRODUCT, "test"],
        [*_OF_PRODUCT, "products.test"],
        name="test_clocks_product_fkey",
        ondelete="CASCADE",
    ),
    CheckConstraint("status IN ('Ready', 'Advancing', 'Failed')", name="status"),
    CheckConstraint("target >= now", name="target"),
    Index("test_clocks_advancing_idx", "updated_at", postgresql_where=text("status = 'Advancing'")),
)
"""The instants that Test products go by, in place of the present one."""

associations = Table(
    "associations",
    metadata,
    *own_key(),
    Column("product_id", Id, nullable=False),
    Column("email", String),
    Column("invited_institution_id", Id),
    Column("customer_institution_id", ForeignKey("institutions.id", ondelete="CASCADE")),
    Column("token_hash", Bytes),
    Column("link_token", Bytes, info=SEALED),
    Column("created_at", Instant, nullable=False),
    Column("expires_at", Instant, nullable=False),
    Column("accepted_at", Instant),
    UniqueConstraint(
        "institution_id",
        "product_id",
        "customer_institution_id",
        name="associations_customer_key",
    ),
    UniqueConstraint("institution_id", "token_hash"),
    belongs_to("product_id", "products.id"),
    CheckConstraint("(email IS NULL) <> (invited_institution_id IS NULL)", name="invited"),
    CheckConstraint(
        "(accepted_at IS NULL) = (customer_institution_id IS NULL)", name="accepted_at"
    ),
    CheckConstraint(
        "accepted_at IS NULL OR (token_hash IS NULL AND link_token IS NULL)", name="token"
    ),
    Index("associations_customer_idx", "customer_institution_id"),
    Index("associations_address_idx", "email", postgresql_where=text("accepted_at IS NULL")),
    Index(
        "associations_invited_idx",
        "invited_institution_id",
        postgresql_where=text("accepted_at IS NULL"),
    ),
    Index(
        "associations_open_email_key",
        "institution_id",
        "product_id",
        "email",
        unique=True,
        postgresql_where=text("accepted_at IS NULL"),
    ),
    Index(
        "associations_open_institution_key",
        "institution_id",
        "product_id",
        "invited_institution_id",
        unique=True,
        postgresql_where=text("accepted_at IS NULL"),
    ),
)
"""Institutions that are associated with a product, or invited to be: by email address, or by ID.

An invited ID is not checked, since that would reveal whether it exists. Addresses are lowercase. An
accepted invitation has no token.
"""

product_keys = Table(
    "product_keys",
    metadata,
    *own_key(),
    Column("product_id", Id, nullable=False),
    Column("key_hash", Bytes, nullable=False),
    Column("secret", Bytes, nullable=False, info=SEALED),
    Column("created_at", Instant, nullable=False),
    Column("expires_at", Instant),
    Column("revoked_at", Instant),
    UniqueConstraint("institution_id", "key_hash"),
    belongs_to("product_id", "products.id"),
    Index("product_keys_product_idx", "institution_id", "product_id", "id"),
)

rsa_keys = Table(
    "rsa_keys",
    metadata,
    *own_key(),
    Column("product_id", Id, nullable=False),
    Column("kid", String, nullable=False),
    Column("key_size", Integer, nullable=False),
    Column("private_key", Bytes, nullable=False, info=SEALED),
    Column("public_key", Bytes, nullable=False),
    Column("generation", Integer, nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("retired_at", Instant),
    UniqueConstraint("institution_id", "product_id", "generation"),
    belongs_to("product_id", "products.id"),
    Index(
        "rsa_keys_live_key",
        "institution_id",
        "product_id",
        unique=True,
        postgresql_where=text("retired_at IS NULL"),
    ),
)

next_rsa_keys = Table(
    "next_rsa_keys",
    metadata,
    *own_key(),
    Column("product_id", Id, nullable=False),
    Column("kid", String, nullable=False),
    Column("key_size", Integer, nullable=False),
    Column("private_key", Bytes, nullable=False, info=SEALED),
    Column("public_key", Bytes, nullable=False),
    Column("created_at", Instant, nullable=False),
    UniqueConstraint("institution_id", "product_id"),
    belongs_to("product_id", "products.id"),
)
"""Pairs that were prepared and sign nothing yet, at most one of a product. Activating one moves it
to `rsa_keys`."""

compact_keys = Table(
    "compact_keys",
    metadata,
    *own_key(),
    Column("product_id", Id, nullable=False),
    Column("private_key", Bytes, nullable=False, info=SEALED),
    Column("public_key", Bytes, nullable=False),
    Column("created_at", Instant, nullable=False),
    UniqueConstraint("institution_id", "product_id", name="compact_keys_product_key"),
    belongs_to("product_id", "products.id"),
)
"""The second key of each product (P-256), whose signatures are short enough to be typed. It stays
when a prepared signing key is activated, since files that were issued before name it."""

releases = Table(
    "releases",
    metadata,
    *own_key(),
    Column("product_id", Id, nullable=False),
    Column("version", String, nullable=False),
    Column("channel", String, nullable=False),
    Column("status", String, nullable=False),
    Column("notes", String),
    Column("published_at", Instant),
    Column("created_at", Instant, nullable=False),
    Column("updated_at", Instant, nullable=False),
    Column("coverage", String, nullable=False, server_default="Licensed"),
    Column("token", String),
    belongs_to("product_id", "products.id"),
    CheckConstraint("status IN ('Draft', 'Published', 'Yanked')", name="status"),
    CheckConstraint("coverage IN ('Licensed', 'Everyone')", name="coverage"),
    CheckConstraint("status <> 'Published' OR published_at IS NOT NULL", name="published_at"),
    Index("releases_product_idx", "institution_id", "product_id", "id"),
    Index("releases_published_idx", "institution_id", "product_id", "published_at", "id"),
)
Index(
    "releases_version_key",
    releases.c.institution_id,
    releases.c.product_id,
    func.lower(releases.c.version),
    func.lower(releases.c.channel),
    unique=True,
)

Index(
    "releases_version_start_idx",
    releases.c.institution_id,
    func.lower(releases.c.version).label("version_start"),
    postgresql_ops={"version_start": "text_pattern_ops"},
)

release_files = Table(
    "release_files",
    metadata,
    *own_key(),
    Column("release_id", Id, nullable=False),
    Column("name", String, nullable=False),
    Column("platform", String),
    Column("size_bytes", BigInteger, nullable=False),
    Column("sha256", Bytes, nullable=False),
    Column("content_type", String, nullable=False),
    Column("created_at", Instant, nullable=False),
    belongs_to("release_id", "releases.id"),
    CheckConstraint("size_bytes > 0", name="size_bytes"),
    CheckConstraint("length(sha256) = 32", name="sha256"),
    Index("release_files_release_idx", "institution_id", "release_id", "id"),
)
Index(
    "release_files_name_key",
    release_files.c.institution_id,
    release_files.c.release_id,
    func.lower(release_files.c.name),
    func.lower(func.coalesce(release_files.c.platform, "")),
    unique=True,
)

release_file_sums = Table(
    "release_file_sums",
    metadata,
    Column("institution_id", Id, nullable=False),
    Column("file_id", Id, nullable=False),
    Column("sums", Bytes, nullable=False),
    PrimaryKeyConstraint("institution_id", "file_id"),
    belongs_to("file_id", "release_files.id"),
)
"""The SHA-256 of each megabyte of a file. Files of older releases get them when they are first
read as a whole."""

product_images = Table(
    "product_images",
    metadata,
    Column("institution_id", Id, nullable=False),
    Column("product_id", Id, nullable=False),
    Column("media_type", String, nullable=False),
    Column("content", Bytes, nullable=False),
    Column("version", String, nullable=False),
    PrimaryKeyConstraint("institution_id", "product_id"),
    belongs_to("product_id", "products.id"),
    # Images are requested by product id alone.
    Index("product_images_product_idx", "product_id"),
)

features = Table(
    "features",
    metadata,
    *own_key(),
    Column("product_id", Id, nullable=False),
    Column("name", String, nullable=False),
    Column("kind", String, nullable=False, server_default="Flag"),
    Column("display_name", String),
    Column("description", String),
    Column("created_at", Instant, nullable=False),
    UniqueConstraint("institution_id", "product_id", "id"),
    UniqueConstraint("institution_id", "product_id", "id", "kind", name="features_kind_key"),
    CheckConstraint("kind IN ('Flag', 'Number', 'Text')", name="kind"),
    belongs_to("product_id", "products.id"),
)
Index(
    "features_name_key",
    features.c.institution_id,
    features.c.product_id,
    func.lower(features.c.name),
    unique=True,
)

entitlement_sets = Table(
    "entitlement_sets",
    metadata,
    *own_key(),
    Column("product_id", Id, nullable=False),
    Column("name", String, nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("updated_at", Instant, nullable=False),
    UniqueConstraint("institution_id", "product_id", "id"),
    belongs_to("product_id", "products.id"),
)
Index(
    "entitlement_sets_name_key",
    entitlement_sets.c.institution_id,
    entitlement_sets.c.product_id,
    func.lower(entitlement_sets.c.name),
    unique=True,
)

entitlement_set_features = Table(
    "entitlement_set_features",
    metadata,
    Column("institution_id", Id, nullable=False),
    Column("product_id", Id, nullable=False),
    Column("entitlement_set_id", Id, nullable=False),
    Column("feature_id", Id, nullable=False),
    Column("kind", String, nullable=False, server_default="Flag"),
    Column("value", Json),
    Column("position", Integer, nullable=False),
    PrimaryKeyConstraint("institution_id", "entitlement_set_id", "feature_id"),
    # Deletes the members of a product before its features, which could not be deleted otherwise.
    belongs_to("product_id", "products.id"),
    ForeignKeyConstraint(
        ["institution_id", "product_id", "entitlement_set_id"],
        ["entitlement_sets.institution_id", "entitlement_sets.product_id", "entitlement_sets.id"],
        name="entitlement_set_features_set_fkey",
        ondelete="CASCADE",
    ),
    # With the kind, so that no feature changes it while a set has a value of the former one.
    ForeignKeyConstraint(
        ["institution_id", "product_id", "feature_id", "kind"],
        ["features.institution_id", "features.product_id", "features.id", "features.kind"],
        name="entitlement_set_features_feature_fkey",
    ),
    CheckConstraint(
        "CASE kind WHEN 'Flag' THEN value IS NULL"
        " WHEN 'Number' THEN coalesce(jsonb_typeof(value) = 'number', false)"
        " ELSE coalesce(jsonb_typeof(value) = 'string', false) END",
        name="value",
    ),
    Index("entitlement_set_features_feature_idx", "institution_id", "feature_id"),
    Index("entitlement_set_features_product_idx", "institution_id", "product_id"),
)
