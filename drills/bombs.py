"""Response times of validations while thirty bombs of a kind are sent at once.

`make drill-bombs`. A bomb is a text or an image that a parser needs long for. The ratio of each
kind should stay under 3; `harmless` is thirty requests for the version: what thirty requests cost.
"""

import argparse
import io
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import httpx
from benchmarks.server import (
    SERVE,
    call_api,
    durable_postgres,
    running,
    signed_in,
    temporary_folder,
)
from benchmarks.vendor import create_vendor
from PIL import Image

AT_ONCE = 30
PAUSE_S = 0.02
TIMES_ALONE = 3.0
_PATIENCE_S = 120

Bomb = tuple[str, str, Mapping[str, Any]]
"""Method, path, and what else the request has."""


def _template(body: str, subject: str = "s") -> Mapping[str, Any]:
    return {"json": {"translation": {"subject": subject, "body": body}}}


def _filled(unit: str, size: int = 10_000) -> str:
    return (unit * (size // len(unit) + 1))[:size]


def _image(kind: str) -> bytes:
    target = io.BytesIO()
    Image.effect_noise((500, 500), 200).resize((4_900, 4_900), 0).convert("RGB").save(target, kind)
    return target.getvalue()


def bombs_for(institution: str, product: str) -> dict[str, list[Bomb]]:
    """Return the bombs of each kind; those of a kind are sent in turn."""
    preview = f"/api/institutions/{institution}/mail-templates/issued/preview"
    template = preview.removesuffix("/preview")
    table = "|a" * 1_200 + "\n" + "|-" * 1_200 + "\n" + "a\n" * 2_590
    largest = "|a" * 20 + "\n" + "|-" * 20 + "\n" + "a\n" * 40
    words = {tag: {"subject": "s", "body": _filled("> > > > a\n")} for tag in ("de", "en", "fr")}
    wrong = ",".join(f'"{at}":[]' for at in range(80_000))
    png, scans = _image("PNG"), _scans()
    logo = f"/api/institutions/{institution}/logo"
    as_image = {"content-type": "application/octet-stream"}
    as_json = {"content-type": "application/json"}
    return {
        "harmless": [("GET", "/api/version", {})],
        "markdown, refused": [
            ("POST", preview, _template(body))
            for body in (table, _filled("["), _filled("a|b\n-|-\n"), _filled("a\n"), _filled("*_"))
        ],
        "markdown, largest": [
            ("POST", preview, _template(body))
            for body in (largest, _filled("> > > > a\n"), _filled("---\n"), "[" * 990)
        ],
        "markdown, saved": [("PUT", template, {"json": {"translations": words}})],
        "json": [
            ("POST", "/api/licenses", {"content": body.encode(), "headers": as_json})
            for body in ("[" * 900_000, '{"featureValues":{' + wrong + "}}", "{" + wrong + "}")
        ],
        "images": [
            ("PUT", logo, {"content": content, "headers": as_image}) for content in (png, scans)
        ],
        "searches": [
            ("GET", "/api/search", {"params": {"q": text}})
            for text in ("a " * 100, "%_" * 100, "-" * 200, "\u0130" * 200)
        ],
        "names and links": [
            ("PUT", f"/api/institutions/{institution}/appearance",
             {"json": {"supportUrl": "https://" + "a-." * 300_000}}),
            ("POST", "/api/policies", {"json": {
                "productId": product, "name": "x", "type": "Perpetual",
                "licenseNamePattern": "{policy:{policy}}" * 10}}),
            ("GET", "/api/version", {"headers": {"user-agent": "(" * 7_000}}),
            ("GET", "/api/updates/latest", {"params": {"version": "1.0.0-" + "a." * 3_000}}),
        ],
    }  # fmt: skip


def _scans() -> bytes:
    target = io.BytesIO()
    Image.new("RGB", (4_900, 4_900)).save(target, "JPEG", progressive=True)
    content = target.getvalue()
    last = content.rindex(b"\xff\xda")
    return content[:-2] + content[last:-2] * (1_500_000 // (len(content) - last)) + b"\xff\xd9"


def throw(port: int, token: str, bombs: Sequence[Bomb]) -> Counter[int]:
    """Send thirty at once, and return the statuses of the answers."""
    bearer = {"authorization": f"Bearer {token}"}
    limits = httpx.Limits(max_connections=AT_ONCE)
    address = f"http://127.0.0.1:{port}"
    with (
        httpx.Client(
            base_url=address, timeout=_PATIENCE_S, headers=bearer, limits=limits
        ) as client,
        ThreadPoolExecutor(AT_ONCE) as threads,
    ):

        def send(at: int) -> int:
            method, path, more = bombs[at % len(bombs)]
            return client.request(method, path, **more).status_code

        return Counter(threads.map(send, range(AT_ONCE)))


@dataclass
class Validations:
    """Validations, one after another with a pause, and how long each took, in seconds."""

    took: list[float]

    def p99(self) -> float:
        ordered = sorted(self.took)
        return ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))]


@contextmanager
def validating(validate: Callable[[], None]) -> Iterator[Validations]:
    """Validate during the block."""
    found, stop = Validations([]), threading.Event()

    def run() -> None:
        while not stop.wait(PAUSE_S):
            start = time.perf_counter()
            validate()
            found.took.append(time.perf_counter() - start)

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield found
    finally:
        stop.set()
        thread.join()


def main() -> None:
    parser = argparse.ArgumentParser(prog="drills.bombs", description=__doc__)
    parser.add_argument(
        "--seconds", type=float, default=10, help="how long validations are measured"
    )
    seconds = parser.parse_args().seconds
    with (
        durable_postgres() as cluster,
        temporary_folder() as folder,
        running(SERVE, folder, cluster) as server,
        signed_in(server) as owner,
        ProcessPoolExecutor(1) as elsewhere,
        httpx.Client(base_url=f"http://127.0.0.1:{server.port}", timeout=_PATIENCE_S) as client,
    ):
        vendor = create_vendor(server)
        call_api(owner, "POST", f"/api/Products/{vendor.product['id']}/keys/generate", {})
        terms = {"productId": vendor.product["id"], "type": "Perpetual", "licenseName": "A"}
        key = call_api(owner, "POST", "/api/licenses", terms)["licenseKey"]
        token = owner.headers["authorization"].removeprefix("Bearer ")

        def validate() -> None:
            body = {"licenseKey": key, "hardwareId": "E5F6-A7B8"}
            sent = client.post("/api/licenses/validate", json=body, headers=vendor.headers)
            sent.raise_for_status()

        with validating(validate):
            time.sleep(2)
        with validating(validate) as alone:
            time.sleep(max(seconds, 5))
        print(f"alone: p99 {alone.p99() * 1000:.1f} ms of {len(alone.took)}")
        kinds = bombs_for(vendor.product["institutionId"], vendor.product["id"])
        for kind, bombs in kinds.items():
            with validating(validate) as beside:
                start = time.monotonic()
                statuses = elsewhere.submit(throw, server.port, token, bombs).result()
                answered = time.monotonic() - start
                time.sleep(max(0.0, seconds - answered))
            ratio = beside.p99() / alone.p99()
            print(
                f"{kind:20} p99 {beside.p99() * 1000:7.1f} ms of {len(beside.took):4}, "
                f"ratio {ratio:5.1f}{'' if ratio < TIMES_ALONE else ' !'}, "
                f"longest {max(beside.took) * 1000:.0f} ms, "
                f"answered in {answered:.1f} s: {dict(sorted(statuses.items()))}",
                flush=True,
            )


if __name__ == "__main__":
    main()
