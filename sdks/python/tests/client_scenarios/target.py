"""What the suite requires of a server: a vendor with a product, and the runtime API."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any, Protocol

from licet import LicenseClient, Transport


@dataclass(frozen=True)
class Target:
    """A product on a running server, as configured in an application."""

    base_url: str
    api_key: str
    product_id: str
    public_key: str
    transport: Transport | None = None
    clock: Callable[[], datetime] | None = None

    def client(self, folder: Path, license_key: str | None, **options: Any) -> LicenseClient:
        given = {
            "product_id": self.product_id,
            "public_key": self.public_key,
            "api_key": self.api_key,
            "server_base_endpoint": self.base_url,
            "license_key": license_key,
            "license_file": folder / "license.bin",
            "clock": self.clock,
            **options,
        }
        return LicenseClient(transport=self.transport, **given)


@dataclass(frozen=True)
class ApiResponse:
    """A response of a runtime route. ``content`` is ``None`` if the body was empty.

    Fractions in ``content`` are decimals.
    """

    status: int
    headers: Mapping[str, str] = field(repr=False)
    content: Any

    @property
    def code(self) -> str:
        return str(self.content["errorCode"])


class Device(Protocol):
    @property
    def id(self) -> str: ...
    @property
    def hardware_id(self) -> str: ...
    @property
    def status(self) -> str: ...
    def approve(self) -> None: ...
    def block(self) -> None: ...
    def unblock(self) -> None: ...
    @property
    def seat_free_at(self) -> datetime | None: ...
    def deactivate(self, *, force: bool = False) -> None: ...


class Session(Protocol):
    @property
    def id(self) -> str: ...
    @property
    def hardware_id(self) -> str: ...
    @property
    def instance_id(self) -> str | None: ...
    def disconnect(self) -> None: ...


class Attempt(Protocol):
    @property
    def hardware_id(self) -> str: ...
    @property
    def bound_hardware_id(self) -> str: ...
    @property
    def entry_point(self) -> str: ...
    @property
    def count(self) -> int: ...


class LedgerEntry(Protocol):
    @property
    def id(self) -> str: ...
    @property
    def type(self) -> str: ...
    @property
    def amount(self) -> Decimal: ...
    @property
    def balance_after(self) -> Decimal: ...
    @property
    def sequence(self) -> int: ...
    @property
    def feature_name(self) -> str | None: ...
    @property
    def quantity(self) -> int | None: ...
    @property
    def unit_price(self) -> Decimal | None: ...
    @property
    def reason(self) -> str | None: ...
    @property
    def external_reference(self) -> str | None: ...
    @property
    def idempotency_key(self) -> str | None: ...
    @property
    def activation_id(self) -> str | None: ...


class License(Protocol):
    """A license from the vendor's side."""

    seats: int | None

    @property
    def id(self) -> str: ...
    @property
    def key(self) -> str: ...
    @property
    def devices(self) -> Sequence[Device]: ...
    @property
    def sessions(self) -> Sequence[Session]: ...
    @property
    def access_attempts(self) -> Sequence[Attempt]: ...
    @property
    def balance(self) -> Decimal: ...
    @property
    def ledger(self) -> Sequence[LedgerEntry]:
        """Newest first."""
        ...

    def grant(
        self,
        amount: Decimal | int,
        *,
        reason: str | None = None,
        external_reference: str | None = None,
    ) -> None: ...
    def adjust(self, amount: Decimal | int, reason: str) -> None: ...
    def enrollment_key(self, *, max_devices: int | None = None) -> str:
        """Create an enrollment key, and return its secret."""
        ...

    def revoke(self) -> None: ...
    def suspend(self) -> None: ...
    def reinstate(self) -> None: ...
    def file(self, hardware_id: str | None = None, *, protected: bool = False) -> str: ...


class Vendor(Protocol):
    """A vendor with one product, with release 2.1.0 and default settings."""

    @property
    def target(self) -> Target: ...

    def issue(self, model: str, **terms: Any) -> License:
        """Issue a license. Terms: seats, expires (a duration), activation_mode, binding_mode,
        username, password, features, metadata, license_key, initial_meter_balance."""
        ...

    def set_price(self, feature: str, token_cost: Decimal | int) -> None:
        """Set the price of one use of a feature in tokens; creates the feature if necessary."""
        ...

    def publish(
        self,
        version: str,
        files: Mapping[str, bytes] | None = None,
        *,
        channel: str = "Stable",
        platform: str | None = None,
    ) -> None:
        """Publish a release with these files."""
        ...

    def yank(self, version: str) -> None:
        """Yank a release."""
        ...

    def call(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        headers: Mapping[str, str] | None = None,
        raw: bytes | None = None,
    ) -> ApiResponse:
        """Call a runtime route with the product key.

        ``headers`` replace the default headers; ``raw`` replaces the JSON body.
        """
        ...

    def another_product(self) -> Vendor:
        """The API of this vendor with another product."""
        ...

    def with_short_sessions(self, interval: int = 1, timeout: int = 3) -> Vendor:
        """Another product, with this interval and timeout in seconds, and no spacing."""
        ...

    def with_app_releases(self, a_year: int) -> Vendor:
        """Another product, whose applications may release so many devices of a license a year."""
        ...

    def wait(self, seconds: float) -> None:
        """Wait until this much time has passed on the server."""
        ...
