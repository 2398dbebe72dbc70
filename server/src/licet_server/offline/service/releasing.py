"""Releases: a device proves by its signature that it uses its answer no more."""

from licet_server.devices import errors as device_errors
from licet_server.devices.rules.model import Activation
from licet_server.devices.service.offline import find_device, release_proven
from licet_server.devices.service.removal import DeviceHooks
from licet_server.kit.errors import Refused
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.licenses.rules.model import License
from licet_server.offline import errors
from licet_server.offline.rules.codes import Code, release_text
from licet_server.offline.rules.model import OfflineRequest, StoredState, others_until, released
from licet_server.offline.rules.requests import RequestKind
from licet_server.offline.service.events import record_outdated
from licet_server.offline.storage.requests import REQUESTS, fetch_sharing


async def release(
    work: UnitOfWork,
    hooks: DeviceHooks,
    license_: License,
    row: OfflineRequest | None,
    seq: int,
    nonce: str | None,
) -> OfflineRequest:
    """Free the seat of a device that signed its release, which is not outdated. Idempotent.

    Raises:
        Refused: `ActivationNotFound` for a device that never had an answer, `DeviceBlocked`.
    """
    if row is None or row.file_jti is None:
        raise device_errors.not_activated()
    if row.state is StoredState.RELEASED and row.seq == seq:
        return row
    known = await find_device(work, license_, row.device)
    until = None if known is None else others_until(row, known, await _sharing(work, row, known))
    await release_proven(work, hooks, license_, row.device, until)
    after = released(row, seq, nonce, work.now)
    await REQUESTS.save(work.db, after)
    return after


async def _sharing(
    work: UnitOfWork, row: OfflineRequest, known: Activation
) -> list[OfflineRequest]:
    """Return the requests of others that are the same device: it has no key then."""
    return [] if known.jkt is not None else await fetch_sharing(work.db, row)


async def release_by_code(
    work: UnitOfWork, hooks: DeviceHooks, license_: License, row: OfflineRequest, code: Code
) -> OfflineRequest | Refused:
    """Release the device that signed a code, unless the code is older than its newest request.

    Raises:
        Refused: `DeviceBlocked`.
    """
    is_same = row.kind is RequestKind.RELEASE and row.seq == code.number
    if code.number <= row.seq and not is_same:
        await record_outdated(work, license_, row)
        return errors.outdated()
    return await release(work, hooks, license_, row, code.number, None)


def signer_of(rows: list[OfflineRequest], code: Code) -> OfflineRequest | None:
    """Return the device among these that signed a release code."""
    return next((row for row in rows if _is_signed(row, code)), None)


def _is_signed(row: OfflineRequest, code: Code) -> bool:
    texts = [
        release_text(
            product_id=str(row.product_id),
            key_hash=row.key_hash,
            hardware_id=row.hardware_id,
            jkt=row.jkt,
            file_id=file_id,
            seq=code.number,
        )
        for file_id in row.files
    ]
    return any(row.key.verifies(text, code.signature) for text in texts)
