"""From a violated constraint to the refusal that belongs to it."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from sqlalchemy.exc import IntegrityError

from licet_server.kit.database import violated_constraint
from licet_server.kit.errors import Refused


@contextmanager
def refusing(refusals: Mapping[str, Callable[[], Refused]]) -> Iterator[None]:
    """Raise the refusal that stands under the name of the constraint that refused a row."""
    try:
        yield
    except IntegrityError as error:
        refusal = refusals.get(violated_constraint(error) or "")
        if refusal is None:
            raise
        raise refusal() from None
