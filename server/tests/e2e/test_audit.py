"""`licet-server audit verify` beside a running service, and after somebody was at its database."""

import asyncio
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

from e2e.process import ADMIN, Service, run
from e2e.vendor import make_vendor
from patience import eventually
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
    which = f"(SELECT institution_id FROM {chains})"
    execute(url, f"DELETE FROM audit_chains WHERE institution_id IN {which}")
    execute(url, f"INSERT INTO audit_chains SELECT * FROM {chains}")
    execute(url, events)


def test_the_exit_code_tells(new_database: Callable[[], str], tmp_path: Path) -> None:
    """Only the log tells: the anchored heads are where `audit verify` has no access."""
    url = new_database()
    heads = {"LICET_AUDIT_HEADS": str(tmp_path / "heads.jsonl")}
    service = Service({**ADMIN, **heads, "DATABASE_URL": url})

    def verify(*log: object) -> subprocess.CompletedProcess[str]:
        folder = ("--data-dir", service.folder)
        return run("audit", "verify", *log, *folder, DATABASE_URL=url)

    try:
        service.start()
        with service.sign_in() as owner:
            vendor = make_vendor(owner)
            me = owner.get("/api/auth/me").json()
            institution = me["memberships"][0]["institutionId"]
            path, mine = (
                f"/api/institutions/{institution}/audit",
                f"institution_id = '{institution}'",
            )

            def is_sealed() -> bool:
                items = owner.get(path).json()["items"]
                return bool(items) and all(item["sealNumber"] for item in items)

            eventually(is_sealed, "all events are sealed")
            execute(url, f"CREATE TABLE earlier AS SELECT * FROM audit_chains WHERE {mine}")
            before = owner.get(path).json()["totalCount"]
            vendor.issue()
            eventually(is_sealed, "the new ones are sealed, too")
            sealed = owner.get(path).json()["totalCount"]
        log = ("--log", service.said)
        ended = verify(*log)
        assert ended.returncode == 0, ended.stderr
        [[verified, chains]] = re.findall(r"Verified (\d+) events in (\d+) chains", ended.stderr)
        assert int(verified) > sealed
        assert chains == "2"  # the institution's, and the instance's
        assert "The log records 0 chain ends" not in ended.stderr

        # The whole of an earlier state, as from a backup.
        newer = f"{mine} AND seal_number > {before}"
        execute(url, f"CREATE TABLE later AS SELECT * FROM events WHERE {newer}")
        execute(url, f"CREATE TABLE latest AS SELECT * FROM audit_chains WHERE {mine}")
        put_back(url, "earlier", f"DELETE FROM events WHERE {newer}")
        assert verify().returncode == 0
        ended = verify(*log)
        assert ended.returncode == 1
        assert f"the chain was cut before number {before + 1}" in ended.stdout
        put_back(url, "latest", "INSERT INTO events SELECT * FROM later")
        assert verify(*log).returncode == 0

        execute(url, f"UPDATE events SET actor_name = 'nobody' WHERE {mine} AND seal_number = 2")
        ended = verify(*log)
        assert ended.returncode == 1
        assert "the event at number 2 was changed or moved" in ended.stdout

        execute(url, f"DELETE FROM events WHERE {mine} AND seal_number >= {sealed - 1}")
        assert f"the chain was cut before number {sealed - 1}" in verify(*log).stdout
    finally:
        service.remove()
