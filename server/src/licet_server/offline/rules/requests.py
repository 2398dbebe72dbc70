"""Offline requests: as machines sign them, and as they are stored.

A request is a compact JWS, signed by the device's own key. The newest one of each device of a
license is stored.
"""

from collections.abc import Sequence
from datetime import UTC, datetime, time, timedelta
from enum import Enum, StrEnum, auto
from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct, field
from msgspec.structs import asdict, replace

from licet_server.devices.rules.model import Activation, Device
from licet_server.devices.rules.proofs import Proof, shown_by
from licet_server.devices.rules.signed import LAST_SECOND, SIGNED_MAX_BYTES, DeviceJwk, read_signed
from licet_server.kit.errors import Refused
from licet_server.licenses.rules.file import refresh_by
from licet_server.licenses.rules.keys import as_meant
from licet_server.licenses.rules.model import License, OfflineActivation
from licet_server.offline import errors
from licet_server.offline.rules.codes import Code, CodeFault, read_code

REQUEST_TYPE = "licet-req+jwt"
_PARTS = 3
_SIGNATURE_CHARACTERS = 86
_VISIBLE = r"\A[\x21-\x7e]+\Z"

_Base64Url = Annotated[str, Meta(pattern=r"\A[A-Za-z0-9_-]+\Z")]
_FileId = Annotated[str, Meta(min_length=1, max_length=64, pattern=_VISIBLE)]
_Stored = r"[^\x00\ud800-\udfff]"
"""What a text of the database may have, which JSON may escape."""
_HardwareId = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=256,
        pattern=rf"\A{_Stored}*[^\s\x00\ud800-\udfff]{_Stored}*\Z",
    ),
]
_Short = Annotated[str, Meta(max_length=256, pattern=rf"\A{_Stored}*\Z")]


class RequestKind(StrEnum):
    """What a machine asks for: a first answer, a newer one, or to be released."""

    ACTIVATE = "Activate"
    REFRESH = "Refresh"
    RELEASE = "Release"


class _Claims(Struct, frozen=True, kw_only=True, rename="camel"):
    product_id: UUID = field(name="aud")
    kind: RequestKind
    hardware_id: _HardwareId
    nonce: Annotated[str, Meta(pattern=r"\A[A-Za-z0-9_-]{22}\Z")]
    seq: Annotated[int, Meta(ge=1, le=2**31 - 1)]
    iat: Annotated[int, Meta(ge=0, le=LAST_SECOND)]
    key_hash: Annotated[_Base64Url, Meta(min_length=43, max_length=43)] | None = field(
        default=None, name="licenseKeyHash"
    )
    device_name: _Short | None = None
    app_version: _Short | None = None
    base: _FileId | None = None
    installed: _FileId | None = field(default=None, name="file")


class AskedRequest(_Claims, frozen=True, kw_only=True):
    """A request whose signature is right, and the key that made it.

    `key_hash` names the license key, where that is long enough not to be guessed. `base` is the ID
    of the base file that the machine has, and `installed` that of the file that it uses.
    """

    key: DeviceJwk


def read_asked(text: str) -> AskedRequest | Code:
    """Return the request in a text, or the release code that was typed in its place.

    People send requests through mails and forms, and scan them with programs that give the whole
    link of a QR code: so white space, invisible characters and the address are taken out.

    Raises:
        Refused: `InvalidRequest` with what is wrong.
    """
    plain = "".join(as_meant(text).split()).rpartition("#")[2]
    if "." in plain:
        return _read_request(plain)
    code = read_code(text)
    if isinstance(code, CodeFault):
        raise _refusal_of_code(plain, code)
    return code


def _refusal_of_code(plain: str, fault: CodeFault) -> Refused:
    if plain.startswith("eyJ"):
        return errors.bad_request("is cut off: copy the whole text of the request.")
    return errors.bad_group(fault.group)


def _read_request(plain: str) -> AskedRequest:
    if len(plain) > SIGNED_MAX_BYTES:
        raise errors.bad_request("is too long: a request has at most 2 kB.")
    parts = plain.split(".")
    is_short = len(parts) == _PARTS and len(parts[-1]) < _SIGNATURE_CHARACTERS
    if len(parts) < _PARTS or is_short:
        raise errors.bad_request("is cut off: copy the whole text of the request.")
    signed = read_signed(plain, REQUEST_TYPE, _Claims)
    if signed is None:
        raise errors.bad_request("is damaged, or is no request: make it on the machine again.")
    key, claims = signed
    named = {name: getattr(claims, name) or None for name in ("device_name", "app_version")}
    return AskedRequest(key=key, **{**asdict(claims), **named})


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
    file_jti: UUID | None = None
    file_made_at: datetime | None = None
    file_ends_at: datetime | None = None
    seat_until: datetime | None = None
    other_file_until: datetime | None = None
    state: StoredState = StoredState.WAITING
    asked_at: datetime
    decided_at: datetime | None = None
    decided_by: UUID | None = None
    reason: str | None = None

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
        asked_at=now,
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
