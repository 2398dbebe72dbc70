"""What devices are recognized by, as it is stored: their keys, proofs of these, and components."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from uuid import UUID

from sqlalchemy import Integer, Text, and_, bindparam, delete, func, or_, select, update

from licet_server.devices.rules.components import Component, Components, KnownComponents
from licet_server.devices.rules.model import Activation, DeviceKey
from licet_server.devices.rules.proofs import Proof
from licet_server.devices.rules.recognition import KnownMachine
from licet_server.devices.storage.activations import ACTIVATION_COLUMNS, activation_of
from licet_server.devices.tables import activations
from licet_server.devices.tables import device_components as components
from licet_server.kit.database import Connection, Id, Instant, String
from licet_server.kit.statements import Arrays, insert_rows
from licet_server.licenses.rules.model import LicenseId

_RECORD = (
    update(activations)
    .where(
        activations.c.institution_id == bindparam("of_institution", type_=Id),
        activations.c.id == bindparam("of_activation", type_=Id),
        activations.c.jkt.is_(None),
    )
    .values(
        jkt=bindparam("new_jkt", type_=String),
        key_level=bindparam("new_level", type_=String),
        key_since=bindparam("new_since", type_=Instant),
    )
)


async def record_key(db: Connection, keyed: Activation) -> bool:
    """Store the key of a device. Returns whether it had none until now."""
    given = {
        "of_institution": keyed.institution_id,
        "of_activation": keyed.id,
        "new_jkt": keyed.jkt,
        "new_level": keyed.key_level,
        "new_since": keyed.key_since,
    }
    return (await db.execute(_RECORD, given)).rowcount == 1


_OF_DEVICE = (
    activations.c.institution_id == bindparam("of_institution", type_=Id),
    activations.c.license_id == bindparam("of_license", type_=Id),
    activations.c.hardware_id == bindparam("of_hardware", type_=String),
)
_AT = bindparam("new_at", type_=Instant)
_JTI = bindparam("new_jti", type_=String)
_IS_NEWER = or_(
    activations.c.proof_at.is_(None),
    activations.c.proof_at < _AT,
    and_(activations.c.proof_at == _AT, activations.c.proof_jti != _JTI),
)
_CLAIM = update(activations).where(*_OF_DEVICE, _IS_NEWER).values(proof_at=_AT, proof_jti=_JTI)
_FIND = select(activations.c.id).where(*_OF_DEVICE)


async def claim_proof(db: Connection, key: DeviceKey, proof: Proof) -> bool:
    """Store the newest proof of a device. Returns whether it is newer than the one before.

    Of several claims of one proof at once, one is first. A device without a row has none before.
    """
    of = dict(zip(("of_institution", "of_license", "of_hardware"), key, strict=True))
    claim = {**of, "new_at": proof.signed_at, "new_jti": proof.jti}
    if (await db.execute(_CLAIM, claim)).rowcount:
        return True
    return (await db.execute(_FIND, of)).first() is None


CANDIDATES_MAX = 100

_INSTITUTION = bindparam("of_institution", type_=Id)
_LICENSE = bindparam("of_license", type_=Id)
_SHOWN = Arrays("shown", name=String, value=String)
_EQUAL = (
    select(components.c.activation_id, func.count().label("number"))
    .join(_SHOWN.table, _SHOWN.same(components, "name", "value"))
    .where(components.c.institution_id == _INSTITUTION, components.c.license_id == _LICENSE)
    .group_by(components.c.activation_id)
    .having(func.count() >= bindparam("at_least", type_=Integer))
    .order_by(func.count().desc(), components.c.activation_id)
    .limit(CANDIDATES_MAX)
    .subquery("equal")
)
_CANDIDATES = select(*ACTIVATION_COLUMNS).where(
    activations.c.institution_id == _INSTITUTION,
    activations.c.license_id == _LICENSE,
    activations.c.released_at.is_(None),
)
_BY_COMPONENTS = _CANDIDATES.join(_EQUAL, _EQUAL.c.activation_id == activations.c.id)
_BY_KEY = _CANDIDATES.where(
    activations.c.components_mark.is_not(None),
    activations.c.jkt == bindparam("jkt", type_=Text),
).limit(CANDIDATES_MAX)


async def fetch_candidates(
    db: Connection, license_id: LicenseId, shown: Components, at_least: int, jkt: str | None
) -> list[KnownMachine]:
    """Fetch the devices of a license with this key, or with enough of these components.

    Of each at most 100, those with the most components first. Released ones are none.
    """
    of = {"of_institution": license_id[0], "of_license": license_id[1]}
    given = {**of, **_SHOWN.given(sorted(shown.items())), "at_least": at_least}
    found = {item.id: item for item in map(activation_of, await db.execute(_BY_COMPONENTS, given))}
    if jkt is not None:
        keyed = map(activation_of, await db.execute(_BY_KEY, {**of, "jkt": jkt}))
        found |= {item.id: item for item in keyed}
    known = await fetch_components(db, list(found.values()))
    return [KnownMachine(item, known[item.id]) for item in found.values()]


async def fetch_by_key(db: Connection, license_id: LicenseId, jkt: str) -> Activation | None:
    """Fetch the oldest device of a license that has this key, and components."""
    of = {"of_institution": license_id[0], "of_license": license_id[1], "jkt": jkt}
    found = map(activation_of, await db.execute(_BY_KEY, of))
    return min(found, key=lambda item: (item.created_at, item.id), default=None)


_WANTED = Arrays("wanted", institution_id=Id, activation_id=Id)
_OF_DEVICES = select(
    components.c.activation_id,
    components.c.name,
    components.c.value,
    components.c.original,
    components.c.bound_at,
    components.c.changed_at,
).join(_WANTED.table, _WANTED.same(components, "institution_id", "activation_id"))


async def fetch_components(
    db: Connection, devices: Sequence[Activation]
) -> dict[UUID, KnownComponents]:
    """Fetch the components of devices by their IDs; every device is included.

    No statement for devices without any.
    """
    wanted = [item for item in devices if item.components_mark is not None]
    found: dict[UUID, dict[str, Component]] = defaultdict(dict)
    if wanted:
        given = _WANTED.given((item.institution_id, item.id) for item in wanted)
        for activation_id, name, value, original, bound_at, changed_at in await db.execute(
            _OF_DEVICES, given
        ):
            times = tuple(map(datetime.fromisoformat, changed_at))
            found[activation_id][name] = Component(value, original, bound_at, times)
    return {item.id: found.get(item.id, {}) for item in devices}


async def replace_components(db: Connection, device: Activation, known: KnownComponents) -> None:
    """Store all that is known of the components of a device, in place of what was."""
    same = (
        components.c.institution_id == device.institution_id,
        components.c.activation_id == device.id,
    )
    await db.execute(delete(components).where(*same))
    await insert_components(db, device, known)


async def insert_components(db: Connection, device: Activation, known: KnownComponents) -> None:
    """Store the components of a device that had none, in one statement."""
    await insert_rows(db, components, [_row(device, name, item) for name, item in known.items()])


def _row(device: Activation, name: str, item: Component) -> Mapping[str, object]:
    return {
        "institution_id": device.institution_id,
        "activation_id": device.id,
        "name": name,
        "license_id": device.license_id,
        "value": item.value,
        "original": item.original,
        "bound_at": item.bound_at,
        "changed_at": [at.isoformat() for at in item.changed_at],
    }
