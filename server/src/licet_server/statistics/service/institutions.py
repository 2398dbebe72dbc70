"""The overview of an institution: present totals, and its latest events."""

from collections.abc import Collection, Mapping
from datetime import datetime
from uuid import UUID

from msgspec.structs import asdict

from licet_server.events.rules.catalog import ADMINS_ONLY
from licet_server.events.rules.model import RecordedEvent
from licet_server.events.storage.reading import fetch_newest, fetch_newest_of_products
from licet_server.institutions.rules.operators import Operator
from licet_server.institutions.service.institutions import count_members
from licet_server.kit.database import Connection
from licet_server.kit.visibility import Visibility
from licet_server.kit.web.views import view_of
from licet_server.licenses.rules.model import License
from licet_server.licenses.service import reading
from licet_server.statistics.schemas.figures import Activity, InstitutionOverview
from licet_server.statistics.service.overview import count_current
from licet_server.statistics.service.scope import find_scope

ACTIVITIES = 20


async def institution_overview(
    db: Connection, operator: Operator, institution_id: UUID, now: datetime
) -> InstitutionOverview:
    """Return figures of what the operator sees in an institution, and its latest events.

    Events belong to whole products. Operators who see only parts of the institution do not get
    events about single releases or about no product.

    Raises:
        Refused: `NotFound`, `Forbidden`.
    """
    visibility = await find_scope(db, operator, institution_id, None)
    is_admin = operator.is_admin_of(institution_id)
    newest = await _newest(db, visibility, institution_id, () if is_admin else ADMINS_ONLY)
    about = {item.license_id for item in newest if item.license_id is not None}
    licenses = await reading.find_by_ids(db, visibility, list(about))
    return InstitutionOverview(
        **asdict(await count_current(db, visibility, now)),
        members=await count_members(db, institution_id),
        recent_activity=[_activity(item, licenses, is_admin) for item in newest],
    )


async def _newest(
    db: Connection, visibility: Visibility, institution_id: UUID, without: Collection[str]
) -> list[RecordedEvent]:
    if visibility.institutions:
        return await fetch_newest(db, institution_id, without, ACTIVITIES)
    return await fetch_newest_of_products(
        db, institution_id, visibility.products, without, ACTIVITIES
    )


def _activity(
    item: RecordedEvent, licenses: Mapping[UUID, License], names_actors: bool
) -> Activity:
    license_ = None if item.license_id is None else licenses.get(item.license_id)
    return view_of(
        Activity,
        item,
        type=item.kind,
        license_id=None if license_ is None else license_.id,
        license_name=None if license_ is None else license_.license_name,
        actor_kind=item.actor_kind if names_actors else None,
        actor_name=item.actor_name if names_actors else None,
    )
