"""Previews of templates, stored or not, for a license or an example of one.

No connection to the database is open while Markdown is parsed.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from uuid import UUID

from licet_server.delivery import errors
from licet_server.delivery.rules.mails import Composed, Surroundings, example_values
from licet_server.delivery.rules.markdown import Values
from licet_server.delivery.rules.templates import EffectiveTemplate, MailKind, Translation
from licet_server.delivery.service.mails import address_licenses, as_letter, portal_address
from licet_server.delivery.service.templates import (
    TemplateOwner,
    fetch_template,
    preview_of,
    require_readable,
)
from licet_server.institutions.rules.operators import Operator
from licet_server.institutions.service.institutions import institution_names
from licet_server.kit import limits, mail
from licet_server.kit.database import Connection
from licet_server.kit.origin import Origin
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.licenses.service.reading import find_by_ids

TESTS_PER_HOUR = 20
PREVIEWS_PER_MINUTE = 60
EXAMPLE_PRODUCT, EXAMPLE_RELEASE = "Example", "1.0.0"


@dataclass(frozen=True, slots=True, kw_only=True)
class PreviewOptions:
    """Options of a preview: words instead of the stored ones, a language, a license."""

    translation: Translation | None
    locale: str | None
    sender_name: str | None
    reply_to: str | None
    license_id: UUID | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PreviewTarget:
    """The template that an operator previews: its kind, and how its owner is found."""

    operator: Operator
    find_owner: Callable[[Connection], Awaitable[TemplateOwner]]
    kind: MailKind


async def preview(
    platform: Platform, origin: Origin, target: PreviewTarget, options: PreviewOptions
) -> Composed:
    """Return the e-mail for a license, or for an example of one; nothing is sent or stored.

    Raises:
        Refused: `NotFound`, `Forbidden`; `InvalidRequest` for words that cannot be sent, and for a
            license that the operator does not see or that the template is not for; `Conflict` for
            one without a receiver; `RateLimited`.
    """
    bucket = f"mail-preview:{target.operator.user_id}"
    await limits.take(platform.database, bucket, PREVIEWS_PER_MINUTE, platform.clock())
    return await _composed(platform, origin, target, options)


async def send_test(
    platform: Platform, origin: Origin, target: PreviewTarget, options: PreviewOptions
) -> Composed:
    """Mail the preview to the operator, at their verified address.

    Raises:
        Refused: as `preview`; `Forbidden` without a verified address.
    """
    operator = target.operator
    async with platform.database.reading() as db:
        await target.find_owner(db)
    bucket, now = f"mail-test:{operator.user_id}", platform.clock()
    await limits.take(platform.database, bucket, TESTS_PER_HOUR, now, limits.HOUR)
    operator.require_verified_email()
    composed = await _composed(platform, origin, target, options)
    email = mail.Email(operator.email, composed.subject, letter=as_letter(composed))
    async with platform.unit_of_work(origin) as work:
        await mail.write(work, email)
    return composed


async def _composed(
    platform: Platform, origin: Origin, target: PreviewTarget, options: PreviewOptions
) -> Composed:
    async with platform.unit_of_work(origin) as work:
        owner = await target.find_owner(work.db)
        stored = (await fetch_template(work.db, owner, target.kind)).effective
        values, locale = await _values(work, target.operator, owner, options.license_id)
    if options.translation is not None:
        await require_readable({"translation": options.translation})
    return await preview_of(_changed(stored, options), values, options.locale or locale)


def _changed(template: EffectiveTemplate, options: PreviewOptions) -> EffectiveTemplate:
    """Return the template with the options applied."""
    if options.translation is not None:
        locale = options.locale or template.default_locale
        words = {locale: options.translation}
        template = replace(template, translations=words, default_locale=locale)
    return replace(
        template,
        sender_name=options.sender_name or template.sender_name,
        reply_to=options.reply_to or template.reply_to,
    )


async def _values(
    work: UnitOfWork, operator: Operator, owner: TemplateOwner, license_id: UUID | None
) -> tuple[Values, str | None]:
    """Return the values of a license or an example, and the language of its receiver."""
    if license_id is None:
        return await _example(work, owner), None
    license_ = (await find_by_ids(work.db, operator.visibility, [license_id])).get(license_id)
    if (
        license_ is None
        or license_.institution_id != owner.institution_id
        or owner.product_id not in {None, license_.product_id}
    ):
        raise errors.license_of_another()
    addressed = (await address_licenses(work, [license_])).get(license_.id)
    if addressed is None:
        raise errors.no_receiver()
    return addressed.values, addressed.receiver.locale


async def _example(work: UnitOfWork, owner: TemplateOwner) -> Values:
    names = await institution_names(work.db, [owner.institution_id])
    around = Surroundings(
        product=EXAMPLE_PRODUCT if owner.product_id is None else owner.name,
        release=EXAMPLE_RELEASE,
        vendor=names.get(owner.institution_id, ""),
        portal=portal_address(work.address),
    )
    return example_values(around)
