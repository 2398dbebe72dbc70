"""Notes which license the request at hand is about, where that becomes known.

Whoever serves a request opens its note; outside of a request, nothing is noted.
"""

from contextvars import ContextVar

from licet_server.licenses.rules.model import License
from licet_server.licenses.rules.runtime import RequestNote

_note: ContextVar[RequestNote | None] = ContextVar("request_note", default=None)


def open_note() -> RequestNote:
    """Open the note of a request, in whose context the request is then served."""
    note = RequestNote()
    _note.set(note)
    return note


def open_part() -> None:
    """Open the note of one of several requests that were sent together, in a task of its own."""
    whole = _note.get()
    if whole is not None:
        whole.parts.append(open_note())


def current_note() -> RequestNote:
    """Return the note of the request at hand."""
    return _note.get() or RequestNote()


def note_license(license_: License) -> None:
    """Note the license of the request."""
    note = _note.get()
    if note is not None:
        note.license_id = (license_.institution_id, license_.id)


def note_device(
    hardware_id: str | None, name: str | None = None, app_version: str | None = None
) -> None:
    """Note what the application says about its device and itself; empty texts say nothing."""
    note = _note.get()
    if note is not None:
        note.hardware_id = hardware_id
        note.device_name = name or None
        note.app_version = app_version or None


def note_status(status: str) -> None:
    """Note the verdict."""
    note = _note.get()
    if note is not None:
        note.status = status
