"""Portal access for e-mail addresses that licenses are issued to."""

from uuid import UUID

from licet_server.customers.rules.model import Customer
from licet_server.customers.service.customers import fetch_customer
from licet_server.events.rules.kinds import EventKind
from licet_server.events.service.recording import record_event
from licet_server.identity.service.by_email import (
    PortalAccess,
    answer_access_requests,
    request_access,
    take_access_requests,
)
from licet_server.identity.service.emails import IssuedBy
from licet_server.identity.service.tokens import PortalView, write_portal_view
from licet_server.identity.service.users import find_users
from licet_server.institutions.rules.operators import Operator
from licet_server.institutions.service.appearance import find_appearances, shows_itself
from licet_server.kit.database import Connection
from licet_server.kit.emails import normal_email
from licet_server.kit.errors import conflict
from licet_server.kit.origin import Origin
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.licenses.service.holders import find_issuers, find_receivers, is_receiver

_BATCH_SIZE = 100
_NOTHING_TO_SEE = (
    "No license is issued to the e-mail address of this customer, so the portal has nothing to "
    "show them. Issue a license to this address first."
)


async def mail_access(platform: Platform) -> int:
    """Send the requested e-mails. Returns how many."""
    async with platform.unit_of_work(Origin()) as work:
        emails = await take_access_requests(work, _BATCH_SIZE)
        receivers = await find_receivers(work.db, emails)
        vendors = {email: await _vendors_of(work.db, email) for email in receivers}
        return await answer_access_requests(work, emails, vendors)


async def _vendors_of(db: Connection, email: str) -> IssuedBy:
    shown = await find_appearances(db, await find_issuers(db, email))
    names = [item.display_name for item in shown if item.display_name]
    only = shown[0].institution_id if len(shown) == 1 else None
    return IssuedBy(names, only if only and await shows_itself(db, only) else None)


async def send_link(
    work: UnitOfWork, operator: Operator, portal_access: PortalAccess, customer_id: UUID
) -> Customer:
    """E-mail a customer how to open the portal.

    Raises:
        Refused: `NotFound`, `Forbidden`, `Conflict` if no license is issued to the address of the
            customer, `RateLimited`.
    """
    customer = await fetch_customer(work.db, operator, customer_id)
    if not await is_receiver(work.db, customer.institution_id, customer.email):
        raise conflict(_NOTHING_TO_SEE)
    email = normal_email(customer.email)
    await portal_access.count_request(work.origin, email)
    await request_access(work, email)
    await _record(work, EventKind.CUSTOMER_PORTAL_LINK_SENT, customer)
    return customer


async def open_view(work: UnitOfWork, operator: Operator, customer_id: UUID) -> str:
    """Return a token that reads the portal as a customer, and record who looks."""
    customer = await fetch_customer(work.db, operator, customer_id)
    operator.authorize(customer.institution_id)
    users = await find_users(work.db, [customer.email])
    view = PortalView(
        user_id=operator.user_id,
        sign_in_id=operator.sign_in_id,
        institution_id=customer.institution_id,
        # Nothing is issued to the id of a customer without an account.
        receiver_id=users[0].id if users else customer.id,
        email=customer.email,
    )
    await _record(work, EventKind.CUSTOMER_PORTAL_VIEWED, customer)
    return write_portal_view(work.keyring, work.now, view)


async def _record(work: UnitOfWork, kind: EventKind, customer: Customer) -> None:
    await record_event(
        work,
        kind,
        institution_id=customer.institution_id,
        subject_id=customer.id,
        data={"id": customer.id, "name": customer.name, "email": customer.email},
    )
