"""Loads a dump into an empty database, also into one of another version than the programs.

Definitions are read as text, so that what another server does not know can be left out of them.
The rows, which can be of any size, go from one program to the other as they are. psql refuses its
own commands in that text from the first line on; without that line nothing is read.
"""

import contextlib
import re
import secrets
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import BinaryIO

from licet_server.kit.database_address import Address
from licet_server.kit.postgres.binaries import Binaries
from licet_server.kit.postgres.contents import output_of, reading
from licet_server.kit.postgres.errors import InUse, PostgresError, ToolFailed
from licet_server.kit.postgres.programs import (
    Program,
    identifier,
    literal,
    pipe,
    query,
    tool_environment,
)

_COLUMN_OPTIONS = {b"n_distinct", b"n_distinct_inherited"}
"""The options of a column that an administrator can set."""

_NAME = rb'(?:[a-z_][a-z0-9_]*|"(?:[^"]|"")*")'
_TOKEN = re.compile(
    rb"""
    ^(?P<before>
        ALTER\ (?:FOREIGN\ )?TABLE\ (?:ONLY\ )?NAME(?:\.NAME)?\ ALTER\ COLUMN\ NAME\ SET\ \(
    )(?P<options>[a-z_][^()'"$;\n]*)(?P<after>\);\n)
    # All else that may contain such a line is taken whole.
    | [eE]'(?:[^'\\]|''|\\.)*'
    | '(?:[^']|'')*'
    | "(?:[^"]|"")*"
    | --[^\n]*
    | \$(?P<tag>(?:[A-Za-z_\x80-\xff][A-Za-z_0-9\x80-\xff]*)?)\$.*?\$(?P=tag)\$
    | [A-Za-z_\x80-\xff][A-Za-z_0-9$\x80-\xff]*
    """.replace(b"NAME", _NAME),
    re.VERBOSE | re.MULTILINE | re.DOTALL,
)


def portable(definitions: bytes) -> bytes:
    """Return the definitions, which pg_dump wrote as SQL, without unknown options of columns."""
    return _TOKEN.sub(_portable, definitions)


def _portable(token: re.Match[bytes]) -> bytes:
    if token["options"] is None:
        return token[0]
    options = token["options"].split(b", ")
    known = [option for option in options if option.partition(b"=")[0] in _COLUMN_OPTIONS]
    return token["before"] + b", ".join(known) + token["after"] if known else b""


_UNKNOWN_BEFORE = {b"SET transaction_timeout = 0;\n": 17}
"""Settings that the programs write, and the first version that knows each."""
_LAST_SETTING = b"SELECT pg_catalog.set_config('search_path'"
"""Follows the settings in every dump. Rows that could look like one come only after it."""
_WITHOUT_COMMANDS = re.compile(rb"(?:--[^\n]*\n|\n)*\\restrict [A-Za-z0-9]+\n")
"""How a dump begins: from that line on, psql refuses commands such as `\\!`."""
_LONGEST_BEGINNING = 4096


def load(binaries: Binaries, address: Address, backup: BinaryIO) -> None:
    """Load a backup, whose objects will belong to the role in the address.

    Raises:
        NotOurs: when its definitions are too long.
        PostgresError: when the programs are of a release that would run commands in the file.
        ToolFailed: when the file is not a backup, or the database cannot take it.
    """
    _load(binaries, reading(binaries, backup, "--no-owner", "--file=-"), address)


def copy(binaries: Binaries, source: Address, target: Address) -> None:
    """Load all contents of another database, which must not change during that time.

    Raises:
        PostgresError: when the programs are of a release that would run commands in the text.
        ToolFailed: when one cannot be read, or the other cannot take it.
    """
    command: list[str | Path] = [binaries.program("pg_dump"), "--no-password", "--no-owner"]
    _load(binaries, Program(command, tool_environment(source)), target)


def _load(binaries: Binaries, dump: Program, target: Address) -> None:
    [[version]] = query(binaries, target, "SHOW server_version_num;")
    unknown = [line for line, since in _UNKNOWN_BEFORE.items() if int(version) // 10_000 < since]
    options = ["-X", "-q", "-v", "ON_ERROR_STOP=1", "--single-transaction", "--no-password"]
    into = Program([binaries.program("psql"), *options], tool_environment(target))

    def section(name: str) -> Program:
        return replace(dump, command=[*dump.command, f"--section={name}"])

    def known(pieces: Iterator[bytes]) -> Iterable[bytes]:
        return _without(unknown, _restricted(pieces))

    def define(name: str) -> None:
        text = b"".join(known(iter([output_of(section(name))])))
        _run(into, portable(text))

    define("pre-data")
    pipe(section("data"), into, through=known)
    define("post-data")


def _restricted(pieces: Iterator[bytes]) -> Iterator[bytes]:
    head = b""
    for piece in pieces:
        head += piece
        if len(head) > _LONGEST_BEGINNING or _WITHOUT_COMMANDS.match(head):
            break
    if not _WITHOUT_COMMANDS.match(head):
        raise PostgresError(
            "PostgreSQL's programs on this machine would run commands that a backup contains. "
            "Update them, to 15.14, 16.10, 17.6 or any later release, and try again."
        )
    return chain([head], pieces)


def _without(settings: list[bytes], pieces: Iterator[bytes]) -> Iterable[bytes]:
    if not settings:
        return pieces
    head = b""
    for piece in pieces:
        head += piece
        if _LAST_SETTING in head:
            break
    before, last, after = head.partition(_LAST_SETTING)
    for line in settings:
        before = before.replace(line, b"")
    return chain([before + last + after], pieces)


def _run(program: Program, statements: bytes) -> None:
    result = subprocess.run(  # noqa: S603 - PostgreSQL's own program
        program.command,
        check=False,
        input=statements,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env=program.environment,
    )
    if result.returncode != 0:
        raise ToolFailed(program.name, result.stderr.decode(errors="replace"))


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
