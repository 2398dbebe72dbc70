"""Where a database is and how to connect to it, in the forms that drivers and tools expect."""

import os
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Self
from urllib.parse import quote, unquote, urlencode

DEFAULT_PORT = 5432
SCHEMES = ("postgres", "postgresql", "postgresql+asyncpg")
FOR_BOTH = {
    "krbsrvname": "PGKRBSRVNAME",
    "passfile": "PGPASSFILE",
    "service": "PGSERVICE",
    "ssl_max_protocol_version": "PGSSLMAXPROTOCOLVERSION",
    "ssl_min_protocol_version": "PGSSLMINPROTOCOLVERSION",
    "sslcert": "PGSSLCERT",
    "sslcrl": "PGSSLCRL",
    "sslkey": "PGSSLKEY",
    "sslmode": "PGSSLMODE",
    "sslnegotiation": "PGSSLNEGOTIATION",
    "sslrootcert": "PGSSLROOTCERT",
    "target_session_attrs": "PGTARGETSESSIONATTRS",
}
"""Options that the driver takes as they are, and the variables of PostgreSQL's tools for them."""
_FOR_TOOLS = {
    **FOR_BOTH,
    "application_name": "PGAPPNAME",
    "channel_binding": "PGCHANNELBINDING",
    "connect_timeout": "PGCONNECT_TIMEOUT",
    "gssencmode": "PGGSSENCMODE",
    "load_balance_hosts": "PGLOADBALANCEHOSTS",
    "options": "PGOPTIONS",
    "sslsni": "PGSSLSNI",
}
_WITHOUT_EFFECT = {
    "client_encoding",
    "command_timeout",
    "fallback_application_name",
    "keepalives",
    "keepalives_count",
    "keepalives_idle",
    "keepalives_interval",
    "sslcompression",
    "sslpassword",
    "tcp_user_timeout",
}
"""Options that are accepted because a URL of another program may have them."""
_POOLED = "pgbouncer"
"""The option of a URL that leads to PgBouncer, as other programs have it."""
_DISTRIBUTED = "distributed"
"""Our option of a URL that leads to a database spread by institution."""
_PLACE = {"dbname", "host", "password", "port", "user"}


@dataclass(frozen=True, slots=True)
class Address:
    """A database over TCP, or over a Unix socket if `host` begins with a slash.

    `others` are more servers, with their ports, that are tried when the first is not available.
    """

    host: str
    user: str
    password: str = field(repr=False)
    database: str
    port: int = DEFAULT_PORT
    options: tuple[tuple[str, str], ...] = ()
    others: tuple[tuple[str, int], ...] = ()

    @classmethod
    def of_url(cls, url: str) -> Self:
        """Parse a `DATABASE_URL` in any form of libpq, with or without a driver in its scheme.

        Raises:
            ValueError: for a URL that no server could be found with; the message says why.
        """
        scheme, separator, rest = url.partition("://")
        if scheme not in SCHEMES or not separator or not rest:
            raise ValueError("must be of the form postgresql://user:password@host:5432/database.")
        rest, _, tail = rest.partition("?")
        options = _options(tail)
        authority, _, path = rest.partition("/")
        who, _, place = authority.rpartition("@")
        name, _, secret = who.partition(":")
        [first, *others] = _servers(place, options)
        user = unquote(name) or options.pop("user", "") or os.environ.get("USER", "postgres")
        password = unquote(secret) or options.pop("password", "")
        database = unquote(path) or options.pop("dbname", "") or user
        kept = tuple((key, value) for key, value in options.items() if key not in _PLACE)
        return cls(first[0], user, password, database, first[1], kept, tuple(others))

    @property
    def servers(self) -> tuple[tuple[str, int], ...]:
        """Every host or folder of a socket, with its port, in the order to try."""
        return ((self.host, self.port), *self.others)

    @property
    def is_pooled(self) -> bool:
        """Whether PgBouncer is in between, where each transaction may have another connection."""
        return dict(self.options).get(_POOLED) == "true"

    @property
    def is_distributed(self) -> bool:
        """Whether the database is spread over several nodes by institution."""
        return dict(self.options).get(_DISTRIBUTED) == "true"

    @property
    def url(self) -> str:
        """The URL for SQLAlchemy with asyncpg."""
        who = f"{quote(self.user, safe='')}:{quote(self.password, safe='')}"
        query = dict(self.options)
        place = ",".join(f"{_in_url(host)}:{port}" for host, port in self.servers)
        if any(host.startswith("/") for host, _ in self.servers):
            place = ""
            hosts, ports = zip(*self.servers, strict=True)
            query = {"host": ",".join(hosts), "port": ",".join(map(str, ports)), **query}
        tail = f"?{urlencode(query, quote_via=quote)}" if query else ""
        return f"postgresql+asyncpg://{who}@{place}/{quote(self.database, safe='')}{tail}"

    @property
    def environment(self) -> dict[str, str]:
        """The environment for PostgreSQL's tools, so that nothing appears on a command line."""
        hosts, ports = zip(*self.servers, strict=True)
        variables = {
            "PGHOST": ",".join(hosts),
            "PGPORT": ",".join(map(str, ports)),
            "PGUSER": self.user,
            "PGDATABASE": self.database,
            "PGCONNECT_TIMEOUT": "10",
            "PGAPPNAME": "licet",
            "PGTZ": "UTC",
        }
        if self.password:
            variables["PGPASSWORD"] = self.password
        for name, value in self.options:
            if name in _FOR_TOOLS:
                variables[_FOR_TOOLS[name]] = value
        if self.is_distributed:  # tools see tables, and not the shards that a node holds of them
            given = variables.get("PGOPTIONS", "")
            variables["PGOPTIONS"] = f"{given} -c citus.override_table_visibility=on".lstrip()
        return variables

    @property
    def socket(self) -> Path:
        """The path of the socket, if the host is a folder."""
        return Path(self.host) / f".s.PGSQL.{self.port}"

    def of_database(self, name: str) -> Self:
        """Return the address of another database on the same server."""
        return replace(self, database=name)


def _options(tail: str) -> dict[str, str]:
    options: dict[str, str] = {}
    for part in filter(None, tail.split("&")):
        name, separator, value = part.partition("=")
        name = {"ssl": "sslmode"}.get(unquote(name), unquote(name))
        if not separator or name not in {
            *_FOR_TOOLS,
            *_WITHOUT_EFFECT,
            *_PLACE,
            _POOLED,
            _DISTRIBUTED,
        }:
            raise ValueError(f"has the option {name!r}, which is not one of PostgreSQL's.")
        options[name] = unquote(value)
    if not options.get("connect_timeout", "0").isdecimal():
        raise ValueError("has a connect_timeout that is not a whole number of seconds.")
    return options


def _servers(place: str, options: dict[str, str]) -> Iterator[tuple[str, int]]:
    found = [_split(part) for part in place.split(",")] if place else []
    if "host" in options:
        found = [(host, "") for host in options["host"].split(",")]
    hosts = [host or "localhost" for host, _ in found] or ["localhost"]
    ports = [port for _, port in found] or [""]
    if "port" in options:
        given = options["port"].split(",")
        ports = given * len(hosts) if len(given) == 1 else given
    if len(ports) != len(hosts):
        raise ValueError(f"has {len(hosts)} hosts but {len(ports)} ports.")
    for host, port in zip(hosts, ports, strict=True):
        if port and not (port.isdecimal() and 0 < int(port) < 65536):
            raise ValueError(f"has the port {port!r}, which is not a number from 1 to 65535.")
        yield host, int(port or DEFAULT_PORT)


def _split(server: str) -> tuple[str, str]:
    """Split `host`, `host:port`, `[address]:port` or a percent-encoded folder."""
    if server.startswith("["):
        host, bracket, port = server[1:].partition("]")
        if not bracket or (port and not port.startswith(":")):
            raise ValueError("has an IPv6 address without its closing bracket.")
        return unquote(host), port[1:]
    host, _, port = server.partition(":")
    return unquote(host), unquote(port)


def _in_url(host: str) -> str:
    return f"[{host}]" if ":" in host else quote(host, safe="")
