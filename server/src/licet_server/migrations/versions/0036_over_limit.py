"""Devices above a lower cap are over the limit; wallets rest while a license is not metered.

Revision ID: 0036_over_limit
Revises: 0035_months
"""

import sqlalchemy as sa
from alembic import op

revision = "0036_over_limit"
down_revision = "0035_months"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("activations", sa.Column("over_limit_at", sa.DateTime(timezone=True)))
    op.drop_constraint(op.f("activations_released_at_check"), "activations")
    op.drop_constraint(op.f("activations_activated_at_check"), "activations")
    op.add_column(
        "device_counters",
        sa.Column("over_limit", sa.Integer(), server_default=sa.text("0"), nullable=False),
    )
    op.add_column("meter_wallets", sa.Column("rests_since", sa.DateTime(timezone=True)))
    # Until now a lower cap took no seat, and a license that became node-locked had the seats of
    # several devices until it was bound.
    op.execute(
        """
        UPDATE activations SET holds_seat = false, over_limit_at = now()
        FROM (
            SELECT a.institution_id, a.id, l.max_active_users_count AS cap,
                row_number() OVER (
                    PARTITION BY a.institution_id, a.license_id
                    ORDER BY a.released_at IS NOT NULL, a.blocked_at IS NOT NULL,
                        a.activated_at, a.id
                ) AS place
            FROM device_counters c
            JOIN licenses l ON l.institution_id = c.institution_id AND l.id = c.license_id
            JOIN activations a
                ON a.institution_id = c.institution_id AND a.license_id = c.license_id
            WHERE l.type = 'Concurrent' AND c.seats_used > l.max_active_users_count AND a.holds_seat
        ) AS ranked
        WHERE activations.institution_id = ranked.institution_id AND activations.id = ranked.id
            AND ranked.place > ranked.cap
        """
    )
    op.execute(
        """
        UPDATE activations SET holds_seat = false, over_limit_at = now()
        FROM licenses l
        WHERE l.institution_id = activations.institution_id AND l.id = activations.license_id
            AND l.type = 'NodeLocked' AND activations.holds_seat AND NOT activations.bound
        """
    )
    op.execute(
        """
        UPDATE activations
        SET holds_seat = true, bound = true, over_limit_at = NULL, file_ends_at = NULL
        FROM (
            SELECT DISTINCT ON (a.institution_id, a.license_id) a.institution_id, a.id
            FROM activations a
            JOIN licenses l ON l.institution_id = a.institution_id AND l.id = a.license_id
            WHERE l.type = 'NodeLocked' AND a.over_limit_at IS NOT NULL
                AND a.blocked_at IS NULL AND a.released_at IS NULL
                AND NOT EXISTS (
                    SELECT FROM activations b WHERE b.institution_id = a.institution_id
                        AND b.license_id = a.license_id AND b.bound
                )
            ORDER BY a.institution_id, a.license_id, a.activated_at, a.id
        ) AS first
        WHERE activations.institution_id = first.institution_id AND activations.id = first.id
        """
    )
    op.execute(
        """
        UPDATE device_counters SET seats_used = found.used, seats_waiting = found.waiting,
            over_limit = found.over_limit
        FROM (
            SELECT institution_id, license_id,
                count(*) FILTER (WHERE holds_seat) AS used,
                count(*) FILTER (WHERE holds_seat AND released_at IS NOT NULL) AS waiting,
                count(*) FILTER (WHERE over_limit_at IS NOT NULL) AS over_limit
            FROM activations a
            WHERE EXISTS (
                SELECT FROM activations o WHERE o.institution_id = a.institution_id
                    AND o.license_id = a.license_id AND o.over_limit_at IS NOT NULL
            )
            GROUP BY institution_id, license_id
        ) AS found
        WHERE device_counters.institution_id = found.institution_id
            AND device_counters.license_id = found.license_id
        """
    )
    op.create_check_constraint(
        op.f("activations_released_at_check"),
        "activations",
        "released_at IS NULL OR ((holds_seat OR over_limit_at IS NOT NULL)"
        " AND NOT bound AND blocked_at IS NULL AND file_ends_at IS NOT NULL)",
    )
    op.create_check_constraint(
        op.f("activations_over_limit_at_check"),
        "activations",
        "over_limit_at IS NULL OR NOT holds_seat",
    )
    op.create_check_constraint(
        op.f("activations_activated_at_check"),
        "activations",
        "(holds_seat OR over_limit_at IS NOT NULL) = (activated_at IS NOT NULL)",
    )
    op.create_check_constraint(
        op.f("device_counters_over_limit_check"), "device_counters", "over_limit >= 0"
    )
    op.create_index(
        "activations_over_limit_idx",
        "activations",
        ["institution_id", "license_id"],
        postgresql_where=sa.text("over_limit_at IS NOT NULL"),
    )
    op.create_index(
        "device_counters_over_limit_idx",
        "device_counters",
        ["institution_id", "license_id"],
        postgresql_where=sa.text("over_limit > 0"),
    )


def downgrade() -> None:
    raise RuntimeError("Restore a backup to return to an earlier schema.")
