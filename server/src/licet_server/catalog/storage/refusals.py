"""Turns violated constraints into refusals."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from sqlalchemy.exc import IntegrityError

from licet_server.kit.database import violated_constraint
from licet_server.kit.errors import Refused


@contextmanager
def refuse_violations(refusals: Mapping[str, Callable[[], Refused]]) -> Iterator[None]:
    """Raise the refusal of the constraint that is violated in the block."""
    try:
        yield
    except IntegrityError as error:
        refusal = refusals.get(violated_constraint(error) or "")
        if refusal is None:
            raise
        raise refusal() from None
