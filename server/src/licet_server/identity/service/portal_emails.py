"""The emails that lead end users to the portal, in the language of their reader."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple
from uuid import UUID

from licet_server.kit.mail import PLAIN, Action, Email, Look, letter_of
from licet_server.kit.text import best_locale, one_line, unlinked

_NAMED_MAX = 3


@dataclass(frozen=True, slots=True)
class IssuedBy:
    """The vendors that issued licenses to an address, and the products of these, newest first.

    `only` is the ID of a single one whose appearance is public, and `welcome` what a single one
    says to its customers. `look` is that of a single one, too. `locale` is the language of the
    customer, if a vendor knows it.
    """

    names: Sequence[str] = ()
    products: Sequence[str] = ()
    only: UUID | None = None
    locale: str | None = None
    welcome: str | None = None
    look: Look = PLAIN


class _Words(NamedTuple):
    """The sentences of a language; `{vendors}`, `{products}` and `{email}` stand in them."""

    join: str
    others: str
    one_more: str
    more: str
    subject: str
    subject_alone: str
    issued: str
    choose: str
    choose_button: str
    has_account: str
    sign_in: str
    open_portal: str
    reason: str
    reason_alone: str
    no_account: str
    unchanged: str


_ENGLISH = _Words(
    join=" and ",
    others="others",
    one_more="{first} and one more",
    more="{first} and {count} more",
    subject="Your licenses from {vendors}: {products}",
    subject_alone="Your licenses",
    issued="{vendors} issued licenses of {products} to {email}.",
    choose="Open this link within 24 hours to choose a password and see them. It works once:",
    choose_button="Choose a password",
    has_account="You already have an account.",
    sign_in="Sign in to see your licenses, or request a new password if you have forgotten yours:",
    open_portal="Open the license portal",
    reason=(
        "You receive this email because {vendors} sent you this link, or because it was requested "
        "for your address in the license portal."
    ),
    reason_alone="You receive this email because it was requested in the license portal.",
    no_account="If you did not expect this email, you can ignore it: no account is created.",
    unchanged="If you did not expect this email, you can ignore it: nothing has changed.",
)
_GERMAN = _Words(
    join=" und ",
    others="andere",
    one_more="{first} und ein weiteres Produkt",
    more="{first} und {count} weitere Produkte",
    subject="Ihre Lizenzen von {vendors}: {products}",
    subject_alone="Ihre Lizenzen",
    issued="Für {email} gibt es Lizenzen von {vendors}: {products}.",
    choose=(
        "Öffnen Sie diesen Link innerhalb von 24 Stunden, um ein Passwort festzulegen und sie zu "
        "sehen. Er funktioniert einmal:"
    ),
    choose_button="Passwort festlegen",
    has_account="Sie haben bereits ein Konto.",
    sign_in=(
        "Melden Sie sich an, um Ihre Lizenzen zu sehen, oder fordern Sie ein neues Passwort an, "
        "wenn Sie Ihres vergessen haben:"
    ),
    open_portal="Lizenzportal öffnen",
    reason=(
        "Sie erhalten diese E-Mail, weil der Link von {vendors} gesendet oder im Lizenzportal für "
        "Ihre Adresse angefordert wurde."
    ),
    reason_alone="Sie erhalten diese E-Mail, weil sie im Lizenzportal angefordert wurde.",
    no_account=(
        "Wenn Sie diese E-Mail nicht erwartet haben, können Sie sie ignorieren: Es wird kein "
        "Konto angelegt."
    ),
    unchanged=(
        "Wenn Sie diese E-Mail nicht erwartet haben, können Sie sie ignorieren: Es hat sich "
        "nichts geändert."
    ),
)
_LANGUAGES = {"en": _ENGLISH, "de": _GERMAN}


def portal_welcome_email(email: str, address: str, token: str, vendors: IssuedBy) -> Email:
    """Write the email with a token that creates an account to see licenses with."""
    locale = _language_of(vendors)
    words = _LANGUAGES[locale]
    named = _named(words, vendors, email)
    paragraphs: tuple[str | Action, ...] = (
        words.issued.format(**named),
        *_welcome(vendors),
        words.choose,
        Action(words.choose_button, f"{address}/portal/welcome?token={token}"),
        words.reason.format(**named),
        words.no_account,
    )
    letter = letter_of(paragraphs, locale, vendors.look)
    return Email(email, words.subject.format(**named), letter=letter)


def portal_account_exists_email(email: str, address: str, vendors: IssuedBy | None) -> Email:
    """Write how to open the portal to an address that has an account."""
    locale = _language_of(vendors)
    words = _LANGUAGES[locale]
    way = (words.has_account, words.sign_in, Action(words.open_portal, f"{address}/portal"))
    if vendors is None:
        alone = (*way, words.reason_alone, words.unchanged)
        return Email(email, words.subject_alone, letter=letter_of(alone, locale, PLAIN))
    named = _named(words, vendors, email)
    paragraphs: tuple[str | Action, ...] = (
        words.issued.format(**named),
        *_welcome(vendors),
        *way,
        words.reason.format(**named),
        words.unchanged,
    )
    letter = letter_of(paragraphs, locale, vendors.look)
    return Email(email, words.subject.format(**named), letter=letter)


def _language_of(vendors: IssuedBy | None) -> str:
    return best_locale(vendors.locale, _LANGUAGES) or "en" if vendors else "en"


def _named(words: _Words, vendors: IssuedBy, email: str) -> dict[str, str]:
    return {
        "vendors": _vendors(words, vendors.names),
        "products": _products(words, vendors.products),
        "email": email,
    }


def _vendors(words: _Words, names: Sequence[str]) -> str:
    named = [one_line(unlinked(name)) for name in names[:_NAMED_MAX]]
    if len(names) > _NAMED_MAX:
        named.append(words.others)
    return words.join.join(filter(None, (", ".join(named[:-1]), named[-1])))


def _products(words: _Words, names: Sequence[str]) -> str:
    first, *others = [one_line(unlinked(name)) for name in names]
    if not others:
        return first
    pattern = words.one_more if len(others) == 1 else words.more
    return pattern.format(first=first, count=len(others))


def _welcome(vendors: IssuedBy) -> list[str]:
    lines = (vendors.welcome or "").splitlines()
    return [one_line(unlinked(line)) for line in lines if line.strip()]
