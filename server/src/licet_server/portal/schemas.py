"""Wire shapes of the portal and of received licenses, without the vendor's internal data."""

from collections.abc import Collection, Iterator
from datetime import datetime
from decimal import Decimal
from typing import TypeVar
from uuid import UUID

from msgspec import Struct
from msgspec.structs import asdict

from licet_server.catalog.rules.model import FeatureValue
from licet_server.catalog.schemas.products import UpdateFileView, download_view
from licet_server.devices.rules.model import Activation
from licet_server.devices.schemas import ActivationFacts
from licet_server.identity.schemas.users import Password, Secret, WithEmail, password_breaches
from licet_server.identity.service.by_email import NewPortalAccount
from licet_server.institutions.schemas.institutions import AppearanceView
from licet_server.kit.amounts import plain
from licet_server.kit.errors import FieldError
from licet_server.kit.text import Name
from licet_server.kit.web.body import Body
from licet_server.kit.web.views import view_of
from licet_server.licenses.rules.model import ActivationMode, LicenseStatus, OfflineActivation
from licet_server.licenses.rules.traits import LicenseType, MeterMode
from licet_server.licenses.schemas.records import computed_fields
from licet_server.metering.rules.model import LedgerEntry, LedgerEntryType
from licet_server.portal.service.licenses import Download, OwnLicense
from licet_server.sessions.rules.model import SeatSession


class PortalAccessBody(WithEmail):
    """The email address to request portal access for."""


class ConfirmAccessBody(Body):
    """The account to create, with the token from the email."""

    token: Secret
    password: Password
    full_name: Name

    def breaches(self, now: datetime) -> Iterator[FieldError]:
        yield from password_breaches("password", self.password)

    def account(self) -> NewPortalAccount:
        """Return the account to create."""
        return NewPortalAccount(token=self.token, password=self.password, full_name=self.full_name)


class OwnVendors(Struct):
    """The institutions behind the user's licenses."""

    vendors: list[AppearanceView]


class PortalViewToken(Struct, rename="camel"):
    """A token that reads the portal as a customer, and for how many seconds."""

    token: str
    expires_in: int


class PortalLicenseView(Struct, rename="camel"):
    """A license of the user.

    `seatsUsed` is null if there is no seat cap, `features` if they are not restricted.
    `deviceReleasesLeft` is how many seats the user may release now.

    While the term has not begun, `termDays` is its length. `inGraceUntil` is set once the term has
    ended, while the license is still active. `updatesUntil` is the end of the maintenance. In the
    fallback, the license is active for releases until `fallbackUntil`. `test`: of a Test product,
    for the vendor's own tests. `renewUrl` is where the vendor renews it, if the vendor says so.
    `lowBalance`: the balance is at or below the threshold that the vendor set.
    """

    id: UUID
    product_id: UUID
    product_name: str
    release_version: str
    institution_name: str
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
    in_grace_until: datetime | None
    updates_until: datetime | None
    fallback_until: datetime | None
    in_fallback: bool
    max_active_users_count: int | None
    seats_used: int | None
    activation_mode: ActivationMode
    offline_activation: OfflineActivation
    features: list[str] | None
    entitlements: dict[str, FeatureValue] | None
    meter_mode: MeterMode | None
    meter_balance: Decimal | None
    low_balance: bool
    metadata: dict[str, str]
    renew_url: str | None
    created_at: datetime
    device_releases_per_year: int
    device_releases_left: int


class ReceivedLicenseView(PortalLicenseView):
    """A license of the customer's institution; `institutionName` is that of its vendor."""

    customer_institution_id: UUID


_View = TypeVar("_View", bound=PortalLicenseView)


class PortalActivationView(ActivationFacts):
    """A device of a license of the user; `seatFreeAt` is set once it was released.

    It is `reclaimable` if it was not seen for so long that a new device gets its seat when no other
    is free.
    """

    reclaimable: bool


class PortalSessionView(Struct, rename="camel"):
    """A live session of a license of the user, without what identifies the device.

    The seat is borrowed until `leaseEndsAt`, if that is not null.
    """

    device_name: str | None
    connected_at: datetime
    last_heartbeat_at: datetime | None
    lease_ends_at: datetime | None


class PortalLedgerEntryView(Struct, rename="camel"):
    """A change of the balance of a license of the user, without what the vendor notes about it.

    `amount` is negative for consumption.
    """

    id: UUID
    type: LedgerEntryType
    amount: Decimal
    balance_after: Decimal
    feature_name: str | None
    quantity: int | None
    created_at: datetime


class PortalDownloadView(Struct, rename="camel"):
    """A published release that a license of the user covers."""

    release_id: UUID
    version: str
    channel: str
    notes: str | None
    published_at: datetime | None
    files: list[UpdateFileView]


def portal_download_view(item: Download) -> PortalDownloadView:
    """Convert a release to download."""
    release = item.release
    return view_of(
        PortalDownloadView,
        release,
        release_id=release.id,
        files=[download_view(file, url) for file, url in item.files],
    )


def own_license_view(shape: type[_View], own: OwnLicense, now: datetime) -> _View:
    """Convert a license of whom the shape is for, with its status at `now`."""
    return view_of(
        shape,
        own.described.license,
        **asdict(computed_fields(own.described, own.use, now)),
        low_balance=own.use.is_low,
        institution_name=own.institution_name,
        renew_url=own.renew_url,
        device_releases_per_year=own.releases_per_year,
        device_releases_left=max(own.releases_per_year - own.releases, 0),
    )


def portal_activation_view(item: Activation, reclaimable: Collection[UUID]) -> PortalActivationView:
    """Convert a device; `reclaimable` has the IDs of those whose seats a new device may get."""
    return view_of(PortalActivationView, item, reclaimable=item.id in reclaimable)


def portal_ledger_entry_view(item: LedgerEntry) -> PortalLedgerEntryView:
    """Convert a change of a balance."""
    return view_of(
        PortalLedgerEntryView,
        item,
        amount=plain(item.amount),
        balance_after=plain(item.balance_after),
    )


def portal_session_view(item: SeatSession) -> PortalSessionView:
    """Convert a live session."""
    return view_of(PortalSessionView, item)
