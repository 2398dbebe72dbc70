"""What notifications say: sentences in plain text, in which every name stands in quotes.

Events may come from a release that is older or newer than this one; what is missing in them is
left out of the sentence.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

import msgspec

from licet_server.events.rules.kinds import EventKind
from licet_server.events.rules.model import Recorded
from licet_server.kit.text import one_line, quoted
from licet_server.notifications.rules.kinds import KIND_OF
from licet_server.notifications.rules.model import Notice, SubjectKind

_LONGEST = 200
_decoder = msgspec.json.Decoder(float_hook=Decimal)


@dataclass(frozen=True, slots=True)
class Names:
    """Names by the ids that events have."""

    licenses: Mapping[UUID, str] = field(default_factory=dict)
    products: Mapping[UUID, str] = field(default_factory=dict)
    institutions: Mapping[UUID, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Told:
    """An event with its facts, asked for by name."""

    event: Recorded
    facts: Mapping[str, Any]
    names: Names

    def text(self, name: str) -> str | None:
        given = self.facts.get(name)
        return _line(given) if isinstance(given, str) and given.strip() else None

    def number(self, name: str) -> int | Decimal | None:
        given = self.facts.get(name)
        return given if isinstance(given, (int, Decimal)) else None

    def id(self, name: str) -> UUID | None:
        try:
            return UUID(self.facts.get(name, ""))
        except (ValueError, TypeError, AttributeError):
            return None

    @property
    def license_id(self) -> UUID:
        return self.id("licenseId") or self.event.subject_id

    @property
    def license(self) -> str:
        name = self.text("licenseName") or self.names.licenses.get(self.license_id)
        return f"the license {_quoted(name)}" if name else "a license that is gone"

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


_Words = tuple[str, str]
"""Title and body."""


def license_of(event: Recorded) -> UUID | None:
    """The license whose name it takes to tell of the event; `None` where the event has it."""
    if event.kind in _OF_LICENSES_BELOW:
        return _told(event, Names()).license_id
    return None


def notice_of(event: Recorded, names: Names) -> Notice:
    """What there is to tell of an event of a kind that people are told of."""
    told = _told(event, names)
    word, subject_kind = _WORDS[event.kind]
    title, body = word(told)
    is_license = subject_kind is SubjectKind.LICENSE
    email = told.text("email") if event.kind == EventKind.MEMBER_INVITED else None
    return Notice(
        institution_id=event.institution_id,
        event_id=event.id,
        kind=KIND_OF[event.kind],
        title=_capital(title),
        body=_capital(body),
        product_id=event.product_id,
        subject_id=told.license_id if is_license else event.subject_id,
        subject_kind=subject_kind,
        only_email=(email or "").lower() if event.kind == EventKind.MEMBER_INVITED else None,
        except_user=event.subject_id if event.kind == EventKind.MEMBER_JOINED else None,
    )


def _told(event: Recorded, names: Names) -> _Told:
    facts = _decoder.decode(event.data)
    return _Told(event, facts if isinstance(facts, dict) else {}, names)


def _expiring(told: _Told) -> _Words:
    days = told.number("daysLeft")
    when = "soon" if days is None else f"in {days} day{'' if days == 1 else 's'}"
    return (
        f"{told.license} expires {when}",
        f"{_license_in_full(told)} ends{_on(told)}. Extend its term to keep it working.",
    )


def _expired(told: _Told) -> _Words:
    return (
        f"{told.license} has expired",
        (
            f"The term of {_license_in_full(told)} ended{_on(told)}. "
            "Extending it makes the license active again."
        ),
    )


def _activated(told: _Told) -> _Words:
    return (
        f"a device was activated under {told.license}",
        f"{told.device} uses {told.license}{told.of_product} now.",
    )


def _pending(told: _Told) -> _Words:
    return (
        f"a device waits for approval under {told.license}",
        f"{told.device} asks to use {told.license}{told.of_product}. Approve it, or block it.",
    )


def _attempt(told: _Told) -> _Words:
    machine, bound = told.text("attemptedHardwareId"), told.text("boundHardwareId")
    address = told.text("ipAddress")
    return (
        f"a foreign machine tried to use {told.license}",
        (
            f"The machine{f' {machine}' if machine else ''} tried to use {told.license}"
            f"{told.of_product}{f' from the address {address}' if address else ''}. The license is "
            f"bound to {bound or 'another machine'}; nobody was let in."
        ),
    )


def _low(told: _Told) -> _Words:
    balance, threshold = told.number("balance"), told.number("lowBalanceThreshold")
    left = "little" if balance is None else str(balance)
    return (
        f"the balance of {told.license} is low",
        (
            f"{told.license}{told.of_product} has {left} left"
            f"{f', at a threshold of {threshold}' if threshold is not None else ''}. "
            "Grant more before it runs out."
        ),
    )


def _depleted(told: _Told) -> _Words:
    return (
        f"the balance of {told.license} is used up",
        f"{told.license}{told.of_product} has nothing left. Grant more to let it be used again.",
    )


def _webhook(told: _Told) -> _Words:
    # The rest of an address may hold a secret.
    host = _host(told.text("url"))
    place = f" to {host}" if host else ""
    return (
        f"a webhook{place} was disabled",
        (
            f"The webhook{place} is not called any more. See what its last deliveries were "
            "answered, then enable it again."
        ),
    )


def _invited(told: _Told) -> _Words:
    role = told.text("role")
    return (
        f"you are invited to {told.institution}",
        (
            f"You may join {told.institution}{f' as {role}' if role else ''}. "
            "The link to accept with is in the mail that was sent to you."
        ),
    )


def _joined(told: _Told) -> _Words:
    email, name, role = told.text("email"), told.text("fullName"), told.text("role")
    who = _quoted(name) if name else "somebody"
    return (
        f"{who} joined {told.institution}",
        (
            f"{who}{f' ({email})' if email else ''} belongs to {told.institution} now"
            f"{f', as {role}' if role else ''}."
        ),
    )


_Wording = Callable[[_Told], _Words]
_WORDS: Mapping[str, tuple[_Wording, SubjectKind]] = {
    EventKind.LICENSE_EXPIRING: (_expiring, SubjectKind.LICENSE),
    EventKind.LICENSE_EXPIRED: (_expired, SubjectKind.LICENSE),
    EventKind.ACTIVATION_CREATED: (_activated, SubjectKind.LICENSE),
    EventKind.ACTIVATION_PENDING: (_pending, SubjectKind.LICENSE),
    EventKind.ACCESS_ATTEMPT_DETECTED: (_attempt, SubjectKind.LICENSE),
    EventKind.METER_LOW_BALANCE: (_low, SubjectKind.LICENSE),
    EventKind.METER_DEPLETED: (_depleted, SubjectKind.LICENSE),
    EventKind.WEBHOOK_DISABLED: (_webhook, SubjectKind.WEBHOOK),
    EventKind.MEMBER_INVITED: (_invited, SubjectKind.INVITATION),
    EventKind.MEMBER_JOINED: (_joined, SubjectKind.MEMBER),
}
_OF_LICENSES_BELOW = {
    kind
    for kind, (_, subject) in _WORDS.items()
    if subject is SubjectKind.LICENSE and not kind.startswith("license.")
}


def _license_in_full(told: _Told) -> str:
    receiver = told.text("issuedTo")
    return f"{told.license}{told.of_product}{f', issued to {receiver},' if receiver else ''}"


def _on(told: _Told) -> str:
    try:
        ends = datetime.fromisoformat(told.facts.get("expirationDate") or "").astimezone(UTC)
    except (ValueError, TypeError, OverflowError):
        return ""
    return f" on {ends:%Y-%m-%d at %H:%M} UTC"


def _host(url: str | None) -> str | None:
    try:
        return urlsplit(url or "").hostname
    except ValueError:
        return None


def _line(text: str) -> str:
    """One line of a bearable length, whatever was given as a name."""
    line = one_line(text)
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"


def _quoted(name: str) -> str:
    return quoted(_line(name))


def _capital(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]
