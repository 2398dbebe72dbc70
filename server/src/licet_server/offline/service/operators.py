"""What operators do with offline requests: list them, answer, approve and reject."""

from datetime import datetime
from uuid import UUID

from msgspec.structs import replace

from licet_server.devices.service.files import FileMaker
from licet_server.events.rules.kinds import EventKind
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.database import Connection
from licet_server.kit.errors import Refused
from licet_server.kit.paging import Listing, Paging
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.licenses.rules.keys import signed_hash
from licet_server.licenses.rules.model import License
from licet_server.licenses.service import reading
from licet_server.offline import errors, storage
from licet_server.offline.rules.codes import Code
from licet_server.offline.rules.requests import OfflineRequest, StoredState, read_asked
from licet_server.offline.service.answering import (
    Answer,
    Answering,
    record_request,
    release_by_code,
    signer_of,
)
from licet_server.offline.storage import REQUESTS


async def list_requests(
    db: Connection,
    operator: Operator,
    license_id: UUID,
    state: StoredState | None,
    paging: Paging,
) -> Listing[OfflineRequest]:
    """List the newest request of each device of a license, newest first.

    Raises:
        Refused: `NotFound`, `Forbidden`.
    """
    license_ = await reading.fetch_license(db, operator, license_id)
    return await storage.list_of_license(db, (license_.institution_id, license_.id), state, paging)


async def list_all_requests(
    db: Connection, operator: Operator, state: StoredState | None, paging: Paging
) -> Listing[tuple[OfflineRequest, str]]:
    """List the requests of all licenses of the operator, with the names of the licenses.

    Raises:
        Refused: `Forbidden`.
    """
    institutions = operator.authorized(None)
    found = await storage.list_of_institutions(db, institutions, state, paging)
    ids = [item.license_id for item in found.items]
    licenses = await reading.find_by_ids(db, operator.visibility, ids)
    names = {item: license_.license_name for item, license_ in licenses.items()}
    return found.of(lambda item: (item, names.get(item.license_id, "")))


async def find_waiting(
    db: Connection, operator: Operator, institution_id: UUID, limit: int, now: datetime
) -> tuple[int, list[tuple[OfflineRequest, License]]]:
    """Count the requests that wait in an institution, and return the oldest with their licenses.

    Those of licenses that are suspended, revoked or expired do not wait.
    """
    count = await storage.count_waiting(db, institution_id, now)
    found = await storage.fetch_waiting(db, institution_id, limit, now) if count else []
    ids = [item.license_id for item in found]
    licenses = await reading.find_by_ids(db, operator.visibility, ids)
    return count, [(it, licenses[it.license_id]) for it in found if it.license_id in licenses]


async def answer_for_operator(
    work: UnitOfWork, maker: FileMaker, operator: Operator, license_id: UUID, text: str
) -> Answer | Refused:
    """Answer a request at once, whatever the license says of requests; or release a device.

    Raises:
        Refused: `NotFound`, `Forbidden`; `InvalidRequest` for a request of another license; as
            `answer`.
    """
    asked = read_asked(text)
    license_ = await reading.lock_license(work.db, operator, license_id)
    work = work.at(license_.clock)
    if isinstance(asked, Code):
        ids = (license_.institution_id, license_.id)
        row = signer_of(await storage.fetch_answered(work.db, ids), asked)
        if row is None:
            raise errors.unknown_code()
        done = await release_by_code(work, maker.hooks, license_, row, asked)
        return done if isinstance(done, Refused) else Answer(done)
    key_hash = signed_hash(license_.normal_key)
    if asked.product_id != license_.product_id or asked.key_hash not in {None, key_hash}:
        raise errors.of_other_license()
    return await Answering(work, maker, license_, operator).answer(asked, key_hash)


async def approve(
    work: UnitOfWork, maker: FileMaker, operator: Operator, request_id: UUID
) -> Answer | Refused:
    """Answer a request that waits or was rejected; one that is answered gets the same answer.

    Raises:
        Refused: `NotFound`, `Forbidden`; `Conflict` for a device that was released; as `answer`.
    """
    work, license_, row = await _lock(work, operator, request_id)
    return await Answering(work, maker, license_, operator).answer_stored(row)


async def reject(
    work: UnitOfWork, operator: Operator, request_id: UUID, reason: str | None
) -> OfflineRequest:
    """Reject a request that waits; approving it undoes that.

    Raises:
        Refused: `NotFound`, `Forbidden`; `Conflict` unless the request waits or was rejected.
    """
    work, _, row = await _lock(work, operator, request_id)
    if row.state not in {StoredState.WAITING, StoredState.REJECTED}:
        raise errors.decided()
    if row.state is StoredState.REJECTED and row.reason == reason:
        return row
    after = replace(
        row,
        state=StoredState.REJECTED,
        decided_at=work.now,
        decided_by=operator.user_id,
        reason=reason,
    )
    await REQUESTS.save(work.db, after)
    await record_request(work, EventKind.ACTIVATION_OFFLINE_REJECTED, after)
    return after


async def _lock(
    work: UnitOfWork, operator: Operator, request_id: UUID
) -> tuple[UnitOfWork, License, OfflineRequest]:
    """Lock a request whose license the operator sees, and the license first."""
    found = await REQUESTS.fetch(work.db, operator.roles, request_id)
    if found is not None:
        visible = await reading.find_by_ids(work.db, operator.visibility, [found.license_id])
        found = found if visible else None
    request = operator.found(found, "offline request")
    license_ = await reading.lock_license(work.db, operator, request.license_id)
    locked = await REQUESTS.lock(work.db, operator.roles, request_id)
    return work.at(license_.clock), license_, operator.found(locked, "offline request")
