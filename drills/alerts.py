"""Provokes the fault behind each alert, and waits until Prometheus says that the alert fires.

`make drill-alerts` runs a database, the service and Prometheus on this machine, and prints how long
each alert took to fire. The rules are those of the repository, with shorter durations. It needs
`prometheus` (Debian has it), and root for a disk that is nearly full.
"""

import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TypeVar

from e2e.process import ADMIN, Service, free_port
from e2e.vendor import make_vendor
from shared_postgres import create_folder

from drills.backups import BACKED_UP, backed_up_service
from drills.faults import ONE_PROCESS, TWO_PROCESSES, LeftOut
from drills.prometheus import RULES, SHORTENED, Prometheus
from drills.stage import Stage
from licet_server.kit.postgres import EmbeddedPostgres

PATIENCE_S = 180.0
_DISK = "size=64m"
_CONNECTIONS = {"max_connections": "50"}

On = TypeVar("On")
Took = dict[str, float | None]
"""The seconds until each alert fired; None for one that did not."""

Plan = Sequence[tuple[Callable[[On], Iterator[None]], Sequence[str]]]
"""Faults, each with the alerts that it causes."""


@contextmanager
def running_database() -> Iterator[EmbeddedPostgres]:
    """Run a database that the service only has a URL of."""
    folder = create_folder("licet-drill-")
    database = EmbeddedPostgres(folder, log=lambda _: None, settings=_CONNECTIONS)
    try:
        database.__enter__()
        yield database
    finally:
        database.__exit__(None, None, None)
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def running_service(database: EmbeddedPostgres, **variables: str) -> Iterator[Service]:
    """Run the service with a data folder on a small disk of its own, if this is root."""
    service = Service(
        {
            **ADMIN,
            "DATABASE_URL": database.url,
            "LICET_SMTP_URL": f"smtp://127.0.0.1:{free_port()}",
            "LICET_MAIL_FROM": "Licet <licet@example.com>",
            "LICET_WEBHOOKS_ALLOW_PRIVATE": "true",
            **variables,
        },
        in_fresh_interpreter=True,
    )
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", _DISK, "licet-drill", service.folder],
        capture_output=True,
        check=False,
    )
    service.folder.chmod(0o711)
    try:
        service.start()
        yield service
    finally:
        if service.process is not None:
            service.stop()
        if mounted.returncode == 0:
            subprocess.run(["umount", service.folder], check=True)
        service.remove()


def drill(plan: Plan[Stage], **variables: str) -> Took:
    """Provoke the faults one after the other; returns the seconds until each alert fired."""
    with (
        running_database() as database,
        running_service(database, **variables) as service,
        service.sign_in() as owner,
    ):
        vendor = make_vendor(owner)
        stage = Stage(service, database, vendor, vendor.issue()["licenseKey"])
        return _watch(service, stage, plan)


def drill_backups(plan: Plan[Service]) -> Took:
    """Provoke faults of backups, which the embedded database alone has."""
    with backed_up_service() as service:
        return _watch(service, service, plan)


def _watch(service: Service, stage: On, plan: Plan[On]) -> Took:
    took: Took = {}
    prometheus = Prometheus(service.root / "prometheus", service.port)
    try:
        time.sleep(3)  # the first scrapes
        for fault, alerts in plan:
            took |= _provoke(stage, prometheus, fault, alerts)
    finally:
        prometheus.stop()
    return took


def _provoke(
    stage: On,
    prometheus: Prometheus,
    fault: Callable[[On], Iterator[None]],
    alerts: Sequence[str],
) -> Took:
    for alert in alerts:
        if not prometheus.wait_until_quiet(alert, PATIENCE_S):
            print(f"{alert} fires before its fault", flush=True)
    took: Took = {}
    told = (fault.__doc__ or "").strip()
    started = time.monotonic()
    try:
        with contextmanager(fault)(stage):
            for alert in alerts:
                fired = prometheus.wait_until_firing(alert, PATIENCE_S)
                took[alert] = time.monotonic() - started if fired else None
                seconds = f"{took[alert]:6.1f} s" if fired else "   never"
                print(f"{alert:<36} {seconds}   {told}", flush=True)
    except LeftOut as reason:
        for alert in alerts:
            print(f"{alert:<36} left out   {reason}", flush=True)
    return took


def main() -> None:
    """Run all drills, and fail unless each alert of the rules has fired."""
    if shutil.which("prometheus") is None:
        sys.exit("prometheus is not installed; Debian has it.")
    print("Shortened:", "; ".join(f"{old} to {new}" for old, new in SHORTENED), flush=True)
    took = drill(ONE_PROCESS, LICET_WORKERS="1", LICET_MAX_CONNECTIONS="6000")
    took |= drill(TWO_PROCESSES, LICET_WORKERS="2", LICET_MAX_CONNECTIONS="100")
    took |= drill_backups(BACKED_UP)
    named = set(re.findall(r"- alert: (\w+)", RULES.read_text()))
    left = sorted(alert for alert in named if took.get(alert) is None)
    if left:
        sys.exit(f"These did not fire: {', '.join(left)}")
    print(f"All {len(named)} alerts fired.")


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        main()
