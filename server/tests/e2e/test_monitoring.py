"""The metrics of a real service, and what dashboard, rules and pages say of them."""

import json
import os
import re
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
from e2e.process import ADMIN, NewService, Service, children_of, workers_of
from outside_programs import found, required
from patience import eventually
from prometheus_client.parser import text_string_to_metric_families

ROOT = Path(__file__).parents[3]
RULES = ROOT / "deploy" / "prometheus" / "licet.rules.yml"
DASHBOARD = ROOT / "deploy" / "grafana" / "licet.json"
PAGE = ROOT / "docs" / "monitoring.md"
RUNBOOKS = ROOT / "docs" / "runbooks"
_METRIC = re.compile(r"\blicet_[a-z_]+\b")
_ALERT = re.compile(r"- alert: (\w+)")
_NO_METRICS = {"licet_server"}
_OF_OTHER_DATABASES = {
    "licet_backup_waiting_seconds",
    "licet_backup_waiting_bytes",
    "licet_backup_base_age_seconds",
    "licet_database_node_up",
}
"""Shown with the embedded or a distributed database only, which this service does not have."""


def scraped(service: Service) -> str:
    with service.client() as client:
        return str(client.get("/metrics").raise_for_status().text)


def samples(service: Service, name: str) -> dict[tuple[str, ...], float]:
    """The values of a metric, by the values of its labels in the order of their names."""
    return {
        tuple(value for _, value in sorted(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(scraped(service))
        for sample in family.samples
        if sample.name == name
    }


def names_of(text: str) -> set[str]:
    """Every name that a query may use, and the base names of histograms."""
    found = set()
    for family in text_string_to_metric_families(text):
        found |= {sample.name for sample in family.samples}
        if family.type == "histogram" and family.samples:
            found.add(family.name)
    return found


@pytest.fixture(scope="module")
def metered(new_database: Callable[[], str]) -> Iterator[Service]:
    """A service with two processes, which the tests of this module share."""
    mail = {
        "LICET_SMTP_URL": "smtp://127.0.0.1:9",
        "LICET_MAIL_FROM": "Licet <licet@example.com>",
    }
    service = Service({**ADMIN, **mail, "DATABASE_URL": new_database()})
    try:
        service.start("--workers", 2)
        eventually(lambda: len(samples(service, "licet_pool_size")) == 6, "both processes sample")
        webhooks = {"licet_webhook_attempts_total"}
        eventually(lambda: names_of(scraped(service)) >= webhooks, "the jobs ran")
        yield service
    finally:
        service.remove()


def test_every_metric_that_is_named_exists_and_is_explained(metered: Service) -> None:
    existing = names_of(scraped(metered)) | _OF_OTHER_DATABASES
    texts = [RULES, DASHBOARD, PAGE, ROOT / "docs" / "operations.md", *RUNBOOKS.glob("*.md")]
    for text in texts:
        named = {
            name for name in _METRIC.findall(text.read_text()) if not name.startswith("licet_ak_")
        }
        assert named - _NO_METRICS <= existing, text.name
    explained = set(_METRIC.findall(PAGE.read_text()))
    parts = ("_bucket", "_sum", "_count", "_created")
    left = {name for name in existing - explained if name.startswith("licet_")}
    assert {name for name in left if not name.endswith(parts)} == set()


def test_each_process_shows_its_own_figures_and_a_new_one_takes_its_place(
    metered: Service,
) -> None:
    memory = "licet_process_resident_bytes"
    assert set(samples(metered, memory)) == {("1",), ("2",)}
    assert all(value > 10e6 for value in samples(metered, memory).values())
    sizes = samples(metered, "licet_pool_size")
    assert {key: int(value) for key, value in sizes.items()} == {
        (pool, process): size
        for pool, size in (("main", 8), ("keyed", 6), ("relaxed", 3))
        for process in "12"
    }
    started = samples(metered, "licet_process_start_timestamp_seconds")
    assert metered.process is not None
    worker = workers_of(metered.process.pid)[-1]
    os.kill(worker, signal.SIGKILL)

    def is_replaced() -> bool:
        try:
            now = samples(metered, "licet_process_start_timestamp_seconds")
        except httpx.TransportError:  # the process that was killed had accepted the connection
            return False
        return now.keys() == started.keys() and now != started

    eventually(is_replaced, "a process with the same number")
    assert set(samples(metered, memory)) == {("1",), ("2",)}


def test_requests_problems_and_queues_are_counted_over_both_processes(metered: Service) -> None:
    problems = "licet_problems_total"
    before = samples(metered, problems)["Unauthorized",]
    for _ in range(20):
        with metered.client() as client:
            body = {"licenseKey": "x"}
            refused = client.post("/api/licenses/validate", json=body, headers={"x-api-key": "x"})
            assert refused.status_code == 401
    assert samples(metered, problems)["Unauthorized",] == before + 20
    calls, waits = "licet_queue_batch_size_sum", "licet_queue_wait_seconds_count"
    before = samples(metered, calls)["operators",]
    with metered.sign_in() as owner:
        for _ in range(5):
            owner.get("/api/products").raise_for_status()
    assert samples(metered, calls)["operators",] == before + 5
    assert samples(metered, waits)["operators",] >= 1
    assert samples(metered, "licet_queue_refused_total")["operators",] == 0


def test_the_metrics_come_in_time_from_a_frozen_database(new_embedded_service: NewService) -> None:
    service = new_embedded_service(**ADMIN)
    service.start("--workers", 1)
    assert samples(service, "licet_database_up") == {(): 1}
    assert samples(service, "licet_database_writable") == {(): 1}
    assert samples(service, "licet_seats_in_use") == {(): 0}
    postmaster = service.postmaster()
    frozen = [postmaster, *children_of(postmaster)]
    for pid in frozen:
        os.kill(pid, signal.SIGSTOP)
    try:
        eventually(lambda: samples(service, "licet_database_up") == {(): 0}, "it is noticed")
        assert samples(service, "licet_database_bytes") == {}
        assert samples(service, "licet_process_resident_bytes")
    finally:
        for pid in frozen:
            os.kill(pid, signal.SIGCONT)
    eventually(lambda: samples(service, "licet_database_up") == {(): 1}, "it is back")


def test_each_alert_has_its_page_and_each_page_its_alert() -> None:
    alerts = _ALERT.findall(RULES.read_text())
    assert len(alerts) == len(set(alerts))
    assert {page.stem for page in RUNBOOKS.glob("*.md")} == set(alerts)
    for alert in alerts:
        assert f"runbook: docs/runbooks/{alert}.md" in RULES.read_text()
        assert f"(runbooks/{alert}.md)" in PAGE.read_text()
        assert f"alertname: {alert}\n" in RULES.with_suffix(".test.yml").read_text()
        page = (RUNBOOKS / f"{alert}.md").read_text()
        assert page.startswith(f"# {alert}\n")
        assert all(f"\n## {part}\n" in page for part in ("Effect", "What to do", "Drill"))


def test_the_panels_of_the_dashboard_are_whole() -> None:
    board = json.loads(DASHBOARD.read_text())
    panels = [panel for panel in board["panels"] if panel["type"] != "row"]
    assert len({panel["id"] for panel in board["panels"]}) == len(board["panels"])
    assert all(panel["targets"] and panel["title"] for panel in panels)
    for page in RUNBOOKS.glob("*.md"):
        for named in re.findall(r"panels? \*([^*]+)\*", page.read_text()):
            assert any(panel["title"].startswith(named) for panel in panels), (page.name, named)


@required("promtool")
def test_the_rules_pass_promtool() -> None:
    for arguments in (("check", RULES), ("test", RULES.with_suffix(".test.yml"))):
        result = subprocess.run(
            [found("promtool"), arguments[0], "rules", arguments[1]],
            cwd=RULES.parent,
            capture_output=True,
            text=True,
            check=False,
        )
        assert result.returncode == 0, result.stdout + result.stderr
