"""Background work: the jobs that run beside the requests of each process."""

import asyncio
from collections.abc import Coroutine, Sequence
from functools import partial
from typing import Any

from litestar.types import ASGIApp, Receive, Send

from licet_server.archives.service.events import EVENTS, archive_events
from licet_server.archives.service.files import delete_orphans as delete_archives
from licet_server.audit.service.evidence import anchor_heads, check_clock
from licet_server.catalog.rules.clocks import Clocked
from licet_server.catalog.service.clocks import Timed, advance_clocks
from licet_server.catalog.service.files import sweep_files
from licet_server.connectors.schemas.orders import report_csv
from licet_server.connectors.service.asking import ask_for_buyers, complete_due, public_network
from licet_server.connectors.service.inbox import purge_bodies
from licet_server.connectors.service.linking import link_pending
from licet_server.connectors.service.reports import mail_reports, settle_reports
from licet_server.connectors.service.settling import (
    next_deadline,
    settle_due,
    settle_passed,
)
from licet_server.customers.service import archived
from licet_server.delivery.service.mails import mail_licenses, settle
from licet_server.devices.service.attempts import ATTEMPTS, archive_attempts
from licet_server.devices.service.requests import purge_requests
from licet_server.devices.service.seats import DeviceLicenseHooks, next_lapse, return_lapsed_seats
from licet_server.events.rules.model import INSTANCE
from licet_server.events.service.recording import (
    EventSubscriber,
    delete_transient_events,
    dispatch_next,
    summarize_omitted_events,
)
from licet_server.events.service.sealing import list_chained, seal_events
from licet_server.identity.service.by_email import mail_reset_tokens
from licet_server.identity.service.sessions import forget_sign_ins
from licet_server.institutions.service.appearance import mailed_logo
from licet_server.institutions.service.institutions import list_all_institution_ids
from licet_server.kit.idempotency import purge_idempotency_keys
from licet_server.kit.jobs import Job, run_jobs
from licet_server.kit.limits import delete_old_counters
from licet_server.kit.mail import Outcome, deliver
from licet_server.kit.origin import Origin
from licet_server.kit.platform import Platform
from licet_server.kit.process_metrics import (
    SAMPLE_SECONDS,
    ProcessMetrics,
    sample_process,
)
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.kit.web.server import COUNT_CONNECTIONS
from licet_server.leases.service.ending import LeaseLicenseHooks, end_over_leases, next_end
from licet_server.licenses.service.hooks import LicenseHookChain, LicenseHooks
from licet_server.licenses.service.reminders import next_reminder, remind_of_expiry
from licet_server.metering.service.archiving import LEDGER, archive_ledger, delete_orphaned_entries
from licet_server.metering.service.usage import roll_up, roll_up_moved
from licet_server.metering.service.wallets import WalletHooks
from licet_server.notifications.service.notifying import create_notifications
from licet_server.notifications.service.reading import purge_notifications
from licet_server.personal_data import PERSONAL_DATA
from licet_server.portal.service.access import mail_access
from licet_server.sessions.service.ending import (
    SESSIONS,
    SessionDeviceHooks,
    SessionLicenseHooks,
    archive_sessions,
    end_expired_sessions,
    next_timeout,
)
from licet_server.sessions.service.reading import keep_peaks
from licet_server.sso.service.sign_in import forget_attempts
from licet_server.telemetry.service.reading import purge_old_events
from licet_server.upgrades.service import check_feed
from licet_server.webhooks.service.deliveries import create_deliveries, purge_deliveries
from licet_server.webhooks.service.delivering import deliver_webhooks

SUBSCRIBERS: tuple[EventSubscriber, ...] = (create_notifications, create_deliveries, mail_licenses)
"""What recorded events are dispatched to, in one transaction for all subscribers."""

ARCHIVED = (EVENTS, LEDGER, SESSIONS, ATTEMPTS)
"""The tables whose old rows move to archives."""

_EVENTS_AT_ONCE = 500


async def dispatch_events(platform: Platform) -> int:
    """Dispatch new events to the subscribers; returns how many."""
    total, dispatched = 0, _EVENTS_AT_ONCE
    while dispatched >= _EVENTS_AT_ONCE:  # more, where rows are locked of one vendor at a time
        async with platform.unit_of_work(Origin()) as work:
            dispatched = await dispatch_next(work, SUBSCRIBERS, _EVENTS_AT_ONCE)
        total += dispatched
    return total


def _license_hooks() -> LicenseHooks:
    return LicenseHookChain(
        LeaseLicenseHooks(),
        SessionLicenseHooks(),
        DeviceLicenseHooks(SessionDeviceHooks()),
        WalletHooks(),
    )


async def work_off_connector_events(platform: Platform) -> int:
    """Read the events of shops, and work on the orders that are due; returns how many."""
    total = await link_pending(platform)
    network = public_network(platform)
    if await complete_due(platform, network):
        total += await link_pending(platform)
    await ask_for_buyers(platform, network)
    hooks = _license_hooks()
    total += await settle_due(platform, hooks)
    return total + await settle_passed(platform, hooks)


async def mail_order_reports(platform: Platform) -> int:
    """Mail the reports of orders that are due; returns how many."""
    return await mail_reports(platform, report_csv)


async def _settle_mails(work: UnitOfWork, outcomes: Sequence[Outcome]) -> None:
    await settle(work, outcomes)
    await settle_reports(work, outcomes)


async def send_mail(platform: Platform) -> int:
    """Send the emails that are due, and note what became of them; returns how many."""
    return await deliver(platform, _settle_mails, mailed_logo)


async def _remind_of_expiry(platform: Platform, clocked: Clocked | None = None) -> int:
    return await remind_of_expiry(platform, SessionLicenseHooks(), clocked)


async def _settle_by_clock(platform: Platform, clocked: Clocked) -> int:
    return await settle_passed(platform, _license_hooks(), clocked)


TIMED = (
    Timed(end_over_leases, next_end),
    Timed(end_expired_sessions, next_timeout),
    Timed(return_lapsed_seats, next_lapse),
    Timed(_remind_of_expiry, next_reminder),
    Timed(_settle_by_clock, next_deadline),
)
"""What time makes due: by the present for all products, and by its clock for one that has one."""


async def erase_archived(platform: Platform) -> int:
    """Erase everybody from archives who was erased from the tables; returns how many are done."""
    return await archived.erase_archived(platform, sources=ARCHIVED, data=PERSONAL_DATA)


async def _seal_events(platform: Platform) -> int:
    """Seal events, but not with a time that may be wrong: seals are what the clock is judged by."""
    trust = platform.clock_trust
    return 0 if trust is not None and trust.fault is not None else await seal_events(platform)


async def delete_orphans(platform: Platform) -> int:
    """Delete what deleted institutions have left, except for their audit logs."""
    async with platform.database.reading() as db:
        chained = await list_chained(db)  # read first: whoever is created now has a chain, too
        gone = sorted({*chained} - {INSTANCE, *await list_all_institution_ids(db)})
    return await delete_orphaned_entries(platform, gone) + await delete_archives(platform, gone)


JOBS = (
    Job("sample_process", sample_process, every_seconds=SAMPLE_SECONDS),
    Job("check_clock", check_clock, every_seconds=30),
    Job("dispatch_events", dispatch_events, every_seconds=1),
    Job("end_over_leases", end_over_leases, every_seconds=60),
    Job("end_timed_out_sessions", end_expired_sessions),
    Job("return_lapsed_seats", return_lapsed_seats, every_seconds=60),
    Job("roll_up_usage", roll_up, every_seconds=600),
    Job("roll_up_moved_wallets", roll_up_moved),
    Job("mail_reset_tokens", mail_reset_tokens, every_seconds=2),
    Job("mail_portal_access", mail_access, every_seconds=2),
    Job("send_mail", send_mail, every_seconds=2),
    Job("seal_events", _seal_events),
    Job("anchor_heads", anchor_heads, every_seconds=60),
    Job("summarize_omitted_events", summarize_omitted_events, every_seconds=600),
    Job("delete_transient_events", delete_transient_events, every_seconds=3600),
    Job("archive_events", archive_events, every_seconds=3600),
    Job("archive_ledger", archive_ledger, every_seconds=3600),
    Job("archive_sessions", archive_sessions, every_seconds=3600),
    Job("keep_peaks", keep_peaks, every_seconds=3600),
    Job("archive_attempts", archive_attempts, every_seconds=3600),
    Job("erase_archived", erase_archived, every_seconds=60),
    Job("delete_orphans", delete_orphans, every_seconds=3600),
    Job("purge_rate_limits", delete_old_counters, every_seconds=60),
    Job("purge_idempotency_keys", purge_idempotency_keys, every_seconds=60),
    Job("purge_requests", purge_requests, every_seconds=3600),
    Job("purge_sign_ins", forget_sign_ins, every_seconds=600),
    Job("purge_sso_attempts", forget_attempts, every_seconds=600),
    Job("remind_of_expiry", _remind_of_expiry, every_seconds=60),
    Job("advance_clocks", partial(advance_clocks, timed=TIMED), every_seconds=1),
    Job("purge_notifications", purge_notifications, every_seconds=3600),
    Job("deliver_webhooks", deliver_webhooks, every_seconds=1),
    Job("work_off_connector_events", work_off_connector_events, every_seconds=1),
    Job("mail_order_reports", mail_order_reports, every_seconds=60),
    Job("purge_connector_events", purge_bodies, every_seconds=3600),
    Job("purge_deliveries", purge_deliveries, every_seconds=600),
    Job("purge_telemetry", purge_old_events, every_seconds=600),
    Job("delete_unused_files", sweep_files, every_seconds=3600),
    Job("check_feed", check_feed, every_seconds=3600),
)

_SHUTDOWN_SECONDS = 5.0


async def work_until(platform: Platform, stop: asyncio.Event) -> None:
    """Run all jobs until `stop` is set; jobs that are running then finish."""
    await run_jobs(platform, stop, JOBS)


def with_jobs(app: ASGIApp, platform: Platform) -> ASGIApp:
    """Return the application with the jobs running beside it, from its startup to its shutdown.

    Requests go straight to the application: whatever stands in their way costs each of them.
    """

    async def live(scope: Any, receive: Receive, send: Send) -> None:
        jobs = _Jobs(platform)
        state = scope.get("state", {})
        if COUNT_CONNECTIONS in state:
            platform.metrics.of(ProcessMetrics).count_connections = state[COUNT_CONNECTIONS]

        async def receive_after_jobs() -> Any:
            message: Any = await receive()
            if message["type"] == "lifespan.shutdown":  # the application closes its database now
                await jobs.stop()
            return message

        async def send_and_start(message: Any) -> None:
            await send(message)
            if message["type"] == "lifespan.startup.complete":
                jobs.start()

        try:
            await app(scope, receive_after_jobs, send_and_start)
        finally:
            await jobs.stop()

    def run(scope: Any, receive: Receive, send: Send) -> Coroutine[Any, Any, None]:
        called: Any = live if scope["type"] == "lifespan" else app
        coroutine: Coroutine[Any, Any, None] = called(scope, receive, send)
        return coroutine

    return run


class _Jobs:
    """The task that runs all jobs."""

    def __init__(self, platform: Platform) -> None:
        self._platform = platform
        self._stop = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        work = work_until(self._platform, self._stop)
        self._task = asyncio.create_task(work, name="jobs")

    async def stop(self) -> None:
        task, self._task = self._task, None
        if task is None:
            return
        self._stop.set()
        await asyncio.wait({task}, timeout=_SHUTDOWN_SECONDS)
        if not task.done():
            task.cancel()
        await asyncio.gather(task, return_exceptions=True)
