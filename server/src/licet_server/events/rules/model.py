"""Events, as they are recorded and as they are read back."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, fields, is_dataclass
from datetime import datetime
from decimal import Decimal
from functools import cache
from typing import Any
from uuid import UUID

import msgspec

from licet_server.events.rules.kinds import EventKind
from licet_server.kit.text import camel

INSTANCE = UUID(int=0)
"""What stands for the instance where an event names its institution: the events that concern the
operator of the service are in a chain of their own."""

Topic = tuple[UUID, str]
"""An institution, and what a rate-limited event is about, such as `sessions-full:<license>`."""

UNREADABLE = (ValueError, TypeError, AttributeError, ArithmeticError, RecursionError)
"""What reading an event raises that somebody wrote into the database or an archive by hand."""

_decoder = msgspec.json.Decoder(float_hook=Decimal)


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened in an institution, to be recorded.

    `data` is what webhooks receive; `changes` is what the audit log adds: `{field: [before,
    after]}`. Neither holds a secret.
    """

    kind: EventKind
    institution_id: UUID
    subject_id: UUID
    data: Mapping[str, object]
    product_id: UUID | None = None
    changes: Mapping[str, object] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedEvent:
    """An event as it was recorded.

    `subject_name` is the name that the subject had then, `license_id` the license that the event
    concerns. `data_json` and `changes_json` are the stored JSON text.
    """

    institution_id: UUID
    id: UUID
    kind: EventKind
    occurred_at: datetime
    subject_id: UUID
    subject_name: str | None
    license_id: UUID | None
    product_id: UUID | None
    data_json: str
    changes_json: str | None
    actor_kind: str
    actor_id: UUID | None
    actor_name: str | None
    ip_address: str | None
    request_id: str | None

    @property
    def data(self) -> Mapping[str, Any]:
        """What webhooks receive, decoded, with exact amounts."""
        return _object(self.data_json)

    @property
    def changes(self) -> Mapping[str, Any] | None:
        """`{field: [before, after]}`, decoded, with exact amounts."""
        return None if self.changes_json is None else _object(self.changes_json)

    def is_for_tests(self, test_products: Collection[UUID]) -> bool:
        """Return whether it is about one of these products, or says itself that it is for tests.

        That of a deleted product is known only where the event says it.
        """
        return self.product_id in test_products or self.data.get("test") is True


def _object(text: str) -> Mapping[str, Any]:
    """Return the object that a JSON text is; an empty one for any other text."""
    decoded = _decoder.decode(text)
    return decoded if isinstance(decoded, dict) else {}


class Erasure(msgspec.Struct, frozen=True, kw_only=True):
    """What is left of a sealed event of which leaves were erased, all in hexadecimal.

    `digests` are those of the erased leaves, and `salts` those of the others; the salt of the event
    is gone. `mark` is a MAC of the digests, so that only those who know the secret of the
    chain can erase anything.
    """

    digests: dict[str, str]
    salts: dict[str, str]
    mark: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SealedEvent(RecordedEvent):
    """A recorded event with its place in the chain of the audit log; `None` until it is sealed.

    The seal covers the leaves by digests under `salt`, or under the salts of an `erasure`. Without
    either it was sealed by an earlier release, as a whole.
    """

    seal_number: int | None
    seal: bytes | None
    salt: bytes | None = None
    erasure: Erasure | None = None

    @property
    def erasure_json(self) -> str | None:
        """The erasure as JSON text."""
        return None if self.erasure is None else msgspec.json.encode(self.erasure).decode()


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedEventFilter:
    """Filters for a list of events; `None` matches everything. A kind may end in `*`."""

    kind: str | None = None
    actor_id: UUID | None = None
    subject_id: UUID | None = None
    since: datetime | None = None
    until: datetime | None = None


def facts_of(item: object, *, omit: Collection[str] = ()) -> dict[str, object]:
    """Return the fields of a struct or a dataclass by their names on the wire, but for some.

    Name what must not leave the service in `omit`: secrets, and what only the service needs.
    """
    kind: Any = type(item)
    names = _names_of(kind, frozenset(omit))
    return {wire: _plain(getattr(item, name)) for name, wire in names}


def facts_that_differ(
    before: object, after: object, *, omit: Collection[str] = ()
) -> dict[str, object]:
    """Return what `differences` of the facts of two items of one class are.

    Most fields of a changed copy are the same objects, of which nothing has to be made.
    """
    kind: Any = type(after)
    pairs = [
        (wire, _plain(getattr(before, name)), _plain(getattr(after, name)))
        for name, wire in _names_of(kind, frozenset(omit))
        if getattr(before, name) is not getattr(after, name)
    ]
    return {wire: [old, new] for wire, old, new in pairs if old != new}


def differences(before: Mapping[str, object], after: Mapping[str, object]) -> dict[str, object]:
    """Return `{field: [before, after]}` for the fields that differ; a missing field is null."""
    names = dict.fromkeys([*before, *after])
    return {
        name: [before.get(name), after.get(name)]
        for name in names
        if before.get(name) != after.get(name)
    }


@cache
def _names_of(kind: Any, omit: frozenset[str]) -> tuple[tuple[str, str], ...]:
    names = [item.name for item in fields(kind)] if is_dataclass(kind) else kind.__struct_fields__
    if unknown := omit.difference(names):
        raise ValueError(f"{kind.__name__} has no {', '.join(sorted(unknown))}")
    return tuple((name, camel(name)) for name in names if name not in omit)


def _plain(value: object) -> object:
    """Return a value that compares and encodes as JSON does: a read-only mapping as a dict."""
    kind: Any = type(value)
    given: Any = value
    return dict(given) if _is_mapping(kind) else value


@cache
def _is_mapping(kind: Any) -> bool:
    return issubclass(kind, Mapping)
