"""Builds the image of deploy/Containerfile without a registry, starts it, and signs in.

`make drill-image` needs root, and buildah and debootstrap from Debian. The base is Debian's minimal
system, from `$MIRROR` if set; `$BUILD_OPTIONS` are passed on to `buildah bud`. It prints the
time from the start on an empty volume to a signed-in dashboard, and how long a stop takes.
"""

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
from e2e.process import ADMIN, EMAIL, NO_TLS, PASSWORD, children_of, free_port
from patience import eventually

ROOT = Path(__file__).parents[1]
BASE, IMAGE = "localhost/debian:bookworm-slim", "localhost/licet"
GOAL_S = 60.0


class Images:
    """Images in a store of their own, which goes with the folder."""

    def __init__(self, folder: Path, driver: str = "vfs") -> None:
        """The driver `vfs` works in a container, too; `overlay` takes less time and space."""
        self._folder = folder
        settings = folder / "storage.conf"
        settings.write_text(
            f'[storage]\ndriver = "{driver}"\n'
            f'graphroot = "{folder / "store"}"\nrunroot = "{folder / "run"}"\n'
        )
        self.environment = {
            **os.environ,
            "BUILDAH_ISOLATION": "chroot",
            "CONTAINERS_STORAGE_CONF": str(settings),
        }

    def buildah(self, *arguments: str | Path) -> str:
        """Run buildah; return what it prints."""
        ended = subprocess.run(
            ["buildah", *map(str, arguments)],
            stdout=subprocess.PIPE,
            text=True,
            check=True,
            env=self.environment,
        )
        return ended.stdout.strip()

    def build(self) -> None:
        """Build the base from Debian's packages, and the image from the base."""
        self.build_base("bookworm", BASE)
        self.build_from(BASE, ROOT / "deploy" / "Containerfile", ROOT, IMAGE)

    def build_base(self, release: str, name: str) -> None:
        """Build the minimal system of a release of Debian from its packages."""
        system = self._folder / "debian"
        mirror = [os.environ["MIRROR"]] if "MIRROR" in os.environ else []
        run("debootstrap", "--variant=minbase", release, system, *mirror)
        base = self.buildah("from", "scratch")
        self.buildah("add", "--quiet", base, system, "/")
        self.buildah("commit", "--quiet", base, name)
        self.buildah("rm", base)
        shutil.rmtree(system)

    def build_from(self, base: str, file: Path, context: Path, name: str, *options: str) -> None:
        """Build an image from a base and a Containerfile."""
        given = shlex.split(os.environ.get("BUILD_OPTIONS", ""))
        self.buildah(
            *("bud", "--format=docker", "--build-arg", f"BASE={base}", *given, *options),
            *("--file", file, "--tag", name, context),
        )

    @contextmanager
    def started(self, **variables: str) -> Iterator[subprocess.Popen[bytes]]:
        """Run the image's own command as its own user, on an empty volume."""
        container = self.buildah("from", IMAGE)
        settings = [f"--env={name}={value}" for name, value in variables.items()]
        process = subprocess.Popen(
            ["buildah", "run", *settings, container, "--", *self._entry()],
            env=self.environment,
        )
        try:
            yield process
        finally:
            process.terminate()
            process.wait(60)
            self.buildah("rm", container)

    def _entry(self) -> list[str]:
        config = json.loads(self.buildah("inspect", "--type=image", IMAGE))["OCIv1"]["config"]
        return [*config["Entrypoint"], *config["Cmd"]]


def run(*command: str | Path) -> None:
    subprocess.run([*map(str, command)], check=True, stdout=subprocess.DEVNULL)


def server_of(pid: int) -> int:
    """Return the first process of a container, which an engine would send SIGTERM to."""
    while b"buildah" in Path(f"/proc/{pid}/cmdline").read_bytes().partition(b"\0")[0]:
        [pid] = children_of(pid)
    return pid


def sign_in(port: int) -> None:
    """Load the dashboard as a browser does, sign in, and load the first page."""
    with httpx.Client(
        base_url=f"http://127.0.0.1:{port}", verify=NO_TLS, trust_env=False, timeout=30
    ) as browser:
        page = browser.get("/").raise_for_status().text
        for path in re.findall(r'(?:src|href)="(/assets/[^"]+)"', page):
            browser.get(path).raise_for_status()
        body = {"email": EMAIL, "password": PASSWORD}
        token = browser.post("/api/auth/login", json=body).raise_for_status().json()["accessToken"]
        browser.headers["authorization"] = f"Bearer {token}"
        browser.get("/api/statistics/overview").raise_for_status()


def is_up(port: int) -> bool:
    try:
        with httpx.Client(verify=NO_TLS, trust_env=False) as client:
            return client.get(f"http://127.0.0.1:{port}/health/ready").is_success
    except httpx.TransportError:
        return False


def main() -> None:
    """Build, start, sign in, and stop."""
    with tempfile.TemporaryDirectory(prefix="licet-image-") as folder:
        images = Images(Path(folder))
        began = time.monotonic()
        images.build()
        print(f"built in {time.monotonic() - began:.0f} s")
        port = free_port()
        with images.started(**ADMIN, LICET_HOST="127.0.0.1", LICET_PORT=str(port)) as process:
            began = time.monotonic()
            eventually(lambda: is_up(port), "the service is ready")
            sign_in(port)
            took = time.monotonic() - began
            print(f"signed in {took:.1f} s after the start on an empty volume")
            began = time.monotonic()
            os.kill(server_of(process.pid), signal.SIGTERM)
            code = process.wait(60)
            print(f"stopped in {time.monotonic() - began:.1f} s, exit code {code}")
    if took >= GOAL_S:
        raise SystemExit(f"The goal is under {GOAL_S:g} s.")


if __name__ == "__main__":
    main()
