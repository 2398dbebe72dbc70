"""The email about a move to another address, in the language of the customer."""

from typing import NamedTuple

from licet_server.customers.rules.model import Customer
from licet_server.kit.mail import Action, Email, Look, letter_of
from licet_server.kit.text import best_locale


class _Words(NamedTuple):
    """The sentences of a language; `one` and `more` are those about licenses."""

    subject: str
    changed: str
    one: str
    more: str
    same: str
    portal: str
    button: str
    unexpected: str


_LANGUAGES = {
    "en": _Words(
        subject="Your licenses from {vendor} have a new email address",
        changed="{vendor} changed your email address from {former} to {email}.",
        one="1 license that was issued to {former} now belongs to {email}.",
        more="{count:,} licenses that were issued to {former} now belong to {email}.",
        same=(
            "License keys, devices and balances stay the same; there is nothing to install again. "
            "Emails about your licenses go to {email}."
        ),
        portal="To see your licenses, sign in to the portal with {email}:",
        button="Open the license portal",
        unexpected="If you did not expect this, please ask {vendor}.",
    ),
    "de": _Words(
        subject="Ihre Lizenzen von {vendor} haben eine neue E-Mail-Adresse",
        changed="{vendor} hat Ihre E-Mail-Adresse von {former} in {email} geändert.",
        one="1 Lizenz, die für {former} ausgestellt war, gehört nun zu {email}.",
        more="{count} Lizenzen, die für {former} ausgestellt waren, gehören nun zu {email}.",
        same=(
            "Lizenzschlüssel, Geräte und Guthaben bleiben gleich; neu zu installieren ist nichts. "
            "E-Mails zu Ihren Lizenzen gehen an {email}."
        ),
        portal="Um Ihre Lizenzen zu sehen, melden Sie sich im Portal mit {email} an:",
        button="Lizenzportal öffnen",
        unexpected="Wenn Sie das nicht erwartet haben, fragen Sie bitte {vendor}.",
    ),
}


def email_about_move(
    recipient: str, customer: Customer, former: str, count: int, address: str, look: Look
) -> Email:
    """Write to one of both addresses of a customer that `count` licenses went to the new one."""
    locale = best_locale(customer.locale, _LANGUAGES) or "en"
    words = _LANGUAGES[locale]
    licenses = words.one if count == 1 else words.more
    named = {"vendor": look.name, "former": former, "email": customer.email, "count": count}
    said = (f"{words.changed} {licenses}", words.same, words.portal)
    paragraphs: list[str | Action] = [
        *(text.format_map(named) for text in said),
        Action(words.button, f"{address}/portal"),
        words.unexpected.format_map(named),
    ]
    return Email(
        recipient,
        words.subject.format_map(named),
        letter=letter_of(paragraphs, locale, look),
        vendor_id=customer.institution_id,
    )
