"""License files for one machine, given by its hardware ID: for operators, and for holders."""

from dataclasses import dataclass, replace
from uuid import UUID

from msgspec import structs

from licet_server.catalog.service.compact_keys import fetch_compact_key
from licet_server.catalog.service.signing import SigningKeys
from licet_server.devices import errors
from licet_server.devices.rules.admission import DeviceState, device_state_of
from licet_server.devices.rules.hardware import require_whole
from licet_server.devices.rules.model import Activation, Device
from licet_server.devices.rules.signed import encoded
from licet_server.devices.service.admission import Admitted, Rejected, admit_chosen_device
from licet_server.devices.service.recognition import device_in_file
from licet_server.devices.service.seats import DeviceHooks
from licet_server.devices.storage.activations import ACTIVATIONS, fetch_facts_of
from licet_server.identity.rules.memberships import Role
from licet_server.institutions.rules.operators import Operator, Scope
from licet_server.kit.database import Connection
from licet_server.kit.errors import bad_field
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.licenses import errors as license_errors
from licet_server.licenses.rules.file import FileDevice
from licet_server.licenses.rules.model import License, LicenseStatus
from licet_server.licenses.service import files, reading
from licet_server.licenses.service.holders import LicenseHolder
from licet_server.licenses.service.lifecycle import begin_term


@dataclass(frozen=True, slots=True)
class FileMaker:
    """What license files are made with."""

    hooks: DeviceHooks
    signing_keys: SigningKeys
    issuer: str


@dataclass(frozen=True, slots=True)
class WantedFile:
    """The file that somebody asks for: for a machine, protected, or valid with a code only."""

    hardware_id: str | None = None
    protected: bool = False
    by_code: bool = False

    def require_possible(self) -> None:
        """Check that a base file is asked for without what it cannot have.

        Raises:
            Refused: `InvalidRequest`.
        """
        if self.by_code and self.hardware_id is not None:
            message = "must not be given with byCode: the code names the machine."
            raise bad_field("hardwareId", message)
        if self.by_code and self.protected:
            message = "must not be true with byCode: a base file is not protected."
            raise bad_field("protected", message)

    def require_machine(self) -> str:
        """Return the hardware ID of the machine that the file is for.

        Raises:
            Refused: `InvalidRequest` without one.
        """
        if self.hardware_id is None:
            message = "is required: the file is for one device, which takes a seat."
            raise bad_field("hardwareId", message)
        return self.hardware_id


async def make_chosen_device_file(
    work: UnitOfWork,
    maker: FileMaker,
    license_: License,
    hardware_id: str,
    *,
    protected: bool,
) -> files.LicenseFile | Rejected:
    """Make license.bin for the device that a signed-in user chose; it takes a seat.

    Raises:
        Refused: `Conflict` for a license that is not active or whose key is too short,
            `DeviceBlocked`, `HardwareIdNotAccepted`, `KeysNotGenerated`. Nothing is stored then.
    """
    status = license_.status(work.now)
    if status is not LicenseStatus.ACTIVE:
        raise license_errors.no_file_for(status)
    outcome = await admit_chosen_device(work, maker.hooks, license_, Device(hardware_id))
    if isinstance(outcome, Rejected):
        return outcome
    return await make_seat_file(work, maker, license_, outcome, protected=protected)


async def make_seat_file(
    work: UnitOfWork,
    maker: FileMaker,
    license_: License,
    admitted: Admitted,
    *,
    protected: bool,
) -> files.LicenseFile:
    """Make license.bin for a device that was admitted in this transaction.

    Raises:
        Refused: `Conflict` for a license whose key is too short, `KeysNotGenerated`.
    """
    device = admitted.activation
    file = await files.make_file(
        work.db,
        maker.signing_keys,
        await begin_term(work, license_),
        issuer=maker.issuer,
        device=await device_in_file(work.db, license_, device.hardware_id, device),
        protected=protected,
        now=work.now,
    )
    await _extend_file_end(work, device, file)
    return file


async def _extend_file_end(work: UnitOfWork, device: Activation, file: files.LicenseFile) -> None:
    """Store the end of the file; an earlier file of the device may end later."""
    if file.refresh_by is None:
        raise ValueError("the file of a device that holds a seat ends")
    if device.file_ends_at is None or device.file_ends_at < file.refresh_by:
        await ACTIVATIONS.save(work.db, structs.replace(device, file_ends_at=file.refresh_by))


async def _make_base_file(
    work: UnitOfWork, maker: FileMaker, license_: License
) -> files.LicenseFile:
    """Make a base file, which is valid only with an answer code; it takes no seat.

    It is a use: it begins a term that starts with the first one, of a license that is locked then.

    Raises:
        Refused: `Conflict` for a license that is not active, `KeysNotGenerated`.
    """
    status = license_.status(work.now)
    if status is not LicenseStatus.ACTIVE:
        raise license_errors.no_file_for(status)
    await maker.signing_keys.fetch(work.db, license_.institution_id, license_.product_id)
    key = await fetch_compact_key(work, license_.institution_id, license_.product_id)
    x, y = key.coordinates
    text = await files.make_base_file(
        work.db,
        maker.signing_keys,
        await begin_term(work, license_),
        {"kty": "EC", "crv": "P-256", "x": encoded(x), "y": encoded(y)},
        issuer=maker.issuer,
        now=work.now,
    )
    return files.LicenseFile(text=text, refresh_by=None)


async def _make_base_file_for_operator(
    work: UnitOfWork,
    maker: FileMaker,
    operator: Operator,
    license_id: UUID,
) -> files.LicenseFile:
    """Make a base file for an operator; beginning a term requires the role Admin.

    Raises:
        Refused: `NotFound`, `Forbidden`; as `make_base_file`.
    """
    license_ = await reading.fetch_license(work.db, operator, license_id)
    if license_.pending_term is not None:
        operator.require_scope(Scope.LICENSES_WRITE)
        admin = replace(operator, needed=Role.ADMIN)
        license_ = await reading.lock_license(work.db, admin, license_id)
    work = work.at(license_.clock)
    return await _make_base_file(work, maker, license_)


async def make_device_file(
    work: UnitOfWork,
    maker: FileMaker,
    operator: Operator,
    license_id: UUID,
    wanted: WantedFile,
) -> files.LicenseFile | Rejected:
    """Make license.bin for an operator: for any machine, or for the one with this hardware ID.

    This binds an unbound node-locked license to that machine, and gives it a seat of a Concurrent
    license for offline use. Either requires the role Admin, and the scope Licenses.Write for an
    API key. Without a hardware ID, the file of a node-locked license is for the machine it is bound
    to, if any; this requires the role Admin, too, because Members and Viewers do not see hardware
    IDs. A file is a use: it begins a term that starts with the first one, which an Admin may do.

    Raises:
        Refused: `NotFound`, `Forbidden`, `KeysNotGenerated`, `InvalidRequest` for a file that
            takes a seat without a hardware ID, or a hardware ID that no machine has, `Conflict`
            for a license that is not active or whose key is too short, for a blocked device, or if
            the license is bound to another machine.
    """
    if wanted.by_code:
        return await _make_base_file_for_operator(work, maker, operator, license_id)
    require_whole(wanted.hardware_id)
    license_ = await reading.fetch_license(work.db, operator, license_id)
    work = work.at(license_.clock)
    if license_.file_takes_seat:
        return await _make_file_with_seat(
            work, maker, operator, license_, wanted.require_machine(), protected=wanted.protected
        )
    if license_.traits.is_node_locked:
        device = await _bind(work, maker.hooks, operator, license_, wanted.hardware_id)
    else:
        device = await _named(work, license_, wanted.hardware_id)
    if license_.pending_term is not None:
        operator.require_scope(Scope.LICENSES_WRITE)
        replace(operator, needed=Role.ADMIN).found(license_, "license")
    return await files.make_file(
        work.db,
        maker.signing_keys,
        await begin_term(work, license_),
        issuer=maker.issuer,
        device=device,
        protected=wanted.protected,
        now=work.now,
    )


async def _make_file_with_seat(
    work: UnitOfWork,
    maker: FileMaker,
    operator: Operator,
    license_: License,
    hardware_id: str,
    *,
    protected: bool,
) -> files.LicenseFile | Rejected:
    locked = await reading.lock_license(work.db, operator, license_.id)
    facts = await fetch_facts_of(work.db, locked, hardware_id)
    state = device_state_of(locked, facts)
    if state is DeviceState.BLOCKED:
        raise errors.unblock_first()
    if state is not DeviceState.SEATED:
        operator.require_scope(Scope.LICENSES_WRITE)
        replace(operator, needed=Role.ADMIN).found(locked, "license")
    return await make_chosen_device_file(work, maker, locked, hardware_id, protected=protected)


async def _bind(
    work: UnitOfWork,
    hooks: DeviceHooks,
    operator: Operator,
    license_: License,
    hardware_id: str | None,
) -> FileDevice | None:
    """Return the device the file is for; an unbound license is bound to the one given."""
    facts = await fetch_facts_of(work.db, license_, hardware_id or "")
    if hardware_id is None:
        if facts.bound_other is None:
            return None
        if not operator.is_admin_of(license_.institution_id):
            raise errors.file_names_machine()
        return await _of_file(work, license_, facts.bound_other)
    match device_state_of(license_, facts):
        case DeviceState.BLOCKED:
            raise errors.unblock_first()
        case DeviceState.ELSEWHERE:
            raise errors.deactivate_bound_machine_first()
        case DeviceState.SEATED if facts.own is not None:
            return await _of_file(work, license_, facts.own)
    operator.require_scope(Scope.LICENSES_WRITE)
    admin = replace(operator, needed=Role.ADMIN)
    locked = await reading.lock_license(work.db, admin, license_.id)
    status = locked.status(work.now)
    if status is not LicenseStatus.ACTIVE:
        raise license_errors.no_file_for(status)
    outcome = await admit_chosen_device(work, hooks, locked, Device(hardware_id))
    if isinstance(outcome, Rejected):
        raise errors.deactivate_bound_machine_first()
    return await _of_file(work, license_, outcome.activation)


async def _named(work: UnitOfWork, license_: License, hardware_id: str | None) -> FileDevice | None:
    """Return the device with a hardware ID, with its key if the license knows it."""
    if hardware_id is None or not license_.traits.activation_required:
        return None if hardware_id is None else FileDevice(hardware_id)
    own = (await fetch_facts_of(work.db, license_, hardware_id)).own
    return await device_in_file(work.db, license_, hardware_id, own)


async def _of_file(work: UnitOfWork, license_: License, device: Activation) -> FileDevice:
    return await device_in_file(work.db, license_, device.hardware_id, device)


async def make_own_file(
    work: UnitOfWork,
    maker: FileMaker,
    holder: LicenseHolder,
    license_id: UUID,
    wanted: WantedFile,
) -> files.LicenseFile | Rejected:
    """Make license.bin for the holder of the license.

    For a Concurrent license for offline use, the device takes a seat. This never binds a license:
    the file of a node-locked license is for the machine it is bound to. A file is a use: it begins
    a term that starts with the first one.

    Raises:
        Refused: `Forbidden`, `NotFound`, `KeysNotGenerated`, `DeviceBlocked`, `InvalidRequest` for
            a file that takes a seat without a hardware ID, or a hardware ID that no machine
            has, `Conflict` for a license that is not active or whose key is too short, and for a
            node-locked one that is unbound or bound to another machine.
    """
    if wanted.by_code:
        return await _make_own_base_file(work, maker, holder, license_id)
    require_whole(wanted.hardware_id)
    license_ = await holder.fetch(work.db, license_id)
    work = work.at(license_.clock)
    if license_.file_takes_seat:
        return await make_chosen_device_file(
            work,
            maker,
            await holder.lock(work.db, license_id),
            wanted.require_machine(),
            protected=wanted.protected,
        )
    if license_.pending_term is not None:
        license_ = await begin_term(work, await holder.lock(work.db, license_id))
    return await files.make_file(
        work.db,
        maker.signing_keys,
        license_,
        issuer=maker.issuer,
        device=await _device_for_file(work.db, license_, wanted.hardware_id),
        protected=wanted.protected,
        now=work.now,
    )


async def _make_own_base_file(
    work: UnitOfWork,
    maker: FileMaker,
    holder: LicenseHolder,
    license_id: UUID,
) -> files.LicenseFile:
    """Make a base file, which is valid only with an answer code, for the holder of the license.

    Raises:
        Refused: `Forbidden`, `NotFound`; as `make_base_file`.
    """
    license_ = await holder.fetch(work.db, license_id)
    if license_.pending_term is not None:
        license_ = await holder.lock(work.db, license_id)
    work = work.at(license_.clock)
    return await _make_base_file(work, maker, license_)


async def _device_for_file(
    db: Connection, license_: License, hardware_id: str | None
) -> FileDevice | None:
    facts = await fetch_facts_of(db, license_, hardware_id or "")
    device = facts.bound_other if hardware_id is None else facts.own
    if device is not None and device.blocked_at is not None:
        raise errors.blocked()
    if not license_.traits.is_node_locked:
        if hardware_id is None:
            return None
        return await device_in_file(db, license_, hardware_id, device)
    if device is not None and device.bound:
        return await device_in_file(db, license_, device.hardware_id, device)
    if facts.bound_other is not None:
        raise errors.deactivate_bound_machine_first()
    raise errors.activate_first()
