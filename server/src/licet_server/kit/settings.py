"""Every setting of the service: an environment variable with a default that works.

A wrong value stops the start with a sentence that names the variable and what it takes.
"""

import base64
import binascii
import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

Network = ipaddress.IPv4Network | ipaddress.IPv6Network

MASTER_KEY_BYTES = 32


class WrongSetting(Exception):
    """A setting has a value that the service cannot use; the message is for the operator."""

    def __init__(self, name: str, expectation: str) -> None:
        super().__init__(f"{name} is wrong: {expectation}")
        self.name = name


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of one instance, checked. Secrets stay out of the repr."""

    host: str = "127.0.0.1"
    port: int = 8000
    data_dir: Path = Path("licet-data")
    workers: int = 1
    database_url: str | None = field(default=None, repr=False)
    public_url: str | None = None
    admin_email: str | None = None
    admin_password: str | None = field(default=None, repr=False)
    master_keys: tuple[bytes, ...] = field(default=(), repr=False)
    trusted_proxies: tuple[Network, ...] = ()
    metrics_token: str | None = field(default=None, repr=False)
    pool_size: int = 8

    @property
    def issuer(self) -> str:
        """Who signs: the public address where there is one."""
        return self.public_url or "licet"


def read_settings(environment: Mapping[str, str]) -> Settings:
    """Settings from the environment; an empty variable counts as absent.

    Raises:
        WrongSetting: for the first variable that cannot be used.
    """
    given = {name: value.strip() for name, value in environment.items() if value.strip()}
    email, password = given.get("LICET_ADMIN_EMAIL"), given.get("LICET_ADMIN_PASSWORD")
    if (email is None) != (password is None):
        missing = "LICET_ADMIN_PASSWORD" if password is None else "LICET_ADMIN_EMAIL"
        raise WrongSetting(missing, "set LICET_ADMIN_EMAIL and LICET_ADMIN_PASSWORD together.")
    return Settings(
        host=given.get("LICET_HOST", "127.0.0.1"),
        port=_whole(given, "LICET_PORT", 8000, 1, 65535),
        data_dir=Path(given.get("LICET_DATA_DIR", "licet-data")),
        workers=_whole(given, "LICET_WORKERS", 1, 1, 64),
        database_url=_database_url(given.get("DATABASE_URL")),
        public_url=_public_url(given.get("LICET_PUBLIC_URL")),
        admin_email=email,
        admin_password=password,
        master_keys=_master_keys(given.get("LICET_MASTER_KEY")),
        trusted_proxies=_networks(given.get("LICET_TRUSTED_PROXIES", "")),
        metrics_token=given.get("LICET_METRICS_TOKEN"),
        pool_size=_whole(given, "LICET_POOL_SIZE", 8, 2, 64),
    )


def parse_master_key(name: str, text: str) -> bytes:
    """A master key from its base64 form.

    Raises:
        WrongSetting: when it is not 32 bytes of base64.
    """
    try:
        key = base64.b64decode(text, validate=True)
    except binascii.Error:
        key = b""
    if len(key) != MASTER_KEY_BYTES:
        raise WrongSetting(
            name, "each key is 32 random bytes in base64, as `openssl rand -base64 32` prints them."
        )
    return key


def _whole(given: Mapping[str, str], name: str, default: int, low: int, high: int) -> int:
    text = given.get(name)
    if text is None:
        return default
    if not text.isascii() or not text.isdigit() or not low <= int(text[:9]) <= high:
        raise WrongSetting(
            name, f"it takes a whole number from {low} to {high}, not {text[:40]!r}."
        )
    return int(text)


def _database_url(text: str | None) -> str | None:
    if text is None:
        return None
    scheme, _, rest = text.partition("://")
    if scheme not in {"postgres", "postgresql", "postgresql+asyncpg"} or not rest:
        raise WrongSetting(
            "DATABASE_URL", "it takes postgresql://user:password@host:5432/database."
        )
    return f"postgresql+asyncpg://{rest}"


def _public_url(text: str | None) -> str | None:
    if text is None:
        return None
    parts = urlsplit(text)
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.query or parts.fragment:
        raise WrongSetting(
            "LICET_PUBLIC_URL", "it takes an address such as https://licenses.example.com."
        )
    return text.rstrip("/")


def _master_keys(text: str | None) -> tuple[bytes, ...]:
    if text is None:
        return ()
    return tuple(parse_master_key("LICET_MASTER_KEY", part.strip()) for part in text.split(","))


def _networks(text: str) -> tuple[Network, ...]:
    try:
        return tuple(
            ipaddress.ip_network(part.strip(), strict=False)
            for part in text.split(",")
            if part.strip()
        )
    except ValueError:
        raise WrongSetting(
            "LICET_TRUSTED_PROXIES",
            "it takes addresses or ranges with commas between them, such as 10.0.0.0/8,127.0.0.1.",
        ) from None
