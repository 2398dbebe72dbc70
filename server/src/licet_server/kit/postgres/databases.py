"""Databases beside the service's own: for tests, and for a restore."""

from licet_server.kit.postgres.address import Address
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
    """Make a database: empty, or a copy of `template`, with which nobody may be connected.

    Raises:
        ToolFailed: when the name is taken, the template in use, or the role may not.
    """
    sql = f"CREATE DATABASE {identifier(name)}"
    if owner is not None:
        sql += f" OWNER {identifier(owner)}"
    if template is not None:
        sql += f" TEMPLATE {identifier(template)}"
    query(binaries, admin, sql + ";")


def drop_database(binaries: Binaries, admin: Address, name: str) -> None:
    """Remove a database and end the sessions in it; harmless when there is none."""
    query(binaries, admin, f"DROP DATABASE IF EXISTS {identifier(name)} WITH (FORCE);")
