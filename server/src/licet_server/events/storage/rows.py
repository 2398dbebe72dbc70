"""How an event is read from its row."""

from dataclasses import fields
from typing import Any

import msgspec
from sqlalchemy import Row, cast

from licet_server.events.rules.kinds import EventKind
from licet_server.events.rules.model import Erasure, RecordedEvent, SealedEvent
from licet_server.events.tables import events
from licet_server.kit.database import String

NAMES = tuple(field.name for field in fields(RecordedEvent))
_JSON = {"data_json": events.c.data, "changes_json": events.c.changes}

# JSON is read as text, so that amounts stay exact.
COLUMNS = tuple(
    cast(_JSON[name], String).label(name) if name in _JSON else events.c[name] for name in NAMES
)


SEALED_COLUMNS = (
    *COLUMNS,
    events.c.seal_number,
    events.c.seal,
    events.c.salt,
    cast(events.c.erasure, String).label("erasure"),
)
_erasure = msgspec.json.Decoder(Erasure)
_NONE_OF_OURS = Erasure(digests={}, salts={})
"""Stands for an erasure that the service did not write: its mark fits no event."""


def recorded_event(row: Row[Any]) -> RecordedEvent:
    return RecordedEvent(**_values(row))


def sealed_event(row: Row[Any]) -> SealedEvent:
    return SealedEvent(
        **_values(row),
        seal_number=row.seal_number,
        seal=row.seal,
        salt=row.salt,
        erasure=None if row.erasure is None else _erasure_of(row.erasure),
    )


def _erasure_of(stored: str) -> Erasure:
    try:
        return _erasure.decode(stored)
    except (msgspec.MsgspecError, RecursionError):
        return _NONE_OF_OURS


def _values(row: Row[Any]) -> dict[str, Any]:
    stored = {name: row._mapping[name] for name in NAMES}
    return stored | {"kind": EventKind(stored["kind"])}
