"""Answers requests: a seat as for any device, then a file, and a code for a base file."""

from dataclasses import dataclass
from datetime import datetime, time

from msgspec import Struct

from licet_server.catalog.reading import product_settings
from licet_server.catalog.service.compact_keys import fetch_compact_key
from licet_server.catalog.service.signing import SigningKeys
from licet_server.devices import errors as device_errors
from licet_server.devices.rules.admission import daily_limit, seconds_until_midnight
from licet_server.devices.rules.hardware import require_accepted
from licet_server.devices.service.admission import (
    Admitted,
    Rejected,
    admit_chosen_device,
    admit_device,
)
from licet_server.devices.service.offline import (
    as_stored,
    hold_until,
    refusal_of_key,
    require_first_trial,
    require_there,
)
from licet_server.devices.service.removal import DeviceHooks
from licet_server.events.rules.kinds import EventKind
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.errors import Refused
from licet_server.kit.ids import new_id
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.licenses.rules.file import FileAnswer, FileDevice
from licet_server.licenses.rules.model import License, OfflineActivation
from licet_server.licenses.rules.runtime import require_active
from licet_server.licenses.service.files import AnsweredDevice, make_answer
from licet_server.licenses.service.lifecycle import begin_term
from licet_server.offline import errors
from licet_server.offline.rules.codes import Code, answer_text, print_code
from licet_server.offline.rules.model import (
    OfflineRequest,
    Order,
    StoredState,
    answered,
    asked_now,
    code_day,
    end_of_answer,
    order_of,
    takes_requests,
)
from licet_server.offline.rules.requests import AskedRequest, RequestKind
from licet_server.offline.service.events import record_outdated, record_request, record_waiting
from licet_server.offline.service.releasing import release
from licet_server.offline.storage import requests as storage


@dataclass(frozen=True, slots=True)
class Answering:
    """What answers are made with."""

    hooks: DeviceHooks
    signing_keys: SigningKeys
    issuer: str


class Answer(Struct, frozen=True):
    """A request as it stands, with its file, and its code if the machine has a base file.

    A request that waits has neither, and neither has a release.
    """

    request: OfflineRequest
    file: str | None = None
    code: str | None = None


async def answer(
    work: UnitOfWork,
    answering: Answering,
    license_: License,
    asked: AskedRequest,
    key_hash: str,
    operator: Operator | None,
) -> Answer | Refused:
    """Answer a request under a license that the transaction has locked; the same one again alike.

    What is refused as a return is recorded by the transaction. Without an operator, the license
    decides whether the request is answered, and whether it waits.

    Raises:
        Refused: whatever admits no device, `OfflineActivationNotAllowed`, `OfflineRequestOutdated`,
            `ActivationNotFound`, `KeysNotGenerated`. Nothing is stored then.
    """
    row = await storage.fetch_of_device(
        work.db, (license_.institution_id, license_.id), asked.key.jkt
    )
    order = order_of(row, asked)
    if row is not None and order is Order.OUTDATED:
        await record_outdated(work, license_, row)
        return errors.outdated()
    if asked.kind is RequestKind.RELEASE:
        return Answer(await release(work, answering.hooks, license_, row, asked.seq, asked.nonce))
    if operator is None and not takes_requests(license_):
        raise errors.not_allowed()
    if row is not None and order is Order.SAME:
        return await _answer_again(work, answering, license_, row, operator)
    require_active(license_, work.now)
    if row is None and operator is None:
        await _require_room(work, license_)
    request = asked_now(row, asked, license_, key_hash, work.new_id(), work.now)
    if operator is None and license_.offline_activation is OfflineActivation.APPROVAL:
        await storage.keep(work.db, request, row)
        await record_waiting(work, request, row)
        return Answer(request)
    return await _grant(work, answering, license_, request, row, operator)


async def answer_stored(
    work: UnitOfWork,
    answering: Answering,
    license_: License,
    row: OfflineRequest,
    operator: Operator,
) -> Answer | Refused:
    """Answer a stored request for an operator, unless it is answered; the license is locked.

    Raises:
        Refused: `Conflict` for a device that was released; as `answer`.
    """
    if row.state is StoredState.RELEASED:
        raise errors.released()
    return await _answer_again(work, answering, license_, row, operator)


async def _require_room(work: UnitOfWork, license_: License) -> None:
    """Check that the license takes another device today, since anybody can make up keys."""
    midnight = datetime.combine(work.now.date(), time(), work.now.tzinfo)
    ids, limit = (license_.institution_id, license_.id), daily_limit(license_)
    if await storage.count_since(work.db, ids, midnight) >= limit:
        raise device_errors.too_many_new_devices(limit, seconds_until_midnight(work.now))


def _require_files(license_: License, now: datetime) -> None:
    if license_.traits.online_only:
        raise errors.no_files()
    require_active(license_, now)


async def _answer_again(
    work: UnitOfWork,
    answering: Answering,
    license_: License,
    row: OfflineRequest,
    operator: Operator | None,
) -> Answer | Refused:
    if row.state is StoredState.ANSWERED:
        return await _repeat(work, answering, license_, row)
    waits = license_.offline_activation is OfflineActivation.APPROVAL
    if operator is None and row.state is StoredState.REJECTED:
        raise errors.rejected(row.reason)
    if operator is None and waits:
        return Answer(row)
    return await _grant(work, answering, license_, row, row, operator)


async def _repeat(
    work: UnitOfWork, answering: Answering, license_: License, row: OfflineRequest
) -> Answer | Refused:
    """Return the answer that a request got, while its device has its place.

    Raises:
        Refused: `OfflineRequestOutdated` once it has ended, `ActivationNotFound`, `DeviceBlocked`,
            `LicenseInvalid`, `LicenseExpired`, `OfflineActivationNotAllowed`.
    """
    _require_files(license_, work.now)
    if row.file_ends_at is None or row.file_ends_at <= work.now:
        raise errors.answer_ended()
    device = await as_stored(work, license_, row.device)
    await require_there(work, license_, device)
    refused = await refusal_of_key(work, license_, device)
    if refused is not None:
        return refused
    return await _made(work, answering, license_, row)


async def _grant(
    work: UnitOfWork,
    answering: Answering,
    license_: License,
    request: OfflineRequest,
    before: OfflineRequest | None,
    operator: Operator | None,
) -> Answer | Refused:
    """Give the device of a request its place and an answer, in place of the request before."""
    device = await as_stored(work, license_, request.device)
    _require_files(license_, work.now)
    settings = await product_settings(work.db, license_.institution_id, license_.product_id)
    require_accepted(settings, license_, request.hardware_id)
    refused = await refusal_of_key(work, license_, device)
    if refused is not None:
        return refused
    if request.kind is RequestKind.REFRESH:
        await require_there(work, license_, device)
    await require_first_trial(work, settings, license_, request.hardware_id)
    if operator is None:
        outcome = await admit_device(work, answering.hooks, settings, license_, device)
    else:
        outcome = await admit_chosen_device(work, answering.hooks, license_, device)
    if isinstance(outcome, Rejected) or not outcome.activation.holds_seat:
        return _refusal_of(outcome)
    begun = await begin_term(work, license_)
    done = answered(
        request,
        file_id=new_id(work.recorded_at),
        ends_at=end_of_answer(begun, settings.offline_file_lifetime_days, work.now),
        known_until=outcome.activation.file_ends_at,
        decided_by=None if operator is None else operator.user_id,
        now=work.now,
    )
    await storage.keep(work.db, done, before)
    if done.seat_until is not None and begun.traits.activation_required:
        await hold_until(work, outcome.activation, done.seat_until)
    await record_request(work, EventKind.ACTIVATION_OFFLINE_ANSWERED, done)
    return await _made(work, answering, begun, done)


def _refusal_of(outcome: Admitted | Rejected) -> Refused:
    if isinstance(outcome, Rejected):
        is_elsewhere = outcome.bound_to is not None
        return device_errors.bound_elsewhere() if is_elsewhere else outcome.refusal
    return device_errors.pending_approval()


async def _made(
    work: UnitOfWork, answering: Answering, license_: License, row: OfflineRequest
) -> Answer:
    """Make the file and the code of an answered request, which are the same each time."""
    file_id, made_at, ends_at = row.file_jti, row.file_made_at, row.file_ends_at
    if file_id is None or made_at is None or ends_at is None or row.nonce is None:
        raise ValueError("an answered request has an answer")
    text = await make_answer(
        work.db,
        answering.signing_keys,
        license_,
        AnsweredDevice(
            FileDevice(row.hardware_id, row.jkt),
            FileAnswer(row.nonce, row.seq, ends_at),
            file_id,
            made_at,
        ),
        issuer=answering.issuer,
        now=work.now,
    )
    if row.base is None:
        return Answer(row, text)
    day = code_day(ends_at, made_at)
    signed = answer_text(
        product_id=str(row.product_id),
        key_hash=row.key_hash,
        hardware_id=row.hardware_id,
        jkt=row.jkt,
        nonce=row.nonce,
        base=row.base,
        end_day=day,
    )
    key = await fetch_compact_key(work, row.institution_id, row.product_id)
    return Answer(row, text, print_code(Code(day, key.sign(signed))))
