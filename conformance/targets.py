"""The servers that an SDK is checked against: the fake one with its controls, or a real one."""

from __future__ import annotations

import json
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Mapping
from functools import cached_property
from typing import Any, Protocol


class UnsupportedError(Exception):
    """The target cannot do what a check needs; the check is skipped."""


class Target(Protocol):
    """A license server with one product."""

    @property
    def endpoint(self) -> str:
        """The address for applications, ending in ``/api``."""
        ...

    def control(self, method: str, path: str, body: Mapping[str, Any]) -> Any:
        """Perform a control request of ``licet-fake``, see README.md.

        Raises:
            UnsupportedError: The target has no such control.
        """
        ...

    def close(self) -> None: ...


class FakeTarget:
    """``licet-fake``: one that runs already, or a process of its own, started when it is needed."""

    def __init__(self, url: str | None = None) -> None:
        self._url = url
        self._process: subprocess.Popen[str] | None = None

    @property
    def endpoint(self) -> str:
        return f"{self._base}/api"

    @cached_property
    def _base(self) -> str:
        if self._url is not None:
            return self._url.rstrip("/").removesuffix("/api")
        command = [sys.executable, "-m", "licet.testing.cli"]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        addresses = json.loads(self._process.stdout.readline())
        return str(addresses["serverBaseEndpoint"]).removesuffix("/api")

    def control(self, method: str, path: str, body: Mapping[str, Any]) -> Any:
        return send(method, f"{self._base}/control{path}", body)

    def close(self) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.communicate()


def send(
    method: str, url: str, body: Mapping[str, Any], headers: Mapping[str, str] | None = None
) -> Any:
    """Send JSON and return the JSON of the response.

    Raises:
        AssertionError: The server refused; the message says why.
    """
    content = json.dumps(body).encode() if method != "GET" else None
    request = urllib.request.Request(  # noqa: S310 - the address of whoever runs the suite
        url, content, {"Content-Type": "application/json", **(headers or {})}, method=method
    )
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(request, timeout=30) as response:
            text = response.read()
    except urllib.error.HTTPError as error:
        reason = f"{method} {url}: {error.code} {error.read()[:500]!r}"
        raise AssertionError(reason) from None
    return json.loads(text) if text else {}
