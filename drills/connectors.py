"""A thousand customers over a year of subscriptions, upgrades, failures, refunds and disputes.

What the shops send is delivered twice, to two vendors: in order and once, and late, shuffled and up
to three times. In the end both have the same licenses, and nothing has failed.
"""

import argparse
import asyncio
import tempfile
from collections import Counter
from pathlib import Path
from time import perf_counter
from typing import Any

from argon2 import PasswordHasher
from connectors.shops import Shop
from connectors.simulation import BEGIN, END, World, customers, delivered
from connectors.year import begin_year
from testkit import PASSWORD, FakeClock, Owner, client_of, running, settings_for

from licet_server.app import Application
from licet_server.identity.service.users import create_user
from licet_server.institutions.service.institutions import create_institution_with_owner
from licet_server.kit.origin import Origin
from licet_server.kit.passwords import Passwords
from licet_server.kit.postgres import EmbeddedPostgres
from licet_server.migrations import migrate

_SEED = 2


def main() -> None:
    parser = argparse.ArgumentParser(prog="drills.connectors", description=__doc__)
    parser.add_argument("--customers", type=int, default=1_000)
    number = parser.parse_args().customers
    _in_memory(customers(number, _SEED))
    with tempfile.TemporaryDirectory(prefix="licet-connectors-") as name:
        folder = Path(name)
        folder.chmod(0o711)
        with EmbeddedPostgres(folder / "database", log=lambda _: None) as cluster:
            asyncio.run(_in_database(folder, cluster.url, number))


def _in_memory(shops: list[Shop]) -> None:
    started = perf_counter()
    events = 0
    for shop in shops:
        clean, bad = World(shop.kind), World(shop.kind)
        arriving = delivered(shop.sent, _SEED)
        events += len(arriving)
        for item in shop.sent:
            clean.receive(item, item.at)
        for at, item in arriving:
            bad.receive(item, at)
        clean.settle_all(END)
        bad.settle_all(END)
        assert clean.outcome() == bad.outcome(), shop.name
    seconds = perf_counter() - started
    print(f"In memory: {len(shops):,} customers, {events:,} deliveries, {seconds:.0f} s: the same")


async def _in_database(folder: Path, url: str, number: int) -> None:
    await migrate(url)
    clock = FakeClock()
    passwords = Passwords(PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
    (folder / "data").mkdir()
    async with running(settings_for(url, folder / "data"), clock, passwords) as application:
        found = [
            await _pass(application, clock, passwords, number, badly=badly)
            for badly in (False, True)
        ]
    assert found[0] == found[1]
    statuses = Counter(status for status, _, _ in found[0].values())
    print(f"In the database: the same {sum(statuses.values()):,} orders, {dict(statuses)}")


async def _pass(
    application: Application, clock: FakeClock, passwords: Passwords, number: int, *, badly: bool
) -> dict[str, Any]:
    clock.now = BEGIN
    started = perf_counter()
    async with client_of(application) as client:
        owner = await _owner(application, client, passwords, f"badly-{badly}@example.com".lower())
        year = await begin_year(owner, application.platform, clock)
        shops = customers(number, _SEED)
        outcome = await year.pass_with(shops, badly=badly, work_off_every=200)
        failures = await year.failures()
    problems = [problem for _, problem, _ in outcome.values() if problem is not None]
    assert (failures, problems) == ([], [])
    how = "late, shuffled, up to three times" if badly else "in order, once"
    print(f"Delivered {how}: {perf_counter() - started:.0f} s, 0 failures")
    return outcome


async def _owner(application: Application, client: Any, passwords: Passwords, email: str) -> Owner:
    platform = application.platform
    async with platform.unit_of_work(Origin()) as work:
        user = await create_user(
            work,
            email=email,
            full_name="Owner",
            password_hash=await passwords.hash(PASSWORD),
            is_system_admin=False,
            verified=True,
        )
    async with platform.unit_of_work(Origin("User", user.id, email)) as work:
        made = await create_institution_with_owner(work, owner_id=user.id, name=email)
    body = {"email": email, "password": PASSWORD}
    session = (await client.post("/api/auth/login", json=body)).raise_for_status().json()
    return Owner(client, session["accessToken"], str(made.id), str(user.id), email)


if __name__ == "__main__":
    main()
