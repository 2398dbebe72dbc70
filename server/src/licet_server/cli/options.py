"""Options that several commands take, and the database that they lead to."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from licet_server.kit.settings import Settings, read_settings
from licet_server.serving import database_for

Host = Annotated[str | None, Parameter(help="Address to listen on (127.0.0.1).")]
Port = Annotated[int | None, Parameter(help="Port to listen on (8000).")]
DataDir = Annotated[Path | None, Parameter(help="Folder for database and keys (./licet-data).")]
Workers = Annotated[int | None, Parameter(help="Processes that answer requests (1).")]

console = Console(stderr=True, highlight=False)


def say(line: str) -> None:
    """Tell the operator how far things are."""
    console.print(f"· {line}", soft_wrap=True, markup=False)


def settings_with(*, leave_out: str | None = None, **options: Any) -> Settings:
    """The settings of the environment, under the options that were given; both are checked.

    `leave_out` is a part of the names of variables that this command does not read.
    """
    environment = {
        name: value
        for name, value in os.environ.items()
        if leave_out is None or leave_out not in name
    }
    for name, value in options.items():
        if value is not None:
            environment[f"LICET_{name.upper()}"] = str(value)
    return read_settings(environment)


@contextmanager
def ready_database(settings: Settings) -> Iterator[Settings]:
    """Settings with a running database: that of the settings, or the embedded one."""
    with database_for(settings, say) as ready:
        yield ready


@contextmanager
def counting(what: str) -> Iterator[Callable[[int, int], None]]:
    """A bar that shows how many of how many are done, for as long as the block runs."""
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
