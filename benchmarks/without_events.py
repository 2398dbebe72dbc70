"""The control for recorded events: the application without jobs, which records none when it issues.

The events of an issued license are changes that are made together with others.
"""

from typing import Any

from benchmarks.control import serve
from benchmarks.without_jobs import create
from licet_server.events.storage import recording
from licet_server.kit.together import Change


def _record_nothing(*_: Any, **__: Any) -> list[Change]:
    return []


if __name__ == "__main__":
    recording.changes_of = _record_nothing
    serve(create)
