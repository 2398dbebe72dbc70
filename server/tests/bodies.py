"""What a body is refused for by rules alone, without a service and its database."""

import json
from typing import Any

import pytest
from msgspec import Struct

from licet_server.kit.clock import system_clock
from licet_server.kit.errors import Refused
from licet_server.kit.web.body import read_body


def refused_fields(kind: type[Struct], body: Any, clock: Any = system_clock) -> list[str]:
    """Return the fields that the refusal of a body names."""
    with pytest.raises(Refused) as refused:
        read_body(json.dumps(body).encode(), kind, clock)
    return [error.field for error in refused.value.errors]
