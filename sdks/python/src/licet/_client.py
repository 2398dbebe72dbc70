"""The two clients: the same promises, one for threads and one for asyncio."""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import TracebackType
from typing import Any, Self, Unpack

from licet._config import ClientOptions, make_config
from licet._core import LicenseCore
from licet._flow import arun, run
from licet._http import AsyncHttpxTransport, HttpxTransport, make_ssl_context
from licet._model import LicenseResult
from licet._settings import application_folder, read_settings
from licet._transport import AsyncTransport, Transport


class LicenseClient:
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
        self._start(LicenseCore(make_config(options)), transport)

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
        client._start(_core_from_settings(folder, options), transport)
        return client

    def _start(self, core: LicenseCore, transport: Transport | None) -> None:
        self._core = core
        self._own = transport is None
        self._transport = transport or HttpxTransport(
            make_ssl_context(core.config.verify), trust_env=core.config.trust_env
        )

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
        return self._core.look().result

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

    def close(self) -> None:
        """Let go of connections."""
        if self._own:
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


class AsyncLicenseClient:
    """:class:`licet.LicenseClient` for asyncio; the same arguments, promises and errors.

    Disk and system calls run in a thread and do not hold up the event loop.
    """

    def __init__(
        self, *, transport: AsyncTransport | None = None, **options: Unpack[ClientOptions]
    ) -> None:
        self._start(LicenseCore(make_config(options)), transport)

    @classmethod
    def from_settings(
        cls,
        folder: str | Path | None = None,
        *,
        transport: AsyncTransport | None = None,
        **options: Unpack[ClientOptions],
    ) -> Self:
        """See :meth:`licet.LicenseClient.from_settings`."""
        client = cls.__new__(cls)
        client._start(_core_from_settings(folder, options), transport)
        return client

    def _start(self, core: LicenseCore, transport: AsyncTransport | None) -> None:
        self._core = core
        self._own = transport is None
        self._transport = transport or AsyncHttpxTransport(
            make_ssl_context(core.config.verify), trust_env=core.config.trust_env
        )

    @property
    def hardware_id(self) -> str:
        """This machine's hardware id for this product; never empty."""
        return self._core.hardware_id

    async def validate(self) -> LicenseResult:
        """See :meth:`licet.LicenseClient.validate`."""
        return await arun(self._core.validate(), self._transport)

    async def validate_offline(self) -> LicenseResult:
        """See :meth:`licet.LicenseClient.validate_offline`."""
        return (await asyncio.to_thread(self._core.look)).result

    async def validate_online(self) -> LicenseResult:
        """See :meth:`licet.LicenseClient.validate_online`."""
        return await arun(self._core.validate_online(), self._transport)

    async def refresh(self) -> LicenseResult:
        """See :meth:`licet.LicenseClient.refresh`."""
        return await arun(self._core.refresh(), self._transport)

    async def aclose(self) -> None:
        """Let go of connections."""
        if self._own:
            await self._transport.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.aclose()

    def __repr__(self) -> str:
        return f"{type(self).__name__}(product_id={self._core.config.product_id!r})"


def _core_from_settings(folder: str | Path | None, options: ClientOptions) -> LicenseCore:
    place = Path(folder) if folder is not None else application_folder()
    explicit: dict[str, Any] = {k: v for k, v in options.items() if v is not None}
    return LicenseCore(make_config({**read_settings(place), **explicit}, place))
