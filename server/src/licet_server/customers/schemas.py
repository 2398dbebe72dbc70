"""Wire shapes of customers."""

from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal
from typing import Annotated, Any
from uuid import UUID

from msgspec import UNSET, Meta, Struct, UnsetType

from licet_server.customers.rules.model import Customer, CustomerFigures
from licet_server.customers.rules.personal_data import LicensesAfter
from licet_server.customers.service.personal_data import (
    RECORDED_TEXTS,
    PersonalDataErasure,
    PersonalDataExport,
)
from licet_server.kit.amounts import plain
from licet_server.kit.emails import read_email
from licet_server.kit.errors import FieldError
from licet_server.kit.tags import normal_tags, tag_breaches
from licet_server.kit.text import (
    Labels,
    Line,
    Name,
    Note,
    Paragraphs,
    metadata_breaches,
    normal_locale,
)
from licet_server.kit.web.body import Body, Change, given
from licet_server.kit.web.views import view_of

Email = Annotated[str, Meta(min_length=3, max_length=254)]


def _breaches(
    email: str | UnsetType | None,
    locale: str | UnsetType | None,
    metadata: Labels | UnsetType | None,
    tags: list[str] | UnsetType | None,
) -> Iterator[FieldError]:
    if isinstance(email, str) and read_email(email) is None:
        yield FieldError("email", "must be an email address.")
    if isinstance(locale, str) and normal_locale(locale) is None:
        yield FieldError("locale", "must be a language tag, such as de or pt-BR.")
    if isinstance(metadata, dict):
        yield from metadata_breaches(metadata)
    if isinstance(tags, list):
        yield from tag_breaches("tags", tags)


class CustomerBody(Body):
    """A new customer; an institution has one for each email address, compared without case."""

    name: Name
    email: Email
    institution_id: UUID | None = None
    external_reference: Line | None = None
    company: Line | None = None
    locale: str | None = None
    notes: Paragraphs | None = None
    metadata: Labels | None = None
    tags: list[str] | None = None

    def breaches(self, now: datetime) -> Iterator[FieldError]:
        yield from _breaches(self.email, self.locale, self.metadata, self.tags)

    def fields(self) -> dict[str, Any]:
        """Return the fields of the customer, by their names in `Customer`."""
        return _normal(given(self))


class CustomerChange(Change):
    """Changes of a customer: absent fields are unchanged, null clears.

    With another `email`, the licenses that are issued to the present one move along, unless
    `moveLicenses` is false.
    """

    name: Name | UnsetType = UNSET
    email: Email | UnsetType = UNSET
    external_reference: Line | UnsetType | None = UNSET
    company: Line | UnsetType | None = UNSET
    locale: str | UnsetType | None = UNSET
    notes: Paragraphs | UnsetType | None = UNSET
    metadata: Labels | UnsetType | None = UNSET
    tags: list[str] | UnsetType | None = UNSET
    move_licenses: bool = True

    def breaches(self, now: datetime) -> Iterator[FieldError]:
        yield from _breaches(self.email, self.locale, self.metadata, self.tags)

    def changes(self) -> dict[str, Any]:
        """Return the fields to change, by their names in `Customer`."""
        fields = given(self)
        del fields["move_licenses"]
        return _normal(fields)


def _normal(fields: dict[str, Any]) -> dict[str, Any]:
    if "email" in fields:
        fields["email"] = read_email(fields["email"])
    if "locale" in fields:
        fields["locale"] = normal_locale(fields["locale"] or "")
    if "metadata" in fields:
        fields["metadata"] = fields["metadata"] or {}
    if "tags" in fields:
        fields["tags"] = normal_tags(fields["tags"] or ())
    return fields


class CustomerNoteBody(Body):
    """What the vendor notes about a customer."""

    note: Note


class MergeCustomerBody(Body):
    """The customer that is kept."""

    into_id: UUID


class CustomerView(Struct, rename="camel"):
    """A customer, with the number of their licenses of any status.

    `locale` is the language in which they are written to, if there is a translation.
    """

    id: UUID
    institution_id: UUID
    name: str
    email: str
    external_reference: str | None
    company: str | None
    locale: str | None
    notes: str | None
    metadata: Labels
    tags: list[str]
    license_count: int
    created_at: datetime
    updated_at: datetime


def customer_view(customer: Customer, license_count: int) -> CustomerView:
    """Return a customer as it is on the wire."""
    return view_of(CustomerView, customer, license_count=license_count)


class CustomerPaid(Struct, rename="camel"):
    """What a customer paid in one currency; `net` is `amount` without what was paid back of it."""

    currency: str
    amount: Decimal
    refunded: Decimal
    net: Decimal


class ListedCustomerView(CustomerView, kw_only=True):
    """A customer in a list, with their licenses by status and what became of them.

    `nextEnd` is when the first of the active licenses ends, before any grace, and `lastSeenAt` when
    one of their devices was seen. `paid` is what their orders say, test sales left out, with the
    currency of the most orders first; null for API keys without `Connectors.Read`.
    """

    active_licenses: int
    suspended_licenses: int
    expired_licenses: int
    revoked_licenses: int
    next_end: datetime | None
    last_seen_at: datetime | None
    paid: list[CustomerPaid] | None


def listed_customer_view(
    customer: Customer, figures: CustomerFigures, *, with_paid: bool
) -> ListedCustomerView:
    """Return a customer of a list as it is on the wire."""
    paid = [
        CustomerPaid(
            item.currency,
            plain(item.amount),
            plain(item.refunded),
            plain(item.amount - item.refunded),
        )
        for item in figures.paid
    ]
    counts = (figures.active, figures.suspended, figures.expired, figures.revoked)
    return view_of(
        ListedCustomerView,
        customer,
        license_count=sum(counts),
        active_licenses=figures.active,
        suspended_licenses=figures.suspended,
        expired_licenses=figures.expired,
        revoked_licenses=figures.revoked,
        next_end=figures.next_end,
        last_seen_at=figures.last_seen_at,
        paid=paid if with_paid else None,
    )


class EraseCustomerBody(Body):
    """What becomes of the licenses: they are revoked, or kept without a name.

    With `dryRun`, the response says what would be replaced now, and nothing is.
    """

    licenses: LicensesAfter
    dry_run: bool = False


class ErasedTextView(Struct, rename="camel"):
    """A text that is replaced in events, and how often."""

    text: str
    count: int


class CustomerErasureView(CustomerView, kw_only=True):
    """A customer as they are after the request, and what it replaced, or would replace.

    `rows` are counted by the names of tables; `texts` are the 1,000 that are replaced most often in
    events, of `textCount`.
    """

    dry_run: bool
    rows: dict[str, int]
    text_count: int
    texts: list[ErasedTextView]


class CustomerExport(Struct, rename="camel"):
    """All that is stored of a person: `records` are rows by the name of their table.

    Each list has the newest 10,000 rows at most.
    """

    exported_at: datetime
    customer: CustomerView
    records: dict[str, list[dict[str, Any]]]


def customer_export(export: PersonalDataExport, license_count: int) -> CustomerExport:
    """Return an export as it is on the wire."""
    return CustomerExport(
        exported_at=export.exported_at,
        customer=customer_view(export.customer, license_count),
        records=export.rows,
    )


def customer_erasure(
    erasure: PersonalDataErasure, license_count: int, *, dry_run: bool
) -> CustomerErasureView:
    """Return an erasure as it is on the wire."""
    return view_of(
        CustomerErasureView,
        erasure.customer,
        license_count=license_count,
        dry_run=dry_run,
        rows=erasure.rows,
        text_count=len(erasure.texts),
        texts=[ErasedTextView(item.text, item.count) for item in erasure.texts[:RECORDED_TEXTS]],
    )
