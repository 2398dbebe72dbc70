"""An application that counts password checks."""

from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
from identity.people import CountingPasswords
from testkit import PASSWORD, FakeClock, running, settings_for

from licet_server.app import Application
from licet_server.identity.service.users import create_user
from licet_server.kit.origin import Origin
from licet_server.kit.passwords import Passwords


@pytest.fixture
async def counting(
    new_database: Callable[[], str], tmp_path: Path, clock: FakeClock
) -> AsyncIterator[tuple[Application, CountingPasswords]]:
    """A separate application in which known@example.com has an account."""
    passwords = CountingPasswords()
    async with running(settings_for(new_database(), tmp_path), clock, passwords) as app:
        async with app.platform.unit_of_work(Origin()) as work:
            await create_user(
                work,
                email="known@example.com",
                full_name="Known",
                password_hash=await Passwords.hash(passwords, PASSWORD),
                is_system_admin=False,
                verified=True,
            )
        yield app, passwords
