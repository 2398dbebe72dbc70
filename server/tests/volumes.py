"""Whether tests that have two forms run in the long one: `make test-all` sets LICET_TESTS=long."""

import os

VARIABLE = "LICET_TESTS"


def is_long() -> bool:
    """Return whether the run is for a release or a night, with whole volumes."""
    return os.environ.get(VARIABLE) == "long"
