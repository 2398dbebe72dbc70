"""An offline request as it is stored: the newest one of each device of a license."""

from collections.abc import Sequence
from datetime import UTC, datetime, time, timedelta
from enum import Enum, StrEnum, auto
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from licet_server.devices.rules.model import Activation, Device
from licet_server.devices.rules.proofs import Proof, shown_by
from licet_server.devices.rules.signed import DeviceJwk
from licet_server.licenses.rules.file import refresh_by
from licet_server.licenses.rules.model import License, OfflineActivation
from licet_server.offline.rules.requests import AskedRequest, RequestKind

LIFETIME_DAYS = 30
"""How long an answer lasts where the product names no lifetime of files."""

TRIED_KEYS = 100
"""With how many devices of a license a release code is compared, the newest ones."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC).date()


class RequestState(StrEnum):
    """What has become of a request; a new one is not stored."""

    NEW = "New"
    WAITING = "Waiting"
    ANSWERED = "Answered"
    REJECTED = "Rejected"
    RELEASED = "Released"


class StoredState(StrEnum):
    """The states that are stored."""

    WAITING = "Waiting"
    ANSWERED = "Answered"
    REJECTED = "Rejected"
    RELEASED = "Released"


class Order(Enum):
    """How a request stands to the newest one of its device."""

    NEWER = auto()
    SAME = auto()
    OUTDATED = auto()


class OfflineRequest(Struct, frozen=True, kw_only=True):
    """The newest request of a device, and the newest answer that the device got.

    `key_x` and `key_y` are its public key, and `key_hash` that of the license key that it uses. A
    release by code has no `nonce`. `installed_jti` names the file that it used when it asked.

    `file_jti`, `file_made_at` and `file_ends_at` are of the answer. It takes the seat until
    `seat_until`, and `other_file_until` is the end of files that the device got otherwise, which a
    release does not give back.
    """

    institution_id: UUID
    id: UUID
    license_id: UUID
    product_id: UUID
    jkt: str
    key_x: str
    key_y: str
    hardware_id: str
    device_name: str | None
    app_version: str | None
    kind: RequestKind
    nonce: str | None
    seq: int
    base: str | None
    installed_jti: str | None
    key_hash: str
    file_jti: UUID | None
    file_made_at: datetime | None
    file_ends_at: datetime | None
    seat_until: datetime | None
    other_file_until: datetime | None
    state: StoredState
    asked_at: datetime
    decided_at: datetime | None
    decided_by: UUID | None
    reason: str | None

    @property
    def device(self) -> Device:
        """The device, which proves its key by what it signed."""
        proof = Proof(self.jkt, self.asked_at, self.nonce or "")
        return Device(
            self.hardware_id,
            name=self.device_name,
            app_version=self.app_version,
            shown=shown_by(proof),
        )

    @property
    def key(self) -> DeviceJwk:
        """The public key of the device."""
        return DeviceJwk("EC", "P-256", self.key_x, self.key_y)

    @property
    def files(self) -> list[str]:
        """The IDs of the files that the device may name when it is released."""
        named = [str(self.file_jti), self.base, self.installed_jti]
        return list(dict.fromkeys(item for item in named if item is not None))


def order_of(row: OfflineRequest | None, asked: AskedRequest) -> Order:
    """Return how a request stands to what is stored of its device.

    A release by code is the same as that by file with its `seq`.
    """
    if row is None or asked.seq > row.seq:
        return Order.NEWER
    is_same = row.kind is asked.kind and row.nonce in {None, asked.nonce}
    return Order.SAME if asked.seq == row.seq and is_same else Order.OUTDATED


def state_of(row: OfflineRequest | None, order: Order) -> RequestState:
    """Return what has become of a request that is not outdated."""
    if row is None or order is Order.NEWER:
        return RequestState.NEW
    return RequestState(row.state)


def asked_now(
    row: OfflineRequest | None,
    asked: AskedRequest,
    license_: License,
    key_hash: str,
    request_id: UUID,
    now: datetime,
) -> OfflineRequest:
    """Return a new request as it is stored while it waits; of an earlier one, its answer stays.

    It has an ID of its own, so that an operator approves what they saw and nothing newer.
    """
    request = OfflineRequest(
        institution_id=license_.institution_id,
        id=request_id,
        license_id=license_.id,
        product_id=license_.product_id,
        jkt=asked.key.jkt,
        key_x=asked.key.x,
        key_y=asked.key.y,
        hardware_id=asked.hardware_id,
        device_name=asked.device_name,
        app_version=asked.app_version,
        kind=asked.kind,
        nonce=asked.nonce,
        seq=asked.seq,
        base=asked.base,
        installed_jti=asked.installed,
        key_hash=key_hash,
        file_jti=None,
        file_made_at=None,
        file_ends_at=None,
        seat_until=None,
        other_file_until=None,
        state=StoredState.WAITING,
        asked_at=now,
        decided_at=None,
        decided_by=None,
        reason=None,
    )
    if row is None:
        return request
    return replace(
        request,
        file_jti=row.file_jti,
        file_made_at=row.file_made_at,
        file_ends_at=row.file_ends_at,
        seat_until=row.seat_until,
        other_file_until=row.other_file_until,
    )


def answered(
    row: OfflineRequest,
    *,
    file_id: UUID,
    ends_at: datetime,
    known_until: datetime | None,
    decided_by: UUID | None,
    now: datetime,
) -> OfflineRequest:
    """Return a request with its answer; `known_until` is the end of the device's files so far."""
    others = row.other_file_until
    seat_until = ends_at if row.base is None else max(ends_at, end_of(code_day(ends_at, now)))
    if known_until is not None and known_until == row.seat_until:
        seat_until = max(seat_until, known_until)  # a release covers the answers before, too
    elif known_until is not None:
        others = known_until
    return replace(
        row,
        state=StoredState.ANSWERED,
        file_jti=file_id,
        file_made_at=now,
        file_ends_at=ends_at,
        seat_until=seat_until,
        other_file_until=others,
        decided_at=now,
        decided_by=decided_by,
        reason=None,
    )


def released(row: OfflineRequest, seq: int, nonce: str | None, now: datetime) -> OfflineRequest:
    """Return the row of a device that was released, which stays as its tombstone."""
    return replace(
        row,
        kind=RequestKind.RELEASE,
        seq=seq,
        nonce=nonce,
        state=StoredState.RELEASED,
        asked_at=now,
        decided_at=now,
        decided_by=None,
        reason=None,
    )


def others_until(
    row: OfflineRequest, known: Activation, sharing: Sequence[OfflineRequest]
) -> datetime | None:
    """Return until when files work that a release does not give back; `known` is the device.

    A file that the device got otherwise since its answer ends later than that, see `end_of_answer`.
    Those `sharing` the device have answers of their own, such as other jobs of a CI project.
    """
    given_back = [item for item in sharing if item.state is StoredState.RELEASED]
    ends = {item.seat_until for item in sharing if item not in given_back}
    is_of_answers = known.file_ends_at in {row.seat_until, *ends}
    end = row.other_file_until if is_of_answers else known.file_ends_at
    before = {item.seat_until: item.other_file_until for item in given_back}
    while end in before:  # of an answer that was released since, so what was there before counts
        end = before.pop(end)
    return max((item for item in {*ends, end} if item is not None), default=None)


def end_of_answer(license_: License, product_days: int | None, now: datetime) -> datetime:
    """Return when an answer ends: with its lifetime or with the license.

    That is the last whole second before, so that a file of the same day which is made otherwise
    ends later, and the two are told apart when the device is released.
    """
    end = refresh_by(license_, product_days or LIFETIME_DAYS, now)
    if end is None:
        raise ValueError("a file with a lifetime ends")
    return (end - timedelta(microseconds=1)).replace(microsecond=0)


def code_day(ends_at: datetime, now: datetime) -> int:
    """Return the last day of an answer code, counted from 1970-01-01.

    It is the last one that is over when the answer ends, but today at least.
    """
    last = (ends_at + timedelta(seconds=1)).date() - timedelta(days=1)
    return (max(last, now.date()) - _EPOCH).days


def end_of(day: int) -> datetime:
    """Return the last whole second of a day, counted from 1970-01-01; see `end_of_answer`."""
    return datetime.combine(_EPOCH + timedelta(days=day), time(23, 59, 59), UTC)


def takes_requests(license_: License) -> bool:
    """Return whether everybody who has the key may send requests.

    Not for a license with a user name and a password, which no request has.
    """
    has_credentials = license_.username is not None or license_.password_hash is not None
    return license_.offline_activation is not OfflineActivation.OFF and not has_credentials
