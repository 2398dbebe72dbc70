"""The control for recorded events: the application without jobs, which records no events."""

import os
from dataclasses import replace
from typing import Any
from uuid import UUID

from licet_server.app import build_app, build_platform
from licet_server.events.storage import recording
from licet_server.kit.ids import new_id
from licet_server.kit.logs import configure_logs
from licet_server.kit.settings import read_settings
from licet_server.serving import listen


async def _record_nothing(db: Any, event: Any, origin: Any, now: Any) -> UUID:
    return new_id(now)


if __name__ == "__main__":
    configure_logs()
    recording.insert_event = _record_nothing
    settings = replace(read_settings(os.environ), workers=1)
    listen(lambda: build_app(build_platform(settings)).asgi, settings)
