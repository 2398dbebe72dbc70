"""The client for threads; the one for asyncio keeps the same promises."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Self, Unpack

from licet._activation import Activation, activate, deactivate
from licet._borrowed_transport import BorrowedTransport
from licet._config import ClientOptions, make_config
from licet._core import LicenseCore
from licet._download import Progress, download
from licet._flow import run
from licet._http import HttpxTransport, make_ssl_context
from licet._metering import Balance, Consumption, balance, consume, make_charge
from licet._model import LicenseResult
from licet._seat import Seat
from licet._session import Session, close_all
from licet._session_lifecycle import OnLost, SessionOptions
from licet._setup import core_from_settings
from licet._telemetry import Tracking
from licet._transport import Transport
from licet._updates import Update, UpdateFile, check_for_update


class LicenseClient(Tracking):
    """Decides whether this application may run here.

    May be shared by threads. Close it, or use it in a ``with`` statement.

    Args:
        transport: Carries the requests instead of httpx; the caller closes it.
        options: See :class:`licet.ClientOptions`.

    Raises:
        ConfigurationError: An option is missing or makes no sense.
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
        """A client set up by the options given here, then by the settings file, then by defaults.

        Args:
            folder: Where ``licet.json`` or ``appsettings.json`` stands; by default the folder of
                the running program.
            transport: As for the class.
            options: As for the class; what is given here wins over the file.

        Raises:
            ConfigurationError: The file or an option is wrong; the message names it.
        """
        client = cls.__new__(cls)
        client._set_up(core_from_settings(folder, options), transport)
        return client

    def _set_up(self, core: LicenseCore, transport: Transport | None) -> None:
        self._core = core
        self._sessions: weakref.WeakSet[Session] = weakref.WeakSet()
        self._owns_transport = transport is None
        self._connect: Callable[[], Transport]
        if transport is None:
            context = make_ssl_context(core.config.verify)
            self._connect = lambda: HttpxTransport(context, trust_env=core.config.trust_env)
        else:
            self._connect = lambda: BorrowedTransport(transport)
        self._transport = transport or self._connect()

    @property
    def hardware_id(self) -> str:
        """This machine's hardware id for this product; never empty."""
        return self._core.hardware_id

    def validate(self) -> LicenseResult:
        """The verdict by the way that the license asks for.

        An Offline license is judged by license.bin alone. Any other is checked with the server;
        without an answer from it, license.bin carries the license through the grace period. After
        a good answer license.bin is renewed on disk once a day.

        Raises:
            ConfigurationError: The file is protected and no license key is set.
            LicenseFileError: license.bin is there but cannot be read.
        """
        return run(self._core.validate(), self._transport)

    def validate_offline(self) -> LicenseResult:
        """The verdict by license.bin and this machine's memory, without the network.

        Raises:
            ConfigurationError: The file is protected and no license key is set.
            LicenseFileError: license.bin is there but cannot be read.
        """
        return self._core.check_file().result

    def validate_online(self) -> LicenseResult:
        """The server's signed verdict, each claim of it checked.

        Raises:
            ConfigurationError: No server or no license key is set.
            NetworkError: No answer.
            ServerFaultError: An answer that is a fault.
        """
        return run(self._core.validate_online(), self._transport)

    def refresh(self) -> LicenseResult:
        """Fetch a fresh license.bin, check it, and replace the one on disk in one step.

        The file on disk is left as it is unless the result is valid, or is one that a better clock
        or another version of the application would make valid.

        Raises:
            ConfigurationError: No server or no license key is set.
            LicenseFileError: The file cannot be written.
            NetworkError: No answer.
            ServerFaultError: An answer that is a fault, or a refusal although the license is
                valid, such as ``ActivationRequired``.
        """
        return run(self._core.refresh(), self._transport)

    def activate(
        self, *, device_name: str | None = None, metadata: Mapping[str, str] | None = None
    ) -> Activation:
        """Take a seat for this device, to keep until it is deactivated.

        A device that has its seat already keeps it. Where the vendor has to approve devices first,
        the activation is pending, and the device holds no seat yet.

        Args:
            device_name: Shown to the vendor instead of the configured one.
            metadata: Texts that the vendor may see with the device.

        Raises:
            ConfigurationError: No server or no license key is set.
            SeatsExhaustedError: All seats are taken.
            RequestRefusedError: Another refusal; its type says which.
            NetworkError: No answer.
            ServerFaultError: An answer that is a fault.
        """
        return run(activate(self._core, device_name, metadata), self._transport)

    def deactivate(self) -> None:
        """Give the seat of this device back. A device without one is left as it is.

        Raises:
            ConfigurationError: No server or no license key is set.
            NetworkError: No answer.
            ServerFaultError: An answer that is a fault.
        """
        run(deactivate(self._core), self._transport)

    def consume(
        self,
        feature: str,
        quantity: int = 1,
        *,
        idempotency_key: str | None = None,
        activation_id: str | None = None,
    ) -> Consumption:
        """Charge the meter of the license for a use, exactly once.

        Where the answer is lost or the server is busy, it is asked up to five times within 20
        seconds, under one idempotency key. Errors carry it in ``idempotency_key``: give it to
        another call to learn what became of the charge.

        Args:
            feature: What was used; 1 to 128 characters.
            quantity: How often; 1 to 1,000,000,000.
            idempotency_key: Names the charge among those of the license, 1 to 128 characters; by
                default a random one. To be sure beyond a crash, store one of your own first.
            activation_id: The activation of this device, to have the use put down to it.

        Raises:
            ValueError: An argument is out of its bounds; nothing was sent.
            ConfigurationError: No server or no license key is set.
            InsufficientBalanceError: The balance does not cover it, and is as it was.
            NetworkError: No answer; the charge may have been made.
            ServerFaultError: A refusal, whose type says which, or another fault.
        """
        charge = make_charge(feature, quantity, idempotency_key, activation_id)
        return run(consume(self._core, charge), self._transport)

    def balance(self) -> Balance:
        """What is left on the meter of the license, whatever the license's status.

        Raises:
            ConfigurationError: No server or no license key is set.
            RequestRefusedError: The license is unknown or not metered.
            NetworkError: No answer.
            ServerFaultError: An answer that is a fault.
        """
        return run(balance(self._core), self._transport)

    def check_for_update(self, *, channel: str = "Stable", platform: str | None = None) -> Update:
        """What the server has that is newer than the configured ``app_version``.

        The license key, where one is set, narrows the offer to what the license covers.

        Args:
            channel: Whose releases to look at.
            platform: Whose files to tell of, besides those for all platforms; by default all.

        Raises:
            ConfigurationError: No server is set.
            LicenseFileError: license.bin is there but cannot be read.
            LicenseRefusedError: The license is unknown; or downloads need one, and it is
                revoked, suspended or at its end.
            NetworkError: No answer.
            ServerFaultError: An answer that is a fault.
        """
        return run(check_for_update(self._core, channel, platform), self._transport)

    def download(
        self, file: UpdateFile, path: str | Path, *, progress: Progress | None = None
    ) -> Path:
        """Fetch a file of an update and check its SHA-256; answers where it stands then.

        It comes in steps of 1 MiB into a hidden file beside ``path``, which takes its name once all
        of it is there and right. What was there under the name before stays until then. After an
        error or a crash, the next call goes on where this one ended.

        Args:
            file: One of an update's.
            path: The file to write, or a folder that is there, to write it under its own name.
            progress: Called with the bytes that are there and those that there will be.

        Raises:
            DamagedDownloadError: The bytes are not those that the server promised; they are gone.
            DownloadWithdrawnError: The file is not offered any more.
            NetworkError: No answer; what came before is kept.
            ServerFaultError: An answer that is a fault.
            OSError: The disk does not take it.
        """
        return run(download(self._core, file, Path(path), progress), self._transport)

    def session(
        self,
        *,
        instance_id: str | None = None,
        on_lost: OnLost | None = None,
        on_regained: Callable[[Session], object] | None = None,
    ) -> Session:
        """A seat for as long as a block runs, kept by heartbeats in the background.

        Nothing is sent before it is entered. Callbacks run in the thread of the heartbeats, which
        wait for them.

        Args:
            instance_id: Names this copy of the application; by default an id that the copy started
                next finds again, and that two copies at once do not share.
            on_lost: Called with the error, once, when the seat is lost. Getting it back is tried
                all the same.
            on_regained: Called with the session, once, when the seat is held again.
        """
        return self._session(SessionOptions(instance_id, on_lost, on_regained))

    def seat(self, *, on_lost: OnLost | None = None) -> Seat:
        """The right of this device to run, for a block, in the way that ``seat_mode`` says.

        * Activation: the device is activated, and stays so.
        * Session: a session is open during the block. Where the license asks for activated
          devices, this one is activated for as long.
        * Auto: Session in a CI job and in a container without a machine id of its own, which would
          leave activations behind; otherwise Activation.

        Entering raises what :meth:`activate` and :meth:`licet.Session.open` raise, and
        :class:`licet.ApprovalPendingError` where the vendor has to approve the device first.

        Args:
            on_lost: As for :meth:`session`.
        """
        return Seat(self._core, self._transport, self._session, on_lost)

    def _session(self, session_options: SessionOptions) -> Session:
        session = Session(self._core, self._connect, session_options)
        self._sessions.add(session)
        return session

    def close(self) -> None:
        """Close the sessions that are open, and let go of connections."""
        close_all(list(self._sessions))
        self._close_tracking()
        if self._owns_transport:
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
