"""Wire shapes of changes to many licenses."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Annotated, Any, ClassVar
from uuid import UUID

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import asdict

from licet_server.kit.errors import ErrorCode, FieldError, Missing
from licet_server.kit.tags import wanted_tags
from licet_server.kit.text import Line, camel
from licet_server.kit.web.body import Body, DayOrTime
from licet_server.licenses.rules.model import LicenseFilter, LicenseStatus
from licet_server.licenses.rules.terms import future_breach
from licet_server.licenses.rules.traits import LicenseType
from licet_server.licenses.rules.transitions import BulkAction
from licet_server.licenses.schemas.records import Days, Months, Zoned, in_utc, model_breaches
from licet_server.licenses.service.bulk import MOST_AT_ONCE, BulkChange, BulkOutcome, BulkRefusal
from licet_server.licenses.service.bulk_actions import ACTIONS, Choice

RequestId = Annotated[str, Meta(min_length=1, max_length=128)]
ChoiceType = type[Choice]
"""Named here, because a field below is called `type`."""


class BulkLicensesFilter(Body):
    """The filters of the license list; a license must match all that are given."""

    institution_id: UUID | None = None
    product_id: UUID | None = None
    customer_id: UUID | None = None
    status: LicenseStatus | None = None
    type: LicenseType | None = None
    issued_to: Annotated[str, Meta(min_length=1, max_length=254)] | None = None
    search: Annotated[str, Meta(min_length=1, max_length=200, pattern=r"\S")] | None = None
    expiring_before: Zoned | None = None
    policy_id: UUID | None = None
    test: bool | None = None
    tag: list[str] | None = None

    @property
    def is_empty(self) -> bool:
        """Whether every license would match."""
        others = (name for name in self.__struct_fields__ if name != "tag")
        return wanted_tags(self.tag) is None and all(getattr(self, name) is None for name in others)

    def filters(self) -> LicenseFilter:
        """Return the filters, apart from the institution."""
        same = asdict(self)
        del same["institution_id"], same["tag"]
        same["search"] = self.search.strip() if self.search is not None else None
        same["expiring_before"] = in_utc(self.expiring_before)
        return LicenseFilter(**same, tags=wanted_tags(self.tag))


class BulkLicensesBody(Body):
    """What to do with which licenses: those in `ids`, or those that match `filter`.

    `extend` takes one of `expirationDate`, `days` and `months`; these count from the end of each
    term, or from now if it has ended, in the time zone of the institution. `setRelease` takes
    `softwareReleaseId`, `applyPolicy` takes `policyId`, and `setEntitlementSet` takes
    `entitlementSetId`, where null removes the restriction. `convert` takes `type` and what the new
    model needs; without a date, a term that was paid for stays. `addTag` and `removeTag` take
    `tag`. `undo` takes `requestId`, the `X-Request-Id` of a response to `extend`, `convert`,
    `reinstate` or `restore` of the last 24 hours, and gives these licenses what they had before;
    those that changed again since then are refused.
    """

    null_is_absent: ClassVar[bool] = False

    action: BulkAction
    ids: Annotated[list[UUID], Meta(min_length=1, max_length=MOST_AT_ONCE)] | None = None
    filter: BulkLicensesFilter | None = None
    reason: Line | None = None
    expiration_date: DayOrTime | None = None
    days: Days | None = None
    months: Months | None = None
    software_release_id: UUID | None = None
    policy_id: UUID | None = None
    entitlement_set_id: UUID | UnsetType | None = UNSET
    type: LicenseType | int | None = None
    max_active_users_count: int | None = None
    initial_meter_balance: Decimal | None = None
    tag: str | None = None
    request_id: RequestId | None = None

    def breaches(self, now: datetime) -> Iterator[FieldError]:
        if (self.ids is None) == (self.filter is None):
            yield Missing(
                "ids", "is required, or filter in its place, but not both.", ("ids", "filter")
            )
        elif self.filter is not None and self.filter.is_empty:
            yield Missing("filter", "must name at least one field.", ("filter",))
        if self.action in ACTIONS:  # None where it is none of them
            yield from self._choice_breaches(ACTIONS[self.action].takes)
        yield from future_breach(self.expiration_date, now)
        yield from model_breaches(self.type)

    def change(self) -> BulkChange:
        """Return the change that a validated body asks for."""
        return BulkChange(
            action=self.action,
            choice=ACTIONS[self.action].takes(**self._given()),
            ids=tuple(self.ids or ()),
            filters=self.filter.filters() if self.filter is not None else None,
            institution_id=self.filter.institution_id if self.filter is not None else None,
            reason=self.reason,
        )

    def _choice_breaches(self, takes: ChoiceType) -> Iterator[FieldError]:
        given = self._given()
        mine = {name: value for name, value in given.items() if name in takes.__struct_fields__}
        yield from takes.breaches(mine)
        for name in given.keys() - mine.keys():
            yield FieldError(camel(name), f"is for {_takers_of(name)} only.")

    def _given(self) -> dict[str, Any]:
        """Return what the request says for its action, by the names of the fields."""
        names = {name for action in ACTIONS.values() for name in action.takes.__struct_fields__}
        return {
            field.name: value
            for field in msgspec.structs.fields(self)
            if field.name in names and (value := getattr(self, field.name)) is not field.default
        }


def _takers_of(name: str) -> str:
    takers = [kind for kind, action in ACTIONS.items() if name in action.takes.__struct_fields__]
    return " and ".join(takers)


class BulkRefusalView(Struct, rename="camel"):
    """A license that stays as it is, and the problem with it."""

    id: UUID
    error_code: ErrorCode
    detail: str


class BulkLicensesAnswer(Struct, rename="camel"):
    """How many licenses are as asked for, how many of them changed, and the others."""

    done: int
    changed: int
    refused: list[BulkRefusalView]


def bulk_answer(outcome: BulkOutcome) -> BulkLicensesAnswer:
    """Return the outcome on the wire."""
    changed = len(outcome.changed)
    return BulkLicensesAnswer(outcome.done, changed, refusal_views(outcome.refused))


def refusal_views(refused: Sequence[BulkRefusal]) -> list[BulkRefusalView]:
    """Refused licenses on the wire."""
    return [
        BulkRefusalView(item.license_id, item.refused.code, item.refused.detail) for item in refused
    ]
