"""PostgreSQL's command-line tools, run against an address."""

import os
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from licet_server.kit.postgres.account import plain_environment
from licet_server.kit.postgres.address import Address
from licet_server.kit.postgres.binaries import Binaries
from licet_server.kit.postgres.errors import PostgresError, ToolFailed


def tool_environment(address: Address) -> dict[str, str]:
    """The environment in which a tool finds the address, and nothing else of PostgreSQL's.

    HOME stays, because libpq looks there for client certificates.
    """
    home = {"HOME": os.environ["HOME"]} if "HOME" in os.environ else {}
    return {**plain_environment(), **home, **address.environment}


def query(binaries: Binaries, address: Address, sql: str) -> list[list[str]]:
    """Run statements through psql, each in its own transaction, and return the rows as text.

    Raises:
        ToolFailed: at the first statement that fails.
    """
    options = ["-X", "-q", "-A", "-t", "-F", "\x1f", "-v", "ON_ERROR_STOP=1"]
    answer = subprocess.run(  # noqa: S603 - PostgreSQL's own program; statements go through stdin
        [binaries.program("psql"), *options],
        check=False,
        input=sql,
        capture_output=True,
        text=True,
        env=tool_environment(address),
    )
    if answer.returncode != 0:
        raise ToolFailed("psql", answer.stderr)
    return [line.split("\x1f") for line in answer.stdout.splitlines()]


def run_tool(
    binaries: Binaries,
    tool: str,
    arguments: Sequence[str | Path],
    address: Address,
    *,
    stdout: IO[bytes] | None = None,
) -> None:
    """Run a tool to its end, its output going to `stdout` or nowhere.

    Raises:
        ToolFailed: when it ends with an error.
    """
    answer = subprocess.run(  # noqa: S603 - PostgreSQL's own program
        [binaries.program(tool), *arguments],
        check=False,
        stdin=subprocess.DEVNULL,
        stdout=stdout or subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env=tool_environment(address),
    )
    if answer.returncode != 0:
        raise ToolFailed(tool, answer.stderr.decode(errors="replace"))


def identifier(name: str) -> str:
    """A quoted name of a database or role.

    Raises:
        PostgresError: when PostgreSQL could not hold the name as it is.
    """
    if not re.fullmatch(r"[^\x00\n]{1,63}", name) or len(name.encode()) > 63:
        raise PostgresError(f"{name!r} is no name for a database.")
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """A quoted text value."""
    return "'" + text.replace("'", "''") + "'"
