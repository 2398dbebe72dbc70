"""The fake server's interface for tests."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Literal, Unpack

from licet._async_client import AsyncLicenseClient
from licet._client import LicenseClient
from licet._clock import Clock, system_clock
from licet._config import ClientOptions
from licet._license_models import Model
from licet.testing._clock import FakeClock
from licet.testing._http_server import serve
from licet.testing._issue import LicenseDraft, Terms, make_license
from licet.testing._keys import make_product_keys, shared_product_keys
from licet.testing._network import (
    AsyncFakeTransport,
    FakeTransport,
    Fault,
    Network,
    NetworkFault,
    RecordedRequest,
    ResponseFault,
)
from licet.testing._operator import FakeLicense
from licet.testing._router import PREFIX
from licet.testing._state import (
    Coverage,
    DeviceSettings,
    Price,
    Product,
    PublishedRelease,
    State,
    TrackedEvent,
    new_id,
)
from licet.testing._updates import make_release_file
from licet.testing._wallet import MAX_PRICE, Amount, positive_amount

Mode = Literal["Live", "Test"]
HARDWARE_ID = "test-machine"
BASE_URL = f"https://licet.test{PREFIX}"


class FakeServer:
    """A license server with one product, in process and without a socket.

    Its clock runs with the system clock and is moved forward by :meth:`advance`. It is safe to
    share between threads and does not have to be closed.

    Args:
        product_name: The name of the product.
        mode: ``Test`` for a Test product, whose licenses only clients in test mode accept.
        release_version: The version of the release that licenses cover.
        heartbeat_interval_seconds: The interval sent to clients. Unlike on a real server, fractions
            of a second are allowed, to keep session tests fast.
        session_timeout_seconds: Seconds without a heartbeat after which a session ends; at least
            twice the interval.
        heartbeat_spacing_seconds: The minimum time between heartbeats; earlier ones are
            RateLimited. By default 5 seconds, or half the interval if that is shorter.
        file_lifetime: How long a license.bin is valid before it has to be refreshed; by default
            until the license expires.
        downloads_need_license: Whether updates require an active license.
        trial_once_per_device: Whether a device may use one Trial only.
        device_idle_days: After how many days unseen a device gives its seat to a new one.
        app_device_release: Whether applications may release other devices of a Concurrent license.
        app_releases_per_year: How many devices of a license they may release a year.
        hardware_id_kinds: The letters of the hardware IDs that are accepted. By default all, and
            for NodeLocked licenses neither that of a CI project nor that of a host name.
        clock: Replaces the system clock; returns a time with a time zone.

    Raises:
        ValueError: The interval, timeout and spacing contradict each other.
    """

    def __init__(
        self,
        *,
        product_name: str = "Test product",
        mode: Mode = "Live",
        release_version: str = "1.0.0",
        heartbeat_interval_seconds: float = 30,
        session_timeout_seconds: float = 90,
        heartbeat_spacing_seconds: float | None = None,
        file_lifetime: timedelta | None = None,
        downloads_need_license: bool = False,
        trial_once_per_device: bool = False,
        device_idle_days: int | None = None,
        app_device_release: bool = False,
        app_releases_per_year: int = 3,
        hardware_id_kinds: Collection[str] | None = None,
        clock: Clock = system_clock,
    ) -> None:
        interval, timeout = heartbeat_interval_seconds, session_timeout_seconds
        spacing = heartbeat_spacing_seconds
        if spacing is None:
            spacing = min(5, interval / 2)
        if interval <= 0 or timeout < 2 * interval or not 0 <= spacing <= interval:
            raise ValueError(
                "the interval must be more than 0, the timeout at least twice the interval, and "
                "the spacing at most the interval"
            )
        self._clock = FakeClock(clock)
        is_test = mode == "Test"
        product = Product(
            id=new_id(self.now),
            institution_id=new_id(self.now),
            name=product_name,
            test=is_test,
            api_key=f"pk_{'test_' if is_test else ''}{secrets.token_hex(24)}",
            release_id=new_id(self.now),
            release_version=release_version,
            heartbeat_interval=timedelta(seconds=interval),
            session_timeout=timedelta(seconds=timeout),
            heartbeat_spacing=timedelta(seconds=spacing),
            file_lifetime=file_lifetime,
        )
        self._state = State(product, shared_product_keys(), self._clock)
        self._state.downloads_need_license = downloads_need_license
        kinds = None if hardware_id_kinds is None else frozenset(hardware_id_kinds)
        self._state.devices = DeviceSettings(
            trial_once_per_device,
            device_idle_days,
            kinds,
            app_device_release,
            app_releases_per_year,
        )
        self.publish(release_version)
        self._network = Network(self._state)

    # Client configuration.

    @property
    def product_id(self) -> str:
        return self._state.product.id

    @property
    def public_key(self) -> str:
        """The product's public key, PEM."""
        return self._state.keys.public_pem

    @property
    def api_key(self) -> str:
        """The product key."""
        return self._state.product.api_key

    @property
    def transport(self) -> FakeTransport:
        """For a ``LicenseClient`` that the application creates itself."""
        return FakeTransport(self._network)

    @property
    def async_transport(self) -> AsyncFakeTransport:
        """For an ``AsyncLicenseClient`` that the application creates itself."""
        return AsyncFakeTransport(self._network)

    def options(
        self,
        license_: FakeLicense | str,
        /,
        *,
        folder: str | Path,
        **options: Unpack[ClientOptions],
    ) -> ClientOptions:
        """All options of a client except its transport.

        The hardware ID is fixed. The timeout is so short that errors are not retried, which keeps
        tests fast; pass ``retries=True`` to retry as in production.

        Args:
            license_: A license, or any string as the license key.
            folder: The folder for license.bin and the machine's state; created if missing.
            options: As for a client; they override the options set here.
        """
        Path(folder).mkdir(parents=True, exist_ok=True)
        key = license_.key if isinstance(license_, FakeLicense) else license_
        defaults: ClientOptions = {
            "product_id": self.product_id,
            "public_key": self.public_key,
            "license_key": key,
            "api_key": self.api_key,
            "server_base_endpoint": BASE_URL,
            "license_file": Path(folder) / "license.bin",
            "hardware_id": HARDWARE_ID,
            "retries": False,
            "clock": self.clock,
        }
        return {**defaults, **options}

    def client(
        self,
        license_: FakeLicense | str,
        /,
        *,
        folder: str | Path,
        **options: Unpack[ClientOptions],
    ) -> LicenseClient:
        """Create a client that uses this server and its clock; see :meth:`options`."""
        given = self.options(license_, folder=folder, **options)
        return LicenseClient(transport=self.transport, **given)

    def async_client(
        self,
        license_: FakeLicense | str,
        /,
        *,
        folder: str | Path,
        **options: Unpack[ClientOptions],
    ) -> AsyncLicenseClient:
        """Create an asyncio client that uses this server and its clock; see :meth:`options`."""
        given = self.options(license_, folder=folder, **options)
        return AsyncLicenseClient(transport=self.async_transport, **given)

    def serve(self) -> AbstractContextManager[str]:
        """Also serve on a loopback port for the duration of a ``with`` statement.

        Yields the base address, which ends in ``/api``. Every planned fault that prevents a
        response closes the connection.
        """
        return serve(self._network)

    # Vendor actions.

    def issue(self, model: Model, **terms: Unpack[Terms]) -> FakeLicense:
        """Issue a license of one of the eight models.

        Raises:
            ValueError: The terms are not allowed or the key exists; the message says why.
        """
        with self._state.lock:
            license_ = make_license(model, LicenseDraft(**terms), self.now)
            license_.test = self._state.product.test
            if license_.normal_key in self._state.licenses:
                raise ValueError("a license with this key already exists; use another key")
            self._state.licenses[license_.normal_key] = license_
        return FakeLicense(self._state, license_)

    def set_price(self, feature: str, token_cost: Amount) -> None:
        """Set the price in tokens of one use of a feature, for MeteredToken licenses.

        Feature names are case-insensitive; the first spelling is kept.

        Raises:
            TypeError: The price is a float.
            ValueError: The price is not positive, too high, or has too many decimals.
        """
        cost = positive_amount(token_cost, "Token")
        if cost > MAX_PRICE:
            raise ValueError(f"the price of one use must be at most {MAX_PRICE:,}")
        with self._state.lock:
            existing = self._state.prices.get(feature.casefold())
            name = feature if existing is None else existing.feature
            self._state.prices[feature.casefold()] = Price(name, cost)

    def publish(
        self,
        version: str,
        files: Mapping[str, bytes] | None = None,
        *,
        channel: str = "Stable",
        platform: str | None = None,
        notes: str | None = None,
        coverage: Coverage = "Licensed",
    ) -> None:
        """Publish a release. The release that licenses cover is published from the start.

        Args:
            version: Compared with other releases by semantic versioning, or by the time of
                publication if a version is not semantic.
            files: The content of the files that applications can download, by name.
            channel: The release channel.
            platform: The platform of all the files; by default they are for all platforms.
            notes: The release notes.
            coverage: ``Everyone`` for a release that is covered whatever its date, such as a
                security fix.
        """
        release_files = tuple(
            make_release_file(name, platform, data) for name, data in (files or {}).items()
        )
        with self._state.lock:
            self._state.releases.append(
                PublishedRelease(
                    new_id(self.now),
                    version,
                    channel,
                    notes,
                    self.now,
                    release_files,
                    coverage=coverage,
                )
            )

    def yank(self, version: str) -> None:
        """Yank a release in every channel: it is no longer offered and cannot be downloaded."""
        with self._state.lock:
            for release in self._state.releases:
                if release.version == version:
                    release.yanked = True

    def rotate_keys(self) -> None:
        """Generate a new RSA key pair; everything signed before no longer verifies."""
        self._state.keys = make_product_keys()

    # Time and network faults.

    @property
    def now(self) -> datetime:
        """The current time in UTC."""
        return self.clock().astimezone(UTC)

    def clock(self) -> datetime:
        """The server's clock; pass it to clients."""
        return self._clock()

    def advance(self, **duration: float) -> None:
        """Move the clock forward, for example ``advance(minutes=5)``.

        Args:
            **duration: As for ``datetime.timedelta``.

        Raises:
            ValueError: The duration is negative.
        """
        offset = timedelta(**duration)
        if offset < timedelta(0):
            raise ValueError(
                "the server's clock cannot move back; pass the client a clock of its own instead"
            )
        self._clock.advance(offset)

    def go_offline(self, fault: NetworkFault = "ServerRefused") -> None:
        """Fail every request until :meth:`go_online`.

        Args:
            fault: The error that the client raises, without the suffix ``Error``.
        """
        self._network.disconnect(fault)

    def go_online(self) -> None:
        """Clear all faults."""
        self._network.restore()

    def fail_next(
        self,
        fault: Fault,
        *,
        times: int = 1,
        on: str | None = None,
        retry_after: int | None = None,
    ) -> None:
        """Fail the next requests without processing them.

        Args:
            fault: The error that the client raises, without the suffix ``Error``.
            times: The number of requests.
            on: Only requests to this route, such as ``/sessions/heartbeat``; by default any.
            retry_after: Seconds, for ``ServerUnavailable``, ``RateLimited`` and
                ``ConcurrencyConflict``.

        Raises:
            ValueError: The fault is unknown, or ``times`` is less than 1.
        """
        self._network.plan_fault(fault, times, on, retry_after)

    def lose_next_response(
        self, fault: ResponseFault = "ConnectionLost", *, times: int = 1, on: str | None = None
    ) -> None:
        """Process the next requests but lose their responses.

        Args:
            fault: The error that the client raises, without the suffix ``Error``.
            times: The number of requests.
            on: Only requests to this route; by default any.

        Raises:
            ValueError: The fault is unknown, or ``times`` is less than 1.
        """
        self._network.plan_lost_response(fault, times, on)

    @property
    def requests(self) -> Sequence[RecordedRequest]:
        """The requests so far, oldest first."""
        return tuple(self._network.requests)

    @property
    def telemetry(self) -> Sequence[TrackedEvent]:
        """The accepted telemetry events, oldest first."""
        with self._state.lock:
            return tuple(self._state.telemetry)

    def __repr__(self) -> str:
        return f"{type(self).__name__}(product_id={self.product_id!r})"
