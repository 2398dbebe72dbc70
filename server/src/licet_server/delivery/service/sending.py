"""Mails a license to its receiver on request, and lists what was sent."""

from uuid import UUID

from licet_server.delivery import errors
from licet_server.delivery.rules.kinds import MailKind
from licet_server.delivery.rules.model import (
    DAY,
    HOUR,
    MAILS_PER_DAY,
    SENDS_PER_HOUR,
    LicenseMail,
    LicenseMailFilter,
    mismatch_of,
)
from licet_server.delivery.service.receivers import Addressed, address_licenses
from licet_server.delivery.service.templates import TemplateOwner, fetch_template
from licet_server.delivery.service.writing import Draft, write_mails
from licet_server.delivery.storage import mails as storage
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.database import Connection
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.licenses.service.reading import lock_license


async def send(
    work: UnitOfWork,
    operator: Operator,
    license_id: UUID,
    kind: MailKind = MailKind.ISSUED,
    locale: str | None = None,
) -> LicenseMail:
    """Mail a license to its receiver, in their language or in the given one.

    Raises:
        Refused: `NotFound`, `Forbidden`, `Conflict` if it has no receiver with an address or the
            e-mail would not be true, `RateLimited`.
    """
    # Locked, so that requests at the same time count each other.
    license_ = await lock_license(work.db, operator, license_id)
    if (reason := mismatch_of(kind, license_)) is not None:
        raise errors.not_true_of(reason)
    addressed = (await address_licenses(work, [license_])).get(license_.id)
    if addressed is None:
        raise errors.no_receiver()
    await _require_room(work, addressed)
    owner = TemplateOwner(license_.institution_id, license_.product_id, "")
    template = (await fetch_template(work.db, owner, kind)).effective
    draft = Draft(addressed=addressed, kind=kind, template=template, locale=locale)
    [written] = await write_mails(work, [draft])
    return written


async def _require_room(work: UnitOfWork, addressed: Addressed) -> None:
    license_ = addressed.license
    sent = await storage.count_of_license(
        work.db, license_.institution_id, license_.id, work.now - HOUR
    )
    if sent >= SENDS_PER_HOUR:
        raise errors.too_many_sends(SENDS_PER_HOUR, int(HOUR.total_seconds()))
    to = (license_.institution_id, addressed.receiver.email.lower())
    written = await storage.count_to(work.db, [to], work.now - DAY)
    if written.get(to, 0) >= MAILS_PER_DAY:
        raise errors.too_many_to_address(MAILS_PER_DAY, int(HOUR.total_seconds()))


async def list_mails(
    db: Connection,
    operator: Operator,
    institution_id: UUID | None,
    filters: LicenseMailFilter,
    paging: Paging,
) -> Listing[LicenseMail]:
    """List the e-mails of the institutions in which the operator has the role the route requires.

    Raises:
        Refused: `NotFound`, `Forbidden`.
    """
    return await storage.list_mails(db, operator.authorized(institution_id), filters, paging)
