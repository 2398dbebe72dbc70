"""PostgreSQL's command-line tools, run against an address."""

import os
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from licet_server.kit.database_address import Address
from licet_server.kit.postgres.account import plain_environment
from licet_server.kit.postgres.binaries import Binaries
from licet_server.kit.postgres.errors import PostgresError, ToolFailed


def tool_environment(address: Address) -> dict[str, str]:
    """Return an environment for a tool that contains only the address.

    HOME is kept, because libpq looks there for client certificates.
    """
    home = {"HOME": os.environ["HOME"]} if "HOME" in os.environ else {}
    return {**plain_environment(), **home, **address.environment}


def query(binaries: Binaries, address: Address, sql: str) -> list[list[str]]:
    """Run statements through psql, each in its own transaction, and return the rows as text.

    Raises:
        ToolFailed: at the first statement that fails.
    """
    options = ["-X", "-q", "-A", "-t", "-F", "\x1f", "-v", "ON_ERROR_STOP=1"]
    result = subprocess.run(  # noqa: S603 - PostgreSQL's own program; statements go through stdin
        [binaries.program("psql"), *options],
        check=False,
        input=sql,
        capture_output=True,
        text=True,
        env=tool_environment(address),
    )
    if result.returncode != 0:
        raise ToolFailed("psql", result.stderr)
    return [line.split("\x1f") for line in result.stdout.splitlines()]


def run_tool(
    binaries: Binaries,
    tool: str,
    arguments: Sequence[str | Path],
    address: Address,
    *,
    stdout: IO[bytes] | None = None,
) -> None:
    """Run a tool, with its output going to `stdout` or discarded.

    Raises:
        ToolFailed: when it exits with an error.
    """
    result = subprocess.run(  # noqa: S603 - PostgreSQL's own program
        [binaries.program(tool), *arguments],
        check=False,
        stdin=subprocess.DEVNULL,
        stdout=stdout or subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env=tool_environment(address),
    )
    if result.returncode != 0:
        raise ToolFailed(tool, result.stderr.decode(errors="replace"))


def identifier(name: str) -> str:
    """Quote the name of a database or role.

    Raises:
        PostgresError: when PostgreSQL does not allow the name.
    """
    if not re.fullmatch(r"[^\x00\n]{1,63}", name) or len(name.encode()) > 63:
        raise PostgresError(f"{name!r} is not a valid name for a database.")
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """Quote a text value."""
    return "'" + text.replace("'", "''") + "'"
