"""What a check sees: drivers, a server, a folder. Everything that it observes can be recorded."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any, Protocol

from conformance.driver import DriverProcess
from conformance.targets import Target

WAIT_SECONDS = 20.0
HARDWARE = "h1m-0123456789abcdef0123456789abcdef01234567"
OTHER_HARDWARE = "h1m-ffffffffffffffffffffffffffffffffffffffff"
SERVER_FIELDS = ("productId", "publicKey", "productApiKey")


@dataclass(frozen=True)
class Observation:
    """Something that a check has observed.

    Attributes:
        channel: ``driver``, ``control``, ``disk`` or ``end`` (how a driver ended).
        name: The operation, or the method and the route.
        request: The fields of the request.
        outcome: What came back.
    """

    channel: str
    name: str
    request: Mapping[str, Any]
    outcome: Any


class Observer(Protocol):
    """Between a check and what it observes: passes on, records, or replays."""

    def observe(
        self, channel: str, name: str, request: Mapping[str, Any], perform: Callable[[], Any]
    ) -> Any: ...


class Live:
    """Passes everything on, and keeps it."""

    def __init__(self) -> None:
        self.observations: list[Observation] = []

    def observe(
        self, channel: str, name: str, request: Mapping[str, Any], perform: Callable[[], Any]
    ) -> Any:
        outcome = perform()
        self.observations.append(Observation(channel, name, dict(request), outcome))
        return outcome


@dataclass
class DriverHandle:
    """A driver of a check, whose label each request carries as ``case``."""

    observer: Observer
    process: DriverProcess | None
    label: str

    def ask(self, op: str, **given: Any) -> dict[str, Any]:
        """Perform an operation; returns the response with ``ok`` or ``error``."""
        fields = {"case": self.label, **given}

        def perform() -> dict[str, Any]:
            assert self.process is not None
            return self.process.call(op, fields)

        response: dict[str, Any] = self.observer.observe("driver", op, fields, perform)
        return response

    def call(self, op: str, **fields: Any) -> dict[str, Any]:
        """Perform an operation that has to succeed; returns its result."""
        response = self.ask(op, **fields)
        assert "ok" in response, f"{op} failed: {response.get('error')}"
        result: dict[str, Any] = response["ok"]
        return result

    def error(self, op: str, **fields: Any) -> dict[str, Any]:
        """Perform an operation that has to fail; returns its error."""
        response = self.ask(op, **fields)
        assert "error" in response, f"{op} succeeded: {response.get('ok')}"
        error: dict[str, Any] = response["error"]
        return error

    def end(self, how: str = "end") -> int | None:
        """End the driver: ``end`` (its input), ``kill``, or the name of a signal's method."""

        def perform() -> int | None:
            assert self.process is not None
            status: int | None = getattr(self.process, how)()
            return status

        status: int | None = self.observer.observe("end", how, {}, perform)
        return status


@dataclass
class World:
    """Everything that a check may use.

    Attributes:
        folder: An empty folder.
        pause: Seconds between two looks while waiting.
        start: Starts another driver, with these environment variables.
    """

    driver: DriverHandle
    target: Target | None
    folder: Path
    observer: Observer
    start: Callable[[Mapping[str, str]], DriverProcess | None]
    pause: float = 0.05
    _extra: list[DriverHandle] = field(default_factory=list)
    _product: dict[str, Any] = field(default_factory=dict)

    # The server.

    def control(self, method: str, path: str, **body: Any) -> Any:
        """Perform a control request of the fake server."""

        def perform() -> Any:
            assert self.target is not None
            return self.target.control(method, path, body)

        return self.observer.observe("control", f"{method} {path}", body, perform)

    @property
    def product(self) -> dict[str, Any]:
        """What an application is configured with."""
        if not self._product:
            self.reset()
        return self._product

    def reset(self, **settings: Any) -> None:
        """Begin with a new product on the server, with these settings."""
        self._product = self.control("POST", "/reset", **settings)

    def issue(self, type_: str = "Perpetual", **terms: Any) -> dict[str, Any]:
        """Issue a license."""
        assert self.product
        license_: dict[str, Any] = self.control("POST", "/licenses", type=type_, **terms)
        return license_

    def vendor(self, license_: Mapping[str, Any], action: str, **body: Any) -> Any:
        """What the vendor does with a license, such as ``revoke``."""
        return self.control("POST", f"/licenses/{license_['id']}/{action}", **body)

    def state_of(self, license_: Mapping[str, Any]) -> dict[str, Any]:
        """The license as the server sees it now."""
        state: dict[str, Any] = self.control("GET", f"/licenses/{license_['id']}")
        return state

    def fault(self, on: str | None = None, **fault: Any) -> None:
        """Plan a fault of the server."""
        self.control("POST", "/faults", on=on, **fault)

    def clear_log(self) -> None:
        self.control("DELETE", "/requests")

    def requests(self, *paths: str) -> list[dict[str, Any]]:
        """The requests so far to these routes, or to all."""
        log: list[dict[str, Any]] = self.control("GET", "/requests")
        return [entry for entry in log if not paths or entry["path"] in paths]

    def wait_for(self, condition: Callable[[], bool]) -> bool:
        """Wait until a condition holds, or for 20 seconds; returns whether it does."""
        deadline = time.monotonic() + WAIT_SECONDS
        while not condition():
            if time.monotonic() > deadline:
                return False
            time.sleep(self.pause)
        return True

    # The SDK.

    def config(self, license_: Mapping[str, Any] | None = None, **changes: Any) -> dict[str, Any]:
        """The configuration of an application on this server; ``None`` leaves an option out."""
        options = {
            **{name: self.product[name] for name in SERVER_FIELDS},
            "serverBaseEndpoint": self.product.get("serverBaseEndpoint") or self._endpoint,
            "licenseKey": None if license_ is None else license_["licenseKey"],
            "licenseFile": str(self.folder / "license.bin"),
            "hardwareId": HARDWARE,
            "timeoutSeconds": 10,
            "trustEnvironment": False,
            **changes,
        }
        return {name: value for name, value in options.items() if value is not None}

    @property
    def _endpoint(self) -> str:
        endpoint: str = self.observer.observe(
            "control", "endpoint", {}, lambda: self.target.endpoint if self.target else ""
        )
        return endpoint

    def client(
        self,
        license_: Mapping[str, Any] | None = None,
        driver: DriverHandle | None = None,
        **changes: Any,
    ) -> str:
        """Create a client on this server."""
        made = (driver or self.driver).call(
            "create_client", config=self.config(license_, **changes)
        )
        name: str = made["client"]
        return name

    def another_driver(self, **environment: str) -> DriverHandle:
        """Another process of the SDK."""
        handle = DriverHandle(self.observer, self.start(environment), self.driver.label)
        self._extra.append(handle)
        return handle

    def close(self) -> None:
        for handle in self._extra:
            if handle.process is not None:
                handle.process.kill()

    # Time and disk.

    def set_time(self, now: str) -> None:
        """Let the server and the driver agree on a time that stands still."""
        assert self.product
        self.control("POST", "/clock", now=now, frozen=True)
        self.driver.call("set_clock", now=now)

    def advance(self, *, days: int) -> None:
        """Move the server's clock alone: on a real server, the clock of a Test product."""
        assert self.product
        self.control("POST", "/clock", advanceSeconds=days * 86_400)

    def read(self, path: Path) -> str | None:
        """The text of a file; ``None`` if it does not exist."""
        text: str | None = self.observer.observe(
            "disk",
            path.name,
            {},
            lambda: path.read_text(encoding="utf-8", errors="replace") if path.exists() else None,
        )
        return text

    def modified(self, path: Path) -> float | None:
        """When a file was last written; ``None`` if it does not exist."""
        at: float | None = self.observer.observe(
            "disk",
            f"{path.name} modified",
            {},
            lambda: path.stat().st_mtime if path.exists() else None,
        )
        return at

    def files(self, folder: Path) -> list[str]:
        """The names of the files in a folder."""
        names: list[str] = self.observer.observe(
            "disk", "names", {}, lambda: sorted(item.name for item in folder.iterdir())
        )
        return names


def seconds_between(entries: list[dict[str, Any]]) -> list[float]:
    """The seconds between consecutive requests of a log."""
    times = [entry["receivedSeconds"] for entry in entries]
    return [later - earlier for earlier, later in pairwise(times)]
