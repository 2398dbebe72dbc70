"""The rules of a database that is spread by institution see what they are about."""

import pytest
from not_on_citus import reason_of, unknown
from spread_rules import copies_locked_by, faults_of

TAKEN = [
    "UPDATE licenses SET name=$1::TEXT WHERE licenses.institution_id = $2 AND licenses.id = $3",
    "UPDATE licenses SET license_id=$1, name=$2 FROM x WHERE licenses.institution_id = $2",
    (
        "INSERT INTO t (institution_id, id) VALUES ($1, $2) ON CONFLICT (institution_id) DO UPDATE "
        "SET name = excluded.name RETURNING t.id"
    ),
    (
        "WITH gone AS (DELETE FROM sessions WHERE sessions.id = $1 RETURNING sessions.*) "
        "SELECT CAST(row_to_json(gone) AS TEXT) AS line FROM gone"
    ),
    "UPDATE archives SET id=$1::UUID, rows=$2 WHERE archives.institution_id = $3",
    "SELECT concat_ws($1, users.full_name) FROM users",
]
REFUSED = [
    "UPDATE licenses SET institution_id=$1::UUID, id=$2 WHERE licenses.id = $3",
    "UPDATE features SET name=$1, id=$2::UUID WHERE features.id = $3",
    (
        "INSERT INTO t (institution_id) VALUES ($1) ON CONFLICT (institution_id) DO UPDATE "
        "SET institution_id = $2, name = $3"
    ),
    "DELETE FROM sessions WHERE sessions.id = $1 RETURNING CAST(row_to_json(sessions) AS TEXT)",
    "DELETE FROM notifications WHERE strpos(lower(concat_ws($1, notifications.title)), $2) > 0",
    "DELETE FROM meter_license_months WHERE month >= date_trunc('month', step.since)",
]


@pytest.mark.parametrize("statement", TAKEN)
def test_what_a_spread_database_takes(statement: str) -> None:
    assert faults_of(statement) == []


@pytest.mark.parametrize("statement", REFUSED)
def test_what_it_refuses(statement: str) -> None:
    assert len(faults_of(statement)) == 1


@pytest.mark.parametrize(
    ("statement", "locked"),
    [
        ("SELECT users.id \nFROM users \nWHERE users.id = $1 FOR NO KEY UPDATE", {"users"}),
        ("SELECT 1 FROM users JOIN sign_ins ON true FOR UPDATE OF sign_ins", set()),
        ("SELECT licenses.id FROM licenses WHERE licenses.id = $1 FOR KEY SHARE", set()),
        ("SELECT memberships.role FROM memberships FOR KEY SHARE", {"memberships"}),
        ("SELECT users.id FROM users", set()),
    ],
)
def test_which_copies_are_locked(statement: str, locked: set[str]) -> None:
    assert copies_locked_by(statement) == locked


def test_what_a_cluster_does_not_have_is_known_by_its_name() -> None:
    assert unknown() == []
    assert reason_of("server/tests/sessions/test_plans.py::test_any[a]") is not None
    assert reason_of("server/tests/sessions/test_races.py::test_any") is None
    control = "test_control_without_locks_the_cap_is_exceeded[released-FREE]"
    assert reason_of(f"server/tests/sessions/test_races.py::{control}") is not None
