"""Wire shapes of templates, and of emails about licenses."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from msgspec import UNSET, Struct, UnsetType

from licet_server.delivery.rules.markdown import PLACEHOLDERS
from licet_server.delivery.rules.templates import (
    BODIES_MAX,
    LicenseMail,
    LicenseMailStatus,
    MailKind,
    TemplateSource,
    Translation,
    sender_breaches,
    translation_breaches,
)
from licet_server.delivery.service.mails import PreviewOptions, Tried
from licet_server.delivery.service.templates import TemplateState
from licet_server.kit.errors import FieldError
from licet_server.kit.mail import as_data, with_logo
from licet_server.kit.text import normal_locale
from licet_server.kit.web.body import Body, Change, given
from licet_server.kit.web.views import view_of

_NO_LOCALE = "must be a language tag, such as de or pt-BR."
_SHOWN = 50
_STORED = ("automatic", "sender_name", "reply_to", "default_locale", "translations", "updated_at")


class TranslationBody(Body):
    """The words of an email in one language: a subject, and a body in Markdown."""

    subject: str
    body: str

    def translation(self) -> Translation:
        """Return the words, with line ends as they are stored."""
        return Translation(self.subject.strip(), "\n".join(self.body.splitlines()))


def _locale_breaches(field: str, locale: str | UnsetType | None) -> Iterator[FieldError]:
    if isinstance(locale, str) and normal_locale(locale) is None:
        yield FieldError(field, _NO_LOCALE)


def _word_breaches(field: str, body: TranslationBody | None) -> Iterator[FieldError]:
    if body is not None and None not in {_text(body.subject), _text(body.body)}:
        yield from translation_breaches(field, body.translation())


def _text(value: object) -> str | None:
    """Return a text; a field that is absent, or of a wrong type, counts as `None`."""
    return value if isinstance(value, str) else None


class MailTemplateChange(Change):
    """A change of a template: absent fields are unchanged, null falls back to what else applies.

    Of `translations`, by language tag, those that are named are replaced; null removes one.
    """

    automatic: bool | UnsetType | None = UNSET
    sender_name: str | UnsetType | None = UNSET
    reply_to: str | UnsetType | None = UNSET
    default_locale: str | UnsetType | None = UNSET
    translations: dict[str, TranslationBody | None] | UnsetType = UNSET

    def breaches(self, now: datetime) -> Iterator[FieldError]:
        yield from sender_breaches(_text(self.sender_name), _text(self.reply_to))
        yield from _locale_breaches("defaultLocale", self.default_locale)
        bodies = (_text(body.body) for body in self._translations().values() if body is not None)
        if sum(len(body or "") for body in bodies) > BODIES_MAX:
            message = f"must have bodies of {BODIES_MAX:,} characters together at most."
            yield FieldError("translations", message)
            return
        named: set[str] = set()
        for locale, body in self._translations().items():
            field = f"translations.{locale[:_SHOWN]}"
            tag = normal_locale(locale)
            if tag is None:
                yield FieldError(field, _NO_LOCALE)
            elif tag in named:
                yield FieldError(field, "is named twice.")
            named.add(tag or "")
            yield from _word_breaches(field, body)

    def changes(self) -> dict[str, Any]:
        """Return the fields to change, by their names in `MailTemplate`."""
        found = given(self)
        if "default_locale" in found:
            found["default_locale"] = normal_locale(found["default_locale"] or "")
        if "translations" in found:
            found["translations"] = {
                normal_locale(locale): None if body is None else body.translation()
                for locale, body in self._translations().items()
            }
        return found

    def words(self) -> dict[str, Translation]:
        """Return the words of a validated body, by their fields in the request."""
        named = self._translations().items()
        return {
            f"translations.{locale[:_SHOWN]}": body.translation()
            for locale, body in named
            if body is not None
        }

    def _translations(self) -> dict[str, TranslationBody | None]:
        return self.translations if isinstance(self.translations, dict) else {}


class TryMailTemplateBody(Body):
    """Changes to preview: other words, language or sender than the stored ones.

    With `licenseId` it shows that license, otherwise an example.
    """

    translation: TranslationBody | None = None
    locale: str | None = None
    sender_name: str | None = None
    reply_to: str | None = None
    license_id: UUID | None = None

    def breaches(self, now: datetime) -> Iterator[FieldError]:
        yield from sender_breaches(self.sender_name, self.reply_to)
        yield from _locale_breaches("locale", self.locale)
        yield from _word_breaches("translation", self.translation)

    def options(self) -> PreviewOptions:
        """Return the options of a validated body."""
        body = self.translation
        return PreviewOptions(
            translation=None if body is None else body.translation(),
            locale=normal_locale(self.locale or ""),
            sender_name=self.sender_name,
            reply_to=self.reply_to,
            license_id=self.license_id,
        )


class SendLicenseBody(Body):
    """Which email to send, and in which language; by default that of the customer."""

    kind: MailKind = MailKind.ISSUED
    locale: str | None = None

    def breaches(self, now: datetime) -> Iterator[FieldError]:
        yield from _locale_breaches("locale", self.locale)


class TranslationView(Struct, rename="camel"):
    """The words of an email in one language."""

    subject: str
    body: str


class EffectiveMailTemplate(Struct, rename="camel"):
    """The template that applies to the emails of a kind, and the source of its words.

    Without a `senderName`, the sender has the name of the institution.
    """

    automatic: bool
    sender_name: str | None
    reply_to: str | None
    default_locale: str
    translations: dict[str, TranslationView]
    source: TemplateSource


class MailPlaceholder(Struct, rename="camel"):
    """A name that templates may have in braces, and what it stands for."""

    name: str
    description: str


class MailTemplateView(Struct, rename="camel", kw_only=True):
    """A template as it is stored, and as it applies.

    Without `productId` it is the default of the institution. `automatic` emails are sent
    without being asked for. What is null, or without translations, falls back to what else applies.
    """

    institution_id: UUID
    product_id: UUID | None
    kind: MailKind
    automatic: bool | None
    sender_name: str | None
    reply_to: str | None
    default_locale: str | None
    translations: dict[str, TranslationView]
    effective: EffectiveMailTemplate
    placeholders: list[MailPlaceholder]
    updated_at: datetime | None


class MailTemplatesView(Struct, rename="camel"):
    """The templates of every kind."""

    templates: list[MailTemplateView]


class MailPreview(Struct, rename="camel"):
    """An email as it would be sent.

    `html` stands in the body of a page, and is safe to show; `page` is the whole one, as it is
    sent, with the name, the color and the logo of the vendor.
    """

    locale: str
    sender_name: str
    reply_to: str | None
    subject: str
    text: str
    html: str
    page: str


class LicenseMailView(Struct, rename="camel"):
    """An email about a license. `error` says what went wrong at the last attempt.

    `Failed` ones are retried for three days after they were written, unless too many were
    written to the address.
    """

    id: UUID
    institution_id: UUID
    license_id: UUID
    kind: MailKind
    recipient: str
    locale: str
    status: LicenseMailStatus
    error: str | None
    created_at: datetime
    sent_at: datetime | None


class MailCount(Struct, rename="camel"):
    """How many emails of a kind were sent, and how many could not be."""

    kind: MailKind
    sent: int
    failed: int


class MailCounts(Struct, rename="camel"):
    """The emails about licenses of the last 30 days, one of each kind."""

    kinds: list[MailCount]


def counts_view(counts: Mapping[MailKind, tuple[int, int]]) -> MailCounts:
    return MailCounts([MailCount(kind, *counts.get(kind, (0, 0))) for kind in MailKind])


def template_view(state: TemplateState) -> MailTemplateView:
    stored = {name: getattr(state.stored, name, None) for name in _STORED}
    return view_of(
        MailTemplateView,
        state,
        **{**stored, "translations": stored["translations"] or {}},
        institution_id=state.owner.institution_id,
        product_id=state.owner.product_id,
        placeholders=[MailPlaceholder(name, text) for name, text in PLACEHOLDERS.items()],
    )


def preview_view(tried: Tried) -> MailPreview:
    page = with_logo(tried.letter.html, tried.logo, as_data(tried.logo))
    return view_of(MailPreview, tried.composed, page=page)


def mail_view(mail: LicenseMail) -> LicenseMailView:
    return view_of(LicenseMailView, mail)
