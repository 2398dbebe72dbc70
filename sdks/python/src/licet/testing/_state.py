"""The fake's state: plain data, changed by routes and tests and read by rules."""

from __future__ import annotations

import itertools
import secrets
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any, Literal
from uuid import UUID

from licet._license_models import MODEL_TRAITS, Meter, Model, ModelTraits
from licet._model import EntitlementValue
from licet.testing._clock import FakeClock
from licet.testing._keys import ProductKeys

Coverage = Literal["Licensed", "Everyone"]
DeviceProof = Literal["Off", "WhenPresent", "Required"]
Fallback = Literal["None", "ReleaseAtTermEnd", "ReleaseAtTermStart"]
DeviceStatus = Literal["Active", "Pending", "Blocked"]
EntryPoint = Literal["Validate", "Activate", "Connect", "Refresh"]
MeterMode = Meter
LeaseState = Literal["Open", "Returned", "Ended", "Forked"]
EntryType = Literal[
    "InitialGrant",
    "Consume",
    "AdminGrant",
    "Adjust",
    "LeaseHold",
    "LeaseSettle",
    "LeaseCharge",
]
OnUnreturned = Literal["Charge", "Refund"]
OfflineActivation = Literal["Off", "SelfService", "Approval"]
OfflineState = Literal["Waiting", "Answered", "Rejected", "Released"]

LEASE_LEEWAY = timedelta(minutes=5)
SETTLES_AFTER = timedelta(days=30)
"""How long after their end reserved credits can be reported and returned."""

_counter = itertools.count(secrets.randbits(16))


@dataclass(frozen=True, slots=True)
class Product:
    """The product and its settings."""

    id: str
    institution_id: str
    name: str
    test: bool
    api_key: str
    release_id: str
    release_version: str
    heartbeat_interval: timedelta
    session_timeout: timedelta
    heartbeat_spacing: timedelta
    file_lifetime: timedelta | None


@dataclass(frozen=True, slots=True)
class PublishedFile:
    """A file of a release; for all platforms if ``platform`` is ``None``."""

    name: str
    platform: str | None
    content: bytes = field(repr=False)
    sha256: str


@dataclass(slots=True, eq=False)
class PublishedRelease:
    """A published release, possibly yanked."""

    id: str
    version: str
    channel: str
    notes: str | None
    published_at: datetime
    files: tuple[PublishedFile, ...]
    yanked: bool = False
    coverage: Coverage = "Licensed"


@dataclass(frozen=True, slots=True)
class DownloadGrant:
    """The release and file that a download URL gives access to, and its expiration."""

    release: PublishedRelease
    file: PublishedFile
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class ShownKey:
    """The key that a device has shown: its thumbprint, what protects it, and since when."""

    jkt: str
    level: str
    since: datetime


@dataclass(slots=True)
class Component:
    """A component of a device as it is now, as it was at first, and since when it is another."""

    value: str
    original: str
    changed_at: datetime | None = None


@dataclass(slots=True, eq=False)
class Device:
    """A device of a license. Pending devices hold no seat; blocked devices keep theirs.

    Attributes:
        file_ends_at: The end of its last license file, if its files take a seat.
        released: Whether it was released before that; its seat stays taken until then.
        tokens: The tokens that it got by enrollment keys, the newest first.
        key: The first key that it has shown.
        components: What it is recognized by when its hardware ID has changed, by name.
    """

    id: str
    hardware_id: str
    holds_seat: bool
    created_at: datetime
    last_seen_at: datetime
    activated_at: datetime | None = None
    blocked: bool = False
    name: str | None = None
    os: str | None = None
    app_version: str | None = None
    metadata: dict[str, str] = field(default_factory=dict)
    file_ends_at: datetime | None = None
    released: bool = False
    tokens: list[str] = field(default_factory=list)
    key: ShownKey | None = None
    components: dict[str, Component] = field(default_factory=dict)

    @property
    def seated(self) -> bool:
        """Whether it may use its seat."""
        return self.holds_seat and not self.released

    def has_offline_file(self, now: datetime) -> bool:
        """Whether it has a license file that works without the server."""
        return self.file_ends_at is not None and self.file_ends_at > now

    @property
    def status(self) -> DeviceStatus:
        """The status on the wire."""
        if self.blocked:
            return "Blocked"
        return "Active" if self.holds_seat else "Pending"


@dataclass(slots=True)
class DeviceSettings:
    """The settings of the product for devices.

    Attributes:
        trial_once: Whether a device may use one Trial only.
        idle_days: After how many days unseen a device gives its seat to a new one.
        hardware_id_kinds: The letters of the hardware IDs that are accepted; ``None`` for the
            default.
        app_release: Whether applications may release other devices.
        app_releases_per_year: How many devices of a license they may release a year.
        first_trials: The license of the first Trial, by hardware ID.
    """

    trial_once: bool = False
    idle_days: int | None = None
    hardware_id_kinds: frozenset[str] | None = None
    app_release: bool = False
    app_releases_per_year: int = 3
    first_trials: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class EnrollmentKey:
    """A key by which machines get seats of a license.

    Attributes:
        max_devices: How many devices may take a seat by it; ``None`` if only seats limit them.
        enrolled: How many have.
    """

    secret: str = field(repr=False)
    expires_at: datetime | None = None
    max_devices: int | None = None
    enrolled: int = 0


@dataclass(frozen=True, slots=True)
class Renewal:
    """What the newest renewal of a lease asked for."""

    key: str
    days: int


@dataclass(slots=True, eq=False)
class Hold:
    """Reserved credits: what was set aside in the wallet for a device.

    Attributes:
        amount: What was reserved.
        left: What is still set aside.
        prices: Of one use, as they were then; ``None`` if each use costs 1.
        any_feature: Whether features that are not named may be charged, too.
        settled: How many lines of the journal are settled.
        head: The hash of the last of them.
        used: What they cost in all.
        refunded: What was put back at the return.
    """

    amount: Decimal
    left: Decimal
    prices: Mapping[str, Decimal] | None
    any_feature: bool
    head: str
    settled: int = 0
    used: Decimal = Decimal(0)
    refunded: Decimal = Decimal(0)


@dataclass(slots=True, eq=False)
class Lease:
    """A borrowed seat, that of a session which does not end by silence, or reserved credits.

    Attributes:
        session: The session whose seat is borrowed; ``None`` for credits.
        hold: The credits; ``None`` for a seat.
        jkt: The thumbprint of the key of the device that has it.
        key_hash: The hash of the license key that the device has sent.
        forked: Whether it was used from two states of its device.
        acknowledged: Whether the vendor lets this device borrow or reserve again.
    """

    id: str
    license: License
    hardware_id: str
    jkt: str
    key_hash: str
    issue_key: str
    issue_days: int
    issued_at: datetime
    signed_at: datetime
    ends_at: datetime
    session: Session | None = None
    hold: Hold | None = None
    seq: int = 1
    renewal: Renewal | None = None
    recalled: bool = False
    forked: bool = False
    acknowledged: bool = False
    returned: bool = False
    ended_at: datetime | None = None

    @property
    def settles_at(self) -> datetime:
        """When it ends by itself."""
        return self.ends_at + (LEASE_LEEWAY if self.hold is None else SETTLES_AFTER)

    def is_held(self, now: datetime) -> bool:
        """Whether its seat is taken, or its credits are set aside."""
        return self.ended_at is None and now < self.settles_at

    def state(self, now: datetime) -> LeaseState:
        """The state on the wire."""
        if self.forked or self.returned:
            return "Forked" if self.forked else "Returned"
        return "Open" if self.is_held(now) else "Ended"


@dataclass(slots=True, eq=False)
class Session:
    """A session. It is live until it ends or expires, or while its seat is borrowed.

    Attributes:
        cut_off: Whether it ended because its device was blocked.
        replaced: Whether it ended because its instance ID connected again.
    """

    id: str
    license: License
    hardware_id: str
    instance_id: str | None
    connected_at: datetime
    expires_at: datetime
    last_heartbeat_at: datetime | None = None
    ended: bool = False
    cut_off: bool = False
    replaced: bool = False
    lease: Lease | None = None

    def end(self) -> None:
        """End the session; one whose seat is borrowed stays."""
        self.ended = self.lease is None


@dataclass(slots=True, eq=False)
class OfflineRow:
    """The newest offline request of a device key.

    Attributes:
        jwk: The public key.
        base: The base file that the device has.
        file: The license.bin by which it was answered.
        file_id: The ID of that file.
        code: The code by which it was answered, if there is a base file.
    """

    jkt: str
    jwk: Mapping[str, str]
    hardware_id: str
    kind: str
    nonce: str
    seq: int
    base: str | None = None
    state: OfflineState = "Waiting"
    file: str | None = field(default=None, repr=False)
    file_id: str | None = None
    code: str | None = field(default=None, repr=False)
    ends_at: datetime | None = None
    reason: str | None = None


@dataclass(slots=True)
class Attempt:
    """The access attempts of a device on a license bound to another device."""

    hardware_id: str
    bound_hardware_id: str
    entry_point: EntryPoint
    count: int
    first_seen_at: datetime
    last_seen_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerEntry:
    """A ledger entry: one change of a balance.

    Attributes:
        amount: The change; negative for a charge.
        balance_after: The balance after the change.
        sequence: The number of the entry within the license, from 1.
        unit_price: The price of the feature; MeteredToken only.
        activation_id: The device that the charge is attributed to.
        lease_id: The reserved credits that the entry is about.
    """

    id: str
    type: EntryType
    amount: Decimal
    balance_after: Decimal
    sequence: int
    created_at: datetime
    feature_name: str | None = None
    quantity: int | None = None
    unit_price: Decimal | None = None
    reason: str | None = None
    external_reference: str | None = None
    idempotency_key: str | None = None
    activation_id: str | None = None
    lease_id: str | None = None


@dataclass(frozen=True, slots=True)
class Price:
    """The price of one use of a feature, with the vendor's spelling of its name."""

    feature: str
    token_cost: Decimal


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a charge with an idempotency key: the members of the response or refusal."""

    feature: str
    quantity: int
    refused: bool
    members: Mapping[str, Any]


@dataclass(slots=True, eq=False)
class Wallet:
    """The wallet of a license. The ledger is oldest first; outcomes are by idempotency key."""

    mode: MeterMode
    balance: Decimal = Decimal(0)
    ledger: list[LedgerEntry] = field(default_factory=list)
    outcomes: dict[str, Outcome] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TrackedEvent:
    """A telemetry event.

    Attributes:
        license_id: The license in the request, if any.
        hardware_id: The hardware ID in the request, if any; the real server stores only a hash.
    """

    name: str
    occurred_at: datetime
    properties: Mapping[str, str | bool | int | float]
    license_id: str | None = None
    hardware_id: str | None = None


@dataclass(slots=True, eq=False)
class License:
    """A license with its devices, sessions, wallet and access attempts.

    Attributes:
        updates_until: The last publication of a release that it covers.
        fallback: Which releases it keeps after its term and grace.
        paid_since: Since when it has been paid for without a gap.
        term_began_at: When its present term began.
        offline: The newest offline requests, by the thumbprint of the device's key.
        refused_seats: When a device was last refused a seat, by hardware ID.
        app_releases: When applications released devices, in the last year.
    """

    id: str
    key: str = field(repr=False)
    normal_key: str = field(repr=False)
    type: Model
    name: str
    issued_to: str | None
    issuer: str | None
    expiration_date: datetime | None
    seats: int | None
    activation_mode: str
    binding_mode: str | None
    username: str | None
    password: str | None = field(repr=False)
    features: Mapping[str, EntitlementValue] | None
    metadata: dict[str, str]
    paid_since: datetime
    term_began_at: datetime
    updates_until: datetime | None = None
    fallback: Fallback = "None"
    fallback_after_months: int = 12
    wallet: Wallet | None = None
    grace: timedelta = timedelta(0)
    device_proof: DeviceProof = "Off"
    machine_match: tuple[int, int] | None = None
    max_borrow_days: int = 0
    max_borrowed_seats: int | None = None
    max_offline_credits: Decimal | None = None
    on_unreturned: OnUnreturned = "Charge"
    offline_activation: OfflineActivation = "Off"
    test: bool = False
    revoked: bool = False
    suspended: bool = False
    devices: dict[str, Device] = field(default_factory=dict)
    sessions: list[Session] = field(default_factory=list)
    leases: list[Lease] = field(default_factory=list)
    attempts: dict[str, Attempt] = field(default_factory=dict)
    enrollment_keys: list[EnrollmentKey] = field(default_factory=list)
    offline: dict[str, OfflineRow] = field(default_factory=dict)
    refused_seats: dict[str, datetime] = field(default_factory=dict)
    app_releases: list[datetime] = field(default_factory=list)

    @property
    def traits(self) -> ModelTraits:
        """The traits of the license's model."""
        return MODEL_TRAITS[self.type]

    @property
    def valid_until(self) -> datetime | None:
        """The end of the term and of its grace; ``None`` if the license does not expire."""
        return None if self.expiration_date is None else self.expiration_date + self.grace

    @property
    def file_takes_seat(self) -> bool:
        """Whether each license file is for one device, which takes a seat by it."""
        return self.activation_mode == "Offline" and self.traits.seat_kind == "Device"

    @property
    def has_blocked_devices(self) -> bool:
        """Whether a device is blocked; then every request has to name its device."""
        return any(device.blocked for device in self.devices.values())

    def drop_lapsed(self, now: datetime) -> None:
        """Remove the released devices whose license files have ended."""
        for device in list(self.devices.values()):
            if device.released and not device.has_offline_file(now):
                del self.devices[device.hardware_id]


@dataclass(slots=True)
class TestClock:
    """The clock of a Test product; its time is that of the fake."""

    id: str
    created_at: datetime
    updated_at: datetime
    target: datetime | None


@dataclass(slots=True, eq=False)
class State:
    """One product with its licenses. Hold the lock to read or change it.

    Attributes:
        prices: By case-folded feature name.
        releases: In order of publication.
        grants: By the token in the download URL.
    """

    product: Product
    keys: ProductKeys
    clock: FakeClock
    test_clock: TestClock | None = None
    licenses: dict[str, License] = field(default_factory=dict)
    sessions: dict[str, Session] = field(default_factory=dict)
    prices: dict[str, Price] = field(default_factory=dict)
    telemetry: list[TrackedEvent] = field(default_factory=list)
    releases: list[PublishedRelease] = field(default_factory=list)
    grants: dict[str, DownloadGrant] = field(default_factory=dict)
    downloads_need_license: bool = False
    devices: DeviceSettings = field(default_factory=DeviceSettings)
    lock: threading.RLock = field(default_factory=threading.RLock)

    @property
    def now(self) -> datetime:
        """The current time in UTC."""
        return self.clock().astimezone(UTC)


def new_id(now: datetime) -> str:
    """Create a UUIDv7, ascending within the process."""
    milliseconds = int(now.timestamp() * 1000)
    ordered = next(_counter) % (1 << 26)
    high, low = ordered >> 14, ordered % (1 << 14)
    tail = (0b10 << 62) | (low << 48) | secrets.randbits(48)
    return str(UUID(int=(milliseconds << 80) | (0x7 << 76) | (high << 64) | tail))
