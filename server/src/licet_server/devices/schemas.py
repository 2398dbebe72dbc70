"""Wire shapes of devices."""

from collections.abc import Collection
from datetime import datetime
from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct

from licet_server.devices.rules.model import (
    AccessAttempt,
    Activation,
    ActivationStatus,
    Device,
    EntryPoint,
    masked,
)
from licet_server.devices.rules.requests import LicenseRequest
from licet_server.devices.service.admission import Admitted
from licet_server.kit.web.body import Body, RuntimeBody
from licet_server.kit.web.views import view_of
from licet_server.licenses.rules.runtime import Credentials

LicenseKey = Annotated[str, Meta(min_length=1, max_length=300)]
HardwareId = Annotated[str, Meta(min_length=1, max_length=256, pattern=r"\S")]
Short = Annotated[str, Meta(max_length=256)]
Secret = Annotated[str, Meta(max_length=1000)]
Labels = Annotated[
    dict[Annotated[str, Meta(min_length=1, max_length=100)], Annotated[str, Meta(max_length=500)]],
    Meta(max_length=50),
]


DEVICE_SEARCH = "Part of the name or of the hardware ID of the device, case-insensitive."


class LicenseBody(RuntimeBody, kw_only=True):
    """A request about a license; `username` and `password` are for licenses that have them."""

    license_key: LicenseKey
    username: Short | None = None
    password: Secret | None = None

    @property
    def credentials(self) -> Credentials:
        """The user name and password that were sent."""
        return Credentials(self.username, self.password)


class ActivateBody(LicenseBody, kw_only=True):
    """The device to activate, and its details."""

    hardware_id: HardwareId
    device_name: Short | None = None
    os: Short | None = None
    app_version: Short | None = None
    metadata: Labels | None = None

    def device(self) -> Device:
        """Return the device that the body describes; empty texts count as omitted."""
        return Device(
            hardware_id=self.hardware_id,
            name=self.device_name or None,
            os=self.os or None,
            app_version=self.app_version or None,
            metadata=self.metadata or {},
        )


class DeactivateBody(LicenseBody, kw_only=True):
    """The device to deactivate."""

    hardware_id: HardwareId


class DeactivateDeviceBody(Body):
    """How to remove a device; `force` frees its seat before its license file has ended."""

    force: bool = False


class ActivateAnswer(Struct, rename="camel"):
    """The activation of the device; `seatsTotal` is null where there is no limit."""

    activation_id: UUID
    status: ActivationStatus
    seats_used: int
    seats_total: int | None
    activated_at: datetime | None
    test: bool


class ActivationView(Struct, rename="camel"):
    """A device as operators see it.

    `fileEndsAt` is when its last license file ends that took a seat, `seatFreeAt` when a released
    device gives its seat up.
    """

    id: UUID
    license_id: UUID
    hardware_id: str
    device_name: str | None
    os: str | None
    app_version: str | None
    status: ActivationStatus
    created_at: datetime
    last_seen_at: datetime
    file_ends_at: datetime | None
    released_at: datetime | None
    seat_free_at: datetime | None
    metadata: Labels


class ListedActivationView(ActivationView, rename="camel", kw_only=True):
    """A device in a list.

    It is `reclaimable` if it was not seen for as many days as the product allows, so that a new
    device gets its seat when no other is free.
    """

    reclaimable: bool


class AccessAttemptView(Struct, rename="camel"):
    """An access attempt as Owners and Admins see it."""

    id: UUID
    attempted_hardware_id: str
    bound_hardware_id: str
    ip_address: str
    entry_point: EntryPoint
    attempt_count: int
    first_seen_at: datetime
    last_seen_at: datetime
    reviewed: bool
    reviewed_at: datetime | None


class CountedRequestView(Struct, rename="camel"):
    """What applications requested, as Owners and Admins see it.

    `status` is the verdict where the route has one, else the code of the refusal, or `Accepted`.
    Device, version and address are those of the last request; the hardware ID is masked.
    """

    id: UUID
    route: str
    status: str
    hardware_id: str | None
    device_name: str | None
    app_version: str | None
    ip_address: str
    count: int
    first_seen_at: datetime
    last_seen_at: datetime


def activate_answer(outcome: Admitted, *, test: bool) -> ActivateAnswer:
    """Convert the outcome of an activation for the application."""
    item = outcome.activation
    return ActivateAnswer(
        activation_id=item.id,
        status=item.status,
        seats_used=outcome.seats_used,
        seats_total=outcome.seats_total,
        activated_at=item.activated_at,
        test=test,
    )


def activation_view(item: Activation) -> ActivationView:
    """Convert an activation for operators."""
    return view_of(ActivationView, item)


def listed_activation_view(item: Activation, reclaimable: Collection[UUID]) -> ListedActivationView:
    """Convert an activation for a list; `reclaimable` has the IDs of those that are."""
    return view_of(ListedActivationView, item, reclaimable=item.id in reclaimable)


def attempt_view(item: AccessAttempt) -> AccessAttemptView:
    """Convert an access attempt for Owners and Admins."""
    return view_of(AccessAttemptView, item, reviewed=item.reviewed_at is not None)


def request_view(item: LicenseRequest) -> CountedRequestView:
    """Convert what applications requested for Owners and Admins."""
    return view_of(
        CountedRequestView,
        item,
        hardware_id=masked(item.hardware_id) if item.hardware_id else None,
        count=item.request_count,
    )
