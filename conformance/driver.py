"""A driver process: PROTOCOL.md from the side of the suite."""

from __future__ import annotations

import json
import os
import queue
import shlex
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

RESPONSE_SECONDS = 60.0
START_SECONDS = 60.0
END_SECONDS = 20.0
# As at a terminal, also in a background job of a shell: a process inherits what is ignored.
WITH_DEFAULT_SIGNALS = """
import os, signal, sys
for name in ("SIGINT", "SIGHUP"):
    signal.signal(signal.Signals[name], signal.SIG_DFL)
os.execvp(sys.argv[1], sys.argv[1:])
"""


class DriverFailedError(Exception):
    """The driver broke the protocol, or did not respond in time."""


class DriverProcess:
    """A running driver.

    Args:
        command: The command line.
        environment: Added to the environment of the suite.
    """

    def __init__(
        self, command: str | Sequence[str], environment: Mapping[str, str] | None = None
    ) -> None:
        arguments = shlex.split(command) if isinstance(command, str) else list(command)
        if os.name == "posix":
            arguments = [sys.executable, "-IS", "-c", WITH_DEFAULT_SIGNALS, *arguments]
        self._process = subprocess.Popen(
            arguments,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            env={**os.environ, **(environment or {})},
        )
        self._lines: queue.Queue[str] = queue.Queue()
        self._log: list[str] = []
        threading.Thread(target=self._read, daemon=True).start()
        threading.Thread(target=self._read_log, daemon=True).start()
        self._id = 0
        self.hello = self._next_line(START_SECONDS)
        if self.hello.get("protocol") != 1:
            self.kill()
            raise DriverFailedError(f"the first line must declare protocol 1: {self.hello}")

    @property
    def capabilities(self) -> frozenset[str]:
        return frozenset(self.hello.get("capabilities", ()))

    @property
    def log(self) -> str:
        """The last lines that the driver wrote to standard error."""
        return "".join(self._log[-20:])

    def call(self, operation: str, fields: Mapping[str, Any]) -> dict[str, Any]:
        """Perform an operation; returns the response, which has ``ok`` or ``error``."""
        self._id += 1
        request = {"id": self._id, "op": operation, **fields}
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(request) + "\n")
            self._process.stdin.flush()
        except OSError as error:
            raise DriverFailedError(f"the driver has ended. {self.log}") from error
        response = self._next_line(RESPONSE_SECONDS)
        if response.get("id") != self._id or ("ok" in response) == ("error" in response):
            raise DriverFailedError(f"{operation}: not a response to request {self._id}")
        return response

    def end(self) -> int:
        """End the driver as an application ends: close its input. Returns its exit status."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        return self._wait()

    def terminate(self) -> int:
        """Send SIGTERM; returns the exit status."""
        return self._end_by("SIGTERM")

    def interrupt(self) -> int:
        """Send SIGINT; returns the exit status."""
        return self._end_by("SIGINT")

    def hang_up(self) -> int:
        """Send SIGHUP; returns the exit status."""
        return self._end_by("SIGHUP")

    def kill(self) -> None:
        """End the driver at once, without a chance to do anything."""
        self._process.kill()
        self._wait()

    def _end_by(self, name: str) -> int:
        self._process.send_signal(signal.Signals[name])  # by name: Windows has no SIGHUP
        return self._wait()

    def _wait(self) -> int:
        try:
            status = self._process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
            raise DriverFailedError("the driver did not end") from None
        finally:
            for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
                if stream is not None:
                    with suppress(BrokenPipeError):  # what it did not read is lost
                        stream.close()
        return status

    def _read(self) -> None:
        assert self._process.stdout is not None
        try:
            for line in self._process.stdout:
                self._lines.put(line)
        except ValueError:  # closed meanwhile
            pass
        self._lines.put("")

    def _read_log(self) -> None:
        assert self._process.stderr is not None
        try:
            for line in self._process.stderr:
                self._log.append(line)
        except ValueError:
            pass

    def _next_line(self, seconds: float) -> dict[str, Any]:
        try:
            line = self._lines.get(timeout=seconds)
        except queue.Empty:
            self.kill()
            raise DriverFailedError(f"no response within {seconds:g} seconds. {self.log}") from None
        if not line:
            raise DriverFailedError(f"the driver has ended. {self.log}")
        try:
            value = json.loads(line)
        except ValueError:
            value = None
        if not isinstance(value, dict):
            raise DriverFailedError(f"not a JSON object: {line[:200]!r}")
        return value
