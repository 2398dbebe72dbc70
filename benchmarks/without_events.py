"""The control for recorded events: the application without jobs, which records no events."""

from typing import Any
from uuid import UUID

from benchmarks.control import serve
from benchmarks.without_jobs import create
from licet_server.events.storage import recording
from licet_server.kit.ids import new_id


async def _record_nothing(db: Any, event: Any, origin: Any, now: Any, clock: Any) -> UUID:
    return new_id(now)


if __name__ == "__main__":
    recording.insert_event = _record_nothing
    serve(create)
