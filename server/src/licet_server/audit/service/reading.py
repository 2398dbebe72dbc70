"""The audit log for operators."""

from uuid import UUID

from licet_server.accounts import service as accounts
from licet_server.accounts.rules import Operator
from licet_server.audit.rules.model import Record, RecordFilter
from licet_server.audit.storage import records
from licet_server.kit.database import Connection
from licet_server.kit.paging import Listing, Paging


async def list_records(
    db: Connection, operator: Operator, institution_id: UUID, chosen: RecordFilter, paging: Paging
) -> Listing[Record]:
    """What was recorded in an institution, newest first.

    Raises:
        Refused: `NotFound`, `Forbidden`.
    """
    await accounts.fetch_institution(db, operator, institution_id)
    return await records.list_records(db, institution_id, chosen, paging)
