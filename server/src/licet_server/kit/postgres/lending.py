"""Lends a new database to a role that can do nothing else, for as long as it is being filled.

What is loaded into a database may run code: in a default, a constraint, an index, a trigger. It
has the rights of the session, and `RESET ROLE` leads back to those. So the session is that of a
role that exists for this one database, and has no rights outside it.
"""

import contextlib
import secrets
from collections.abc import Iterator
from dataclasses import replace

from licet_server.kit.database_address import Address
from licet_server.kit.postgres.binaries import Binaries
from licet_server.kit.postgres.databases import create_database, drop_database
from licet_server.kit.postgres.errors import InUse
from licet_server.kit.postgres.tools import identifier, literal, query

_CONFINED = "LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS"


@contextlib.contextmanager
def lent_database(
    binaries: Binaries, admin: Address, name: str, *, owner: str, borrower: str
) -> Iterator[Address]:
    """Create a database for the role `borrower`, which is created, too, and yield its address.

    At the end of the block, everything belongs to `owner`, and the borrower is dropped. If the
    block raises, the database is dropped as well. What a killed run has left is removed first.

    Raises:
        InUse: when another process uses the borrower's role.
        ToolFailed: when `admin` lacks a right.
    """
    role, database = identifier(borrower), identifier(name)
    drop_leftovers(binaries, admin, borrower)
    password = secrets.token_urlsafe(32)
    query(
        binaries,
        admin,
        f"CREATE ROLE {role} {_CONFINED} PASSWORD {literal(password)};"
        f" GRANT {role} TO CURRENT_USER;",
    )
    inside = admin.of_database(name)
    try:
        create_database(binaries, admin, name, owner=borrower, template="template0")
        query(binaries, admin, f"REVOKE CONNECT, TEMPORARY ON DATABASE {database} FROM PUBLIC;")
        yield replace(inside, user=borrower, password=password)
        forget_settings(binaries, admin, name)
        query(
            binaries,
            inside,
            f"REASSIGN OWNED BY {role} TO {identifier(owner)}; DROP OWNED BY {role};",
        )
    except BaseException:
        drop_database(binaries, admin, name)
        raise
    finally:
        query(binaries, admin, f"DROP ROLE {role};")


def forget_settings(binaries: Binaries, admin: Address, name: str) -> None:
    """Remove the settings of a database, which its owner can change for every later session."""
    query(binaries, admin, f"ALTER DATABASE {identifier(name)} RESET ALL;")


def drop_leftovers(binaries: Binaries, admin: Address, borrower: str) -> None:
    """Drop a borrower and its databases, which a run that was killed has left.

    Raises:
        InUse: when the role is connected.
    """
    name = literal(borrower)
    is_there = f"SELECT 1 FROM pg_roles WHERE rolname = {name};"  # noqa: S608 - quoted
    if not query(binaries, admin, is_there):
        return
    connected = f"SELECT 1 FROM pg_stat_activity WHERE usename = {name};"  # noqa: S608 - quoted
    if query(binaries, admin, connected):
        raise InUse(f"Another process loads a database as {borrower}. Wait until it has ended.")
    owned = (
        "SELECT datname FROM pg_database"  # noqa: S608 - quoted
        f" WHERE datdba = (SELECT oid FROM pg_roles WHERE rolname = {name});"
    )
    for [database] in query(binaries, admin, owned):
        drop_database(binaries, admin, database)
    query(binaries, admin, f"DROP ROLE {identifier(borrower)};")
