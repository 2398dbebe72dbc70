"""Wire shapes of licenses."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from decimal import Decimal
from enum import StrEnum
from typing import Annotated, ClassVar, TypeVar
from uuid import UUID

from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import replace

from licet_server.catalog.rules.model import FEATURE_VALUES_MAX, FeatureValue
from licet_server.kit.amounts import plain
from licet_server.kit.dates import EARLIEST, LATEST, instant_of
from licet_server.kit.declared import changes, creates, shows
from licet_server.kit.errors import FieldError
from licet_server.kit.tags import normal_tags, tag_breaches
from licet_server.kit.text import Labels, Line, Note, camel
from licet_server.kit.web.body import Body, Change, DayOrTime, ExactValue, RuntimeBody, given
from licet_server.kit.web.views import view_of, view_with, views_with
from licet_server.licenses.rules.converting import Conversion
from licet_server.licenses.rules.coverage import FALLBACK_AFTER_MAX_MONTHS, Fallback
from licet_server.licenses.rules.drafts import LicenseDraft, terms_of, without_far_end
from licet_server.licenses.rules.keys import normal_form
from licet_server.licenses.rules.model import (
    DURATION_MAX_DAYS,
    DURATION_MAX_MONTHS,
    GRACE_MAX_DAYS,
    LicenseStatus,
    PolicyTerms,
    SettledTerms,
)
from licet_server.licenses.rules.policies import APPLIED
from licet_server.licenses.rules.terms import (
    future_breach,
    receiver_in,
    term_breaches,
    text_breaches,
    year_breach,
)
from licet_server.licenses.rules.traits import (
    DeviceBindingMode,
    LicenseType,
    MeterMode,
    license_type_of,
)
from licet_server.licenses.service.hooks import CurrentUsage, TermsChange
from licet_server.licenses.service.reading import LicenseDetails

KEPT_MAX = 1_000
ISSUED_AT_ONCE_MAX = 500

Value = TypeVar("Value")

Credential = Annotated[str, Meta(min_length=1, max_length=200)]
Zoned = Annotated[datetime, Meta(tz=True)]
Days = Annotated[int, Meta(ge=1, le=DURATION_MAX_DAYS)]
Months = Annotated[int, Meta(ge=1, le=DURATION_MAX_MONTHS)]
FallbackMonths = Annotated[int, Meta(ge=0, le=FALLBACK_AFTER_MAX_MONTHS)]
GraceDays = Annotated[int, Meta(ge=0, le=GRACE_MAX_DAYS)]
KeptDevices = Annotated[list[UUID], Meta(max_length=KEPT_MAX)]
RequestedValues = Annotated[dict[str, ExactValue], Meta(max_length=FEATURE_VALUES_MAX)]


@creates(PolicyTerms)
class IssueLicenseBody(Body):
    """A new license. `type` takes the model's name or its number, 0 to 7.

    `productId`, `type` and `licenseName` are required without `policyId`. With it, what is given
    wins over what the policy says. With `notify`, the license is mailed to `issuedTo`, or is not;
    without it, the product's mail template `issued` decides.
    """

    product_id: UUID | UnsetType = UNSET
    type: LicenseType | int | UnsetType = UNSET
    license_name: str | UnsetType = UNSET
    policy_id: UUID | None = None
    software_release_id: UUID | None = None
    issued_to: str | None = None
    issuer: Line | None = None
    expiration_date: DayOrTime | None = None
    grace_days: GraceDays | None = None
    updates_until: DayOrTime | None = None
    fallback: Fallback | None = None
    fallback_after_months: FallbackMonths | None = None
    initial_meter_balance: Decimal | None = None
    feature_values: RequestedValues | None = None
    username: Credential | None = None
    password: Credential | None = None
    customer_institution_id: UUID | None = None
    notes: str | None = None
    metadata: Labels | None = None
    tags: list[str] | None = None
    license_key: str | None = None
    notify: bool | None = None

    @property
    def license_type(self) -> LicenseType | None:
        """The model; `None` for an unknown number, or if the policy says it."""
        return None if self.type in {UNSET, None} else license_type_of(self.type)

    def breaches(self, now: datetime) -> Iterator[FieldError]:
        if self.policy_id is None:
            for name in ("product_id", "type", "license_name"):
                if getattr(self, name) is UNSET:
                    yield FieldError(camel(name), "is required.")
        kind = self.license_type
        if kind is None and isinstance(self.type, int):
            yield from model_breaches(self.type)
        elif kind is not None and self.policy_id is None:
            terms = terms_of(without_far_end(draft_of(self, None)))
            yield from term_breaches(replace(terms, has_password=self.password is not None))
        yield from future_breach(self.expiration_date, now)
        yield from year_breach("updatesUntil", self.updates_until)
        given_name = _given(self.license_name)
        yield from text_breaches(given_name, self.issued_to, self.notes, self.metadata)
        yield from tag_breaches("tags", self.tags or ())
        if self.license_key is not None and normal_form(self.license_key) is None:
            yield FieldError("licenseKey", "must have 8 to 128 printable ASCII characters.")


class IssueLicensesBody(IssueLicenseBody, kw_only=True):
    """Several new licenses that differ in their keys alone. None of them is mailed."""

    count: Annotated[int, Meta(ge=1, le=ISSUED_AT_ONCE_MAX)]

    def breaches(self, now: datetime) -> Iterator[FieldError]:
        yield from super().breaches(now)
        if self.license_key is not None:
            yield FieldError("licenseKey", "is for one license only.")
        if self.notify:
            yield FieldError("notify", "is for one license only.")


class IssuedKeyView(Struct, rename="camel"):
    """One of several licenses that were issued at once."""

    id: UUID
    license_key: str
    license_name: str
    issued_to: str | None
    expiration_date: datetime | None


class IssuedLicensesView(Struct, rename="camel"):
    """Licenses that were issued at once."""

    licenses: list[IssuedKeyView]


def _given(value: Value | UnsetType) -> Value | None:
    return None if value is UNSET else value


@changes(SettledTerms, names=APPLIED)
class LicenseChange(Change):
    """Changes of a license: absent fields are unchanged, null clears.

    `keepActivationIds` are the devices of a Concurrent license that have its seats first; else the
    oldest do.
    """

    license_name: str | UnsetType = UNSET
    software_release_id: UUID | UnsetType = UNSET
    issued_to: str | UnsetType | None = UNSET
    issuer: Line | UnsetType | None = UNSET
    expiration_date: DayOrTime | UnsetType | None = UNSET
    grace_days: GraceDays | UnsetType = UNSET
    updates_until: DayOrTime | UnsetType | None = UNSET
    fallback: Fallback | UnsetType = UNSET
    fallback_after_months: FallbackMonths | UnsetType = UNSET
    max_active_users_count: int | UnsetType = UNSET
    feature_values: RequestedValues | UnsetType | None = UNSET
    device_binding_mode: DeviceBindingMode | UnsetType = UNSET
    username: Credential | UnsetType | None = UNSET
    password: Credential | UnsetType | None = UNSET
    customer_institution_id: UUID | UnsetType | None = UNSET
    notes: str | UnsetType | None = UNSET
    metadata: Labels | UnsetType | None = UNSET
    tags: list[str] | UnsetType | None = UNSET
    keep_activation_ids: KeptDevices | UnsetType | None = UNSET

    def breaches(self, now: datetime) -> Iterator[FieldError]:
        yield from text_breaches(
            _given(self.license_name),
            _given(self.issued_to),
            _given(self.notes),
            _given(self.metadata),
        )
        yield from future_breach(_given(self.expiration_date), now)
        yield from year_breach("updatesUntil", _given(self.updates_until))
        yield from tag_breaches("tags", self.tags if isinstance(self.tags, list) else ())


class StopLicenseBody(Body):
    """The reason, which is recorded with the event.

    `asBefore` takes back that the license was reinstated or restored within the last 24 hours: it
    is stopped since when it was before, and for the reason that was given then.
    """

    reason: Line | None = None
    as_before: bool = False

    def breaches(self, now: datetime) -> Iterator[FieldError]:
        """Yield that a former reason cannot be another one."""
        yield from super().breaches(now)
        if self.as_before and self.reason is not None:
            yield FieldError("reason", "must be omitted with asBefore.")


class NoteBody(Body):
    """What the vendor notes about a license."""

    note: Note


class RekeyLicenseBody(Body):
    """How long the present key of a license still works."""

    grace_days: GraceDays = 0


class ConvertLicenseBody(Body):
    """The new model of a license, and the terms that it needs; the license key stays the same.

    Without `expirationDate` a term that was paid for stays, except under a Perpetual license; null
    is no end. `keepActivationIds` are the devices that keep their seats where the new model has
    fewer; otherwise the oldest do.
    """

    null_is_absent: ClassVar[bool] = False

    type: LicenseType | int
    expiration_date: DayOrTime | UnsetType | None = UNSET
    max_active_users_count: int | None = None
    initial_meter_balance: Decimal | None = None
    issued_to: str | None = None
    keep_activation_ids: KeptDevices | None = None

    def breaches(self, now: datetime) -> Iterator[FieldError]:
        yield from model_breaches(self.type)
        yield from future_breach(_given(self.expiration_date), now)
        yield from text_breaches(None, self.issued_to, None, None)

    def conversion(self) -> Conversion:
        """Return the conversion that a validated body asks for, apart from its date."""
        target = license_type_of(self.type)
        if target is None:
            raise ValueError("the body was not validated")
        return Conversion(
            type=target,
            max_active_users_count=self.max_active_users_count,
            initial_meter_balance=self.initial_meter_balance,
            issued_to=None if self.issued_to is None else receiver_in(self.issued_to),
        )


def model_breaches(given: LicenseType | int | None) -> Iterator[FieldError]:
    """Yield the error of a number that is no model's."""
    if given is not None and license_type_of(given) is None:
        last = max(item.traits.number for item in LicenseType)
        yield FieldError("type", f"must be one of {', '.join(LicenseType)}, or 0 to {last}.")


class DeriveKeyBody(RuntimeBody):
    """The license key and salt of a protected license file."""

    license_key: str
    salt: str


class DerivedKey(Struct, rename="camel"):
    """The key of a protected license file, base64url."""

    derived_key: str
    algorithm: str


@shows(SettledTerms, names=APPLIED, after="devices_over_limit")
class LicenseView(Struct, rename="camel"):
    """A license. `seatsUsed` is null without a seat cap, `features` if it is not restricted.

    `seatsAway` is how many seats are borrowed, null where the model has none to borrow.

    `devicesOverLimit` is how many devices have no seat because of the cap.

    `entitlements` are the values by feature, those of the entitlement set and the license's own
    `featureValues`, which win; true for a flag.

    While the term has not begun, `termDays` or `termMonths` is its length. `inGraceUntil` is set
    once the term has ended, while the grace keeps the license active.

    `updatesUntil` is the end of the maintenance. `fallbackUntil` is the last publication of a
    release that the license keeps after its term, and `inFallback` whether only that keeps it
    active.

    `maxBorrowDays` is for how long a device may borrow a seat or reserve credits, 0 if not at all,
    and `maxBorrowedSeats` how many seats may be away at a time, null for all. `maxOfflineCredits`
    is how many credits may be reserved at a time, null for none, and `onUnreturned` what becomes of
    those that are not accounted for 30 days after the end. `offlineActivation` is who answers the
    requests of machines that never have a connection.

    `test`: of a Test product, for the vendor's own tests.
    """

    id: UUID
    product_id: UUID
    product_name: str
    software_release_id: UUID
    release_version: str
    institution_id: UUID
    customer_institution_id: UUID | None
    customer_id: UUID | None
    policy_id: UUID | None
    test: bool
    type: LicenseType
    status: LicenseStatus
    license_key: str
    license_name: str
    issued_to: str | None
    issuer: str | None
    expiration_date: datetime | None
    term_days: int | None
    term_months: int | None
    grace_days: int
    in_grace_until: datetime | None
    updates_until: datetime | None
    fallback: Fallback
    fallback_after_months: int
    fallback_until: datetime | None
    in_fallback: bool
    max_active_users_count: int | None
    seats_used: int | None
    seats_away: int | None
    devices_over_limit: int
    features: list[str] | None
    entitlements: dict[str, FeatureValue] | None
    feature_values: dict[str, FeatureValue]
    meter_mode: MeterMode | None
    meter_balance: Decimal | None
    low_balance_threshold: Decimal | None
    username: str | None
    notes: str | None
    metadata: Labels
    tags: list[str]
    unreviewed_access_attempts: int
    created_at: datetime
    updated_at: datetime
    revoked_at: datetime | None


class LicenseExtra(StrEnum):
    """What a list of licenses has besides, if it is asked for."""

    LAST_SEEN = "LastSeen"
    ORDER = "Order"


class ListedLicenseView(LicenseView, kw_only=True):
    """A license in a list; the last fields are present if they are asked for, and in CSV.

    `lastSeenAt` is when one of its devices was seen. `orderId` is the latest order that it came of,
    and `orderNumber` the number of that in the shop; null for API keys that read no orders, and for
    Members.
    """

    last_seen_at: datetime | UnsetType | None = UNSET
    order_id: UUID | UnsetType | None = UNSET
    order_number: str | UnsetType | None = UNSET


class DeviceOverLimitView(Struct, rename="camel"):
    """A device that has no seat because of the cap; its hardware ID is masked."""

    id: UUID
    hardware_id: str
    device_name: str | None
    activated_at: datetime | None
    last_seen_at: datetime


class ChangedLicenseView(LicenseView):
    """A license that was just changed.

    `overLimit` are the devices that have no seat after the change of a cap or model, newest first,
    at most 100 of them.
    """

    over_limit: list[DeviceOverLimitView]


class ConvertedLicenseView(ChangedLicenseView):
    """A license that was just converted, and what became of what it held.

    Live sessions of devices in `overLimit` ended. `meterBalanceKept` is the balance that a license
    has again when it is converted back; `meterBalanceClosed` is what was left in the unit of the
    other metered model. `credentialsRemoved` says that the license had a user name and a password,
    which the new model does not take.
    """

    sessions_ended: int
    meter_balance_kept: Decimal | None
    meter_balance_closed: Decimal | None
    credentials_removed: bool


def draft_of(body: IssueLicenseBody, password_hash: str | None) -> LicenseDraft:
    """Return the draft that a body requests, by the names of its fields."""
    found = {
        name: value
        for name in IssueLicenseBody.__struct_fields__
        if (value := getattr(body, name)) is not None and value is not UNSET
    }
    found.pop("password", None)
    found["password_hash"] = password_hash
    end: date | None = body.expiration_date
    found["type"] = body.license_type
    if body.issued_to is not None:
        found["issued_to"] = receiver_in(body.issued_to)
    found["tags"] = normal_tags(body.tags or ())
    found["expiration_date"] = in_utc(end)
    updates: date | None = body.updates_until
    found["updates_until"] = in_utc(updates)
    found["last_day_of_updates"] = None if isinstance(updates, datetime) else updates
    found["last_day"] = None if isinstance(end, datetime) else end
    return LicenseDraft(**found)


def changes_of(body: LicenseChange, password_hash: str | None) -> dict[str, object]:
    """Return the fields to change, by name in `License`."""
    found = given(body)
    if isinstance(body.issued_to, str):
        found["issued_to"] = receiver_in(body.issued_to)
    if "metadata" in found:
        found["metadata"] = found["metadata"] or {}
    if "tags" in found:
        found["tags"] = normal_tags(found["tags"] or ())
    if "feature_values" in found:
        found["feature_values"] = found["feature_values"] or {}
    found.pop("keep_activation_ids", None)
    if found.pop("password", UNSET) is not UNSET:
        found["password_hash"] = password_hash
    return found


def in_utc(found: date | None) -> datetime | None:
    """Return the instant in UTC, or the nearest one at the ends of the calendar."""
    if found is None:
        return None
    return min(max(instant_of(found, UTC), EARLIEST), LATEST).astimezone(UTC)


def license_view(details: LicenseDetails, use: CurrentUsage, now: datetime) -> LicenseView:
    """Return a license on the wire, with its status at `now`."""
    return view_with(LicenseView, details.license, computed_fields(details, use, now))


def license_views(
    read: Sequence[tuple[LicenseDetails, CurrentUsage]], now: datetime
) -> list[LicenseView]:
    """Return the views of a list of licenses, each as `license_view` does."""
    computed = [computed_fields(details, use, now) for details, use in read]
    return views_with(LicenseView, [details.license for details, _ in read], computed)


class ComputedFields(Struct):
    """What views of a license have besides what is stored with it."""

    product_name: str
    release_version: str
    status: LicenseStatus
    in_grace_until: datetime | None
    in_fallback: bool
    seats_used: int | None
    seats_away: int | None
    devices_over_limit: int
    features: Sequence[str] | None
    entitlements: Mapping[str, FeatureValue] | None
    max_offline_credits: Decimal | None
    meter_mode: MeterMode | None
    meter_balance: Decimal | None
    low_balance_threshold: Decimal | None
    unreviewed_access_attempts: int


def computed_fields(details: LicenseDetails, use: CurrentUsage, now: datetime) -> ComputedFields:
    """Return what is computed for a license, as it is at `now`."""
    item = details.license
    return ComputedFields(
        product_name=details.product_name,
        release_version=details.release_version,
        status=item.status(now),
        in_grace_until=item.in_grace_until(now),
        in_fallback=item.in_fallback(now),
        seats_used=use.seats_used,
        seats_away=use.seats_away,
        devices_over_limit=use.devices_over_limit,
        features=details.entitlements.features,
        entitlements=details.entitlements.values,
        max_offline_credits=_plain(item.max_offline_credits),
        meter_mode=item.traits.meter_mode,
        meter_balance=_plain(use.meter_balance),
        low_balance_threshold=_plain(use.low_balance_threshold),
        unreviewed_access_attempts=use.unreviewed_access_attempts,
    )


def changed_view(view: LicenseView, change: TermsChange) -> ChangedLicenseView:
    """Return the view of a changed license with the devices that have no seat."""
    over = [view_of(DeviceOverLimitView, item) for item in change.over_limit]
    return view_of(ChangedLicenseView, view, over_limit=over)


def converted_view(view: LicenseView, change: TermsChange) -> ConvertedLicenseView:
    """Return the view of a converted license with what became of what it held."""
    return view_of(
        ConvertedLicenseView,
        changed_view(view, change),
        sessions_ended=change.sessions_ended,
        meter_balance_kept=_plain(change.balance_kept),
        meter_balance_closed=_plain(change.balance_closed),
        credentials_removed=change.before.username is not None and change.after.username is None,
    )


def _plain(amount: Decimal | None) -> Decimal | None:
    return None if amount is None else plain(amount)
