"""Reads and writes who receives reports of orders."""

from collections.abc import Callable, Collection
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Delete, Select, delete
from sqlalchemy.dialects.postgresql import insert as upsert

from licet_server.connectors.rules.reports import OrderReport
from licet_server.connectors.tables import order_reports as reports
from licet_server.kit.database import Connection
from licet_server.kit.errors import Refused
from licet_server.kit.kept import kept
from licet_server.kit.rows import Rows, refuse_violations


def _within(institution_ids: Collection[UUID]) -> ColumnElement[bool]:
    return reports.c.institution_id.in_(institution_ids)


REPORTS = Rows(reports, OrderReport, _within)


async def fetch_reports(db: Connection, institution_id: UUID) -> list[OrderReport]:
    """Fetch the reports of an institution."""
    return await REPORTS.all(db, *_reports(institution_id))


@kept
def _reports(institution_id: UUID) -> Select[Any]:
    return REPORTS.select(reports.c.institution_id == institution_id).order_by(reports.c.user_id)


async def put_report(db: Connection, report: OrderReport, no_member: Callable[[], Refused]) -> None:
    """Store the report of a member, in place of the one that they had."""
    chosen = {"period": report.period, "due_at": report.due_at}
    of_member = {"institution_id": report.institution_id, "user_id": report.user_id}
    statement = upsert(reports).values(of_member | chosen)
    with refuse_violations({}, no_member):
        await db.execute(
            statement.on_conflict_do_update(index_elements=list(of_member), set_=chosen)
        )


async def delete_report(db: Connection, institution_id: UUID, user_id: UUID) -> bool:
    """Delete the report of a member; return whether there was one."""
    return (await db.execute(*_deleting(institution_id, user_id))).rowcount > 0


@kept
def _deleting(of_institution: UUID, of_user: UUID) -> Delete:
    return delete(reports).where(
        reports.c.institution_id == of_institution, reports.c.user_id == of_user
    )


async def claim_due(db: Connection, now: datetime) -> OrderReport | None:
    """Lock a report that is due and that no process has locked."""
    return await REPORTS.one(db, *_claiming(now))


@kept
def _claiming(now: datetime) -> Select[Any]:
    return (
        REPORTS.select(reports.c.due_at <= now)
        .order_by(reports.c.due_at)
        .limit(1)
        .with_for_update(skip_locked=True)
    )
