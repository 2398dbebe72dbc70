"""Options shared by several commands, and the database that they select."""

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from cyclopts import Parameter
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from licet_server.app import open_platform
from licet_server.kit.platform import Platform
from licet_server.kit.process import forget_variable
from licet_server.kit.settings import Settings, read_settings
from licet_server.serving import database_for, prepare

Host = Annotated[str | None, Parameter(help="Address to listen on (127.0.0.1).")]
Port = Annotated[int | None, Parameter(help="Port to listen on (8000).")]
DataDir = Annotated[Path | None, Parameter(help="Folder for the database and keys (./licet-data).")]
Workers = Annotated[
    int | Literal["auto"] | None, Parameter(help="Number of HTTP processes (auto: one per core).")
]

CheckedFile = Annotated[
    Path | None, Parameter(help="Exit with code 1 if this file differs from the document.")
]
WrittenFile = Annotated[Path | None, Parameter(help="Write the document to this file.")]

Found = TypeVar("Found")

console = Console(stderr=True, highlight=False)


def say(line: str) -> None:
    """Print a line of progress for the operator."""
    console.print(f"· {line}", soft_wrap=True, markup=False)


def hand_out(document: bytes, check: Path | None, write: Path | None) -> None:
    """Write a generated document to a file, check that a file is up to date, or print it."""
    if write is not None:
        write.write_bytes(document)
    elif check is None:
        sys.stdout.buffer.write(document)
    elif not check.is_file() or check.read_bytes() != document:
        console.print(f"{check} is out of date. Run `make openapi`.")
        sys.exit(1)


def settings_with(*, leave_out: str | None = None, **options: Any) -> Settings:
    """Read the settings from the environment, overridden by the given options.

    Variables whose names contain `leave_out` are ignored. The first Owner's password leaves the
    environment, and so does the address, without which it would be missing.
    """
    environment = {
        name: value
        for name, value in os.environ.items()
        if leave_out is None or leave_out not in name
    }
    for name, value in options.items():
        if value is not None:
            environment[f"LICET_{name.upper()}"] = str(value)
    settings = read_settings(environment)
    for name in ("LICET_ADMIN_EMAIL", "LICET_ADMIN_PASSWORD", "LICET_ADMIN_PASSWORD_FILE"):
        forget_variable(name)
    return settings


@contextmanager
def ready_database(settings: Settings) -> Iterator[Settings]:
    """Provide settings with a running database: the configured one, or the embedded one."""
    with database_for(settings, say) as ready:
        yield ready


def on_platform(settings: Settings, use: Callable[[Platform], Awaitable[Found]]) -> Found:
    """Prepare the database of the service, and return what `use` makes of its platform."""
    with ready_database(settings) as ready:
        prepare(ready, say)
        return asyncio.run(_used(ready, use))


async def _used(settings: Settings, use: Callable[[Platform], Awaitable[Found]]) -> Found:
    async with open_platform(settings) as platform:
        return await use(platform)


@contextmanager
def counting(what: str) -> Iterator[Callable[[int, int], None]]:
    """Show a progress bar during the block; it yields a callback for the count and the total."""
    bar = Progress(
        TextColumn(what),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
    )
    with bar:
        task = bar.add_task("", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
