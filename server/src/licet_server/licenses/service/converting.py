"""Converts a license from any model to any other, with the same key."""

from collections.abc import Sequence
from datetime import date
from uuid import UUID

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from licet_server.catalog.service.lookup import fetch_product
from licet_server.events.rules.kinds import EventKind
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.errors import bad_fields
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.licenses.rules.converting import Conversion, converted
from licet_server.licenses.rules.model import LicenseStatus
from licet_server.licenses.rules.transitions import term_is_over
from licet_server.licenses.service.customers import customer_after, customer_breaches
from licet_server.licenses.service.holders import customer_of
from licet_server.licenses.service.hooks import LicenseHooks, TermsChange, report_changes
from licet_server.licenses.service.issuing import future_end, receiver_breaches
from licet_server.licenses.service.lifecycle import save_change
from licet_server.licenses.service.reading import lock_license


async def convert(
    work: UnitOfWork,
    operator: Operator,
    license_id: UUID,
    wanted: Conversion,
    *,
    end: date | UnsetType | None,
    keep: Sequence[UUID] = (),
    hooks: LicenseHooks,
) -> TermsChange:
    """Convert a license, and return it with what became of what it held.

    The term ends at `end`. Devices above a new cap are over the limit, the newest first; those to
    `keep` have their seats first. Sessions of devices without a seat end where the new model needs
    one. The balance of a model that is metered no more is kept with the license.

    Raises:
        Refused: `NotFound`, `Forbidden`, `Conflict` for a revoked license, `InvalidRequest` naming
            every bad field.
    """
    current = await lock_license(work.db, operator, license_id)
    work = work.at(current.clock)
    if end is not UNSET:
        end = await future_end(work, current.institution_id, end)
    after = converted(current, replace(wanted, expiration_date=end), work.now)
    breaches = await receiver_breaches(work.db, current.institution_id, wanted.issued_to)
    customer = customer_after(current, after, work.now)
    if customer is not None:
        product = await fetch_product(work.db, operator, current.product_id)
        breaches += await customer_breaches(work, operator, product, customer)
    if breaches:
        raise bad_fields(breaches)
    if after.issued_to != current.issued_to:
        customer_id = await customer_of(work, current.institution_id, after.issued_to)
        after = replace(after, customer_id=customer_id)
    if term_is_over(current, work.now) and not term_is_over(after, work.now):
        await hooks.licenses_ended(work, [current], LicenseStatus.EXPIRED)
    saved = await save_change(work, EventKind.LICENSE_CONVERTED, current, after)
    change = TermsChange(current, saved, tuple(dict.fromkeys(keep)))
    await report_changes(work, hooks, [change])
    return change
