"""License files for devices that take a seat with them.

Seat and file come from one transaction: the end of the file is stored with the seat, which cannot
be given to another device before.
"""

from msgspec import structs

from licet_server.catalog.service.keys import SigningKeys
from licet_server.devices.rules.model import Activation, Device
from licet_server.devices.service.admission import Admitted, Rejected, admit_chosen_device
from licet_server.devices.storage.activations import ACTIVATIONS
from licet_server.kit.errors import bad_field
from licet_server.kit.unit_of_work import UnitOfWork
from licet_server.licenses import errors as license_errors
from licet_server.licenses.rules.model import License, LicenseStatus
from licet_server.licenses.service import files
from licet_server.licenses.service.first_use import begin_term


def require_hardware_id(hardware_id: str | None) -> str:
    """Return the hardware ID of the device that a file is for.

    Raises:
        Refused: `InvalidRequest` without one.
    """
    if hardware_id is None:
        raise bad_field(
            "hardwareId", "is required: the file is for one device, which takes a seat."
        )
    return hardware_id


async def make_chosen_device_file(
    work: UnitOfWork,
    signing_keys: SigningKeys,
    license_: License,
    hardware_id: str,
    *,
    protected: bool,
    issuer: str,
) -> files.LicenseFile | Rejected:
    """Make license.bin for the device that a signed-in user chose; it takes a seat.

    Raises:
        Refused: `Conflict` for a license that is not active or whose key is too short,
            `DeviceBlocked`, `KeysNotGenerated`. Nothing is stored then.
    """
    status = license_.status(work.now)
    if status is not LicenseStatus.ACTIVE:
        raise license_errors.no_file_for(status)
    outcome = await admit_chosen_device(work, license_, Device(hardware_id))
    if isinstance(outcome, Rejected):
        return outcome
    return await make_seat_file(
        work, signing_keys, license_, outcome, protected=protected, issuer=issuer
    )


async def make_seat_file(
    work: UnitOfWork,
    signing_keys: SigningKeys,
    license_: License,
    admitted: Admitted,
    *,
    protected: bool,
    issuer: str,
) -> files.LicenseFile:
    """Make license.bin for a device that was admitted in this transaction.

    Raises:
        Refused: `Conflict` for a license whose key is too short, `KeysNotGenerated`.
    """
    device = admitted.activation
    file = await files.make_file(
        work.db,
        signing_keys,
        await begin_term(work, license_),
        issuer=issuer,
        hardware_ids=[device.hardware_id],
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
