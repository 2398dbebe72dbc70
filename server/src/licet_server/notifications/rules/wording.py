"""Texts of notifications: sentences in plain text, in which every name is quoted.

Events may have been recorded by an older or newer release; facts that are missing in them are left
out of the sentence.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from decimal import Decimal
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

from licet_server.events.rules.kinds import NOTIFICATIONS, SUBJECTS_OF_KINDS, EventKind, SubjectKind
from licet_server.events.rules.model import RecordedEvent
from licet_server.kit.text import one_line, quoted
from licet_server.notifications.rules.model import Notice, NotificationSubject

_MAX_LENGTH = 200


@dataclass(frozen=True, slots=True)
class Names:
    """Names by the IDs in events, and the time zones of institutions."""

    licenses: Mapping[UUID, str] = field(default_factory=dict)
    products: Mapping[UUID, str] = field(default_factory=dict)
    institutions: Mapping[UUID, str] = field(default_factory=dict)
    zones: Mapping[UUID, tzinfo] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Details:
    """The facts of an event, in the phrases that sentences are made of."""

    event: RecordedEvent
    data: Mapping[str, Any]
    names: Names

    def text(self, name: str) -> str | None:
        value = self.data.get(name)
        return _line(value) if isinstance(value, str) and value.strip() else None

    def number(self, name: str) -> int | Decimal | None:
        value = self.data.get(name)
        return value if isinstance(value, (int, Decimal)) else None

    @property
    def zone(self) -> tzinfo:
        return self.names.zones.get(self.event.institution_id, UTC)

    @property
    def license(self) -> str:
        known = self.names.licenses
        name = self.text("licenseName") or (
            known.get(self.event.license_id) if self.event.license_id else None
        )
        return f"the license {_quoted(name)}" if name else "a deleted license"

    @property
    def of_product(self) -> str:
        name = self.names.products.get(self.event.product_id or self.event.subject_id)
        return f" of {_quoted(name)}" if name else ""

    @property
    def institution(self) -> str:
        name = self.names.institutions.get(self.event.institution_id)
        return _quoted(name) if name else "an institution"

    @property
    def device(self) -> str:
        name, hardware_id = self.text("deviceName"), self.text("hardwareId")
        if name is None:
            return f"the device {hardware_id}" if hardware_id else "a device"
        return f"the device {_quoted(name)}" + (f" ({hardware_id})" if hardware_id else "")


_Text = tuple[str, str]
"""Title and body."""


def unnamed_license(event: RecordedEvent) -> UUID | None:
    """Return the license whose name is looked up for the notice, unless the event has it."""
    return None if "licenseName" in event.data else event.license_id


def notice_of(event: RecordedEvent, names: Names) -> Notice:
    """Return the notice of an event of a kind that causes notifications."""
    details = _Details(event, event.data, names)
    title, body = WORDING[event.kind](details)
    subject_kind = notification_subject(event.kind)
    is_license = subject_kind is NotificationSubject.LICENSE
    email = details.text("email") if event.kind is EventKind.MEMBER_INVITED else None
    is_association = subject_kind is NotificationSubject.ASSOCIATION
    joined = event.subject_id if event.kind is EventKind.MEMBER_JOINED else None
    return Notice(
        institution_id=event.institution_id,
        event_id=event.id,
        kind=NOTIFICATIONS[event.kind],
        title=_capitalized(title),
        body=_capitalized(body),
        product_id=event.product_id,
        subject_id=(event.license_id if is_license else None) or event.subject_id,
        subject_kind=subject_kind,
        only_email=(email or "").lower() if event.kind is EventKind.MEMBER_INVITED else None,
        except_user=event.actor_id if is_association else joined,
    )


def notification_subject(kind: EventKind) -> NotificationSubject:
    """Return what a notification links to: the subject of its event, or the license of that."""
    subject = SUBJECTS_OF_KINDS[kind]
    if subject in {SubjectKind.DEVICE, SubjectKind.SESSION, SubjectKind.ACCESS_ATTEMPT}:
        return NotificationSubject.LICENSE
    return NotificationSubject(subject.value)


def _expiring(details: _Details) -> _Text:
    if details.text("inGraceUntil") is not None:
        return (
            f"the term of {details.license} has ended",
            (
                f"The term of {_license_in_full(details)} ended{_on(details)}. The license stays "
                f"active until its grace ends{_on(details, 'inGraceUntil')}. Extend its term to "
                "keep it active."
            ),
        )
    days = details.number("daysLeft")
    when = "soon" if days is None else f"in {days} day{'' if days == 1 else 's'}"
    return (
        f"{details.license} expires {when}",
        f"{_license_in_full(details)} ends{_on(details)}. Extend its term to keep it active.",
    )


def _expired(details: _Details) -> _Text:
    return (
        f"{details.license} has expired",
        (
            f"The term of {_license_in_full(details)} ended{_on(details)}. "
            "Extend it to make the license active again."
        ),
    )


def _activated(details: _Details) -> _Text:
    return (
        f"a device was activated under {details.license}",
        f"{details.device} now uses {details.license}{details.of_product}.",
    )


def _pending(details: _Details) -> _Text:
    return (
        f"a device is waiting for approval under {details.license}",
        (
            f"{details.device} wants to use {details.license}{details.of_product}. "
            "Approve or block it."
        ),
    )


def _requested_offline(details: _Details) -> _Text:
    return (
        f"an offline request is waiting for approval under {details.license}",
        (
            f"{details.device}, which has no connection, wants to use {details.license}"
            f"{details.of_product}. Approve or reject the request."
        ),
    )


def _attempted(details: _Details) -> _Text:
    hardware_id, bound = details.text("attemptedHardwareId"), details.text("boundHardwareId")
    address = details.text("ipAddress")
    return (
        f"another device tried to use {details.license}",
        (
            f"The device{f' {hardware_id}' if hardware_id else ''} tried to use {details.license}"
            f"{details.of_product}{f' from the IP address {address}' if address else ''}. "
            f"The license is bound to {bound or 'a different device'}; access was denied."
        ),
    )


def _low(details: _Details) -> _Text:
    balance, threshold = details.number("balance"), details.number("lowBalanceThreshold")
    left = "little" if balance is None else str(balance)
    return (
        f"the balance of {details.license} is low",
        (
            f"{details.license}{details.of_product} has {left} left"
            f"{f'; the threshold is {threshold}' if threshold is not None else ''}. "
            "Grant more before it runs out."
        ),
    )


def _depleted(details: _Details) -> _Text:
    return (
        f"the balance of {details.license} is used up",
        f"{details.license}{details.of_product} has nothing left. Grant more to let it be used.",
    )


def _webhook_disabled(details: _Details) -> _Text:
    # The rest of the URL may contain a secret.
    host = _host(details.text("url"))
    target = f" to {host}" if host else ""
    return (
        f"a webhook{target} was disabled",
        (
            f"No more events are sent to the webhook{target}. See the responses to its last "
            "deliveries, then enable it again."
        ),
    )


def _connector_rejected(details: _Details) -> _Text:
    name, reason = details.text("name"), details.text("reason")
    connector = f"the connector {_quoted(name)}" if name else "a connector"
    return (
        f"{connector} rejects the messages of its shop",
        (
            f"The last messages that {connector} got were rejected, so sales may be missing."
            f"{f' {reason}' if reason else ''} Have the shop send them again afterwards."
        ),
    )


def _mail_failed(details: _Details) -> _Text:
    recipient, error = details.text("recipient"), details.text("error")
    return (
        f"an e-mail about {details.license} has failed",
        (
            f"The e-mail about {details.license}{details.of_product}"
            f"{f' to {recipient}' if recipient else ''} did not arrive."
            f"{f' {error}' if error else ''} Check the address, then send it again."
        ),
    )


def _invited(details: _Details) -> _Text:
    role = details.text("role")
    return (
        f"you are invited to {details.institution}",
        (
            f"You can join {details.institution}{f' as {role}' if role else ''}. "
            "The link to accept the invitation is in the e-mail that was sent to you."
        ),
    )


def _joined(details: _Details) -> _Text:
    email, name, role = details.text("email"), details.text("fullName"), details.text("role")
    who = _quoted(name) if name else "a new member"
    return (
        f"{who} joined {details.institution}",
        (
            f"{who}{f' ({email})' if email else ''} is now a member of {details.institution}"
            f"{f', as {role}' if role else ''}."
        ),
    )


def _association_invited(details: _Details) -> _Text:
    vendor = details.text("vendorName")
    if vendor is None:
        return (
            f"{_invitee(details)} is invited to receive licenses{details.of_product}",
            f"{_invitee(details)} has seven days to accept. Then you can issue licenses to it.",
        )
    return (
        f"{_quoted(vendor)} invites {details.institution} to receive licenses",
        (
            f"An Owner of {details.institution} can accept the invitation{_association(details)} "
            "under Received licenses."
        ),
    )


def _association_accepted(details: _Details) -> _Text:
    vendor = details.text("vendorName")
    if vendor is None:
        return (
            f"{_invitee(details)} accepted your invitation",
            f"You can now issue licenses{details.of_product} to {_invitee(details)}.",
        )
    return (
        f"{details.institution} receives licenses from {_quoted(vendor)}",
        f"{details.institution} accepted the invitation{_association(details)}.",
    )


def _association_removed(details: _Details) -> _Text:
    vendor = details.text("vendorName")
    if vendor is None and details.text("status") == "Invited":
        return (
            f"the invitation of {_invitee(details)} was withdrawn",
            f"{_invitee(details)} can no longer accept it.",
        )
    if vendor is None:
        return (
            f"{_invitee(details)} receives no more licenses{details.of_product}",
            f"The association{details.of_product} with {_invitee(details)} was removed.",
        )
    return (
        f"{_quoted(vendor)} ended an association with {details.institution}",
        f"{details.institution} receives no more licenses{_association(details)}.",
    )


def _invitee(details: _Details) -> str:
    name, email = details.text("institutionName"), details.text("email")
    return _quoted(name) if name else email or "an institution"


def _association(details: _Details) -> str:
    product, vendor = details.text("productName"), details.text("vendorName")
    of_product = f" of {_quoted(product)}" if product else ""
    return f"{of_product} from {_quoted(vendor)}" if vendor else of_product


WORDING: Mapping[EventKind, Callable[[_Details], _Text]] = {
    EventKind.LICENSE_EXPIRING: _expiring,
    EventKind.LICENSE_EXPIRED: _expired,
    EventKind.ACTIVATION_CREATED: _activated,
    EventKind.ACTIVATION_OFFLINE_REQUESTED: _requested_offline,
    EventKind.ACTIVATION_PENDING: _pending,
    EventKind.ACCESS_ATTEMPT_DETECTED: _attempted,
    EventKind.METER_LOW_BALANCE: _low,
    EventKind.METER_DEPLETED: _depleted,
    EventKind.WEBHOOK_DISABLED: _webhook_disabled,
    EventKind.CONNECTOR_REJECTED: _connector_rejected,
    EventKind.ASSOCIATION_INVITED: _association_invited,
    EventKind.ASSOCIATION_ACCEPTED: _association_accepted,
    EventKind.ASSOCIATION_REMOVED: _association_removed,
    EventKind.LICENSE_MAIL_FAILED: _mail_failed,
    EventKind.MEMBER_INVITED: _invited,
    EventKind.MEMBER_JOINED: _joined,
}
"""The title and body for each kind of event that causes notifications."""


def _license_in_full(details: _Details) -> str:
    receiver = details.text("issuedTo")
    return f"{details.license}{details.of_product}{f', issued to {receiver},' if receiver else ''}"


def _on(details: _Details, fact: str = "expirationDate") -> str:
    try:
        end = datetime.fromisoformat(details.data.get(fact) or "").astimezone(details.zone)
    except (ValueError, TypeError, OverflowError):
        return ""
    return f" on {end:%Y-%m-%d at %H:%M %Z}"


def _host(url: str | None) -> str | None:
    try:
        return urlsplit(url or "").hostname
    except ValueError:
        return None


def _line(text: str) -> str:
    """Return a name, whatever it contains, on one line of limited length."""
    line = one_line(text)
    return line if len(line) <= _MAX_LENGTH else f"{line[: _MAX_LENGTH - 1]}…"


def _quoted(name: str) -> str:
    return quoted(_line(name))


def _capitalized(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]
