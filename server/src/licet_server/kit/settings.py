"""The settings of the service: environment variables, each with a default that works.

An invalid value stops the service at startup, with a message that says what the variable must be.
"""

import base64
import binascii
import ipaddress
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from email.utils import parseaddr
from pathlib import Path
from typing import Literal, cast
from urllib.parse import SplitResult, unquote, urlsplit, urlunsplit
from uuid import UUID

from licet_server.kit.addresses import is_local
from licet_server.kit.database_address import Address
from licet_server.kit.emails import domain_in_ascii, is_email
from licet_server.kit.text import url_parts


class InvalidSetting(Exception):
    """A setting has a value that the service cannot use.

    The message is for the operator: the name of the setting, then `problem`.
    """

    def __init__(self, name: str, problem: str) -> None:
        super().__init__(f"{name} {problem}")
        self.name = name


SUFFIX = "_FILE"
SECRETS = (
    "DATABASE_URL",
    "LICET_ADMIN_PASSWORD",
    "LICET_MASTER_KEY",
    "LICET_METRICS_TOKEN",
    "LICET_SMTP_URL",
)
"""The settings that may be secret; for each, a variable with the suffix may name a file."""

_MOST_BYTES = 64 * 1024


def with_secret_files(given: Mapping[str, str]) -> dict[str, str]:
    """Return the variables, with the contents of the files that some of them name.

    Raises:
        InvalidSetting: for a file that cannot be read or is empty, or beside the variable itself.
    """
    found = dict(given)
    for name in SECRETS:
        path = found.pop(name + SUFFIX, None)
        if path is None:
            continue
        if name in found:
            raise InvalidSetting(name + SUFFIX, f"must not be set together with {name}.")
        found[name] = _read(name + SUFFIX, Path(path))
    return found


def _read(variable: str, path: Path) -> str:
    try:
        with path.open("rb") as file:
            text = file.read(_MOST_BYTES).decode().strip()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not text"
        raise InvalidSetting(variable, f"names a file that cannot be read: {reason}.") from None
    if not text:
        raise InvalidSetting(variable, "names a file that is empty.")
    return text


def read_storage_url(given: Mapping[str, str], name: str) -> str | None:
    """Read the URL of a store; None if the variable is not set.

    Raises:
        InvalidSetting: when it is no URL of a folder or a bucket.
    """
    text = given.get(name)
    if text is None:
        return None
    try:
        parts = urlsplit(text)
    except ValueError:
        raise _wrong_storage_url(name) from None
    is_folder = parts.scheme == "file" and not parts.netloc and len(parts.path) > 1
    is_bucket = parts.scheme in {"s3", "gs", "az"} and "@" not in parts.netloc and parts.netloc
    if not (is_folder or is_bucket) or parts.query or parts.fragment:
        raise _wrong_storage_url(name)
    return text


def _wrong_storage_url(name: str) -> InvalidSetting:
    return InvalidSetting(
        name,
        "must be file:///folder, s3://bucket/prefix, gs://bucket/prefix or az://container/prefix. "
        "Set credentials in the cloud provider's own variables, for example AWS_ACCESS_KEY_ID.",
    )


def read_backup_url(given: Mapping[str, str]) -> str | None:
    """Read the URL of the store of backups, by default that of the files, and None for `off`.

    The data folder is no default, because it is lost together with the database.
    """
    if given.get("LICET_BACKUP_URL") == "off":
        return None
    name = "LICET_BACKUP_URL" if "LICET_BACKUP_URL" in given else "LICET_STORAGE_URL"
    return read_storage_url(given, name)


def allows_http(given: Mapping[str, str]) -> bool:
    """Check whether plain HTTP is allowed: to this machine, or anywhere if the operator says so."""
    if given.get("AWS_ALLOW_HTTP", "").lower() == "true":
        return True
    local = False
    for name in ("AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT"):
        if not given.get(name, "").startswith("http://"):
            continue
        host = urlsplit(given[name]).hostname or ""
        local = is_local(host)
        stores = (given.get("LICET_STORAGE_URL", ""), given.get("LICET_BACKUP_URL", ""))
        if not local and any(url.startswith("s3:") for url in stores):
            raise InvalidSetting(
                name, "must be an https:// URL; set AWS_ALLOW_HTTP=true to allow plain HTTP."
            )
    return local


Network = ipaddress.IPv4Network | ipaddress.IPv6Network

MASTER_KEY_BYTES = 32

_GIB = 1024**3


PlanName = Literal["Free", "Pro", "Unlimited"]
"""The plan of new institutions; what a plan allows is the business of institutions."""

KEY_DAYS = 400  # for so long the idempotency key of a charge is remembered

Tls = Literal["always", "starttls", "where offered", "never"]
"""How email is encrypted: implicit TLS, STARTTLS, STARTTLS if offered, or not at all."""


@dataclass(frozen=True, slots=True)
class MailServer:
    """The SMTP server that accepts outgoing email, and the sender."""

    host: str
    port: int
    tls: Tls
    sender: str
    username: str | None = None
    password: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Situation:
    """Something to try in the demonstration, with the ID of the license or order it is about."""

    kind: str
    institution_id: UUID
    id: UUID


@dataclass(frozen=True, slots=True)
class Settings:
    """The validated settings of one instance. Secrets are left out of the repr."""

    host: str = "127.0.0.1"
    port: int = 8000
    data_dir: Path = Path("licet-data")
    workers: int | None = None
    """`None` is one per usable core."""
    shutdown_grace: int = 20
    """Seconds that requests in progress have at the stop."""
    run_as: str | None = None
    database_url: str | None = field(default=None, repr=False)
    database_wait_seconds: int = 60
    public_url: str | None = None
    admin_email: str | None = None
    admin_password: str | None = field(default=None, repr=False)
    master_keys: tuple[bytes, ...] = field(default=(), repr=False)
    trusted_proxies: tuple[Network, ...] = ()
    metrics_token: str | None = field(default=None, repr=False)
    pool_size: int = 8
    mail_server: MailServer | None = None
    signup_open: bool = False
    default_plan: PlanName = "Unlimited"
    webhooks_allow_private: bool = False
    sso_allow_private: bool = False
    storage_url: str | None = None
    storage_over_http: bool = False
    backup_url: str | None = None
    """Where backups of the embedded database go; `None` for none."""
    backup_seconds: int = 30
    backup_days: int = 7
    max_file_bytes: int = 5 * _GIB
    update_feed_url: str | None = None
    max_connections: int = 2000
    telemetry_bytes_per_day: int = 100_000_000
    heads_file: Path | None = None
    otlp_endpoint: str | None = None
    archiving: bool = True
    keep_events: int = 400  # days after which rows move to archives; likewise below
    keep_ledger: int = KEY_DAYS
    keep_sessions: int = 90
    keep_attempts: int = 400
    situations: tuple[Situation, ...] = ()
    """What home proposes to try; only the demonstration has any."""

    @property
    def key_file(self) -> Path:
        """The file of the master keys, unless they are in the environment."""
        return self.data_dir / "master.key"

    @property
    def audit_heads_file(self) -> Path:
        """Where the heads of the audit log are anchored: by default beside the data folder."""
        return self.heads_file or self.data_dir.with_name(f"{self.data_dir.name}-audit-heads.jsonl")

    @property
    def address(self) -> str:
        """The URL at which users reach the service."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return self.public_url or f"http://{host}:{self.port}"

    @property
    def base_path(self) -> str:
        """The path of the public URL, such as `/licet`; empty at the root of its host."""
        return urlsplit(self.public_url or "").path

    @property
    def is_public_over_https(self) -> bool:
        """Whether users reach the service over https, whatever a proxy says."""
        return (self.public_url or "").lower().startswith("https:")

    @property
    def is_on_own_machine(self) -> bool:
        """Whether only browsers on the same machine reach the service, as when trying it out."""
        return is_local(urlsplit(self.address).hostname or "")

    @property
    def is_behind_proxy(self) -> bool:
        """Whether the settings imply a proxy: Licet does not serve https itself.

        A proxy on the same machine connects from loopback, like a program of the operator.
        """
        if self.trusted_proxies:
            return True
        return self.public_url is not None and not self.is_on_own_machine

    @property
    def issuer(self) -> str:
        """The issuer in signed tokens: the public URL if there is one."""
        return self.public_url or "licet"


def read_settings(environment: Mapping[str, str]) -> Settings:
    """Read the settings from the environment; an empty variable counts as unset.

    A secret may come in a file, which a variable such as `LICET_MASTER_KEY_FILE` names.

    Raises:
        InvalidSetting: for the first variable with an invalid value.
    """
    given = with_secret_files(
        {name: value.strip() for name, value in environment.items() if value.strip()}
    )
    for name, text in given.items():
        if name.startswith("LICET_") or name == "DATABASE_URL":
            _require_utf8(name, text)
    email, password = given.get("LICET_ADMIN_EMAIL"), given.get("LICET_ADMIN_PASSWORD")
    if (email is None) != (password is None):
        missing = "LICET_ADMIN_PASSWORD" if password is None else "LICET_ADMIN_EMAIL"
        raise InvalidSetting(
            missing, "is missing: set LICET_ADMIN_EMAIL and LICET_ADMIN_PASSWORD together."
        )
    return Settings(
        host=given.get("LICET_HOST", "127.0.0.1"),
        port=_whole(given, "LICET_PORT", 8000, 1, 65535),
        data_dir=_data_dir(given),
        workers=_workers(given),
        shutdown_grace=_whole(given, "LICET_SHUTDOWN_GRACE", 20, 1, 3600),
        run_as=given.get("LICET_USER"),
        database_url=_database_url(given.get("DATABASE_URL")),
        database_wait_seconds=_whole(given, "LICET_DATABASE_WAIT", 60, 0, 86_400),
        public_url=_public_url(given),
        admin_email=email,
        admin_password=password,
        master_keys=_master_keys(given.get("LICET_MASTER_KEY")),
        trusted_proxies=_networks(given.get("LICET_TRUSTED_PROXIES", "")),
        metrics_token=given.get("LICET_METRICS_TOKEN"),
        pool_size=_whole(given, "LICET_POOL_SIZE", 8, 2, 64),
        mail_server=_mail_server(given.get("LICET_SMTP_URL"), given.get("LICET_MAIL_FROM")),
        signup_open=_one_of(given, "LICET_SIGNUP", "closed", "open") == "open",
        default_plan=_default_plan(given),
        webhooks_allow_private=(
            _one_of(given, "LICET_WEBHOOKS_ALLOW_PRIVATE", "false", "true") == "true"
        ),
        sso_allow_private=_one_of(given, "LICET_SSO_ALLOW_PRIVATE", "false", "true") == "true",
        storage_url=read_storage_url(given, "LICET_STORAGE_URL"),
        backup_url=read_backup_url(given),
        backup_seconds=_whole(given, "LICET_BACKUP_SECONDS", 30, 1, 3600),
        backup_days=_whole(given, "LICET_BACKUP_DAYS", 7, 1, 3650),
        storage_over_http=allows_http(given),
        max_file_bytes=_whole(given, "LICET_MAX_FILE_BYTES", 5 * _GIB, 1, 1024 * _GIB),
        update_feed_url=_update_feed_url(given.get("LICET_UPDATE_FEED_URL")),
        telemetry_bytes_per_day=_whole(
            given, "LICET_TELEMETRY_BYTES_PER_DAY", 100_000_000, 0, 10**15
        ),
        max_connections=_whole(given, "LICET_MAX_CONNECTIONS", 2000, 16, 100_000),
        heads_file=Path(given["LICET_AUDIT_HEADS"]) if "LICET_AUDIT_HEADS" in given else None,
        otlp_endpoint=_http_url(given, "LICET_OTLP_ENDPOINT", "http://127.0.0.1:4318"),
        archiving=_one_of(given, "LICET_ARCHIVING", "on", "off") == "on",
        keep_events=_whole(given, "LICET_KEEP_EVENTS", 400, 100, 36_500),
        keep_ledger=_whole(given, "LICET_KEEP_LEDGER", KEY_DAYS, KEY_DAYS, 36_500),
        keep_sessions=_whole(given, "LICET_KEEP_SESSIONS", 90, 1, 36_500),
        keep_attempts=_whole(given, "LICET_KEEP_ATTEMPTS", 400, 7, 36_500),
    )


def _require_utf8(name: str, text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise InvalidSetting(name, "must be UTF-8, and so must the folder of a path.") from None


def _data_dir(given: Mapping[str, str]) -> Path:
    name = "LICET_DATA_DIR"
    folder = Path(given.get(name, "licet-data"))
    folder = folder if folder.name else folder.absolute()  # files beside it begin with its name
    _require_utf8(name, str(folder.absolute()))
    if not folder.name:
        raise InvalidSetting(name, "must be a folder of its own, not the root.")
    try:
        folder.resolve()
    except RuntimeError:
        raise InvalidSetting(name, "leads through a symbolic link to itself.") from None
    return folder


def parse_master_key(name: str, text: str) -> bytes:
    """Decode a master key from base64.

    Raises:
        InvalidSetting: when it is not 32 bytes of base64.
    """
    try:
        key = base64.b64decode(text, validate=True)
    except binascii.Error:
        key = b""
    if len(key) != MASTER_KEY_BYTES:
        raise InvalidSetting(
            name, "must be 32 random bytes in base64 per key; `openssl rand -base64 32` prints one."
        )
    return key


def _whole(given: Mapping[str, str], name: str, default: int, low: int, high: int) -> int:
    text = given.get(name)
    if text is None:
        return default
    if not text.isascii() or not text.isdigit() or not low <= int(text[:18]) <= high:
        raise InvalidSetting(
            name, f"must be a whole number from {low} to {high}, not {text[:40]!r}."
        )
    return int(text)


def _workers(given: Mapping[str, str]) -> int | None:
    if given.get("LICET_WORKERS", "auto") == "auto":
        return None
    try:
        return _whole(given, "LICET_WORKERS", 1, 1, 64)
    except InvalidSetting as invalid:
        raise InvalidSetting(
            "LICET_WORKERS",
            f"must be auto or a whole number from 1 to 64, not {given['LICET_WORKERS'][:40]!r}.",
        ) from invalid


def _one_of(given: Mapping[str, str], name: str, default: str, *others: str) -> str:
    text = given.get(name, default)
    if text not in {default, *others}:
        words = " or ".join((default, *others))
        raise InvalidSetting(name, f"must be {words}, not {text[:40]!r}.")
    return text


def _default_plan(given: Mapping[str, str]) -> PlanName:
    text = _one_of(given, "LICET_DEFAULT_PLAN", "Unlimited", "Free", "Pro")
    return cast("PlanName", text)


def _database_url(text: str | None) -> str | None:
    if text is None:
        return None
    try:
        Address.of_url(text)
    except ValueError as error:
        raise InvalidSetting("DATABASE_URL", str(error)) from None
    return f"postgresql+asyncpg://{text.partition('://')[2]}"


def _http_url(given: Mapping[str, str], name: str, example: str) -> str | None:
    text = given.get(name)
    if text is None:
        return None
    parts = url_parts(text)
    is_http = parts is not None and parts.scheme in {"http", "https"} and parts.hostname
    if parts is None or not is_http or parts.query or parts.fragment:
        raise InvalidSetting(name, f"must be a URL, for example {example}.")
    return text.rstrip("/")


_BASE_PATH = re.compile(r"(/[A-Za-z0-9._~-]+)*")
OWN_PATHS = {"api", "assets", "health", "metrics", "ofrep"}
"""Below such a path, a proxy that strips it would send what looks like one that keeps it."""


def _public_url(given: Mapping[str, str]) -> str | None:
    """Read the URL that people use, which may have a path such as `/licet`."""
    url = _http_url(given, "LICET_PUBLIC_URL", "https://licenses.example.com")
    if url is not None and not _BASE_PATH.fullmatch(urlsplit(url).path):
        raise InvalidSetting(
            "LICET_PUBLIC_URL",
            "may have a path of letters, digits, dots, dashes, underscores and tildes only.",
        )
    if url is None:
        return None
    _check_own_address(urlsplit(url))
    return _as_browsers_name_it(url)


def _as_browsers_name_it(url: str) -> str:
    """Return a URL with the host in ASCII, as in the origin that browsers send."""
    parts = urlsplit(url)
    if parts.netloc.isascii():
        return url
    host = domain_in_ascii(parts.hostname or "")
    if not host:
        raise InvalidSetting("LICET_PUBLIC_URL", "has a host that is no internet domain.")
    return urlunsplit(parts._replace(netloc=host if parts.port is None else f"{host}:{parts.port}"))


def _check_own_address(parts: SplitResult) -> None:
    name = "LICET_PUBLIC_URL"
    if "@" in parts.netloc:
        raise InvalidSetting(name, "must not have a user name or a password: links begin with it.")
    segments = parts.path.split("/")[1:]
    if any(not segment.strip(".") for segment in segments):
        raise InvalidSetting(name, "must not have a path with `.` or `..`: browsers remove them.")
    if segments and segments[0].lower() in OWN_PATHS:
        raise InvalidSetting(
            name,
            f"must not have a path that begins with /{segments[0]}, as one of the service itself "
            "does. Choose another one, such as /licet.",
        )


def _update_feed_url(text: str | None) -> str | None:
    if text is None:
        return None
    try:
        parts = urlsplit(text)
    except ValueError:
        raise _wrong_update_feed_url() from None
    is_near = parts.scheme == "http" and is_local(parts.hostname or "")
    if not (parts.scheme == "https" or is_near) or not parts.hostname or "@" in parts.netloc:
        raise _wrong_update_feed_url()
    return text


def _wrong_update_feed_url() -> InvalidSetting:
    return InvalidSetting(
        "LICET_UPDATE_FEED_URL",
        "must be an https:// URL without a password, for example https://example.com/licet.json.",
    )


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
        raise InvalidSetting(
            "LICET_TRUSTED_PROXIES",
            "must be IP addresses or ranges separated by commas, for example 10.0.0.0/8,127.0.0.1.",
        ) from None


def _mail_server(url: str | None, sender: str | None) -> MailServer | None:
    if url is None:
        return None
    if sender is None:
        message = "is required with LICET_SMTP_URL, for example Licet <licet@example.com>."
        raise InvalidSetting("LICET_MAIL_FROM", message)
    address = parseaddr(sender)[1]
    if not sender.isprintable() or not (is_email(address) and address.isascii()):
        raise InvalidSetting(
            "LICET_MAIL_FROM",
            "must be licet@example.com or Licet <licet@example.com>, for example.",
        )
    try:
        parts = urlsplit(url)
        port = parts.port or (465 if parts.scheme == "smtps" else 587)
    except ValueError:
        raise _wrong_smtp_url() from None
    if parts.scheme not in {"smtp", "smtps"} or not parts.hostname or parts.path.strip("/"):
        raise _wrong_smtp_url()
    username = unquote(parts.username) if parts.username else None
    password = unquote(parts.password) if parts.password else None
    return MailServer(parts.hostname, port, _tls(parts), sender, username, password)


def _tls(parts: SplitResult) -> Tls:
    """Never send a password unencrypted unless the URL asks for it explicitly."""
    if parts.scheme == "smtps" and not parts.query:
        return "always"
    if parts.scheme == "smtp" and parts.query == "starttls=never":
        return "never"
    if parts.query:
        raise _wrong_smtp_url()
    return "starttls" if parts.username else "where offered"


def _wrong_smtp_url() -> InvalidSetting:
    return InvalidSetting(
        "LICET_SMTP_URL",
        "must be smtp://user:password@host:587 or smtps://user:password@host:465. Percent-encode "
        "special characters in the password (%40 for @). Add ?starttls=never to allow an "
        "unencrypted connection.",
    )
