"""A fake license server, copies of the examples for its product, and their programs."""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from licet.testing import FakeServer
from licet.testing._control import Control
from licet.testing._remote_server import FakeHttpServer
from volumes import is_long

from examples import tryout

ROOT = Path(__file__).resolve().parents[2]
PATIENCE_S = 180
"""How long a busy machine may take for what ends by itself."""


class Fake:
    """What ``licet-fake`` serves, on a free port."""

    def __init__(self) -> None:
        self._control = Control()
        self._http = FakeHttpServer("127.0.0.1", 0, control=self._control)
        self.address = self._http.base_url
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,))
        self._thread.start()

    @property
    def server(self) -> FakeServer:
        return self._control.server

    def reset(self, **product: Any) -> None:
        """Start over with another product, such as one with short heartbeats."""
        tryout.call(self.address, "POST", "/reset", product)

    def requests(self) -> list[dict[str, Any]]:
        """The log of requests."""
        found: list[dict[str, Any]] = tryout.call(self.address, "GET", "/requests")
        return found

    def close(self) -> None:
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()


@dataclass
class Copy:
    """A copy of an example, and the license that was issued for it."""

    fake: Fake
    folder: Path
    license_id: str
    key: str
    data: Path
    more_environment: dict[str, str] = field(default_factory=dict)

    @property
    def environment(self) -> dict[str, str]:
        """Neither proxies nor CI systems, and data in a folder of its own."""
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
        return {
            "PATH": path,
            "HOME": str(self.data),
            "XDG_DATA_HOME": str(self.data),
            **({"LICENSE_KEY": self.key} if self.key else {}),
            "PYTHONUNBUFFERED": "1",
            **self.more_environment,
        }

    def run(self, *command: str, fails: bool = False) -> str:
        """What a program prints that ends by itself: normally, or with a message for the user."""
        ended = subprocess.run(
            command,
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )
        assert (ended.returncode != 0) == fails, ended.stdout + ended.stderr
        if fails:
            assert ended.returncode == 1, ended.stderr
            assert "Traceback" not in ended.stderr
            return ended.stderr
        return ended.stdout

    def run_killed(self, *command: str) -> None:
        """Run a program that is killed before it ends."""
        ended = subprocess.run(
            command, cwd=self.folder, env=self.environment, timeout=PATIENCE_S, check=False
        )
        assert ended.returncode == -signal.SIGKILL

    def plan(self, **fault: Any) -> None:
        """Plan a fault of the server, as conformance/README.md lists them."""
        tryout.call(self.fake.address, "POST", "/faults", fault)

    def act(self, action: str, **body: Any) -> dict[str, Any]:
        """What the vendor does: ``revoke``, ``grant`` and the like; returns the license."""
        path = f"/licenses/{self.license_id}"
        tryout.call(self.fake.address, "POST", f"{path}/{action}", body)
        return self.license

    def wait_for_requests(self, path: str, count: int) -> None:
        """Wait until so many more requests have come to a route."""
        tryout.call(self.fake.address, "DELETE", "/requests")
        ends = time.monotonic() + PATIENCE_S
        while sum(item["path"] == path for item in self.fake.requests()) < count:
            assert time.monotonic() < ends, f"no {count} requests to {path} came"
            time.sleep(0.05)

    @property
    def license(self) -> dict[str, Any]:
        found: dict[str, Any] = tryout.call(
            self.fake.address, "GET", f"/licenses/{self.license_id}"
        )
        return found

    def refuse(self, reason: str) -> str:
        """Take the license away, and return a word of what the user is told."""
        if reason == "missing":
            self.key = ""
            settings = self.folder / tryout.SETTINGS
            if settings.exists():
                settings.write_text("{}")
        elif reason == "expired":
            self.act("renew", expirationDate="2020-01-01T00:00:00Z")
        else:
            self.act("revoke")
        return {"missing": "enter a license key", "expired": "expired"}.get(reason, "revoked")


REASONS = ("missing", "revoked", "expired") if is_long() else ("missing", "revoked")
"""Why a license is refused; the tests of each SDK know them all."""


class Running:
    """A program that runs until it is told to end."""

    def __init__(self, copy: Copy, *command: str) -> None:
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self.printed: list[str] = []
        self.process = subprocess.Popen(
            command,
            cwd=copy.folder,
            env=copy.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line.rstrip("\n"))
        self._lines.put(None)

    def wait_for(self, part: str) -> str:
        """The next line with this part."""
        while (line := self._lines.get(timeout=PATIENCE_S)) is not None:
            self.printed.append(line)
            if part in line:
                return line
        raise AssertionError(f"{part!r} was not printed: {self.printed}")

    def tell(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def end(self, *, by: signal.Signals = signal.SIGTERM) -> int:
        """Ask it to end, and return its exit status."""
        if self.process.poll() is None:
            self.process.send_signal(by)
        status = self.process.wait(PATIENCE_S)
        self._reader.join(PATIENCE_S)
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                stream.close()
        return status
