"""Charges under storm: servers and the database are killed, and every key is charged once.

The same judges are shown doctored books, and a service without its protection: they find it out.
`make drill-charges` is the same storm with 20,000 of them.
"""

import asyncio
import os
import re
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from secrets import SystemRandom
from time import perf_counter

import httpx
import pytest
from e2e.fleet import SERVERS, Fleet, License, fleet_on
from e2e.metering_judging import REFUSED, Books, judge
from e2e.metering_storm import (
    CONSUME,
    Told,
    Use,
    charges,
    commits_held,
    end_backend,
    insist,
    kill_database,
    kill_server,
    price,
    rage,
    read_books,
    until_answered,
    until_database_is_back,
    until_one_waits,
    until_stored,
    wallet,
    wallet_held,
    wallets,
)
from e2e.process import NO_TLS
from patience import PATIENCE_S, eventually
from volumes import is_long

from licet_server.kit.passwords import Passwords
from licet_server.kit.postgres import EmbeddedPostgres, temporary_postgres
from licet_server.migrations import migrate

REQUESTS = int(os.environ.get("CHARGES", "6000" if is_long() else "1200"))
WALLETS = 40 if is_long() else 8
LAST = REQUESTS // 20
SMALL = 900
CLIENTS = 300
VICTIM = 1
DURABLE = {"fsync": "on", "full_page_writes": "on", "synchronous_commit": "on"}

BUSY = "The service is busy or just starting. Nothing was changed; try again in a moment."
UNKNOWN = (
    "The database did not confirm the charge, so it may or may not have been stored. Retry with "
    "the same idempotencyKey to charge at most once; without a key, it may be charged twice."
)
HEAD_ON = (
    "The balance was changed by other requests at the same time. Nothing was charged; send the "
    "request again."
)

_dice = SystemRandom()

Without = Callable[[str], AbstractAsyncContextManager[Fleet]]


@pytest.fixture(scope="module")
async def cluster() -> AsyncIterator[EmbeddedPostgres]:
    """A database of this module alone, which may be killed, and is started again by itself."""
    with temporary_postgres(settings=DURABLE) as cluster:
        yield cluster


@pytest.fixture(scope="module")
async def fleet(
    cluster: EmbeddedPostgres,
    tmp_path_factory: pytest.TempPathFactory,
    fast_passwords: Passwords,
) -> AsyncIterator[Fleet]:
    """The service as it is."""
    url = cluster.create_database("storm").url
    await migrate(url)
    async with fleet_on(url, tmp_path_factory.mktemp("fleet"), fast_passwords) as fleet:
        price(fleet.vendor)
        yield fleet


@pytest.fixture
def without(new_database: Callable[[], str], tmp_path: Path, fast_passwords: Passwords) -> Without:
    """The service without one protection, for one test."""
    return lambda name: fleet_on(new_database(), tmp_path, fast_passwords, name)


# The storm


@pytest.mark.timeout(600)
async def test_every_charge_of_a_storm_is_stored_once(
    fleet: Fleet, cluster: EmbeddedPostgres
) -> None:
    hot = wallet(fleet.vendor, "MeteredToken", 1_000_000)
    licenses = [hot, *wallets(fleet.vendor, WALLETS)]
    uses = list(charges(hot, licenses[1:], REQUESTS - LAST))
    told, began = Told(), perf_counter()
    async with asyncio.TaskGroup() as clients:
        clients.create_task(rage(fleet, uses, told, CLIENTS))
        await until_answered(told, REQUESTS // 4)
        killed = await kill_database(cluster)
        await until_database_is_back(fleet, cluster, killed)
        await until_answered(told, REQUESTS // 2)
        await kill_server(fleet, VICTIM)
        await asyncio.to_thread(fleet.revive, VICTIM)
    report(told, perf_counter() - began)
    before = told.servers[VICTIM]
    await rage(fleet, _dice.sample(uses, LAST), told, CLIENTS)
    assert told.servers[VICTIM] > before, "the new server takes its part"
    check_course(told)
    assert len(told.heard) == REQUESTS
    books = await read_books(fleet, licenses)
    check_promises(books, told)
    assert books.by_key().keys() == {(use.license["id"], use.key) for use in uses}
    check_logs(fleet, licenses)


def report(told: Told, seconds: float) -> None:
    rate = len(told.heard) / seconds
    print(f"{len(told.heard)} answers in {seconds:.1f} s, {rate:.0f} a second; {told.codes}")
    print(f"{told.repeated} repeated; {told.servers}; {told.busy}")


def check_course(told: Told) -> None:
    """Whether all came about that was meant to, and nothing else."""
    assert not told.odd, told.odd[:3]
    assert told.codes["unreached"] > 0, "the kill of the server was felt"
    assert told.codes["503 Unavailable"] > 0, "the kill of the database was felt"
    assert told.busy.keys() <= {BUSY, UNKNOWN, HEAD_ON}
    assert told.repeated >= REQUESTS // 3
    refused = [item for item in told.heard if item.status == REFUSED]
    assert {item.body["replayed"] for item in refused} == {False, True}


def check_promises(books: Books, told: Told) -> None:
    found = judge(books, told.heard)
    assert not {name: (len(broken), broken[:3]) for name, broken in found.items()}


def check_logs(fleet: Fleet, licenses: Sequence[License]) -> None:
    """What servers log holds no secret and no fault of theirs."""
    logged = fleet.logged()
    secrets = [fleet.vendor.api_key, *(license_["licenseKey"] for license_ in licenses)]
    assert not [secret for secret in secrets if secret in logged]
    assert not re.search(r"charge-\d|Traceback|request_failed|parameters", logged), logged[-3000:]


# Answers that are lost


async def test_a_client_hangs_up(fleet: Fleet) -> None:
    use, told = one_use(fleet), Told()
    async with (
        wallet_held(fleet, use.license) as wallet,
        fleet.wires[0].hung_up(*CONSUME, fleet.vendor.api_key, use.body),
    ):
        await until_one_waits(fleet, wallet)
    await until_stored(fleet, use)
    for server in range(SERVERS):
        await insist(fleet, use, server, told)
    assert told.repeated == SERVERS
    await check_charged_once(fleet, use, told)


async def test_a_server_is_killed_before_it_commits(fleet: Fleet) -> None:
    use, told = one_use(fleet), Told()
    try:
        async with asyncio.TaskGroup() as clients, wallet_held(fleet, use.license) as wallet:
            clients.create_task(insist(fleet, use, VICTIM, told))
            await until_one_waits(fleet, wallet)
            await kill_server(fleet, VICTIM)
    finally:
        await asyncio.to_thread(fleet.revive, VICTIM)
    assert told.codes == {"unreached": 1, "200": 1}
    assert told.repeated == 0
    await check_charged_once(fleet, use, told)


@pytest.mark.specification("meter.idempotent")
async def test_a_server_is_killed_before_it_answers(fleet: Fleet) -> None:
    use, told = one_use(fleet), Told()
    try:
        async with asyncio.TaskGroup() as clients, commits_held(fleet) as commits:
            clients.create_task(insist(fleet, use, VICTIM, told))
            await until_one_waits(fleet, commits)
            await kill_server(fleet, VICTIM)
    finally:
        await asyncio.to_thread(fleet.revive, VICTIM)
    assert told.codes == {"unreached": 1, "200": 1}
    assert told.repeated == 1, "it was charged, though nobody was told"
    await check_charged_once(fleet, use, told)


async def test_the_database_ends_amid_a_commit(fleet: Fleet) -> None:
    use, told = one_use(fleet), Told()
    async with asyncio.TaskGroup() as clients, commits_held(fleet) as commits:
        clients.create_task(insist(fleet, use, 0, told))
        await end_backend(fleet, await until_one_waits(fleet, commits))
        await asyncio.to_thread(eventually, lambda: told.busy, "the answer")
    assert told.busy == {UNKNOWN: 1}
    await check_charged_once(fleet, use, told)


async def test_the_database_is_away(fleet: Fleet, cluster: EmbeddedPostgres) -> None:
    away: list[httpx.Response] = []
    while not away:  # on a busy machine, all may ask so late that they find it back already
        use, told = one_use(fleet), Told()
        for server in range(SERVERS):
            await insist(fleet, replace(use, key="before"), server, told)
        killed = await kill_database(cluster)
        answers = await asyncio.gather(*(ask(fleet, port, use) for port in fleet.ports))
        away = [answer for answer in answers if not answer.is_success]
    for answer in away:
        problem = answer.json()
        assert (answer.status_code, problem["errorCode"]) == (503, "Unavailable")
        assert int(answer.headers["retry-after"]) > 0
        assert (problem["detail"], problem["errors"]) == (BUSY, [])
    await until_database_is_back(fleet, cluster, killed)
    for server in range(SERVERS):
        await insist(fleet, use, server, told)
    early = len(away) < len(answers)
    assert told.repeated == 2 * (SERVERS - 1) + early
    check_promises(await read_books(fleet, [use.license]), told)
    check_logs(fleet, [use.license])


def one_use(fleet: Fleet) -> Use:
    return Use(wallet(fleet.vendor, "MeteredCount", 10), 4, "charge-0")


async def ask(fleet: Fleet, port: int, use: Use) -> httpx.Response:
    headers = {"x-api-key": fleet.vendor.api_key}
    async with httpx.AsyncClient(trust_env=False, timeout=PATIENCE_S, verify=NO_TLS) as client:
        url = f"http://127.0.0.1:{port}{CONSUME[1]}"
        return await client.post(url, json=use.body, headers=headers)


async def check_charged_once(fleet: Fleet, use: Use, told: Told) -> None:
    books = await read_books(fleet, [use.license])
    check_promises(books, told)
    [wallet] = books.wallets
    assert (wallet.balance, wallet.version) == (Decimal(6), 2)


# Without protection


async def small_storm(fleet: Fleet, told: Told) -> list[License]:
    price(fleet.vendor)
    hot = wallet(fleet.vendor, "MeteredToken", 1_000)
    licenses = [hot, *wallets(fleet.vendor, 8)]
    await rage(fleet, charges(hot, licenses[1:], SMALL), told, CLIENTS)
    return licenses


async def verdict(fleet: Fleet, licenses: Sequence[License], told: Told) -> set[str]:
    found = judge(await read_books(fleet, licenses), told.heard)
    print({name: len(sentences) for name, sentences in found.items()})
    return set(found)


@pytest.mark.parametrize(
    ("protection", "broken"),
    [
        ("nothing", set()),
        ("wallet-lock", {"out of order", "wrong balance"}),
        ("key-look-up", {"charged twice"}),
    ],
)
async def test_control_without(without: Without, protection: str, broken: set[str]) -> None:
    told = Told()
    async with without(protection) as fleet:
        found = await verdict(fleet, await small_storm(fleet, told), told)
    assert broken <= found
    assert broken or not found


async def test_control_that_answers_before_it_commits(without: Without) -> None:
    told = Told()
    async with without("charge-first") as fleet:
        async with asyncio.TaskGroup() as clients:
            storming = clients.create_task(small_storm(fleet, told))
            await until_answered(told, 100, VICTIM)
            await kill_server(fleet, VICTIM)
        found = await verdict(fleet, storming.result(), told)
    # What was lost is charged again where somebody asks again.
    assert found & {"lost", "stored differently"}
