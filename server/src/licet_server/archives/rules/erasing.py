"""Erasing a person from archives."""

from collections.abc import Callable
from dataclasses import dataclass
from uuid import UUID

from licet_server.events.rules.persons import Traces


@dataclass(frozen=True, slots=True)
class Erasure:
    """A person whom an institution has erased from its tables, with the traces of them."""

    institution_id: UUID
    id: UUID
    traces: Traces


LineEraser = Callable[[bytes], bytes]
"""Takes a row as a line of JSON; returns it without the person, unchanged if it does not name
them."""

Eraser = Callable[[Erasure, bytes], LineEraser]
"""Takes an erasure, and the secret of the chain that records these rows."""
