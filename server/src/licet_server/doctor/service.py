"""Runs the checks one after the other, and the repairs."""

import asyncio
import shutil
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from cryptography.x509 import load_pem_x509_certificates

from licet_server.audit.service.evidence import read_evidence, read_heads
from licet_server.audit.service.verifying import verify
from licet_server.doctor.rules import (
    BACKUP_AGE,
    CERTIFICATE_LEFT,
    CHECKS,
    CLOCK_APART,
    EXAMPLES_MAX,
    FAILING_FOR,
    FREE_BYTES,
    FREE_PART,
    REPAIRED_AT_ONCE,
    WAITING_FOR,
    CheckName,
    CheckState,
    Finding,
    found,
    unknown,
)
from licet_server.doctor.storage import rows, unreadable
from licet_server.events.rules.kinds import EventKind
from licet_server.events.rules.model import INSTANCE
from licet_server.events.service.recording import record_for_instance
from licet_server.kit.backups.spool import measure_backups
from licet_server.kit.database_address import Address
from licet_server.kit.errors import Refused
from licet_server.kit.files import FilesUnavailable
from licet_server.kit.origin import Origin
from licet_server.kit.platform import Platform
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.licenses.service.holders import give_customer
from licet_server.metering.rules.reconciling import LedgerProblem
from licet_server.metering.service.reconciling import (
    Reconciliation,
    reconcile_all,
    restore_wallet,
)
from licet_server.monitoring import backlogs_of

_FILES = ("sslcert", "sslrootcert")

Look = Callable[[Platform], Awaitable[Finding]]


async def examine(platform: Platform, seconds: float | None = None) -> list[Finding]:
    """Run every check, one after the other, each for at most `seconds`.

    The service keeps running meanwhile. What cannot look says why, and the others go on.
    """
    return [await _look(platform, name, seconds) for name in CHECKS]


async def repair(platform: Platform, origin: Origin, seconds: float | None = None) -> list[Finding]:
    """Repair what can be repaired without a person's decision, and run every check.

    Each row is looked at again in the transaction that repairs it. The audit log of the instance
    names the repaired rows.
    """
    findings = []
    for name, check in CHECKS.items():
        finding = await _look(platform, name, seconds)
        if check.repairs and finding.state is CheckState.FOUND:
            repaired = await _REPAIRS[name](platform, origin)
            finding = replace(finding, repaired=repaired)
        findings.append(finding)
    return findings


async def _look(platform: Platform, name: CheckName, seconds: float | None) -> Finding:
    try:
        async with asyncio.timeout(seconds):
            return await _LOOKS[name](platform)
    except TimeoutError:
        return unknown(name, f"It did not end within {seconds:g} seconds.")
    except (OSError, ValueError, rows.DatabaseFailed, FilesUnavailable) as error:
        return unknown(name, f"{type(error).__name__}: {error}".splitlines()[0][:200])


async def _clock(platform: Platform) -> Finding:
    async with platform.database.reading() as db:
        evidence = await read_evidence(db)
    now = platform.clock()
    apart = now - evidence.database_now
    seen = []
    if abs(apart) > CLOCK_APART:
        seen.append(f"{abs(apart).total_seconds():.0f} seconds apart from the database")
    if platform.clock_trust is not None and (fault := platform.clock_trust.fault) is not None:
        seen.append(fault)
    return found(CheckName.CLOCK, seen)


async def _disk(platform: Platform) -> Finding:
    folder = platform.settings.data_dir
    usage = await asyncio.to_thread(shutil.disk_usage, folder)
    is_full = usage.free < min(FREE_BYTES, usage.total * FREE_PART)
    seen = [f"{folder}: {usage.free:,} of {usage.total:,} bytes are free"]
    return found(CheckName.DISK, seen if is_full else [])


async def _backups(platform: Platform) -> Finding:
    folder, now = platform.settings.data_dir, platform.clock()
    status = await asyncio.to_thread(measure_backups, folder, now)
    seen = []
    if status is not None and (status.base_age_seconds or 0) > BACKUP_AGE.total_seconds():
        seen.append(f"base backup: {(status.base_age_seconds or 0) / 86400:.0f} days old")
    if status is not None and status.waiting_seconds > WAITING_FOR.total_seconds():
        seen.append(f"changes: waiting for {status.waiting_seconds / 3600:.0f} hours")
    return found(CheckName.BACKUPS, seen)


async def _certificates(platform: Platform) -> Finding:
    given = dict(Address.of_url(platform.settings.database_url or "").options)
    until = platform.clock() + CERTIFICATE_LEFT
    seen = []
    for name in _FILES:
        path = given.get(name, "")
        if not path or path == "system":
            continue
        content = await asyncio.to_thread(_content, path)
        ends = [item.not_valid_after_utc for item in load_pem_x509_certificates(content)]
        seen += [f"{name} {path}: expires {end:%Y-%m-%d}" for end in ends if end < until]
    return found(CheckName.CERTIFICATES, seen)


def _content(path: str) -> bytes:
    return Path(path).expanduser().read_bytes()


async def _backlogs(platform: Platform) -> Finding:
    since = platform.clock() - WAITING_FOR
    seen = []
    async with platform.database.keyed_transaction() as db:
        for name, measure in backlogs_of(platform.settings).items():
            backlog = await measure(db, platform.clock())
            if backlog.due_since is not None and backlog.due_since < since:
                seen.append(f"{name}: {backlog.items:,} since {backlog.due_since:%Y-%m-%d %H:%M}")
    return found(CheckName.BACKLOGS, seen)


async def _audit_log(platform: Platform) -> Finding:
    heads = [*read_heads(platform.settings.audit_heads_file)]
    result = await verify(platform, heads, lambda _done, _total: None)
    seen = [
        f"institution {item.institution_id}: {item.finding} at number {item.number}"
        for item in result.breaches
    ]
    return found(CheckName.AUDIT_LOG, seen)


async def _unreadable(platform: Platform) -> Finding:
    async with platform.database.snapshot() as db:
        count, seen = await unreadable.find_unreadable(db, EXAMPLES_MAX)
        misfits = await unreadable.find_misfits(db)
    return found(CheckName.UNREADABLE_VALUES, [*seen, *misfits], count + len(misfits))


async def _license_keys(platform: Platform) -> Finding:
    async with platform.database.snapshot() as db:
        unfindable = await unreadable.find_unfindable(db)
    return found(CheckName.LICENSE_KEYS, [row.note for row in unfindable])


async def _secrets(platform: Platform) -> Finding:
    async with platform.database.snapshot() as db:
        seen = await unreadable.find_closed(db, platform.keyring)
    return found(CheckName.SECRETS, seen)


async def _wallets(platform: Platform) -> Finding:
    result = await _reconcile(platform)
    seen = [f"license {item.license_id}: {', '.join(item.problems)}" for item in result.mismatches]
    async with platform.database.snapshot() as db:
        held = await rows.find_held(db, EXAMPLES_MAX)
    notes = [*seen, *(row.note for row in held.rows)]
    return found(CheckName.WALLETS, notes, len(seen) + held.count)


async def _reconcile(platform: Platform) -> Reconciliation:
    return await reconcile_all(platform.database, None, lambda _done, _total: None)


async def _rows(name: CheckName, platform: Platform) -> Finding:
    async with platform.database.snapshot() as db:
        result = await rows.find_rows(db, name, platform.clock(), FAILING_FOR, EXAMPLES_MAX)
    return found(name, [row.note for row in result.rows], result.count)


_LOOKS: Mapping[CheckName, Look] = {
    CheckName.CLOCK: _clock,
    CheckName.DISK: _disk,
    CheckName.BACKUPS: _backups,
    CheckName.CERTIFICATES: _certificates,
    CheckName.BACKLOGS: _backlogs,
    CheckName.AUDIT_LOG: _audit_log,
    CheckName.UNREADABLE_VALUES: _unreadable,
    CheckName.LICENSE_KEYS: _license_keys,
    CheckName.SECRETS: _secrets,
    CheckName.WALLETS: _wallets,
    **{name: partial(_rows, name) for name in rows.ROW_CHECKS},
}


async def _repair_rows(name: CheckName, platform: Platform, origin: Origin) -> int:
    async with platform.database.snapshot() as db:
        result = await rows.find_rows(db, name, platform.clock(), FAILING_FOR, REPAIRED_AT_ONCE)
    return await _repair_each(name, result.rows, platform, origin)


async def _repair_keys(platform: Platform, origin: Origin) -> int:
    async with platform.database.snapshot() as db:
        faulty = await unreadable.find_unfindable(db)
    return await _repair_each(CheckName.LICENSE_KEYS, faulty[:REPAIRED_AT_ONCE], platform, origin)


async def _repair_each(
    name: CheckName, faulty: Sequence[rows.Faulty], platform: Platform, origin: Origin
) -> int:
    repaired = 0
    for row in faulty:
        async with platform.unit_of_work(origin) as work:
            if await _repair_row(work, name, row):
                await _record(work, name, [row.note])
                repaired += 1
    return repaired


async def _repair_row(work: UnitOfWork, name: CheckName, row: rows.Faulty) -> bool:
    match name:
        case CheckName.LICENSE_KEYS:
            return await unreadable.repair_key(work.db, row)
        case CheckName.LICENSE_CUSTOMERS:
            return await give_customer(work, row.institution_id, row.id)
        case _:
            return await rows.repair_row(work.db, name, row, work.now)


async def _repair_unreadable(platform: Platform, origin: Origin) -> int:
    async with platform.unit_of_work(origin) as work:
        repaired = [
            *await unreadable.repair_unreadable(work.db, REPAIRED_AT_ONCE),
            *await unreadable.repair_settings(work.db, REPAIRED_AT_ONCE),
        ]
        if repaired:
            await _record(work, CheckName.UNREADABLE_VALUES, repaired)
    return len(repaired)


async def _repair_wallets(platform: Platform, origin: Origin) -> int:
    repaired = 0
    for item in (await _reconcile(platform)).mismatches:
        if LedgerProblem.WALLET_MISSING not in item.problems:
            continue
        try:
            async with platform.unit_of_work(origin) as work:
                key = (item.institution_id, item.license_id)
                repaired += await restore_wallet(work, key)
        except Refused:  # its ledger does not determine the balance
            continue
    return repaired


async def _record(work: UnitOfWork, name: CheckName, repaired: Sequence[str]) -> None:
    kind = EventKind.INSTANCE_REPAIRED
    data = {"check": name.value, "rows": list(repaired)}
    await record_for_instance(work, kind, subject_id=INSTANCE, data=data)


_REPAIRS: Mapping[CheckName, Callable[[Platform, Origin], Awaitable[int]]] = {
    CheckName.UNREADABLE_VALUES: _repair_unreadable,
    CheckName.LICENSE_KEYS: _repair_keys,
    CheckName.WALLETS: _repair_wallets,
    CheckName.LICENSE_CUSTOMERS: partial(_repair_rows, CheckName.LICENSE_CUSTOMERS),
    **{name: partial(_repair_rows, name) for name in rows.REPAIRABLE},
}
