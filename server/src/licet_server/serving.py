"""Starts everything that one machine needs: database, schema, first Owner, and HTTP processes."""

import asyncio
import multiprocessing
import os
import signal
import socket
import sys
import tempfile
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from types import FrameType
from typing import Any

if sys.platform != "win32":
    import resource

import uvicorn
from litestar.types import ASGIApp, Receive, Send
from uvicorn.supervisors import Multiprocess

from licet_server.app import build_app, build_platform, open_platform
from licet_server.audit.service.anchoring import begin_instance_chain
from licet_server.identity.rules.users import PASSWORD_MAX, PASSWORD_MIN, TOO_COMMON
from licet_server.identity.service.users import NewAccount, prepare_setup
from licet_server.institutions.service.institutions import default_terms
from licet_server.institutions.service.owners import create_first_owner
from licet_server.kit.collector import exempt_heap
from licet_server.kit.connecting import wait_for_database
from licet_server.kit.logs import configure_logs
from licet_server.kit.origin import CONSOLE
from licet_server.kit.passwords import Passwords, is_common
from licet_server.kit.postgres import EmbeddedPostgres
from licet_server.kit.settings import InvalidSetting, Settings, read_settings
from licet_server.kit.shutdown import run_until_sigterm
from licet_server.kit.text import is_email, normal_email
from licet_server.kit.web.connections import BoundedConnection, ConnectionLimits
from licet_server.kit.web.metrics import MULTIPROCESS_DIR
from licet_server.migrations import migrate
from licet_server.unprivileged import leave_root, require_user
from licet_server.worker import with_jobs, work_until

Say = Callable[[str], None]

_GRACEFUL_SECONDS = 10
_START_FAILED = 3
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
    with EmbeddedPostgres(settings.data_dir, log=say, user=settings.run_as) as cluster:
        if settings.run_as not in {None, "root", cluster.account or settings.run_as}:
            message = f"must be {cluster.account}, the user who owns the database."
            raise InvalidSetting("LICET_USER", message)
        yield replace(settings, database_url=cluster.url)


def require_free_port(settings: Settings) -> None:
    """Check that the port is free before starting anything slow.

    Raises:
        InvalidSetting: when the address cannot be listened on.
    """
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((settings.host, settings.port))
        except OSError as error:
            raise _port_in_use(settings, error) from None


def _port_in_use(settings: Settings, error: OSError) -> InvalidSetting:
    place = f"{settings.host}:{settings.port}"
    reason = f"listening on {place} failed ({error.strerror})"
    return InvalidSetting("LICET_PORT", f"cannot be used: {reason}. Choose another port.")


def prepare(settings: Settings, say: Say) -> str | None:
    """Migrate the schema, and create the first Owner if the settings name one.

    Returns the setup token if no Owner exists yet.
    """
    return run_until_sigterm(_prepare(settings, say))


async def _prepare(settings: Settings, say: Say) -> str | None:
    say("Migrating the database schema")
    await migrate(_url(settings), say)
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
    if not is_email(email):
        raise InvalidSetting("LICET_ADMIN_EMAIL", "must be an e-mail address.")
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


def serve_http(settings: Settings, say: Say) -> None:
    """Serve HTTP until told to stop, in one process per worker, and not as root."""
    port = bind(settings)
    settings = leave_root(settings, say)
    if settings.workers == 1:
        listen(lambda: _application(settings), settings, port)
        return
    with tempfile.TemporaryDirectory(prefix="licet-metrics-") as folder:
        os.environ[MULTIPROCESS_DIR] = folder
        os.environ.update(_as_environment(settings))
        listen("licet_server.serving:create_worker", settings, port)


def work_in_background(settings: Settings, say: Say) -> None:
    """Run only the background jobs, until SIGINT or SIGTERM, and not as root."""
    asyncio.run(_work_in_background(leave_root(settings, say)))


async def _work_in_background(settings: Settings) -> None:
    stop = asyncio.Event()
    for name in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(name, stop.set)
    async with open_platform(settings) as platform:
        await work_until(platform, stop)


def create_worker() -> ASGIApp:
    """Create the application of a worker process from the environment that its parent prepared."""
    configure_logs()
    threading.Thread(target=_exit_with_parent, name="parent", daemon=True).start()
    return _application(read_settings(os.environ))


def _application(settings: Settings) -> ASGIApp:
    app = build_app(build_platform(settings))
    lifespan = _closing_streams(with_jobs(app.asgi, app.platform), app.close_streams)
    return with_lifespan(app.asgi, lifespan)


def with_lifespan(app: ASGIApp, lifespan: ASGIApp) -> ASGIApp:
    """Return the application with another lifespan, and with its heap exempt from collection.

    Requests go straight to the application: whatever stands in their way costs each of them.
    """

    async def live(scope: Any, receive: Receive, send: Send) -> None:
        async def send_exempt(message: Any) -> None:
            if message["type"] == "lifespan.startup.complete":
                exempt_heap()
            await send(message)

        await lifespan(scope, receive, send_exempt)

    def run(scope: Any, receive: Receive, send: Send) -> Coroutine[Any, Any, None]:
        return (live if scope["type"] == "lifespan" else app)(scope, receive, send)  # type: ignore[return-value]

    return run


def _closing_streams(lifespan: ASGIApp, close_streams: Callable[[], None]) -> ASGIApp:
    """Wrap the lifespan so that event streams end when the process is told to stop.

    The HTTP server waits for open responses, and a stream would never complete by itself.
    """

    async def run(scope: Any, receive: Receive, send: Send) -> None:
        loop = asyncio.get_running_loop()
        _before_shutdown(lambda: loop.call_soon_threadsafe(close_streams))
        await lifespan(scope, receive, send)

    return run


def _before_shutdown(act: Callable[[], object]) -> None:
    """Call `act` on SIGTERM and Ctrl-C, before the existing signal handler."""
    for which in (signal.SIGTERM, signal.SIGINT):
        previous = signal.getsignal(which)

        def handle(number: int, frame: FrameType | None, previous: Any = previous) -> None:
            act()
            if callable(previous):
                previous(number, frame)

        signal.signal(which, handle)


def _exit_with_parent() -> None:
    """Stop when the parent dies: an orphaned worker would keep the port in use."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)


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
    port.set_inheritable(True)
    return port


def listen(app: Callable[[], ASGIApp] | str, settings: Settings, port: socket.socket) -> None:
    """Serve the application that this factory, or the factory of this name, creates."""
    limits = ConnectionLimits(connections=allowed_connections(settings.max_connections))
    # A partial instead of a class, because it reaches the worker processes with its limits.
    protocol: Any = partial(BoundedConnection, limits=limits)
    config = uvicorn.Config(
        app,
        factory=True,
        interface="asgi3",
        host=settings.host,
        port=settings.port,
        workers=settings.workers,
        http=protocol,
        ws="none",
        lifespan="on",
        proxy_headers=False,
        server_header=False,
        access_log=False,
        log_config=None,
        timeout_graceful_shutdown=_GRACEFUL_SECONDS,
    )
    if settings.workers > 1:
        Multiprocess(config, sockets=[port]).run()
        return
    config.load_app()
    server = uvicorn.Server(config)
    with suppress(KeyboardInterrupt):
        server.run(sockets=[port])
    if not server.started:
        sys.exit(_START_FAILED)


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


def _as_environment(settings: Settings) -> dict[str, str]:
    return {
        "DATABASE_URL": _url(settings),
        "LICET_DATA_DIR": str(settings.data_dir),
        "LICET_AUDIT_HEADS": str(settings.audit_heads_file),
        "LICET_HOST": settings.host,
        "LICET_PORT": str(settings.port),
    }


def _url(settings: Settings) -> str:
    if settings.database_url is None:
        raise ValueError("the settings have no database_url")
    return settings.database_url
