"""How events become models. JSON is read as text, so that amounts stay exact."""

from typing import Any
from uuid import UUID

import msgspec
from sqlalchemy import ColumnElement, Row, cast

from licet_server.events.rules.model import Erasure, RecordedEvent, SealedEvent
from licet_server.events.tables import events
from licet_server.kit.database import String
from licet_server.kit.rows import Rows

_JSON = {
    name: cast(events.c[name.removesuffix("_json")], String)
    for name in ("data_json", "changes_json")
}
_SORTABLE = {"occurredAt": events.c.id}  # UUIDv7: in the order of time


_erasure = msgspec.json.Decoder(Erasure)
_NONE_OF_OURS = Erasure(digests={}, salts={})
"""Stands for an erasure that the service did not write: its mark fits no event."""


def _of_institution(institution_id: UUID) -> ColumnElement[bool]:
    return events.c.institution_id == institution_id


def _erasure_of(stored: str | None) -> Erasure | None:
    try:
        return None if stored is None else _erasure.decode(stored)
    except (msgspec.MsgspecError, RecursionError):
        return _NONE_OF_OURS


class _SealedRows(Rows[SealedEvent, UUID]):
    """Reads erasures from text, so that one in a form of its own does not stop the reading."""

    def item(self, row: Row[Any]) -> SealedEvent:
        stored = {**row._mapping, "erasure": _erasure_of(row._mapping["erasure"])}
        return msgspec.convert(stored, SealedEvent)


EVENTS = Rows(events, RecordedEvent, _of_institution, computed=_JSON, sortable=_SORTABLE)
SEALED_EVENTS = _SealedRows(
    events,
    SealedEvent,
    _of_institution,
    computed={**_JSON, "erasure": cast(events.c.erasure, String)},
    sortable=_SORTABLE,
)
