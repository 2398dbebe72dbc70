"""Parses the Markdown of templates, and composes e-mails from it, in a thread."""

from collections.abc import Mapping

from licet_server.delivery.rules.composing import Composed, compose
from licet_server.delivery.rules.placeholders import Values
from licet_server.delivery.rules.templates import EffectiveTemplate, markdown_breaches
from licet_server.delivery.rules.translation import Translation
from licet_server.kit.errors import FieldError, bad_fields
from licet_server.kit.threads import Threads

_of_users = Threads("templates")
_of_mails = Threads("mails", max_asked=1_000)


async def require_readable(words: Mapping[str, Translation]) -> None:
    """Require that the bodies have a bounded size, and links that may be mailed.

    `words` is by the fields of the request. Call it without a connection to the database.

    Raises:
        Refused: `InvalidRequest`; `Unavailable` when too many are read at once.
    """
    if breaches := await _of_users.run(_breaches, words):
        raise bad_fields(breaches)


async def preview_of(template: EffectiveTemplate, values: Values, locale: str | None) -> Composed:
    """Return an e-mail to be shown. Call it without a connection to the database.

    Raises:
        Refused: `Unavailable` when too many are read at once.
    """
    return await _of_users.run(compose, template, values, locale)


async def mail_of(template: EffectiveTemplate, values: Values, locale: str | None) -> Composed:
    """Return an e-mail to be sent.

    Raises:
        Refused: `Unavailable` when too many are read at once.
    """
    return await _of_mails.run(compose, template, values, locale)


def _breaches(words: Mapping[str, Translation]) -> list[FieldError]:
    return [item for field, word in words.items() for item in markdown_breaches(field, word)]
