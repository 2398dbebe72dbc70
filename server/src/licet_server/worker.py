"""Background work: what is done without anybody asking, beside the requests of each process.

Several processes may run it at once; each job sees to it that they do not disturb each other.
"""

import asyncio
import traceback
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Any

import structlog
from litestar.types import ASGIApp, Receive, Send

from licet_server.accounts.jobs import forget_sign_ins, mail_reset_tokens
from licet_server.audit.jobs import seal
from licet_server.kit.mail import deliver
from licet_server.kit.work import Platform
from licet_server.metering.jobs import roll_up
from licet_server.sessions.jobs import reap

EVERY_SECONDS = 15.0

JOBS: Mapping[str, Callable[[Platform], Awaitable[int]]] = {
    "end_timed_out_sessions": reap,
    "roll_up_usage": roll_up,
    "mail_reset_tokens": mail_reset_tokens,
    "deliver_mail": deliver,
    "seal_events": seal,
    "forget_sign_ins": forget_sign_ins,
}
"""Each answers how much it did."""

_GRACE_SECONDS = 5.0

_log = structlog.get_logger("licet.worker")


async def run_jobs(
    platform: Platform, stop: asyncio.Event, every_seconds: float = EVERY_SECONDS
) -> None:
    """Run all jobs now and then until told to stop; one that fails is tried again next time."""
    while not stop.is_set():
        for name, job in JOBS.items():
            try:
                done = await job(platform)
            except Exception as error:  # noqa: BLE001 - whatever it is, the next round may succeed
                # The message may hold what a statement was about; the place is enough.
                place = "".join(traceback.format_tb(error.__traceback__)[-4:])
                _log.error("job_failed", job=name, error=type(error).__name__, place=place)
            else:
                if done:
                    _log.debug("job_done", job=name, count=done)
        with suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), every_seconds)


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
    """The task in which the jobs run."""

    def __init__(self, platform: Platform) -> None:
        self._platform = platform
        self._stop = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._task = asyncio.create_task(run_jobs(self._platform, self._stop), name="jobs")

    async def stop(self) -> None:
        task, self._task = self._task, None
        if task is None:
            return
        self._stop.set()
        await asyncio.wait({task}, timeout=_GRACE_SECONDS)
        if not task.done():
            task.cancel()
        await asyncio.gather(task, return_exceptions=True)
