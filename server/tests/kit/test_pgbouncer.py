"""The service behind PgBouncer, where each transaction may have another connection."""

import asyncio
import shutil
import subprocess
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from catalog.factories import make_keys, make_product
from e2e.process import free_port, run
from licenses.factories import license_body
from outside_programs import found, required
from patience import PATIENCE_S, eventually
from shared_postgres import SharedPostgres, create_folder
from testkit import FakeClock, Owner, numbers, running, settings_for

from licet_server.app import Application
from licet_server.kit.connecting import DatabaseRefused, wait_for_database
from licet_server.kit.passwords import Passwords
from licet_server.kit.postgres import Address
from licet_server.kit.postgres.account import server_account
from licet_server.migrations import migrate

pytestmark = required("pgbouncer")
CONFIGURATION = """
[databases]
licet = host={host} port={port} dbname={database} user={user} password={password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {listen}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 3
max_client_conn = 200
"""


@pytest.fixture(scope="module")
def pooled(postgres: SharedPostgres) -> Iterator[str]:
    """The URL of an empty database behind PgBouncer."""
    address = postgres.create_database(f"pooled_{next(numbers)}")
    folder, listen = create_folder("licet-pgb-"), free_port()
    account = server_account()
    file = folder / "pgbouncer.ini"
    file.write_text(
        CONFIGURATION.format(
            host=address.host,
            port=address.port,
            database=address.database,
            user=address.user,
            password=address.password,
            listen=listen,
        )
    )
    file.chmod(0o644)
    with (folder / "said").open("wb") as said:
        process = subprocess.Popen(
            [found("pgbouncer"), str(file)],
            stdout=said,
            stderr=said,
            **account.subprocess_options(),
        )
    url = Address("127.0.0.1", "anyone", "", "licet", listen).url
    try:
        eventually(lambda: b"process up" in (folder / "said").read_bytes(), "PgBouncer runs", 30)
        yield f"{url}?sslmode=disable"
    finally:
        process.kill()  # it would wait for its clients
        process.wait(PATIENCE_S)
        shutil.rmtree(folder)


@pytest.fixture
async def application(
    pooled: str, tmp_path: Path, clock: FakeClock, fast_passwords: Passwords
) -> AsyncIterator[Application]:
    url = f"{pooled}&pgbouncer=true"
    await migrate(url)
    async with running(settings_for(url, tmp_path), clock, fast_passwords) as app:
        yield app


async def test_many_requests_share_few_connections(owner: Owner, application: Application) -> None:
    product = await make_product(owner)
    await make_keys(owner, product)

    async def work(number: int) -> None:
        body = license_body(product)
        headers = {"idempotency-key": f"order-{number}"}
        first, again = [
            (await owner.send("POST", "/api/licenses", body, headers=headers)).json()
            for _ in range(2)
        ]
        assert first == again
        for _ in range(5):
            assert (await owner.ok("GET", f"/api/licenses/{first['id']}"))["id"] == first["id"]
        assert (await owner.ok("GET", "/api/licenses"))["totalCount"] > 0

    await asyncio.gather(*(work(number) for number in range(24)))
    assert (await owner.ok("GET", "/api/licenses"))["totalCount"] == 24
    assert (await owner.client.get("/health/ready")).is_success


async def test_a_url_that_leads_to_it_unsaid_is_a_sentence(pooled: str, tmp_path: Path) -> None:
    with pytest.raises(DatabaseRefused, match="leads to PgBouncer"):
        await wait_for_database(pooled, 0, print)
    ended = await asyncio.to_thread(run, "migrate", "--data-dir", tmp_path, DATABASE_URL=pooled)
    assert ended.returncode == 1
    assert "Traceback" not in ended.stderr
