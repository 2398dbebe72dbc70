"""A company with a provider on this machine."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import TYPE_CHECKING, Any

import pytest
from sso.company import Company
from sso.idp import Idp, running_idp
from testkit import FakeClock, Owner, numbers

if TYPE_CHECKING:
    from licet_server.app import Application


@pytest.fixture
async def idp(clock: FakeClock) -> AsyncIterator[Idp]:
    async with running_idp(clock) as made:
        yield made


@pytest.fixture
async def unconnected(
    application: Application, new_owner: Callable[..., Any], admin: Owner, idp: Idp
) -> Company:
    """Nothing is connected yet."""
    owner = await new_owner("Boss")
    return Company(owner, admin, idp, f"company{next(numbers)}.example")


@pytest.fixture
async def company(unconnected: Company) -> Company:
    """Connected, with a confirmed domain, not enforced."""
    await unconnected.connect()
    await unconnected.confirm()
    return unconnected
