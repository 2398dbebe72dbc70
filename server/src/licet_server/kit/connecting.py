"""Opens and pools connections to the database."""

import asyncio
import socket
import ssl
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import asyncpg
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncEngine
from sqlalchemy.pool import AsyncAdaptedQueuePool, PoolProxiedConnection

from licet_server.kit.clock import system_clock
from licet_server.kit.database_address import FOR_BOTH, Address
from licet_server.kit.dates import read_any_instant

CONNECT_TIMEOUT_S = 5.0
COMMAND_TIMEOUT_S = 18.0
"""Longer than the database's own timeout of statements, which leaves the connection usable."""

_TRY_NEXT_S = 0.5
_TELL_EVERY_S = 5.0
_KEEPALIVE = {
    "SO_KEEPALIVE": (socket.SOL_SOCKET, 1),
    "TCP_KEEPIDLE": (socket.IPPROTO_TCP, 10),
    "TCP_KEEPINTVL": (socket.IPPROTO_TCP, 5),
    "TCP_KEEPCNT": (socket.IPPROTO_TCP, 3),
    "TCP_USER_TIMEOUT": (socket.IPPROTO_TCP, 10_000),
}
"""A peer that does not respond is given up after 10 seconds with data on the way, else after 25."""

_FOR_POOLERS = {"application_name", "timezone"}
"""Settings that PgBouncer keeps for each of its clients."""
_PROBE = {"jit": "off"}
"""A setting that PgBouncer refuses."""
_FILES = {"sslcert", "sslcrl", "sslkey", "sslrootcert"}

Connect = Callable[..., Awaitable[Any]]


class DatabaseRefused(Exception):
    """The database cannot be used as `DATABASE_URL` says; the message is for the operator."""


def connect_arguments(
    url: str, server_settings: Mapping[str, str], command_timeout: float | None = COMMAND_TIMEOUT_S
) -> dict[str, Any]:
    """Return the `connect_args` of an engine that connects as the URL says."""
    connect = connector(url, server_settings, command_timeout)

    async def open_connection(**_given: object) -> Any:
        opened = await connect()
        await read_any_instant(opened)
        return opened

    arguments: dict[str, Any] = {"async_creator_fn": open_connection}
    if Address.of_url(url).is_pooled:
        # A named statement would be on one connection of the pooler, and be run on another.
        arguments["prepared_statement_cache_size"] = 0
        arguments["prepared_statement_name_func"] = lambda: ""
    return arguments


def connector(
    url: str, server_settings: Mapping[str, str], command_timeout: float | None = COMMAND_TIMEOUT_S
) -> Connect:
    """Return a function that opens a connection, to the first server that takes it.

    If the servers are distinguished by `target_session_attrs`, it begins with the one that took the
    last connection to this URL: another may hang, and delay each attempt.
    """
    address = Address.of_url(url)
    servers = _servers_of(url)
    attributes = dict(address.options).get("target_session_attrs", "any")
    arguments = _arguments(address, server_settings, command_timeout)
    # A standby is preferred by looking for one first.
    rounds = ["standby", "any"] if attributes == "prefer-standby" else [attributes]

    async def connect(**_given: object) -> Any:
        error: Exception = ConnectionError(
            f"none of the servers of DATABASE_URL is {attributes.replace('-', ' ')}"
        )
        for wanted in rounds:
            for server in tuple(servers):
                host, port = server
                try:
                    opened = await asyncpg.connect(
                        host=host, port=port, target_session_attrs=wanted, **arguments
                    )
                except asyncpg.exceptions.TargetServerAttributeNotMatched:
                    continue
                except Exception as refused:
                    if not _may_pass(refused):
                        raise
                    error = refused
                else:
                    _keep_alive(opened)
                    if attributes != "any":
                        servers.remove(server)
                        servers.insert(0, server)
                    return opened
        raise error

    return connect


@cache
def _servers_of(url: str) -> list[tuple[str, int]]:
    """Return the servers in the order to try, which all pools of a process share and change."""
    return list(Address.of_url(url).servers)


def _arguments(
    address: Address, server_settings: Mapping[str, str], command_timeout: float | None
) -> dict[str, Any]:
    """Return the options of the driver that are the same for every server."""
    options = dict(address.options)
    settings = dict(server_settings)
    if address.is_pooled:
        settings = {name: settings[name] for name in settings.keys() & _FOR_POOLERS}
    for name in ("application_name", "options"):
        if name in options:
            settings[name] = options[name]
    arguments: dict[str, Any] = {
        "user": address.user,
        "password": address.password or None,
        "database": address.database,
        "timeout": float(options.get("connect_timeout", 0)) or CONNECT_TIMEOUT_S,
        "command_timeout": command_timeout,
        "server_settings": settings,
    }
    if address.is_pooled:
        arguments["statement_cache_size"] = 0
    known = {name: value for name, value in options.items() if name in FOR_BOTH}
    known.pop("target_session_attrs", None)
    if known.get("sslrootcert") == "system":
        arguments["ssl"] = ssl.create_default_context()
    elif known:
        arguments["dsn"] = f"postgresql://?{urlencode(known, quote_via=quote)}"
    return arguments


async def wait_for_database(url: str, seconds: float, say: Callable[[str], None]) -> None:
    """Return once the database accepts connections; say what it waits for every few seconds.

    Raises:
        DatabaseRefused: when it does not within `seconds`, or refuses for a reason that stays.
    """
    address, connect = Address.of_url(url), connector(url, _PROBE)
    _require_files(address)
    servers = ", ".join(f"{host}:{port}" for host, port in address.servers)
    started = time.monotonic()
    told = -_TELL_EVERY_S
    while True:
        try:
            await (await connect()).close()
        except Exception as error:
            reason = str(error) or type(error).__name__
            if "unsupported startup parameter" in reason:
                raise DatabaseRefused(
                    "DATABASE_URL leads to PgBouncer. Add the option pgbouncer=true to it."
                ) from error
            if not _may_pass(error):
                raise DatabaseRefused(
                    f"The database refuses the connection: {reason}. Check DATABASE_URL."
                ) from error
            waited = time.monotonic() - started
            if waited >= seconds:
                raise DatabaseRefused(
                    f"The database at {servers} was not there within {seconds:g} s: {reason}. "
                    "Check DATABASE_URL, or wait longer with LICET_DATABASE_WAIT."
                ) from error
            if waited - told >= _TELL_EVERY_S:
                say(f"Waiting for the database at {servers}: {reason}")
                told = waited
        else:
            return
        await asyncio.sleep(_TRY_NEXT_S)


def _require_files(address: Address) -> None:
    # A missing certificate would look like a server that is not running.
    for name, value in address.options:
        is_file = name in _FILES and value and (name, value) != ("sslrootcert", "system")
        if is_file and not Path(value).expanduser().is_file():
            raise DatabaseRefused(f"DATABASE_URL names the {name} {value}, which does not exist.")


def _may_pass(error: Exception) -> bool:
    """Return whether another server, or the same one later, may take the connection."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return False
    if isinstance(error, FileNotFoundError):
        # The socket of a server that is not running; unlike a missing file, it has no filename.
        return error.filename is None
    if isinstance(error, (OSError, TimeoutError, asyncpg.PostgresConnectionError)):
        return True
    state = getattr(error, "sqlstate", None) or ""
    return state.startswith(("57P", "53"))


def _keep_alive(connection: Any) -> None:
    # The driver has no option for it, and no other way to its socket.
    opened: socket.socket | None = connection._transport.get_extra_info("socket")
    if opened is None or opened.family == getattr(socket, "AF_UNIX", None):
        return
    for name, (level, value) in _KEEPALIVE.items():
        if hasattr(socket, name):
            opened.setsockopt(level, getattr(socket, name), value)


@dataclass(frozen=True, slots=True)
class PoolFigures:
    """The state of a pool; `waiting` is for a free connection or a new one.

    `timeouts` counts, from the start on, the callers that waited in vain.
    """

    size: int
    in_use: int
    idle: int
    waiting: int
    timeouts: int


class CountingPool(AsyncAdaptedQueuePool):
    """The usual pool; it counts who waits.

    Connections that were opened before `left_at` are replaced; it is an instant of `monotonic`.
    """

    waiting = 0
    timeouts = 0
    left_at = 0.0

    def is_ready(self) -> bool:
        """Return whether the next connection is here, and is not one that is replaced."""
        idle: Any = self._pool._queue  # type: ignore[attr-defined]
        if idle.empty():
            return False
        record = idle._queue[-1]
        age = system_clock().timestamp() - record.starttime
        return (
            record.dbapi_connection is not None
            and (self._recycle < 0 or age <= self._recycle)
            and self._invalidate_time <= record.starttime
            and self.left_at <= record.info.get("since", 0.0)
        )

    def connect(self) -> PoolProxiedConnection:
        self.waiting += 1
        try:
            return super().connect()
        except PoolTimeout:
            self.timeouts += 1
            raise
        finally:
            self.waiting -= 1


def figures_of(engine: AsyncEngine) -> PoolFigures:
    """Return the state of the pool of an engine."""
    pool = engine.pool
    if not isinstance(pool, CountingPool):
        raise TypeError("the engine has another pool")
    return PoolFigures(
        size=pool.size(),
        in_use=pool.checkedout(),
        idle=pool.checkedin(),
        waiting=pool.waiting,
        timeouts=pool.timeouts,
    )
