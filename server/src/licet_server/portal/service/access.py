"""Portal access for email addresses that licenses are issued to."""

from collections.abc import Sequence
from uuid import UUID

from licet_server.catalog.reading import product_names
from licet_server.customers.rules.model import Customer
from licet_server.customers.service.customers import fetch_customer, find_customers
from licet_server.events.rules.kinds import EventKind
from licet_server.events.service.recording import record_event
from licet_server.identity.service.by_email import (
    PortalAccess,
    answer_access_requests,
    request_access,
    take_access_requests,
)
from licet_server.identity.service.portal_emails import IssuedBy
from licet_server.identity.service.tokens import PortalView, write_portal_view
from licet_server.identity.service.users import find_users
from licet_server.institutions.rules.operators import Operator
from licet_server.institutions.service.appearance import find_appearances, look_of, shows_itself
from licet_server.kit import mail
from licet_server.kit.database import Connection
from licet_server.kit.emails import normal_email
from licet_server.kit.errors import conflict
from licet_server.kit.origin import Origin
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.licenses.rules.model import License
from licet_server.licenses.service.holders import (
    find_issued_to,
    find_issuers,
    find_receivers,
    is_receiver,
)

_BATCH_SIZE = 100
_NOTHING_TO_SEE = (
    "No license is issued to the email address of this customer, so the portal has nothing to "
    "show them. Issue a license to this address first."
)


async def mail_access(platform: Platform) -> int:
    """Send the requested emails. Returns how many."""
    async with platform.unit_of_work(Origin()) as work:
        emails = await take_access_requests(work, _BATCH_SIZE)
        receivers = await find_receivers(work.db, emails)
        vendors = {email: await _vendors_of(work.db, email) for email in receivers}
        return await answer_access_requests(work, emails, vendors)


async def _vendors_of(db: Connection, email: str) -> IssuedBy:
    shown = await find_appearances(db, await find_issuers(db, email))
    licenses = await find_issued_to(db, email)
    products = [(item.institution_id, item.product_id) for item in licenses]
    called = await product_names(db, list(dict.fromkeys(products)))
    locale = await _language_of(db, licenses)
    single = shown[0] if len(shown) == 1 else None
    is_public = single is not None and await shows_itself(db, single.institution_id)
    return IssuedBy(
        names=[item.display_name for item in shown if item.display_name],
        products=list(dict.fromkeys(called[product_id] for _, product_id in products)),
        only=single.institution_id if single and is_public else None,
        locale=locale,
        welcome=single.welcome_for(locale) if single else None,
        look=look_of(single) if single else mail.PLAIN,
    )


async def _language_of(db: Connection, licenses: Sequence[License]) -> str | None:
    """Return the language of the customer of the newest license whose language is known."""
    keys = [(item.institution_id, item.customer_id) for item in licenses if item.customer_id]
    customers = await find_customers(db, set(keys))
    found = (customers[id_].locale for _, id_ in keys if id_ in customers)
    return next((locale for locale in found if locale), None)


async def send_link(
    work: UnitOfWork, operator: Operator, portal_access: PortalAccess, customer_id: UUID
) -> Customer:
    """Email a customer how to open the portal.

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
