"""Reports of what was paid for orders: chosen by members, and mailed as CSV to them."""

from collections.abc import Callable, Sequence
from datetime import datetime
from uuid import UUID

from licet_server.connectors import errors
from licet_server.connectors.rules.model import OrderFilter, Payment
from licet_server.connectors.rules.reports import (
    BYTES_MAX,
    ORDERS_MAX,
    OrderReport,
    ReportPeriod,
    Span,
    next_begin,
)
from licet_server.connectors.service.orders import ShownOrder, find_orders
from licet_server.connectors.storage import reports as storage
from licet_server.connectors.storage.payments import fetch_payments
from licet_server.connectors.storage.reports import REPORTS
from licet_server.identity.rules.memberships import Role
from licet_server.institutions.rules.members import Recipient
from licet_server.institutions.rules.operators import Operator
from licet_server.institutions.service.institutions import institution_names, time_zones
from licet_server.institutions.service.operators import find_recipients
from licet_server.kit import mail
from licet_server.kit.database import Connection
from licet_server.kit.mail import Attachment, Email, Letter
from licet_server.kit.origin import Origin
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork

AsCsv = Callable[[Sequence[tuple[ShownOrder, Payment | None]]], str]
"""Writes payments with their orders, of which some have none with a known amount."""

_READERS = (Role.OWNER, Role.ADMIN, Role.VIEWER)
"""The roles that see all orders."""


async def list_reports(
    db: Connection, operator: Operator, institution_id: UUID
) -> list[OrderReport]:
    """List who receives reports: all to Owners and Admins, to others whether they do.

    Raises:
        Refused: `NotFound` for an institution that the operator does not see.
    """
    operator.visibility_of(institution_id)  # refuses one that is not seen
    is_admin = operator.is_admin_of(institution_id)
    return [
        report
        for report in await storage.fetch_reports(db, institution_id)
        if is_admin or report.user_id == operator.user_id
    ]


async def choose_report(
    work: UnitOfWork, operator: Operator, institution_id: UUID, user_id: UUID, period: ReportPeriod
) -> OrderReport:
    """Have reports mailed to a member, from the end of the present week or month on.

    Raises:
        Refused: `NotFound`, also for whoever is no member; `Conflict` for one whose role does not
            see orders; `Forbidden` for others without the role.
    """
    _require_choice(operator, institution_id, user_id)
    if await _find(work.db, institution_id, user_id, _READERS) is None:
        is_member = await _find(work.db, institution_id, user_id, tuple(Role)) is not None
        raise errors.sees_no_orders() if is_member else operator.unseen("member")
    zones = await time_zones(work.db, [institution_id])
    report = OrderReport(
        institution_id=institution_id,
        user_id=user_id,
        period=period,
        due_at=next_begin(period, work.now, zones[institution_id]),
    )
    await storage.put_report(work.db, report, lambda: operator.unseen("member"))
    return report


async def stop_report(
    work: UnitOfWork, operator: Operator, institution_id: UUID, user_id: UUID
) -> None:
    """Mail no more reports to a member.

    Raises:
        Refused: `NotFound`, also if there are none; `Forbidden` for others without the role.
    """
    _require_choice(operator, institution_id, user_id)
    if not await storage.delete_report(work.db, institution_id, user_id):
        raise operator.unseen("report")


def _require_choice(operator: Operator, institution_id: UUID, user_id: UUID) -> None:
    operator.visibility_of(institution_id)  # refuses one that is not seen
    if user_id != operator.user_id and not operator.is_admin_of(institution_id):
        raise errors.chosen_by_admins()


async def _find(
    db: Connection, institution_id: UUID, user_id: UUID, roles: Sequence[Role]
) -> Recipient | None:
    found = await find_recipients(db, [institution_id], roles)
    return next((item for item in found if item.user_id == user_id), None)


async def mail_reports(platform: Platform, as_csv: AsCsv) -> int:
    """Mail the reports that are due, one in each transaction; returns how many.

    A period that passed while no process ran is reported late, and each once.
    """
    count = 0
    while True:
        async with platform.unit_of_work(Origin()) as work:
            report = await storage.claim_due(work.db, work.now)
            if report is None:
                return count
            count += await _mail_report(work, report, as_csv)


async def _mail_report(work: UnitOfWork, report: OrderReport, as_csv: AsCsv) -> bool:
    """Mail a report that the caller has locked, and plan the next; returns whether it was mailed.

    Members who see orders no more, or whose address is not verified, get none.
    """
    institution_id = report.institution_id
    zone = (await time_zones(work.db, [institution_id]))[institution_id]
    report = report.due_in(zone, work.now)
    if report.due_at > work.now:
        await REPORTS.save(work.db, report)
        return False
    await REPORTS.save(work.db, report.after(zone))
    reader = await _find(work.db, institution_id, report.user_id, _READERS)
    if reader is None or not reader.email_verified:
        return False
    span = report.span(zone)
    orders = await _orders_of(work.db, institution_id, span.since, span.until)
    csv = None
    if len(orders) <= ORDERS_MAX:
        csv = as_csv(await _payments_of(work.db, institution_id, orders, span))
        csv = csv if len(csv.encode()) <= BYTES_MAX else None
    names = await institution_names(work.db, [institution_id])
    await mail.write(
        work,
        report_of_orders(reader.email, names[institution_id], span, len(orders), csv, work.address),
    )
    return True


async def _orders_of(
    db: Connection, institution_id: UUID, since: datetime, until: datetime
) -> list[ShownOrder]:
    """Find the orders of a period, apart from tests, or one more than a report may have."""
    filters = OrderFilter(since=since, until=until, is_test=False)
    return await find_orders(db, institution_id, filters, ORDERS_MAX + 1)


async def _payments_of(
    db: Connection, institution_id: UUID, orders: Sequence[ShownOrder], span: Span
) -> list[tuple[ShownOrder, Payment | None]]:
    """Find what was paid for orders in a period, in the order in which it was."""
    payments = await fetch_payments(db, institution_id, [shown.order.id for shown in orders])
    found: list[tuple[ShownOrder, Payment | None]] = []
    for shown in orders:
        of_order = payments.get(shown.order.id)
        if of_order is None:
            found.append((shown, None))
            continue
        found += [(shown, it) for it in of_order if span.since <= it.happened_at < span.until]
    return sorted(found, key=_instant_of)


def _instant_of(line: tuple[ShownOrder, Payment | None]) -> datetime:
    shown, payment = line
    return shown.order.created_at if payment is None else payment.happened_at


def report_of_orders(
    recipient: str, institution: str, span: Span, count: int, csv: str | None, address: str
) -> Email:
    """Return the report to a recipient; without the CSV it has a link to the orders instead."""
    orders = f"The orders of {institution} from {span.name}"
    if csv is None:
        told = [
            f"{orders} are too many to attach. Open them in the dashboard, and export them there:",
            f"{address}/orders?testMode=false&from={span.first}&to={span.last}",
        ]
    elif count == 0:
        told = [f"{institution} had no orders in this period: {span.name}."]
    else:
        told = [f"{orders} are attached as CSV, with each payment and refund: {count:,}."]
    told += ["Test sales are left out.", "Change or stop these reports:"]
    told.append(f"{address}/orders?reports=open")
    return Email(
        recipient,
        f"Orders of {institution}: {span.name}",
        letter=Letter(
            text=mail.as_text(told),
            html=mail.as_html(told),
            sender_name=institution,
            reply_to=None,
            attachment=Attachment(f"orders-{span.first}.csv", csv) if csv and count else None,
        ),
    )
