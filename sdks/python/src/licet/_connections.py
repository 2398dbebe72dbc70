"""The SDK's own transport. It loads the network libraries with the first request.

Each request runs in a thread of its own, since only so a deadline holds whatever the network does:
a resolver that never responds, or a server that sends a byte every few seconds.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from licet._config import Config
from licet._forks import watch_forks
from licet._threads import start_thread
from licet._timeouts import no_answer_in
from licet._transport import TransportReply, TransportRequest
from licet.errors import ConfigurationError, ServerTimeoutError

if TYPE_CHECKING:
    import ssl

    from licet._http import HttpxConnections


class Network:
    """How one client reaches servers. Reads nothing of the environment before it has to.

    Args:
        verify: A PEM bundle of additional certificate authorities, or a finished TLS context.
        trust_env: Whether to use the proxies that the environment names.
        authorities_named_in_code: Ignore the authorities that the environment names.
    """

    def __init__(
        self,
        verify: ssl.SSLContext | str | Path | None,
        *,
        trust_env: bool,
        authorities_named_in_code: bool = False,
    ) -> None:
        self.trust_env = trust_env
        self._verify, self._authorities_named_in_code = verify, authorities_named_in_code
        self._context: ssl.SSLContext | None = None

    @property
    def ssl_context(self) -> ssl.SSLContext:
        """The TLS context, created once.

        Raises:
            ConfigurationError: The bundle that the application names cannot be read.
            TlsError: The authorities that the environment names cannot be read.
        """
        if self._context is None:
            from licet._http import make_ssl_context  # noqa: PLC0415 - loads ssl and httpx

            self._context = make_ssl_context(
                self._verify, authorities_named_in_code=self._authorities_named_in_code
            )
        return self._context

    def connect(self) -> HttpTransport:
        """A transport with connections of its own. Opens none yet."""
        return HttpTransport(self)


def network_of(config: Config) -> Network:
    """The network of a client with this configuration."""
    return Network(
        config.verify,
        trust_env=config.trust_env,
        authorities_named_in_code=config.authorities_named_in_code,
    )


class HttpTransport:
    """Sends requests, each within its timeout in all.

    A forked child opens connections of its own. Safe to share between threads.
    """

    def __init__(self, network: Network) -> None:
        self._network = network
        self._closed = False
        self.after_fork()
        watch_forks(self)

    def after_fork(self) -> None:
        """Leave the parent its connections. They are not closed: that would end them for both."""
        self._lock = threading.Lock()
        self._connections = _SharedConnections(self._network)

    def send(self, request: TransportRequest) -> TransportReply:
        with self.in_use() as connections:
            connections.prepare(request.url)  # this is not the server's time
            future = start_thread(partial(connections.send, request))
            try:
                return future.result(request.timeout)
            except TimeoutError:
                raise no_answer_in(request.timeout) from None

    @contextmanager
    def in_use(self) -> Iterator[_SharedConnections]:
        """The connections, for one request. After a timeout, later requests get new ones.

        Raises:
            ConfigurationError: The client is closed.
        """
        with self._lock:
            if self._closed:
                raise ConfigurationError(
                    "This client is closed. Create a new one, or close it later."
                )
            connections = self._connections
            connections.enter()
        try:
            yield connections
        except ServerTimeoutError:
            self._give_up(connections)
            raise
        finally:
            connections.leave()

    def _give_up(self, connections: _SharedConnections) -> None:
        with self._lock:
            if self._connections is connections:
                self._connections = _SharedConnections(self._network)
        connections.retire()

    def close(self) -> None:
        with self._lock:
            self._closed = True
        self._connections.retire()


class _SharedConnections:
    """Connections that, once retired, are closed when the last request has left them."""

    def __init__(self, network: Network) -> None:
        self._network = network
        self._opened: HttpxConnections | None = None
        self._open_lock, self._lock = threading.Lock(), threading.Lock()
        self._users, self._retired = 0, False

    def send(self, request: TransportRequest) -> TransportReply:
        return self._open().send(request)

    def prepare(self, url: str) -> None:
        """Load the network libraries and what they need for an address, once."""
        self._open().prepare(url)

    def _open(self) -> HttpxConnections:
        with self._open_lock:
            if self._opened is None:
                from licet._http import HttpxConnections  # noqa: PLC0415 - loads ssl and httpx

                self._opened = HttpxConnections(self._network)
            return self._opened

    def enter(self) -> None:
        with self._lock:
            self._users += 1

    def leave(self) -> None:
        with self._lock:
            self._users -= 1
        self._close_if_left()

    def retire(self) -> None:
        self._retired = True
        self._close_if_left()

    def _close_if_left(self) -> None:
        with self._lock:
            left = self._retired and not self._users
        if left and self._opened is not None:
            self._opened.close()
