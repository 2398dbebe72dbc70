"""The command `licet-server`."""

import asyncio
import os
import secrets
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter
from rich.console import Console

from licet_server import __version__, demo, rotation
from licet_server.accounts import service as accounts
from licet_server.accounts.rules import PASSWORD_MIN
from licet_server.app import build_app, build_platform
from licet_server.kit.errors import Refused
from licet_server.kit.events import Origin
from licet_server.kit.logs import configure_logs
from licet_server.kit.passwords import Passwords
from licet_server.kit.settings import Settings, WrongSetting, read_settings
from licet_server.kit.text import is_email, normal_email
from licet_server.kit.web.openapi import openapi_document
from licet_server.migrations import SchemaTooNew
from licet_server.migrations import migrate as migrate_schema
from licet_server.serving import address_of, database_for, prepare, serve_http

app = App(
    name="licet-server",
    version=__version__,
    help="The Licet licensing service. Settings come from options, then from LICET_* variables.",
)
admin = App(name="admin", help="Manage people from the console.")
app.command(admin)

_console = Console(stderr=True, highlight=False)

Host = Annotated[str | None, Parameter(help="Address to listen on (127.0.0.1).")]
Port = Annotated[int | None, Parameter(help="Port to listen on (8000).")]
DataDir = Annotated[Path | None, Parameter(help="Folder for database and keys (./licet-data).")]
Workers = Annotated[int | None, Parameter(help="Processes that answer requests (1).")]


def main() -> None:
    """Run the command line; known faults end it with a sentence and exit code 1."""
    configure_logs(verbose=bool(os.environ.get("LICET_VERBOSE")))
    try:
        app()
    except (WrongSetting, SchemaTooNew, Refused, OSError) as fault:
        sentence = fault.detail if isinstance(fault, Refused) else str(fault)
        _console.print(f"[bold red]licet-server:[/] {sentence}", soft_wrap=True)
        sys.exit(1)


@app.command
def serve(
    *, host: Host = None, port: Port = None, data_dir: DataDir = None, workers: Workers = None
) -> None:
    """Start everything that one machine needs, and answer until stopped."""
    with _database(host, port, data_dir, workers) as settings:
        setup_token = prepare(settings, _say)
        address = address_of(settings)
        _console.print(f"[bold]Licet runs at {address}[/]")
        if setup_token is not None:
            _console.print(
                "Nobody has signed up yet. Make the first Owner with this token, valid until the "
                f"next start:\n  {setup_token}\n"
                f"POST {address}/api/auth/setup, or set LICET_ADMIN_EMAIL and "
                "LICET_ADMIN_PASSWORD and start again.",
                soft_wrap=True,
            )
        serve_http(settings)


@app.command(name="demo")
def run_demo(
    *, host: Host = None, port: Port = None, data_dir: DataDir = None, workers: Workers = None
) -> None:
    """Do what `serve` does on a folder of its own, filled with a small vendor to look at."""
    folder = data_dir or Path("licet-demo")
    environment = {name: value for name, value in os.environ.items() if "LICET_ADMIN" not in name}
    with _database(host, port, folder, workers, environment) as settings:
        setup_token = prepare(settings, _say)
        facts = demo.fill(settings, setup_token, _say)
        print(demo.introduction(facts, address_of(settings)), flush=True)
        serve_http(settings)


@app.command
def migrate(*, data_dir: DataDir = None) -> None:
    """Bring the database schema up to date and stop."""
    with _database(None, None, data_dir, None) as settings:
        asyncio.run(migrate_schema(str(settings.database_url)))
        _say("The schema is up to date")


@app.command(name="rotate-master-key")
def rotate_master_key(*, data_dir: DataDir = None) -> None:
    """Encrypt every stored secret under a new master key."""
    with _database(None, None, data_dir, None) as settings:
        count = rotation.rotate_master_key(settings, _say)
        _say(f"Done: {count} secrets are sealed under the new key")


@admin.command(name="create")
def create_admin(email: str, *, full_name: str = "Administrator", data_dir: DataDir = None) -> None:
    """Make an account for a system Admin; its password is read from LICET_ADMIN_PASSWORD or made.

    Parameters
    ----------
    email
        The address to sign in with.
    full_name
        The name to be shown.
    """
    if not is_email(email):
        raise WrongSetting("EMAIL", "it takes an e-mail address.")
    given = os.environ.get("LICET_ADMIN_PASSWORD")
    if given is not None and len(given) < PASSWORD_MIN:
        raise WrongSetting("LICET_ADMIN_PASSWORD", f"it takes at least {PASSWORD_MIN} characters.")
    password = given or secrets.token_urlsafe(12)
    environment = {name: value for name, value in os.environ.items() if "LICET_ADMIN" not in name}
    with _database(None, None, data_dir, None, environment) as settings:
        prepare(settings, _say)
        asyncio.run(_create_admin(settings, normal_email(email), full_name, password))
    _say(f"Made the system Admin {email}")
    if given is None:
        print(f"Password: {password}")


@app.command
def openapi(*, check: Path | None = None, write: Path | None = None) -> None:
    """Print the OpenAPI document, write it to a file, or check that a file is fresh.

    Parameters
    ----------
    check
        End with exit code 1 when this file differs from the document.
    write
        Write the document to this file.
    """
    settings = Settings(database_url="postgresql+asyncpg://nobody@127.0.0.1:1/none")
    document = openapi_document(build_app(build_platform(settings)).litestar)
    if write is not None:
        write.write_bytes(document)
    elif check is not None:
        if not check.is_file() or check.read_bytes() != document:
            _console.print(f"{check} is stale: run `make openapi`.")
            sys.exit(1)
    else:
        sys.stdout.buffer.write(document)


async def _create_admin(settings: Settings, email: str, full_name: str, password: str) -> None:
    platform = build_platform(settings)
    password_hash = await Passwords().hash(password)
    try:
        async with platform.work(Origin()) as work:
            await accounts.create_user(
                work,
                email=email,
                full_name=full_name,
                password_hash=password_hash,
                is_system_admin=True,
                verified=True,
            )
    finally:
        await platform.database.close()


@contextmanager
def _database(
    host: str | None,
    port: int | None,
    data_dir: Path | None,
    workers: int | None,
    environment: dict[str, str] | None = None,
) -> Iterator[Settings]:
    settings = read_settings(environment if environment is not None else os.environ)
    options = {"host": host, "port": port, "data_dir": data_dir, "workers": workers}
    given = {name: value for name, value in options.items() if value is not None}
    with database_for(replace(settings, **given), _say) as ready:  # type: ignore[arg-type]
        yield ready


def _say(line: str) -> None:
    _console.print(f"[dim]·[/] {line}", soft_wrap=True)
