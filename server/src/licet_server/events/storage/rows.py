"""How events become models. JSON is read as text, so that amounts stay exact."""

from uuid import UUID

from sqlalchemy import ColumnElement, cast

from licet_server.events.rules.model import RecordedEvent, SealedEvent
from licet_server.events.tables import events
from licet_server.kit.database import String
from licet_server.kit.rows import Rows

_JSON = {
    name: cast(events.c[name.removesuffix("_json")], String)
    for name in ("data_json", "changes_json")
}
_SORTABLE = {"occurredAt": events.c.id}  # UUIDv7: in the order of time


def _of_institution(institution_id: UUID) -> ColumnElement[bool]:
    return events.c.institution_id == institution_id


EVENTS = Rows(events, RecordedEvent, _of_institution, computed=_JSON, sortable=_SORTABLE)
SEALED_EVENTS = Rows(events, SealedEvent, _of_institution, computed=_JSON, sortable=_SORTABLE)
