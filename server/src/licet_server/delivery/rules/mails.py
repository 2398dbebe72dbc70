"""Values of placeholders: the facts of a license, or an example to preview templates with."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta, tzinfo
from enum import StrEnum
from uuid import UUID

from licet_server.delivery.rules.markdown import Values, as_html, filled, without_missing
from licet_server.delivery.rules.templates import EffectiveTemplate, MailKind, chosen_locale
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
        "renewUrl": license_.renew_url,
        "seats": None if cap is None else str(cap),
        "termDays": None if license_.term_days is None else str(license_.term_days),
        "termMonths": None if license_.term_months is None else str(license_.term_months),
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
        "renewUrl": "https://example.com/renew",
        "seats": "5",
        "termDays": None,
        "termMonths": None,
        "vendor": one_line(around.vendor),
    }


SUBJECT_LONGEST = 250
"""A subject is cut there: names that stand for placeholders may be long."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Composed:
    """An e-mail that is ready to be sent; `html` is what stands in the body of the page."""

    locale: str
    subject: str
    text: str
    html: str
    sender_name: str
    reply_to: str | None


def compose(template: EffectiveTemplate, values: Values, preferred_locale: str | None) -> Composed:
    """Return the e-mail in the language for this reader.

    The sender's name is that of the template, or the `vendor` among the values.
    """
    locale = chosen_locale(template, preferred_locale)
    translation = template.translations[locale]
    known: Mapping[str, str | None] = {**values, "replyTo": template.reply_to}
    body = without_missing(translation.body, known)
    vendor = unlinked(one_line(values.get("vendor") or ""))
    return Composed(
        locale=locale,
        subject=one_line(filled(translation.subject, known))[:SUBJECT_LONGEST],
        text=filled(body, known).strip() + "\n",
        html=as_html(body, known),
        sender_name=template.sender_name or vendor,
        reply_to=template.reply_to,
    )


SENDS_PER_HOUR = 5
"""How often the e-mails of a license may be asked for in an hour."""

MAILS_PER_DAY = 100
"""How many e-mails an institution may write to an address within a day."""

TOO_MANY = "Too many e-mails were written to this address within a day."
"""The error of those beyond that, which are recorded and not queued."""

DAY = timedelta(days=1)
HOUR = timedelta(hours=1)


class LicenseMailStatus(StrEnum):
    """The status of an e-mail: `Failed` ones may still be retried for three days."""

    QUEUED = "Queued"
    SENT = "Sent"
    FAILED = "Failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class LicenseMail:
    """An e-mail about a license. `error` says what went wrong at the last attempt."""

    institution_id: UUID
    id: UUID
    license_id: UUID
    kind: MailKind
    recipient: str
    locale: str
    status: LicenseMailStatus
    error: str | None
    created_at: datetime
    sent_at: datetime | None


@dataclass(frozen=True, slots=True)
class LicenseMailFilter:
    """The filters of the list; `None` does not filter."""

    license_id: UUID | None = None
    recipient: str | None = None
    kind: MailKind | None = None
    status: LicenseMailStatus | None = None


def settled(
    mail: LicenseMail, status: LicenseMailStatus, error: str | None, now: datetime
) -> LicenseMail:
    """Return an e-mail after an attempt; one that was sent stays so.

    One that was refused stays failed until it is sent: an attempt that did not reach the mail
    server changes nothing.
    """
    if mail.status is LicenseMailStatus.SENT:
        return mail
    if status is LicenseMailStatus.SENT:
        return replace(mail, status=status, error=None, sent_at=now)
    if mail.status is LicenseMailStatus.FAILED:
        return mail
    return replace(mail, status=status, error=error)


def mismatch_of(kind: MailKind, license_: License) -> str | None:
    """Return why an e-mail of this kind would not be true of a license; `None` if it is."""
    if kind is MailKind.REVOKED:
        return None if license_.revoked_at is not None else "The license is not revoked."
    if license_.revoked_at is not None:
        return "The license is revoked, so only an e-mail about the revocation can be sent."
    if kind is MailKind.EXPIRING and license_.expiration_date is None:
        return "The license has no expiration date."
    return None
