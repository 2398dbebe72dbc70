"""What can be done with many licenses at once: one row of `ACTIONS` for each action."""

from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, tzinfo
from decimal import Decimal
from typing import Any
from uuid import UUID

import msgspec
from msgspec import UNSET, Struct

from licet_server.catalog.rules.model import EntitlementSet, Release
from licet_server.catalog.service.lookup import find_visible_release, find_visible_set
from licet_server.events.rules.kinds import EventKind
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.database import Connection
from licet_server.kit.dates import Period, instant_of
from licet_server.kit.errors import FieldError, Missing, bad_field, bad_fields
from licet_server.kit.tags import TAG_RULE, normal_tag
from licet_server.kit.text import camel
from licet_server.licenses.rules import transitions
from licet_server.licenses.rules.converting import CONVERTED, Conversion, converted
from licet_server.licenses.rules.model import License
from licet_server.licenses.rules.policies import APPLIED, Policy, applied
from licet_server.licenses.rules.terms import future_breach
from licet_server.licenses.rules.traits import LicenseType, license_type_of
from licet_server.licenses.rules.transitions import BulkAction
from licet_server.licenses.rules.undoing import as_before, undone_by
from licet_server.licenses.service.policies import find_policy
from licet_server.licenses.service.taking_back import RequestDone, find_done


class Choice(Struct, frozen=True, kw_only=True):
    """What an action takes beside the licenses, by the names of the body's fields: here, nothing.

    A field without a default is required.
    """

    @classmethod
    def breaches(cls, given: Mapping[str, Any]) -> Iterator[FieldError]:
        """Yield what is missing among the fields that were given."""
        for field in msgspec.structs.fields(cls):
            if field.required and field.name not in given:
                yield FieldError(camel(field.name), "is required for this action.")


class Extension(Choice, frozen=True, kw_only=True):
    """The new end of the terms, or by how much they become longer; exactly one of them."""

    expiration_date: date | None = None
    days: int | None = None
    months: int | None = None

    @classmethod
    def breaches(cls, given: Mapping[str, Any]) -> Iterator[FieldError]:
        if len(given) != 1:
            yield Missing(
                "expirationDate",
                "is required to extend, or days or months in its place, but only one of them.",
                ("days", "months"),
            )


class ReleaseChoice(Choice, frozen=True, kw_only=True):
    """The release that the licenses are for."""

    software_release_id: UUID


class PolicyChoice(Choice, frozen=True, kw_only=True):
    """The policy that is applied to the licenses."""

    policy_id: UUID


class SetChoice(Choice, frozen=True, kw_only=True):
    """The entitlement set of the licenses; `None` for no restriction."""

    entitlement_set_id: UUID | None


class TagChoice(Choice, frozen=True, kw_only=True):
    """The tag that the licenses get or lose."""

    tag: str

    @classmethod
    def breaches(cls, given: Mapping[str, Any]) -> Iterator[FieldError]:
        if normal_tag(given.get("tag") or "") is None:
            yield FieldError("tag", TAG_RULE)


class Model(Choice, frozen=True, kw_only=True):
    """Another model of the licenses, and the terms that it needs."""

    type: LicenseType | int
    expiration_date: date | None = None
    max_active_users_count: int | None = None
    initial_meter_balance: Decimal | None = None


class RequestChoice(Choice, frozen=True, kw_only=True):
    """The earlier request whose changes are undone, by the `X-Request-Id` of its response."""

    request_id: str


@dataclass(frozen=True, slots=True)
class Moment:
    """When an action is done, and the time zone in which the days of the license end."""

    now: datetime
    zone: tzinfo


async def _as_given(_db: Connection, _operator: Operator, choice: Any, _now: datetime) -> Any:
    return choice


KindAndReason = tuple[EventKind, str | None]
"""The kind of an event, and the reason that it gives."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """An action: what it takes, its rule, what it stores and the event that it records.

    `find` returns what the choice names, once for all licenses, and the rule gets that in place of
    the choice. A rule returns the license itself if nothing changes. `saves` are the names in
    `License` of what the rule may change. The event of a license may depend on what was found, and
    on what the license was and is.
    """

    takes: type[Choice] = Choice
    find: Callable[[Connection, Operator, Any, datetime], Awaitable[Any]] = _as_given
    rule: Callable[[License, Any, Moment], License]
    saves: tuple[str, ...]
    event: EventKind | Callable[[Any, License, License], KindAndReason]

    def event_of(
        self, chosen: Any, before: License, after: License, reason: str | None
    ) -> KindAndReason:
        """Return the event of a license that changes, with the reason that was given."""
        if isinstance(self.event, EventKind):
            return self.event, reason
        kind, earlier = self.event(chosen, before, after)
        return kind, reason or earlier


async def _release(
    db: Connection, operator: Operator, choice: ReleaseChoice, _now: datetime
) -> Release:
    found = await find_visible_release(db, operator.visibility, choice.software_release_id)
    if found is None:
        raise bad_field("softwareReleaseId", "must be a release that you can access.")
    return found


async def _policy(
    db: Connection, operator: Operator, choice: PolicyChoice, _now: datetime
) -> Policy:
    return await find_policy(db, operator, choice.policy_id, None)


async def _set(
    db: Connection, operator: Operator, choice: SetChoice, _now: datetime
) -> EntitlementSet | None:
    if choice.entitlement_set_id is None:
        return None
    found = await find_visible_set(db, operator.visibility, choice.entitlement_set_id)
    if found is None:
        raise bad_field("entitlementSetId", "must be an entitlement set that you can access.")
    return found


async def _tag(_db: Connection, _operator: Operator, choice: TagChoice, _now: datetime) -> str:
    return normal_tag(choice.tag) or ""


async def _done(
    db: Connection, operator: Operator, choice: RequestChoice, now: datetime
) -> RequestDone:
    return await find_done(db, operator, choice.request_id, now)


def _undone(license_: License, chosen: RequestDone, _moment: Moment) -> License:
    event = chosen.events.get(license_.id)
    return license_ if event is None else as_before(license_, event.changes or {})


def _undone_event(chosen: RequestDone, before: License, after: License) -> KindAndReason:
    return undone_by(before, after), chosen.reasons.get(after.id)


def _future_end(found: date, moment: Moment) -> datetime:
    """Return when a term is to end; a day lasts until its end in the institution's time zone.

    Raises:
        Refused: `InvalidRequest` for a day that is over there; the body was checked for instants.
    """
    end = instant_of(found, moment.zone)
    if not isinstance(found, datetime) and (breaches := list(future_breach(end, moment.now))):
        raise bad_fields(breaches)
    return end


def _extended(license_: License, choice: Extension, moment: Moment) -> License:
    if choice.expiration_date is not None:
        end = _future_end(choice.expiration_date, moment)
        return transitions.extended_to(license_, end, moment.now)
    period = Period(choice.days or 0, choice.months or 0)
    return transitions.extended_by(license_, period, moment.now, moment.zone)


def _converted(license_: License, choice: Model, moment: Moment) -> License:
    target, end = license_type_of(choice.type), choice.expiration_date
    if target is None:
        raise ValueError("the choice was not validated")
    return converted(
        license_,
        Conversion(
            type=target,
            expiration_date=UNSET if end is None else _future_end(end, moment),
            max_active_users_count=choice.max_active_users_count,
            initial_meter_balance=choice.initial_meter_balance,
        ),
        moment.now,
    )


def _giving(
    takes: type[Choice],
    find: Callable[[Connection, Operator, Any, datetime], Awaitable[Any]],
    given: Callable[[License, Any], License],
    *saves: str,
) -> Action:
    """Return the action that gives licenses what the choice names."""
    return Action(
        takes=takes,
        find=find,
        rule=lambda license_, found, _: given(license_, found),
        saves=saves,
        event=EventKind.LICENSE_UPDATED,
    )


_TERM = ("expiration_date", "term_began_at", "term_anchor_day", "paid_since")

ACTIONS: Mapping[BulkAction, Action] = {
    BulkAction.SUSPEND: Action(
        rule=lambda license_, _, moment: transitions.suspended(license_, moment.now),
        saves=("suspended_at",),
        event=EventKind.LICENSE_SUSPENDED,
    ),
    BulkAction.REINSTATE: Action(
        rule=lambda license_, *_: transitions.reinstated(license_),
        saves=("suspended_at",),
        event=EventKind.LICENSE_REINSTATED,
    ),
    BulkAction.REVOKE: Action(
        rule=lambda license_, _, moment: transitions.revoked(license_, moment.now),
        saves=("revoked_at",),
        event=EventKind.LICENSE_REVOKED,
    ),
    BulkAction.RESTORE: Action(
        rule=lambda license_, _, moment: transitions.restored(license_, moment.now),
        saves=("revoked_at",),
        event=EventKind.LICENSE_RESTORED,
    ),
    BulkAction.EXTEND: Action(
        takes=Extension,
        rule=_extended,
        saves=_TERM,
        event=EventKind.LICENSE_RENEWED,
    ),
    BulkAction.SET_RELEASE: _giving(
        ReleaseChoice, _release, transitions.with_release, "software_release_id"
    ),
    BulkAction.APPLY_POLICY: _giving(
        PolicyChoice, _policy, applied, *APPLIED, "metadata", "policy_id"
    ),
    BulkAction.SET_ENTITLEMENT_SET: _giving(
        SetChoice, _set, transitions.with_entitlement_set, "entitlement_set_id"
    ),
    BulkAction.ADD_TAG: _giving(TagChoice, _tag, transitions.tagged, "tags"),
    BulkAction.REMOVE_TAG: _giving(TagChoice, _tag, transitions.untagged, "tags"),
    BulkAction.CONVERT: Action(
        takes=Model,
        rule=_converted,
        saves=CONVERTED,
        event=EventKind.LICENSE_CONVERTED,
    ),
    BulkAction.UNDO: Action(
        takes=RequestChoice,
        find=_done,
        rule=_undone,
        saves=tuple({"suspended_at", "revoked_at", *_TERM, *CONVERTED}),
        event=_undone_event,
    ),
}
