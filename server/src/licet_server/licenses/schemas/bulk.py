"""Wire shapes of changes to many licenses."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct

from licet_server.kit.errors import ErrorCode, FieldError
from licet_server.kit.tags import TAG_RULE, normal_tag, wanted_tags
from licet_server.kit.text import Line
from licet_server.kit.web.body import Body, DayOrTime
from licet_server.licenses.rules.model import LicenseFilter, LicenseStatus
from licet_server.licenses.rules.terms import future_breach
from licet_server.licenses.rules.traits import LicenseType
from licet_server.licenses.rules.transitions import BulkAction
from licet_server.licenses.schemas.records import Zoned, in_utc
from licet_server.licenses.service.bulk import MOST_AT_ONCE, BulkChange, BulkOutcome, BulkRefusal

_OF_TAGS = (BulkAction.ADD_TAG, BulkAction.REMOVE_TAG)


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
    tag: list[str] | None = None

    @property
    def is_empty(self) -> bool:
        """Whether every license would match."""
        others = (name for name in self.__struct_fields__ if name != "tag")
        return wanted_tags(self.tag) is None and all(getattr(self, name) is None for name in others)

    def filters(self) -> LicenseFilter:
        """Return the filters, apart from the institution."""
        return LicenseFilter(
            product_id=self.product_id,
            customer_id=self.customer_id,
            status=self.status,
            type=self.type,
            issued_to=self.issued_to,
            search=self.search.strip() if self.search is not None else None,
            expiring_before=in_utc(self.expiring_before),
            policy_id=self.policy_id,
            tags=wanted_tags(self.tag),
        )


class BulkLicensesBody(Body):
    """What to do with which licenses: those in `ids`, or those that match `filter`.

    `extend` takes either `expirationDate` or `days`, which count from the end of the term, or from
    now if it has ended. `addTag` and `removeTag` take `tag`.
    """

    action: BulkAction
    ids: Annotated[list[UUID], Meta(min_length=1, max_length=MOST_AT_ONCE)] | None = None
    filter: BulkLicensesFilter | None = None
    reason: Line | None = None
    expiration_date: DayOrTime | None = None
    days: Annotated[int, Meta(ge=1, le=36_500)] | None = None
    tag: str | None = None

    def breaches(self, now: datetime) -> Iterator[FieldError]:
        if (self.ids is None) == (self.filter is None):
            yield FieldError("ids", "or filter is required, and not both.")
        elif self.filter is not None and self.filter.is_empty:
            yield FieldError("filter", "must name at least one field.")
        if self.action is BulkAction.EXTEND:
            if (self.expiration_date is None) == (self.days is None):
                yield FieldError("expirationDate", "or days is required to extend, and not both.")
        else:
            for name, value in {"expirationDate": self.expiration_date, "days": self.days}.items():
                if value is not None:
                    yield FieldError(name, f"is for {BulkAction.EXTEND} only.")
        yield from future_breach(self.expiration_date, now)
        yield from self._tag_breaches()

    def _tag_breaches(self) -> Iterator[FieldError]:
        if self.action not in _OF_TAGS:
            if self.tag is not None:
                yield FieldError("tag", f"is for {' and '.join(_OF_TAGS)} only.")
        elif normal_tag(self.tag or "") is None:
            yield FieldError("tag", TAG_RULE)

    def change(self) -> BulkChange:
        """Return the change that a validated body asks for."""
        return BulkChange(
            action=self.action,
            ids=tuple(self.ids or ()),
            filters=self.filter.filters() if self.filter is not None else None,
            institution_id=self.filter.institution_id if self.filter is not None else None,
            reason=self.reason,
            expiration_date=self.expiration_date,
            days=self.days,
            tag=normal_tag(self.tag or "") or "",
        )


class BulkRefusalView(Struct, rename="camel"):
    """A license that stays as it is, and the problem with it."""

    id: UUID
    error_code: ErrorCode
    detail: str


class BulkLicensesAnswer(Struct, rename="camel"):
    """How many licenses are as asked for, and the others."""

    done: int
    refused: list[BulkRefusalView]


def bulk_answer(outcome: BulkOutcome) -> BulkLicensesAnswer:
    """Return the outcome on the wire."""
    return BulkLicensesAnswer(outcome.done, refusal_views(outcome.refused))


def refusal_views(refused: Sequence[BulkRefusal]) -> list[BulkRefusalView]:
    """Refused licenses on the wire."""
    return [
        BulkRefusalView(item.license_id, item.refused.code, item.refused.detail) for item in refused
    ]
