"""The tests that assert what a cluster does not have; `make test-citus` leaves them out.

Each stands here with its reason, as a file, a test in it, or one of its cases. All others have to
pass there.
"""

from pathlib import Path

_PLANS = "Citus explains its tasks, and the plan of a shard only as a text within"
_CONTROL = "Citus refuses the statement without its protection, which the control would send"
_SCHEMA = "it begins with a database that is not spread, and tables that are whole"
_OWN = "it damages rows by statements of its own, which Citus refuses"
_TRIGGERS = "it makes a commit fail by a trigger, which Citus has for no spread table"
_AS_ONE = "it sends a cluster what one PostgreSQL gets"
_SERVER = "it needs a server with a password and a folder for its sockets, as ours has them"

NOT_ON_CITUS = {
    "audit/test_license_events.py::test_a_long_history_of_other_licenses_is_not_scanned": _PLANS,
    "audit/test_chain.py::test_tampering_is_found[another secret]": _OWN,
    "audit/test_chain.py::test_tampering_is_found[license]": _OWN,
    "audit/test_chain.py::test_tampering_is_found[time]": _OWN,
    "customers/test_plans.py": _PLANS,
    "connectors/test_orders.py::test_an_order_among_many_is_found_by_index": _PLANS,
    "connectors/test_order_filters.py::"
    "test_orders_of_a_product_or_license_among_many_are_found_by_an_index": _PLANS,
    "connectors/test_plans.py": _PLANS,
    "connectors/test_report_schedule.py::"
    "test_planned_reports_keep_their_day_in_any_time_zone": _SCHEMA,
    "devices/test_plans.py": _PLANS,
    "licenses/test_list_plans.py": _PLANS,
    "metering/test_plans.py": _PLANS,
    "offline/test_plans.py": _PLANS,
    "portal/test_plans.py": _PLANS,
    "search/test_plans.py": _PLANS,
    "sessions/test_plans.py": _PLANS,
    "webhooks/test_plans.py": _PLANS,
    "statistics/test_attention.py::test_pending_devices_are_found_among_many_others": _PLANS,
    "statistics/test_institutions.py::test_overview_reads_only_the_end_of_a_long_history": _PLANS,
    "test_kept_plans.py": _PLANS,
    "test_monitoring.py::test_large_tables_are_not_read_through": _PLANS,
    "kit/test_connecting.py": _SERVER,
    "kit/test_pgbouncer.py": _SERVER,
    "kit/test_routing.py::test_a_job_locks_as_many_rows_of_however_many_institutions[]": _AS_ONE,
    "kit/test_routing.py::test_rows_are_inserted_as_values[-topics0]": _AS_ONE,
    "kit/test_routing.py::test_rows_are_inserted_as_values[-topics1]": _AS_ONE,
    "kit/test_routing.py::test_rows_of_several_institutions[-statement1]": _AS_ONE,
    "kit/test_routing.py::test_what_is_joined_is_of_the_institution_that_is_named[]": _AS_ONE,
    "kit/test_routing.py::test_jobs_go_on_with_the_institutions_of_nodes_that_are_there": (
        "a function of its own stands in for nodes that are away, which no node has"
    ),
    "kit/test_together.py": _AS_ONE,
    "kit/web/test_failures.py::test_a_commit_that_was_not_confirmed_is_not_called_undone": (
        _TRIGGERS
    ),
    "kit/web/test_failures.py::test_a_connection_lost_before_the_commit_has_changed_nothing": (
        _TRIGGERS
    ),
    "kit/web/test_failures.py::test_a_full_disk_is_no_fault_of_the_service": _TRIGGERS,
    "kit/web/test_failures.py::test_the_log_says_which_request_failed_and_how": _TRIGGERS,
    "test_migrations.py": _SCHEMA,
    "test_partitions.py": _SCHEMA,
    "test_doctor.py::test_values_that_no_route_would_store_are_found": _OWN,
    "test_extreme_rows.py::test_reads_survive_extreme_values": _OWN,
    "importing/test_customers.py::test_a_batch_costs_the_same_statements_whatever_its_size": (
        "rows are inserted as values there, and what has to be known of them is looked up before"
    ),
    "sessions/test_statements.py": "what is one statement elsewhere is sent in parts there",
    "test_operator_statements.py::test_issuing_a_license_costs_four": (
        "what is one statement elsewhere is sent in parts there"
    ),
    "sessions/test_races.py::test_control_without_locks_the_cap_is_exceeded": _CONTROL,
    "metering/test_feature_case.py::test_the_spelling_costs_no_statement": (
        "a charge is a look-up and values there, since what an INSERT selects is committed on "
        "every node"
    ),
}


def reason_of(node_id: str) -> str | None:
    """Return why a test does not run on a cluster; nothing if it does."""
    path, _, name = node_id.partition("server/tests/")[2].partition("::")
    test = f"{path}::{name.partition('[')[0]}"
    return next(filter(None, map(NOT_ON_CITUS.get, (path, test, f"{path}::{name}"))), None)


def unknown() -> list[str]:
    """Return what is on the list and is no longer there."""
    folder = Path(__file__).parent
    return [item for item in NOT_ON_CITUS if not _is_there(folder, item)]


def _is_there(folder: Path, item: str) -> bool:
    path, _, name = item.partition("::")
    test = f"def {name.partition('[')[0]}"
    return (folder / path).is_file() and (not name or test in (folder / path).read_text())
