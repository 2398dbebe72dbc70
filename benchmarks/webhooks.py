"""Events sent to webhooks: dispatched, then delivered to a receiver that responds at once."""

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter
from uuid import UUID

from sqlalchemy import text

from benchmarks.report import Report
from benchmarks.server import durable_postgres, temporary_folder
from benchmarks.size import Size
from licet_server.app import build_platform
from licet_server.events.rules.kinds import EventKind
from licet_server.events.rules.model import Event
from licet_server.events.service.recording import record_events
from licet_server.identity.service.users import NewAccount
from licet_server.institutions.service.institutions import create_first_owner
from licet_server.kit.keyring import new_master_key
from licet_server.kit.origin import Origin
from licet_server.kit.passwords import Passwords
from licet_server.kit.platform import Platform
from licet_server.kit.settings import Settings
from licet_server.kit.signing_secrets import SecretOf, new_secret, seal_secret
from licet_server.migrations import migrate
from licet_server.webhooks.rules import Webhook
from licet_server.webhooks.service.delivering import deliver_webhooks
from licet_server.webhooks.storage.webhooks import WEBHOOKS
from licet_server.worker import dispatch_events

EVENTS, ROUNDS = 2_000, 5
_WEBHOOKS = (0, 1, 10)
_ONE_EVENT = 1_000_000


@dataclass(frozen=True, slots=True)
class _Round:
    """The seconds it took to dispatch the events and to send the deliveries."""

    dispatching: float
    sending: float
    sent: int


def run(report: Report, size: Size) -> None:
    """Print deliveries per second, and the cost of an event before it is sent."""
    events, rounds = size.of(EVENTS), min(size.rounds, ROUNDS)
    with durable_postgres() as cluster, temporary_folder() as folder, receiver() as port:
        taken = asyncio.run(_measure(cluster.url, folder, port, events, rounds))
    report.title(f"Webhooks, {events:,} events per round, one process")
    bare = median(each.dispatching for each in taken[0])
    report.table(
        ["webhooks", "dispatching an event, µs", "of no webhooks", "deliveries/s", "by round"],
        [
            [
                str(count),
                f"{median(each.dispatching for each in found) / events * _ONE_EVENT:,.0f}",
                f"{median(each.dispatching for each in found) / bare:.2f}",
                f"{median(map(_rate, found)):,.0f}" if count else "",
                ", ".join(f"{_rate(each):,.0f}" for each in found) if count else "",
            ]
            for count, found in taken.items()
        ],
    )


def _rate(taken: _Round) -> float:
    return taken.sent / taken.sending


@contextmanager
def receiver() -> Iterator[int]:
    """Run a receiver that responds at once in its own process, and yield its port."""
    process = subprocess.Popen(
        [sys.executable, "-m", "benchmarks.receiver"], stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        yield int(process.stdout.readline())
    finally:
        process.terminate()
        process.wait(timeout=60)


async def _measure(
    url: str, folder: Path, port: int, events: int, rounds: int
) -> dict[int, list[_Round]]:
    await migrate(url)
    settings = Settings(
        data_dir=folder,
        database_url=url,
        master_keys=(new_master_key(),),
        webhooks_allow_private=True,
    )
    platform = build_platform(settings)
    try:
        async with platform.unit_of_work(Origin()) as work:
            account = NewAccount(
                email="owner@example.com",
                password="correct horse battery",
                full_name="Ada",
                institution_name="Aurora",
            )
            await create_first_owner(work, Passwords(), account)
            found = await work.db.execute(text("SELECT id FROM institutions"))
            institution: UUID = found.scalar_one()
        await dispatch_events(platform)
        taken: dict[int, list[_Round]] = {}
        created = 0
        for count in _WEBHOOKS:
            for _ in range(count - created):
                await _create_webhook(platform, institution, port)
            created = count
            taken[count] = [await _round(platform, institution, events) for _ in range(rounds)]
        return taken
    finally:
        await platform.database.close()


async def _create_webhook(platform: Platform, institution: UUID, port: int) -> None:
    async with platform.unit_of_work(Origin()) as work:
        webhook = Webhook(
            institution_id=institution,
            id=work.new_id(),
            url=f"http://127.0.0.1:{port}/",
            event_types=("license.*",),
            created_at=work.now,
            updated_at=work.now,
        )
        sealed = seal_secret(work.keyring, SecretOf("webhooks", webhook.id), new_secret())
        await WEBHOOKS.insert(work.db, webhook, secret=sealed)


async def _round(platform: Platform, institution: UUID, events: int) -> _Round:
    async with platform.unit_of_work(Origin()) as work:
        events_to_record: list[Event] = []
        for _ in range(events):
            subject = work.new_id()
            data = {"id": subject, "licenseName": "A license", "issuedTo": "customer@example.com"}
            events_to_record.append(Event(EventKind.LICENSE_UPDATED, institution, subject, data))
        await record_events(work, events_to_record)
    started = perf_counter()
    await dispatch_events(platform)
    dispatched = perf_counter()
    sent = await deliver_webhooks(platform)
    return _Round(dispatched - started, perf_counter() - dispatched, sent)
