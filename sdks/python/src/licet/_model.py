"""Licenses and validation results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType
from typing import Literal

from licet._status import LicenseValidationStatus
from licet.errors import LicetError

Source = Literal["file", "server", "none"]


@dataclass(frozen=True, slots=True)
class License:
    """The terms of a license, from a signed file or a signed verdict.

    Attributes:
        key: The license key; present only if read from license.bin.
        features: Names of the granted features; ``None`` means not restricted.
        expiration_date: The end of the term; ``None`` if the license does not expire.
        activation_mode: ``Online`` or ``Offline``.
    """

    id: str
    type: str
    status: str
    name: str | None = None
    issued_to: str | None = None
    issuer: str | None = None
    expiration_date: datetime | None = None
    activation_mode: str = "Online"
    max_active_users_count: int | None = None
    features: tuple[str, ...] | None = None
    metadata: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    key: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Product:
    id: str
    name: str | None = None


@dataclass(frozen=True, slots=True)
class Release:
    id: str | None = None
    version: str | None = None


@dataclass(frozen=True, slots=True)
class LicenseResult:
    """The result of a validation. Truthy if and only if the application may run.

    Attributes:
        status: The stable status; see the table in the documentation.
        message: One or two sentences to show to the user.
        warning: A problem that does not stop the application, such as a clock in the wrong time
            zone.
        source: Whether the license file or the server's verdict decided.
        checked_at: The time of the validation, by this machine's clock.
        refresh_by: When license.bin has to be refreshed.
        grace_ends_at: When the grace period of an Online license ends.
        cause: The error that prevented the check with the server, if there was one.
        server_status: The status sent by the server, if this version does not know it.
        request_id: The request ID to give to the vendor's support.
    """

    status: LicenseValidationStatus
    message: str
    source: Source = "none"
    license: License | None = None
    product: Product | None = None
    release: Release | None = None
    checked_at: datetime | None = None
    refresh_by: datetime | None = None
    grace_ends_at: datetime | None = None
    warning: str | None = None
    cause: LicetError | None = None
    server_status: str | None = None
    request_id: str | None = None

    @property
    def valid(self) -> bool:
        """Whether the application may run."""
        return self.status.valid

    @property
    def features(self) -> tuple[str, ...] | None:
        """The granted features; ``None`` if not restricted, empty if the result is not valid."""
        if not self.valid or self.license is None:
            return ()
        return self.license.features

    def has_feature(self, name: str) -> bool:
        """Whether a feature may be used now. Case-insensitive; false if the result is not valid."""
        granted = self.features
        if granted is None:
            return True
        return name.casefold() in {feature.casefold() for feature in granted}

    def __bool__(self) -> bool:
        return self.valid
