"""Shows what a template makes of a license, before it is stored or after."""

from dataclasses import dataclass, replace
from uuid import UUID

from licet_server.delivery import errors
from licet_server.delivery.rules.composing import Composed, compose
from licet_server.delivery.rules.facts import Surroundings, example_values
from licet_server.delivery.rules.placeholders import Values
from licet_server.delivery.rules.translation import Translation
from licet_server.delivery.service.receivers import address_licenses, portal_address
from licet_server.delivery.service.templates import TemplateOwner, TemplateState
from licet_server.delivery.service.writing import as_letter
from licet_server.institutions.rules.operators import Operator
from licet_server.institutions.service.institutions import institution_names
from licet_server.kit import limits, mail
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.licenses.service.reading import find_by_ids

TESTS_PER_HOUR = 20
EXAMPLE_PRODUCT, EXAMPLE_RELEASE = "Example", "1.0.0"


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """What to try of a template: words instead of the stored ones, a language, a license."""

    translation: Translation | None
    locale: str | None
    sender_name: str | None
    reply_to: str | None
    license_id: UUID | None


async def preview(
    work: UnitOfWork, operator: Operator, state: TemplateState, trial: Trial
) -> Composed:
    """Return the e-mail for a license, or for an example of one; nothing is sent or stored.

    Raises:
        Refused: `InvalidRequest` for a license that the operator does not see, or that the template
            is not for; `Conflict` for one without a receiver.
    """
    template = state.effective
    locale = trial.locale
    if trial.translation is not None:
        locale = locale or template.default_locale
        template = replace(
            template, translations={locale: trial.translation}, default_locale=locale
        )
    template = replace(
        template,
        sender_name=trial.sender_name or template.sender_name,
        reply_to=trial.reply_to or template.reply_to,
    )
    if trial.license_id is None:
        return compose(template, await _example(work, state.owner), locale)
    licenses = await find_by_ids(work.db, operator.visibility, [trial.license_id])
    license_ = licenses.get(trial.license_id)
    product_id = state.owner.product_id
    if (
        license_ is None
        or license_.institution_id != state.owner.institution_id
        or product_id not in {None, license_.product_id}
    ):
        raise errors.license_of_another()
    addressed = (await address_licenses(work, [license_])).get(license_.id)
    if addressed is None:
        raise errors.no_receiver()
    return compose(template, addressed.values, locale or addressed.receiver.locale)


async def send_test(
    work: UnitOfWork, operator: Operator, state: TemplateState, trial: Trial
) -> Composed:
    """Mail the preview to the operator, at their verified address.

    Raises:
        Refused: as `preview`; `Forbidden` without a verified address.
    """
    operator.require_verified_email()
    composed = await preview(work, operator, state, trial)
    email = mail.Email(operator.email, composed.subject, letter=as_letter(composed))
    await mail.write(work, email)
    return composed


async def count_test(platform: Platform, operator: Operator) -> None:
    """Count a test e-mail of an operator.

    Raises:
        Refused: `RateLimited`.
    """
    bucket = f"mail-test:{operator.user_id}"
    now = platform.clock()
    await limits.take(platform.database, bucket, TESTS_PER_HOUR, now, limits.HOUR)


async def _example(work: UnitOfWork, owner: TemplateOwner) -> Values:
    names = await institution_names(work.db, [owner.institution_id])
    around = Surroundings(
        product=EXAMPLE_PRODUCT if owner.product_id is None else owner.name,
        release=EXAMPLE_RELEASE,
        vendor=names.get(owner.institution_id, ""),
        portal=portal_address(work.address),
    )
    return example_values(around)
