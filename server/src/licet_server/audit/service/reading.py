"""The audit log for operators, and what happened to a license."""

from uuid import UUID

from licet_server.audit.rules.disclosure import Told, told_in_full, told_in_part
from licet_server.audit.rules.model import Record, RecordFilter
from licet_server.audit.storage import records
from licet_server.identity.rules.memberships import Role
from licet_server.institutions.rules.operators import Operator
from licet_server.institutions.service.institutions import fetch_institution
from licet_server.kit.database import Connection
from licet_server.kit.paging import Listing, Paging
from licet_server.licenses.service import reading as licenses


async def list_records(
    db: Connection, operator: Operator, institution_id: UUID, chosen: RecordFilter, paging: Paging
) -> Listing[Record]:
    """What was recorded in an institution, newest first.

    Raises:
        Refused: `NotFound`, `Forbidden`.
    """
    await fetch_institution(db, operator, institution_id)
    return await records.list_records(db, institution_id, chosen, paging)


async def list_license_events(
    db: Connection, operator: Operator, license_id: UUID, paging: Paging
) -> Listing[Told]:
    """What happened to a license, its devices, sessions and meter, newest first.

    Who did it, and what was there before, is told to those who may read the audit log.

    Raises:
        Refused: `NotFound`, `Forbidden`.
    """
    license_ = await licenses.fetch_license(db, operator, license_id)
    institution_id = license_.institution_id
    reads_log = operator.roles[institution_id].covers(Role.ADMIN)
    found = await records.list_license_records(db, institution_id, license_id, paging)
    return found.of(told_in_full if reads_log else told_in_part)
