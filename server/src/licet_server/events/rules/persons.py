"""Which leaves of events are about a person."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from uuid import UUID

import msgspec

from licet_server.events.rules.catalog import license_id, subject_traits
from licet_server.events.rules.leaves import is_erased, leaves_of
from licet_server.events.rules.model import RecordedEvent

_OF_LICENSES = frozenset(
    {
        "externalReference",
        "issuedTo",
        "licenseName",
        "locale",
        "metadata",
        "reason",
        "recipient",
        "username",
    }
)
_UNDER_LICENSES = frozenset({"deviceName", "ipAddress", "metadata"})
_OF_SUBJECTS = frozenset(
    {"company", "email", "externalReference", "locale", "merged", "metadata", "name"}
)
_OPERATORS = frozenset({"ApiKey", "Console", "User"})

_encoder = msgspec.json.Encoder(decimal_format="number")


@dataclass(frozen=True, slots=True, kw_only=True)
class Traces:
    """What leads to a person in events.

    Their licenses, what else of theirs events are about, their account, and the texts that name
    them, wherever these stand.
    """

    license_ids: frozenset[UUID]
    subject_ids: frozenset[UUID]
    user_ids: frozenset[UUID]
    texts: tuple[str, ...]


def personal_leaves(event: RecordedEvent, traces: Traces) -> set[str]:
    """Return the names of the leaves that are about the person, and not erased yet."""
    leaves = leaves_of(event)
    of_license = event.license_id or license_id(event.kind, event.subject_id, event.data)
    is_of_license = of_license in traces.license_ids
    fields: set[str] = set()
    if is_of_license:
        fields |= _OF_LICENSES if event.subject_id == of_license else _UNDER_LICENSES
    if event.subject_id in traces.subject_ids:
        fields |= _OF_SUBJECTS
    names = {f"{part}.{field}" for part in ("data", "changes") for field in fields}
    if subject_traits(event.kind).name_field in fields:
        names.add("subject_name")
    if event.actor_id in traces.user_ids:
        names |= {"actor_name", "ip_address"}
    if is_of_license and event.actor_kind not in _OPERATORS:
        names.add("ip_address")
    naming = _naming(traces.texts)
    names |= {name for name, value in leaves.items() if naming.search(_text(value))}
    return {name for name in names & leaves.keys() if not is_erased(leaves[name])}


def naming(traces: Traces) -> Callable[[str], bool]:
    """Return a function that tells quickly if an event may be about the person.

    It takes the event as a line of JSON.
    """
    ids = traces.license_ids | traces.subject_ids | traces.user_ids
    wanted = (*map(str, ids), *(as_written(item).lower() for item in traces.texts))

    def may_name(line: str) -> bool:
        said = line.lower()
        return any(item in said for item in wanted)

    return may_name


def _naming(texts: Iterable[str]) -> re.Pattern[str]:
    """Match each text as whole words, whatever its case, as it is written in JSON."""
    options = "|".join(re.escape(as_written(item)) for item in texts)
    return re.compile(rf"(?<!\w)(?:{options})(?!\w)" if options else r"(?!)", re.IGNORECASE)


def as_written(text: str) -> str:
    """Return a text as it stands in JSON, without the quotes."""
    return _encoder.encode(text).decode()[1:-1]


def _text(value: object) -> str:
    return _encoder.encode(value).decode()
