"""Servers that lack one protection: controls, which show that the races can be lost.

`serve_without(NAME, PORT, ...)` serves the real application on each port, in a process each, after
the protection of that name was taken away; `nothing` takes none away. Between a look and what is
done about it there is a pause, so that what can go wrong does.
"""

import asyncio
import multiprocessing
import os
import secrets
import signal
import sys
from collections.abc import Callable, Iterable, Sequence
from datetime import date, datetime
from typing import Any
from uuid import UUID

from litestar.types import ASGIApp
from sqlalchemy import func, insert, select, text, update

from licet_server import serving
from licet_server.devices.rules.model import Tally
from licet_server.devices.storage import tallies
from licet_server.devices.tables import activations as activations_table
from licet_server.kit.clock import Clock, system_clock
from licet_server.kit.database import Connection
from licet_server.kit.ids import new_id
from licet_server.kit.settings import read_settings
from licet_server.licenses.service import reading
from licet_server.licenses.storage import terms as stored_terms
from licet_server.metering.rules.charging import Charge
from licet_server.metering.service import charging, meters
from licet_server.metering.storage import entries, wallets
from licet_server.sessions import errors
from licet_server.sessions.rules.model import Applicant, Beat, Connected, Slot
from licet_server.sessions.service import runtime
from licet_server.sessions.storage import beats, slots
from licet_server.sessions.tables import session_slots, sessions

PAUSE_S = 0.4
SHORT_PAUSE_S = 0.1
COMMIT_LATER_S = 1.5

LOOSENED = {
    "tally": (
        "ALTER TABLE activations DROP CONSTRAINT activations_device_key",
        "DROP INDEX activations_bound_key",
    ),
    "instance": ("ALTER TABLE session_slots DROP CONSTRAINT session_slots_instance_key",),
    "wallet-lock": (
        "DROP INDEX meter_entries_sequence_key",
        "DROP INDEX meter_entries_idempotency_key",
    ),
    "key-look-up": ("DROP INDEX meter_entries_idempotency_key",),
}
"""What the database itself would refuse, by the name of the protection."""


async def glance_at_tallies(db: Connection, ids: Sequence[Any], today: date) -> dict[UUID, Tally]:
    """`hold_tallies`, which finds nothing to hold."""
    return {license_id: Tally(0, 0, today, 0) for _, license_id in ids}


async def count_devices(db: Connection, license_id: Any, cap: int | None) -> int | None:
    """`take_seat`, which counts the rows that are there."""
    of_license = activations_table.c.license_id == license_id[1]
    statement = select(func.count()).where(of_license, activations_table.c.holds_seat)
    used = int((await db.execute(statement)).scalar_one())
    await asyncio.sleep(PAUSE_S)
    return used + 1 if cap is None or used < cap else None


def without_tally() -> None:
    """Devices of a license come all at once."""
    _replace(stored_terms, "lock_terms", stored_terms.fetch_terms)
    _replace(tallies, "hold_tallies", glance_at_tallies)
    _replace(tallies, "take_seat", count_devices)


async def count_then_insert(
    db: Connection, applicants: Sequence[Applicant], clock: Clock, pause_s: float = PAUSE_S
) -> list[Any]:
    """`let_in`, as a service without slots would do it: who fits by the count gets a new row."""
    ids = sorted({item.license for item in applicants})
    licenses = await reading.find_terms(db, ids)
    used = {license_id: await _count(db, license_id, clock()) for _, license_id in ids}
    await asyncio.sleep(pause_s)
    answers: list[Any] = []
    for item in applicants:
        cap = licenses[item.license_id].max_active_users_count or 0
        if used[item.license_id] >= cap:
            answers.append(errors.pool_full(used[item.license_id], cap))
            continue
        used[item.license_id] += 1
        session_id, expires_at = await _insert(db, item, clock())
        answers.append(Connected(session_id, expires_at, used[item.license_id], cap))
    return answers


async def _count(db: Connection, license_id: UUID, now: datetime) -> int:
    of_license = session_slots.c.license_id == license_id
    statement = select(func.count()).where(of_license, session_slots.c.expires_at > now)
    return int((await db.execute(statement)).scalar_one())


async def _insert(db: Connection, item: Applicant, now: datetime) -> tuple[UUID, datetime]:
    session_id, expires_at = new_id(now), now + item.timeout
    told = {
        "institution_id": item.institution_id,
        "license_id": item.license_id,
        "product_id": item.product_id,
        "hardware_id": item.hardware_id,
        "connected_at": now,
    }
    stands = {"n": 1 + secrets.randbelow(2**30), "session_id": session_id, "expires_at": expires_at}
    await db.execute(insert(sessions).values(id=session_id, **told))
    await db.execute(insert(session_slots).values(**told, **stands))
    return session_id, expires_at


def without_slots() -> None:
    _replace(runtime, "let_in", count_then_insert)


async def lock_and_count(db: Connection, applicants: Sequence[Applicant], clock: Clock) -> Any:
    """The same, but one at a time for each license: only those who time out are not held."""
    ids = sorted({item.license_id for item in applicants})
    held = text("SELECT id FROM licenses WHERE id = ANY(:ids) ORDER BY id FOR UPDATE")
    await db.execute(held, {"ids": ids})
    return await count_then_insert(db, applicants, clock, 0)


async def look_then_keep_alive(
    db: Connection, found: Sequence[tuple[Beat, Slot]], now: datetime
) -> dict[Any, datetime]:
    """`keep_alive` of sessions that were alive when they were looked at."""
    await asyncio.sleep(0.7 * found[0][0].timeout.total_seconds())
    now = system_clock()
    for beat, _ in found:
        statement = update(session_slots).where(session_slots.c.session_id == beat.session_id)
        await db.execute(statement.values(beat_at=now, expires_at=now + beat.timeout))
    return {beat.key: now + beat.timeout for beat, _ in found}


def without_contended_expiry() -> None:
    _replace(runtime, "let_in", lock_and_count)
    _replace(beats, "keep_alive", look_then_keep_alive)


async def look_at_own(db: Connection, own: Sequence[Any], over: Sequence[Any]) -> list[Slot]:
    """`lock_own_and_over` without a lock."""
    found: list[Slot] = []
    for institution_id, key in own:
        statement = select(*slots.COLUMNS).where(
            session_slots.c.institution_id == institution_id, session_slots.c.instance_key == key
        )
        found += [slots.slot_of(row) for row in await db.execute(statement)]
    await asyncio.sleep(PAUSE_S)
    return found


def without_instance_key() -> None:
    _replace(slots, "lock_own_and_over", look_at_own)
    _replace(stored_terms, "lock_terms", stored_terms.fetch_terms)


async def glance_at_terms(db: Connection, ids: Sequence[Any]) -> Any:
    """`lock_terms`, which a change of the license need not wait for."""
    found = await stored_terms.fetch_terms(db, ids)
    await asyncio.sleep(SHORT_PAUSE_S)
    return found


def without_held_license() -> None:
    _replace(stored_terms, "lock_terms", glance_at_terms)


def without_commit_before_answer() -> None:
    tasks = set()

    async def answer_first(self: Any, applicants: Sequence[Applicant]) -> Any:
        answers = asyncio.get_running_loop().create_future()

        async def let_in_and_commit_later() -> None:
            async with self._platform.database.transaction() as db:
                answers.set_result(await runtime.let_in(db, applicants, self._platform.clock))
                await asyncio.sleep(COMMIT_LATER_S)

        task = asyncio.create_task(let_in_and_commit_later())
        tasks.add(task)
        task.add_done_callback(tasks.discard)
        return await answers

    _replace(runtime.Sessions, "_try_let_in", answer_first)


async def glance_at_wallets(db: Connection, keys: Iterable[Any]) -> Any:
    """`lock_wallets`, which nobody need wait for."""
    found = await wallets.fetch_wallets(db, list(keys))
    await asyncio.sleep(SHORT_PAUSE_S)
    return found


def without_wallet_lock() -> None:
    _replace(wallets, "lock_wallets", glance_at_wallets)


def without_look_up_under_lock() -> None:
    """Keys are looked up first, and what is stored while the wallets are waited for is not seen."""
    fetch, charge = entries.fetch_by_keys, charging.charge

    async def look_up_then_charge(db: Connection, charges: Sequence[Charge], clock: Clock) -> Any:
        keys = [(*item.wallet, item.idempotency_key) for item in charges if item.idempotency_key]
        seen = await fetch(db, keys)
        await asyncio.sleep(SHORT_PAUSE_S)

        async def recall(*_: object) -> Any:
            return seen

        _replace(entries, "fetch_by_keys", recall)  # one batch at a time is charged
        return await charge(db, charges, clock)

    _replace(meters, "charge", look_up_then_charge)


def without_commit_before_charged() -> None:
    tasks = set()

    async def answer_first(self: Any, charges: Sequence[Charge]) -> Any:
        answers = asyncio.get_running_loop().create_future()

        async def charge_and_commit_later() -> None:
            async with self._platform.database.transaction() as db:
                answers.set_result(await charging.charge(db, charges, self._platform.clock))
                await asyncio.sleep(PAUSE_S)

        task = asyncio.create_task(charge_and_commit_later())
        tasks.add(task)
        task.add_done_callback(tasks.discard)
        return await answers

    _replace(meters.Meters, "_charge", answer_first)


REMOVALS: dict[str, Callable[[], None]] = {
    "nothing": lambda: None,
    "tally": without_tally,
    "session-slots": without_slots,
    "expiry": without_contended_expiry,
    "instance": without_instance_key,
    "license-hold": without_held_license,
    "commit-first": without_commit_before_answer,
    "wallet-lock": without_wallet_lock,
    "key-look-up": without_look_up_under_lock,
    "charge-first": without_commit_before_charged,
}


def _replace(place: Any, name: str, what: Any) -> None:
    getattr(place, name)  # what was renamed is not replaced, and would be no control
    setattr(place, name, what)


def _serve(app: ASGIApp, port: int) -> None:
    settings = read_settings({**os.environ, "LICET_PORT": str(port)})
    serving.listen(lambda: app, settings)


def serve_without(name: str, *ports: int) -> None:
    """Take the protection away and serve until the process that started this one is gone.

    The application is built once; a process that becomes several starts faster than several.
    """
    REMOVALS[name]()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    parent = multiprocessing.parent_process()
    assert parent is not None
    app = serving.create_worker()
    context = multiprocessing.get_context("fork")
    processes = [context.Process(target=_serve, args=(app, port), daemon=True) for port in ports]
    for process in processes:
        process.start()
    print(*(process.pid for process in processes), flush=True)
    parent.join()
