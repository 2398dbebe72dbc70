"""An application with one account, whose password checks are counted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from testkit import PASSWORD, FastPasswords

from licet_server.kit.origin import Origin

if TYPE_CHECKING:
    from licet_server.app import Application


@pytest.fixture
async def counting(
    fresh_application: Application, fast_passwords: FastPasswords
) -> tuple[Application, FastPasswords]:
    """An application in which only known@example.com has an account."""
    from licet_server.identity.service.users import create_user

    async with fresh_application.platform.unit_of_work(Origin()) as work:
        await create_user(
            work,
            email="known@example.com",
            full_name="Known",
            password_hash=await fast_passwords.hash(PASSWORD),
            is_system_admin=False,
            verified=True,
        )
    return fresh_application, fast_passwords
