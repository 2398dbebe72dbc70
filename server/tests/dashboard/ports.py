"""The ports that the services of this process take one after the other.

A browser has cached the files of a service by its address, and knows those of the next one there.
"""

import secrets
import socket

_NOT_GIVEN_AWAY = range(20_000, 32_000)
"""The system gives none of these to a program that asks for any port."""

_taken: list[int] = []


def steady_port() -> int:
    """A port that a service had before, if none listens there now."""
    for port in _taken:
        if _is_free(port):
            return port
    while not _is_free(port := secrets.choice(_NOT_GIVEN_AWAY)):
        pass
    _taken.append(port)
    return port


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as a server does
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True
