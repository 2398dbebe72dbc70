"""Loads a dump into an empty database, also into one of another version than the programs.

Definitions are read as text, so that what another server does not know can be left out of them.
The rows, which can be of any size, go from one program to the other as they are. psql refuses its
own commands in that text from the first line on; without that line nothing is read.
"""

import re
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import BinaryIO

from licet_server.kit.database_address import Address
from licet_server.kit.postgres.binaries import Binaries
from licet_server.kit.postgres.contents_list import output_of, reading
from licet_server.kit.postgres.definitions import portable
from licet_server.kit.postgres.errors import PostgresError, ToolFailed
from licet_server.kit.postgres.pipes import pipe
from licet_server.kit.postgres.programs import Program
from licet_server.kit.postgres.tools import query, tool_environment

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
