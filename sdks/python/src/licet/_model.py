"""Licenses and validation results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, TypeVar, overload
from unicodedata import normalize

from licet._license_models import LicenseStatus, LicenseType, SeatKind
from licet._licet_error import LicetError
from licet._read_only import ReadOnlyDict
from licet._status import LicenseValidationStatus

Source = Literal["file", "server", "none"]
EntitlementValue = bool | int | float | str
Value = TypeVar("Value", bool, int, float, str)


def value_or(
    value: EntitlementValue | None, default: EntitlementValue | None
) -> EntitlementValue | None:
    """The value if it is of the type of ``default``, else ``default``, if there is one.

    A whole number counts as a ``float``, too, and a flag never as a number.
    """
    if isinstance(default, float) and type(value) is int:
        return float(value)
    return value if default is None or type(value) is type(default) else default


@dataclass(frozen=True, slots=True)
class LicenseSeat:
    """The seat of this device or session, and how many of the license are taken.

    Attributes:
        kind: What takes a seat: ``None`` (seats are not counted), ``Device``, ``Session``, or
            ``Machine`` (the one that the license is bound to).
        held: Whether this device or session holds one; ``None`` if that is not known.
        used: Seats taken; ``None`` if that is not known.
        total: How many the license has; ``None`` if seats are not counted or that is not known.
    """

    kind: SeatKind
    held: bool | None = None
    used: int | None = None
    total: int | None = None


@dataclass(frozen=True, slots=True)
class License:
    """The terms of a license, from a signed file or a signed verdict.

    Attributes:
        type: The license model; one that only a newer server knows is a member without a name.
        status: The status on the server.
        key: The license key; present only if read from license.bin.
        features: Names of the granted features; ``None`` means not restricted.
        entitlements: The values of granted features by name, ``True`` for a flag; ``None`` if not
            restricted, or if the file or verdict comes from a server that does not send values.
        seat: The seat at the time of the verdict, if the server said.
        expiration_date: The end of the term and its grace; ``None`` if the license does not expire.
        updates_until: The last publication of a release that the license covers; ``None`` if no
            date limits them.
        fallback_until: The last publication of a release that it keeps after its term; ``None`` if
            it keeps none.
        in_fallback: Whether its term and grace have ended, and it is valid for what it keeps.
        test: Whether it is a license of a Test product.
        activation_mode: ``Online`` or ``Offline``.
    """

    id: str
    type: LicenseType
    status: LicenseStatus
    name: str | None = None
    issued_to: str | None = None
    issuer: str | None = None
    expiration_date: datetime | None = None
    activation_mode: str = "Online"
    max_active_users_count: int | None = None
    features: tuple[str, ...] | None = None
    metadata: Mapping[str, str] = field(default_factory=ReadOnlyDict)
    key: str | None = field(default=None, repr=False)
    entitlements: Mapping[str, EntitlementValue] | None = None
    seat: LicenseSeat | None = None
    updates_until: datetime | None = None
    fallback_until: datetime | None = None
    in_fallback: bool = False
    test: bool = False

    @property
    def covers_until(self) -> datetime | None:
        """The last publication of a release that it covers now; ``None`` if no date limits them."""
        ends = [self.updates_until, self.fallback_until if self.in_fallback else None]
        return min((end for end in ends if end is not None), default=None)

    @overload
    def entitlement(self, name: str) -> EntitlementValue | None: ...

    @overload
    def entitlement(self, name: str, default: Value) -> Value: ...

    def entitlement(
        self, name: str, default: EntitlementValue | None = None
    ) -> EntitlementValue | None:
        """The value of a feature; ``None`` if it is not granted. Case-insensitive.

        A feature without a value is ``True``. A license that is not restricted grants every
        feature, so each is ``True`` unless the license has a value for it.

        With a ``default`` the result has its type: it is the default if the feature is not granted,
        or has no value of that type.
        """
        value = self._value(name)
        return value_or(value, default)

    def _value(self, name: str) -> EntitlementValue | None:
        wanted = _folded(name)
        for feature, value in (self.entitlements or {}).items():
            if _folded(feature) == wanted:
                return value
        if self.features is None or wanted in {_folded(feature) for feature in self.features}:
            return True
        return None


def _folded(name: str) -> str:
    """A name without case, and with one form for characters that Unicode writes in several."""
    return normalize("NFC", normalize("NFC", name).casefold())


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

    >>> result = client.validate()
    >>> bool(result), result.status, result.message
    (True, <LicenseValidationStatus.Valid: 'Valid'>, 'The license is valid.')
    >>> result.has_feature("export"), result.has_feature("import"), result.entitlement("projects")
    (True, False, 5)
    >>> result.license.type == "Subscription", result.covers(result.checked_at)
    (True, True)

    Attributes:
        status: The stable status; see the table in the documentation.
        message: One or two sentences to show to the user.
        warnings: Problems that do not stop the application, such as a clock in the wrong time zone,
            or a public key that comes from a settings file.
        source: Whether the license file or the server's verdict decided.
        checked_at: The time of the validation, by this machine's clock.
        refresh_by: When license.bin has to be refreshed.
        grace_ends_at: When the grace period of an Online license ends.
        lease_ends_at: Until when this device has borrowed a seat, if it has.
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
    lease_ends_at: datetime | None = None
    warnings: tuple[str, ...] = ()
    cause: LicetError | None = None
    server_status: str | None = None
    request_id: str | None = None

    @property
    def valid(self) -> bool:
        """Whether the application may run."""
        return self.status.valid

    @property
    def warning(self) -> str | None:
        """The first of the warnings."""
        return self.warnings[0] if self.warnings else None

    @property
    def updates_until(self) -> datetime | None:
        """The last publication of a release that the license covers; ``None`` if no date limits."""
        return None if self.license is None else self.license.updates_until

    @property
    def in_fallback(self) -> bool:
        """Whether the term has ended, and the license is valid for the releases that it keeps."""
        return self.license is not None and self.license.in_fallback

    def covers(self, published_at: datetime) -> bool:
        """Whether the license covers a release that was published then, whatever its version.

        Two dates are compared, and no clock. False without a license.
        """
        if self.license is None:
            return False
        until = self.license.covers_until
        return until is None or published_at <= until

    @property
    def features(self) -> tuple[str, ...] | None:
        """The granted features; ``None`` if not restricted, empty if the result is not valid."""
        if not self.valid or self.license is None:
            return ()
        return self.license.features

    @property
    def entitlements(self) -> Mapping[str, EntitlementValue]:
        """The values of granted features by name; empty if there are none or it is not valid."""
        return (self.license.entitlements if self.valid and self.license else None) or {}

    def has_feature(self, name: str) -> bool:
        """Whether a feature may be used now. Case-insensitive; false if the result is not valid."""
        return self.entitlement(name) is not None

    @overload
    def entitlement(self, name: str) -> EntitlementValue | None: ...

    @overload
    def entitlement(self, name: str, default: Value) -> Value: ...

    def entitlement(
        self, name: str, default: EntitlementValue | None = None
    ) -> EntitlementValue | None:
        """The value of a feature, ``True`` without a value, ``None`` if it may not be used now.

        With a ``default`` the result has its type. See :meth:`licet.License.entitlement`.
        """
        value = self.license.entitlement(name) if self.valid and self.license else None
        return value_or(value, default)

    def __bool__(self) -> bool:
        return self.valid
