"""Fixtures of the tests of the catalog."""

import pytest
from catalog.factories import make_product
from catalog.release_files import first_release
from testkit import Owner


@pytest.fixture
async def release_id(owner: Owner) -> str:
    """A release without files."""
    return await first_release(owner, await make_product(owner))
