"""`licet-server audit verify` beside a running service, and after somebody was at its database."""

import asyncio
import subprocess
from collections.abc import Callable

from e2e.process import ADMIN, Service, eventually, run
from e2e.vendor import make_vendor
from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine


def execute(url: str, statement: str) -> None:
    async def run_it() -> None:
        engine = create_async_engine(url)
        async with engine.begin() as db:
            await db.execute(text(statement))
        await engine.dispose()

    asyncio.run(run_it())


def test_the_exit_code_tells(new_database: Callable[[], str]) -> None:
    url = new_database()
    service = Service(**ADMIN, DATABASE_URL=url)

    def verify() -> subprocess.CompletedProcess[str]:
        return run(
            "audit", "verify", "--log", service.said, "--data-dir", service.folder, DATABASE_URL=url
        )

    try:
        service.start()
        with service.sign_in() as owner:
            make_vendor(owner).issue()
            me = owner.get("/api/auth/me").json()
            path = f"/api/institutions/{me['memberships'][0]['institutionId']}/audit"

            def is_sealed() -> bool:
                items = owner.get(path).json()["items"]
                return bool(items) and all(item["sealNumber"] for item in items)

            eventually(is_sealed, "all events are sealed")
            sealed = owner.get(path).json()["totalCount"]
        ended = verify()
        assert ended.returncode == 0, ended.stderr
        assert f"Looked at {sealed} events in 1 chains" in ended.stderr

        execute(url, "UPDATE events SET actor_name = 'nobody' WHERE seal_number = 2")
        ended = verify()
        assert ended.returncode == 1
        assert "the event at number 2 was changed or moved" in ended.stdout

        execute(url, f"DELETE FROM events WHERE seal_number >= {sealed - 1}")
        assert f"the chain was cut before number {sealed - 1}" in verify().stdout
    finally:
        service.remove()
