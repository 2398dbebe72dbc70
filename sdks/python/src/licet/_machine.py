"""Everything read from the machine, in one place so that tests can replace it."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

COMMAND_SECONDS = 5


class Machine(Protocol):
    """The possible sources of a hardware ID and of components. None of the methods raises."""

    @property
    def platform(self) -> str: ...

    @property
    def env(self) -> Mapping[str, str]: ...

    def read(self, path: str) -> str | None:
        """The text of a small system file."""
        ...

    def exists(self, path: str) -> bool: ...

    def names(self, path: str) -> list[str]:
        """The names in a system folder."""
        ...

    def run(self, command: Sequence[str]) -> str | None:
        """The output of a system command."""
        ...

    def registry(self, key: str, name: str) -> str | None:
        """A value below HKEY_LOCAL_MACHINE; bytes as hex digits."""
        ...

    def host_name(self) -> str: ...


@dataclass(frozen=True)
class ThisMachine:
    """The machine this process runs on."""

    platform: str = sys.platform
    env: Mapping[str, str] = field(default_factory=lambda: os.environ)

    def read(self, path: str) -> str | None:
        try:
            with Path(path).open(encoding="utf-8", errors="replace") as stream:
                return stream.read(1 << 20)
        except OSError:
            return None

    def exists(self, path: str) -> bool:
        try:
            return Path(path).exists()
        except OSError:
            return False

    def names(self, path: str) -> list[str]:
        try:
            return [item.name for item in Path(path).iterdir()]
        except OSError:
            return []

    def run(self, command: Sequence[str]) -> str | None:
        import subprocess  # noqa: PLC0415 - not needed on most systems

        try:
            done = subprocess.run(  # noqa: S603 - fixed commands with absolute paths
                list(command), capture_output=True, timeout=COMMAND_SECONDS, check=True
            )
        except (OSError, subprocess.SubprocessError):
            return None
        return done.stdout.decode("utf-8", "replace")

    def registry(self, key: str, name: str) -> str | None:
        return _read_registry(key, name)

    def host_name(self) -> str:
        import socket  # noqa: PLC0415 - not needed on most systems

        try:
            return socket.gethostname()
        except OSError:
            return ""


if sys.platform == "win32":
    import winreg

    def _read_registry(key: str, name: str) -> str | None:
        # Without this flag a 32-bit process reads another registry view that lacks the value.
        access = winreg.KEY_READ | winreg.KEY_WOW64_64KEY
        try:
            with winreg.OpenKey(winreg.HKEY_LOCAL_MACHINE, key, 0, access) as opened:
                value, _ = winreg.QueryValueEx(opened, name)
        except OSError:
            return None
        return value.hex() if isinstance(value, bytes) else str(value)

else:

    def _read_registry(key: str, name: str) -> str | None:  # noqa: ARG001 - no registry here
        return None


def operating_system() -> str:
    """A short description of the operating system, such as ``Linux 6.8 x86_64``."""
    import platform  # noqa: PLC0415 - only activations need it

    system, release = platform.system(), platform.release()
    if system == "Darwin":
        system, release = "macOS", platform.mac_ver()[0]
    version = re.match(r"\d+(\.\d+)?", release)
    parts = (system, version[0] if version else release[:20], platform.machine())
    return " ".join(part for part in parts if part)


def in_container(machine: Machine) -> bool:
    """Whether this Linux process runs in a container."""
    if any(machine.exists(path) for path in ("/.dockerenv", "/run/.containerenv")):
        return True
    if machine.env.get("container") or "KUBERNETES_SERVICE_HOST" in machine.env:
        return True
    groups = machine.read("/proc/1/cgroup") or ""
    return re.search(r"docker|kubepods|containerd|libpod|/lxc/", groups) is not None


def is_mounted(machine: Machine, path: str) -> bool:
    """Whether a file is mounted into the container from outside."""
    mounts = machine.read("/proc/self/mountinfo") or ""
    return any(
        len(fields) > 4 and fields[4] == path for fields in map(str.split, mounts.splitlines())
    )


def ci_project(machine: Machine) -> str | None:
    """The project of a CI job, the same for all its jobs and runners; ``None`` outside CI."""
    env = machine.env
    for marker, names in _CI_SYSTEMS:
        if env.get(marker):
            parts = [env.get(name, "") for name in names]
            if any(parts):
                return "/".join([marker, *parts])
    return None


_CI_SYSTEMS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("GITHUB_ACTIONS", ("GITHUB_SERVER_URL", "GITHUB_REPOSITORY")),
    ("GITLAB_CI", ("CI_SERVER_URL", "CI_PROJECT_PATH")),
    ("CIRCLECI", ("CIRCLE_PROJECT_USERNAME", "CIRCLE_PROJECT_REPONAME")),
    ("TF_BUILD", ("SYSTEM_COLLECTIONURI", "SYSTEM_TEAMPROJECT")),
    ("BITBUCKET_BUILD_NUMBER", ("BITBUCKET_REPO_FULL_NAME",)),
    ("BUILDKITE", ("BUILDKITE_ORGANIZATION_SLUG", "BUILDKITE_PIPELINE_SLUG")),
    ("TRAVIS", ("TRAVIS_REPO_SLUG",)),
    ("JENKINS_URL", ("JENKINS_URL",)),
)
