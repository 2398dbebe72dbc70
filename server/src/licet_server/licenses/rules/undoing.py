"""A license as it was before a recorded change, unless somebody has changed it again since."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from licet_server.events.rules.kinds import EventKind
from licet_server.kit.text import camel
from licet_server.licenses import errors
from licet_server.licenses.rules.model import License
from licet_server.licenses.rules.traits import LicenseType
from licet_server.licenses.rules.transitions import require_not_revoked

UNDOABLE = (
    EventKind.LICENSE_RENEWED,
    EventKind.LICENSE_CONVERTED,
    EventKind.LICENSE_REINSTATED,
    EventKind.LICENSE_RESTORED,
)
"""The kinds of events whose changes can be undone."""
_FIELDS = {camel(field.name): field for field in msgspec.structs.fields(License)}


def as_before(license_: License, changes: Mapping[str, Sequence[Any]]) -> License:
    """Return the license with the values of before the `changes` of an event.

    It is unchanged if it has them already.

    Raises:
        Refused: `Conflict` if one of the fields has yet another value now, for a license that was
            revoked since, and for a conversion that changed a balance or removed a password.
    """
    earlier, later = (
        {name: _value(name, pair[n]) for name, pair in changes.items()} for n in (0, 1)
    )
    if _has(license_, earlier):
        return license_
    if "revokedAt" not in changes:
        require_not_revoked(license_)
    if not _has(license_, later):
        raise errors.changed_since()
    _require_undoable(earlier, later)
    return replace(license_, **{_FIELDS[name].name: value for name, value in earlier.items()})


def undone_by(before: License, after: License) -> EventKind:
    """Return the kind of the event that a change was undone."""
    if before.revoked_at is None and after.revoked_at is not None:
        return EventKind.LICENSE_REVOKED
    if before.suspended_at is None and after.suspended_at is not None:
        return EventKind.LICENSE_SUSPENDED
    return EventKind.LICENSE_UPDATED


def _value(name: str, recorded: Any) -> Any:
    return msgspec.convert(recorded, _FIELDS[name].type)


def _has(license_: License, values: Mapping[str, Any]) -> bool:
    return all(getattr(license_, _FIELDS[name].name) == value for name, value in values.items())


def _require_undoable(earlier: Mapping[str, Any], later: Mapping[str, Any]) -> None:
    models = [side["type"] for side in (earlier, later) if "type" in side]
    if any(LicenseType(model).traits.is_metered for model in models):
        raise errors.balance_cannot_be_undone()
    if models and earlier.get("username") is not None:
        raise errors.password_cannot_be_undone()
