"""Begins the term of a license with its first use, once."""

from msgspec.structs import replace

from licet_server.events.rules.kinds import EventKind
from licet_server.events.service.recording import record_events
from licet_server.kit.errors import not_found
from licet_server.kit.origin import Origin
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.kit.visibility import Visibility
from licet_server.licenses.rules.model import License
from licet_server.licenses.service.events import license_event
from licet_server.licenses.storage import first_use as storage
from licet_server.licenses.storage import records


async def begin_term(work: UnitOfWork, license_: License) -> License:
    """Begin the term of an active license, unless it has begun. Returns the license as it is now.

    A license whose term starts when it is issued costs nothing here.

    Raises:
        Refused: `NotFound` if the license was deleted meanwhile.
    """
    if license_.term_days is None:
        return license_
    begun = await _begin(work, license_)
    if begun is not None:
        return begun
    visibility = Visibility((license_.institution_id,))
    current = await records.fetch_license(work.db, visibility, license_.id)
    if current is None:
        raise not_found("license")
    return current


async def begin_term_with_use(platform: Platform, license_: License, origin: Origin) -> None:
    """Begin the term of a license that was just used, in a transaction of its own.

    One that was deleted or stopped since then is left alone.
    """
    if license_.term_days is not None:
        async with platform.unit_of_work(origin) as work:
            await _begin(work, license_)


async def _begin(work: UnitOfWork, license_: License) -> License | None:
    begun = await storage.begin_term(work.db, license_, work.now)
    if begun is not None:
        before = replace(begun, expiration_date=None, term_days=license_.term_days)
        event = license_event(EventKind.LICENSE_UPDATED, begun, work.now, before=before)
        await record_events(work, [event])
    return begun
