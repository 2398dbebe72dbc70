"""The table of offline requests."""

from sqlalchemy import CheckConstraint, Column, Index, Integer, Table, UniqueConstraint, text

from licet_server.kit.database import (
    ABOUT_HOLDER,
    Id,
    Instant,
    String,
    belongs_to,
    metadata,
    own_key,
    personal,
)

offline_requests = Table(
    "offline_requests",
    metadata,
    *own_key(),
    Column("license_id", Id, nullable=False),
    Column("product_id", Id, nullable=False),
    Column("jkt", String, nullable=False),
    Column("key_x", String, nullable=False),
    Column("key_y", String, nullable=False),
    Column("hardware_id", String, nullable=False),
    Column("device_name", String, info=personal()),
    Column("app_version", String),
    Column("kind", String, nullable=False),
    Column("nonce", String),
    Column("seq", Integer, nullable=False),
    Column("base", String),
    Column("installed_jti", String),
    Column("key_hash", String, nullable=False),
    Column("file_jti", Id),
    Column("file_made_at", Instant),
    Column("file_ends_at", Instant),
    Column("seat_until", Instant),
    Column("other_file_until", Instant),
    Column("state", String, nullable=False),
    Column("asked_at", Instant, nullable=False),
    Column("decided_at", Instant),
    Column("decided_by", Id),
    Column("reason", String, info=personal()),
    belongs_to("license_id", "licenses.id"),
    UniqueConstraint("institution_id", "license_id", "jkt", name="offline_requests_device_key"),
    CheckConstraint("seq >= 1", name="seq"),
    CheckConstraint("(state = 'Waiting') = (decided_at IS NULL)", name="decided_at"),
    CheckConstraint(
        "(file_jti IS NULL) = (file_made_at IS NULL)"
        " AND (file_jti IS NULL) = (file_ends_at IS NULL)"
        " AND (state <> 'Answered' OR file_jti IS NOT NULL)",
        name="file",
    ),
    Index("offline_requests_license_idx", "institution_id", "license_id", "id"),
    Index("offline_requests_asked_idx", "institution_id", "license_id", "asked_at"),
    Index(
        "offline_requests_waiting_idx",
        "institution_id",
        "product_id",
        "id",
        postgresql_where=text("state = 'Waiting'"),
    ),
    info=ABOUT_HOLDER,
)
"""The newest request of each device, under the lock of its license. A row of a device that was
released stays as its tombstone, so that no older request is answered."""
