"""Events as received, and the totals that figures are computed from.

No foreign key refers to products: deleting a product with millions of events would take too long
for a request. The purge job also deletes the events of deleted products.
"""

from typing import Any

from sqlalchemy import (
    BigInteger,
    Column,
    Date,
    Index,
    Integer,
    PrimaryKeyConstraint,
    Table,
    text,
)

from licet_server.kit.database import (
    ABOUT_HOLDER,
    Bytes,
    Id,
    Instant,
    String,
    metadata,
    own_key,
    personal,
)
from licet_server.kit.stored_json import JsonOf

telemetry_events = Table(
    "telemetry_events",
    metadata,
    *own_key(),
    Column("product_id", Id, nullable=False),
    Column("license_id", Id),
    Column("device", Bytes, nullable=False),
    Column("name", String, nullable=False),
    Column("occurred_at", Instant, nullable=False),
    Column("received_at", Instant, nullable=False),
    Column("properties", JsonOf(dict[str, Any]), nullable=False, info=personal({})),
    Index("telemetry_events_product_idx", "institution_id", "product_id", "id"),
    Index(
        "telemetry_events_license_idx",
        "institution_id",
        "license_id",
        postgresql_where=text("license_id IS NOT NULL"),
    ),
    Index("telemetry_events_name_idx", "institution_id", "product_id", "name", "id"),
    info=ABOUT_HOLDER,
)
"""Ids are in the order in which events were received."""

telemetry_tallies = Table(
    "telemetry_tallies",
    metadata,
    Column("institution_id", Id, nullable=False),
    Column("product_id", Id, nullable=False),
    Column("day", Date, nullable=False),
    Column("events", BigInteger, nullable=False),
    Column("bytes", BigInteger, nullable=False, server_default="0"),
    Column("dropped", BigInteger, nullable=False, server_default="0"),
    PrimaryKeyConstraint("institution_id", "product_id", "day"),
    postgresql_with={"fillfactor": 50},
)
"""What a product sent on a UTC day by the server's clock: events and bytes, including the dropped
ones, and how many events were dropped because the day's bytes were used up."""

telemetry_name_days = Table(
    "telemetry_name_days",
    metadata,
    Column("institution_id", Id, nullable=False),
    Column("product_id", Id, nullable=False),
    Column("day", Date, nullable=False),
    Column("name", String, nullable=False),
    Column("events", BigInteger, nullable=False),
    PrimaryKeyConstraint("institution_id", "product_id", "day", "name"),
    postgresql_with={"fillfactor": 50},
)
"""How often an event occurred on a UTC day."""

telemetry_device_months = Table(
    "telemetry_device_months",
    metadata,
    Column("institution_id", Id, nullable=False),
    Column("product_id", Id, nullable=False),
    Column("month", Date, nullable=False),
    Column("name", String, nullable=False),
    Column("device", Bytes, nullable=False),
    Column("license_id", Id, nullable=False),
    Column("days", Integer, nullable=False),
    PrimaryKeyConstraint("institution_id", "product_id", "month", "name", "device", "license_id"),
    postgresql_with={"fillfactor": 70},
)
"""The days of a month on which a device reported an event. A missing device or license has an empty
value, since keys cannot be null."""
