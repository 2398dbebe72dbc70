"""Podman with a store of its own, and Docker Compose, which talks to it as to Docker."""

import os
import shutil
import subprocess
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from patience import eventually

_CHECK_EVERY_S = 1.0


class Engine:
    """Podman's API on a socket in the folder."""

    def __init__(self, folder: Path, environment: Mapping[str, str]) -> None:
        """`environment` names the store of the images and containers."""
        self._folder = folder
        self._socket = folder / "podman.sock"
        self._environment = {**environment, "DOCKER_HOST": f"unix://{self._socket}"}
        self._ended = threading.Event()

    def podman(self, *arguments: str) -> str:
        """Run podman; return what it prints."""
        return self._run("podman", *arguments)

    def compose(self, *arguments: str | Path) -> str:
        """Run Docker Compose; return what it prints."""
        return self._run(self._folder / "docker-compose", *arguments)

    def _run(self, *command: str | Path) -> str:
        ended = subprocess.run(
            [*map(str, command)], capture_output=True, text=True, env=self._environment, check=False
        )
        if ended.returncode:
            words = " ".join(map(str, command[1:]))
            raise RuntimeError(f"{words}: exit code {ended.returncode}\n{ended.stderr}")
        return ended.stdout.strip()

    @contextmanager
    def serving(self) -> Iterator[None]:
        """Serve the API, and check the health of containers where systemd does not."""
        with (self._folder / "podman.log").open("wb") as log:
            command = ["podman", "system", "service", "--time=0", f"unix://{self._socket}"]
            service = subprocess.Popen(
                command, env=self._environment, stdout=log, stderr=subprocess.STDOUT
            )
        checks = threading.Thread(target=self._check_health)
        try:
            eventually(self._socket.exists, "podman serves its API")
            if not Path("/run/systemd/system").is_dir():
                checks.start()
            yield
        finally:
            self._ended.set()
            if checks.ident is not None:
                checks.join()
            service.terminate()
            service.wait(30)
            unmount(self._folder)

    def _check_health(self) -> None:
        """Check all containers again and again; podman leaves that to systemd's timers."""
        while not self._ended.wait(_CHECK_EVERY_S):
            for name in self.podman("ps", "--format={{.Names}}").splitlines():
                subprocess.run(
                    ["podman", "healthcheck", "run", name],
                    capture_output=True,
                    env=self._environment,
                    check=False,
                )


def unmount(folder: Path) -> None:
    """Unmount what an engine leaves mounted in its store."""
    lines = Path("/proc/mounts").read_text().splitlines()
    mounted = [line.split()[1] for line in lines]
    for place in reversed(mounted):
        if Path(place).is_relative_to(folder):
            subprocess.run(["umount", place], check=True)


def missing_programs() -> list[str]:
    """Return what a drill of containers needs and this machine does not have."""
    needed = ("debootstrap", "buildah", "podman")
    missing = [name for name in needed if shutil.which(name) is None]
    folders = map(Path, ("/usr/lib/podman", "/usr/libexec/podman"))
    if not any((folder / "aardvark-dns").exists() for folder in folders):
        missing.append("aardvark-dns")
    return missing if os.geteuid() == 0 else [*missing, "root"]
