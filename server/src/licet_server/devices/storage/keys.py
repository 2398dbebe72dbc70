"""The keys of devices, and the newest proofs by which they were activated."""

from sqlalchemy import and_, bindparam, or_, select, update

from licet_server.devices.rules.model import Activation, DeviceKey
from licet_server.devices.rules.proofs import Proof
from licet_server.devices.tables import activations
from licet_server.kit.database import Connection, Id, Instant, String

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
