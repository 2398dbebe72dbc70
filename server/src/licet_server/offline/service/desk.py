"""The desk for everybody: a request is shown, answered, and released, without any credentials."""

from datetime import datetime

from msgspec import Struct
from msgspec.structs import replace

from licet_server.catalog.service.lookup import find_place
from licet_server.devices.rules.admission import seats_total
from licet_server.devices.service.files import FileMaker
from licet_server.devices.service.lookup import find_seated_facts
from licet_server.kit import limits
from licet_server.kit.database import Connection
from licet_server.kit.errors import Refused
from licet_server.kit.origin import Origin
from licet_server.kit.platform import Platform
from licet_server.licenses.errors import unknown_license_key
from licet_server.licenses.rules.keys import normal_form, signed_hash
from licet_server.licenses.rules.model import License, OfflineActivation
from licet_server.licenses.service import reading
from licet_server.licenses.service.noting import note_device, note_license
from licet_server.licenses.service.reading import count_unknown_key
from licet_server.offline import errors, storage
from licet_server.offline.rules.codes import Code
from licet_server.offline.rules.requests import (
    AskedRequest,
    Order,
    RequestKind,
    RequestState,
    order_of,
    read_asked,
    state_of,
    takes_requests,
)
from licet_server.offline.service.answering import Answer, Answering, release_by_code, signer_of


async def find_asked(
    db: Connection, platform: Platform, asked: AskedRequest, license_key: str | None
) -> License | None:
    """Return the license of a request; `None` where neither it nor the caller names a key.

    Raises:
        Refused: `LicenseNotFound`, `InvalidRequest` for another key than that of the request.
    """
    if license_key is None:
        if asked.key_hash is None:
            return None
        found = await reading.find_by_key_hash(db, asked.key_hash)
        return _one([item for item in found if item.product_id == asked.product_id])
    key_hash = signed_hash(license_key)
    if asked.key_hash not in {None, key_hash}:
        raise errors.other_key()
    place = await find_place(db, asked.product_id)
    normal_key = normal_form(license_key)
    if place is None or normal_key is None:
        raise unknown_license_key()
    wanted = (place[0], asked.product_id, normal_key)
    by_key = await reading.find_by_keys(db, [wanted], platform.now())
    return _one(list(by_key.values()))


def _one(found: list[License]) -> License:
    if not found:
        raise unknown_license_key()
    return found[0]


async def counted(platform: Platform, refused: Refused, address: str) -> Refused:
    """Count a refusal of an unknown key against the address, and return it.

    Raises:
        Refused: `RateLimited` where the address sent too many.
    """
    if refused.code is unknown_license_key().code:
        await count_unknown_key(platform, address)
    return refused


REQUESTS_A_MINUTE = 60
_ENDING = 6


class Preview(Struct, frozen=True, kw_only=True):
    """What a request is for, and what would become of it now.

    Without a license, the request does not say which, and the caller must give the key.
    """

    kind: RequestKind
    product_name: str
    license: License | None = None
    device_name: str | None = None
    hardware_id_ending: str | None = None
    seats_used: int | None = None
    seats_total: int | None = None
    state: RequestState = RequestState.NEW
    reason: str | None = None
    ends_at: datetime | None = None

    @property
    def waits(self) -> bool:
        """Whether an operator must approve the request."""
        is_release = self.kind is RequestKind.RELEASE
        mode = None if self.license is None else self.license.offline_activation
        return mode is OfflineActivation.APPROVAL and not is_release


class OfflineDesk:
    """Serves machines without a connection, by whoever carries their requests."""

    def __init__(self, platform: Platform, maker: FileMaker) -> None:
        self._platform = platform
        self._maker = maker

    async def preview(self, text: str, license_key: str | None, origin: Origin) -> Preview:
        """Return what a request or a release code is for; nothing is changed.

        Raises:
            Refused: `InvalidRequest`, `LicenseNotFound`, `OfflineActivationNotAllowed`,
                `OfflineRequestOutdated`, `RateLimited`.
        """
        asked = await self._read(text, origin)
        async with self._platform.database.reading() as db:
            try:
                if isinstance(asked, Code):
                    return await self._preview_code(db, asked, license_key)
                license_ = await find_asked(db, self._platform, asked, license_key)
                if license_ is None:
                    return await _preview_without_license(db, asked)
            except Refused as refused:
                raise await counted(self._platform, refused, origin.ip_address or "") from None
            return await self._preview(db, asked, license_)

    async def answer(self, text: str, license_key: str | None, origin: Origin) -> Answer:
        """Answer a request, or let it wait, as its license says; or release a device.

        Raises:
            Refused: as `preview`, and whatever keeps a device from its seat or an answer.
        """
        asked = await self._read(text, origin)
        async with self._platform.database.reading() as db:
            try:
                if isinstance(asked, Code):
                    found, jkt = await _find_signer(db, asked, license_key)
                else:
                    wanted = await find_asked(db, self._platform, asked, license_key)
                    if wanted is None:
                        raise errors.key_required()
                    found, jkt = wanted, asked.key.jkt
            except Refused as refused:
                raise await counted(self._platform, refused, origin.ip_address or "") from None
        note_license(found)
        outcome = await self._decide(found, asked, jkt, origin)
        if isinstance(outcome, Refused):
            raise outcome
        return outcome

    async def _decide(
        self, found: License, asked: AskedRequest | Code, jkt: str, origin: Origin
    ) -> Answer | Refused:
        ids = (found.institution_id, found.id)
        async with self._platform.unit_of_work(origin) as work:
            locked = await reading.lock_by_id(work.db, ids)
            if locked is None:
                raise unknown_license_key()
            going = work.at(locked.clock)
            # The answer must fit the machine, which may use a former key.
            license_ = replace(locked, license_key=found.license_key, normal_key=found.normal_key)
            if isinstance(asked, AskedRequest):
                key_hash = signed_hash(found.normal_key)
                answering = Answering(going, self._maker, license_, operator=None)
                return await answering.answer(asked, key_hash)
            row = await storage.fetch_of_device(work.db, ids, jkt)
            if row is None:
                raise errors.unknown_code()
            done = await release_by_code(going, self._maker.hooks, license_, row, asked)
            return done if isinstance(done, Refused) else Answer(done)

    async def _read(self, text: str, origin: Origin) -> AskedRequest | Code:
        bucket = limits.address_bucket("offline-request", origin.ip_address)
        await limits.take(
            self._platform.database, bucket, REQUESTS_A_MINUTE, self._platform.clock()
        )
        asked = read_asked(text)
        if isinstance(asked, AskedRequest):
            note_device(asked.hardware_id, asked.device_name, asked.app_version)
        return asked

    async def _preview(self, db: Connection, asked: AskedRequest, license_: License) -> Preview:
        if asked.kind is not RequestKind.RELEASE and not takes_requests(license_):
            raise errors.not_allowed()
        ids = (license_.institution_id, license_.id)
        row = await storage.fetch_of_device(db, ids, asked.key.jkt)
        order = order_of(row, asked)
        if order is Order.OUTDATED:
            raise errors.outdated()
        is_known = row is not None and order is Order.SAME
        return await self._shown(
            db,
            license_,
            kind=asked.kind,
            device_name=asked.device_name,
            hardware_id=asked.hardware_id,
            state=state_of(row, order),
            reason=row.reason if row is not None and is_known else None,
            ends_at=row.file_ends_at if row is not None and is_known else None,
        )

    async def _preview_code(self, db: Connection, code: Code, license_key: str | None) -> Preview:
        license_, jkt = await _find_signer(db, code, license_key)
        row = await storage.fetch_of_device(db, (license_.institution_id, license_.id), jkt)
        if row is None:
            raise errors.unknown_code()
        is_done = row.kind is RequestKind.RELEASE and row.seq == code.number
        return await self._shown(
            db,
            license_,
            kind=RequestKind.RELEASE,
            device_name=row.device_name,
            hardware_id=row.hardware_id,
            state=RequestState.RELEASED if is_done else RequestState.NEW,
        )

    async def _shown(
        self,
        db: Connection,
        license_: License,
        *,
        kind: RequestKind,
        device_name: str | None,
        hardware_id: str,
        state: RequestState,
        reason: str | None = None,
        ends_at: datetime | None = None,
    ) -> Preview:
        [details] = await reading.fetch_details(db, [license_])
        key = (license_.institution_id, license_.id, hardware_id)
        now = license_.instant(self._platform.clock())
        seats = (await find_seated_facts(db, [key], now))[key]
        return Preview(
            kind=kind,
            product_name=details.product_name,
            license=license_,
            device_name=device_name,
            hardware_id_ending=hardware_id[-_ENDING:],
            seats_used=seats.seats_used,
            seats_total=seats_total(license_),
            state=state,
            reason=reason,
            ends_at=ends_at if state is RequestState.ANSWERED else None,
        )


async def _preview_without_license(db: Connection, asked: AskedRequest) -> Preview:
    """Return what is known of a request that does not say of which license it is.

    Raises:
        Refused: `LicenseNotFound` for a product that does not exist.
    """
    place = await find_place(db, asked.product_id)
    if place is None:
        raise unknown_license_key()
    return Preview(kind=asked.kind, product_name=place[1], device_name=asked.device_name)


async def _find_signer(db: Connection, code: Code, license_key: str | None) -> tuple[License, str]:
    """Return the license and the key of the device that signed a release code.

    Raises:
        Refused: `InvalidRequest`, `LicenseNotFound`.
    """
    if license_key is None:
        raise errors.key_required()
    licenses = await reading.find_by_key_hash(db, signed_hash(license_key))
    if not licenses:
        raise unknown_license_key()
    for license_ in licenses:
        rows = await storage.fetch_answered(db, (license_.institution_id, license_.id))
        row = signer_of(rows, code)
        if row is not None:
            return license_, row.jkt
    raise errors.unknown_code()
