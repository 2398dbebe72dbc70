"""The fake server as a test sees it."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Unpack

from licet._async_client import AsyncLicenseClient
from licet._client import LicenseClient
from licet._clock import Clock, system_clock
from licet._config import ClientOptions
from licet.testing._http_server import serve
from licet.testing._issue import LicenseDraft, Model, Terms, make_license
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
from licet.testing._state import Price, Product, PublishedRelease, State, TrackedEvent, new_id
from licet.testing._updates import make_release_file
from licet.testing._wallet import MAX_PRICE, Amount, positive_amount

HARDWARE_ID = "test-machine"
BASE_URL = f"https://licet.test{PREFIX}"
# All attempts together take three times as long: too short for a pause, so nothing is retried.
FAST_TIMEOUT_SECONDS = 0.05


class FakeServer:
    """A license server with one product, in this process and without a socket.

    Its clock runs with the computer's and moves on by :meth:`advance`. It may be used by threads.
    Nothing needs to be closed.

    Args:
        release_version: Of the release that licenses cover.
        heartbeat_interval_seconds: What clients are told. Fractions of a second, which no real
            product has, make tests of sessions quick.
        session_timeout_seconds: After which a silent session is over, at least twice the interval.
        heartbeat_spacing_seconds: Heartbeats that follow the one before sooner are RateLimited;
            5, or half the interval where that is shorter, unless told otherwise.
        file_lifetime: How long a license.bin is good before it has to be refreshed; by default as
            long as the license.
        downloads_need_license: Whether updates are for active licenses only.
        clock: Replaces the computer's clock; returns a time with a zone.

    Raises:
        ValueError: The three spans of time do not fit each other.
    """

    def __init__(
        self,
        *,
        product_name: str = "Test product",
        release_version: str = "1.0.0",
        heartbeat_interval_seconds: float = 30,
        session_timeout_seconds: float = 90,
        heartbeat_spacing_seconds: float | None = None,
        file_lifetime: timedelta | None = None,
        downloads_need_license: bool = False,
        clock: Clock = system_clock,
    ) -> None:
        interval, timeout = heartbeat_interval_seconds, session_timeout_seconds
        spacing = heartbeat_spacing_seconds
        if spacing is None:
            spacing = min(5, interval / 2)
        if interval <= 0 or timeout < 2 * interval or not 0 <= spacing <= interval:
            raise ValueError(
                "the interval is more than 0, the timeout at least twice as much, and the spacing "
                "no more than the interval"
            )
        self._clock, self._offset = clock, timedelta(0)
        product = Product(
            id=new_id(self.now),
            name=product_name,
            api_key=f"pk_{secrets.token_hex(24)}",
            release_id=new_id(self.now),
            release_version=release_version,
            heartbeat_interval=timedelta(seconds=interval),
            session_timeout=timedelta(seconds=timeout),
            heartbeat_spacing=timedelta(seconds=spacing),
            file_lifetime=file_lifetime,
        )
        self._state = State(product, shared_product_keys(), self.clock)
        self._state.downloads_need_license = downloads_need_license
        self.publish(release_version)
        self._network = Network(self._state)

    # What an application is set up with.

    @property
    def product_id(self) -> str:
        return self._state.product.id

    @property
    def public_key(self) -> str:
        """The product's public key, PEM."""
        return self._state.keys.public_pem

    @property
    def api_key(self) -> str:
        """The product API key."""
        return self._state.product.api_key

    @property
    def transport(self) -> FakeTransport:
        """For a ``LicenseClient`` that the application makes itself."""
        return FakeTransport(self._network)

    @property
    def async_transport(self) -> AsyncFakeTransport:
        """For an ``AsyncLicenseClient`` that the application makes itself."""
        return AsyncFakeTransport(self._network)

    def options(
        self,
        license_: FakeLicense | str,
        /,
        *,
        folder: str | Path,
        **options: Unpack[ClientOptions],
    ) -> ClientOptions:
        """All options of a client but its transport.

        The hardware id is always the same, and faults are not retried, so that a test of them does
        not wait; with ``timeout=10`` they are, as in production.

        Args:
            license_: A license, or any text as its key.
            folder: Where license.bin and the machine's memory are kept; made where it is missing.
            options: As for a client; they replace what is set here.
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
            "timeout": FAST_TIMEOUT_SECONDS,
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
        """A client that is wired to this server and shares its clock; see :meth:`options`."""
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
        """The same for asyncio."""
        given = self.options(license_, folder=folder, **options)
        return AsyncLicenseClient(transport=self.async_transport, **given)

    def serve(self) -> AbstractContextManager[str]:
        """Answer on a port of this machine too, while the ``with`` statement lasts.

        It yields the base address, which ends in ``/api``. Where a fault keeps the answer away, the
        connection breaks off, whichever fault it is.
        """
        return serve(self._network)

    # What the vendor does.

    def issue(self, model: Model, **terms: Unpack[Terms]) -> FakeLicense:
        """A license of one of the eight models.

        Raises:
            ValueError: No such license can be issued, or the key is taken; the message says why.
        """
        with self._state.lock:
            license_ = make_license(model, LicenseDraft(**terms), self.now)
            if license_.normal_key in self._state.licenses:
                raise ValueError("there is a license with this key already")
            self._state.licenses[license_.normal_key] = license_
        return FakeLicense(self._state, license_)

    def set_price(self, feature: str, token_cost: Amount) -> None:
        """From now on one use of a feature costs so many tokens of a MeteredToken license.

        Letter case does not matter; the feature keeps the spelling that it had first.

        Raises:
            ValueError: The cost is not more than 0, or too much, or not exact.
        """
        cost = positive_amount(token_cost, "Token")
        if cost > MAX_PRICE:
            raise ValueError(f"the amount is at most {MAX_PRICE:,} for one use")
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
    ) -> None:
        """Bring out a release. The one that licenses cover is out from the beginning.

        Args:
            version: Newer than another one as the server sees it: by semantic versioning, or else
                by when it was published.
            files: What applications may download, by name.
            channel: Where it is offered.
            platform: Of all the files; by default they are for every one.
            notes: What is new.
        """
        release_files = tuple(
            make_release_file(name, platform, data) for name, data in (files or {}).items()
        )
        with self._state.lock:
            self._state.releases.append(
                PublishedRelease(new_id(self.now), version, channel, notes, self.now, release_files)
            )

    def yank(self, version: str) -> None:
        """Take a release back, in every channel: it is offered and downloaded no more."""
        with self._state.lock:
            for release in self._state.releases:
                if release.version == version:
                    release.yanked = True

    def rotate_keys(self) -> None:
        """Give the product another RSA pair; what was signed before no longer verifies."""
        self._state.keys = make_product_keys()

    # Time and network.

    @property
    def now(self) -> datetime:
        """The present moment, in UTC."""
        return self.clock().astimezone(UTC)

    def clock(self) -> datetime:
        """The server's clock, to be given to clients."""
        return self._clock() + self._offset

    def advance(self, **duration: float) -> None:
        """Move the clock on, for instance ``advance(minutes=5)``.

        Args:
            span: As for ``datetime.timedelta``.

        Raises:
            ValueError: The span is negative.
        """
        offset = timedelta(**duration)
        if offset < timedelta(0):
            raise ValueError(
                "a server's clock does not go back; give the client a clock of its own"
            )
        self._offset += offset

    def go_offline(self, fault: NetworkFault = "ServerRefused") -> None:
        """Let no request through until :meth:`go_online`.

        Args:
            fault: What the application runs into, named like the SDK's error without its ending.
        """
        self._network.disconnect(fault)

    def go_online(self) -> None:
        """Forget all faults."""
        self._network.restore()

    def fail_next(
        self,
        fault: Fault,
        *,
        times: int = 1,
        on: str | None = None,
        retry_after: int | None = None,
    ) -> None:
        """Let the next requests fail instead of being carried out.

        Args:
            fault: Named like the SDK's error without its ending.
            times: How many requests.
            on: Which route alone, such as ``/sessions/heartbeat``; by default any.
            retry_after: Seconds, for ``ServerUnavailable``, ``RateLimited`` and
                ``ConcurrencyConflict``.

        Raises:
            ValueError: There is no such fault.
        """
        self._network.plan_fault(fault, times, on, retry_after)

    def lose_next_response(
        self, fault: ResponseFault = "ConnectionLost", *, times: int = 1, on: str | None = None
    ) -> None:
        """Let the next requests be carried out, and fail all the same: their answers are lost.

        Args:
            fault: What the application runs into, named like the SDK's error without its ending.
            times: How many requests.
            on: Which route alone; by default any.

        Raises:
            ValueError: There is no such fault.
        """
        self._network.plan_lost_response(fault, times, on)

    @property
    def requests(self) -> Sequence[RecordedRequest]:
        """What was asked so far, oldest first."""
        return tuple(self._network.requests)

    @property
    def telemetry(self) -> Sequence[TrackedEvent]:
        """What applications told of and was kept, oldest first."""
        with self._state.lock:
            return tuple(self._state.telemetry)

    def __repr__(self) -> str:
        return f"{type(self).__name__}(product_id={self.product_id!r})"
