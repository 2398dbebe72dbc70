"""The statements that cross institutions, and what a distributed database does with each.

Each is named by the function that sends it. A statement that is in nobody's list fails its test.
"""

from enum import Enum


class Answer(Enum):
    """Why statements cross institutions, and the answer of a distributed database."""

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
        "A public address that contains a product's ID only.",
        "Every node looks into its index; the response is cached by browsers.",
    )
    JOB = (
        "A job that reads or deletes rows of all institutions.",
        "Every node does its part, at the pace of the job.",
    )
    LOCKING_JOB = (
        "A job that locks rows of all institutions, so that processes share the work.",
        "Runs once for each institution, or on each node: Citus locks rows of one shard only.",
    )
    CONSOLE = (
        "The start of the service, or a command of whoever administers the instance.",
        "Every node is asked; no request waits for it.",
    )


CROSSING = {
    "catalog.storage.associations:list_received": Answer.RECEIVER,
    "licenses.storage.customers:fetch_received": Answer.RECEIVER,
    "licenses.storage.customers:list_received": Answer.RECEIVER,
    "licenses.storage.records:fetch_issued_to": Answer.RECEIVER,
    "licenses.storage.records:fetch_receivers": Answer.RECEIVER,
    "licenses.storage.records:list_issued_to": Answer.RECEIVER,
    "institutions.storage.api_keys:fetch_keys_of_account": Answer.USER,
    "notifications.storage.notifications:count_unread": Answer.USER,
    "notifications.storage.notifications:fetch_latest": Answer.USER,
    "notifications.storage.notifications:list_notifications": Answer.USER,
    "notifications.storage.notifications:mark_all_read": Answer.USER,
    "notifications.storage.notifications:mark_read": Answer.USER,
    "telemetry.storage.figures:count_by_day": Answer.SEVERAL,
    "telemetry.storage.figures:count_devices_and_licenses": Answer.SEVERAL,
    "telemetry.storage.figures:count_devices_by_day": Answer.SEVERAL,
    "telemetry.storage.figures:count_devices_by_name": Answer.SEVERAL,
    "telemetry.storage.figures:count_dropped": Answer.SEVERAL,
    "telemetry.storage.figures:rank_names": Answer.SEVERAL,
    "catalog.storage.files:fetch_image": Answer.PUBLIC,
    "events.storage.chains:list_chained": Answer.JOB,
    "events.storage.seals:find_institutions": Answer.JOB,
    "events.storage.transient:count_by_hour": Answer.JOB,
    "events.storage.transient:delete_before": Answer.JOB,
    "sso.storage.sign_ins:delete_expired": Answer.JOB,
    "telemetry.storage.figures:fetch_products": Answer.JOB,
    "webhooks.storage.deliveries:delete_settled": Answer.JOB,
    "events.storage.chains:claim_new_heads": Answer.LOCKING_JOB,
    "events.storage.outbox:lock_undispatched": Answer.LOCKING_JOB,
    "licenses.storage.reminders:claim_due": Answer.LOCKING_JOB,
    "metering.storage.rollups:claim_uncounted": Answer.LOCKING_JOB,
    "notifications.storage.notifications:delete_notifications": Answer.LOCKING_JOB,
    "sessions.storage.slots:lock_expired_after": Answer.LOCKING_JOB,
    "webhooks.storage.attempts:claim_due": Answer.LOCKING_JOB,
    "archives.storage.archives:find_institutions": Answer.CONSOLE,
    "catalog.storage.products:lock_any_product": Answer.CONSOLE,
    "catalog.storage.releases:fetch_unsigned": Answer.CONSOLE,
    "events.storage.chains:fetch_chains": Answer.CONSOLE,
    "kit.master_key.storage:sample_sealed": Answer.CONSOLE,
    "metering.storage.archiving:list_opened": Answer.CONSOLE,
    "metering.storage.reconciling:count_entries_in": Answer.CONSOLE,
    "metering.storage.reconciling:count_wallets_in": Answer.CONSOLE,
    "metering.storage.reconciling:fetch_checks": Answer.CONSOLE,
    "metering.storage.reconciling:fetch_lost": Answer.CONSOLE,
    "rotation:_reseal": Answer.CONSOLE,
}
