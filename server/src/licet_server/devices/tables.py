"""Tables of activations, device counters, device releases, access attempts and requests."""

from sqlalchemy import (
    BigInteger,
    Boolean,
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
from licet_server.kit.stored_json import ALLOW_LIST, JsonOf
from licet_server.kit.text import ERASED

activations = Table(
    "activations",
    metadata,
    *own_key(),
    Column("license_id", Id, nullable=False),
    Column("product_id", Id, nullable=False),
    Column("hardware_id", String, nullable=False),
    Column("device_name", String, info=personal()),
    Column("os", String),
    Column("app_version", String),
    Column("metadata", JsonOf(dict[str, str]), key="labels", info=personal()),
    Column("holds_seat", Boolean, nullable=False),
    Column("bound", Boolean, nullable=False),
    Column("blocked_at", Instant),
    Column("created_at", Instant, nullable=False),
    Column("activated_at", Instant),
    Column("last_seen_at", Instant, nullable=False),
    Column("file_ends_at", Instant),
    Column("released_at", Instant),
    Column("over_limit_at", Instant),
    Column("jkt", String),
    Column("key_level", String),
    Column("key_since", Instant),
    Column("proof_at", Instant),
    Column("proof_jti", String),
    Column("components_mark", String),
    belongs_to("license_id", "licenses.id"),
    UniqueConstraint("institution_id", "license_id", "hardware_id", name="activations_device_key"),
    CheckConstraint(
        "released_at IS NULL"
        " OR ((holds_seat OR over_limit_at IS NOT NULL)"
        " AND NOT bound AND blocked_at IS NULL AND file_ends_at IS NOT NULL)",
        name="released_at",
    ),
    CheckConstraint("over_limit_at IS NULL OR NOT holds_seat", name="over_limit_at"),
    CheckConstraint("holds_seat OR NOT bound", name="bound_holds_seat"),
    CheckConstraint(
        "(holds_seat OR over_limit_at IS NOT NULL) = (activated_at IS NOT NULL)",
        name="activated_at",
    ),
    Index(
        "activations_bound_key",
        "institution_id",
        "license_id",
        unique=True,
        postgresql_where=text("bound"),
    ),
    Index("activations_license_idx", "institution_id", "license_id", "id"),
    Index(
        "activations_pending_idx",
        "institution_id",
        "product_id",
        "id",
        postgresql_where=text("NOT holds_seat AND blocked_at IS NULL"),
    ),
    Index(
        "activations_released_idx",
        "institution_id",
        "license_id",
        "file_ends_at",
        postgresql_where=text("released_at IS NOT NULL"),
    ),
    Index(
        "activations_over_limit_idx",
        "institution_id",
        "license_id",
        postgresql_where=text("over_limit_at IS NOT NULL"),
    ),
    Index(
        "activations_known_key_idx",
        "institution_id",
        "license_id",
        "jkt",
        postgresql_where=text("components_mark IS NOT NULL AND jkt IS NOT NULL"),
    ),
    postgresql_with={"fillfactor": 90},
    info=ABOUT_HOLDER,
)
"""`last_seen_at` is in no index, so that its update stays in its page, which is never filled (HOT).

`file_ends_at` is the latest end of the license files that took the seat. A device that is
released before has `released_at`, and keeps its seat until then: its row counts for nothing once
the file has ended, whether or not it has been deleted by then. A device that lost its seat to a
lower cap has `over_limit_at`; it stands here, so that a verdict reads it with the device.

`jkt` is the thumbprint of its key; `proof_at` and `proof_jti` are those of the newest proof by
which it was activated. `components_mark` is that of the components that it showed last, so that a
device whose components are what they were is known without a look at them.
"""

Index(
    "activations_hardware_start_idx",
    activations.c.institution_id,
    func.lower(activations.c.hardware_id).label("hardware_start"),
    postgresql_ops={"hardware_start": "text_pattern_ops"},
)
Index(
    "activations_name_start_idx",
    activations.c.institution_id,
    func.lower(activations.c.device_name).label("name_start"),
    postgresql_ops={"name_start": "text_pattern_ops"},
    postgresql_where=activations.c.device_name.is_not(None),
)
folded_index("activations_folded_name_idx", activations.c.device_name, activations.c.institution_id)

device_components = Table(
    "device_components",
    metadata,
    Column("institution_id", Id, nullable=False),
    Column("activation_id", Id, nullable=False),
    Column("name", String, nullable=False),
    Column("license_id", Id, nullable=False),
    Column("value", String, nullable=False),
    Column("original", String, nullable=False),
    Column("bound_at", Instant, nullable=False),
    Column("changed_at", JsonOf(list[str]), nullable=False),
    PrimaryKeyConstraint("institution_id", "activation_id", "name"),
    belongs_to("activation_id", "activations.id"),
    Index(
        "device_components_value_idx",
        "institution_id",
        "license_id",
        "name",
        "value",
        "activation_id",
    ),
    info=ABOUT_HOLDER,
)
"""The components of devices by which their licenses recognize them, as hashes.

`original` is what the device was bound with, or what an operator accepted, at `bound_at`.
`changed_at` are the last times when the component became another one, newest first.
"""

device_counters = Table(
    "device_counters",
    metadata,
    Column("institution_id", Id, nullable=False),
    Column("license_id", Id, nullable=False),
    Column("seats_used", Integer, nullable=False, server_default="0"),
    Column("seats_waiting", Integer, nullable=False, server_default="0"),
    Column("over_limit", Integer, nullable=False, server_default="0"),
    Column("unreviewed_attempts", Integer, nullable=False, server_default="0"),
    Column("day", Date, nullable=False),
    Column("new_rows", Integer, nullable=False, server_default="0"),
    Column("uncounted", Integer, nullable=False, server_default="0"),
    PrimaryKeyConstraint("institution_id", "license_id"),
    belongs_to("license_id", "licenses.id"),
    CheckConstraint("seats_used >= 0", name="seats_used"),
    CheckConstraint("seats_waiting BETWEEN 0 AND seats_used", name="seats_waiting"),
    CheckConstraint("over_limit >= 0", name="over_limit"),
    CheckConstraint("unreviewed_attempts >= 0", name="unreviewed_attempts"),
    Index(
        "device_counters_over_limit_idx",
        "institution_id",
        "license_id",
        postgresql_where=text("over_limit > 0"),
    ),
)
"""One row per license, locked to add or remove a device, so that such transactions run in turn.

`seats_waiting` counts, within `seats_used`, the activations that were released and wait for the end
of their files. `over_limit` counts those that lost their seat to a lower cap. `new_rows` counts the
activations and access attempts created on `day`, `uncounted` the denials beyond that day's limit.
"""

device_releases = Table(
    "device_releases",
    metadata,
    *own_key(),
    Column("license_id", Id, nullable=False),
    Column("user_id", Id),
    Column("rekeyed", Boolean, nullable=False, server_default=text("false")),
    Column("released_at", Instant, nullable=False),
    belongs_to("license_id", "licenses.id"),
    Index("device_releases_license_idx", "institution_id", "license_id", "released_at"),
)
"""Seats that holders of licenses released themselves; the license is locked to add one.

A row outlives the account of its `user_id`, since the limit belongs to the license. It has none
where an application released the device, which has a limit of its own. A device that was `rekeyed`
was not released: it took a new key, which counts as much.
"""

seat_refusals = Table(
    "seat_refusals",
    metadata,
    Column("institution_id", Id, nullable=False),
    Column("license_id", Id, nullable=False),
    Column("hardware_id", String, nullable=False),
    Column("refused_at", Instant, nullable=False),
    PrimaryKeyConstraint("institution_id", "license_id", "hardware_id"),
    belongs_to("license_id", "licenses.id"),
    info=ABOUT_HOLDER,
)
"""The devices that were refused a seat lately, where applications may release others.

The next refusal under a license deletes its old rows, so that there are never many.
"""

enrollment_keys = Table(
    "enrollment_keys",
    metadata,
    *own_key(),
    Column("license_id", Id, nullable=False),
    Column("name", String, nullable=False, info=personal(ERASED)),
    Column("secret_hash", Bytes, nullable=False),
    Column("expires_at", Instant),
    Column("max_devices", Integer),
    Column("enrolled_devices", Integer, nullable=False, server_default="0"),
    Column("ip_allow_list", ALLOW_LIST, nullable=False),
    Column("last_used_at", Instant),
    Column("created_at", Instant, nullable=False),
    UniqueConstraint("institution_id", "secret_hash"),
    belongs_to("license_id", "licenses.id"),
    CheckConstraint("enrolled_devices BETWEEN 0 AND max_devices", name="enrolled_devices"),
    Index("enrollment_keys_license_idx", "institution_id", "license_id", "id"),
    info=ABOUT_HOLDER,
)
"""Keys that enroll devices of a license, for images and device management.

`enrolled_devices` counts the seats that were taken with the key, and never falls: it limits what a
key that became known can do.
"""

trial_devices = Table(
    "trial_devices",
    metadata,
    Column("institution_id", Id, nullable=False),
    Column("product_id", Id, nullable=False),
    Column("hardware_id", String, nullable=False),
    Column("license_id", Id, nullable=False),
    Column("first_used_at", Instant, nullable=False),
    PrimaryKeyConstraint("institution_id", "product_id", "hardware_id"),
    belongs_to("product_id", "products.id"),
    Index("trial_devices_license_idx", "institution_id", "license_id", "first_used_at"),
    info=ABOUT_HOLDER,
)
"""The license of the first Trial that each device used, where a product allows a device one.

A row outlives its license: a Trial that was deleted or converted has been used all the same.
"""

access_attempts = Table(
    "access_attempts",
    metadata,
    *own_key(),
    Column("license_id", Id, nullable=False),
    Column("product_id", Id, nullable=False),
    Column("attempted_hardware_id", String, nullable=False),
    Column("bound_hardware_id", String, nullable=False),
    Column("ip_address", String, nullable=False, info=personal(ERASED)),
    Column("entry_point", String, nullable=False),
    Column("attempt_count", BigInteger, nullable=False),
    Column("first_seen_at", Instant, nullable=False),
    Column("last_seen_at", Instant, nullable=False),
    Column("alerted_on", Date, nullable=False),
    Column("reviewed_at", Instant),
    belongs_to("license_id", "licenses.id"),
    UniqueConstraint(
        "institution_id", "license_id", "attempted_hardware_id", name="access_attempts_machine_key"
    ),
    Index("access_attempts_license_idx", "institution_id", "license_id", "id"),
    Index(
        "access_attempts_unreviewed_idx",
        "institution_id",
        "product_id",
        postgresql_where=text("reviewed_at IS NULL"),
    ),
    postgresql_with=FREQUENT_VACUUM,
    info=ABOUT_HOLDER,
)

license_requests = Table(
    "license_requests",
    metadata,
    *own_key(),
    Column("license_id", Id, nullable=False),
    Column("hardware_id", String, nullable=False),
    Column("route", String, nullable=False),
    Column("status", String, nullable=False),
    Column("device_name", String, info=personal()),
    Column("app_version", String),
    Column("ip_address", String, nullable=False, info=personal(ERASED)),
    Column("request_count", BigInteger, nullable=False),
    Column("first_seen_at", Instant, nullable=False),
    Column("last_seen_at", Instant, nullable=False),
    Column("last_day", Date, nullable=False),
    belongs_to("license_id", "licenses.id"),
    UniqueConstraint(
        "institution_id",
        "license_id",
        "hardware_id",
        "route",
        "status",
        name="license_requests_same_key",
    ),
    Index("license_requests_last_day_idx", "last_day"),
    postgresql_with={"fillfactor": 70},
    info=ABOUT_HOLDER,
)
"""What applications requested lately; a request without a device has an empty hardware ID, since
keys cannot be null. `last_day` is that of `last_seen_at`: an index of the time itself would be
written with every update.
"""
