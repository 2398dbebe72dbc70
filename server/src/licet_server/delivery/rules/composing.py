"""An e-mail from a template and the facts of a license."""

from collections.abc import Mapping
from dataclasses import dataclass

from licet_server.delivery.rules.markdown import as_html
from licet_server.delivery.rules.placeholders import Values, filled, without_missing
from licet_server.delivery.rules.templates import EffectiveTemplate, chosen_locale
from licet_server.kit.text import one_line, unlinked

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
