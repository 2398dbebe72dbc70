"""Wire shapes of the portal: nothing in them is the vendor's own business."""

from datetime import datetime
from decimal import Decimal
from uuid import UUID

from msgspec import Struct

from licet_server.catalog.schemas.files import DownloadView, download_view
from licet_server.devices.rules.model import Activation, ActivationStatus
from licet_server.identity.schemas.fields import Password, Secret, WithEmail
from licet_server.identity.service.portal_access import NewPortalAccount
from licet_server.kit.amounts import plain
from licet_server.kit.text import Name
from licet_server.kit.web.body import Body
from licet_server.licenses.rules.model import ActivationMode, LicenseStatus
from licet_server.licenses.rules.traits import LicenseType, MeterMode
from licet_server.portal.service.downloads import Download
from licet_server.portal.service.licenses import OwnLicense


class AccessRequest(WithEmail):
    """An address that licenses may be issued to."""


class WelcomeBody(Body):
    """A new account, with an e-mailed token."""

    token: Secret
    password: Password
    full_name: Name

    def account(self) -> NewPortalAccount:
        """The account to create."""
        return NewPortalAccount(token=self.token, password=self.password, full_name=self.full_name)


class PortalLicenseView(Struct, rename="camel"):
    """A license of the caller.

    `seatsUsed` is null where there is no cap, `features` where nothing restricts;
    `deviceReleasesLeft` is how many seats he may free himself as of now.
    """

    id: UUID
    product_id: UUID
    product_name: str
    release_version: str
    institution_name: str
    type: LicenseType
    status: LicenseStatus
    license_key: str
    license_name: str
    issued_to: str | None
    issuer: str | None
    expiration_date: datetime | None
    max_active_users_count: int | None
    seats_used: int | None
    activation_mode: ActivationMode
    features: list[str] | None
    meter_mode: MeterMode | None
    meter_balance: Decimal | None
    metadata: dict[str, str]
    created_at: datetime
    device_releases_per_year: int
    device_releases_left: int


class PortalActivationView(Struct, rename="camel"):
    """A device of a license of the caller."""

    id: UUID
    license_id: UUID
    hardware_id: str
    device_name: str | None
    os: str | None
    app_version: str | None
    status: ActivationStatus
    created_at: datetime
    last_seen_at: datetime


class PortalDownloadView(Struct, rename="camel"):
    """A published release that a license of the caller covers."""

    release_id: UUID
    version: str
    channel: str
    notes: str | None
    published_at: datetime | None
    files: list[DownloadView]


def portal_download_view(item: Download) -> PortalDownloadView:
    """A release to download on the wire."""
    release = item.release
    return PortalDownloadView(
        release_id=release.id,
        version=release.version,
        channel=release.channel,
        notes=release.notes,
        published_at=release.published_at,
        files=[download_view(file, address) for file, address in item.files],
    )


def portal_license_view(own: OwnLicense, now: datetime) -> PortalLicenseView:
    """A license on the wire, with its status at `now`."""
    item, balance = own.described.license, own.use.meter_balance
    return PortalLicenseView(
        id=item.id,
        product_id=item.product_id,
        product_name=own.described.product_name,
        release_version=own.described.release_version,
        institution_name=own.institution_name,
        type=item.type,
        status=item.status(now),
        license_key=item.license_key,
        license_name=item.license_name,
        issued_to=item.issued_to,
        issuer=item.issuer,
        expiration_date=item.expiration_date,
        max_active_users_count=item.max_active_users_count,
        seats_used=own.use.seats_used,
        activation_mode=item.activation_mode,
        features=own.described.features,
        meter_mode=item.traits.meter_mode,
        meter_balance=None if balance is None else plain(balance),
        metadata=dict(item.metadata),
        created_at=item.created_at,
        device_releases_per_year=own.releases_per_year,
        device_releases_left=max(own.releases_per_year - own.releases, 0),
    )


def portal_activation_view(item: Activation) -> PortalActivationView:
    """A device on the wire."""
    return PortalActivationView(
        id=item.id,
        license_id=item.license_id,
        hardware_id=item.hardware_id,
        device_name=item.device_name,
        os=item.os,
        app_version=item.app_version,
        status=item.status,
        created_at=item.created_at,
        last_seen_at=item.last_seen_at,
    )
