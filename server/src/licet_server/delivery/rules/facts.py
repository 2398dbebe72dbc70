"""Values of placeholders: the facts of a license, or an example to preview templates with."""

from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo

from licet_server.delivery.rules.placeholders import Values
from licet_server.kit.text import one_line, unlinked
from licet_server.licenses.rules.model import License
from licet_server.licenses.rules.reminders import days_left


@dataclass(frozen=True, slots=True)
class Receiver:
    """The party that a license is issued to, as e-mails address it."""

    email: str
    name: str
    locale: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """The names around a license, the address of the portal, and the zone that days are of."""

    product: str
    release: str
    vendor: str
    portal: str
    zone: tzinfo = UTC


def values_of(license_: License, receiver: Receiver, around: Surroundings, now: datetime) -> Values:
    """Return the values of a license; each is one line.

    The name of a customer may come from a stranger, so that no e-mail program makes a link of it.
    """
    end = license_.expiration_date
    grace = license_.in_grace_until(now)
    cap = license_.max_active_users_count
    is_named = receiver.name.lower() != receiver.email.lower()
    return {
        "customer": unlinked(one_line(receiver.name)) if is_named else receiver.email,
        "daysLeft": None if end is None else str(days_left(end, now)),
        "email": receiver.email,
        "expirationDate": None if end is None else f"{end.astimezone(around.zone):%Y-%m-%d}",
        "graceUntil": (None if grace is None else f"{grace.astimezone(around.zone):%Y-%m-%d}"),
        "licenseKey": one_line(license_.license_key),
        "licenseName": one_line(license_.license_name),
        "licenseType": license_.type,
        "portal": around.portal,
        "product": one_line(around.product),
        "release": one_line(around.release),
        "seats": None if cap is None else str(cap),
        "termDays": None if license_.term_days is None else str(license_.term_days),
        "vendor": one_line(around.vendor),
    }


def example_values(around: Surroundings) -> Values:
    """Return the values of a license that does not exist."""
    return {
        "customer": "Jane Doe",
        "daysLeft": "30",
        "email": "jane@example.com",
        "expirationDate": "2027-03-01",
        "graceUntil": None,
        "licenseKey": "JN3VR-DRJSK-A8HNA-S3SP8-CPPNH",
        "licenseName": "Jane Doe",
        "licenseType": "Subscription",
        "portal": around.portal,
        "product": one_line(around.product),
        "release": one_line(around.release),
        "seats": "5",
        "termDays": None,
        "vendor": one_line(around.vendor),
    }
