"""Creates and drops databases, for tests and for restoring."""

from licet_server.kit.database_address import Address
from licet_server.kit.postgres.binaries import Binaries
from licet_server.kit.postgres.tools import identifier, query


def create_database(
    binaries: Binaries,
    admin: Address,
    name: str,
    *,
    owner: str | None = None,
    template: str | None = None,
) -> None:
    """Create an empty database, or a copy of `template`, which must have no connections.

    Raises:
        ToolFailed: when the name is taken, the template is in use, or the role lacks the right.
    """
    sql = f"CREATE DATABASE {identifier(name)}"
    if owner is not None:
        sql += f" OWNER {identifier(owner)}"
    if template is not None:
        sql += f" TEMPLATE {identifier(template)}"
    query(binaries, admin, sql + ";")


def drop_database(binaries: Binaries, admin: Address, name: str) -> None:
    """Drop a database and end its connections; does nothing if it does not exist."""
    query(binaries, admin, f"DROP DATABASE IF EXISTS {identifier(name)} WITH (FORCE);")
