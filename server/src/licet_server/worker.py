"""Background work: what is done without anybody asking, beside the requests of each process."""

import asyncio
from typing import Any

from litestar.types import ASGIApp, Receive, Send

from licet_server.audit.jobs import seal
from licet_server.catalog.jobs import sweep_files
from licet_server.events.service.dispatching import Projection, dispatch_next
from licet_server.identity.jobs import forget_sign_ins, mail_reset_tokens
from licet_server.kit.jobs import Job, run_jobs
from licet_server.kit.limits import forget_old_counters
from licet_server.kit.mail import deliver
from licet_server.kit.origin import Origin
from licet_server.kit.platform import Platform
from licet_server.licenses.jobs import remind_of_expiry
from licet_server.metering.jobs import roll_up
from licet_server.notifications.jobs import forget_notifications
from licet_server.notifications.service.projecting import project as notify
from licet_server.portal.jobs import mail_access
from licet_server.sessions.jobs import reap
from licet_server.telemetry.jobs import forget_old_telemetry
from licet_server.webhooks.jobs import (
    deliver_webhooks,
    forget_webhook_deliveries,
    prepare_deliveries,
)

PROJECTIONS: tuple[Projection, ...] = (notify, prepare_deliveries)
"""What follows from recorded events, in one transaction for all of them."""

_EVENTS_AT_ONCE = 500


async def dispatch_events(platform: Platform) -> int:
    """Hand new events to the projections; answers how many."""
    total, told = 0, _EVENTS_AT_ONCE
    while told == _EVENTS_AT_ONCE:
        async with platform.unit_of_work(Origin()) as work:
            told = await dispatch_next(work, PROJECTIONS, _EVENTS_AT_ONCE)
        total += told
    return total


JOBS = (
    Job("dispatch_events", dispatch_events, every_seconds=1),
    Job("end_timed_out_sessions", reap),
    Job("roll_up_usage", roll_up),
    Job("mail_reset_tokens", mail_reset_tokens, every_seconds=2),
    Job("mail_portal_access", mail_access, every_seconds=2),
    Job("deliver_mail", deliver, every_seconds=2),
    Job("seal_events", seal),
    Job("forget_old_counters", forget_old_counters, every_seconds=60),
    Job("forget_sign_ins", forget_sign_ins, every_seconds=600),
    Job("remind_of_expiry", remind_of_expiry, every_seconds=60),
    Job("forget_notifications", forget_notifications, every_seconds=3600),
    Job("deliver_webhooks", deliver_webhooks, every_seconds=1),
    Job("forget_webhook_deliveries", forget_webhook_deliveries, every_seconds=600),
    Job("forget_old_telemetry", forget_old_telemetry, every_seconds=600),
    Job("sweep_files", sweep_files, every_seconds=3600),
)

_GRACE_SECONDS = 5.0


async def work_until(platform: Platform, stop: asyncio.Event) -> None:
    """Run all jobs without answering requests; what runs when told to stop comes to its end."""
    await run_jobs(platform, stop, JOBS)


def with_jobs(app: ASGIApp, platform: Platform) -> ASGIApp:
    """The same application with the jobs beside it, from its start until before its end."""

    async def run(scope: Any, receive: Receive, send: Send) -> None:
        if scope["type"] != "lifespan":
            await app(scope, receive, send)
            return
        jobs = _Jobs(platform)

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

    return run


class _Jobs:
    """The task in which all jobs run."""

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
        await asyncio.wait({task}, timeout=_GRACE_SECONDS)
        if not task.done():
            task.cancel()
        await asyncio.gather(task, return_exceptions=True)
