"""Client configuration, validated once and then immutable."""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict
from unicodedata import category
from urllib.parse import urlsplit

from licet._addresses import is_protected_address
from licet._clock import Clock, system_clock
from licet._keys import MIN_PROTECTION_KEY_LENGTH, normal_form
from licet._places import Places, find_places
from licet._public_key import PublicKey
from licet._settings import FILE_NAMES, NO_SETTINGS, SettingsFile, application_folder
from licet._trust import ceiling_warnings, grace_period, merge, trust_warnings, trusted_keys
from licet.errors import ConfigurationError

if TYPE_CHECKING:
    import ssl

DEFAULT_TIMEOUT = 10.0
ENROLLMENT_VARIABLE = "LICET_ENROLLMENT_KEY"
_CONTROL = frozenset({"Cc", "Cs"})
MAX_LABEL_LENGTH, MAX_VERSION_LENGTH = 256, 100
_UNPROTECTED = (
    f"ProtectFile is off: a license key with fewer than {MIN_PROTECTION_KEY_LENGTH} characters "
    "cannot protect a license file."
)

_log = logging.getLogger("licet")


class SeatMode(StrEnum):
    """How ``open()`` takes the seat of a device: see :meth:`licet.LicenseClient.seat`."""

    Auto = "Auto"
    Activation = "Activation"
    Session = "Session"


class ClientOptions(TypedDict, total=False):
    """The keyword arguments of both clients. The product ID and a public key are required."""

    product_id: str
    """The product's ID; required."""
    public_key: str | bytes | None
    """The product's RSA public key, PEM or Base64, at least 2048 bits; required, unless
    ``public_keys`` names several.
    """
    public_keys: Sequence[str | bytes] | None
    """Several public keys instead, for example one whose private key is kept offline until the
    other has to be replaced; none by default.
    """
    license_key: str | None
    """The customer's license key, in any spelling; none by default."""
    enrollment_key: str | None
    """An enrollment key (``licet_ek_...``), by which a machine gets a seat without a license key;
    by default what the environment variable LICET_ENROLLMENT_KEY says. A license key wins.
    """
    api_key: str | None
    """The product key (``pk_...``); required to contact the server."""
    server_base_endpoint: str | None
    """The server's address, ending in ``/api``; required to contact the server."""
    license_file: str | Path | None
    """The path of license.bin, of one license key; by default the newest one of the key in
    ``state_folder``, else in the data folder of the user, or next to the application.
    """
    state_folder: str | Path | None
    """The folder for this machine's state, which clients with other license keys may share;
    by default the folder of ``license_file`` if it is given, can be written to and is not open to
    all users, otherwise the data folder of the user.
    """
    all_users: bool | None
    """Whether license.bin is in the data folder of all users of this machine, which an installer
    has to create, instead of the one of this user; off by default.
    """
    app_version: str | None
    """The application's version, compared with the license's release; by default none is."""
    app_released_at: datetime | None
    """When this release of the application was published, with a time zone: a constant of its
    build, which is compared with the license's ``updates_until``, and after its term with
    ``fallback_until``. An update whose version cannot be compared with ``app_version`` must have
    been published later. Unknown by default.
    """
    grace_period: timedelta | None
    """How long an Online license stays valid without the server; 7 days by default."""
    max_grace_period: timedelta | None
    """The longest grace period that a settings file may ask for; by default any, with a warning
    above 7 days.
    """
    trust_settings: bool | None
    """Whether a settings file alone may name the public key or extend the grace period, with a
    warning; on by default.
    """
    device_name: str | None
    """A name of this machine, shown to the vendor; none by default."""
    hardware_id: str | None
    """1 to 256 characters in place of the hardware ID that is detected by default."""
    ci_hardware_id: bool | None
    """Whether the jobs of a CI project share a hardware ID, which anybody can pretend by an
    environment variable; on by default.
    """
    username: str | None
    """The user name, for licenses with credentials; none by default."""
    password: str | None
    """The password, for licenses with credentials; none by default."""
    timeout: float | None
    """Seconds for a call with all its attempts and pauses; 10 by default. A start that could do
    without the server waits 2 seconds at most, a charge twice the timeout.
    """
    retries: bool | None
    """Whether a call that failed is tried again while it has time; on by default."""
    protect_file: bool | None
    """Request the protected form of license.bin; by default the form of the current file."""
    verify: ssl.SSLContext | str | Path | None
    """A PEM bundle of additional certificate authorities, or an ``ssl.SSLContext``; none by
    default.
    """
    trust_env: bool | None
    """Whether to use HTTPS_PROXY and similar variables; on by default."""
    clock: Clock | None
    """Returns the time with a time zone; by default that of the system clock."""
    seat_mode: SeatMode | str | None
    """How ``open()`` takes the seat of a device, a :class:`licet.SeatMode` or its name; Auto by
    default.
    """
    handle_sigterm: bool | None
    """Whether SIGTERM and SIGHUP release the seats of open sessions; on by default. The
    application's own handlers are never replaced.
    """
    test_mode: bool | None
    """Whether licenses of Test products are accepted, which are ``TestLicense`` otherwise; off by
    default. For the application's own tests, never in what is shipped.
    """
    telemetry: bool | None
    """Whether ``track()`` sends events to the vendor; off by default."""


@dataclass(frozen=True, slots=True)
class Config:
    """A complete, consistent configuration. Secrets are omitted from ``repr``.

    Attributes:
        key_fault: Why the license key that is given cannot be one; then ``normal_key`` is ``None``.
        enrollment_key: The enrollment key, unless a license key is given.
        places: Where license.bin and the state are.
        warnings: What the settings file says that only the code should.
        authorities_named_in_code: Whether the code names certificate authorities, to which the
            environment then adds none.
    """

    product_id: str
    public_keys: tuple[PublicKey, ...]
    normal_key: str | None = field(repr=False)
    key_fault: str | None
    enrollment_key: str | None = field(repr=False)
    api_key: str | None = field(repr=False)
    endpoint: str | None
    places: Places
    app_version: str | None
    app_released_at: datetime | None
    grace: timedelta
    device_name: str | None
    hardware_id: str | None = field(repr=False)
    username: str | None = field(repr=False)
    password: str | None = field(repr=False)
    timeout: float
    retries: bool
    protect_file: bool | None
    verify: ssl.SSLContext | str | Path | None
    trust_env: bool
    clock: Clock
    seat_mode: SeatMode
    handle_sigterm: bool
    telemetry: bool
    warnings: tuple[str, ...] = ()
    authorities_named_in_code: bool = False
    ci_hardware_id: bool = True
    test_mode: bool = False

    @property
    def license_file(self) -> Path:
        """Where license.bin is stored, for all that the code says."""
        return self.places.file_of(self.place_key)

    @property
    def state_folder(self) -> Path:
        """Where this machine's state is stored."""
        return self.places.state_folder

    @property
    def place_key(self) -> str | None:
        """What tells the files of this client from those of others in its folder.

        Tokens change, so a machine that enrolls has files of its enrollment key.
        """
        return self.normal_key or self.enrollment_key

    def file_of(self, key: str) -> Path:
        """Where the license.bin of a license key is stored."""
        return self.places.file_of(self.place_key or key)

    @property
    def has_server(self) -> bool:
        """Whether the server can be contacted."""
        return self.endpoint is not None and self.api_key is not None


def make_config(
    options: Mapping[str, Any],
    settings: SettingsFile = NO_SETTINGS,
    folder: Path | None = None,
) -> Config:
    """Validate the options of the code and of a settings file, and apply the defaults.

    Raises:
        ConfigurationError: An option is missing or invalid.
        TypeError: An option is unknown.
    """
    unknown = set(options) - set(ClientOptions.__annotations__)
    if unknown:
        raise TypeError(f"unknown options: {', '.join(sorted(unknown))}")
    given = merge(options, settings)
    product_id = _product_id(given, settings)
    places = find_places(given, product_id, folder or application_folder())
    normal_key, key_fault = _license_key(given.get("license_key"))
    protect_file = given.get("protect_file")
    unprotected = bool(protect_file and normal_key and len(normal_key) < MIN_PROTECTION_KEY_LENGTH)
    grace = grace_period(options, settings)
    config = Config(
        product_id=product_id,
        public_keys=trusted_keys(given),
        normal_key=normal_key,
        key_fault=key_fault,
        enrollment_key=_enrollment_key(given),
        api_key=_header_value("ProductApiKey", given.get("api_key")),
        endpoint=check_endpoint(given.get("server_base_endpoint")),
        places=places,
        app_version=as_label("AppVersion", given.get("app_version"), MAX_VERSION_LENGTH),
        app_released_at=_released_at(given.get("app_released_at")),
        grace=grace,
        device_name=as_label("DeviceName", given.get("device_name")),
        hardware_id=_hardware_id(given.get("hardware_id")),
        username=as_label("username", given.get("username")),
        password=_password(given.get("password")),
        timeout=_timeout(given.get("timeout", DEFAULT_TIMEOUT)),
        retries=given.get("retries", True) is not False,
        protect_file=False if unprotected else protect_file,
        verify=_verify(given.get("verify")),
        trust_env=given.get("trust_env", True),
        clock=given.get("clock", system_clock),
        seat_mode=_seat_mode(given.get("seat_mode", SeatMode.Auto)),
        handle_sigterm=given.get("handle_sigterm", True),
        telemetry=given.get("telemetry", False) is True,
        warnings=(
            *trust_warnings(options, settings),
            *ceiling_warnings(grace, settings, options),
            *([_UNPROTECTED] if unprotected else []),
        ),
        authorities_named_in_code=options.get("verify") is not None,
        ci_hardware_id=given.get("ci_hardware_id", True) is not False,
        test_mode=options.get("test_mode") is True,
    )
    for warning in config.warnings:
        _log.warning("%s", warning)
    return config


def _license_key(given: object) -> tuple[str | None, str | None]:
    """The normal form of the key that is given, or why it has none: what people enter."""
    if given is None:
        return None, None
    try:
        return normal_form(_string("LicenseKey", given)), None
    except ConfigurationError as fault:
        if not isinstance(given, str):
            raise
        return None, fault.message


def _enrollment_key(given: Mapping[str, Any]) -> str | None:
    """The enrollment key of the options or the environment, unless there is a license key."""
    if given.get("license_key") is not None:
        return None
    named = _optional_string("EnrollmentKey", given.get("enrollment_key")) or ""
    text = named.strip() or os.environ.get(ENROLLMENT_VARIABLE, "").strip()
    # What is no ASCII is no key, and is refused by the server.
    return text.encode("ascii", "replace").decode("ascii") or None


def _released_at(value: object) -> datetime | None:
    if value is None or (isinstance(value, datetime) and value.tzinfo is not None):
        return value
    raise ConfigurationError("app_released_at must be a datetime with a time zone.")


def check_endpoint(value: object) -> str | None:
    """Return the server's address without a trailing slash.

    Raises:
        ConfigurationError: The address is not an absolute URL that ends in ``/api``.
    """
    if value is None:
        return None
    text = _string("ServerBaseEndpoint", value).strip().removesuffix("/")
    try:
        parts = urlsplit(text)
        usable = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable or "?" in text or "#" in text or any(sign.isspace() for sign in text):
        raise ConfigurationError(
            "ServerBaseEndpoint must be an absolute URL that ends in /api, for example "
            f"https://licenses.example.com/api. It is {text[:200]!r}."
        )
    if "@" in parts.netloc:
        raise ConfigurationError(
            "ServerBaseEndpoint must not contain a user name or password. Remove them; it must be "
            "an absolute URL that ends in /api."
        )
    if not parts.path.casefold().endswith("/api"):
        raise ConfigurationError(
            f"ServerBaseEndpoint must end in /api. It is {text[:200]!r}; try {_with_api(text)!r}."
        )
    if not is_protected_address(text):
        raise ConfigurationError(
            f"ServerBaseEndpoint must use https: {parts.hostname} is not this computer, and "
            "anybody on the way could read and change what http carries."
        )
    return text


def _with_api(text: str) -> str:
    """An address that ends in ``/api``: cut off behind it, or with it added."""
    found = re.match(r"(?i)(.*?//[^/]+(?:/.*?)?/api)(?:/|$)", text[:200])
    return found[1] if found else f"{text[:200]}/api"


def _product_id(given: Mapping[str, Any], settings: SettingsFile) -> str:
    value = given.get("product_id")
    if value is None or value == "":
        raise ConfigurationError(
            "ProductId is missing. Pass product_id=... in the application's code; the product's "
            f"page in the dashboard shows it.{_unread_settings(settings)}"
        )
    if not isinstance(value, str) or not value.strip():
        raise ConfigurationError("ProductId must be a string, not empty.")
    return value


def _unread_settings(settings: SettingsFile) -> str:
    """A sentence about a settings file that this client does not read."""
    if settings is not NO_SETTINGS:
        return ""
    names = [name for name in FILE_NAMES if (application_folder() / name).is_file()]
    if not names:
        return ""
    return f" LicenseClient.from_settings() reads {names[0]}; the constructor does not."


def _string(label: str, value: object) -> str:
    if not isinstance(value, str):
        raise ConfigurationError(f"{label} must be a string, not {type(value).__name__}.")
    return value


def _optional_string(label: str, value: object) -> str | None:
    return None if value is None else _string(label, value)


def as_label(label: str, value: object, length: int = MAX_LABEL_LENGTH) -> str | None:
    """A text that only has to be shown: without what cannot be sent, and cut."""
    text = _string(label, value) if value is not None else ""
    shown = "".join(" " if category(sign) in _CONTROL else sign for sign in text)
    return shown.strip()[:length] or None


def _password(value: object) -> str | None:
    if value is None:
        return None
    if value == (as_label("password", value) or ""):
        return str(value)
    raise ConfigurationError(
        f"password must not have blanks around it, line breaks, or more than {MAX_LABEL_LENGTH} "
        "characters. Enter it again."
    )


def _header_value(label: str, value: object) -> str | None:
    if value is None:
        return None
    text = _string(label, value).strip()
    if not text or not text.isascii() or not text.isprintable():
        raise ConfigurationError(
            f"{label} is empty or contains characters that are not allowed. Copy it again from "
            "the product's page in the dashboard."
        )
    return text


def _timeout(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= 600:
        raise ConfigurationError("TimeoutSeconds must be more than 0 and at most 600 seconds.")
    return float(value)


def _hardware_id(value: object) -> str | None:
    if value is None:
        return None
    text = _string("hardware_id", value)
    if not 1 <= len(text) <= 256 or not text.isprintable():
        raise ConfigurationError("hardware_id must have 1 to 256 printable characters.")
    return text


def _seat_mode(value: object) -> SeatMode:
    requested = _string("SeatMode", value).casefold()
    found = next((mode for mode in SeatMode if mode.casefold() == requested), None)
    if found is None:
        raise ConfigurationError(f"SeatMode must be one of {', '.join(SeatMode)}.")
    return found


def _verify(value: object) -> Any:
    if value is True:
        return None
    if value is False:
        raise ConfigurationError(
            "verify must be a PEM bundle or an ssl.SSLContext; certificate verification cannot be "
            "turned off."
        )
    return value
