"""Loads a dump into an empty database, also into one of another version than the programs.

Definitions are read as text, so that what another server does not know can be left out of them.
The rows, which can be of any size, go from one program to the other as they are.
"""

import subprocess
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path

from licet_server.kit.database_address import Address
from licet_server.kit.postgres.binaries import Binaries
from licet_server.kit.postgres.definitions import portable
from licet_server.kit.postgres.errors import ToolFailed
from licet_server.kit.postgres.pipes import pipe
from licet_server.kit.postgres.programs import Program
from licet_server.kit.postgres.tools import query, tool_environment

_UNKNOWN_BEFORE = {b"SET transaction_timeout = 0;\n": 17}
"""Settings that the programs write, and the first version that knows each."""
_LAST_SETTING = b"SELECT pg_catalog.set_config('search_path'"
"""Follows the settings in every dump. Rows that could look like one come only after it."""


def load(binaries: Binaries, address: Address, source: Path, *, role: str | None = None) -> None:
    """Load a backup, as `role` if given.

    Raises:
        ToolFailed: when the file is not a backup, or the database cannot take it.
    """
    options = ["--no-owner", "--file=-"]
    if role is not None:
        options.append(f"--role={role}")
    command: list[str | Path] = [binaries.program("pg_restore"), *options, source]
    _load(binaries, command, tool_environment(address), address)


def copy(binaries: Binaries, source: Address, target: Address) -> None:
    """Load all that another database contains, which nobody may change meanwhile.

    Raises:
        ToolFailed: when one cannot be read, or the other cannot take it.
    """
    command: list[str | Path] = [binaries.program("pg_dump"), "--no-password"]
    _load(binaries, command, tool_environment(source), target)


def _load(
    binaries: Binaries, command: list[str | Path], environment: dict[str, str], target: Address
) -> None:
    [[version]] = query(binaries, target, "SHOW server_version_num;")
    unknown = [line for line, since in _UNKNOWN_BEFORE.items() if int(version) // 10_000 < since]
    options = ["-X", "-q", "-v", "ON_ERROR_STOP=1", "--single-transaction", "--no-password"]
    into = Program([binaries.program("psql"), *options], tool_environment(target))

    def section(name: str) -> Program:
        return Program([*command, f"--section={name}"], environment)

    def known(pieces: Iterator[bytes]) -> Iterable[bytes]:
        return _without(unknown, pieces)

    def define(name: str) -> None:
        text = b"".join(known(iter([_output(section(name))])))
        _run(into, portable(text))

    define("pre-data")
    pipe(section("data"), into, through=known)
    define("post-data")


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


def _output(program: Program) -> bytes:
    result = subprocess.run(  # noqa: S603 - PostgreSQL's own program
        program.command,
        check=False,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env=program.environment,
    )
    if result.returncode != 0:
        raise ToolFailed(program.name, result.stderr.decode(errors="replace"))
    return result.stdout


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
