"""A Prometheus of our own on this machine, with the repository's alert rules, made short."""

import re
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import httpx
from e2e.process import NO_TLS, free_port

RULES = Path(__file__).parents[1] / "deploy" / "prometheus" / "licet.rules.yml"

SHORTENED = (
    (r"for: \w+", "for: 2s"),
    (r"\[15m\]", "[120s]"),
    (r"\[5m\]", "[15s]"),
    (r"\[1m\]", "[5s]"),
    (r"_seconds(\{[^}]*\})? > (600|120|300|900)\b", r"_seconds\1 > 8"),
    (r"\+ 300\b", "+ 5"),
    (r"> 172800\b", "> 40"),
)
"""Durations only; shares and sizes stay."""

_CONFIG = """
global: {{scrape_interval: 2s, scrape_timeout: 2s, evaluation_interval: 1s}}
rule_files: [{rules}]
scrape_configs:
  - job_name: licet
    static_configs: [{{targets: ["127.0.0.1:{port}"]}}]
"""


def shortened_rules() -> str:
    """Return the rules with durations that a drill can wait for."""
    text = RULES.read_text()
    for pattern, replacement in SHORTENED:
        text = re.sub(pattern, replacement, text)
    return text


class Prometheus:
    """Scrapes one service every two seconds, and tells which alerts fire."""

    def __init__(self, folder: Path, service_port: int) -> None:
        self._folder = folder
        self._folder.mkdir()
        (folder / "rules.yml").write_text(shortened_rules())
        config = _CONFIG.format(rules=folder / "rules.yml", port=service_port)
        (folder / "prometheus.yml").write_text(config)
        self._port = free_port()
        self._client = httpx.Client(
            base_url=f"http://127.0.0.1:{self._port}", trust_env=False, verify=NO_TLS
        )
        with (folder / "log.txt").open("wb") as log:
            self._process = subprocess.Popen(
                [
                    shutil.which("prometheus") or "prometheus",
                    f"--config.file={folder / 'prometheus.yml'}",
                    f"--storage.tsdb.path={folder / 'data'}",
                    f"--web.listen-address=127.0.0.1:{self._port}",
                    "--log.level=warn",
                ],
                stdout=log,
                stderr=subprocess.STDOUT,
            )

    def firing(self) -> set[str]:
        """Return the names of the alerts that fire."""
        try:
            response = self._client.get("/api/v1/alerts")
        except httpx.TransportError:
            if self._process.poll() is not None:
                raise SystemExit((self._folder / "log.txt").read_text()) from None
            return set()
        if not response.is_success:
            return set()
        alerts = response.json()["data"]["alerts"]
        return {each["labels"]["alertname"] for each in alerts if each["state"] == "firing"}

    def wait_until_firing(self, alert: str, patience: float) -> bool:
        """Return whether the alert fires within so many seconds."""
        return self._wait(lambda: alert in self.firing(), patience)

    def wait_until_quiet(self, alert: str, patience: float) -> bool:
        """Return whether the alert ends within so many seconds."""
        return self._wait(lambda: alert not in self.firing(), patience)

    def stop(self) -> None:
        """Stop the process."""
        self._client.close()
        self._process.terminate()
        self._process.wait(30)

    @staticmethod
    def _wait(holds: Callable[[], bool], patience: float) -> bool:
        deadline = time.monotonic() + patience
        while not holds():
            if time.monotonic() > deadline:
                return False
            time.sleep(0.1)
        return True
