"""What a notification tells: the facts of its event, with names instead of IDs.

Events may have been recorded by an older or newer release; what is missing in them, or has another
form, is left out.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from decimal import Decimal
from urllib.parse import urlsplit
from uuid import UUID

from msgspec import Struct

from licet_server.events.rules.kinds import EventKind
from licet_server.events.rules.model import RecordedEvent
from licet_server.kit.text import one_line

_MAX_LENGTH = 200


@dataclass(frozen=True, slots=True)
class Names:
    """Names by the IDs in events, and the time zones of institutions."""

    licenses: Mapping[UUID, str] = field(default_factory=dict)
    products: Mapping[UUID, str] = field(default_factory=dict)
    institutions: Mapping[UUID, str] = field(default_factory=dict)
    zones: Mapping[UUID, tzinfo] = field(default_factory=dict)


class NoticeFacts(Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """The facts of a notification; those that its event lacks are absent.

    `event` is the kind of the event. Names are on one line of at most 200 characters, and hardware
    IDs are masked. `hardwareId` is that of the device, which is called `device`; `host` is that of
    the webhook's URL; `reason` and `error` are sentences in English. Of an association, `vendor` is
    who offers it, if the notification is for who is invited, and `invitee` is the invited
    institution, if it is for the vendor; `withdrawn` means that it was not accepted before it was
    removed.
    """

    event: EventKind
    license: str | None = None
    product: str | None = None
    institution: str | None = None
    issued_to: str | None = None
    days_left: int | None = None
    expiration_date: datetime | None = None
    in_grace_until: datetime | None = None
    device: str | None = None
    hardware_id: str | None = None
    bound_hardware_id: str | None = None
    ip_address: str | None = None
    balance: Decimal | None = None
    threshold: Decimal | None = None
    host: str | None = None
    connector: str | None = None
    reason: str | None = None
    recipient: str | None = None
    error: str | None = None
    member: str | None = None
    email: str | None = None
    role: str | None = None
    vendor: str | None = None
    invitee: str | None = None
    withdrawn: bool = False


def unnamed_license(event: RecordedEvent) -> UUID | None:
    """Return the license whose name is looked up for the notice, unless the event has it."""
    return None if "licenseName" in event.data else event.license_id


def facts_of(event: RecordedEvent, names: Names) -> NoticeFacts:
    """Return the facts of an event."""
    data = event.data

    def text(name: str) -> str | None:
        value = data.get(name)
        return _line(value) if isinstance(value, str) and value.strip() else None

    def number(name: str) -> int | Decimal | None:
        value = data.get(name)
        return value if isinstance(value, (int, Decimal)) else None

    def moment(name: str) -> datetime | None:
        try:
            found = datetime.fromisoformat(text(name) or "")
        except ValueError:
            return None
        return found if found.tzinfo else found.replace(tzinfo=UTC)

    def exact(name: str) -> Decimal | None:
        value = number(name)
        return None if value is None else Decimal(value)

    days = number("daysLeft")
    known_license = names.licenses.get(event.license_id) if event.license_id else None
    known_product = names.products.get(event.product_id or event.subject_id)
    return NoticeFacts(
        event=event.kind,
        license=text("licenseName") or _named(known_license),
        product=text("productName") or _named(known_product),
        institution=_named(names.institutions.get(event.institution_id)),
        issued_to=text("issuedTo"),
        days_left=None if days is None else int(days),
        expiration_date=moment("expirationDate"),
        in_grace_until=moment("inGraceUntil"),
        device=text("deviceName"),
        hardware_id=text("attemptedHardwareId") or text("hardwareId"),
        bound_hardware_id=text("boundHardwareId"),
        ip_address=text("ipAddress"),
        balance=exact("balance"),
        threshold=exact("lowBalanceThreshold"),
        host=_host(text("url")),  # the rest of the URL may contain a secret
        connector=text("name") if event.kind is EventKind.CONNECTOR_REJECTED else None,
        reason=text("reason"),
        recipient=text("recipient"),
        error=text("error"),
        member=text("fullName"),
        email=text("email"),
        role=text("role"),
        vendor=text("vendorName"),
        invitee=text("institutionName"),
        withdrawn=(event.kind is EventKind.ASSOCIATION_REMOVED and text("status") == "Invited"),
    )


def _host(url: str | None) -> str | None:
    try:
        return urlsplit(url or "").hostname
    except ValueError:
        return None


def _named(name: str | None) -> str | None:
    return _line(name) if name else None


def _line(text: str) -> str:
    """Return a name, whatever it contains, on one line of limited length."""
    line = one_line(text)
    return line if len(line) <= _MAX_LENGTH else f"{line[: _MAX_LENGTH - 1]}…"
