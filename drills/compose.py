"""Starts deploy/compose.yaml as operators do, and kills, stops and recreates its containers.

`make drill-compose` needs root, and podman, aardvark-dns, buildah and debootstrap from Debian 12 or
newer. It builds the image of Licet as `make drill-image` does. PostgreSQL 17, HAProxy and Docker
Compose come from Debian 13, in images with the names and the interface of the public ones. It
prints the time from `up` to a signed-in dashboard, and how long everything takes to stop.
"""

import base64
import os
import secrets
import shutil
import signal
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import httpx
from e2e.load import Seen, issuing, stored_licenses
from e2e.process import ADMIN, EMAIL, NO_TLS, PASSWORD, free_port
from e2e.vendor import Vendor, make_vendor
from patience import eventually

from drills.engine import Engine, missing_programs
from drills.image import GOAL_S, IMAGE, ROOT, Images, sign_in

STAND_INS = Path(__file__).parent / "images"
DEBIAN_13 = "localhost/debian:trixie-slim"
PUBLIC = {"haproxy": "docker.io/library/haproxy:2.8", "postgres": "docker.io/library/postgres:17"}
COMPOSE = "usr/libexec/docker/cli-plugins/docker-compose"
_TURNS = 50
"""The licenses that clients must get after a node is gone."""


class Stack:
    """The containers of deploy/compose.yaml, behind a port of this machine."""

    def __init__(self, engine: Engine, folder: Path) -> None:
        self._engine = engine
        self._settings = folder / "settings.env"
        self.port = free_port()
        values = {
            **ADMIN,
            "POSTGRES_PASSWORD": secrets.token_hex(24),
            "LICET_MASTER_KEY": base64.b64encode(secrets.token_bytes(32)).decode(),
            "LICET_PUBLIC_URL": self.address,
            "PORT": str(self.port),
        }
        self._settings.write_text("".join(f"{name}={value}\n" for name, value in values.items()))

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def compose(self, *arguments: str) -> str:
        """Run Docker Compose on the file as it is."""
        return self._engine.compose(
            *("--project-name", "licet-drill", "--progress", "quiet"),
            *("--file", ROOT / "deploy" / "compose.yaml", "--env-file", self._settings),
            *arguments,
        )

    def up(self) -> None:
        """Start what does not run, and wait until all is healthy."""
        self.compose("up", "--detach", "--wait", "--no-build")

    def state(self, service: str, field: str) -> str:
        """Return a field of the state of a service's container."""
        container = self.compose("ps", "--all", "--quiet", service)
        return self._engine.podman("inspect", f"--format={{{{.State.{field}}}}}", container)

    @contextmanager
    def owner(self) -> Iterator[httpx.Client]:
        """A client of the signed-in Owner."""
        with httpx.Client(
            base_url=self.address, timeout=30, trust_env=False, verify=NO_TLS
        ) as client:
            body = {"email": EMAIL, "password": PASSWORD}
            signed_in = client.post("/api/auth/login", json=body).raise_for_status().json()
            client.headers["authorization"] = f"Bearer {signed_in['accessToken']}"
            yield client


def build(images: Images, folder: Path) -> None:
    """Build the three images, and put Docker Compose into the folder."""
    images.build()
    images.buildah("tag", IMAGE, "docker.io/library/licet")
    images.build_base("trixie", DEBIAN_13)
    for target, name in PUBLIC.items():
        options = "--layers", f"--target={target}"
        images.build_from(DEBIAN_13, STAND_INS / "Containerfile", STAND_INS, name, *options)
    container = images.buildah("from", PUBLIC["haproxy"])
    shutil.copy(Path(images.buildah("mount", container)) / COMPOSE, folder)
    images.buildah("rm", container)


def seconds(step: Callable[[], object]) -> float:
    began = time.monotonic()
    step()
    return time.monotonic() - began


def crash(stack: Stack) -> None:
    """Kill the first process of a node, and wait until the engine has started it again."""
    before = stack.state("two", "Pid")
    os.kill(int(before), signal.SIGKILL)
    eventually(lambda: stack.state("two", "Pid") not in (before, "0"), "the container runs again")


def kill(stack: Stack) -> None:
    stack.compose("kill", "one")
    assert stack.state("one", "Running") == "false"


def stop(stack: Stack, service: str) -> None:
    took = seconds(partial(stack.compose, "stop", service))
    code = stack.state(service, "ExitCode")
    print(f"{service} stops in {took:.1f} s, exit code {code}")
    assert code == "0"


def go_on(seen: Seen) -> None:
    """Wait until the clients have got more licenses."""
    wanted = len(seen.acknowledged) + _TURNS
    eventually(lambda: seen.has_acknowledged(wanted), "licenses are issued", 60)


def disrupt(stack: Stack, vendor: Vendor) -> None:
    """Take one node away, then the other, while clients issue and validate."""
    with issuing(stack, vendor) as seen:
        go_on(seen)
        for name, disruption in (("killed", kill), ("crashed", crash)):
            disruption(stack)
            print(f"a node {name}: {_TURNS} more licenses in {seconds(partial(go_on, seen)):.1f} s")
            took = seconds(stack.up)
            print(f"  healthy again {took:.1f} s after that")
            go_on(seen)
        took = seconds(partial(stack.compose, "stop", "one"))
        print(
            f"a node under load stops in {took:.1f} s, exit code {stack.state('one', 'ExitCode')}"
        )
        go_on(seen)
        stack.up()
    lost = seen.acknowledged.keys() - stored_licenses(vendor).keys()
    statuses = ", ".join(f"{count} x {status}" for status, count in sorted(seen.statuses.items()))
    print(f"responses: {statuses}; {seen.unreached} without; licenses lost: {len(lost)}")
    assert not lost


def store_file(vendor: Vendor, content: bytes) -> str:
    """Attach a file to a release; return its address."""
    release = vendor.ok(
        "POST",
        f"/api/products/{vendor.product}/releases",
        {"version": "3.0.0", "channel": "Stable", "status": "Published"},
    )
    path = f"/api/releases/{release['id']}/files"
    stored = vendor.owner.post(path, files={"file": ("app.bin", content)}).raise_for_status().json()
    return f"{path}/{stored['id']}/content"


def validate(stack: Stack, vendor: Vendor, license_key: str) -> None:
    """Validate a license with the product's key, as an application does."""
    answer = httpx.post(
        f"{stack.address}/api/licenses/validate",
        json={"licenseKey": license_key},
        headers={"x-api-key": vendor.api_key},
        trust_env=False,
        verify=NO_TLS,
    )
    assert answer.raise_for_status().json()["valid"]


def drill(stack: Stack) -> float:
    """Run through the life of an installation; return the seconds until the sign-in."""
    began = time.monotonic()
    stack.up()
    healthy = time.monotonic() - began
    sign_in(stack.port)
    took = time.monotonic() - began
    print(f"healthy {healthy:.1f} s and signed in {took:.1f} s after `up` on empty volumes")
    content = secrets.token_bytes(300_000)
    with stack.owner() as owner:
        vendor = make_vendor(owner)
        file, license_key = store_file(vendor, content), vendor.issue()["licenseKey"]
        validate(stack, vendor, license_key)
        disrupt(stack, vendor)
    for service in ("proxy", "two", "database"):
        stop(stack, service)
    stack.up()
    print(f"`down` takes {seconds(partial(stack.compose, 'down')):.1f} s")
    print(f"`up` takes {seconds(stack.up):.1f} s on the same volumes")
    validate(stack, vendor, license_key)
    with stack.owner() as owner:
        for _ in ("one", "two"):  # in turn
            assert owner.get(file).raise_for_status().content == content
    return took


def main() -> None:
    """Build the images, run the drill, and remove everything."""
    if missing := missing_programs():
        print(f"The drill of compose.yaml is left out. It needs {', '.join(missing)}.")
        return
    with tempfile.TemporaryDirectory(prefix="licet-compose-") as name:
        folder = Path(name)
        images = Images(folder, "overlay")
        engine = Engine(folder, images.environment)
        with engine.serving():
            print(f"built in {seconds(partial(build, images, folder)):.0f} s", flush=True)
            stack = Stack(engine, folder)
            try:
                took = drill(stack)
            except BaseException:
                print(stack.compose("logs", "--tail=30"))
                raise
            finally:
                stack.compose("down", "--volumes", "--timeout=1")
    if took >= GOAL_S:
        raise SystemExit(f"The goal is under {GOAL_S:g} s.")


if __name__ == "__main__":
    main()
