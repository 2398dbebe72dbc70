"""End users."""

from typing import Any

import httpx
import pytest
from portal.people import EndUser, NewEndUser, make_end_user

from licet_server.kit.passwords import Passwords
from licet_server.kit.platform import Platform


@pytest.fixture
def new_end_user(
    platform: Platform, client: httpx.AsyncClient, fast_passwords: Passwords
) -> NewEndUser:
    """Creates users with an account and no institution."""

    async def make(email: str | None = None, *, verified: bool = True) -> EndUser:
        return await make_end_user(platform, client, fast_passwords, email, verified=verified)

    return make


@pytest.fixture
async def user(new_end_user: NewEndUser) -> Any:
    return await new_end_user()
