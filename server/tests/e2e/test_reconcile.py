"""`licet-server reconcile`, before and after somebody tampered with the database."""

import asyncio
import subprocess
from collections.abc import Callable
from pathlib import Path

from e2e.process import run
from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine
from testkit import FakeClock

from licet_server.kit.ids import new_id

WALLETS = 3
INSTITUTION = (
    "INSERT INTO institutions (id, name, created_at) VALUES (:institution, 'Aurora', now())"
)
STORE_WALLETS = """
    INSERT INTO meter_wallets (institution_id, license_id, product_id, mode, balance, version)
    SELECT :institution, license, license, 'Count', 58, 43
    FROM unnest(CAST(:licenses AS uuid[])) license
"""
STORE_ENTRIES = """
    INSERT INTO meter_entries (institution_id, license_id, id, sequence, created_at, type, amount,
                               balance_after, feature_name, quantity)
    SELECT :institution, license, gen_random_uuid(), n, now(),
           CASE n WHEN 1 THEN 'InitialGrant' ELSE 'Consume' END,
           CASE n WHEN 1 THEN 100 ELSE -1 END, 101 - n,
           CASE n WHEN 1 THEN NULL ELSE 'export' END, CASE n WHEN 1 THEN NULL ELSE 1 END
    FROM unnest(CAST(:licenses AS uuid[])) license, generate_series(1, 43) n
"""
TAMPER = "UPDATE meter_entries SET amount = -2 WHERE license_id = :license AND sequence = 7"


def execute(url: str, *statements: str, **given: object) -> None:
    async def run_all() -> None:
        engine = create_async_engine(url)
        async with engine.begin() as db:
            for statement in statements:
                names = [name for name in given if f":{name}" in statement]
                await db.execute(text(statement), {name: given[name] for name in names})
        await engine.dispose()

    asyncio.run(run_all())


def test_the_exit_code_tells(new_database: Callable[[], str], tmp_path: Path) -> None:
    url = new_database()
    institution, *licenses = (new_id(FakeClock.START) for _ in range(1 + WALLETS))
    execute(
        url, INSTITUTION, STORE_WALLETS, STORE_ENTRIES, institution=institution, licenses=licenses
    )

    def reconcile(*arguments: object) -> subprocess.CompletedProcess[str]:
        return run("reconcile", *arguments, "--data-dir", tmp_path, DATABASE_URL=url)

    ended = reconcile()
    assert ended.returncode == 0, ended.stderr
    assert f"Checked {WALLETS} wallets, 0 do not match" in ended.stderr
    assert ended.stdout == ""

    execute(url, TAMPER, license=licenses[1])
    ended = reconcile()
    assert ended.returncode == 1
    assert f"Checked {WALLETS} wallets, 1 do not match" in ended.stderr
    expected = f"{licenses[1]}: EntryChanged, from entry 7 on (wallet 58, ledger 58)\n"
    assert ended.stdout == expected
    assert reconcile("--license-id", licenses[1]).stdout == expected
    assert reconcile("--license-id", licenses[0]).returncode == 0

    ended = reconcile("--license-id", institution)
    assert ended.returncode == 1
    assert "no metered license" in ended.stderr
    assert "Traceback" not in ended.stderr
