"""Templates: what is stored for a product or an institution, and what applies in the end."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from urllib.parse import unquote
from uuid import UUID

from licet_server.delivery.rules.markdown import breaches_of, list_of_all, size_breaches, unknown_in
from licet_server.events.rules.kinds import EventKind
from licet_server.kit.emails import is_email
from licet_server.kit.errors import FieldError
from licet_server.kit.text import best_locale


class MailKind(StrEnum):
    """The kind of an e-mail to the receiver of a license."""

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
"""The events that can cause an e-mail."""


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

Your license, its devices and downloads are here: {portal}

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

Your license is here: {portal}

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

Your license is here: {portal}

Renew it here: {renewUrl}

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

BUILT_IN: Mapping[MailKind, Mapping[str, Translation]] = {
    MailKind.ISSUED: {BUILT_IN_LOCALE: Translation("Your license for {product}", _ISSUED)},
    MailKind.RENEWED: {
        BUILT_IN_LOCALE: Translation("Your license for {product} was renewed", _RENEWED)
    },
    MailKind.EXPIRING: {
        BUILT_IN_LOCALE: Translation("Your license for {product} ends soon", _EXPIRING)
    },
    MailKind.REVOKED: {
        BUILT_IN_LOCALE: Translation("Your license for {product} was revoked", _REVOKED)
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
    """The stored template of one kind of e-mails, of a product or, without one, of an institution.

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
    """The template that applies to e-mails of a kind; it has at least one translation.

    `automatic` e-mails are sent without being asked for. Without a `sender_name`, the sender is the
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
        yield FieldError("replyTo", "must be an e-mail address.")
