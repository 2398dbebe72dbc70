"""Reports of what was paid for orders: chosen for members and others, and mailed as CSV to them."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, tzinfo
from typing import NamedTuple
from uuid import UUID

from msgspec import structs

from licet_server.connectors import errors
from licet_server.connectors.rules.model import OrderFilter, Payment
from licet_server.connectors.rules.reports import (
    ADDRESSES_MAX,
    BYTES_MAX,
    ORDERS_MAX,
    SENT_NOW_PER_HOUR,
    STOPS,
    OrderReport,
    ReportPeriod,
    ReportStatus,
    Span,
    last_span,
    report_of_token,
    span_before,
    stop_token,
)
from licet_server.connectors.service.orders import ShownOrder, find_orders
from licet_server.connectors.storage import reports as storage
from licet_server.connectors.storage.payments import fetch_payments
from licet_server.connectors.storage.reports import REPORTS
from licet_server.events.rules.kinds import EventKind
from licet_server.events.service.recording import Recorder
from licet_server.identity.rules.memberships import Role
from licet_server.institutions.rules.members import Recipient
from licet_server.institutions.rules.operators import Operator
from licet_server.institutions.service.appearance import find_looks
from licet_server.institutions.service.institutions import time_zones
from licet_server.institutions.service.members import lock_institution
from licet_server.institutions.service.operators import find_recipients
from licet_server.kit import limits, mail
from licet_server.kit.database import Connection
from licet_server.kit.dates import day_in_words
from licet_server.kit.errors import not_found
from licet_server.kit.mail import Action, Attachment, Email, Look, MailStatus, Outcome
from licet_server.kit.origin import Origin
from licet_server.kit.platform import Platform
from licet_server.kit.rows import refuse_violations
from licet_server.kit.unit_of_work import UnitOfWork

AsCsv = Callable[[Sequence[tuple[ShownOrder, Payment | None]]], str]
"""Writes payments with their orders, of which some have none with a known amount."""

_READERS = (Role.OWNER, Role.ADMIN, Role.VIEWER)
"""The roles that see all orders."""

_STATUSES = {MailStatus.SENT: ReportStatus.SENT, MailStatus.FAILED: ReportStatus.FAILED}
_NO_READER = "The role of this member does not see orders."
_NOT_VERIFIED = "The email address of this member is not verified."


class Plan(NamedTuple):
    """How often a report is sent, and at what time of the day."""

    period: ReportPeriod
    time_of_day: str


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
    work: UnitOfWork, operator: Operator, institution_id: UUID, report_id: UUID, plan: Plan
) -> OrderReport:
    """Have reports mailed to a member, whose user ID this is, or to an address that has some.

    Raises:
        Refused: `NotFound`, also if the ID is of neither; `Conflict` for a member whose role does
            not see orders, and for an address that has stopped them; `Forbidden` for others
            without the role.
    """
    _require_choice(operator, institution_id, report_id)
    zone = (await time_zones(work.db, [institution_id]))[institution_id]
    current = await REPORTS.lock(work.db, [institution_id], report_id)
    if current is None or current.email is None:
        await _require_reader(work.db, operator, institution_id, report_id)
    if current is None:
        chosen = _new(institution_id, report_id, plan).planned(*plan, zone, work.now)
        chosen = replace(chosen, user_id=report_id)
        with refuse_violations({}, lambda: operator.unseen("member")):
            is_new = await storage.insert_report(work.db, chosen)
        # Somebody else may have chosen meanwhile, whose plan is replaced.
        current = None if is_new else await REPORTS.lock(work.db, [institution_id], report_id)
        if current is None:
            return chosen
    if current.stopped_at is not None:
        raise errors.report_stopped()
    changed = current.planned(*plan, zone, work.now)
    await REPORTS.save(work.db, changed)
    if changed.email is not None:
        await _EVENTS.changed(work, EventKind.ORDER_REPORT_UPDATED, current, changed)
    return changed


async def add_address(
    work: UnitOfWork, operator: Operator, institution_id: UUID, email: str, plan: Plan
) -> OrderReport:
    """Have reports mailed to an address outside the team, which can stop them.

    Raises:
        Refused: `NotFound`; `Forbidden` without the role; `Conflict` for an address that has some
            or has stopped them, and beyond ten addresses.
    """
    operator.visibility_of(institution_id)  # refuses one that is not seen
    if not operator.is_admin_of(institution_id):
        raise errors.chosen_by_admins()
    await lock_institution(work, institution_id)  # so that what others add is counted
    found = await storage.fetch_reports(work.db, institution_id)
    if sum(item.email is not None for item in found) >= ADDRESSES_MAX:
        raise errors.too_many_report_addresses(ADDRESSES_MAX)
    zone = (await time_zones(work.db, [institution_id]))[institution_id]
    report = _new(institution_id, work.new_id(), plan).planned(*plan, zone, work.now)
    report = replace(report, email=email)
    if not await storage.insert_report(work.db, report):
        raise errors.has_report()
    await _EVENTS.created(work, EventKind.ORDER_REPORT_CREATED, report)
    return report


async def stop_report(
    work: UnitOfWork, operator: Operator, institution_id: UUID, report_id: UUID
) -> None:
    """Mail no more reports to a member or an address, which is forgotten.

    Raises:
        Refused: `NotFound`, also if there are none; `Forbidden` for others without the role.
    """
    _require_choice(operator, institution_id, report_id)
    current = await REPORTS.lock(work.db, [institution_id], report_id)
    if current is None:
        raise operator.unseen("report")
    await REPORTS.delete(work.db, current)
    if current.email is not None:
        await _EVENTS.deleted(work, EventKind.ORDER_REPORT_DELETED, current)


async def stop_by_token(work: UnitOfWork, token: str) -> None:
    """Mail no more reports to the address whose emails have this token; others go on.

    Raises:
        Refused: `NotFound` for a wrong token, and for an address that an Admin has removed.
    """
    named = report_of_token(token, work.keyring.derive(STOPS))
    current = None if named is None else await REPORTS.lock(work.db, [named[0]], named[1])
    if current is None or current.email is None:
        raise not_found("report")
    if current.stopped_at is None:
        stopped = current.stopped(work.now)
        await REPORTS.save(work.db, stopped)
        await _EVENTS.happened(work, EventKind.ORDER_REPORT_STOPPED, stopped)


def _new(institution_id: UUID, report_id: UUID, plan: Plan) -> OrderReport:
    return OrderReport(
        institution_id=institution_id, id=report_id, user_id=None, email=None, period=plan.period
    )


def _facts(report: OrderReport) -> dict[str, object]:
    return {"email": report.email, "period": report.period, "timeOfDay": report.time_of_day}


_EVENTS = Recorder(_facts)


def _require_choice(operator: Operator, institution_id: UUID, report_id: UUID) -> None:
    operator.visibility_of(institution_id)  # refuses one that is not seen
    if report_id != operator.user_id and not operator.is_admin_of(institution_id):
        raise errors.chosen_by_admins()


async def _require_reader(
    db: Connection, operator: Operator, institution_id: UUID, user_id: UUID
) -> None:
    if await _find(db, institution_id, user_id, _READERS) is None:
        is_member = await _find(db, institution_id, user_id, tuple(Role)) is not None
        raise errors.sees_no_orders() if is_member else operator.unseen("member")


async def _find(
    db: Connection, institution_id: UUID, user_id: UUID, roles: Sequence[Role]
) -> Recipient | None:
    found = await find_recipients(db, [institution_id], roles)
    return next((item for item in found if item.user_id == user_id), None)


async def send_now(
    platform: Platform,
    origin: Origin,
    operator: Operator,
    institution_id: UUID,
    period: ReportPeriod,
    as_csv: AsCsv,
) -> None:
    """Mail the report of the last period that is over to the operator, to be checked.

    Raises:
        Refused: `NotFound`; `Forbidden` without the role, or without a verified address;
            `RateLimited`.
    """
    operator.authorized(institution_id)
    operator.require_verified_email()
    bucket = f"order-report:{operator.user_id}"
    now = platform.clock()
    await limits.take(platform.database, bucket, SENT_NOW_PER_HOUR, now, limits.HOUR)
    async with platform.unit_of_work(origin) as work:
        zone = (await time_zones(work.db, [institution_id]))[institution_id]
        span = last_span(period, work.now, zone)
        await _write(work, institution_id, operator.email, span, zone, as_csv, None)


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
    if report.due_on is None or report.due_at is None or report.due_at > work.now:
        await REPORTS.save(work.db, report)
        return False
    span = span_before(report.period, report.due_on, zone)
    done = replace(report.after(zone), last_at=work.now, last_mail_id=None)
    recipient, error = report.email, None
    if report.user_id is not None:
        reader = await _find(work.db, institution_id, report.user_id, _READERS)
        recipient = None if reader is None or not reader.email_verified else reader.email
        error = _NO_READER if reader is None else _NOT_VERIFIED
    if recipient is None:
        await REPORTS.save(work.db, done.settled(ReportStatus.FAILED, error))
        return False
    stop = None
    if report.email is not None:
        token = stop_token(report, work.keyring.derive(STOPS))
        stop = f"{work.address}/stop-reports?token={token}"
    mail_id = await _write(work, institution_id, recipient, span, zone, as_csv, stop)
    done = replace(done, last_mail_id=mail_id)
    await REPORTS.save(work.db, done.settled(ReportStatus.QUEUED, None))
    return True


async def _write(
    work: UnitOfWork,
    institution_id: UUID,
    recipient: str,
    span: Span,
    zone: tzinfo,
    as_csv: AsCsv,
    stop: str | None,
) -> UUID:
    """Queue the report of a period; returns the ID of its email."""
    orders = await _orders_of(work.db, institution_id, span.since, span.until)
    csv = None
    if len(orders) <= ORDERS_MAX:
        csv = as_csv(await _payments_of(work.db, institution_id, orders, span))
        csv = csv if len(csv.encode()) <= BYTES_MAX else None
    look = (await find_looks(work.db, [institution_id]))[institution_id]
    email = report_of_orders(recipient, look, span, str(zone), len(orders), csv, work.address, stop)
    return await mail.write(work, replace(email, vendor_id=institution_id))


async def settle_reports(work: UnitOfWork, outcomes: Sequence[Outcome]) -> None:
    """Store what became of the emails with reports."""
    for outcome in outcomes:
        report = await storage.lock_of_mail(work.db, outcome.vendor_id, outcome.mail_id)
        if report is not None:
            status = _STATUSES.get(outcome.status, ReportStatus.QUEUED)
            await REPORTS.save(work.db, report.settled(status, outcome.error))


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
    recipient: str,
    look: Look,
    span: Span,
    zone: str,
    count: int,
    csv: str | None,
    address: str,
    stop: str | None,
) -> Email:
    """Return the report to a recipient; without the CSV it has a link to the orders instead.

    `stop` is the link that stops it, for a recipient outside the team.
    """
    title = f"Orders of {look.name}: {span.name}"
    days = f"{day_in_words(span.first, 'en')} to {day_in_words(span.last, 'en')}"
    content: list[str | Action] = [title]
    if csv is None:
        days_of = f"from={span.first}&to={span.last}"
        content += [
            "These are too many orders to attach. Open them in the dashboard, and export them:",
            Action("Open the orders", f"{address}/orders?testMode=false&{days_of}"),
        ]
    elif count == 0:
        content.append("There were no orders in this period.")
    else:
        orders = "1 order is" if count == 1 else f"{count:,} orders are"
        content.append(f"{orders} attached as CSV, with each payment and refund.")
    content.append(f"Period: {days}, time zone {zone}. Test sales are left out.")
    if stop is None:
        content += [
            "You can change or stop these reports in the dashboard:",
            Action("Open the reports", f"{address}/orders?reports=open"),
        ]
    else:
        content += [
            f"{look.name} has these reports sent to {recipient}. You can stop them:",
            Action("Stop these reports", stop),
        ]
    file = Attachment(f"orders-{span.first}.csv", csv) if csv and count else None
    letter = structs.replace(mail.letter_of(content, "en", look), attachment=file)
    return Email(recipient, title, letter=letter)
