"""`serve` and `demo`."""

from pathlib import Path

from cyclopts import App

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
from licet_server.kit.shutdown import exit_on_sigterm
from licet_server.serving import (
    prepare,
    require_free_port,
    serve_http,
    work_in_background,
)

_SETUP = """Nobody has signed up yet. Make the first Owner with this token, which is good until the
next start:

  {token}

{address}/setup asks for it, and POST {address}/api/auth/setup takes it; or set LICET_ADMIN_EMAIL
and LICET_ADMIN_PASSWORD and start again."""


def serve(
    *, host: Host = None, port: Port = None, data_dir: DataDir = None, workers: Workers = None
) -> None:
    """Start everything that one machine needs, and answer until stopped."""
    settings = settings_with(host=host, port=port, data_dir=data_dir, workers=workers)
    exit_on_sigterm()
    require_free_port(settings)
    with ready_database(settings) as ready:
        setup_token = prepare(ready, say)
        if setup_token is not None:
            message = _SETUP.format(token=setup_token, address=ready.address)
            console.print(message, markup=False, soft_wrap=True)
        console.print(f"Licet runs at {ready.address}", markup=False)
        serve_http(ready)


def run_demo(
    *, host: Host = None, port: Port = None, data_dir: DataDir = None, workers: Workers = None
) -> None:
    """Do what `serve` does on a folder of its own, filled with a small vendor to look at."""
    folder = data_dir or Path("licet-demo")
    settings = settings_with(
        leave_out="LICET_ADMIN", host=host, port=port, data_dir=folder, workers=workers
    )
    exit_on_sigterm()
    require_free_port(settings)
    with ready_database(settings) as ready:
        setup_token = prepare(ready, say)
        summary = demo.fill(ready, setup_token, say)
        print(demo.introduction(summary, ready.address), flush=True)
        serve_http(ready)


def worker(*, data_dir: DataDir = None) -> None:
    """Do background work alone, beside a service or several: mail, sums, what waits to be sealed.

    A running service does it, too; another process takes work off it. None disturbs another.
    """
    with ready_database(settings_with(data_dir=data_dir)) as ready:
        prepare(ready, say)
        say("Background work runs; Ctrl-C ends it")
        work_in_background(ready)
    say("Background work has ended")


def register(app: App) -> None:
    """Add the commands."""
    app.command(serve)
    app.command(worker)
    app.command(run_demo, name="demo")
