"""Runs wrk, a load client in C that costs next to nothing, where it is installed."""

import shutil
import subprocess
from collections.abc import Mapping
from functools import cache
from pathlib import Path

_SCRIPT = Path(__file__).with_name("wrk.lua")


@cache
def program() -> str | None:
    """Return the path of wrk, or `None`."""
    return shutil.which("wrk")


def run(
    url: str,
    headers: Mapping[str, str],
    bodies: Path | None,
    *,
    status: int,
    expect: str,
    connections: int,
    seconds: int,
) -> bytes:
    """Send load from one thread; returns an `Outcome` as JSON."""
    given = {**headers, "Content-Type": "application/json"} if bodies else headers
    command = [
        program() or "wrk",
        "--threads=1",
        f"--connections={connections}",
        f"--duration={seconds}s",
        "--timeout=30s",
        f"--script={_SCRIPT}",
        *(f"--header={name}: {value}" for name, value in given.items()),
        url,
        "--",
        str(bodies or ""),
        str(status),
        expect,
    ]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True, timeout=seconds + 60)
    return done.stdout.splitlines()[-1]
