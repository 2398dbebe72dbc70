"""Wire shapes of devices."""

from collections.abc import Collection, Iterator
from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from msgspec import Meta, Struct

from licet_server.devices.rules.components import KnownComponents, drifts_of, parts_of
from licet_server.devices.rules.enrollment import DEVICES_MAX, EnrollmentKey
from licet_server.devices.rules.model import (
    AccessAttempt,
    Activation,
    ActivationStatus,
    Device,
    EntryPoint,
    masked,
)
from licet_server.devices.rules.proofs import (
    KeyLevel,
    ShownProof,
    require_key_of_proof,
)
from licet_server.devices.rules.requests import LicenseRequest
from licet_server.devices.rules.signed import DeviceJwk
from licet_server.devices.service.admission import Admitted
from licet_server.devices.service.enrollment import Enrolled, IssuedEnrollmentKey
from licet_server.devices.service.releases import SeatedDevices
from licet_server.institutions.rules.institutions import range_breaches
from licet_server.kit.errors import FieldError
from licet_server.kit.text import Name
from licet_server.kit.web.body import Body, DayOrTime, RuntimeBody
from licet_server.kit.web.validation_messages import CAMEL_NAME, HEX_16
from licet_server.kit.web.views import view_of
from licet_server.licenses.rules.model import COMPONENTS_MAX, LicenseStatus
from licet_server.licenses.rules.runtime import Credentials

LicenseKey = Annotated[str, Meta(min_length=1, max_length=300)]
HardwareId = Annotated[str, Meta(min_length=1, max_length=256, pattern=r"\S")]
Short = Annotated[str, Meta(max_length=256)]
Secret = Annotated[str, Meta(max_length=1000)]
Labels = Annotated[
    dict[Annotated[str, Meta(min_length=1, max_length=100)], Annotated[str, Meta(max_length=500)]],
    Meta(max_length=50),
]


ComponentHash = Annotated[str, Meta(pattern=HEX_16)]
ComponentName = Annotated[str, Meta(pattern=CAMEL_NAME)]
ShownComponents = Annotated[dict[ComponentName, ComponentHash], Meta(max_length=COMPONENTS_MAX)]
"""Hashes of the parts of a machine by name: the first 64 bits of an HMAC-SHA-256, in hex."""

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
    """The device to activate, and its details.

    `deviceKey` is the key of the proof in the header `DPoP`, and `deviceKeyLevel` says where the
    device keeps it. `components` are hashes of its parts, by which a license with `machineMatch`
    recognizes it.
    """

    hardware_id: HardwareId
    device_name: Short | None = None
    os: Short | None = None
    app_version: Short | None = None
    metadata: Labels | None = None
    device_key: DeviceJwk | None = None
    device_key_level: KeyLevel = KeyLevel.SOFTWARE
    components: ShownComponents | None = None

    def device(self, shown: ShownProof) -> Device:
        """Return the device that the body describes; empty texts count as omitted.

        Raises:
            Refused: `InvalidRequest` where the proof is not of the key in the body.
        """
        if self.device_key is not None:
            require_key_of_proof(self.device_key, shown)
        return device_of(self, shown)


class EnrollBody(RuntimeBody, kw_only=True):
    """The device to enroll, and its details."""

    enrollment_key: Annotated[str, Meta(min_length=1, max_length=300)]
    hardware_id: HardwareId
    device_name: Short | None = None
    os: Short | None = None
    app_version: Short | None = None
    metadata: Labels | None = None
    device_key_level: KeyLevel = KeyLevel.SOFTWARE
    components: ShownComponents | None = None

    def device(self, shown: ShownProof) -> Device:
        """Return the device that the body describes; empty texts count as omitted."""
        return device_of(self, shown)


class DeactivateBody(LicenseBody, kw_only=True):
    """The device to deactivate."""

    hardware_id: HardwareId


class ReleaseDeviceBody(LicenseBody, kw_only=True):
    """The device that asks to release another one."""

    hardware_id: HardwareId


class SeatedDeviceView(Struct, rename="camel"):
    """A device as other devices of its license see it, without its hardware ID.

    `seatFreeAt` is when its license file ends, which keeps its seat until then; null if the seat is
    free as soon as it is released.
    """

    id: UUID
    device_name: str | None
    os: str | None
    last_seen_at: datetime
    seat_free_at: datetime | None


class ListedSeatedDeviceView(SeatedDeviceView, rename="camel", kw_only=True):
    """A device in the list of an application; `current` is the one that asks."""

    current: bool


class SeatedDevicesAnswer(Struct, rename="camel"):
    """The devices that hold seats of a license, at most 100, longest unseen first.

    `releasesLeft` is how many of them applications may still release in these 365 days.
    """

    items: list[ListedSeatedDeviceView]
    releases_left: int


class ReleasedDeviceAnswer(SeatedDeviceView, rename="camel", kw_only=True):
    """A device that an application released, and how many more it may release."""

    releases_left: int


class DeactivateDeviceBody(Body):
    """How to remove a device; `force` frees its seat before its license file has ended.

    `toPending` takes back that it was approved: it stays, and waits for approval again.
    """

    force: bool = False
    to_pending: bool = False

    def breaches(self, now: datetime) -> Iterator[FieldError]:
        """Yield that a device that waits holds no seat that could be freed."""
        yield from super().breaches(now)
        if self.force and self.to_pending:
            yield FieldError("force", "must be omitted with toPending.")


def device_of(body: ActivateBody | EnrollBody, shown: ShownProof) -> Device:
    """Return the device that a body describes; empty texts count as omitted."""
    return Device(
        hardware_id=body.hardware_id,
        name=body.device_name or None,
        os=body.os or None,
        app_version=body.app_version or None,
        metadata=body.metadata or {},
        components=body.components or {},
        shown=shown,
        key_level=body.device_key_level,
    )


class DeviceKeyView(Struct, rename="camel"):
    """The key of a device: its thumbprint (RFC 7638), and since when the device has proven it.

    `level` is where the device says that it keeps the key.
    """

    jkt: str
    level: KeyLevel
    since: datetime


class ActivateAnswer(Struct, rename="camel"):
    """The activation of the device; `seatsTotal` is null where there is no limit."""

    activation_id: UUID
    status: ActivationStatus
    seats_used: int
    seats_total: int | None
    activated_at: datetime | None
    device_key: DeviceKeyView | None
    test: bool


class EnrollAnswer(ActivateAnswer, rename="camel", kw_only=True):
    """The activation of an enrolled device, and the token that it sends in place of the key.

    The token works with the hardware ID of this device only, and is shown only here.
    """

    device_token: str


class EnrollmentKeyBody(Body):
    """A new enrollment key.

    `expiresAt` null: never expires; `maxDevices` null: as many devices as the license has seats;
    `ipAllowList` null: from any IP address.
    """

    name: Name
    expires_at: DayOrTime | None = None
    max_devices: Annotated[int, Meta(ge=1, le=DEVICES_MAX)] | None = None
    ip_allow_list: list[str] | None = None

    def breaches(self, now: datetime) -> Iterator[FieldError]:
        yield from range_breaches("ipAllowList", self.ip_allow_list or [])

    def fields(self) -> dict[str, Any]:
        """Return what is given of the key, named as in `EnrollmentKey`."""
        return {
            "name": self.name,
            "max_devices": self.max_devices,
            "ip_allow_list": tuple(self.ip_allow_list or ()),
        }


class EnrollmentKeyView(Struct, rename="camel"):
    """An enrollment key, without its secret.

    `enrolledDevices` counts the seats that were taken with it, and never falls.
    """

    id: UUID
    license_id: UUID
    name: str
    expires_at: datetime | None
    max_devices: int | None
    enrolled_devices: int
    ip_allow_list: list[str]
    last_used_at: datetime | None
    created_at: datetime


class IssuedEnrollmentKeyView(EnrollmentKeyView, rename="camel", kw_only=True):
    """An enrollment key with its secret, which is shown only once."""

    secret: str


class ActivationFacts(Struct, rename="camel"):
    """What everybody sees of a device who may see it at all."""

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


class ActivationView(ActivationFacts):
    """A device as operators see it.

    `fileEndsAt` is when its last license file ends that took a seat, `seatFreeAt` when a released
    device gives its seat up.
    """

    device_key: DeviceKeyView | None
    metadata: Labels


class ComponentView(Struct, rename="camel"):
    """A component by which a device is recognized, and when it became another one, if it did."""

    name: str
    changed_at: datetime | None


class DriftView(Struct):
    """What changed of a device at once: the names of components, or `hardwareId`."""

    at: datetime
    names: list[str]


class ListedActivationView(ActivationView, rename="camel", kw_only=True):
    """A device in a list, with the status of its license, without which it does not work.

    It is `reclaimable` if it was not seen for as many days as the product allows, so that a new
    device gets its seat when no other is free. `components` are those that it was bound with, and
    `drifts` its last changes, at most 10.
    """

    license_status: LicenseStatus
    reclaimable: bool
    components: list[ComponentView]
    drifts: list[DriftView]


class AcknowledgeAttemptBody(Body):
    """How to mark an access attempt; `toReview` takes back that it was marked as reviewed."""

    to_review: bool = False


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
        device_key=None if item.device_key is None else view_of(DeviceKeyView, item.device_key),
        test=test,
    )


def enroll_answer(enrolled: Enrolled) -> EnrollAnswer:
    """Convert the outcome of an enrollment for the application."""
    plain = activate_answer(enrolled.admitted, test=enrolled.license.test)
    return view_of(EnrollAnswer, plain, device_token=enrolled.token)


def enrollment_key_view(key: EnrollmentKey) -> EnrollmentKeyView:
    """Convert an enrollment key."""
    return view_of(EnrollmentKeyView, key)


def issued_enrollment_key_view(issued: IssuedEnrollmentKey) -> IssuedEnrollmentKeyView:
    """Convert an enrollment key that was just created."""
    return view_of(IssuedEnrollmentKeyView, issued.key, secret=issued.secret)


def activation_view(item: Activation) -> ActivationView:
    """Convert an activation for operators."""
    return view_of(ActivationView, item)


def listed_activation_view(
    item: Activation,
    license_status: LicenseStatus,
    reclaimable: Collection[UUID],
    known: KnownComponents,
) -> ListedActivationView:
    """Convert an activation for a list; `reclaimable` has the IDs of those that are."""
    parts = sorted(parts_of(known).items())
    return view_of(
        ListedActivationView,
        item,
        license_status=license_status,
        reclaimable=item.id in reclaimable,
        components=[ComponentView(name, next(iter(it.changed_at), None)) for name, it in parts],
        drifts=[DriftView(drift.at, list(drift.names)) for drift in drifts_of(known)],
    )


def seated_devices_answer(found: SeatedDevices, now: datetime) -> SeatedDevicesAnswer:
    """Convert the devices of a license for one of them, or for one that was refused a seat."""
    items = [
        view_of(
            ListedSeatedDeviceView,
            item,
            seat_free_at=item.works_until(now),
            current=item.hardware_id == found.asked_by,
        )
        for item in found.devices
    ]
    return SeatedDevicesAnswer(items, found.releases_left)


def released_device_answer(
    item: Activation, releases_left: int, now: datetime
) -> ReleasedDeviceAnswer:
    """Convert a device that an application released."""
    return view_of(
        ReleasedDeviceAnswer,
        item,
        seat_free_at=item.works_until(now),
        releases_left=releases_left,
    )


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
