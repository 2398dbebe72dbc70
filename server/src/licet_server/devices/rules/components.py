"""Components of devices: how far a machine may change and be the same device.

A component is a part of a machine: its name, such as `disk`, and a hash of what it is. A device
is bound with the components that it shows first. The hardware ID is kept among them, since it may
change as they do, but counts as none of them.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from hashlib import sha256

from msgspec import Struct
from msgspec.structs import replace

from licet_server.licenses.rules.model import AtLeast

DRIFT_PERIOD = timedelta(days=30)
DRIFT_MAX = 2
"""How many components may become others in any such period, and how often the hardware ID may."""

MOVE_INTERVAL = timedelta(days=1)
"""How long a device keeps a new hardware ID at least, so that two machines cannot take turns."""

CHANGES_KEPT = 10
HARDWARE_ID = "hardwareId"

Components = Mapping[str, str]


class Component(Struct, frozen=True):
    """A component of a device: what it is, what it was bound with, and its last changes.

    `bound_at` is when `original` was bound, or accepted by an operator. The newest change is first.
    """

    value: str
    original: str
    bound_at: datetime
    changed_at: tuple[datetime, ...] = ()

    def changed_to(self, value: str, now: datetime) -> "Component":
        """Return the component after it became another one."""
        return replace(self, value=value, changed_at=(now, *self.changed_at)[:CHANGES_KEPT])

    def changes_since(self, since: datetime) -> int:
        """Count the changes after `since`, and since it was bound or accepted."""
        return sum(at > since and at >= self.bound_at for at in self.changed_at)


KnownComponents = Mapping[str, Component]
"""The components of a device by name, and its hardware ID."""


class Drift(Struct, frozen=True):
    """What changed of a device at once, by name."""

    at: datetime
    names: tuple[str, ...]


def mark_of(components: Components) -> str:
    """Return a text that differs where components do."""
    said = "\n".join(f"{name}:{value}" for name, value in sorted(components.items()))
    return sha256(said.encode()).hexdigest()[:16]


def bound(hardware_id: str, components: Components, now: datetime) -> dict[str, Component]:
    """Return what is known of a device that is bound with these components."""
    values = {HARDWARE_ID: hash_of_id(hardware_id), **components}
    return {name: Component(value, value, now) for name, value in values.items()}


def hash_of_id(hardware_id: str) -> str:
    """Return the hash of a hardware ID, as it is kept among the components."""
    return sha256(hardware_id.encode()).hexdigest()[:16]


def parts_of(known: KnownComponents) -> dict[str, Component]:
    """Return the components without the hardware ID."""
    return {name: item for name, item in known.items() if name != HARDWARE_ID}


def is_recognizable(match: AtLeast, known: KnownComponents) -> bool:
    """Return whether a device was bound with as many components as its license asks for."""
    return len(parts_of(known)) >= match.of


def count_equal(known: KnownComponents, shown: Components) -> int:
    """Count the components that are as they were last."""
    return sum(shown.get(name) == item.value for name, item in parts_of(known).items())


def resembles(match: AtLeast, known: KnownComponents, shown: Components) -> bool:
    """Return whether enough of what a machine shows is as it was last, and as it was bound."""
    if not is_recognizable(match, known):
        return False
    first = sum(shown.get(name) == item.original for name, item in parts_of(known).items())
    return min(first, count_equal(known, shown)) >= match.at_least


def drifted(
    match: AtLeast,
    known: KnownComponents,
    shown: Components,
    hardware_id: str,
    now: datetime,
) -> KnownComponents | None:
    """Return what is known of a device once it has shown this; `None` if another machine does.

    Enough of what it shows must be as it was last, and as it was bound. So a machine never becomes
    another one part by part, whatever it leaves out.
    """
    if not resembles(match, known, shown):
        return None
    parts = parts_of(known)
    changed = [name for name, item in parts.items() if shown.get(name, item.value) != item.value]
    since = now - DRIFT_PERIOD
    before = sum(item.changes_since(since) for item in parts.values())
    if changed and before + len(changed) > DRIFT_MAX:
        return None
    after = {name: known[name].changed_to(shown[name], now) for name in changed}
    if (place := known.get(HARDWARE_ID)) and place.value != hash_of_id(hardware_id):
        if not _may_move(place, now):
            return None
        after[HARDWARE_ID] = place.changed_to(hash_of_id(hardware_id), now)
    return {**known, **after}


def _may_move(place: Component, now: datetime) -> bool:
    if place.changes_since(now - DRIFT_PERIOD) >= DRIFT_MAX:
        return False
    return place.changes_since(now - MOVE_INTERVAL) == 0


def changed_names(before: KnownComponents, after: KnownComponents) -> list[str]:
    """Return the names of what changed, in order."""
    return sorted(name for name, item in after.items() if item != before.get(name))


def accepted(known: KnownComponents, now: datetime) -> KnownComponents:
    """Return what is known of a device whose changes so far an operator accepts."""
    return {name: replace(item, original=item.value, bound_at=now) for name, item in known.items()}


def drifts_of(known: KnownComponents) -> Sequence[Drift]:
    """Return what changed and when, newest first, at most 10 times."""
    names: dict[datetime, list[str]] = defaultdict(list)
    for name, item in sorted(known.items()):
        for at in item.changed_at:
            names[at].append(name)
    newest = sorted(names, reverse=True)[:CHANGES_KEPT]
    return [Drift(at, tuple(names[at])) for at in newest]
