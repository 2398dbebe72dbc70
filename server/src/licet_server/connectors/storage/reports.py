"""Reads and writes who receives reports of orders."""

from collections.abc import Collection
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Select, and_, delete, func
from sqlalchemy.dialects.postgresql import insert as upsert

from licet_server.connectors.rules.reports import OrderReport
from licet_server.connectors.tables import order_reports as reports
from licet_server.kit.database import Connection
from licet_server.kit.kept import kept
from licet_server.kit.personal import export_rows
from licet_server.kit.rows import Rows


def _within(institution_ids: Collection[UUID]) -> ColumnElement[bool]:
    return reports.c.institution_id.in_(institution_ids)


REPORTS = Rows(reports, OrderReport, _within)


async def fetch_reports(db: Connection, institution_id: UUID) -> list[OrderReport]:
    """Fetch the reports of an institution."""
    return await REPORTS.all(db, *_reports(institution_id))


@kept
def _reports(institution_id: UUID) -> Select[Any]:
    return REPORTS.select(reports.c.institution_id == institution_id).order_by(reports.c.id)


async def insert_report(db: Connection, report: OrderReport) -> bool:
    """Store a new report; return whether its reader had none.

    Raises:
        IntegrityError: for a user who is no member.
    """
    statement = upsert(reports).values(REPORTS.values(report)).on_conflict_do_nothing()
    return (await db.execute(statement)).rowcount > 0


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


async def lock_of_mail(db: Connection, institution_id: UUID, mail_id: UUID) -> OrderReport | None:
    """Lock the report that was last sent as this email."""
    return await REPORTS.one(db, *_of_mail(institution_id, mail_id))


@kept
def _of_mail(of_institution: UUID, of_mail: UUID) -> Select[Any]:
    return REPORTS.select(
        reports.c.institution_id == of_institution, reports.c.last_mail_id == of_mail
    ).with_for_update()


async def export_reports(
    db: Connection, institution_id: UUID, addresses: Collection[str]
) -> list[dict[str, Any]]:
    """Return the rows of the reports to these addresses, in lower case, outside the team."""
    return await export_rows(db, reports, _to(institution_id, addresses))


async def delete_reports(db: Connection, institution_id: UUID, addresses: Collection[str]) -> int:
    """Delete the reports to these addresses, in lower case, outside the team; return how many."""
    found = await db.execute(delete(reports).where(_to(institution_id, addresses)))
    return int(found.rowcount)


def _to(institution_id: UUID, addresses: Collection[str]) -> ColumnElement[bool]:
    return and_(
        reports.c.institution_id == institution_id,
        func.lower(reports.c.email).in_(addresses),
    )
