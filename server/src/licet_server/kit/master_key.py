"""Opens the keyring of a database, and refuses a master key that is not the one of its secrets.

A known value, the canary, is sealed in the database at the first start. Without this check, a wrong
or a new key would seal new secrets beside those that it cannot open.
"""

from sqlalchemy import Boolean, CheckConstraint, Column, Table, select, text
from sqlalchemy.dialects.postgresql import insert

from licet_server.kit.database import GLOBAL, SEALED, Bytes, Connection, metadata
from licet_server.kit.keyring import (
    CannotOpen,
    Keyring,
    MasterKeyMissing,
    create_key_file,
    load_keyring,
)
from licet_server.kit.settings import Settings

master_key_canary = Table(
    "master_key_canary",
    metadata,
    Column("is_only_row", Boolean, primary_key=True, server_default=text("true")),
    Column("sealed", Bytes, nullable=False),
    CheckConstraint("is_only_row", name="is_only_row"),
    info=GLOBAL,
)


_SAMPLES = 20


async def fetch_canary(db: Connection) -> bytes | None:
    return (await db.execute(select(master_key_canary.c.sealed))).scalar()


async def insert_canary(db: Connection, sealed: bytes) -> None:
    """Store the canary unless another process was faster."""
    await db.execute(insert(master_key_canary).values(sealed=sealed).on_conflict_do_nothing())


async def replace_canary(db: Connection, sealed: bytes) -> None:
    new = insert(master_key_canary).values(sealed=sealed)
    await db.execute(
        new.on_conflict_do_update(
            constraint=master_key_canary.primary_key, set_={"sealed": new.excluded.sealed}
        )
    )


async def sample_sealed(db: Connection) -> list[tuple[str, bytes]]:
    """Fetch some of the newest sealed values of every column, each with its place."""
    samples: list[tuple[str, bytes]] = []
    for table in metadata.sorted_tables:
        for column in table.columns:
            if column.info == SEALED:
                newest = (
                    select(table.c.id, column)
                    .where(column.is_not(None))
                    .order_by(table.c.id.desc())
                    .limit(_SAMPLES)
                )
                place = f"{table.name}.{column.name}"
                samples += [(f"{place}:{id_}", sealed) for id_, sealed in await db.execute(newest)]
    return samples


_PLACE = "master_key_canary.sealed"
_KNOWN = b"licet"
_LOST = "If it is lost for good, `licet-server replace-lost-master-key` begins with another one."


class WrongMasterKey(Exception):
    """The master key cannot open the secrets of the database."""


async def open_keyring(db: Connection, settings: Settings) -> Keyring:
    """Load the keyring, after checking that it opens the secrets of this database.

    At the first start the key file is created, and the canary sealed.

    Raises:
        MasterKeyMissing: when there is no key, but secrets that need one.
        WrongMasterKey: when the key is not the one that sealed them.
    """
    canary = await fetch_canary(db)
    samples = await sample_sealed(db) if canary is None else [(_PLACE, canary)]
    try:
        keyring = load_keyring(settings)
    except MasterKeyMissing as error:
        if samples:
            raise MasterKeyMissing(
                f"{error} The secrets in the database need it. {_LOST}"
            ) from None
        create_key_file(settings.key_file)
        keyring = load_keyring(settings)
    _require_opens_one(keyring, samples, settings)
    if canary is None:
        await insert_canary(db, keyring.seal(_KNOWN, _PLACE))
        # Another process may have been faster, with a key of its own.
        stored = await fetch_canary(db)
        _require_opens_one(keyring, [(_PLACE, stored or b"")], settings)
    return keyring


def is_of_database(keyring: Keyring, canary: bytes) -> bool:
    """Return whether a canary was sealed under one of these keys."""
    try:
        return keyring.open(canary, _PLACE) == _KNOWN
    except CannotOpen:
        return False


async def seal_canary(db: Connection, keyring: Keyring) -> None:
    """Make the newest key of this keyring the one that the database is checked with."""
    await replace_canary(db, keyring.seal(_KNOWN, _PLACE))


def _require_opens_one(
    keyring: Keyring, samples: list[tuple[str, bytes]], settings: Settings
) -> None:
    for place, sealed in samples:
        try:
            keyring.open(sealed, place)
        except CannotOpen:
            continue
        return
    if samples:
        where = "LICET_MASTER_KEY" if settings.master_keys else str(settings.key_file)
        raise WrongMasterKey(
            f"The master key in {where} is not the one of this database, and opens none of its "
            f"secrets. Put back the key that the database was used with. {_LOST}"
        )
