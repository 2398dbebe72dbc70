"""`serve`, `worker` and `demo`."""

import logging
from dataclasses import replace
from functools import partial
from pathlib import Path

from licet_server import demo
from licet_server.cli.options import (
    DataDir,
    Host,
    Port,
    Workers,
    console,
    ready_database,
    say,
    settings_with,
)
from licet_server.cli.progress import ProgressLine
from licet_server.kit.logs import configure_logs
from licet_server.kit.shutdown import exit_on_sigterm
from licet_server.serving import (
    begin_to_serve,
    prepare,
    serve_http,
    work_in_background,
)

_SETUP = """There is no Owner yet. Create the first one with this setup token, which is valid
until the next start:

  {token}

Enter it at {address}/setup or send it to POST {address}/api/auth/setup. Alternatively, set
LICET_ADMIN_EMAIL and LICET_ADMIN_PASSWORD and start again."""


def serve(
    *, host: Host = None, port: Port = None, data_dir: DataDir = None, workers: Workers = None
) -> None:
    """Start the database and the HTTP service, and run until stopped."""
    settings = settings_with(host=host, port=port, data_dir=data_dir, workers=workers)
    exit_on_sigterm()
    begin_to_serve(settings)
    with ready_database(settings) as ready:
        setup_token = prepare(ready, say)
        serve_http(ready, say, partial(_introduce, setup_token, ready.address))


def _introduce(setup_token: str | None, address: str) -> None:
    if setup_token is not None:
        message = _SETUP.format(token=setup_token, address=address)
        console.print(message, markup=False, soft_wrap=True)
    console.print(f"Licet is running at {address}", markup=False)


def run_demo(
    *, host: Host = None, port: Port = None, data_dir: DataDir = None, workers: Workers = None
) -> None:
    """Serve from a separate folder that is filled with two years of a sample vendor."""
    folder = data_dir or Path("licet-demo")
    settings = settings_with(
        leave_out="LICET_ADMIN", host=host, port=port, data_dir=folder, workers=workers
    )
    # What follows the introduction would scroll away what is to be pasted.
    configure_logs(logging.WARNING)
    exit_on_sigterm()
    begin_to_serve(settings)
    with ready_database(settings) as ready:
        setup_token = prepare(ready, say)
        progress = ProgressLine(console)
        summary = demo.seed(ready, setup_token, progress)
        progress.clear()
        introduction = demo.introduction(summary, ready.address)
        introduce = partial(print, introduction, flush=True)
        shown = replace(ready, situations=summary.situations)
        serve_http(shown, _say_nothing, introduce, logging.WARNING)


def _say_nothing(_message: str) -> None:
    """Drop what only matters to those who serve customers, such as the user of the processes."""


def worker(*, data_dir: DataDir = None) -> None:
    """Run only the background jobs, such as email, rollups and sealing the audit log.

    Every running service runs them too. Extra workers share the load and are safe to add.
    """
    settings = settings_with(data_dir=data_dir)
    exit_on_sigterm()
    with ready_database(settings) as ready:
        prepare(ready, say)
        say("Background jobs are running. Press Ctrl-C to stop")
        work_in_background(ready, say)
    say("Background jobs have stopped")
