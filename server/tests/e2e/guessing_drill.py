"""Guesses license passwords from many addresses at once, and measures what operators notice.

`make drill-guessing` prints how much longer a sign-in takes meanwhile. Each guess comes from an
address of its own and there are many licenses, so that limits help little: what remains is that
pools are separate.
"""

import asyncio
import itertools
import statistics
import time
from collections import Counter

import httpx
from e2e.process import ADMIN, EMAIL, NO_TLS, PASSWORD, Service

GUESSERS = 200
LICENSES = 50
SIGN_INS = 8
_addresses = (f"10.{n >> 16 & 255}.{n >> 8 & 255}.{n & 255}" for n in itertools.count(1))


async def sign_in_seconds(client: httpx.AsyncClient) -> list[float]:
    """How long sign-ins take, one after the other."""
    taken = []
    for _ in range(SIGN_INS):
        started = time.monotonic()
        answer = await client.post(
            "/api/auth/login",
            json={"email": EMAIL, "password": PASSWORD},
            headers={"X-Forwarded-For": next(_addresses)},
        )
        answer.raise_for_status()
        taken.append(time.monotonic() - started)
    return taken


async def measure(service: Service) -> None:
    """Sign in on a quiet service, and while everyone guesses."""
    limits = httpx.Limits(max_connections=GUESSERS + 10)
    async with httpx.AsyncClient(
        base_url=service.address, timeout=60, trust_env=False, verify=NO_TLS, limits=limits
    ) as client:
        body = {"email": EMAIL, "password": PASSWORD}
        token = (await client.post("/api/auth/login", json=body)).json()["accessToken"]
        operator = {"authorization": f"Bearer {token}"}
        product = {"name": "Aurora", "initialVersion": "1.0.0"}
        made = (await client.post("/api/products", json=product, headers=operator)).json()
        path = f"/api/products/{made['id']}/keys/generate"
        (await client.post(path, json={}, headers=operator)).raise_for_status()
        path = f"/api/products/{made['id']}/credentials"
        key = (await client.get(path, headers=operator)).json()["apiKey"]
        draft = {"productId": made["id"], "type": "Perpetual", "username": "jo", "password": "p w"}
        keys = []
        for n in range(LICENSES):
            answer = await client.post(
                "/api/licenses", json={**draft, "licenseName": f"License {n}"}, headers=operator
            )
            keys.append(answer.raise_for_status().json()["licenseKey"])
        quiet = await sign_in_seconds(client)
        told: Counter[str] = Counter()
        stop = asyncio.Event()

        async def guess(license_key: str) -> None:
            while not stop.is_set():
                answer = await client.post(
                    "/api/licenses/validate",
                    json={"licenseKey": license_key, "username": "jo", "password": "guess"},
                    headers={"X-API-KEY": key, "X-Forwarded-For": next(_addresses)},
                )
                told[str(answer.json().get("errorCode") or answer.json()["status"])] += 1
                if answer.status_code == 503:
                    await asyncio.sleep(float(answer.headers["retry-after"]))

        guessers = [asyncio.create_task(guess(keys[n % LICENSES])) for n in range(GUESSERS)]
        await asyncio.sleep(2)
        guessed = await sign_in_seconds(client)
        stop.set()
        for guesser in guessers:
            guesser.cancel()
        await asyncio.gather(*guessers, return_exceptions=True)
    before, after = statistics.median(quiet), statistics.median(guessed)
    print(
        f"{GUESSERS} guessers: a sign-in took {before * 1000:.0f} ms, then {after * 1000:.0f} ms "
        f"(x {after / before:.1f}; slowest {max(guessed) * 1000:.0f} ms); guesses: {dict(told)}"
    )


def main() -> None:
    """Start a service on a new folder, and measure."""
    service = Service({**ADMIN, "LICET_TRUSTED_PROXIES": "127.0.0.1"}, in_fresh_interpreter=True)
    try:
        service.start("--workers", 1)
        asyncio.run(measure(service))
    finally:
        service.remove()


if __name__ == "__main__":
    main()
