"""Applies a policy to licenses, at most 1,000 in a transaction, or tells what that would change."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from uuid import UUID

from msgspec.structs import replace

from licet_server.events.rules.kinds import EventKind
from licet_server.events.service.recording import record_events
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.database import Connection
from licet_server.kit.errors import Refused
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.licenses.rules.model import License
from licet_server.licenses.rules.policies import Policy, applied
from licet_server.licenses.service.bulk import BulkRefusal
from licet_server.licenses.service.events import license_event
from licet_server.licenses.service.hooks import LicenseHooks, TermsChange, report_changes
from licet_server.licenses.service.policies import fetch_policy, lock_policy
from licet_server.licenses.storage import bulk, records
from licet_server.licenses.storage import policies as storage

MOST_AT_ONCE = 1_000


@dataclass(frozen=True, slots=True)
class Candidates:
    """The licenses to apply a policy to: these, or those that remember it, after one of them."""

    ids: tuple[UUID, ...] | None = None
    after: UUID | None = None


@dataclass(slots=True)
class ApplyOutcome:
    """Each license that changes with what it becomes, how many do not, and the refused ones.

    `next_after` is the last license of a step of a walk through all licenses; `None` at its end.
    """

    changed: list[tuple[License, License]] = field(default_factory=list)
    unchanged: int = 0
    refused: list[BulkRefusal] = field(default_factory=list)
    next_after: UUID | None = None


async def preview(
    db: Connection, operator: Operator, policy_id: UUID, candidates: Candidates
) -> ApplyOutcome:
    """Return what applying the policy would change; nothing is changed."""
    policy = await fetch_policy(db, operator, policy_id)
    ids = await _wanted(db, policy, candidates)
    found = list((await records.fetch_by_ids(db, operator.visibility, ids)).values())
    return _decide(operator, policy, candidates, ids, found)


async def apply_policy(
    work: UnitOfWork,
    operator: Operator,
    policy_id: UUID,
    candidates: Candidates,
    *,
    hooks: LicenseHooks,
) -> ApplyOutcome:
    """Apply the policy to the licenses that allow it; the others are refused, each with its reason.

    The licenses are locked first, so that no concurrent change of one is lost.
    """
    policy = await lock_policy(work, operator, policy_id)
    ids = await _wanted(work.db, policy, candidates)
    found = await bulk.lock_licenses(work.db, operator.visibility, ids)
    outcome = _decide(operator, policy, candidates, ids, found)
    outcome.changed = [
        (before, replace(after, updated_at=after.instant(work.now)))
        for before, after in outcome.changed
    ]
    await storage.apply_to(work.db, policy, [after.id for _, after in outcome.changed], work.now)
    await record_events(
        work,
        [
            license_event(EventKind.LICENSE_UPDATED, after, work.now, before=before)
            for before, after in outcome.changed
        ],
    )
    await report_changes(work, hooks, [TermsChange(*pair) for pair in outcome.changed])
    return outcome


async def _wanted(db: Connection, policy: Policy, candidates: Candidates) -> Sequence[UUID]:
    if candidates.ids is not None:
        return list(dict.fromkeys(candidates.ids))
    return await storage.find_licenses(db, policy, candidates.after, limit=MOST_AT_ONCE)


def _decide(
    operator: Operator,
    policy: Policy,
    candidates: Candidates,
    ids: Sequence[UUID],
    found: Sequence[License],
) -> ApplyOutcome:
    by_id = {item.id: item for item in found}
    is_walk = candidates.ids is None
    outcome = ApplyOutcome(next_after=ids[-1] if is_walk and len(ids) == MOST_AT_ONCE else None)
    for license_id in ids:
        if is_walk and license_id not in by_id:
            continue  # deleted since it was found
        try:
            before = operator.found(by_id.get(license_id), "license")
            after = applied(before, policy)
        except Refused as refused:
            outcome.refused.append(BulkRefusal(license_id, refused))
            continue
        if after is before:
            outcome.unchanged += 1
        else:
            outcome.changed.append((before, after))
    return outcome
