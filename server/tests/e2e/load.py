"""Clients that issue licenses and ask about them without end, and remember what they were told."""

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol

import httpx
from e2e.process import NO_TLS
from e2e.vendor import Vendor
from patience import PATIENCE_S


class Reachable(Protocol):
    """A service, or what stands in front of several."""

    @property
    def address(self) -> str: ...


@dataclass
class Seen:
    """What came back: ids of acknowledged licenses, statuses, faults that are none of ours."""

    acknowledged: dict[str, str] = field(default_factory=dict)
    statuses: Counter[int] = field(default_factory=Counter)
    unreached: int = 0
    odd: list[str] = field(default_factory=list)

    def has_acknowledged(self, count: int) -> bool:
        return len(self.acknowledged) >= count

    def note(self, answer: httpx.Response) -> None:
        self.statuses[answer.status_code] += 1
        if answer.status_code == 201:
            made = answer.json()
            self.acknowledged[made["id"]] = made["licenseKey"]
        elif answer.status_code == 503:
            problem = answer.json()
            if problem["errorCode"] != "Unavailable" or "retry-after" not in answer.headers:
                self.odd.append(answer.text)
        elif answer.status_code != 200:
            self.odd.append(f"{answer.status_code}: {answer.text}")


@contextmanager
def issuing(service: Reachable, vendor: Vendor, clients: int = 3) -> Iterator[Seen]:
    """Load for as long as the block runs."""
    seen = Seen()
    stop = threading.Event()
    headers = dict(vendor.owner.headers)
    body = vendor.draft()
    known: Any = {"licenseKey": vendor.issue()["licenseKey"]}

    def live() -> None:
        while not stop.is_set():
            try:
                with httpx.Client(
                    base_url=service.address, timeout=PATIENCE_S, trust_env=False, verify=NO_TLS
                ) as client:
                    while not stop.is_set():
                        seen.note(client.post("/api/licenses", json=body, headers=headers))
                        key = {"x-api-key": vendor.api_key}
                        asked = client.post("/api/licenses/validate", json=known, headers=key)
                        seen.note(asked)
            except httpx.TransportError:  # the process is gone, its answer with it
                seen.unreached += 1
                stop.wait(0.05)

    threads = [threading.Thread(target=live) for _ in range(clients)]
    for thread in threads:
        thread.start()
    try:
        yield seen
    finally:
        stop.set()
        for thread in threads:
            thread.join(PATIENCE_S)


def stored_licenses(vendor: Vendor) -> dict[str, str]:
    """Every license that the service knows, by walking the list."""
    found: dict[str, str] = {}
    after: str | None = ""
    while after is not None:
        step = vendor.ok("GET", f"/api/licenses?pageSize=100&after={after}")
        found |= {item["id"]: item["licenseKey"] for item in step["items"]}
        after = step["nextAfter"]
    return found
