"""Answers requests: a seat as for any device, then a file, and a code for a base file.

A device is released when it proves by its signature that it uses its answer no more. Events mask
hardware IDs.
"""

from dataclasses import dataclass
from datetime import datetime, time, timedelta

from msgspec import Struct
from msgspec.structs import replace

from licet_server.catalog.reading import product_settings
from licet_server.catalog.service.compact_keys import fetch_compact_key
from licet_server.devices import errors as device_errors
from licet_server.devices.rules.admission import daily_limit, seconds_until_midnight
from licet_server.devices.rules.hardware import require_accepted
from licet_server.devices.rules.model import Activation, masked, new_activation
from licet_server.devices.service.admission import (
    Admitted,
    Rejected,
    admit_chosen_device,
    admit_device,
)
from licet_server.devices.service.files import FileMaker
from licet_server.devices.service.offline import (
    as_stored,
    find_device,
    hold_until,
    refusal_of_key,
    release_proven,
    require_first_trial,
    require_there,
)
from licet_server.devices.service.recognition import record_clone
from licet_server.devices.service.seats import DeviceHooks
from licet_server.events.rules.kinds import EventKind
from licet_server.events.service.recording import claim_topics, record_event
from licet_server.institutions.rules.operators import Operator
from licet_server.kit.errors import Refused
from licet_server.kit.ids import new_id
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.licenses.rules.file import FileAnswer, FileDevice
from licet_server.licenses.rules.model import License, OfflineActivation
from licet_server.licenses.rules.runtime import require_active
from licet_server.licenses.service.files import AnsweredDevice, make_answer
from licet_server.licenses.service.lifecycle import begin_term
from licet_server.offline import errors, storage
from licet_server.offline.rules.codes import Code, answer_text, print_code, release_text
from licet_server.offline.rules.requests import (
    AskedRequest,
    OfflineRequest,
    Order,
    RequestKind,
    StoredState,
    answered,
    asked_now,
    code_day,
    end_of_answer,
    order_of,
    others_until,
    released,
    takes_requests,
)
from licet_server.offline.storage import REQUESTS, fetch_sharing

WAITING_INTERVAL = timedelta(hours=1)


async def record_request(work: UnitOfWork, kind: EventKind, row: OfflineRequest) -> None:
    """Record an event about a request in the transaction of the change."""
    await record_event(
        work,
        kind,
        institution_id=row.institution_id,
        subject_id=row.license_id,
        product_id=row.product_id,
        data={
            "requestId": row.id,
            "licenseId": row.license_id,
            "productId": row.product_id,
            "kind": row.kind,
            "state": row.state,
            "seq": row.seq,
            "hardwareId": masked(row.hardware_id),
            "deviceName": row.device_name,
            "appVersion": row.app_version,
            "endsAt": row.file_ends_at,
            "reason": row.reason,
        },
    )


async def record_waiting(
    work: UnitOfWork, row: OfflineRequest, before: OfflineRequest | None
) -> None:
    """Record that a request waits, of which operators get mail.

    In place of one that waited already, once an hour for each device: whoever knows the key could
    send any number of them.
    """
    if before is not None and before.state is StoredState.WAITING:
        topic = (row.institution_id, f"offline-requested:{row.license_id}:{row.jkt}")
        if not await claim_topics(work.db, [topic], WAITING_INTERVAL, work.recorded_at):
            return
    await record_request(work, EventKind.ACTIVATION_OFFLINE_REQUESTED, row)


async def record_outdated(work: UnitOfWork, license_: License, row: OfflineRequest) -> None:
    """Record that a device asked with an older state than its newest, once a day.

    A device that is not activated, or no longer, is described by its request.
    """
    own = await find_device(work, license_, row.device)
    if own is None:
        asked = new_activation(license_, row.device, row.id, row.asked_at, holds_seat=False)
        own = replace(asked, jkt=row.jkt)
    await record_clone(work, own)


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


class Answer(Struct, frozen=True):
    """A request as it stands, with its file, and its code if the machine has a base file.

    A request that waits has neither, and neither has a release.
    """

    request: OfflineRequest
    file: str | None = None
    code: str | None = None


@dataclass(frozen=True, slots=True)
class Answering:
    """Answers requests under a license that the transaction has locked.

    Without an operator, the license decides whether a request is answered, and whether it waits.
    """

    work: UnitOfWork
    maker: FileMaker
    license: License
    operator: Operator | None

    async def answer(self, asked: AskedRequest, key_hash: str) -> Answer | Refused:
        """Answer a request; the same one again alike.

        What is refused as a return is recorded by the transaction.

        Raises:
            Refused: whatever admits no device, `OfflineActivationNotAllowed`,
                `OfflineRequestOutdated`, `ActivationNotFound`, `KeysNotGenerated`. Nothing is
                stored then.
        """
        work, license_ = self.work, self.license
        ids = (license_.institution_id, license_.id)
        row = await storage.fetch_of_device(work.db, ids, asked.key.jkt)
        order = order_of(row, asked)
        if row is not None and order is Order.OUTDATED:
            await record_outdated(work, license_, row)
            return errors.outdated()
        if asked.kind is RequestKind.RELEASE:
            hooks = self.maker.hooks
            return Answer(await release(work, hooks, license_, row, asked.seq, asked.nonce))
        if self.operator is None and not takes_requests(license_):
            raise errors.not_allowed()
        if row is not None and order is Order.SAME:
            return await self._answer_again(row)
        require_active(license_, work.now)
        if row is None and self.operator is None:
            await self._require_room()
        request = asked_now(row, asked, license_, key_hash, work.new_id(), work.now)
        if self._waits:
            await storage.keep(work.db, request, row)
            await record_waiting(work, request, row)
            return Answer(request)
        return await self._grant(request, row)

    async def answer_stored(self, row: OfflineRequest) -> Answer | Refused:
        """Answer a stored request, unless it is answered.

        Raises:
            Refused: `Conflict` for a device that was released; as `answer`.
        """
        if row.state is StoredState.RELEASED:
            raise errors.released()
        return await self._answer_again(row)

    @property
    def _waits(self) -> bool:
        """Whether the vendor must approve the request."""
        return self.operator is None and (
            self.license.offline_activation is OfflineActivation.APPROVAL
        )

    async def _require_room(self) -> None:
        """Check that the license takes another device today, since anybody can make up keys."""
        now, license_ = self.work.now, self.license
        midnight = datetime.combine(now.date(), time(), now.tzinfo)
        ids, limit = (license_.institution_id, license_.id), daily_limit(license_)
        if await storage.count_since(self.work.db, ids, midnight) >= limit:
            raise device_errors.too_many_new_devices(limit, seconds_until_midnight(now))

    def _require_files(self) -> None:
        if self.license.traits.online_only:
            raise errors.no_files()
        require_active(self.license, self.work.now)

    async def _answer_again(self, row: OfflineRequest) -> Answer | Refused:
        if row.state is StoredState.ANSWERED:
            return await self._repeat(row)
        if self.operator is None and row.state is StoredState.REJECTED:
            raise errors.rejected(row.reason)
        return Answer(row) if self._waits else await self._grant(row, row)

    async def _repeat(self, row: OfflineRequest) -> Answer | Refused:
        """Return the answer that a request got, while its device has its place.

        Raises:
            Refused: `OfflineRequestOutdated` once it has ended, `ActivationNotFound`,
                `DeviceBlocked`, `LicenseInvalid`, `LicenseExpired`, `OfflineActivationNotAllowed`.
        """
        self._require_files()
        if row.file_ends_at is None or row.file_ends_at <= self.work.now:
            raise errors.answer_ended()
        device = await as_stored(self.work, self.license, row.device)
        await require_there(self.work, self.license, device)
        refused = await refusal_of_key(self.work, self.license, device)
        return refused or await self._made(self.license, row)

    async def _grant(
        self, request: OfflineRequest, before: OfflineRequest | None
    ) -> Answer | Refused:
        """Give the device of a request its place and an answer, in place of the request before."""
        work, license_, hooks = self.work, self.license, self.maker.hooks
        device = await as_stored(work, license_, request.device)
        self._require_files()
        settings = await product_settings(work.db, license_.institution_id, license_.product_id)
        require_accepted(settings, license_, request.hardware_id)
        refused = await refusal_of_key(work, license_, device)
        if refused is not None:
            return refused
        if request.kind is RequestKind.REFRESH:
            await require_there(work, license_, device)
        await require_first_trial(work, settings, license_, request.hardware_id)
        if self.operator is None:
            outcome = await admit_device(work, hooks, settings, license_, device)
        else:
            outcome = await admit_chosen_device(work, hooks, license_, device)
        if isinstance(outcome, Rejected) or not outcome.activation.holds_seat:
            return _refusal_of(outcome)
        begun = await begin_term(work, license_)
        done = answered(
            request,
            file_id=new_id(work.recorded_at),
            ends_at=end_of_answer(begun, settings.offline_file_lifetime_days, work.now),
            known_until=outcome.activation.file_ends_at,
            decided_by=None if self.operator is None else self.operator.user_id,
            now=work.now,
        )
        await storage.keep(work.db, done, before)
        if done.seat_until is not None and begun.traits.activation_required:
            await hold_until(work, outcome.activation, done.seat_until)
        await record_request(work, EventKind.ACTIVATION_OFFLINE_ANSWERED, done)
        return await self._made(begun, done)

    async def _made(self, license_: License, row: OfflineRequest) -> Answer:
        """Make the file and the code of an answered request, which are the same each time."""
        file_id, made_at, ends_at = row.file_jti, row.file_made_at, row.file_ends_at
        if file_id is None or made_at is None or ends_at is None or row.nonce is None:
            raise ValueError("an answered request has an answer")
        answer = FileAnswer(row.nonce, row.seq, ends_at)
        text = await make_answer(
            self.work.db,
            self.maker.signing_keys,
            license_,
            AnsweredDevice(FileDevice(row.hardware_id, row.jkt), answer, file_id, made_at),
            issuer=self.maker.issuer,
            now=self.work.now,
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
        key = await fetch_compact_key(self.work, row.institution_id, row.product_id)
        return Answer(row, text, print_code(Code(day, key.sign(signed))))


def _refusal_of(outcome: Admitted | Rejected) -> Refused:
    if isinstance(outcome, Rejected):
        is_elsewhere = outcome.bound_to is not None
        return device_errors.bound_elsewhere() if is_elsewhere else outcome.refusal
    return device_errors.pending_approval()
