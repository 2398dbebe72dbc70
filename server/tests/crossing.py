"""The statements that cross institutions, and what a distributed database does with each.

Each is named by the function that sends it. A statement that is in nobody's list fails its test.
"""

from enum import Enum


class Reason(Enum):
    """Why statements cross institutions, and what a distributed database does with them."""

    RECEIVER = (
        "End users and customers see what any vendor has licensed to them.",
        "Every node looks into its index of receivers. Rows are locked once their vendor is known.",
    )
    USER = (
        "A user's own rows, of all institutions that they belong or belonged to.",
        "Every node looks into its index of users.",
    )
    SEVERAL = (
        "Telemetry of the products of a user who belongs to several institutions.",
        "Every node joins its rows with the list. For one institution, one node is asked.",
    )
    PUBLIC = (
        "What is open to everybody and has only an ID of a product or connector, or a key's hash.",
        "Every node looks into its index; browsers cache images.",
    )
    JOB = (
        "A job that reads or deletes rows of all institutions.",
        "Every node does its part, at the pace of the job.",
    )
    LOCKING_JOB = (
        "A job that locks rows of all institutions, so that processes share the work.",
        "Runs once for each institution, or on each node: Citus locks rows of one shard only.",
    )
    METRICS = (
        "The metrics of the service: what waits, of all institutions, counted up to a limit.",
        "Every node is asked; no request of an application waits for it.",
    )
    CONSOLE = (
        "The start of the service, or a command of whoever administers the instance.",
        "Every node is asked; no request waits for it.",
    )


CROSSING = {
    "catalog.storage.associations:list_received": Reason.RECEIVER,
    "catalog.storage.associations:fetch_invited_elsewhere": Reason.RECEIVER,
    "customers.storage:fetch_known_elsewhere": Reason.RECEIVER,
    "institutions.storage.personal_data:fetch_invited_elsewhere": Reason.RECEIVER,
    "licenses.storage.holders:fetch_received": Reason.RECEIVER,
    "licenses.storage.holders:list_received": Reason.RECEIVER,
    "licenses.storage.holders:fetch_issued_elsewhere": Reason.RECEIVER,
    "licenses.storage.records:fetch_issued_to": Reason.RECEIVER,
    "licenses.storage.records:fetch_issuing_institutions": Reason.RECEIVER,
    "licenses.storage.records:fetch_receivers": Reason.RECEIVER,
    "licenses.storage.records:list_issued_to": Reason.RECEIVER,
    "institutions.storage.api_keys:fetch_keys_of_account": Reason.USER,
    "notifications.storage:count_unread": Reason.USER,
    "notifications.storage:fetch_latest": Reason.USER,
    "notifications.storage:list_notifications": Reason.USER,
    "notifications.storage:mark_all_read": Reason.USER,
    "notifications.storage:mark_read": Reason.USER,
    "telemetry.storage.figures:count_by_day": Reason.SEVERAL,
    "telemetry.storage.figures:count_devices_and_licenses": Reason.SEVERAL,
    "telemetry.storage.figures:count_devices_by_day": Reason.SEVERAL,
    "telemetry.storage.figures:count_devices_by_name": Reason.SEVERAL,
    "telemetry.storage.figures:count_dropped": Reason.SEVERAL,
    "telemetry.storage.figures:rank_names": Reason.SEVERAL,
    "catalog.storage.releases:fetch_image": Reason.PUBLIC,
    "catalog.storage.products:fetch_place": Reason.PUBLIC,
    "connectors.storage.connectors:find_connector": Reason.PUBLIC,
    "licenses.storage.offline_keys:fetch_by_key_hash": Reason.PUBLIC,
    "devices.storage.seats:fetch_lapsed_pools": Reason.JOB,
    "connectors.storage.inbox:delete_bodies_before": Reason.JOB,
    "archives.storage:list_erasures": Reason.JOB,
    "events.storage.chains:list_chained": Reason.JOB,
    "events.storage.chains:find_institutions": Reason.JOB,
    "events.storage.recording:count_by_hour": Reason.JOB,
    "events.storage.recording:delete_before": Reason.JOB,
    "sessions.storage.peaks:delete_before": Reason.JOB,
    "sessions.storage.peaks:raise_to_live": Reason.JOB,
    "sso.storage:delete_expired": Reason.JOB,
    "telemetry.storage.figures:fetch_products": Reason.JOB,
    "webhooks.storage.deliveries:delete_settled": Reason.JOB,
    "connectors.storage.connectors:claim_connector": Reason.LOCKING_JOB,
    "connectors.storage.orders:claim_passed": Reason.LOCKING_JOB,
    "devices.storage.requests:delete_before": Reason.LOCKING_JOB,
    "connectors.storage.orders:claim_due": Reason.LOCKING_JOB,
    "connectors.storage.reports:claim_due": Reason.LOCKING_JOB,
    "events.storage.chains:claim_new_heads": Reason.LOCKING_JOB,
    "events.storage.recording:lock_undispatched": Reason.LOCKING_JOB,
    "licenses.storage.reminders:claim_due": Reason.LOCKING_JOB,
    "metering.storage.rollups:list_uncounted": Reason.JOB,
    "notifications.storage:delete_notifications": Reason.LOCKING_JOB,
    "leases.storage.leases:lock_over": Reason.LOCKING_JOB,
    "sessions.storage.slots:lock_expired_after": Reason.LOCKING_JOB,
    "webhooks.storage.deliveries:claim_due": Reason.LOCKING_JOB,
    "connectors.storage.inbox:count_due": Reason.METRICS,
    "connectors.storage.inbox:count_pending": Reason.METRICS,
    "events.storage.recording:count_undispatched": Reason.METRICS,
    "events.storage.chains:count_unsealed": Reason.METRICS,
    "metering.storage.rollups:estimate_uncounted": Reason.METRICS,
    "sessions.storage.counts:estimate_live": Reason.METRICS,
    "webhooks.storage.deliveries:count_pending": Reason.METRICS,
    "archives.storage:find_institutions": Reason.CONSOLE,
    "catalog.storage.releases:fetch_all_files": Reason.CONSOLE,
    "catalog.storage.products:visibility_of_any": Reason.CONSOLE,
    "catalog.storage.releases:fetch_unsigned": Reason.CONSOLE,
    "events.storage.chains:fetch_chains": Reason.CONSOLE,
    "kit.master_key:sample_sealed": Reason.CONSOLE,
    "metering.storage.archiving:list_opened": Reason.CONSOLE,
    "metering.storage.reconciling:count_entries_in": Reason.CONSOLE,
    "metering.storage.reconciling:count_wallets_in": Reason.CONSOLE,
    "metering.storage.reconciling:fetch_checks": Reason.CONSOLE,
    "metering.storage.reconciling:fetch_lost": Reason.CONSOLE,
    "rotation:_reseal": Reason.CONSOLE,
}
