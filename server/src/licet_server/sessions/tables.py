"""Tables of sessions, and of the slots that live ones occupy."""

from sqlalchemy import (
    CheckConstraint,
    Column,
    Date,
    Index,
    Integer,
    PrimaryKeyConstraint,
    Table,
    UniqueConstraint,
    func,
    text,
)

from licet_server.kit.database import (
    ABOUT_HOLDER,
    FREQUENT_VACUUM,
    Bytes,
    Id,
    Instant,
    String,
    belongs_to,
    metadata,
    own_key,
    personal,
)
from licet_server.kit.folded_columns import folded_index

sessions = Table(
    "sessions",
    metadata,
    *own_key(),
    Column("license_id", Id, nullable=False),
    Column("product_id", Id, nullable=False),
    Column("hardware_id", String, nullable=False),
    Column("instance_id", String, info=personal()),
    Column("device_name", String, info=personal()),
    Column("app_version", String),
    Column("connected_at", Instant, nullable=False),
    Column("last_heartbeat_at", Instant),
    Column("ended_at", Instant),
    Column("end_reason", String),
    Column("proof_jti", String),
    belongs_to("license_id", "licenses.id"),
    CheckConstraint("(ended_at IS NULL) = (end_reason IS NULL)", name="end_reason"),
    Index("sessions_license_idx", "institution_id", "license_id", "id"),
    Index(
        "sessions_proof_idx",
        "institution_id",
        "license_id",
        "proof_jti",
        postgresql_where=text("proof_jti IS NOT NULL"),
    ),
    postgresql_with=FREQUENT_VACUUM,
    info=ABOUT_HOLDER,
)
"""What does not change while a session is live; `last_heartbeat_at` is stored at its end.

Sessions that ended long ago move to archives."""

_NOT_ENDED = sessions.c.ended_at.is_(None)

Index(
    "sessions_hardware_start_idx",
    sessions.c.institution_id,
    func.lower(sessions.c.hardware_id).label("hardware_start"),
    postgresql_ops={"hardware_start": "text_pattern_ops"},
    postgresql_where=_NOT_ENDED,
)
Index(
    "sessions_name_start_idx",
    sessions.c.institution_id,
    func.lower(sessions.c.device_name).label("name_start"),
    postgresql_ops={"name_start": "text_pattern_ops"},
    postgresql_where=_NOT_ENDED & sessions.c.device_name.is_not(None),
)
folded_index(
    "sessions_folded_name_idx",
    sessions.c.device_name,
    sessions.c.institution_id,
    where=_NOT_ENDED,
)

session_slots = Table(
    "session_slots",
    metadata,
    Column("institution_id", Id, nullable=False),
    Column("license_id", Id, nullable=False),
    Column("n", Integer, nullable=False),
    Column("session_id", Id),
    Column("product_id", Id, nullable=False),
    Column("hardware_id", String),
    Column("instance_key", Bytes),
    Column("connected_at", Instant),
    Column("last_heartbeat_at", Instant),
    Column("expires_at", Instant),
    Column("jkt", String),
    Column("lease_id", Id),
    PrimaryKeyConstraint("institution_id", "license_id", "n"),
    belongs_to("license_id", "licenses.id"),
    UniqueConstraint("institution_id", "session_id", name="session_slots_session_key"),
    UniqueConstraint("institution_id", "instance_key", name="session_slots_instance_key"),
    CheckConstraint("(session_id IS NULL) = (expires_at IS NULL)", name="expires_at"),
    Index(
        "session_slots_free_idx",
        "institution_id",
        "license_id",
        "n",
        postgresql_where=text("session_id IS NULL"),
    ),
    postgresql_with={"fillfactor": 50},
)
"""The seats. A heartbeat changes `last_heartbeat_at` and `expires_at`, which are in no index, so
that the update stays in its page (HOT); half of each page is kept free for that.

`instance_key` is a hash that includes the license. A look-up by it does not mention the license, so
that the planner cannot choose to read every slot of a license instead.

`jkt` is the thumbprint of the key that must prove what is asked of the session, if it began so.

A slot with a `lease_id` is borrowed: nothing that ends sessions ends its session, which lasts until
`expires_at` whether or not it is heard of. It has no `instance_key`, so that nothing replaces it.
"""

session_pools = Table(
    "session_pools",
    metadata,
    Column("institution_id", Id, nullable=False),
    Column("license_id", Id, nullable=False),
    Column("quiet_until", Instant, nullable=False),
    PrimaryKeyConstraint("institution_id", "license_id"),
    belongs_to("license_id", "licenses.id"),
)
"""Large pools: no session in a slot of the license times out before `quiet_until`.

Until then every session in a slot is live, so that they need not be counted one by one. Whoever
stores an earlier timeout has locked the license, and stores it here, too; heartbeats store later
ones.
"""

session_peaks = Table(
    "session_peaks",
    metadata,
    Column("institution_id", Id, nullable=False),
    Column("license_id", Id, nullable=False),
    Column("day", Date, nullable=False),
    Column("product_id", Id, nullable=False),
    Column("peak", Integer, nullable=False),
    PrimaryKeyConstraint("institution_id", "license_id", "day"),
    belongs_to("license_id", "licenses.id"),
    CheckConstraint("peak > 0", name="peak"),
    Index("session_peaks_institution_idx", "institution_id", "day"),
    Index("session_peaks_day_idx", "day"),
)
"""The most sessions that a license which limits them had at once on a UTC day.

The transaction that starts sessions raises it, and writes only where a peak is exceeded. Sessions
that lasted from the day before are counted by a job.
"""
