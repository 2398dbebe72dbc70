"""Templates, what applies in the end, and the emails that are composed from them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta, tzinfo
from enum import StrEnum
from urllib.parse import unquote
from uuid import UUID

from licet_server.delivery.rules.markdown import (
    Values,
    as_html,
    breaches_of,
    filled,
    list_of_all,
    size_breaches,
    unknown_in,
    without_missing,
)
from licet_server.events.rules.kinds import EventKind
from licet_server.kit.dates import day_in_words
from licet_server.kit.emails import is_email
from licet_server.kit.errors import FieldError
from licet_server.kit.text import best_locale, one_line, unlinked
from licet_server.licenses.rules.model import License
from licet_server.licenses.rules.reminders import days_left


class MailKind(StrEnum):
    """The kind of an email to the receiver of a license."""

    ISSUED = "Issued"
    RENEWED = "Renewed"
    EXPIRING = "Expiring"
    REVOKED = "Revoked"


OCCASIONS: Mapping[EventKind, MailKind] = {
    EventKind.LICENSE_CREATED: MailKind.ISSUED,
    EventKind.LICENSE_RENEWED: MailKind.RENEWED,
    EventKind.LICENSE_EXPIRING: MailKind.EXPIRING,
    EventKind.LICENSE_REVOKED: MailKind.REVOKED,
}
"""The events that can cause an email."""


def kind_named(text: str) -> MailKind | None:
    """Return the kind of this name, in any letter case."""
    return next((kind for kind in MailKind if kind.lower() == text.lower()), None)


@dataclass(frozen=True, slots=True)
class Translation:
    """A subject and a body in Markdown, both with placeholders."""

    subject: str
    body: str


BUILT_IN_LOCALE = "en"

_ISSUED = """\
Hello {customer},

here is your license for **{product}**.

- License: {licenseName}
- License key: `{licenseKey}`
- Seats: {seats}
- Valid until: {expirationDate}
- Valid for {termDays} days from the first use
- Valid for {termMonths} months from the first use

## How to start

1. Install {product} and start it.
2. Enter the license key when it asks for it.

See your license, its devices and downloads: {portal}

Sign in there with {email}.

Questions? Write to {replyTo}.

{vendor}
"""

_RENEWED = """\
Hello {customer},

your license for **{product}** was renewed. The license key stays the same; there is nothing to do.

- License: {licenseName}
- License key: `{licenseKey}`
- Valid until: {expirationDate}

See your license: {portal}

Questions? Write to {replyTo}.

{vendor}
"""

_EXPIRING = """\
Hello {customer},

your license for **{product}** ends soon.

- License: {licenseName}
- License key: `{licenseKey}`
- Valid until: {expirationDate}
- Days left: {daysLeft}
- It still works until: {graceUntil}

Renew your license: {renewUrl}

See your license: {portal}

To renew it or ask a question, write to {replyTo}.

{vendor}
"""

_REVOKED = """\
Hello {customer},

your license for **{product}** was revoked and no longer works.

- License: {licenseName}
- License key: `{licenseKey}`

If you did not expect this, write to {replyTo}.

{vendor}
"""

_ISSUED_DE = """\
Guten Tag {customer},

hier ist Ihre Lizenz für **{product}**.

- Lizenz: {licenseName}
- Lizenzschlüssel: `{licenseKey}`
- Plätze: {seats}
- Gültig bis: {expirationDate}
- Gültig für {termDays} Tage ab der ersten Verwendung
- Gültig für {termMonths} Monate ab der ersten Verwendung

## So beginnen Sie

1. Installieren Sie {product} und starten Sie es.
2. Geben Sie den Lizenzschlüssel ein, wenn Sie danach gefragt werden.

Ihre Lizenz, ihre Geräte und Downloads ansehen: {portal}

Melden Sie sich dort mit {email} an.

Fragen? Schreiben Sie an {replyTo}.

{vendor}
"""

_RENEWED_DE = """\
Guten Tag {customer},

Ihre Lizenz für **{product}** wurde verlängert. Der Schlüssel bleibt gleich; zu tun ist nichts.

- Lizenz: {licenseName}
- Lizenzschlüssel: `{licenseKey}`
- Gültig bis: {expirationDate}

Ihre Lizenz ansehen: {portal}

Fragen? Schreiben Sie an {replyTo}.

{vendor}
"""

_EXPIRING_DE = """\
Guten Tag {customer},

Ihre Lizenz für **{product}** endet bald.

- Lizenz: {licenseName}
- Lizenzschlüssel: `{licenseKey}`
- Gültig bis: {expirationDate}
- Verbleibende Tage: {daysLeft}
- Sie funktioniert noch bis: {graceUntil}

Lizenz verlängern: {renewUrl}

Ihre Lizenz ansehen: {portal}

Möchten Sie sie verlängern oder haben Sie Fragen, schreiben Sie an {replyTo}.

{vendor}
"""

_REVOKED_DE = """\
Guten Tag {customer},

Ihre Lizenz für **{product}** wurde widerrufen und funktioniert nicht mehr.

- Lizenz: {licenseName}
- Lizenzschlüssel: `{licenseKey}`

Haben Sie das nicht erwartet, schreiben Sie an {replyTo}.

{vendor}
"""

BUILT_IN: Mapping[MailKind, Mapping[str, Translation]] = {
    MailKind.ISSUED: {
        BUILT_IN_LOCALE: Translation("Your license for {product}", _ISSUED),
        "de": Translation("Ihre Lizenz für {product}", _ISSUED_DE),
    },
    MailKind.RENEWED: {
        BUILT_IN_LOCALE: Translation("Your license for {product} was renewed", _RENEWED),
        "de": Translation("Ihre Lizenz für {product} wurde verlängert", _RENEWED_DE),
    },
    MailKind.EXPIRING: {
        BUILT_IN_LOCALE: Translation("Your license for {product} ends soon", _EXPIRING),
        "de": Translation("Ihre Lizenz für {product} endet bald", _EXPIRING_DE),
    },
    MailKind.REVOKED: {
        BUILT_IN_LOCALE: Translation("Your license for {product} was revoked", _REVOKED),
        "de": Translation("Ihre Lizenz für {product} wurde widerrufen", _REVOKED_DE),
    },
}
"""The words of each kind, by language."""


SUBJECT_MAX = 200
BODY_MAX = 10_000
BODIES_MAX = 50_000
"""All bodies of one request together."""
SENDER_NAME_MAX = 100
TRANSLATIONS_MAX = 20

_MISLEADING = frozenset('@<>"\\')
"""In the name of a sender, they could pass for an address."""

_ENCODED = "=?, which mail programs read as the beginning of encoded text"


@dataclass(frozen=True, slots=True, kw_only=True)
class MailTemplate:
    """The stored template of one kind of emails, of a product or, without one, of an institution.

    `None`, and no translations, leave it to what applies otherwise.
    """

    institution_id: UUID
    id: UUID
    product_id: UUID | None
    kind: MailKind
    automatic: bool | None
    sender_name: str | None
    reply_to: str | None
    default_locale: str | None
    translations: Mapping[str, Translation]
    created_at: datetime
    updated_at: datetime


class TemplateSource(StrEnum):
    """Where the words of a template come from."""

    PRODUCT = "Product"
    INSTITUTION = "Institution"
    BUILT_IN = "BuiltIn"


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectiveTemplate:
    """The template that applies to emails of a kind; it has at least one translation.

    `automatic` emails are sent without being asked for. Without a `sender_name`, the sender is the
    institution.
    """

    automatic: bool
    sender_name: str | None
    reply_to: str | None
    default_locale: str
    translations: Mapping[str, Translation]
    source: TemplateSource


def effective(
    kind: MailKind, of_product: MailTemplate | None, of_institution: MailTemplate | None
) -> EffectiveTemplate:
    """Return what applies: field by field that of the product, of the institution, or built in.

    The words of a kind all come from one template, so that they translate one text.
    """
    stored = [item for item in (of_product, of_institution) if item is not None]
    translated = next((item for item in stored if item.translations), None)
    automatic = [item.automatic for item in stored if item.automatic is not None]
    names = [item.sender_name for item in stored if item.sender_name is not None]
    replies = [item.reply_to for item in stored if item.reply_to is not None]
    if translated is None:
        source, translations, chosen = TemplateSource.BUILT_IN, BUILT_IN[kind], BUILT_IN_LOCALE
    else:
        is_own = translated.product_id is not None
        source = TemplateSource.PRODUCT if is_own else TemplateSource.INSTITUTION
        translations = translated.translations
        chosen = translated.default_locale or ""
    return EffectiveTemplate(
        automatic=automatic[0] if automatic else False,
        sender_name=names[0] if names else None,
        reply_to=replies[0] if replies else None,
        default_locale=chosen if chosen in translations else _first_locale(translations),
        translations=translations,
        source=source,
    )


def _first_locale(translations: Mapping[str, Translation]) -> str:
    return BUILT_IN_LOCALE if BUILT_IN_LOCALE in translations else min(translations)


def chosen_locale(template: EffectiveTemplate, preferred: str | None) -> str:
    """Return the language for a reader: theirs if there is a translation, else the default."""
    return best_locale(preferred, template.translations) or template.default_locale


def translation_breaches(field: str, translation: Translation) -> Iterator[FieldError]:
    """Yield what is wrong with a translation as it is written; `field` names it in the request."""
    subject, body = translation.subject, translation.body
    if not subject.strip() or len(subject) > SUBJECT_MAX:
        yield FieldError(f"{field}.subject", f"must have 1 to {SUBJECT_MAX} characters.")
    elif not subject.isprintable():
        yield FieldError(f"{field}.subject", "must be one line without control characters.")
    elif "=?" in subject:
        yield FieldError(f"{field}.subject", f"must not contain {_ENCODED}.")
    elif unknown := unknown_in(subject):
        yield FieldError(f"{field}.subject", _unknown(unknown[0]))
    if not body.strip() or len(body) > BODY_MAX:
        yield FieldError(f"{field}.body", f"must have 1 to {BODY_MAX:,} characters.")
        return
    if unknown := unknown_in(unquote(body)):
        yield FieldError(f"{field}.body", _unknown(unknown[0]))
    for message in size_breaches(body):
        yield FieldError(f"{field}.body", message)


def markdown_breaches(field: str, translation: Translation) -> Iterator[FieldError]:
    """Yield what else is wrong once its Markdown is parsed, which takes a moment."""
    for message in breaches_of(translation.body):
        yield FieldError(f"{field}.body", message)


def _unknown(name: str) -> str:
    return f"has the placeholder {{{name[:50]}}}, which does not exist. There are {list_of_all()}."


def sender_breaches(name: str | None, reply_to: str | None) -> Iterator[FieldError]:
    """Yield what is wrong with a sender."""
    if name is not None:
        if not name.strip() or len(name) > SENDER_NAME_MAX:
            yield FieldError("senderName", f"must have 1 to {SENDER_NAME_MAX} characters.")
        elif not name.isprintable() or _MISLEADING.intersection(name):
            yield FieldError("senderName", 'must be a name without @, <, >, " and backslashes.')
        elif "=?" in name:
            yield FieldError("senderName", f"must not contain {_ENCODED}.")
    if reply_to is not None and not (is_email(reply_to) and reply_to.isascii()):
        yield FieldError("replyTo", "must be an email address.")


@dataclass(frozen=True, slots=True)
class Receiver:
    """The party that a license is issued to, as emails address it."""

    email: str
    name: str
    locale: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """The names around a license, its vendor's pages, and the zone that days are of."""

    product: str
    release: str
    vendor: str
    portal: str
    renewal_page: str | None = None
    zone: tzinfo = UTC


def values_of(license_: License, receiver: Receiver, around: Surroundings, now: datetime) -> Values:
    """Return the values of a license; each is one line.

    The name of a customer may come from a stranger, so that no email program makes a link of it.
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
        "renewUrl": license_.renewed_at(around.renewal_page),
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
    """An email that is ready to be sent; `html` is what stands in the body of the page."""

    locale: str
    subject: str
    text: str
    html: str
    sender_name: str
    reply_to: str | None


_DAYS = ("expirationDate", "graceUntil")
"""The values that are days, such as 2027-03-01; an email says them in its language."""


def _said(day: str | None, locale: str) -> str | None:
    try:
        return day and day_in_words(date.fromisoformat(day), locale)
    except ValueError:  # a year of other than four digits
        return day


def compose(template: EffectiveTemplate, values: Values, preferred_locale: str | None) -> Composed:
    """Return the email in the language for this reader.

    The sender's name is that of the template, or the `vendor` among the values.
    """
    locale = chosen_locale(template, preferred_locale)
    translation = template.translations[locale]
    days = {name: _said(values.get(name), locale) for name in _DAYS}
    known: Mapping[str, str | None] = {**values, **days, "replyTo": template.reply_to}
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
"""How often the emails of a license may be asked for in an hour."""

MAILS_PER_DAY = 100
"""How many emails an institution may write to an address within a day."""

TOO_MANY = "Too many emails were written to this address within a day."
"""The error of those beyond that, which are recorded and not queued."""

DAY = timedelta(days=1)
HOUR = timedelta(hours=1)


class LicenseMailStatus(StrEnum):
    """The status of an email: `Failed` ones may still be retried for three days."""

    QUEUED = "Queued"
    SENT = "Sent"
    FAILED = "Failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class LicenseMail:
    """An email about a license. `error` says what went wrong at the last attempt."""

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
    """Return an email after an attempt; one that was sent stays so.

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
    """Return why an email of this kind would not be true of a license; `None` if it is."""
    if kind is MailKind.REVOKED:
        return None if license_.revoked_at is not None else "The license is not revoked."
    if license_.revoked_at is not None:
        return "The license is revoked, so only an email about the revocation can be sent."
    if kind is MailKind.EXPIRING and license_.expiration_date is None:
        return "The license has no expiration date."
    return None
