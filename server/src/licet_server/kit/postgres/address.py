"""Where a database is and how to connect to it, in the forms that drivers and tools expect."""

import os
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Self
from urllib.parse import quote, urlencode

from sqlalchemy.engine import make_url

DEFAULT_PORT = 5432
_LIBPQ_OPTIONS = {
    "ssl": "PGSSLMODE",
    "sslmode": "PGSSLMODE",
    "sslrootcert": "PGSSLROOTCERT",
    "sslcert": "PGSSLCERT",
    "sslkey": "PGSSLKEY",
}


@dataclass(frozen=True, slots=True)
class Address:
    """A database over TCP, or over a Unix socket if `host` begins with a slash."""

    host: str
    user: str
    password: str = field(repr=False)
    database: str
    port: int = DEFAULT_PORT
    options: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of_url(cls, url: str) -> Self:
        """Parse a `DATABASE_URL`, with or without a driver in its scheme."""
        parts = make_url(url)
        query = {
            name: value if isinstance(value, str) else value[0]
            for name, value in parts.query.items()
        }
        host = parts.host or query.pop("host", "") or "localhost"
        port = int(parts.port or query.pop("port", 0) or DEFAULT_PORT)
        user = parts.username or query.pop("user", "") or os.environ.get("USER", "postgres")
        password = str(parts.password or query.pop("password", ""))
        return cls(host, user, password, parts.database or user, port, tuple(query.items()))

    @property
    def url(self) -> str:
        """The URL for SQLAlchemy with asyncpg."""
        who = f"{quote(self.user, safe='')}:{quote(self.password, safe='')}"
        query = dict(self.options)
        place = f"{self.host}:{self.port}"
        if self.host.startswith("/"):
            place = ""
            query = {"host": self.host, "port": str(self.port), **query}
        tail = f"?{urlencode(query)}" if query else ""
        return f"postgresql+asyncpg://{who}@{place}/{quote(self.database, safe='')}{tail}"

    @property
    def environment(self) -> dict[str, str]:
        """The environment for PostgreSQL's tools, so that nothing appears on a command line."""
        variables = {
            "PGHOST": self.host,
            "PGPORT": str(self.port),
            "PGUSER": self.user,
            "PGDATABASE": self.database,
            "PGCONNECT_TIMEOUT": "10",
            "PGAPPNAME": "licet",
            "PGTZ": "UTC",
        }
        if self.password:
            variables["PGPASSWORD"] = self.password
        for name, value in self.options:
            if name in _LIBPQ_OPTIONS:
                variables[_LIBPQ_OPTIONS[name]] = value
        return variables

    @property
    def socket(self) -> Path:
        """The path of the socket, if the host is a folder."""
        return Path(self.host) / f".s.PGSQL.{self.port}"

    def of_database(self, name: str) -> Self:
        """Return the address of another database on the same server."""
        return replace(self, database=name)
