"""Restores a backup file of the whole database, which must be one of this instance."""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import BinaryIO

from licet_server.kit.clock import Clock
from licet_server.kit.database import metadata
from licet_server.kit.keyring import MasterKeyMissing, load_keyring
from licet_server.kit.master_key import is_of_database
from licet_server.kit.postgres import Address, Binaries, NotOurs, Schema, restore
from licet_server.kit.postgres.contents import structure, tables
from licet_server.kit.postgres.programs import query
from licet_server.kit.settings import Settings
from licet_server.migrations import migrate, require_known

_VERSION_TABLE = "alembic_version"
_PARTS_OF_TABLES = {"column", "constraint", "default", "plain index", "statistics"}
_RULE_OF_VIEWS = "_RETURN"
_CANARY = "public.master_key_canary"

Accept = Callable[[Binaries, Settings, Address], None]
"""Raises for a loaded database that must not replace the one in use."""


def restore_file(
    settings: Settings,
    content: BinaryIO,
    clock: Clock,
    accept: Accept,
    *,
    binaries: Binaries,
    address: Address,
    admin: Address | None = None,
) -> str:
    """Replace the database with a backup; returns the name under which the old one is kept.

    Raises:
        PostgresError: when it is a backup of something else, or the database is in use.
        UnknownSchema: when it is of a newer release.
    """
    schema = Schema(_VERSION_TABLE, _build, partial(accept, binaries, settings))
    return restore(binaries, address, content, clock, schema, admin=admin)


def list_foreign(binaries: Binaries, address: Address) -> list[str]:
    """Return the names of what is in the database and not of Licet, such as a view.

    `restore_file` refuses a backup of it. It compares with a database that it creates, and also
    finds what was added to Licet's own tables.
    """
    indexes = {index.name for table in metadata.tables.values() for index in table.indexes}
    own = {*metadata.tables, *indexes, _VERSION_TABLE, _RULE_OF_VIEWS}
    found = structure(binaries, address)
    if address.is_distributed:  # all else is of Citus, which a backup leaves out
        return sorted(f"table {name}" for name in tables(found) - own)
    return sorted(
        f"{item.kind} {item.name}"
        for item in found
        if item.kind not in _PARTS_OF_TABLES and item.name.removeprefix("public.") not in own
    )


def require_same_key(binaries: Binaries, settings: Settings, loaded: Address) -> None:
    """Check that the secrets of a loaded database are sealed under the master key of this machine.

    Raises:
        NotOurs: when they are not, or when no instance has ever used the database.
    """
    since_then = f"SELECT to_regclass('{_CANARY}') IS NOT NULL;"
    if query(binaries, loaded, since_then) == [["f"]]:
        return
    found = query(binaries, loaded, f"SELECT encode(sealed, 'hex') FROM {_CANARY};")  # noqa: S608
    if not found:
        raise NotOurs("no service has ever used it")
    try:
        keyring = load_keyring(settings)
    except MasterKeyMissing as error:
        raise NotOurs(f"its secrets need a master key. {error}") from None
    if not is_of_database(keyring, bytes.fromhex(found[0][0])):
        raise NotOurs(
            "its secrets are sealed under another master key. Put the one of its time in place, or "
            "use --lost-key if it is lost for good"
        )


def accept_lost_key(binaries: Binaries, settings: Settings, loaded: Address) -> None:
    """Accept a database whose master key is lost: its secrets can never be read again."""


def _build(address: Address, revision: str) -> None:
    require_known(revision)
    asyncio.run(migrate(address.url, to=revision))
