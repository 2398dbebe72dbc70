"""Reads what a backup contains, without running anything of it."""

import re
import subprocess
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from licet_server.kit.postgres.account import plain_environment
from licet_server.kit.postgres.binaries import Binaries
from licet_server.kit.postgres.errors import NotOurs
from licet_server.kit.postgres.programs import Program

LARGEST_DEFINITIONS = 64 * 1024 * 1024

_KINDS = (
    "TABLE DATA",
    "TABLE",
    "FK CONSTRAINT",
    "CHECK CONSTRAINT",
    "CONSTRAINT",
    "INDEX",
    "DEFAULT",
    "SEQUENCE OWNED BY",
    "SEQUENCE SET",
    "SEQUENCE",
    "STATISTICS",
    "COMMENT",
    "ACL",
)
_ENTRY = re.compile(rf"\d+; \d+ \d+ (?:(?P<kind>{'|'.join(_KINDS)}) public (?P<name>.*) \S+|.*)")
_FIRST_OID_AND_SO_ON = re.compile(r"\d+; \d+ \d+ ")


@dataclass(frozen=True, slots=True)
class Entry:
    """One object in a backup. `kind` is None if it is of a kind or schema that Licet never has."""

    kind: str | None
    name: str


def list_contents(binaries: Binaries, backup: BinaryIO) -> list[Entry]:
    """List the objects in a backup.

    Raises:
        ToolFailed: when the file is no backup.
    """
    text = output_of(reading(binaries, backup, "--list")).decode(errors="replace")
    return [_entry(line) for line in text.splitlines() if line and not line.startswith(";")]


def require_tables(entries: Collection[Entry], tables: Collection[str]) -> None:
    """Check that a backup has these tables, and nothing but what belongs to them.

    Raises:
        NotOurs: when it has something else, or lacks a table.
    """
    foreign = [
        entry.name
        for entry in entries
        if entry.kind is None
        or (entry.kind in {"TABLE", "TABLE DATA"} and entry.name not in tables)
    ]
    if foreign:
        raise NotOurs(f"it contains what Licet never has: {', '.join(foreign[:5])}")
    missing = set(tables) - {entry.name for entry in entries if entry.kind == "TABLE"}
    if missing:
        raise NotOurs(f"it lacks the tables {', '.join(sorted(missing)[:5])}")


def only_value(binaries: Binaries, backup: BinaryIO, table: str) -> str | None:
    """Return the value in a backup of a table with one column and one row; None without it."""
    options = ("--data-only", "--schema=public", f"--table={table}", "--file=-")
    text = output_of(reading(binaries, backup, *options))
    rows = rb"^COPY public\.%b \(\w+\) FROM stdin;\n(.*)\n" % table.encode()
    found = re.search(rows, text, re.MULTILINE)
    return found[1].decode(errors="replace") if found and found[1] != rb"\." else None


def reading(binaries: Binaries, backup: BinaryIO, *options: str) -> Program:
    """Return the program that reads a backup, from its beginning."""
    command: list[str | Path] = [binaries.program("pg_restore"), *options]
    return Program(command, plain_environment(), stdin=backup)


def output_of(program: Program) -> bytes:
    """Return what a program writes, which must not be long.

    Raises:
        NotOurs: when it is longer than the definitions of any Licet.
        ToolFailed: when the program fails.
    """
    with program.running(stdout=subprocess.PIPE) as running:
        assert running.process.stdout is not None  # noqa: S101 - it is a pipe
        written = running.process.stdout.read(LARGEST_DEFINITIONS + 1)
        if len(written) > LARGEST_DEFINITIONS:
            raise NotOurs("its definitions are too long")
        running.process.wait()
        if running.has_failed:
            raise running.failure()
    return written


def _entry(line: str) -> Entry:
    found = _ENTRY.fullmatch(line)
    if found is None or found["kind"] is None:
        return Entry(None, _FIRST_OID_AND_SO_ON.sub("", line))
    return Entry(found["kind"], found["name"])
