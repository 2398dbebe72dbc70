"""Events as they came in, and the sums that figures are read from.

None refers to the product by a foreign key: to delete a product with millions of events would take
longer than a request may. The job that forgets old events forgets those of deleted products, too.
"""

from sqlalchemy import BigInteger, Column, Date, Index, Integer, PrimaryKeyConstraint, Table

from licet_server.kit.database import Bytes, Id, Instant, Json, String, metadata

telemetry_events = Table(
    "telemetry_events",
    metadata,
    Column("institution_id", Id, nullable=False),
    Column("id", Id, nullable=False),
    Column("product_id", Id, nullable=False),
    Column("license_id", Id),
    Column("device", Bytes, nullable=False),
    Column("name", String, nullable=False),
    Column("occurred_at", Instant, nullable=False),
    Column("received_at", Instant, nullable=False),
    Column("properties", Json, nullable=False),
    PrimaryKeyConstraint("institution_id", "id"),
    Index("telemetry_events_product_idx", "institution_id", "product_id", "id"),
    Index("telemetry_events_name_idx", "institution_id", "product_id", "name", "id"),
)
"""The order of ids is the order in which events came in."""

telemetry_tallies = Table(
    "telemetry_tallies",
    metadata,
    Column("institution_id", Id, nullable=False),
    Column("product_id", Id, nullable=False),
    Column("day", Date, nullable=False),
    Column("events", BigInteger, nullable=False),
    PrimaryKeyConstraint("institution_id", "product_id", "day"),
    postgresql_with={"fillfactor": 50},
)
"""How many events a product sent on a UTC day by the server's clock, with those turned away."""

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
"""How often an event happened on a UTC day."""

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
"""On which days of a month a device sent an event. What is absent has an empty value here: keys
know no null."""
