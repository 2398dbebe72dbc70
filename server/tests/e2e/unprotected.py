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

from sqlalchemy import func, insert, select, text, update

from licet_server import serving
from licet_server.app import Application
from licet_server.devices.rules.model import DeviceCounters
from licet_server.devices.storage import seats as stored_seats
from licet_server.devices.tables import activations as activations_table
from licet_server.kit.clock import Clock, system_clock
from licet_server.kit.database import Connection
from licet_server.kit.ids import new_id
from licet_server.kit.limits import places
from licet_server.kit.logs import configure_logs
from licet_server.kit.settings import read_settings
from licet_server.kit.together import Found, Query, fetch_together
from licet_server.licenses.service import reading
from licet_server.licenses.storage import terms as stored_terms
from licet_server.metering.rules.charging import Charge
from licet_server.metering.service import charging, meters
from licet_server.metering.storage import entries, wallets
from licet_server.sessions import errors
from licet_server.sessions.rules.model import Connected, Heartbeat, SeatClaim, Slot
from licet_server.sessions.service import claiming, runtime
from licet_server.sessions.storage import heartbeats, slots
from licet_server.sessions.tables import session_slots, sessions

PAUSE_S = 0.4
SHORT_PAUSE_S = 0.1
COMMIT_LATER_S = 1.5

LOOSENED = {
    "counters": (
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


async def read_no_counters(
    db: Connection, ids: Sequence[Any], today: date
) -> dict[UUID, DeviceCounters]:
    """`lock_counters` that locks nothing."""
    return {
        license_id: DeviceCounters(seats_used=0, unreviewed_attempts=0, day=today, new_rows=0)
        for _, license_id in ids
    }


async def count_devices(db: Connection, license_id: Any, cap: int | None) -> int | None:
    """`increment_seats` that counts the stored rows."""
    of_license = activations_table.c.license_id == license_id[1]
    statement = select(func.count()).where(of_license, activations_table.c.holds_seat)
    used = int((await db.execute(statement)).scalar_one())
    await asyncio.sleep(PAUSE_S)
    return used + 1 if cap is None or used < cap else None


def without_counters() -> None:
    """Devices of a license are admitted concurrently."""
    _replace(stored_terms, "lock_terms", stored_terms.fetch_terms)
    _replace(stored_seats, "lock_counters", read_no_counters)
    _replace(stored_seats, "increment_seats", count_devices)


async def count_then_insert(
    db: Connection,
    claims: Sequence[SeatClaim],
    clock: Clock,
    _present: Clock,
    pause_s: float = PAUSE_S,
) -> list[Any]:
    """`claim_seats` of a service without slots: count the sessions, then insert a row."""
    ids = sorted({item.license for item in claims})
    licenses = await reading.find_terms(db, ids)
    used = {license_id: await _count(db, license_id, clock()) for _, license_id in ids}
    await asyncio.sleep(pause_s)
    answers: list[Any] = []
    for item in claims:
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


async def _insert(db: Connection, item: SeatClaim, now: datetime) -> tuple[UUID, datetime]:
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
    _replace(runtime, "claim_seats", count_then_insert)


async def lock_and_count(
    db: Connection, claims: Sequence[SeatClaim], clock: Clock, present: Clock
) -> Any:
    """`count_then_insert` under a lock of the license: only expiring sessions are unprotected."""
    ids = sorted({item.license_id for item in claims})
    lock = text("SELECT id FROM licenses WHERE id = ANY(:ids) ORDER BY id FOR UPDATE")
    await db.execute(lock, {"ids": ids})
    return await count_then_insert(db, claims, clock, present, 0)


async def read_then_extend(
    db: Connection, found: Sequence[tuple[Heartbeat, Slot]], now: datetime
) -> dict[Any, datetime]:
    """`extend_sessions` of sessions that were live when they were read."""
    await asyncio.sleep(0.7 * found[0][0].timeout.total_seconds())
    now = system_clock()
    for item, _ in found:
        statement = update(session_slots).where(session_slots.c.session_id == item.session_id)
        await db.execute(statement.values(last_heartbeat_at=now, expires_at=now + item.timeout))
    return {item.key: now + item.timeout for item, _ in found}


def without_contended_expiry() -> None:
    _replace(runtime, "claim_seats", lock_and_count)
    _replace(heartbeats, "extend_sessions", read_then_extend)


async def fetch_and_pause(db: Connection, *queries: Query) -> list[Found]:
    """`fetch_together`, before another process goes on."""
    found = await fetch_together(db, *queries)
    await asyncio.sleep(PAUSE_S)
    return found


def without_instance_key() -> None:
    unlocked = slots._LOCK_OWN._generate()
    unlocked._for_update_arg = None
    _replace(slots, "_LOCK_OWN", unlocked)
    _replace(claiming, "fetch_together", fetch_and_pause)
    _replace(stored_terms, "lock_terms", stored_terms.fetch_terms)


async def glance_at_terms(db: Connection, ids: Sequence[Any]) -> Any:
    """`lock_terms`, which others of its kind wait for, and a change of the license need not."""
    for license_id in sorted(str(license_id) for _, license_id in ids):
        given = {"license": license_id}
        await db.execute(text("SELECT pg_advisory_xact_lock(hashtext(:license))"), given)
    found = await stored_terms.fetch_terms(db, ids)
    await asyncio.sleep(SHORT_PAUSE_S)
    return found


def without_held_license() -> None:
    _replace(stored_terms, "lock_terms", glance_at_terms)


def without_commit_before_answer() -> None:
    tasks = set()

    async def answer_first(self: Any, claims: Sequence[SeatClaim]) -> Any:
        answers = asyncio.get_running_loop().create_future()

        async def claim_and_commit_later() -> None:
            async with self._platform.database.transaction() as db:
                answers.set_result(
                    await runtime.claim_seats(db, claims, self._platform.now, self._platform.clock)
                )
                await asyncio.sleep(COMMIT_LATER_S)

        task = asyncio.create_task(claim_and_commit_later())
        tasks.add(task)
        task.add_done_callback(tasks.discard)
        return await answers

    _replace(runtime.Sessions, "_try_claim_seats", answer_first)


async def read_wallets_without_lock(db: Connection, keys: Iterable[Any]) -> Any:
    """`lock_for_charges` without the lock."""
    found = await wallets.fetch_wallets(db, list(keys))
    await asyncio.sleep(SHORT_PAUSE_S)
    return found, {}


def without_wallet_lock() -> None:
    _replace(wallets, "lock_for_charges", read_wallets_without_lock)


def without_look_up_under_lock() -> None:
    """Keys are looked up first, and what is stored while the wallets are waited for is not seen."""
    fetch, charge = entries.fetch_by_keys, charging.charge

    async def look_up_then_charge(
        db: Connection, charges: Sequence[Charge], clock: Clock, present: Clock
    ) -> Any:
        keys = [(*item.wallet, item.idempotency_key) for item in charges if item.idempotency_key]
        seen = await fetch(db, keys)
        await asyncio.sleep(SHORT_PAUSE_S)

        async def recall(*_: object) -> Any:
            return seen

        _replace(entries, "fetch_by_keys", recall)  # one batch at a time is charged
        return await charge(db, charges, clock, present)

    _replace(meters, "charge", look_up_then_charge)


def without_commit_before_charged() -> None:
    tasks = set()

    async def answer_first(self: Any, charges: Sequence[Charge]) -> Any:
        answers = asyncio.get_running_loop().create_future()

        async def charge_and_commit_later() -> None:
            async with self._platform.database.transaction() as db:
                platform = self._platform
                answers.set_result(await charging.charge(db, charges, platform.now, platform.clock))
                await asyncio.sleep(PAUSE_S)

        task = asyncio.create_task(charge_and_commit_later())
        tasks.add(task)
        task.add_done_callback(tasks.discard)
        return await answers

    _replace(meters.Meters, "_charge", answer_first)


async def find_all_free(
    db: Connection, holder: UUID, wanted: Sequence[tuple[str, int]], *_times: datetime
) -> set[str]:
    """`take_places` that takes none."""
    del db, holder
    return {bucket for bucket, _ in wanted}


def without_places() -> None:
    """Nobody counts what others have in progress."""
    _replace(places, "take_places", find_all_free)


REMOVALS: dict[str, Callable[[], None]] = {
    "nothing": lambda: None,
    "counters": without_counters,
    "session-slots": without_slots,
    "expiry": without_contended_expiry,
    "instance": without_instance_key,
    "license-hold": without_held_license,
    "commit-first": without_commit_before_answer,
    "wallet-lock": without_wallet_lock,
    "key-look-up": without_look_up_under_lock,
    "charge-first": without_commit_before_charged,
    "places": without_places,
}


def _replace(place: Any, name: str, what: Any) -> None:
    getattr(place, name)  # what was renamed is not replaced, and would be no control
    setattr(place, name, what)


def _serve(app: Application, port: int) -> None:
    settings = read_settings({**os.environ, "LICET_PORT": str(port)})
    serving.listen(app.asgi, settings, serving.bind(settings), app.close_streams)


def serve_without(name: str, *ports: int) -> None:
    """Take the protection away and serve until the process that started this one is gone.

    The application is built once; a process that becomes several starts faster than several.
    """
    REMOVALS[name]()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    parent = multiprocessing.parent_process()
    assert parent is not None
    configure_logs()
    app = serving.application(read_settings(os.environ))
    context = multiprocessing.get_context("fork")
    processes = [context.Process(target=_serve, args=(app, port), daemon=True) for port in ports]
    for process in processes:
        process.start()
    print(*(process.pid for process in processes), flush=True)
    parent.join()
