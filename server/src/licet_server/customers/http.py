"""Routes of customers."""

from typing import Annotated
from uuid import UUID

from litestar.params import FromPath, JSONBody, QueryParameter

from licet_server.customers.rules.model import Customer, CustomerFigures, CustomerFilter, Holding
from licet_server.customers.schemas import (
    CustomerBody,
    CustomerChange,
    CustomerErasureView,
    CustomerExport,
    CustomerNoteBody,
    CustomerView,
    EraseCustomerBody,
    ListedCustomerView,
    MergeCustomerBody,
    customer_erasure,
    customer_export,
    customer_view,
    listed_customer_view,
)
from licet_server.customers.service import customers
from licet_server.customers.service import personal_data as erasing
from licet_server.customers.service.hooks import CustomerLicenses, PersonalDataOfFeatures
from licet_server.identity.access import StepUp
from licet_server.identity.rules.memberships import Role
from licet_server.institutions.access import InstitutionRole
from licet_server.institutions.rules.operators import Operator, Scope
from licet_server.kit.database import Connection
from licet_server.kit.errors import ErrorCode
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.platform import Platform
from licet_server.kit.tags import TAG_FILTER, KnownTags, wanted_tags
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.kit.web.admission import take_place
from licet_server.kit.web.context import HttpRequest
from licet_server.kit.web.csv import EXPORTS, list_or_csv
from licet_server.kit.web.dependencies import Given
from licet_server.kit.web.routes import Routes

ROUTES = Routes("Customers")
_PATH = "/api/customers/{customer_id:uuid}"
_READ = InstitutionRole(Role.VIEWER, Scope.CUSTOMERS_READ)
_WRITE = InstitutionRole(Role.ADMIN, Scope.CUSTOMERS_WRITE)


@ROUTES.get("/api/customers", access=_READ, problems=(ErrorCode.NOT_FOUND,))
async def list_customers(
    request: HttpRequest,
    db: Given[Connection],
    platform: Given[Platform],
    operator: Given[Operator],
    customer_licenses: Given[CustomerLicenses],
    paging: Given[Paging],
    search: Annotated[
        str | None,
        QueryParameter(
            max_length=200,
            description="Beginnings of words of name, address, company or reference, or a tag.",
        ),
    ] = None,
    tags: Annotated[
        list[str] | None,
        QueryParameter(name="tag", description=TAG_FILTER),
    ] = None,
    ids: Annotated[
        list[UUID] | None,
        QueryParameter(
            name="id", max_items=100, description="A customer; given several times, all of these."
        ),
    ] = None,
    holding: Annotated[
        Holding | None,
        QueryParameter(
            name="licenses",
            description="Those with an active license, with none that is active, or with one that "
            "expired.",
        ),
    ] = None,
    institution_id: Annotated[UUID | None, QueryParameter(name="institutionId")] = None,
) -> Listing[ListedCustomerView]:
    """List customers; with `Accept: text/csv`, the whole list as CSV.

    Sorts by createdAt, email, name, updatedAt. Members see none.
    """
    filters = CustomerFilter(
        search=(search or "").strip() or None,
        tags=wanted_tags(tags),
        ids=tuple(ids) if ids else None,
        holding=holding,
    )
    now = platform.clock()

    async def fetch(connection: Connection, step: Paging) -> Listing[ListedCustomerView]:
        listing = await customers.list_customers(
            connection,
            operator,
            step,
            filters,
            institution_id,
            licenses=customer_licenses,
            now=now,
        )
        found = await customer_licenses.figures(connection, listing.items, now)
        with_paid = operator.covers(Scope.CONNECTORS_READ)
        return listing.with_items(
            [
                listed_customer_view(
                    item, found.get(item.id, CustomerFigures()), with_paid=with_paid
                )
                for item in listing.items
            ]
        )

    of = institution_id or operator.first_institution
    return await list_or_csv(
        request,
        db,
        platform,
        paging,
        operator.user_id,
        of,
        "customers.csv",
        ListedCustomerView,
        fetch,
    )


@ROUTES.post("/api/customers", access=_WRITE, problems=(ErrorCode.CONFLICT,))
async def create_customer(
    work: Given[UnitOfWork], operator: Given[Operator], data: JSONBody[CustomerBody]
) -> CustomerView:
    """Create a customer. Issuing a license creates one, too, if its address has none."""
    return customer_view(await customers.create_customer(work, operator, data.fields()), 0)


@ROUTES.get("/api/customers/tags", access=_READ, problems=(ErrorCode.NOT_FOUND,))
async def list_customer_tags(
    db: Given[Connection],
    operator: Given[Operator],
    institution_id: Annotated[UUID | None, QueryParameter(name="institutionId")] = None,
) -> KnownTags:
    """List up to 500 tags, those of the newest 5,000 customers that have any."""
    return KnownTags(list(await customers.known_tags(db, operator, institution_id)))


@ROUTES.get(_PATH, access=_READ)
async def show_customer(
    keyed: Given[Connection],
    operator: Given[Operator],
    customer_licenses: Given[CustomerLicenses],
    customer_id: FromPath[UUID],
) -> CustomerView:
    """Get a customer."""
    customer = await customers.fetch_customer(keyed, operator, customer_id)
    [view] = await _views(keyed, customer_licenses, customer)
    return view


@ROUTES.put(_PATH, access=_WRITE, problems=(ErrorCode.CONFLICT, ErrorCode.RATE_LIMITED))
async def change_customer(
    work: Given[UnitOfWork],
    platform: Given[Platform],
    operator: Given[Operator],
    customer_licenses: Given[CustomerLicenses],
    customer_id: FromPath[UUID],
    data: JSONBody[CustomerChange],
) -> CustomerView:
    """Change a customer. With another `email`, the licenses issued to the present one move along.

    Both addresses get an email then. The portal shows the licenses to the new address only, and
    orders that name the former one still belong to the customer. With `moveLicenses: false`, the
    licenses stay issued to the former address. Accounts do not change.
    """
    change = (work, operator, customer_id, data.changes())
    if data.move_licenses:
        customer = await customers.change_with_licenses(
            *change, licenses=customer_licenses, database=platform.database
        )
    else:
        customer = await customers.change_customer(*change)
    [view] = await _views(work.db, customer_licenses, customer)
    return view


@ROUTES.delete(_PATH, access=_WRITE, problems=(ErrorCode.CONFLICT,))
async def delete_customer(
    work: Given[UnitOfWork],
    operator: Given[Operator],
    customer_licenses: Given[CustomerLicenses],
    customer_id: FromPath[UUID],
) -> None:
    """Delete a customer without licenses."""
    await customers.delete_customer(work, operator, customer_id, licenses=customer_licenses)


@ROUTES.post(f"{_PATH}/notes", access=_WRITE, status_code=204)
async def add_note_about_customer(
    work: Given[UnitOfWork],
    operator: Given[Operator],
    customer_id: FromPath[UUID],
    data: JSONBody[CustomerNoteBody],
) -> None:
    """Add a note to the events of a customer, for the team of the vendor only.

    It is the event `customer.noted`, with time and author: it cannot be changed, and no webhook
    receives it. `notes` of the customer is another text.
    """
    await customers.add_note(work, operator, customer_id, data.note)


@ROUTES.act(f"{_PATH}/merge", access=_WRITE)
async def merge_customer(
    work: Given[UnitOfWork],
    operator: Given[Operator],
    customer_licenses: Given[CustomerLicenses],
    customer_id: FromPath[UUID],
    data: JSONBody[MergeCustomerBody],
) -> CustomerView:
    """Merge a duplicate into the customer `intoId`, and respond with the latter.

    They get the licenses of the duplicate, which stay issued to the addresses that they are issued
    to, and the details that they lack. The duplicate is deleted.
    """
    kept = await customers.merge_customer(
        work, operator, customer_id, data.into_id, licenses=customer_licenses
    )
    [view] = await _views(work.db, customer_licenses, kept)
    return view


@ROUTES.get(f"{_PATH}/export", access=InstitutionRole(Role.ADMIN, Scope.CUSTOMERS_READ))
async def export_customer(
    request: HttpRequest,
    db: Given[Connection],
    platform: Given[Platform],
    operator: Given[Operator],
    customer_licenses: Given[CustomerLicenses],
    personal_data: Given[PersonalDataOfFeatures],
    customer_id: FromPath[UUID],
) -> CustomerExport:
    """Export all that is stored of the person, as JSON, apart from archives.

    Their account is not part of it. It is for them alone to see, and so is whether they have one.
    """
    customer = await customers.fetch_customer(db, operator, customer_id)
    await take_place(request, EXPORTS, operator.user_id, customer.institution_id)
    found = await erasing.export(
        db,
        customer,
        platform.clock(),
        licenses=customer_licenses,
        data=personal_data,
    )
    counts = await customer_licenses.count(db, [found.customer])
    return customer_export(found, counts.get(found.customer.id, 0))


@ROUTES.act(
    f"{_PATH}/erase",
    access=InstitutionRole(Role.OWNER),
    step_up=StepUp(),
    problems=(ErrorCode.CONFLICT,),
)
async def erase_customer(
    work: Given[UnitOfWork],
    operator: Given[Operator],
    customer_licenses: Given[CustomerLicenses],
    personal_data: Given[PersonalDataOfFeatures],
    customer_id: FromPath[UUID],
    data: JSONBody[EraseCustomerBody],
) -> CustomerErasureView:
    """Erase the person, which cannot be undone, and respond with what is left of the customer.

    The person is found by IDs and whole addresses, not by their name. Names, addresses and notes
    are replaced wherever the database has them of this customer, the audit log included, whose
    seals still hold. The licenses are revoked, or kept without a name. Balances and ledgers keep
    their amounts. Members of the institution cannot be erased. With `dryRun: true`, nothing is
    replaced, and the response says what would be.
    """
    if data.dry_run:
        erasure = await erasing.preview_erasure(
            work, operator, customer_id, licenses=customer_licenses, data=personal_data
        )
    else:
        erasure = await erasing.erase(
            work,
            operator,
            customer_id,
            data.licenses,
            licenses=customer_licenses,
            data=personal_data,
        )
    counts = await customer_licenses.count(work.db, [erasure.customer])
    return customer_erasure(erasure, counts.get(erasure.customer.id, 0), dry_run=data.dry_run)


async def _views(
    db: Connection, licenses: CustomerLicenses, *found: Customer
) -> list[CustomerView]:
    counts = await licenses.count(db, found)
    return [customer_view(item, counts.get(item.id, 0)) for item in found]
