"""The synchronous client."""

# ruff: noqa: PLC0415 - what not every application uses is loaded when it is used

from __future__ import annotations

import weakref
from collections.abc import Callable, Mapping
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self, Unpack

from licet._activation import Activation, activate, deactivate
from licet._borrowed_transport import BorrowedTransport
from licet._callbacks import OnChange, OnLost, require_plain
from licet._config import ClientOptions, make_config
from licet._connections import network_of
from licet._core import LicenseCore
from licet._daily_check import ThreadCheck
from licet._device_key import DeviceIdentity
from licet._flow import run
from licet._model import LicenseResult
from licet._refresh import refresh
from licet._session_options import SessionOptions
from licet._setup import core_from_settings, live_session_id
from licet._telemetry import Tracking
from licet._transport import Transport
from licet._validation import learn_reason, validate, validate_online
from licet._watch import INTERVAL, Watch
from licet.errors import LicetError

if TYPE_CHECKING:
    from licet._borrowing import BorrowedSeat
    from licet._devices import Device, Devices
    from licet._download import Progress
    from licet._metering import Balance, Consumption
    from licet._offline_request import OfflineRelease, OfflineRequest
    from licet._open_license import OpenLicense
    from licet._reserved_credits import ReservedCredits
    from licet._seat import Seat
    from licet._session import Session
    from licet._updates import Update, UpdateFile


class LicenseClient(Tracking):
    """Checks the license of this application. Most applications need ``open()`` alone.

    Safe to share between threads and to use after a fork. Close it, or use it in a ``with``
    statement. Nothing of the network is touched before the first request.

    A method that contacts the server raises :class:`licet.NetworkError` if it did not respond, and
    :class:`licet.ServerFaultError` if it responded with an error.

    Args:
        transport: Sends the requests in place of httpx; the caller closes it.
        options: See :class:`licet.ClientOptions`.

    Raises:
        ConfigurationError: An option is missing or invalid.
    """

    def __init__(
        self, *, transport: Transport | None = None, **options: Unpack[ClientOptions]
    ) -> None:
        self._set_up(LicenseCore(make_config(options)), transport)

    @classmethod
    def from_settings(
        cls,
        folder: str | Path | None = None,
        *,
        transport: Transport | None = None,
        **options: Unpack[ClientOptions],
    ) -> Self:
        """Create a client from these options, ``licet.json`` or ``appsettings.json``, and defaults.

        Args:
            folder: The folder of the file; by default that of the running program.
            transport: As for the class.
            options: As for the class.

        Raises:
            ConfigurationError: The file or an option is invalid; the message names it.
        """
        client = cls.__new__(cls)
        client._set_up(core_from_settings(folder, options), transport)
        return client

    def _set_up(self, core: LicenseCore, transport: Transport | None) -> None:
        self._core = core
        self._sessions: weakref.WeakSet[Session] = weakref.WeakSet()
        self._watches: weakref.WeakSet[Watch] = weakref.WeakSet()
        self._connect: Callable[[], Transport] = network_of(core.config).connect
        if transport is not None:
            self._connect = lambda: BorrowedTransport(transport)
        self._transport: Transport = self._connect()
        self._daily_check = ThreadCheck(core, self._connect)
        core.live_session = lambda: live_session_id(self._sessions)

    @property
    def hardware_id(self) -> str:
        """This machine's hardware ID for this product; never empty."""
        return self._core.hardware_id

    def identity(self) -> DeviceIdentity:
        """Return who this device is for the server: its key's thumbprint, hardware ID, components.

        The key is made at the first request, or now, and kept as ``device-key.json`` in the state
        folder. It proves each request, so a license can be limited to devices that have theirs:

        >>> client.identity().jkt
        'kzvTK9KzbAeVWU_yVonuLHbEl4I2x4rImg-iI3Rnlk8'

        The components, none sent in clear, recognize a machine whose hardware ID has changed.
        """
        return self._core.identity

    def validate(self) -> LicenseResult:
        """Validate the license; takes no seat, opens no session, charges no meter: see ``open()``.

        An Offline license is validated by license.bin alone; if a server is set, it is also checked
        there in the background, at most once a day. Any other license is checked with the server;
        if the server cannot be reached, license.bin is accepted during the grace period, which
        begins with a signed verdict. After one, license.bin is refreshed on disk once a day.

        Raises:
            ConfigurationError: The file is protected and no license key is set.
            LicenseFileError: license.bin exists but cannot be read.
            EnrollmentKeyInvalidError: There is no token yet, and the enrollment key is not
                accepted.
            SeatsExhaustedError: The machine cannot enroll, because all seats are taken.
        """
        result = run(validate(self._core), self._transport)
        self._daily_check.start_if_due(result)
        return result

    def validate_offline(self) -> LicenseResult:
        """Validate by license.bin and the state stored on this machine, without the network.

        Raises:
            ConfigurationError: The file is protected and no license key is set.
            LicenseFileError: license.bin exists but cannot be read.
        """
        return self._core.validate_offline()

    def validate_online(self) -> LicenseResult:
        """Ask the server for a signed verdict and verify it.

        Raises:
            ConfigurationError: No server or no license key is set.
        """
        return run(validate_online(self._core), self._transport)

    def refresh(self) -> LicenseResult:
        """Fetch a new license.bin, verify it, and replace the file on disk atomically.

        For an Online license a signed verdict is requested, too: the grace period begins with it.
        The file is replaced only if the result is valid, or would be with a correct clock or
        another version of the application.

        Raises:
            ConfigurationError: No server or no license key is set.
            LicenseFileError: The file cannot be written.
            NetworkError: The server did not respond.
            ServerFaultError: The server responded with an error, or refused although the license
                is valid, for example with ``ActivationRequired``.
        """
        return run(refresh(self._core), self._transport)

    def activate(
        self, *, device_name: str | None = None, metadata: Mapping[str, str] | None = None
    ) -> Activation:
        """Activate this device. It holds a seat until it is deactivated.

        A device that already holds a seat keeps it. An activation that the vendor has to approve
        is pending, without a seat.

        Args:
            device_name: Shown to the vendor in place of the configured name.
            metadata: Strings shown to the vendor with it.

        Raises:
            ConfigurationError: No server or no license key is set.
            SeatsExhaustedError: All seats are taken.
            RequestRefusedError: Refused for another reason, named by the subclass.
        """
        return run(activate(self._core, device_name, metadata), self._transport)

    def deactivate(self) -> None:
        """Release the seat of this device, if it holds one.

        Raises:
            ConfigurationError: No server or no license key is set.
        """
        run(deactivate(self._core), self._transport)

    def devices(self) -> Devices:
        """Return the devices that hold a seat, if the user may free one of them.

        They have no hardware IDs. Only a device may ask that holds a seat, or was refused one in
        the last 10 minutes:

        >>> try:
        ...     license = client.open()
        ... except SeatsExhaustedError as full:
        ...     if full.can_release:
        ...         client.release_device(choose(client.devices()))

        Raises:
            RequestRefusedError: The vendor does not let applications release devices, or this
                device may not ask; the message says why.
        """
        from licet._devices import devices

        return run(devices(self._core), self._transport)

    def release_device(self, device: Device) -> Device:
        """Release the seat of another device for this one. Then call ``open()`` again.

        Returns:
            The device; ``seat_free_at`` says when its seat is free, ``None`` if it is free now.

        Raises:
            RequestRefusedError: It may not be released, or no more devices may be at present; the
                message says why.
        """
        from licet._devices import release_device

        return run(release_device(self._core, device), self._transport)

    def offline_request(self, *, renew: bool = False) -> OfflineRequest:
        """Return what this device asks of the vendor's offline desk, where there is no network.

        The device signs it. It has no license key in it, needs no server, and stays the same until
        it is answered.

        >>> request = client.offline_request()
        >>> Path(request.file_name).write_bytes(request.file)
        658

        Args:
            renew: Begin another request, after which the answer to this one is not taken any more.

        Raises:
            LicenseRefusedError: What is set cannot be a license key.
            ConfigurationError: No license key is set and license.bin has none, or the device has
                enrolled.
            LicenseFileError: It cannot be kept on disk.
        """
        from licet._offline_request import offline_request

        return run(offline_request(self._core, renew), self._transport)

    def apply_offline_answer(self, answer: bytes | str) -> LicenseResult:
        """Take the answer to the offline request of this device, and validate with it.

        Args:
            answer: The content of the license.bin from the offline desk, or the code that it shows.
                A code needs the base file of the license on this machine. A text with two dots
                is the content of a file.

        Raises:
            OfflineCodeError: The code is mistyped or not for this device; ``group`` says where.
            LicenseFileError: The file is not for this device and its request, there is no base
                file, or it cannot be written. Nothing was changed.
            ConfigurationError: As for :meth:`offline_request`.
        """
        from licet._offline_request import apply_offline_answer

        return run(apply_offline_answer(self._core, answer), self._transport)

    def release_offline(self) -> OfflineRelease:
        """Give up what an offline request has activated, and return the proof of it.

        From now on this device uses neither the file nor the code. Asking again returns the same
        proof; with it the offline desk frees the seat at once.

        Raises:
            LicenseFileError: Nothing to release, or nothing can be written: the license goes on.
            ConfigurationError: As for :meth:`offline_request`.
        """
        from licet._offline_request import release_offline

        return run(release_offline(self._core), self._transport)

    def consume(
        self,
        feature: str,
        quantity: int = 1,
        *,
        idempotency_key: str | None = None,
        activation_id: str | None = None,
    ) -> Consumption:
        """Charge the license's wallet for using a feature, exactly once.

        Credits that this device has reserved are charged first, without the server, as long as they
        cover the cost; see :meth:`reserve`.

        If the response is lost or the server is busy, the request is retried with the same
        idempotency key, up to five attempts within twice the timeout. Errors carry the key in
        ``idempotency_key``; pass it to another call to find out whether the charge was made.

        Args:
            feature: The feature that was used; 1 to 128 characters.
            quantity: 1 to 1,000,000,000.
            idempotency_key: Identifies the charge within the license; 1 to 128 characters, random
                by default. Store a key of your own before the call to be safe from crashes, too.
            activation_id: The activation of this device, to attribute the charge to it.

        Raises:
            ValueError: An argument is out of range; nothing was sent.
            ConfigurationError: No server or no license key is set.
            InsufficientBalanceError: The balance does not cover the cost; nothing was charged.
            LicenseFileError: The charge of reserved credits cannot be written, and no server can be
                asked; nothing was charged.
            NetworkError: The server did not respond; the charge may have been made.
            ServerFaultError: The server refused, for the reason named by the subclass, or
                responded with another error.
        """
        from licet._metering import consume, make_charge

        charge = make_charge(feature, quantity, idempotency_key, activation_id)
        return run(consume(self._core, charge), self._transport)

    def reserve(self, credits: Decimal | int | str, days: int = 7) -> ReservedCredits:  # noqa: A002
        """Set credits of a metered license aside for this device, to be spent without a network.

        They leave the license's balance now. Until their end :meth:`consume` charges them on this
        device, :meth:`open` and :meth:`validate` need no server, and :meth:`reserved_credits`
        finds them, also after a restart. Keep the state folder: without it they are lost, and are
        charged in the end, unless the vendor puts them back.

        Args:
            credits: More than 0, with at most six decimals; whole for a MeteredCount license. A
                float is not exact, so it is not taken.
            days: 1 to 366.

        Raises:
            TypeError: The credits are a float.
            ValueError: An argument is out of range; nothing was sent.
            ConfigurationError: No server or no license key is set.
            LeaseRefusedError: The license does not reserve so many, or not for so long, or this
                device has reserved some already.
            InsufficientBalanceError: The balance does not cover them.
            LicenseFileError: They cannot be kept on disk.
        """
        from licet._amounts import positive_amount
        from licet._lease_calls import run_alone
        from licet._reserved_credits import ReservedCredits
        from licet._reserving import reserve

        amount = positive_amount(credits)
        held = run_alone(reserve(self._core, amount, days), self._connect)
        return ReservedCredits(self._core, self._connect, held)

    def reserved_credits(self) -> ReservedCredits | None:
        """Return the credits that this device has reserved and may spend now, if there are any.

        Works without a network, also after a restart. What was given back without one, or has
        ended, is reported now, if the server responds.

        Raises:
            ConfigurationError: The file is protected and no license key is set.
            LicenseFileError: license.bin exists but cannot be read.
        """
        from licet._reserved_credits import ReservedCredits
        from licet._reserving import find_reserved

        held = run(find_reserved(self._core), self._transport)
        return None if held is None else ReservedCredits(self._core, self._connect, held)

    def balance(self) -> Balance:
        """Return the balance of the license's wallet, whatever the license's status.

        Raises:
            ConfigurationError: No server or no license key is set.
            RequestRefusedError: The license is unknown or not metered.
        """
        from licet._metering import balance

        return run(balance(self._core), self._transport)

    def check_for_update(self, *, channel: str = "Stable", platform: str | None = None) -> Update:
        """Check for a release newer than the configured ``app_version``.

        If a license key is set, only releases that the license covers are offered.

        Args:
            channel: The release channel.
            platform: Return only files for it and for all platforms; by default every file.

        Raises:
            ConfigurationError: No server is set.
            UntrustedUpdateError: The release is not signed for this product and channel with a
                trusted key, is not newer, or has other files.
            LicenseFileError: license.bin exists but cannot be read.
            LicenseRefusedError: The license is unknown, or downloads need one that is in force.
        """
        from licet._updates import check_for_update

        return run(check_for_update(self._core, channel, platform), self._transport)

    def download(
        self, file: UpdateFile, path: str | Path, *, progress: Progress | None = None
    ) -> Path:
        """Download a file of an update, verify its SHA-256, and return its path.

        It is downloaded in chunks of 1 MiB into a hidden file next to ``path``, which replaces
        ``path`` after it is complete and verified. After an error or a crash, the next call
        resumes the download.

        Args:
            file: A file of an update.
            path: The file to write, or an existing folder to write it to under its own name.
            progress: Called with the bytes received so far and the total.

        Raises:
            UntrustedUpdateError: The download address does not use https.
            DamagedDownloadError: The SHA-256 does not match; the download was deleted.
            DownloadWithdrawnError: The file is no longer offered.
            NetworkError: The server did not respond; the bytes received so far are kept.
            OSError: The file cannot be written.
        """
        from licet._download import download

        return run(download(self._core, file, Path(path), progress), self._transport)

    def open(
        self,
        *,
        on_lost: OnLost | None = None,
        on_regained: Callable[[Session], object] | None = None,
        on_change: OnChange | None = None,
    ) -> OpenLicense:
        """Validate the license, take the seat that its model needs, and return it for use.

        Use it in a ``with`` statement, or call its ``close()``. What its model needs besides:

        * Floating: a live session, with heartbeats in the background, until it is closed.
        * Concurrent: this device is activated and stays so until ``release()``; on short-lived
          machines ``seat_mode`` gives its seat back at the end.
        * NodeLocked: the license is bound to this machine.
        * MeteredToken, MeteredCount: the balance is read.

        A license with a sufficient license.bin is opened without the server. In a grace period,
        every license but a Floating one is.

        What the client learns later is seen in the open license: its status, features, terms and
        seats are those of the latest check.

        Args:
            on_lost: Called once with the error when the seat of a session is lost. The session
                keeps trying to reconnect.
            on_regained: Called once with the session when it holds a seat again.
            on_change: Called in a thread with each result whose status or terms are not those of
                the one before. The license is then checked every hour, as by :meth:`watch`.

        Raises:
            OnlineRequiredError: The license has to be checked with the server, which could not be
                asked; ``result`` has the details.
            LicenseRefusedError: The license may not be used; ``result`` has the status.
            RequestRefusedError: The license may not be used on this device; the subclass, such as
                :class:`licet.DeviceBlockedError`, says why.
            SeatsExhaustedError: All seats are taken.
            ConfigurationError: An option is missing, such as the server of a Floating license.
            LicenseFileError: license.bin exists but cannot be read.
        """
        from licet._open_license import open_now

        require_plain(on_lost, on_regained, on_change)

        def lost(error: LicetError) -> None:
            run(learn_reason(self._core, error), self._transport)
            if on_lost is not None:
                on_lost(error)

        options = SessionOptions(on_lost=lost, on_regained=on_regained)
        license_ = open_now(self._core, self._transport, self._session, options)
        self._daily_check.start_if_due(license_.result)
        if on_change is not None:
            since = license_.result
            license_.watch = self._watch(on_change, INTERVAL, since)
        return license_

    def session(
        self,
        *,
        instance_id: str | None = None,
        on_lost: OnLost | None = None,
        on_regained: Callable[[Session], object] | None = None,
    ) -> Session:
        """Create a live session, which holds a seat until it is closed.

        Nothing is sent before it is opened or entered. Callbacks run in the thread that sends the
        heartbeats, so a slow one delays them.

        Args:
            instance_id: Identifies this running copy. By default a stored ID that is reused after
                a restart and never shared by two running copies.
            on_lost: Called once with the error when the seat is lost. The session keeps trying to
                reconnect.
            on_regained: Called once with the session when it holds a seat again.
        """
        require_plain(on_lost, on_regained)
        return self._session(SessionOptions(instance_id, on_lost, on_regained))

    def borrowed_seat(self) -> BorrowedSeat | None:
        """Return the seat that this device has borrowed and may use now; ``None`` if there is none.

        Works without a network, also after a restart. A seat that was given back without one is
        reported now, if the server responds.

        Raises:
            ConfigurationError: The file is protected and no license key is set.
            LicenseFileError: license.bin exists but cannot be read.
        """
        from licet._borrowing import BorrowedSeat, find_borrowed

        lease = run(find_borrowed(self._core), self._transport)
        return None if lease is None else BorrowedSeat(self._core, self._connect, lease)

    def seat(self, *, on_lost: OnLost | None = None) -> Seat:
        """Create a context manager that holds a seat in the way that ``seat_mode`` selects.

        * Activation: the device is activated and stays activated.
        * Session: a session is open during the block. If the license requires activated devices,
          this device is activated for the same time.
        * Auto: Session in CI jobs and in containers without a machine ID of their own, otherwise
          Activation.

        Entering raises what :meth:`activate` and :meth:`licet.Session.open` raise, and
        :class:`licet.ApprovalPendingError` if the vendor has to approve the device first.

        Args:
            on_lost: Called once with the error when the seat of a session is lost.
        """
        from licet._seat import Seat

        require_plain(on_lost)
        return Seat(self._core, self._transport, self._session, on_lost)

    def watch(self, on_change: OnChange, *, interval: timedelta = INTERVAL) -> Watch:
        """Validate in the background, now and then every ``interval``, until it is closed.

        The checks are those of :meth:`validate`, so they take no seat and charge no meter. An
        Offline license is also checked with the server, once a day.

        Args:
            on_change: Called in a thread with the first result, and with each one whose status or
                terms are not those of the one before.
            interval: The time between two checks.

        Raises:
            ConfigurationError: ``on_change`` is a coroutine function.
            ValueError: The interval is not positive.
        """
        require_plain(on_change)
        return self._watch(on_change, interval)

    def _watch(
        self, on_change: OnChange, interval: timedelta, since: LicenseResult | None = None
    ) -> Watch:
        watch = Watch(self._core, self._connect, on_change, interval, since)
        self._watches.add(watch)
        return watch

    def _session(self, session_options: SessionOptions) -> Session:
        from licet._session import Session

        session = Session(self._core, self._connect, session_options)
        self._sessions.add(session)
        return session

    def close(self) -> None:
        """Close open sessions, watches and network connections."""
        for watch in list(self._watches):
            watch.close()
        if self._sessions:
            from licet._session import close_all

            close_all(list(self._sessions))
        self._daily_check.close()
        self._close_tracking()
        self._transport.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"{type(self).__name__}(product_id={self._core.config.product_id!r})"
