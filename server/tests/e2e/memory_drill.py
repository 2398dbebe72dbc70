"""Sends requests for some minutes, and prints the resident memory of the process after each.

`make drill-memory` runs ten minutes; `MINUTES=60 make drill-memory` an hour. The collector looks at
little and seldom, so this is the proof that nothing grows meanwhile.
"""

import asyncio
import os
import time
from dataclasses import dataclass
from itertools import cycle

import httpx
from e2e.process import ADMIN, Service
from e2e.socket_drill import memory_mb
from e2e.wire import Wire

CLIENTS = 32
MACHINES = 500
GROWTH_MB = 20


@dataclass(frozen=True, slots=True)
class Shop:
    """What an application of the product knows."""

    api_key: str
    perpetual: str
    floating: str


def open_shop(owner: httpx.Client) -> Shop:
    """Create a product with a license of each model that the load uses."""

    def post(path: str, **body: object) -> dict[str, str]:
        return dict(owner.post(path, json=body).raise_for_status().json())

    product = post("/api/products", name="Aurora", initialVersion="1.0.0")["id"]
    post(f"/api/products/{product}/keys/generate", keySize=2048)
    credentials = owner.get(f"/api/products/{product}/credentials").raise_for_status().json()
    draft = {"productId": product, "licenseName": "Load", "issuedTo": "customer@example.com"}
    seats = {"maxActiveUsersCount": 2 * MACHINES}
    return Shop(
        credentials["apiKey"],
        post("/api/licenses", type="Perpetual", **draft)["licenseKey"],
        post("/api/licenses", type="Floating", **draft, **seats)["licenseKey"],
    )


async def load(service: Service, shop: Shop, minutes: float) -> list[float]:
    """Validate, connect and disconnect; returns the memory in MB after each minute."""
    wire, until = Wire(service.port), time.monotonic() + 60 * minutes
    machines = cycle(range(MACHINES))
    answered = 0

    async def ask(path: str, body: dict[str, str]) -> dict[str, str]:
        nonlocal answered
        status, answer = await wire.request("POST", path, shop.api_key, body)
        assert status < 300, (path, status, answer)
        answered += 1
        return dict(answer)

    async def live() -> None:
        while time.monotonic() < until:
            machine = f"machine-{next(machines)}"
            await ask("/api/licenses/validate", {"licenseKey": shop.perpetual})
            held = {"licenseKey": shop.floating, "hardwareId": machine, "instanceId": machine}
            session = {"sessionId": (await ask("/api/sessions/connect", held))["sessionId"]}
            await ask("/api/sessions/disconnect", session)

    assert service.process is not None
    clients = [asyncio.create_task(live()) for _ in range(CLIENTS)]
    taken: list[float] = []
    while not all(client.done() for client in clients):
        await asyncio.wait(clients, timeout=60)
        taken.append(memory_mb(service.process.pid))
        print(f"{len(taken):3} min: {taken[-1]:.1f} MB after {answered:,} requests", flush=True)
    await asyncio.gather(*clients)
    await wire.close()
    return taken


def main() -> None:
    """Start a service on a new folder, load it, and judge its growth after the first minute."""
    service = Service(ADMIN, in_fresh_interpreter=True)
    try:
        service.start("--workers", 1)
        with service.sign_in() as owner:
            shop = open_shop(owner)
        taken = asyncio.run(load(service, shop, float(os.environ.get("MINUTES", "10"))))
    finally:
        service.remove()
    if max(taken) - taken[0] > GROWTH_MB:
        raise SystemExit(f"The process grew by {max(taken) - taken[0]:.0f} MB.")


if __name__ == "__main__":
    main()
