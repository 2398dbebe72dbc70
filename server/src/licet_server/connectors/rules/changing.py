"""The steps from the current licenses of an order to the desired ones, and what each changes.

A license changes to what its order says now, and keeps what operators gave it. What a renewal adds
to its balance is added once.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, tzinfo
from decimal import Decimal

from msgspec.structs import replace

from licet_server.connectors.rules.licensing import (
    CurrentLicense,
    DesiredLicense,
    Plan,
    joined,
    order_of,
)
from licet_server.kit.dates import Period, end_after
from licet_server.kit.text import ERASED_ADDRESS
from licet_server.licenses.rules.model import License
from licet_server.licenses.rules.policies import Policy, TermStart, applied


@dataclass(slots=True)
class Steps:
    """The changes that give an order its desired licenses."""

    issue: list[DesiredLicense] = field(default_factory=list)
    change: list[tuple[CurrentLicense, DesiredLicense]] = field(default_factory=list)
    unused: list[CurrentLicense] = field(default_factory=list)


def steps(current: Sequence[CurrentLicense], desired: Sequence[DesiredLicense]) -> Steps:
    """Return the steps to the desired licenses; the license that changes least is matched first.

    Nothing more is issued to a buyer who was erased.
    """
    found = Steps()
    left = defaultdict(list)
    for item in current:
        left[item.plan.family].append(item)
    open_targets = list(desired)
    for is_match in _MATCHES:
        unmet: list[DesiredLicense] = []
        for target in open_targets:
            candidates = left[target.plan.family]
            match = next((item for item in candidates if is_match(item, target)), None)
            if match is None:
                unmet.append(target)
                continue
            candidates.remove(match)
            if (match.plan, match.state) != (target.plan, target.state):
                found.change.append((match, target))
        open_targets = unmet
    found.issue = [target for target in open_targets if target.plan.issued_to != ERASED_ADDRESS]
    found.unused = [item for items in left.values() for item in items]
    return found


def _paid_since(plan: Plan) -> datetime | None:
    return min(plan.paid_at.values(), default=None)


_MATCHES: tuple[Callable[[CurrentLicense, DesiredLicense], bool], ...] = (
    lambda current, desired: (current.plan, current.state) == (desired.plan, desired.state),
    lambda current, desired: (
        current.state == desired.state
        and current.plan.sold == desired.plan.sold
        and order_of(current.plan) == order_of(desired.plan)
        and _paid_since(current.plan) == _paid_since(desired.plan)
    ),
    lambda current, desired: (
        current.state == desired.state
        and current.plan.sold == desired.plan.sold
        and order_of(current.plan) == order_of(desired.plan)
    ),
    lambda current, desired: (
        current.plan.sold == desired.plan.sold and order_of(current.plan) == order_of(desired.plan)
    ),
    lambda current, desired: (
        current.state == desired.state and order_of(current.plan) == order_of(desired.plan)
    ),
    lambda current, desired: current.state == desired.state,
    lambda current, desired: order_of(current.plan) == order_of(desired.plan),
    lambda *_: True,
)
"""The ways to match a current license with a desired one, best first."""


def changed_license(
    license_: License, before: Plan, after: Plan, policy: Policy, zone: tzinfo = UTC
) -> License:
    """Return the license as the order wants it: only what the plan says otherwise than before.

    So it keeps what operators gave it until the shop says something else about the same field. A
    changed policy applies as if an operator applied it; what is changed within a policy changes no
    license. A license that operators made one of another model than was sold keeps its terms.

    Raises:
        Refused: what applying the policy raises.
    """
    found = license_
    if before.issued_to != after.issued_to:
        found = replace(found, issued_to=after.issued_to)
    if found.type is not policy.type:
        return found
    if before.policy_id != after.policy_id:
        found = applied(found, policy)
    if after.seats is not None:
        was_sold = after.seats == before.seats
        seats = license_.max_active_users_count if was_sold else after.seats
        found = replace(found, max_active_users_count=seats)
    elif before.seats is not None and policy.max_active_users_count is not None:
        found = replace(found, max_active_users_count=policy.max_active_users_count)
    if _has_another_end(before, after, policy):
        end = _end_beside(license_.expiration_date, before.ends_at, after.ends_at)
        found = replace(found, expiration_date=end)
    elif after.paid_at:
        found = _with_paid_terms(found, before, after, zone)
    if before.updates_until != after.updates_until:
        end = _end_beside(license_.updates_until, before.updates_until, after.updates_until)
        found = replace(found, updates_until=end or _included(license_, policy))
    if _has_another_grace(before, after):
        found = replace(found, grace_days=after.grace_days)
    return found


def _included(license_: License, policy: Policy) -> datetime:
    """Return the end of the updates of a license without what was paid for them."""
    return license_.created_at + timedelta(days=policy.updates_days or 0)


def _has_another_end(before: Plan, after: Plan, policy: Policy) -> bool:
    is_same_term = after.begins is not None and after.begins == before.begins
    if before.ends_at == after.ends_at or (before.policy_id == after.policy_id and is_same_term):
        return False
    # Without an end, a term of the policy begins with the first use, or there is none.
    return after.ends_at is not None or policy.term_starts is TermStart.ISSUE


def _with_paid_terms(license_: License, before: Plan, after: Plan, zone: tzinfo) -> License:
    """Return a license whose term begins with its first use with the terms that were paid since.

    Those that were paid back are gone. Before the first use, the term is longer; after it, a term
    begins with its payment or where the one before ends, whichever is later.
    """
    new = sorted(after.paid_at.keys() - before.periods.keys(), key=after.paid_at.__getitem__)
    gone = before.paid_at.keys() - after.paid_at.keys()
    lost = [Period(-before.periods[name].days, -before.periods[name].months) for name in gone]
    if license_.pending_term is not None:
        term = joined([license_.pending_term, *lost, *(after.periods[name] for name in new)])
        return replace(license_, term_days=term.days or None, term_months=term.months or None)
    end, anchor_day = license_.expiration_date, license_.term_anchor_day
    if end is None or not (new or gone):
        return license_
    for period in lost:
        end, anchor_day = end_after(end, period, zone, anchor_day)
    for name in new:
        begins = max(end, after.paid_at[name])
        anchor_day = anchor_day if begins == end else None
        end, anchor_day = end_after(begins, after.periods[name], zone, anchor_day)
    return replace(license_, expiration_date=end, term_anchor_day=anchor_day)


def _end_beside(
    given: datetime | None, before: datetime | None, after: datetime | None
) -> datetime | None:
    """Return the end of a license: what is paid, or a later one that an operator gave it."""
    if before is None or after is None or given == before:
        return after
    if given is None:
        return None
    return max(given, after) if given > before else min(given, after) if after < before else after


def _has_another_grace(before: Plan, after: Plan) -> bool:
    if before.grace_days == after.grace_days:
        return False
    is_same_part = before.renewal_grace_days == after.renewal_grace_days
    return before.policy_id != after.policy_id or not is_same_part


@dataclass(frozen=True, slots=True)
class Renewals:
    """What to add to a balance and to take back, by payment, and the renewals counted then."""

    grants: tuple[tuple[str, Decimal], ...]
    taken_back: tuple[tuple[str, Decimal], ...]
    counted: Mapping[str, str | None]


def counted(
    before: Plan, after: Plan, granted: Mapping[str, str | None] | None
) -> Mapping[str, str | None]:
    """Return the renewals that were counted, with what each granted.

    Of a license from before renewals were counted, all are that do not extend its term now.
    """
    if granted is not None:
        return granted
    is_longer = before.ends_at is not None and (after.ends_at or before.ends_at) > before.ends_at
    known = after.renewals or ()
    return dict.fromkeys(known[:-1] if is_longer else known)


def renewed(known: Mapping[str, str | None], plan: Plan, amount: Decimal | None) -> Renewals:
    """Return what follows from the renewals of a plan when `known` ones were counted before.

    A refunded renewal is taken back with what it granted.
    """
    payments = plan.renewals or ()
    new = [payment for payment in payments if payment not in known]
    gone = {payment: text for payment, text in known.items() if payment not in payments}
    kept = {payment: text for payment, text in known.items() if payment in payments}
    return Renewals(
        grants=() if amount is None else tuple((payment, amount) for payment in new),
        taken_back=tuple((payment, Decimal(text)) for payment, text in gone.items() if text),
        counted={**kept, **dict.fromkeys(new, None if amount is None else f"{amount:f}")},
    )
