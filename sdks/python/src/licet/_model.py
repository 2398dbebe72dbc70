"""What a license says, and the result of a validation."""

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
        key: The license key; only license.bin carries it.
        features: Names of the features granted; ``None`` means that nothing is restricted.
        expiration_date: The end of the term; ``None`` means no end.
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
    """A verdict. True in a condition exactly when the application may run.

    Attributes:
        status: The stable reason; see the table in the documentation.
        message: One or two sentences that may be shown to the user.
        warning: Something to put right that does not stop the application, such as a clock that
            runs in the wrong time zone.
        source: Whether the signed file or the signed answer of the server decided.
        checked_at: When it was decided, by this machine's clock.
        refresh_by: When license.bin must have been refreshed.
        grace_ends_at: Until when the file carries an Online license without the server.
        cause: Why the server could not be asked, where it was tried and failed.
        server_status: The server's own word, where this version does not know it.
        request_id: What to quote to the vendor's support.
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
        """The features granted; ``None`` when nothing is restricted, empty when invalid."""
        if not self.valid or self.license is None:
            return ()
        return self.license.features

    def has_feature(self, name: str) -> bool:
        """Whether a feature may be used now. Case does not matter; never true when invalid."""
        granted = self.features
        if granted is None:
            return True
        return name.casefold() in {feature.casefold() for feature in granted}

    def __bool__(self) -> bool:
        return self.valid
