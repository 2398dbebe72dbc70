"""A running service for the proxies."""

from collections.abc import Callable, Iterator

import pytest
from e2e.process import ADMIN, Service

PUBLIC_URL = "https://localhost"


@pytest.fixture(scope="module")
def service(new_database: Callable[[], str]) -> Iterator[Service]:
    """A node behind a proxy on the same machine."""
    node = Service(
        {
            **ADMIN,
            "DATABASE_URL": new_database(),
            "LICET_PUBLIC_URL": PUBLIC_URL,
            "LICET_TRUSTED_PROXIES": "127.0.0.1",
        }
    )
    try:
        node.start()
        yield node
    finally:
        node.remove()
