"""Counts and deletes the events that are not permanent."""

from datetime import datetime, timedelta
from itertools import groupby
from uuid import UUID

from licet_server.events.rules.kinds import TRANSIENT_DAYS, EventKind
from licet_server.events.rules.model import Event, Topic
from licet_server.events.service.recording import claim_topics, record_events
from licet_server.events.storage import recording as storage
from licet_server.kit.origin import Origin
from licet_server.kit.platform import Platform

_HOUR = timedelta(hours=1)


async def summarize_omitted_events(platform: Platform) -> int:
    """Record how many events of each license were not permanent, once for each past hour."""
    async with platform.unit_of_work(Origin()) as work:
        until = work.now.replace(minute=0, second=0, microsecond=0)
        counted = await storage.count_by_hour(work.db, until - timedelta(days=1), until)
        summaries = {
            _topic(institution_id, license_id, hour): _summary(
                institution_id, license_id, hour, {item.kind: item.number for item in items}
            )
            for (institution_id, license_id, hour), items in groupby(
                counted, key=lambda item: (item.institution_id, item.license_id, item.hour)
            )
        }
        due = await claim_topics(work.db, summaries, timedelta(days=2), work.now)
        await record_events(work, [summaries[topic] for topic in sorted(due)])
    return len(due)


async def delete_transient_events(platform: Platform) -> int:
    """Delete the events that are not permanent and older than a week; returns how many."""
    async with platform.unit_of_work(Origin()) as work:
        return await storage.delete_before(work.db, work.now - timedelta(days=TRANSIENT_DAYS))


def _topic(institution_id: UUID, license_id: UUID, hour: datetime) -> Topic:
    return institution_id, f"omitted:{license_id}:{hour:%Y-%m-%dT%H}"


def _summary(
    institution_id: UUID, license_id: UUID, hour: datetime, counts: dict[str, int]
) -> Event:
    return Event(
        kind=EventKind.LICENSE_EVENTS_OMITTED,
        institution_id=institution_id,
        subject_id=license_id,
        data={
            "id": license_id,
            "from": hour.isoformat(),
            "to": (hour + _HOUR).isoformat(),
            "counts": counts,
        },
    )
