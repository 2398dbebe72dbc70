"""Wire shapes of the home page."""

from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from uuid import UUID

from msgspec import Struct

from licet_server.statistics.schemas import Comparison, CurrentCounts


class WaitingKind(StrEnum):
    """A kind of task that waits for an operator."""

    PENDING_DEVICE = "PendingDevice"
    OFFLINE_REQUEST = "OfflineRequest"
    ACCESS_ATTEMPT = "AccessAttempt"
    LOW_BALANCE = "LowBalance"
    FULL_LICENSE = "FullLicense"
    EXPIRING_LICENSE = "ExpiringLicense"
    FAILING_WEBHOOK = "FailingWebhook"
    FAILING_CONNECTOR = "FailingConnector"
    UNMATCHED_ORDER = "UnmatchedOrder"
    DISPUTED_ORDER = "DisputedOrder"
    FAILED_MAIL = "FailedMail"
    UPGRADE = "Upgrade"


class WaitingAction(StrEnum):
    """The action that settles a task."""

    APPROVE = "Approve"
    ACKNOWLEDGE = "Acknowledge"
    GRANT = "Grant"
    EXTEND = "Extend"
    REPAIR = "Repair"
    READ = "Read"


class WaitingItem(Struct, rename="camel", kw_only=True):
    """Something that waits, since when, and the action that settles it.

    `id` is the activation or offline request to approve, the license, the webhook, the connector,
    the order or the email; null for a newer release of the service, which `title` names and whose
    notes are at `url`. `mayAct` is whether the caller may do it. `customerName` is the customer of
    a license or an order, null for callers who do not see customers, `issuedTo` the receiver of a
    license or of an email, `attempts` how many other machines tried, and `reason` why a webhook
    fails (Failed, Failing or Gone), why a connector rejected the last message of its shop, or what
    was ordered. A disputed order has its `amount`, in the unit of `currency`, and waits since the
    dispute. A full license has `seats`, all in use, and waits since it last rejected a device.
    """

    kind: WaitingKind
    action: WaitingAction
    may_act: bool
    id: UUID | None
    since: datetime | None
    title: str
    license_id: UUID | None = None
    license_name: str | None = None
    customer_name: str | None = None
    product_id: UUID | None = None
    product_name: str | None = None
    issued_to: str | None = None
    expiration_date: datetime | None = None
    balance: Decimal | None = None
    low_balance_threshold: Decimal | None = None
    attempts: int | None = None
    reason: str | None = None
    seats: int | None = None
    amount: Decimal | None = None
    currency: str | None = None
    url: str | None = None


class Waiting(Struct, rename="camel"):
    """Waiting tasks: the number of each kind, and up to 10 of each, the most urgent first."""

    total: int
    counts: dict[WaitingKind, int]
    items: list[WaitingItem]


class SituationKind(StrEnum):
    """A kind of situation that the demonstration has to try."""

    SUSPENDED_LICENSE = "SuspendedLicense"
    SHARED_KEY = "SharedKey"
    FULL_POOL = "FullPool"
    OFFLINE_SEAT = "OfflineSeat"
    IDLE_FLEET = "IdleFleet"
    UNMATCHED_ORDER = "UnmatchedOrder"
    DISPUTED_ORDER = "DisputedOrder"


class SituationToTry(Struct, rename="camel"):
    """A situation to try; `id` is its license or, for the two kinds of orders, its order."""

    kind: SituationKind
    id: UUID


class Home(Struct, rename="camel", kw_only=True):
    """The home page of an institution: what waits, present totals, and the last 30 days.

    `counts` omits the kinds that are not for the caller. `toTry` is empty but in the demonstration.
    """

    as_of: datetime
    waiting: Waiting
    now: CurrentCounts
    period: Comparison
    to_try: list[SituationToTry]
