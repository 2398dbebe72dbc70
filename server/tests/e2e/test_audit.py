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


def put_back(url: str, chains: str, events: str) -> None:
    """The ends of chains as that table has them, and the events to go with them."""
    execute(url, "DELETE FROM audit_chains")
    execute(url, f"INSERT INTO audit_chains SELECT * FROM {chains}")
    execute(url, events)


def test_the_exit_code_tells(new_database: Callable[[], str]) -> None:
    url = new_database()
    service = Service({**ADMIN, "DATABASE_URL": url})

    def verify(*log: object) -> subprocess.CompletedProcess[str]:
        folder = ("--data-dir", service.folder)
        return run("audit", "verify", *log, *folder, DATABASE_URL=url)

    try:
        service.start()
        with service.sign_in() as owner:
            vendor = make_vendor(owner)
            me = owner.get("/api/auth/me").json()
            path = f"/api/institutions/{me['memberships'][0]['institutionId']}/audit"

            def is_sealed() -> bool:
                items = owner.get(path).json()["items"]
                return bool(items) and all(item["sealNumber"] for item in items)

            eventually(is_sealed, "all events are sealed")
            execute(url, "CREATE TABLE earlier AS SELECT * FROM audit_chains")
            before = owner.get(path).json()["totalCount"]
            vendor.issue()
            eventually(is_sealed, "the new ones are sealed, too")
            sealed = owner.get(path).json()["totalCount"]
        log = ("--log", service.said)
        ended = verify(*log)
        assert ended.returncode == 0, ended.stderr
        assert f"Verified {sealed} events in 1 chains" in ended.stderr
        assert "The log records 0 chain ends" not in ended.stderr

        # The whole of an earlier state, as from a backup: the log alone knows better.
        execute(url, f"CREATE TABLE later AS SELECT * FROM events WHERE seal_number > {before}")
        execute(url, "CREATE TABLE latest AS SELECT * FROM audit_chains")
        put_back(url, "earlier", f"DELETE FROM events WHERE seal_number > {before}")
        assert verify().returncode == 0
        ended = verify(*log)
        assert ended.returncode == 1
        assert f"the chain was cut before number {before + 1}" in ended.stdout
        put_back(url, "latest", "INSERT INTO events SELECT * FROM later")
        assert verify(*log).returncode == 0

        execute(url, "UPDATE events SET actor_name = 'nobody' WHERE seal_number = 2")
        ended = verify(*log)
        assert ended.returncode == 1
        assert "the event at number 2 was changed or moved" in ended.stdout

        execute(url, f"DELETE FROM events WHERE seal_number >= {sealed - 1}")
        assert f"the chain was cut before number {sealed - 1}" in verify(*log).stdout
    finally:
        service.remove()
