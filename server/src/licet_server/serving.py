"""Starts everything that one machine needs: database, schema, first Owner, and HTTP processes."""

import asyncio
import logging
import os
import signal
import socket
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from typing import Any

if sys.platform != "win32":
    import resource

import uvicorn
from litestar.types import ASGIApp

from licet_server.app import Application, build_app, build_platform, open_platform
from licet_server.audit.service.evidence import begin_instance_chain, read_evidence
from licet_server.identity.rules.users import PASSWORD_MAX, PASSWORD_MIN, TOO_COMMON
from licet_server.identity.service.users import NewAccount, prepare_setup
from licet_server.institutions.service.institutions import create_first_owner, default_terms
from licet_server.kit.backups.archiver import open_archiver
from licet_server.kit.clock import system_clock
from licet_server.kit.clock_trust import ClockTrust
from licet_server.kit.connecting import wait_for_database
from licet_server.kit.database import metadata
from licet_server.kit.database_address import Address
from licet_server.kit.emails import normal_email, read_email
from licet_server.kit.logs import configure_logs
from licet_server.kit.metrics import MULTIPROCESS_DIR, share_counts
from licet_server.kit.origin import CONSOLE
from licet_server.kit.passwords import Passwords, is_common
from licet_server.kit.postgres import EmbeddedPostgres
from licet_server.kit.process import collection_paused, usable_cores
from licet_server.kit.process_metrics import ProcessMetrics
from licet_server.kit.settings import InvalidSetting, Settings
from licet_server.kit.shutdown import exit_if_asked, run_until_sigterm
from licet_server.kit.spreading import require_distributed
from licet_server.kit.web.connections import BoundedConnection, ConnectionLimits
from licet_server.kit.web.kept_imports import keep_imports
from licet_server.kit.web.processes import HandedServer, Processes
from licet_server.kit.web.server import HttpServer
from licet_server.migrations import migrate
from licet_server.unprivileged import leave_root, require_user
from licet_server.worker import with_jobs, work_until

Say = Callable[[str], None]

_CLOSING_SECONDS = 10
"""Time for jobs and connections to the database to end, after the last response."""
_START_FAILED = 3
_SHARED_CONNECTIONS = 80
"""Of the 100 connections of the embedded database, those that all processes may use together."""
_OTHER_CONNECTIONS = 8
"""Connections of a process besides its pool: for relaxed writes, and requests of applications."""
_OTHER_FILES = 512
"""Open files of a process besides its connections: the database, uploads, refused connections."""


@contextmanager
def database_for(settings: Settings, say: Say) -> Iterator[Settings]:
    """Provide settings with a running database: the configured one, or else the embedded one.

    Raises:
        DatabaseRefused: when the configured one is not there in time, or cannot be used.
        InvalidSetting: when the user in the settings cannot run it.
    """
    require_user(settings)
    if settings.database_url is not None:
        seconds = settings.database_wait_seconds
        run_until_sigterm(wait_for_database(settings.database_url, seconds, say))
        yield settings
        return
    with embedded_database(settings, say) as cluster:
        if settings.run_as not in {None, "root", cluster.account or settings.run_as}:
            message = f"must be {cluster.account}, the user who owns the database."
            raise InvalidSetting("LICET_USER", message)
        yield replace(settings, database_url=cluster.url)


def embedded_database(settings: Settings, say: Say) -> EmbeddedPostgres:
    """Return the embedded database, with its WAL archived if the settings say so.

    Raises:
        InvalidSetting: when the store of the backups cannot be opened.
    """
    archiver = open_archiver(settings, system_clock, say)
    user = settings.run_as
    return EmbeddedPostgres(settings.data_dir, log=say, user=user, archiver=archiver)


def begin_to_serve(settings: Settings) -> None:
    """Check that the port is free before anything slow, and keep the imports for the processes.

    Raises:
        InvalidSetting: when the address cannot be listened on.
    """
    bind(settings).close()
    if processes(settings) > 1:
        keep_imports()


def _port_in_use(settings: Settings, error: OSError) -> InvalidSetting:
    place = f"{settings.host}:{settings.port}"
    reason = f"listening on {place} failed ({error.strerror})"
    return InvalidSetting("LICET_PORT", f"cannot be used: {reason}. Choose another port.")


def prepare(settings: Settings, say: Say) -> str | None:
    """Migrate the schema, and create the first Owner if the settings name one.

    Returns the setup token if no Owner exists yet.

    Raises:
        DatabaseRefused: when the URL says that the database is distributed, and it is not ready.
    """
    return run_until_sigterm(_prepare(settings, say))


async def _prepare(settings: Settings, say: Say) -> str | None:
    say("Migrating the database schema")
    url = _url(settings)
    await migrate(url, say)
    if Address.of_url(url).is_distributed:
        await require_distributed(url, metadata)
    async with open_platform(settings) as platform, platform.unit_of_work(CONSOLE) as work:
        token = await prepare_setup(work)
        await begin_instance_chain(work, settings.audit_heads_file)
        if token is None or settings.admin_email is None or settings.admin_password is None:
            return token
        account = _first_owner(settings.admin_email, settings.admin_password)
        await create_first_owner(work, Passwords(), account, default_terms(settings))
        say(f"Created the first Owner, {account.email}")
        return None


def _first_owner(email: str, password: str) -> NewAccount:
    if read_email(email) is None:
        raise InvalidSetting("LICET_ADMIN_EMAIL", "must be an email address.")
    if not PASSWORD_MIN <= len(password) <= PASSWORD_MAX:
        message = f"must have {PASSWORD_MIN} to {PASSWORD_MAX} characters."
        raise InvalidSetting("LICET_ADMIN_PASSWORD", message)
    if is_common(password):
        raise InvalidSetting("LICET_ADMIN_PASSWORD", TOO_COMMON)
    return NewAccount(
        email=normal_email(email),
        password=password,
        full_name="Administrator",
        institution_name="My company",
    )


def serve_http(
    settings: Settings, say: Say, on_listening: Callable[[], None], log_level: int = logging.INFO
) -> None:
    """Serve HTTP until stopped, with one process for each worker, and not as root.

    `on_listening` is called once clients can connect.
    """
    port = bind(settings)
    settings = leave_root(settings, say)
    count = processes(settings)
    if count == 1:
        app = application(settings)
        listen(app.asgi, settings, port, app.close_streams, on_listening)
        return
    known = replace(settings, admin_email=None, admin_password=None)
    stop_seconds = settings.shutdown_grace + _CLOSING_SECONDS
    with tempfile.TemporaryDirectory(prefix="licet-metrics-") as folder:
        exit_if_asked()
        os.environ[MULTIPROCESS_DIR] = folder
        serve = partial(_serve_handed, known, log_level)
        forked = Processes(
            port, count, serve, stop_seconds, module=__name__, on_listening=on_listening
        )
        if not forked.run():
            sys.exit(_START_FAILED)


def work_in_background(settings: Settings, say: Say) -> None:
    """Run only the background jobs, until SIGINT or SIGTERM, and not as root."""
    asyncio.run(_work_in_background(leave_root(settings, say)))


async def _work_in_background(settings: Settings) -> None:
    stop = asyncio.Event()
    for name in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(name, stop.set)
    exit_if_asked()
    async with open_platform(settings) as platform:
        await work_until(platform, stop)


def processes(settings: Settings) -> int:
    """Return how many processes serve: by default one per core, as many as the database allows."""
    if settings.workers is not None:
        return settings.workers
    room = _SHARED_CONNECTIONS // (settings.pool_size + _OTHER_CONNECTIONS)
    return max(1, min(usable_cores(), room))


def application(settings: Settings) -> Application:
    """Create the application of a process, with its jobs, on the database in the settings."""
    platform = build_platform(settings)
    trust = ClockTrust(platform.clock, settings.data_dir, read_evidence)
    app = build_app(replace(platform, clock_trust=trust))
    metrics = app.platform.metrics.of(ProcessMetrics)
    metrics.connections_limit = allowed_connections(settings.max_connections)
    return replace(app, asgi=with_jobs(app.asgi, app.platform))


def _serve_handed(settings: Settings, log_level: int, channel: socket.socket) -> None:
    """Serve in a process of its own what its parent hands over; the parent prepared everything."""
    configure_logs(log_level)
    share_counts()
    with collection_paused():
        app = application(settings)
    HandedServer(_config(app.asgi, settings), channel, app.close_streams).run()


def bind(settings: Settings) -> socket.socket:
    """Bind the port, which for a low one only root may do.

    Raises:
        InvalidSetting: when the port was taken since it was checked.
    """
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    port = socket.socket(family, socket.SOCK_STREAM)
    port.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        port.bind((settings.host, settings.port))
    except OSError as error:
        port.close()
        raise _port_in_use(settings, error) from None
    return port


def listen(
    app: ASGIApp,
    settings: Settings,
    port: socket.socket,
    close_streams: Callable[[], None] = lambda: None,
    on_listening: Callable[[], None] = lambda: None,
) -> None:
    """Serve the application in this process until stopped."""
    server = HttpServer(_config(app, settings), port, close_streams, on_listening)
    exit_if_asked()
    with suppress(KeyboardInterrupt):
        server.run()
    if not server.started:
        sys.exit(_START_FAILED)


def _config(app: ASGIApp, settings: Settings) -> uvicorn.Config:
    limits = ConnectionLimits(connections=allowed_connections(settings.max_connections))
    protocol: Any = partial(BoundedConnection, limits=limits)
    return uvicorn.Config(
        app,
        interface="asgi3",
        http=protocol,
        ws="none",
        lifespan="on",
        proxy_headers=False,
        server_header=False,
        access_log=False,
        log_config=None,
        timeout_graceful_shutdown=settings.shutdown_grace,
    )


def allowed_connections(wanted: int) -> int:
    """Return how many connections a process may have, after raising its limit of open files.

    Without free files, a process accepts nothing, and looks broken instead of busy.
    """
    if sys.platform == "win32":  # it has no such limit
        return wanted

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = wanted + _OTHER_FILES
    if soft != resource.RLIM_INFINITY and soft < needed:
        soft = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        return max(1, min(wanted, soft - _OTHER_FILES))
    return wanted


def _url(settings: Settings) -> str:
    if settings.database_url is None:
        raise ValueError("the settings have no database_url")
    return settings.database_url
