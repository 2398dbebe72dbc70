"""Wallets, the ledger, feature prices and daily totals.

No foreign key refers to licenses: wallet and ledger remain when a license is deleted.
"""

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    Date,
    ForeignKeyConstraint,
    Index,
    PrimaryKeyConstraint,
    Table,
    text,
)

from licet_server.kit.database import (
    ABOUT_HOLDER,
    FREQUENT_VACUUM,
    Amount,
    Finite,
    Id,
    Instant,
    String,
    belongs_to,
    metadata,
    own_key,
    personal,
)
from licet_server.kit.text import ERASED

Total = Finite(38, 6)
"""The type of a sum over any number of licenses."""

meter_wallets = Table(
    "meter_wallets",
    metadata,
    Column("institution_id", Id, nullable=False),
    Column("license_id", Id, nullable=False),
    Column("product_id", Id, nullable=False),
    Column("mode", String, nullable=False),
    Column("balance", Amount, nullable=False),
    Column("version", BigInteger, nullable=False),
    Column("low_balance_threshold", Amount),
    Column("held", Amount, nullable=False, server_default="0"),
    Column("closed_at", Instant),
    Column("rests_since", Instant),
    PrimaryKeyConstraint("institution_id", "license_id"),
    ForeignKeyConstraint(["institution_id"], ["institutions.id"], ondelete="CASCADE"),
    CheckConstraint("balance >= 0", name="balance"),
    CheckConstraint("held >= 0", name="held"),
    CheckConstraint("mode IN ('Count', 'Token')", name="mode"),
    CheckConstraint("mode = 'Token' OR balance = trunc(balance)", name="whole"),
    CheckConstraint("low_balance_threshold >= 0", name="low_balance_threshold"),
    postgresql_with={"fillfactor": 50},
)
"""`version` is the number of the last ledger entry. A charge updates it and `balance`; neither is
in an index, so the update can stay within its page (HOT). Half of each page is kept free for that.
`held` is what open reservations have set aside, which is no part of the balance.
"""

meter_entries = Table(
    "meter_entries",
    metadata,
    Column("institution_id", Id, nullable=False),
    Column("license_id", Id, nullable=False),
    Column("id", Id, nullable=False),
    Column("sequence", BigInteger),
    Column("created_at", Instant, nullable=False),
    Column("activation_id", Id),
    Column("quantity", BigInteger),
    Column("type", String, nullable=False),
    Column("amount", Amount, nullable=False),
    Column("balance_after", Amount, nullable=False),
    Column("unit_price", Amount),
    Column("feature_name", String),
    Column("idempotency_key", String),
    Column("reason", String, info=personal(ERASED)),
    Column("external_reference", String, info=personal(ERASED)),
    Column("lease_id", Id),
    PrimaryKeyConstraint("institution_id", "license_id", "id"),
    CheckConstraint("balance_after >= 0", name="balance_after"),
    CheckConstraint(
        "CASE type WHEN 'Consume' THEN amount <= 0 WHEN 'Adjust' THEN amount <> 0 "
        "WHEN 'LeaseHold' THEN amount < 0 WHEN 'LeaseCharge' THEN amount < 0 "
        "ELSE amount > 0 END",
        name="amount",
    ),
    CheckConstraint(
        "type IN ('InitialGrant', 'Consume', 'AdminGrant', 'Adjust', "
        "'LeaseHold', 'LeaseSettle', 'LeaseCharge') AND "
        "(type = 'Consume') = (feature_name IS NOT NULL AND quantity IS NOT NULL)",
        name="type",
    ),
    CheckConstraint("sequence IS NOT NULL OR (type = 'Consume' AND amount = 0)", name="refusal"),
    CheckConstraint(
        "CASE WHEN type LIKE 'Lease%' THEN lease_id IS NOT NULL "
        "ELSE lease_id IS NULL OR type = 'Consume' END",
        name="lease",
    ),
    Index(
        "meter_entries_sequence_key",
        "institution_id",
        "license_id",
        "sequence",
        unique=True,
        postgresql_where=text("sequence IS NOT NULL"),
    ),
    Index(
        "meter_entries_idempotency_key",
        "institution_id",
        "license_id",
        "idempotency_key",
        unique=True,
        postgresql_where=text("idempotency_key IS NOT NULL"),
    ),
    Index("meter_entries_created_idx", "created_at", postgresql_using="brin"),
    postgresql_with=FREQUENT_VACUUM,
    info=ABOUT_HOLDER,
)
"""The ledger, and the record of idempotency keys. An entry with a `sequence` changed the balance. A
charge without one was refused for lack of balance, and is kept so that a retry gets the same
result.

No foreign key to wallets: an entry is written under the lock of its wallet, so a check per row
would be wasted. Rows are inserted in the order of time, so a BRIN index finds those of a day. A
migration tells the planner how many entries a wallet has, since its own statistics lag behind.
"""

meter_openings = Table(
    "meter_openings",
    metadata,
    Column("institution_id", Id, nullable=False),
    Column("license_id", Id, nullable=False),
    Column("sequence", BigInteger, nullable=False),
    Column("balance", Amount, nullable=False),
    Column("consumed", Total, nullable=False),
    Column("held", Amount, nullable=False, server_default="0"),
    Column("until", Date, nullable=False),
    PrimaryKeyConstraint("institution_id", "license_id"),
    ForeignKeyConstraint(["institution_id"], ["institutions.id"], ondelete="CASCADE"),
)
"""What the ledger of a license begins with, if its oldest entries are in archives: the number and
balance of the last of them, and what all of them consumed and held. No charge reads it. The totals
of the days before `until` are final."""

meter_feature_names = Table(
    "meter_feature_names",
    metadata,
    Column("institution_id", Id, nullable=False),
    Column("product_id", Id, nullable=False),
    Column("folded", String, nullable=False),
    Column("name", String, nullable=False),
    PrimaryKeyConstraint("institution_id", "product_id", "folded"),
    belongs_to("product_id", "products.id"),
)
"""How a name that is not that of a feature was spelled when it was first charged for; `folded` is
the name in lower case."""

feature_prices = Table(
    "feature_prices",
    metadata,
    *own_key(),
    Column("product_id", Id, nullable=False),
    Column("feature_id", Id, nullable=False),
    Column("token_cost", Amount, nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("replaced_at", Instant),
    ForeignKeyConstraint(
        ["institution_id", "product_id", "feature_id"],
        ["features.institution_id", "features.product_id", "features.id"],
        ondelete="CASCADE",
    ),
    CheckConstraint("token_cost > 0", name="token_cost"),
    Index("feature_prices_feature_idx", "institution_id", "product_id", "feature_id", "id"),
    Index(
        "feature_prices_active_key",
        "institution_id",
        "feature_id",
        unique=True,
        postgresql_where=text("replaced_at IS NULL"),
    ),
)

meter_counts = Table(
    "meter_counts",
    metadata,
    Column("institution_id", Id, nullable=False),
    Column("license_id", Id, nullable=False),
    Column("counted", BigInteger, nullable=False),
    PrimaryKeyConstraint("institution_id", "license_id"),
    belongs_to("license_id", "meter_wallets.license_id"),
)
"""The sequence number up to which the ledger of a wallet is in the daily totals."""

meter_license_days = Table(
    "meter_license_days",
    metadata,
    Column("institution_id", Id, nullable=False),
    Column("day", Date, nullable=False),
    Column("license_id", Id, nullable=False),
    Column("product_id", Id, nullable=False),
    Column("mode", String, nullable=False),
    Column("consumed", Total, nullable=False),
    Column("granted", Total, nullable=False),
    Column("adjusted", Total, nullable=False),
    PrimaryKeyConstraint("institution_id", "day", "license_id"),
    ForeignKeyConstraint(["institution_id"], ["institutions.id"], ondelete="CASCADE"),
)

meter_feature_days = Table(
    "meter_feature_days",
    metadata,
    Column("institution_id", Id, nullable=False),
    Column("day", Date, nullable=False),
    Column("product_id", Id, nullable=False),
    Column("mode", String, nullable=False),
    Column("feature_name", String, nullable=False),
    Column("consumed", Total, nullable=False),
    PrimaryKeyConstraint("institution_id", "day", "product_id", "mode", "feature_name"),
    ForeignKeyConstraint(["institution_id"], ["institutions.id"], ondelete="CASCADE"),
)

meter_license_months = Table(
    "meter_license_months",
    metadata,
    Column("institution_id", Id, nullable=False),
    Column("month", Date, nullable=False),
    Column("license_id", Id, nullable=False),
    Column("product_id", Id, nullable=False),
    Column("mode", String, nullable=False),
    Column("consumed", Total, nullable=False),
    PrimaryKeyConstraint("institution_id", "month", "license_id"),
    ForeignKeyConstraint(["institution_id"], ["institutions.id"], ondelete="CASCADE"),
    CheckConstraint("extract(day FROM month) = 1", name="month"),
)
"""The sums of `meter_license_days` by month, which is named by its first day."""

meter_product_days = Table(
    "meter_product_days",
    metadata,
    Column("institution_id", Id, nullable=False),
    Column("day", Date, nullable=False),
    Column("product_id", Id, nullable=False),
    Column("mode", String, nullable=False),
    Column("consumed", Total, nullable=False),
    Column("granted", Total, nullable=False),
    Column("adjusted", Total, nullable=False),
    PrimaryKeyConstraint("institution_id", "day", "product_id", "mode"),
    ForeignKeyConstraint(["institution_id"], ["institutions.id"], ondelete="CASCADE"),
)
"""The sums of `meter_license_days` by product."""
