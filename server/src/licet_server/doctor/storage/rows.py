"""The statements of the checks, one for each, and the repairs.

Each reads the tables that it names as a whole, and none of them once for each row of another.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy import (
    text,
)
from sqlalchemy.exc import SQLAlchemyError

from licet_server.doctor.rules import CheckName
from licet_server.kit.database import Connection
from licet_server.kit.text import ERASED_ADDRESS
from licet_server.licenses.rules.coverage import Fallback
from licet_server.licenses.rules.model import ActivationMode
from licet_server.licenses.rules.traits import (
    ModelTraits,
    models_where,
)

DatabaseFailed = SQLAlchemyError
"""What a statement raises that the database refuses or does not finish."""


def _models(has_trait: Callable[[ModelTraits], bool]) -> str:
    return "l.type IN (" + ", ".join(f"'{item}'" for item in models_where(has_trait)) + ")"


_TERM_FAULTS = {
    "no end": f"{_models(lambda item: item.term_required)}"
    " AND l.expiration_date IS NULL AND l.term_days IS NULL AND l.term_months IS NULL",
    "no number of seats": f"{_models(lambda item: item.seat_cap_required)}"
    " AND l.max_active_users_count IS NULL",
    "seats that its model does not have": f"{_models(lambda item: not item.seat_cap_required)}"
    " AND l.max_active_users_count IS NOT NULL",
    "no device binding mode": f"{_models(lambda item: item.takes_binding_mode)}"
    " AND l.device_binding_mode IS NULL",
    "a device binding mode that its model does not have": "l.device_binding_mode IS NOT NULL"
    f" AND {_models(lambda item: not item.takes_binding_mode)}",
    "an offline mode that its model does not have": f"{_models(lambda item: item.online_only)}"
    f" AND l.activation_mode = '{ActivationMode.OFFLINE}'",
    "a fallback that its model does not have": f"{_models(lambda item: item.is_trial)}"
    f" AND l.fallback <> '{Fallback.NONE}'",
    "nobody that it is issued to": f"{_models(lambda item: item.receiver_required)}"
    " AND l.issued_to IS NULL",
    "a closed wallet": f"{_models(lambda item: item.is_metered)} AND EXISTS ("
    "SELECT FROM meter_wallets w WHERE w.institution_id = l.institution_id"
    " AND w.license_id = l.id AND w.closed_at IS NOT NULL)",
    "a user name or a password alone": "(l.username IS NULL) <> (l.password_hash IS NULL)",
}
_TERMS = f"""
    SELECT institution_id, id, 'license ' || id || ' has ' || fault AS note FROM (
        SELECT l.institution_id, l.id, CASE
            {" ".join(f"WHEN {wrong} THEN '{fault}'" for fault, wrong in _TERM_FAULTS.items())}
        END AS fault FROM licenses l
    ) judged WHERE fault IS NOT NULL
"""  # noqa: S608
_WITH_PRODUCTS = {
    "device": "activations",
    "session": "session_slots",
    "access attempt": "access_attempts",
    "former key": "license_former_keys",
    "wallet": "meter_wallets",
}
"""Tables that repeat the product of their license."""
_CHOSEN = {
    "release": ("releases", "software_release_id"),
    "policy": ("policies", "policy_id"),
    "entitlement set": ("entitlement_sets", "entitlement_set_id"),
}
"""What an operator chooses for a license from those of its product."""
_OTHER_PRODUCTS = " UNION ALL ".join(
    [
        f"SELECT l.institution_id, l.id, '{name}' AS part FROM licenses l JOIN {table} x "  # noqa: S608
        "ON x.institution_id = l.institution_id AND x.license_id = l.id "
        "WHERE x.product_id <> l.product_id"
        for name, table in _WITH_PRODUCTS.items()
    ]
    + [
        f"SELECT l.institution_id, l.id, '{name}' FROM licenses l JOIN {table} x "  # noqa: S608
        f"ON x.institution_id = l.institution_id AND x.id = l.{column} "
        "WHERE x.product_id <> l.product_id"
        for name, (table, column) in _CHOSEN.items()
    ]
)
_OTHER_PRODUCTS = f"""
    SELECT institution_id, id,
        'license ' || id || ': ' || min(part) || ' of another product' AS note
    FROM ({_OTHER_PRODUCTS}) parts GROUP BY institution_id, id
"""  # noqa: S608
_HELD = """
    SELECT w.institution_id, w.license_id AS id,
        'license ' || w.license_id || ': holds ' || trim_scale(w.held)
            || ' and has reserved ' || trim_scale(coalesce(l.held, 0)) AS note
    FROM meter_wallets w LEFT JOIN (
        SELECT institution_id, license_id, sum(quantity - spent) AS held
        FROM leases WHERE kind = 'Credits' AND ended_at IS NULL
        GROUP BY institution_id, license_id
    ) l ON l.institution_id = w.institution_id AND l.license_id = w.license_id
    WHERE w.held <> coalesce(l.held, 0)
"""
_STATEMENTS: Mapping[CheckName, str] = {
    CheckName.IMPOSSIBLE_DATES: """
    SELECT institution_id, id, 'license ' || id || ' ends at ' || expiration_date AS note
    FROM licenses
    WHERE expiration_date < '1970-01-01Z' OR expiration_date >= '9900-01-01Z'
""",
    CheckName.DEVICE_SEATS: """
    SELECT c.institution_id, c.license_id AS id,
        'license ' || c.license_id || ' counts ' || CASE
            WHEN c.over_limit <> coalesce(a.lost, 0)
                THEN c.over_limit || ' devices over the limit and has ' || coalesce(a.lost, 0)
            ELSE c.seats_used || ' seats and has ' || coalesce(a.used, 0)
        END AS note
    FROM device_counters c LEFT JOIN (
        SELECT institution_id, license_id, count(*) FILTER (WHERE holds_seat) AS used,
            count(*) FILTER (WHERE holds_seat AND released_at IS NOT NULL) AS waiting,
            count(*) FILTER (WHERE over_limit_at IS NOT NULL) AS lost
        FROM activations WHERE holds_seat OR over_limit_at IS NOT NULL
        GROUP BY institution_id, license_id
    ) a ON a.institution_id = c.institution_id AND a.license_id = c.license_id
    WHERE c.seats_used <> coalesce(a.used, 0) OR c.seats_waiting <> coalesce(a.waiting, 0)
        OR c.over_limit <> coalesce(a.lost, 0)
""",
    CheckName.DEVICE_LIMIT: """
    SELECT l.institution_id, l.id,
        'license ' || l.id || ' has ' || count(*) || ' devices with a seat and '
            || l.max_active_users_count || ' seats' AS note
    FROM activations a
    JOIN licenses l ON l.institution_id = a.institution_id AND l.id = a.license_id
    WHERE a.holds_seat AND l.type = 'Concurrent'
    GROUP BY l.institution_id, l.id
    HAVING count(*) > l.max_active_users_count
""",
    CheckName.SESSION_SEATS: """
    SELECT l.institution_id, l.id,
        'license ' || l.id || ' has ' || count(*) || ' live sessions and '
            || l.max_active_users_count || ' seats' AS note
    FROM session_slots s
    JOIN licenses l ON l.institution_id = s.institution_id AND l.id = s.license_id
    LEFT JOIN test_clocks c
        ON c.institution_id = s.institution_id AND c.product_id = s.product_id
    WHERE s.expires_at > coalesce(c.now, :now) AND s.connected_at > l.updated_at
    GROUP BY l.institution_id, l.id
    HAVING count(*) > l.max_active_users_count
""",
    CheckName.BLOCKED_DEVICES: """
    SELECT l.institution_id, l.id,
        'license ' || l.id || ' counts ' || l.blocked_devices || ' blocked devices and has '
            || coalesce(a.blocked, 0) AS note
    FROM licenses l LEFT JOIN (
        SELECT institution_id, license_id, count(*) AS blocked
        FROM activations WHERE blocked_at IS NOT NULL GROUP BY institution_id, license_id
    ) a ON a.institution_id = l.institution_id AND a.license_id = l.id
    WHERE l.blocked_devices <> coalesce(a.blocked, 0)
""",
    CheckName.ACCESS_ATTEMPTS: """
    SELECT c.institution_id, c.license_id AS id,
        'license ' || c.license_id || ' counts ' || c.unreviewed_attempts
            || ' access attempts to review and has ' || coalesce(a.number, 0) AS note
    FROM device_counters c LEFT JOIN (
        SELECT institution_id, license_id, count(*) AS number
        FROM access_attempts WHERE reviewed_at IS NULL GROUP BY institution_id, license_id
    ) a ON a.institution_id = c.institution_id AND a.license_id = c.license_id
    WHERE c.unreviewed_attempts <> coalesce(a.number, 0)
""",
    CheckName.LICENSE_COUNTS: """
    SELECT p.institution_id, p.id,
        'product ' || p.id || ' counts ' || p.license_count || ' licenses and has '
            || coalesce(l.number, 0) AS note
    FROM products p LEFT JOIN (
        SELECT institution_id, product_id, count(*) AS number
        FROM licenses GROUP BY institution_id, product_id
    ) l ON l.institution_id = p.institution_id AND l.product_id = p.id
    WHERE p.license_count <> coalesce(l.number, 0)
""",
    CheckName.LICENSE_TERMS: _TERMS,
    CheckName.LICENSE_CUSTOMERS: f"""
    SELECT institution_id, id, 'license ' || id || ' has no customer' AS note
    FROM licenses
    WHERE customer_id IS NULL AND issued_to LIKE '%@%' AND issued_to <> '{ERASED_ADDRESS}'
""",  # noqa: S608
    CheckName.OTHER_PRODUCTS: _OTHER_PRODUCTS,
    CheckName.ORPHANED_WALLETS: """
    SELECT w.institution_id, w.license_id AS id,
        'wallet of license ' || w.license_id || ' with ' || w.balance AS note
    FROM meter_wallets w
    WHERE w.closed_at IS NULL AND NOT EXISTS (
        SELECT FROM licenses l WHERE l.institution_id = w.institution_id AND l.id = w.license_id
    )
""",
    CheckName.MISSING_LICENSES: """
    SELECT o.institution_id, o.id,
        'order ' || o.id || ' names license ' || x.license_id AS note
    FROM orders o
    JOIN order_licenses x ON x.institution_id = o.institution_id AND x.order_id = o.id
    WHERE o.status = 'Fulfilled' AND x.use = 'Active' AND NOT EXISTS (
        SELECT FROM licenses l WHERE l.institution_id = x.institution_id AND l.id = x.license_id
    )
""",
    CheckName.SIGNING_KEYS: """
    SELECT p.institution_id, p.id, 'product ' || p.id AS note
    FROM products p
    WHERE p.license_count > 0 AND NOT EXISTS (
        SELECT FROM rsa_keys k WHERE k.institution_id = p.institution_id
            AND k.product_id = p.id AND k.retired_at IS NULL
    )
""",
    CheckName.OWNERS: """
    SELECT i.id AS institution_id, i.id, 'institution ' || i.id || ' has no Owner' AS note
    FROM institutions i
    WHERE NOT EXISTS (
        SELECT FROM memberships m WHERE m.institution_id = i.id AND m.role = 'Owner'
    )
""",
    CheckName.FAILING_WEBHOOKS: """
    SELECT institution_id, id, 'webhook ' || id || ' has failed since ' || failing_since AS note
    FROM webhooks WHERE failing_since < :failing_since
""",
}


@dataclass(frozen=True, slots=True)
class Faulty:
    """A row that a check found, and what is wrong with it."""

    institution_id: UUID
    id: UUID
    note: str


@dataclass(frozen=True, slots=True)
class FaultyRows:
    """The first rows that a check found, and how many there are in all."""

    count: int
    rows: Sequence[Faulty]


ROW_CHECKS = tuple(_STATEMENTS)
"""The checks that are statements about rows."""


async def find_rows(
    db: Connection, name: CheckName, now: datetime, failing_for: timedelta, limit: int
) -> FaultyRows:
    """Find the rows that a check is about."""
    wanted = {"now": now, "failing_since": now - failing_for, "most": limit}
    return await _find(db, _STATEMENTS[name], wanted)


async def find_held(db: Connection, limit: int) -> FaultyRows:
    """Find the wallets that hold another amount than the open reservations of their licenses."""
    return await _find(db, _HELD, {"most": limit})


async def _find(db: Connection, check: str, wanted: Mapping[str, object]) -> FaultyRows:
    statement = text(
        f"SELECT count(*) OVER () AS total, found.* FROM ({check}) found "  # noqa: S608
        "ORDER BY institution_id, id LIMIT :most"
    )
    given = {key: value for key, value in wanted.items() if f":{key}" in str(statement)}
    rows = (await db.execute(statement, given)).all()
    found = [Faulty(row.institution_id, row.id, row.note) for row in rows]
    return FaultyRows(rows[0].total if rows else 0, found)


# What a counter counts is inserted and deleted in transactions that change the counter by a
# difference. Once its row is locked, all of them have ended, or have changed neither.
_REPAIRS: Mapping[CheckName, Sequence[str]] = {
    CheckName.DEVICE_SEATS: (
        """
        SELECT FROM device_counters
        WHERE institution_id = :institution_id AND license_id = :id FOR UPDATE
        """,
        """
        UPDATE device_counters c
        SET seats_used = a.used, seats_waiting = a.waiting, over_limit = a.lost
        FROM (
            SELECT count(*) FILTER (WHERE holds_seat) AS used,
                count(*) FILTER (WHERE holds_seat AND released_at IS NOT NULL) AS waiting,
                count(*) FILTER (WHERE over_limit_at IS NOT NULL) AS lost
            FROM activations WHERE institution_id = :institution_id AND license_id = :id
        ) a
        WHERE c.institution_id = :institution_id AND c.license_id = :id
        AND (c.seats_used, c.seats_waiting, c.over_limit) <> (a.used, a.waiting, a.lost)
        """,
    ),
    CheckName.BLOCKED_DEVICES: (
        """
        SELECT FROM licenses WHERE institution_id = :institution_id AND id = :id FOR NO KEY UPDATE
        """,
        """
        UPDATE licenses l SET blocked_devices = a.blocked
        FROM (
            SELECT count(*) AS blocked FROM activations
            WHERE blocked_at IS NOT NULL AND institution_id = :institution_id AND license_id = :id
        ) a
        WHERE l.institution_id = :institution_id AND l.id = :id AND l.blocked_devices <> a.blocked
        """,
    ),
    CheckName.ACCESS_ATTEMPTS: (
        """
        SELECT FROM device_counters
        WHERE institution_id = :institution_id AND license_id = :id FOR UPDATE
        """,
        """
        UPDATE device_counters c SET unreviewed_attempts = a.number
        FROM (
            SELECT count(*) AS number FROM access_attempts
            WHERE reviewed_at IS NULL AND institution_id = :institution_id AND license_id = :id
        ) a
        WHERE c.institution_id = :institution_id AND c.license_id = :id
        AND c.unreviewed_attempts <> a.number
        """,
    ),
    CheckName.OTHER_PRODUCTS: tuple(
        f"""
        UPDATE {table} x SET product_id = l.product_id FROM licenses l
        WHERE l.institution_id = :institution_id AND l.id = :id
        AND x.institution_id = :institution_id AND x.license_id = :id
        AND x.product_id <> l.product_id
        """  # noqa: S608
        for table in _WITH_PRODUCTS.values()
    ),
    CheckName.LICENSE_COUNTS: (
        """
        SELECT FROM products WHERE institution_id = :institution_id AND id = :id FOR NO KEY UPDATE
        """,
        """
        UPDATE products p SET license_count = l.number
        FROM (
            SELECT count(*) AS number FROM licenses
            WHERE institution_id = :institution_id AND product_id = :id
        ) l
        WHERE p.institution_id = :institution_id AND p.id = :id AND p.license_count <> l.number
        """,
    ),
    CheckName.ORPHANED_WALLETS: (
        """
        UPDATE meter_wallets w SET closed_at = :now
        WHERE w.institution_id = :institution_id AND w.license_id = :id AND w.closed_at IS NULL
        AND NOT EXISTS (
            SELECT FROM licenses l WHERE l.institution_id = :institution_id AND l.id = :id
        )
        """,
    ),
}
REPAIRABLE = tuple(_REPAIRS)
"""The checks about rows whose rows can be repaired."""


async def repair_row(db: Connection, name: CheckName, row: Faulty, now: datetime) -> bool:
    """Repair a row; return whether it was still faulty."""
    wanted = {"institution_id": row.institution_id, "id": row.id, "now": now}
    changed = 0
    for item in _REPAIRS[name]:
        given = {key: value for key, value in wanted.items() if f":{key}" in item}
        result = await db.execute(text(item), given)
        changed += 0 if result.returns_rows else result.rowcount
    return changed > 0
