"""Verification of chains: every event that was changed, deleted, moved or cut off is reported.

Archives are verified, too: the events in them, and whether each is the one that the chain records.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from licet_server.archives.rules.model import EVIDENCE, Archive, ArchiveKind
from licet_server.archives.service.files import ArchiveChanged, ArchiveMissing
from licet_server.archives.service.reading import list_archives, read_content
from licet_server.audit.rules.archives import breaches_of_archives, records_of
from licet_server.audit.rules.inspection import Inspection
from licet_server.audit.rules.model import Breach, ChainHead, Finding
from licet_server.audit.service.walking import ARCHIVE_EVENTS, ChainWalk
from licet_server.events.rules.chain import Chain
from licet_server.events.rules.kinds import EventKind
from licet_server.events.rules.model import INSTANCE
from licet_server.events.service.sealing import open_secret
from licet_server.events.storage import seals
from licet_server.events.storage.chains import fetch_chains
from licet_server.events.storage.reading import fetch_recorded, list_subjects
from licet_server.institutions.service.institutions import list_all_institution_ids
from licet_server.kit.platform import Platform


@dataclass(frozen=True, slots=True)
class Verification:
    """How many chains, events and archives were checked, and everything that is wrong.

    `erased` are the events from which a person was erased.
    """

    chains: int
    events: int
    erased: int
    archives: int
    breaches: list[Breach]


async def verify(
    platform: Platform, heads: Sequence[ChainHead], progress: Callable[[int, int], None]
) -> Verification:
    """Check every chain; `heads` are the heads that were anchored or logged outside the database.

    Events sealed in the meantime are not checked. `progress` is called with the number of events
    checked and the total.

    Raises:
        FilesUnavailable: when the object store does not respond.
    """
    async with platform.database.snapshot() as db:
        found = await fetch_chains(db)
        archives = {
            chain.institution_id: await list_archives(db, chain.institution_id)
            for chain, _ in found
        }
        existing = {INSTANCE, *await list_all_institution_ids(db)}
    total = sum(chain.number for chain, _ in found)
    breaches: list[Breach] = []
    created: set[UUID] = set()
    checked = erased = 0
    for chain, stored in found:
        secret = open_secret(platform.keyring, chain, stored)
        if secret is None:
            breaches.append(Breach(chain.institution_id, Finding.REPLACED, chain.number))
            continue
        known = [head for head in heads if head.institution_id == chain.institution_id]
        walk = ChainWalk(platform, chain, Inspection(chain, secret, known))
        async for count in walk.steps():
            checked += count
            progress(checked, max(checked, total))
        breaches += [*walk.inspection.finish(), *walk.breaches]
        created |= walk.created
        erased += walk.erased
        kinds = frozenset(ArchiveKind) if chain.institution_id in existing else EVIDENCE
        breaches += await _check_archives(
            platform, chain, archives[chain.institution_id], walk.recorded, kinds
        )
    chained = {chain.institution_id for chain, _ in found}
    expected = {*await _expected(platform, heads), *created}
    breaches += [
        Breach(institution_id, Finding.LOST, 1) for institution_id in sorted(expected - chained)
    ]
    return Verification(len(found), checked, erased, sum(map(len, archives.values())), breaches)


async def _check_archives(
    platform: Platform,
    chain: Chain,
    archives: Sequence[Archive],
    sealed: Sequence[Mapping[str, Any]],
    kinds: Collection[ArchiveKind],
) -> list[Breach]:
    """Check the archives of an institution; the events of the newest may not be sealed yet."""
    seen = {item["id"] for item in sealed}
    missing = [item.id for item in archives if str(item.id) not in seen]
    async with platform.database.reading() as db:
        unsealed = [
            event
            for kind in ARCHIVE_EVENTS
            for event in await fetch_recorded(db, chain.institution_id, kind, missing, chain.number)
        ]
    recorded = [*sealed, *records_of(unsealed)]
    breaches = breaches_of_archives(chain.institution_id, archives, recorded, kinds)
    for archive in archives:
        if archive.kind is ArchiveKind.EVENTS:
            continue  # read on the walk
        try:
            await read_content(platform, archive)
        except ArchiveMissing:
            finding = Finding.ARCHIVE_MISSING
        except ArchiveChanged:
            finding = Finding.ARCHIVE_CHANGED
        else:
            continue
        breaches.append(Breach(archive.institution_id, finding, archive.number, archive.kind))
    return breaches


async def _expected(platform: Platform, heads: Sequence[ChainHead]) -> set[UUID]:
    """Return who must have a chain: who exists, has sealed events, or was anchored."""
    async with platform.database.reading() as db:
        existing = await list_all_institution_ids(db)
        created = await list_subjects(db, INSTANCE, EventKind.INSTITUTION_CREATED)
        sealed = await seals.find_institutions(db, sealed=True)
    return {INSTANCE, *existing, *created, *sealed, *(head.institution_id for head in heads)}
