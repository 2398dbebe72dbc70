"""A person who is to be erased from archives."""

from collections.abc import Callable
from dataclasses import dataclass
from uuid import UUID

from licet_server.events.rules.persons import Traces


@dataclass(frozen=True, slots=True)
class Erasure:
    """A person whom an institution has erased from its tables, and what leads to them."""

    institution_id: UUID
    id: UUID
    traces: Traces


LineEraser = Callable[[bytes], bytes]
"""Takes a row as a line of JSON; returns it without a person, or as it is if it says nothing of
them."""

Eraser = Callable[[Erasure, bytes], LineEraser]
"""Takes who is to be erased, and the secret of the chain that these rows are recorded in."""
