"""Begins terms that start with the first use."""

from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, func, literal_column, update

from licet_server.kit.database import Connection, Id, Instant
from licet_server.licenses.rules.model import License
from licet_server.licenses.rules.policies import DURATION_MAX_DAYS
from licet_server.licenses.storage.records import LICENSE_COLUMNS, license_of
from licet_server.licenses.storage.status import DAY
from licet_server.licenses.tables import licenses

_NOW: Any = bindparam("now", type_=Instant)
_LONGEST: Any = literal_column(str(DURATION_MAX_DAYS))
_BEGIN = (
    update(licenses)
    .where(
        licenses.c.institution_id == bindparam("of_institution", type_=Id),
        licenses.c.id == bindparam("of_license", type_=Id),
        # Checked on the locked row: another process may have begun the term, or revoked it.
        licenses.c.term_days.is_not(None),
        licenses.c.suspended_at.is_(None),
        licenses.c.revoked_at.is_(None),
    )
    .values(
        expiration_date=_NOW + func.least(licenses.c.term_days, _LONGEST) * DAY,
        term_days=None,
        updated_at=_NOW,
    )
    .returning(*LICENSE_COLUMNS)
)


async def begin_term(db: Connection, license_: License, now: datetime) -> License | None:
    """Begin the term of an active license; `None` if that was done before, or is not possible."""
    given = {"of_institution": license_.institution_id, "of_license": license_.id, "now": now}
    row = (await db.execute(_BEGIN, given)).one_or_none()
    return None if row is None else license_of(row)
