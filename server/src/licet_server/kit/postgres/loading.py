"""Loads a backup into an empty database, also into one of an older version than the programs."""

import shutil
import subprocess
from pathlib import Path
from typing import IO

from licet_server.kit.database_address import Address
from licet_server.kit.postgres.binaries import Binaries
from licet_server.kit.postgres.errors import ToolFailed
from licet_server.kit.postgres.tools import query, run_tool, tool_environment

_UNKNOWN_BEFORE = {b"SET transaction_timeout = 0;\n": 17}
"""Settings that the programs write, and the first version that knows each."""
_FIRST_OBJECT = (b"CREATE ", b"COPY ", b"ALTER ")
"""Settings are written before it, and data that could look like one only after it."""


def load(binaries: Binaries, address: Address, source: Path, *, role: str | None = None) -> None:
    """Load the backup in one transaction, as `role` if given.

    Raises:
        ToolFailed: when the file is not a backup, or the database cannot take it.
    """
    [[version]] = query(binaries, address, "SHOW server_version_num;")
    server = int(version) // 10_000
    unknown = {line for line, since in _UNKNOWN_BEFORE.items() if server < since}
    options: list[str | Path] = ["--exit-on-error", "--no-owner", "--no-password"]
    if role is not None:
        options.append(f"--role={role}")
    if not unknown:
        into = ["--single-transaction", f"--dbname={address.database}"]
        run_tool(binaries, "pg_restore", [*options, *into, source], address)
        return
    _load_without(unknown, binaries, address, [*options, "--file=-", source])


def _load_without(
    unknown: set[bytes], binaries: Binaries, address: Address, arguments: list[str | Path]
) -> None:
    environment = tool_environment(address)
    writer = subprocess.Popen(  # noqa: S603 - PostgreSQL's own program
        [binaries.program("pg_restore"), *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
    )
    reader = subprocess.Popen(  # noqa: S603 - PostgreSQL's own program
        [binaries.program("psql"), "-X", "-q", "-v", "ON_ERROR_STOP=1", "--single-transaction"],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env=environment,
    )
    with writer, reader:
        assert writer.stdout is not None  # noqa: S101 - it is a pipe
        assert reader.stdin is not None  # noqa: S101 - it is a pipe
        _copy_without(unknown, writer.stdout, reader.stdin)
        refusal = reader.communicate()[1]
        failure = writer.stderr.read() if writer.stderr else b""
    if reader.returncode != 0:
        raise ToolFailed("psql", refusal.decode(errors="replace"))
    if writer.returncode != 0:
        raise ToolFailed("pg_restore", failure.decode(errors="replace"))


def _copy_without(unknown: set[bytes], source: IO[bytes], target: IO[bytes]) -> None:
    try:
        for line in source:
            if line not in unknown:
                target.write(line)
            if line.startswith(_FIRST_OBJECT):
                break
        shutil.copyfileobj(source, target)
        target.flush()
    except BrokenPipeError:
        source.close()  # psql has failed, and says why
